"""Crop marks and guides: where they stand, and that none lies on a card."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.draw.palette import BLACK, WHITE
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import Picture, render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import DuplexMode, Rect
from loomtable.printkit.sheet.imposition import ImpositionOptions, Page, Spacing, lay_out
from loomtable.printkit.sheet.marks import LINE_WIDTH, CropMarks, MarkedSides, crease_lines, mark_lines
from loomtable.printkit.sheet.papers import A4, BLEED, LETTER, POKER, STRIP, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard
from tests.print.plain_cards import COIN, DOMINO, cards


@pytest.mark.parametrize("marks", [CropMarks.CORNER, CropMarks.EDGE, CropMarks.FULL])
@pytest.mark.parametrize("sides", [DuplexMode.LONG_EDGE, DuplexMode.GUTTERFOLD])
@pytest.mark.parametrize("sizes", [(POKER,), (COIN,), (POKER, COIN, DOMINO)], ids=["poker", "coins", "mixed"])
@pytest.mark.parametrize("spacing", list(Spacing))
def test_no_mark_lies_inside_a_trim_on_any_layout(
    marks: CropMarks, sides: DuplexMode, sizes: tuple[CardSize, ...], spacing: Spacing
) -> None:
    pieces = [piece for size in sizes for piece in cards(9, size)]
    for paper in (A4, LETTER):
        for page in lay_out(pieces, ImpositionOptions(paper, sides=sides, spacing=spacing)):
            lines = mark_lines(page.layout, marks, filled(page))
            trims = [page.layout.slot(slot) for slot in filled(page)]
            assert lines
            for x1, y1, x2, y2 in lines + crease_lines(page.layout):
                half = LINE_WIDTH / 2
                ink = Rect(x1 - half, y1 - half, x2 - x1 + 2 * half, y2 - y1 + 2 * half)
                ink = Rect(
                    min(x1, x2) - half, min(y1, y2) - half, abs(x2 - x1) + LINE_WIDTH, abs(y2 - y1) + LINE_WIDTH
                )
                assert not any(ink.overlaps(trim) for trim in trims)
                if marks is not CropMarks.FULL and page.layout.aligned:
                    near = any(ink.overlaps(trim.grown(BLEED - 1)) for trim in trims)
                    length = abs(x2 - x1) + abs(y2 - y1)
                    assert not near or length < 1.51, "only where the margin is narrow, and then short"
                if page.layout.strip_below:
                    assert ink.y >= STRIP - 1e-9
                else:
                    assert ink.right <= page.layout.page_width - STRIP + 1e-9


def filled(page: Page) -> set[int]:
    return {placement.slot for placement in page.placements}


@pytest.mark.parametrize("sizes", [(POKER,), (POKER, COIN)], ids=["poker", "mixed"])
def test_no_mark_stands_round_nothing(sizes: tuple[CardSize, ...]) -> None:
    """On a part-filled page, and on the backs of one with pieces that have none."""
    with_backs = [piece for size in sizes for piece in cards(5, size)]
    pieces = [*with_backs, *(replace(piece, back=None) for piece in with_backs)]
    for page in lay_out(pieces, ImpositionOptions()):
        held = [page.layout.slot(slot).grown(BLEED + 4.1) for slot in filled(page)]
        for x1, y1, x2, y2 in mark_lines(page.layout, CropMarks.CORNER, filled(page)):
            ink = Rect(min(x1, x2), min(y1, y2), abs(x2 - x1) + 0.01, abs(y2 - y1) + 0.01)
            assert any(ink.overlaps(area) for area in held), "it is beside a card"


def test_every_edge_of_every_packed_card_is_marked() -> None:
    [page] = [p for p in lay_out(cards(4) + cards(5, COIN), ImpositionOptions()) if not p.is_back]
    lines = mark_lines(page.layout, CropMarks.CORNER, filled(page))
    for trim in page.layout.slots():
        for x in (trim.x, trim.right):
            near = [y for x1, y, x2, _ in lines if x1 == x2 == pytest.approx(x)]
            assert any(abs(y - trim.y) < 5 or abs(y - trim.top) < 5 for y in near)


def inked(page: Picture, area: Rect, height: float, dpi: float) -> int:
    """How many pixels inside an area (mm), one pixel in, are not the paper's or the card's light ground."""
    scale = dpi / 25.4
    top, bottom = int(np.ceil((height - area.top) * scale)) + 1, int((height - area.y) * scale) - 1
    left, right = int(np.ceil(area.x * scale)) + 1, int(area.right * scale) - 1
    return int((page[top:bottom, left:right].min(axis=2) < 180).sum())


@pytest.mark.parametrize("marks", [CropMarks.CORNER, CropMarks.FULL])
def test_rendered_empty_cards_hold_no_ink_at_all(marks: CropMarks) -> None:
    pieces = [*cards(2), *cards(3, COIN), *cards(2, DOMINO)]
    chosen = PrintSettings(marks=marks)
    pages = lay_out(pieces, chosen)
    pdf = pages_to_pdf(pages, chosen.sheets("test"))
    for at, page in enumerate(pages):
        picture = render_page(pdf, at, 200)
        for trim in page.layout.slots():
            kept = trim.grown(-3.7) if trim.width == COIN.width else trim  # the square within the coin
            assert inked(picture, kept, page.layout.page_height, 200) == 0


def test_marks_on_one_side_only() -> None:
    for marked, dark in ((MarkedSides.FRONT, (True, False)), (MarkedSides.BACK, (False, True))):
        chosen = PrintSettings(marks=CropMarks.EDGE, marked=marked)
        pages = lay_out(cards(9), chosen)
        pdf = pages_to_pdf(pages, chosen.sheets("test"))
        for at, expected in enumerate(dark):
            above = render_page(pdf, at, 100)[8:40]
            assert bool((above < 120).any()) is expected


def test_corner_guides_lie_outside_of_what_is_kept() -> None:
    chosen = PrintSettings(corners=True, marks=CropMarks.NONE)
    pages = lay_out(cards(2, COIN), chosen)
    picture = render_page(pages_to_pdf(pages, chosen.sheets("test")), 0, 400)
    trim = pages[0].layout.slot(0)
    scale = 400 / 25.4
    rows, columns = np.nonzero(picture.min(axis=2) < 150)
    x, y = columns / scale, pages[0].layout.page_height - rows / scale
    reach = np.hypot(x - trim.x - 12.5, y - trim.y - 12.5)
    near = reach < 16
    assert reach[near].min() > 12.5 - 0.1
    for right, above in product((True, False), repeat=2):
        corner = near & ((x > trim.x + 12.5) == right) & ((y > trim.y + 12.5) == above)
        assert corner.sum() > 120, "every corner has its guide"


def line_through(page: Picture, x: float, y: float, height: float, dpi: float) -> bool:
    """Whether anything dark lies within half a millimetre of (x, y), in mm."""
    scale, reach = dpi / 25.4, 0.5
    rows = slice(int((height - y - reach) * scale), int((height - y + reach) * scale) + 1)
    columns = slice(int((x - reach) * scale), int((x + reach) * scale) + 1)
    return bool((page[rows, columns].min(axis=2) < 140).any())


def test_full_marks_draw_a_line_between_cards_that_touch() -> None:
    found = {}
    for marks in (CropMarks.EDGE, CropMarks.FULL):
        chosen = PrintSettings(marks=marks)
        pages = lay_out(cards(9), chosen)
        layout = pages[0].layout
        picture = render_page(pages_to_pdf(pages, chosen.sheets("test")), 0, 300)
        between = [layout.slot(4).x, layout.slot(4).right]
        rows = [layout.slot(at).y + share for at in (0, 3, 6) for share in (30, 31, 32, 33)]
        found[marks] = [any(line_through(picture, x, y, layout.page_height, 300) for y in rows) for x in between]
    assert found == {CropMarks.EDGE: [False, False], CropMarks.FULL: [True, True]}


@pytest.mark.parametrize("dark", [False, True], ids=["on light", "on dark"])
def test_round_counters_have_a_line_to_cut_along_without_being_asked(dark: bool) -> None:
    def face(pen: Pen) -> None:
        pen.solid(rect(-3, -3, 31, 31), BLACK if dark else WHITE)

    pieces = [PrintedCard(None, "coin", face, face, COIN)] * 4
    chosen = PrintSettings()
    pages = lay_out(pieces, chosen)
    pdf = pages_to_pdf(pages, chosen.sheets("test"))
    trim, height = pages[0].layout.slot(0), pages[0].layout.page_height
    picture = render_page(pdf, 0, 600)
    levels = []
    for angle in np.radians(np.arange(20, 70, 0.5)):
        x = trim.x + 12.5 + (12.5 + LINE_WIDTH / 2) * np.cos(angle)
        y = trim.y + 12.5 + (12.5 + LINE_WIDTH / 2) * np.sin(angle)
        levels.append(int(picture[int((height - y) / 25.4 * 600), int(x / 25.4 * 600)].min()))
    assert min(levels) < 80 and max(levels) > 175, "dashes are told from their ground"
    assert 0.3 < np.mean(np.array(levels) < 128) < 0.7
    back = pages[1].layout.slot(pages[1].placements[0].slot)
    turned = render_page(pdf, 1, 300)
    edge = turned[int((height - back.y - 12.5) / 25.4 * 300), int((back.right + 0.1) / 25.4 * 300)]
    assert bool(edge.min() < 60) is dark, "on the back no line would lie where the cut comes out"


def test_stickers_and_standees_have_lines_to_cut_along() -> None:
    for name in ("pip-dice-stickers", "weave-dice-stickers", "storm-standees", "mage-standees"):
        pieces = components()[name].pieces(RenderOptions())
        assert all(isinstance(piece, PrintedCard) and piece.outlined for piece in pieces), name


def test_a_gutter_that_is_asked_for_is_kept_on_every_grid() -> None:
    for size in (POKER, COIN, CardSize("die-sticker", 14, 14, 1.6)):
        for sides in (DuplexMode.LONG_EDGE, DuplexMode.GUTTERFOLD):
            for gutter in (0.5, 3.0, 7.0):
                layout = lay_out(cards(4, size), ImpositionOptions(gutter=gutter, sides=sides))[0].layout
                first, second = layout.slot(0), layout.slot(1)
                apart = max(second.x - first.right, first.y - second.top)
                assert apart == pytest.approx(max(gutter, 4.0) if size is COIN else gutter)
