"""Fronts and backs: in every way of printing two sides, each back lies behind its front."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.printkit.catalogue import Component
from loomtable.printkit.draw.palette import BLACK
from loomtable.printkit.draw.path import circle
from loomtable.printkit.kit import PrintSettings, print_components
from loomtable.printkit.raster import Picture, render_page
from loomtable.printkit.sheet.folded import Folded
from loomtable.printkit.sheet.grid import DuplexMode, Rect
from loomtable.printkit.sheet.imposition import ImpositionOptions, Page, Spacing, lay_out
from loomtable.printkit.sheet.marks import CropMarks
from loomtable.printkit.sheet.papers import A3, A4, LETTER, POKER, CardSize, Paper
from loomtable.printkit.sheet.pieces import Drawing, PrintedCard, PrintedPage
from loomtable.printkit.sheet.printer import CorrectionScope, Misregistration, Printer, inverse, transform_point
from tests.print.plain_cards import COIN, DOMINO, cards, nothing


def behind(page: Page, area: Rect, sides: DuplexMode) -> tuple[float, float, int]:
    """Where the middle of a front is seen from behind, and its back's turn, from the turn of the paper alone."""
    layout = page.layout
    x, y = area.x + area.width / 2, area.y + area.height / 2
    if sides is DuplexMode.GUTTERFOLD:
        assert isinstance(layout, Folded)
        x1, y1, x2, _ = layout.crease
        return (2 * x1 - x, y, 0) if x1 == x2 else (x, 2 * y1 - y, 180)
    about_upright_edge = (sides is DuplexMode.LONG_EDGE) == (layout.page_height >= layout.page_width)
    return (layout.page_width - x, y, 0) if about_upright_edge else (x, layout.page_height - y, 180)


@pytest.mark.parametrize("paper", [A4, LETTER, A3], ids=lambda paper: paper.name)
@pytest.mark.parametrize("sides", [DuplexMode.LONG_EDGE, DuplexMode.SHORT_EDGE, DuplexMode.GUTTERFOLD])
@pytest.mark.parametrize("spacing", list(Spacing))
@pytest.mark.parametrize("sizes", [(POKER,), (COIN,), (POKER, COIN, DOMINO)], ids=["poker", "coins", "mixed"])
def test_every_back_lies_behind_its_front(
    paper: Paper, sides: DuplexMode, spacing: Spacing, sizes: tuple[CardSize, ...]
) -> None:
    pieces = [piece for size in sizes for piece in cards(7, size)]
    pages = lay_out(pieces, ImpositionOptions(paper, sides=sides, spacing=spacing))
    seen = 0
    for at, front_page in enumerate(pages):
        if front_page.is_back:
            continue
        back_page = pages[at + 1] if sides.duplex else front_page
        backs = {
            id(placement.piece): (back_page.layout.slot(placement.slot), placement.turn)
            for placement in back_page.placements
            if placement.is_back
        }
        for placement in front_page.placements:
            if not placement.is_back:
                back, turn = backs[id(placement.piece)]
                assert (back.x + back.width / 2, back.y + back.height / 2, turn) == pytest.approx(
                    behind(front_page, front_page.layout.slot(placement.slot), sides), abs=1e-9
                )
                seen += 1
    assert seen == len(pieces)


def test_a_folded_kit_has_the_back_of_a_whole_page_on_a_sheet_of_its_own() -> None:
    sheet = PrintedPage(None, "sheet", nothing, nothing)
    pages = lay_out([sheet], ImpositionOptions(sides=DuplexMode.GUTTERFOLD))
    assert [placement.is_back for page in pages for placement in page.placements] == [False, True]


def spotted() -> Component:
    """Three cards with a disc on each face: seen through the card, that of the back covers that of the front."""

    def spot(across: float) -> Drawing:
        return lambda pen: pen.solid(circle(across, POKER.height / 3, 3), BLACK)

    card = PrintedCard(None, "spot", spot(POKER.width / 3), spot(POKER.width * 2 / 3))
    return Component("spot", "Spot", "a spot", "test", lambda _: [card] * 3)


def middles(picture: Picture, dpi: float) -> np.ndarray:
    """The middles (mm from the upper left corner) of the dark discs, weighed by how dark each pixel is."""
    dark = 1 - picture.astype(float).max(axis=2) / 255
    dark[dark < 0.25] = 0
    count, labels, stats, _ = cv2.connectedComponentsWithStats((dark > 0).astype(np.uint8))
    found = []
    for at in range(1, count):
        if stats[at, cv2.CC_STAT_AREA] > 20 and max(stats[at, 2:4]) < 1.4 * min(stats[at, 2:4]):
            rows, columns = np.nonzero(labels == at)
            weight = dark[rows, columns]
            if stats[at, 2] / dpi * 25.4 > 5:
                found.append(((columns + 0.5) @ weight / weight.sum(), (rows + 0.5) @ weight / weight.sum()))
    return np.array(sorted(found)) / dpi * 25.4


@pytest.mark.parametrize(("paper", "sides"), [*product([A4], list(DuplexMode)[:3]), (A3, DuplexMode.LONG_EDGE)])
def test_printed_centres_coincide_to_two_hundredths_of_a_millimetre(
    paper: Paper, sides: DuplexMode, tmp_path: Path
) -> None:
    chosen = PrintSettings(paper=paper, sides=sides, marks=CropMarks.NONE)
    [file] = print_components([spotted()], tmp_path, chosen)
    pages = [render_page(file.path, at, 150) for at in range(file.pages)]
    height, width = (side / 150 * 25.4 for side in pages[0].shape[:2])
    half, back = middles(pages[0], 150), middles(pages[-1], 150)
    if sides is DuplexMode.GUTTERFOLD:  # on A4 the page lies, three cards above their backs or beside them
        assert len(half) == 6
        across = 1 if np.ptp(half[:, 1]) > 60 else 0
        upper = half[:, across] < (width, height)[across] / 2
        half, back = half[upper], half[~upper]
        mirror, shift = ((1, -1), (0, height)) if across else ((-1, 1), (width, 0))
    else:
        upright = (sides is DuplexMode.LONG_EDGE) == (height >= width)
        mirror, shift = ((-1, 1), (width, 0)) if upright else ((1, -1), (0, height))
    mirrored = back * mirror + shift
    assert len(half) == 3
    distances = [min(float(np.hypot(*(one - other))) for other in mirrored) for one in half]
    assert max(distances) < 0.02


@pytest.mark.parametrize("corrected", list(CorrectionScope))
@pytest.mark.parametrize("sides", [DuplexMode.LONG_EDGE, DuplexMode.SHORT_EDGE])
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_a_corrected_sheet_meets_its_fronts_on_the_printer_that_misprints(
    corrected: CorrectionScope, sides: DuplexMode, paper: Paper
) -> None:
    front, back = Misregistration(0.7, -1.1, 0.2, 0.996, 1.003), Misregistration(-1.4, 2.2, -0.5, 1.002, 0.998)
    printer = Printer("test", front, back, corrected)
    width, height = paper.width, paper.height

    def misprinted_back(x: float, y: float) -> tuple[float, float]:
        """Where the printer puts it; a paper that is turned over its short edge runs through half turned round."""
        if sides is DuplexMode.LONG_EDGE:
            return transform_point(back.matrix(width, height), x, y)
        x, y = transform_point(back.matrix(width, height), width - x, height - y)
        return width - x, height - y

    for x, y in product((20.0, 105.0, 190.0), (20.0, 140.0, 260.0)):
        meant = (width - x, y) if sides is DuplexMode.LONG_EDGE else (x, height - y)
        on_front = transform_point(
            front.matrix(width, height), *transform_point(printer.correction(width, height, sides, False), x, y)
        )
        on_back = misprinted_back(*transform_point(printer.correction(width, height, sides, True), *meant))
        through = (
            (width - on_back[0], on_back[1])
            if sides is DuplexMode.LONG_EDGE
            else (on_back[0], height - on_back[1])
        )
        assert through == pytest.approx(on_front, abs=1e-9)
        if corrected is CorrectionScope.BOTH:
            assert on_front == pytest.approx((x, y), abs=1e-9)


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_measured_centres_coincide_once_a_profile_is_applied(tmp_path: Path, paper: Paper) -> None:
    """Rendered through the profile, then misprinted by the same matrix: fronts and backs meet to 0.05 mm."""
    front, back = Misregistration(0.5, -0.7, 0.3, 0.997, 1.002), Misregistration(-1.2, 1.6, -0.4, 1.003, 0.996)
    printer = Printer("wobbly", front, back, CorrectionScope.BOTH)
    chosen = PrintSettings(paper=paper, printer=printer, marks=CropMarks.NONE)
    [file] = print_components([spotted()], tmp_path, chosen)
    dpi = 200
    landed = []
    for at, misprint in enumerate((front, back)):
        picture = render_page(file.path, at, dpi)
        height, width = (side / dpi * 25.4 for side in picture.shape[:2])
        assert height > width, "a page for a profile stands upright"
        stretched = np.array([paper.width / width, paper.height / height])  # pictures are whole pixels
        matrix = misprint.matrix(paper.width, paper.height)
        landed.append(
            np.array([transform_point(matrix, x, paper.height - y) for x, y in middles(picture, dpi) * stretched])
        )
    assert len(landed[0]) == 3
    through = landed[1] * (-1, 1) + (paper.width, 0)
    for one in landed[0]:
        assert min(np.hypot(*(one - other)) for other in through) < 0.05
    undone = transform_point(inverse(front.matrix(100, 200)), *transform_point(front.matrix(100, 200), 30, 40))
    assert undone == pytest.approx((30, 40))
