"""What a print shop is asked for: folds, mixed sizes, tiles, marks, single faces, copies, inks of a press."""

from __future__ import annotations

import io
import re
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from engine.kernel.components import ComponentId, Kind
from printkit.catalogue import Component, components, kits
from printkit.contents import contents_of
from printkit.draw.palette import BLACK, INK, Style
from printkit.draw.path import circle, polyline, rect
from printkit.draw.pen import Pen
from printkit.draw.tags import TAGS, draw_tag
from printkit.errors import CopiesInvalid, NoSuchCard, PrintError, UnknownPrintName
from printkit.kit import PrintSettings, print_components, print_kit
from printkit.picking import picks_in
from printkit.pictures import print_pictures
from printkit.raster import Picture, render_page
from printkit.sheet.document import pages_to_pdf
from printkit.sheet.folded import Folded
from printkit.sheet.grid import Grid, Rect, Sides, page_area
from printkit.sheet.imposition import Page, SheetWish, Spacing, lay_out
from printkit.sheet.marks import LINE_WIDTH, MarkedSides, Marks, crease_lines, mark_lines
from printkit.sheet.papers import A3, A4, BLEED, CARD_SIZES, LETTER, POKER, SLEEVES, STRIP, CardSize, Paper
from printkit.sheet.pieces import LargeDrawing, Piece, PrintedCard, PrintedPage
from printkit.sheet.press import press_for
from printkit.sheet.printer import Corrected, Misprint, Printer, applied, inverse
from printkit.sheet.tiled import OVERLAP, Tile, tiles

COIN = CardSize("coin", 25, 25, corner=12.5)
DOMINO = CardSize("domino", 30, 50)


def nothing(pen: Pen) -> None:
    """An empty face."""


def cards(count: int, size: CardSize | None = None) -> list[Piece]:
    return [PrintedCard(None, f"card {at}", nothing, nothing, size) for at in range(count)]


def behind(page: Page, area: Rect, sides: Sides) -> tuple[float, float]:
    """Where the middle of a front is seen from behind, from the turn of the paper alone."""
    layout = page.layout
    x, y = area.x + area.width / 2, area.y + area.height / 2
    if sides is Sides.GUTTERFOLD:
        assert isinstance(layout, Folded)
        x1, y1, x2, _ = layout.crease
        return (2 * x1 - x, y) if x1 == x2 else (x, 2 * y1 - y)
    about_upright_edge = (sides is Sides.LONG_EDGE) == (layout.page_height >= layout.page_width)
    return (layout.page_width - x, y) if about_upright_edge else (x, layout.page_height - y)


@pytest.mark.parametrize("paper", [A4, LETTER, A3], ids=lambda paper: paper.name)
@pytest.mark.parametrize("sides", [Sides.LONG_EDGE, Sides.SHORT_EDGE, Sides.GUTTERFOLD])
@pytest.mark.parametrize("spacing", list(Spacing))
@pytest.mark.parametrize("sizes", [(POKER,), (COIN,), (POKER, COIN, DOMINO)], ids=["poker", "coins", "mixed"])
def test_every_back_lies_behind_its_front(
    paper: Paper, sides: Sides, spacing: Spacing, sizes: tuple[CardSize, ...]
) -> None:
    pieces = [piece for size in sizes for piece in cards(7, size)]
    pages = lay_out(pieces, SheetWish(paper, sides=sides, spacing=spacing))
    seen = 0
    for at, front_page in enumerate(pages):
        if front_page.is_back:
            continue
        back_page = pages[at + 1] if sides.duplex else front_page
        backs = {
            id(placed.piece): back_page.layout.slot(placed.slot) for placed in back_page.placed if placed.is_back
        }
        for placed in front_page.placed:
            if not placed.is_back:
                back = backs[id(placed.piece)]
                middle = (back.x + back.width / 2, back.y + back.height / 2)
                assert middle == pytest.approx(
                    behind(front_page, front_page.layout.slot(placed.slot), sides), abs=1e-9
                )
                seen += 1
    assert seen == len(pieces)


def spotted() -> Component:
    """Three cards with a disc in the middle of each face."""

    def spot(pen: Pen) -> None:
        pen.solid(circle(POKER.width / 2, POKER.height / 2, 3), BLACK)

    card = PrintedCard(None, "spot", spot, spot)
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


@pytest.mark.parametrize("sides", [Sides.LONG_EDGE, Sides.SHORT_EDGE, Sides.GUTTERFOLD])
def test_printed_centres_coincide_to_two_hundredths_of_a_millimetre(sides: Sides, tmp_path: Path) -> None:
    chosen = PrintSettings(sides=sides, marks=Marks.NONE)
    [file] = print_components([spotted()], tmp_path, chosen)
    pages = [render_page(file.path, at, 150) for at in range(file.pages)]
    height, width = (side / 150 * 25.4 for side in pages[0].shape[:2])
    half, back = middles(pages[0], 150), middles(pages[-1], 150)
    if sides is Sides.GUTTERFOLD:  # on A4 the page lies, three cards above their backs or beside them
        assert len(half) == 6
        across = 1 if np.ptp(half[:, 1]) > 60 else 0
        upper = half[:, across] < (width, height)[across] / 2
        half, back = half[upper], half[~upper]
        mirror, shift = ((1, -1), (0, height)) if across else ((-1, 1), (width, 0))
    else:
        mirror, shift = ((-1, 1), (width, 0)) if sides is Sides.LONG_EDGE else ((1, -1), (0, height))
    mirrored = back * mirror + shift
    assert len(half) == 3
    distances = [min(float(np.hypot(*(one - other))) for other in mirrored) for one in half]
    assert max(distances) < 0.02


@pytest.mark.parametrize("marks", [Marks.CORNER, Marks.EDGE, Marks.FULL])
@pytest.mark.parametrize("sides", [Sides.LONG_EDGE, Sides.GUTTERFOLD])
@pytest.mark.parametrize("sizes", [(POKER,), (COIN,), (POKER, COIN, DOMINO)], ids=["poker", "coins", "mixed"])
@pytest.mark.parametrize("spacing", list(Spacing))
def test_no_mark_lies_inside_a_trim_on_any_layout(
    marks: Marks, sides: Sides, sizes: tuple[CardSize, ...], spacing: Spacing
) -> None:
    pieces = [piece for size in sizes for piece in cards(9, size)]
    for paper in (A4, LETTER):
        for page in lay_out(pieces, SheetWish(paper, sides=sides, spacing=spacing)):
            lines = mark_lines(page.layout, marks)
            assert lines
            for x1, y1, x2, y2 in lines + crease_lines(page.layout):
                half = LINE_WIDTH / 2
                ink = Rect(x1 - half, y1 - half, x2 - x1 + 2 * half, y2 - y1 + 2 * half)
                ink = Rect(
                    min(x1, x2) - half, min(y1, y2) - half, abs(x2 - x1) + LINE_WIDTH, abs(y2 - y1) + LINE_WIDTH
                )
                assert not any(ink.overlaps(trim) for trim in page.layout.slots())
                if page.layout.strip_below:
                    assert ink.y >= STRIP - 1e-9
                else:
                    assert ink.right <= page.layout.page_width - STRIP + 1e-9


def test_every_edge_of_every_packed_card_is_marked() -> None:
    [page] = [p for p in lay_out(cards(4) + cards(5, COIN), SheetWish()) if not p.is_back]
    lines = mark_lines(page.layout, Marks.CORNER)
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


@pytest.mark.parametrize("marks", [Marks.CORNER, Marks.FULL])
def test_rendered_empty_cards_hold_no_ink_at_all(marks: Marks) -> None:
    pieces = [*cards(2), *cards(3, COIN), *cards(2, DOMINO)]
    chosen = PrintSettings(marks=marks)
    pages = lay_out(pieces, chosen.wish)
    pdf = pages_to_pdf(pages, chosen.sheets("test"))
    for at, page in enumerate(pages):
        picture = render_page(pdf, at, 200)
        for trim in page.layout.slots():
            assert inked(picture, trim, page.layout.page_height, 200) == 0


def test_marks_on_one_side_only() -> None:
    for marked, dark in ((MarkedSides.FRONT, (True, False)), (MarkedSides.BACK, (False, True))):
        chosen = PrintSettings(marks=Marks.EDGE, marked=marked)
        pages = lay_out(cards(9), chosen.wish)
        pdf = pages_to_pdf(pages, chosen.sheets("test"))
        for at, expected in enumerate(dark):
            above = render_page(pdf, at, 100)[8:40]
            assert bool((above < 120).any()) is expected


def test_corner_guides_lie_outside_of_what_is_kept() -> None:
    chosen = PrintSettings(corners=True, marks=Marks.NONE)
    pages = lay_out(cards(2, COIN), chosen.wish)
    picture = render_page(pages_to_pdf(pages, chosen.sheets("test")), 0, 400)
    trim = pages[0].layout.slot(0)
    scale = 400 / 25.4
    rows, columns = np.nonzero(picture.min(axis=2) < 150)
    x, y = columns / scale, pages[0].layout.page_height - rows / scale
    reach = np.hypot(x - trim.x - 12.5, y - trim.y - 12.5)
    near = reach < 16
    assert near.sum() > 500
    assert reach[near].min() > 12.5 - 0.1


@given(
    st.lists(st.tuples(st.floats(8, 120), st.floats(8, 180)), min_size=1, max_size=40),
    st.sampled_from([A4, LETTER, A3]),
)
@settings(max_examples=60, deadline=None)
def test_packed_cards_keep_apart_and_none_is_lost(sides: list[tuple[float, float]], paper: Paper) -> None:
    sizes = [CardSize(f"size {at}", width, height) for at, (width, height) in enumerate(sides)]
    pieces: list[Piece] = [PrintedCard(None, size.name, nothing, None, size) for size in sizes]
    pages = lay_out(pieces, SheetWish(paper))
    shown = [placed.piece for page in pages for placed in page.placed]
    assert sorted(piece.name for piece in shown) == sorted(size.name for size in sizes)
    for page in pages:
        slots = page.layout.slots()
        for at, slot in enumerate(slots):
            assert slot.x >= 5 and slot.y >= 5
            assert slot.right <= page.layout.page_width - 5 and slot.top <= page.layout.page_height - 5
            bled = page.layout.with_bleed(at, set(range(len(slots))))
            assert not any(bled.overlaps(other) for n, other in enumerate(slots) if n != at)


@given(st.floats(50, 1500), st.floats(50, 1500), st.sampled_from([A4, LETTER, A3]))
@settings(max_examples=60, deadline=None)
def test_tiles_cover_a_drawing_at_true_scale_and_overlap(width: float, height: float, paper: Paper) -> None:
    pages = tiles(width, height, paper)
    by_place = {(tile.column, tile.row): tile for tile in pages}
    assert len(by_place) == len(pages) == pages[0].columns * pages[0].rows
    for tile in pages:
        assert (tile.area.width, tile.area.height) == pytest.approx((tile.part.width, tile.part.height))
        right, below = by_place.get((tile.column + 1, tile.row)), by_place.get((tile.column, tile.row + 1))
        if right:
            assert tile.part.right - right.part.x == pytest.approx(OVERLAP)
        else:
            assert tile.part.right == pytest.approx(width)
        if below:
            assert below.part.top - tile.part.y == pytest.approx(OVERLAP)
        else:
            assert tile.part.y == pytest.approx(0, abs=1e-6)


def test_tiles_laid_over_each_other_show_the_whole_drawing() -> None:
    def ruled(pen: Pen) -> None:
        for at in range(0, 421, 20):
            pen.stroke(polyline((at, 0), (at, 300)), INK, 0.5, butt=True)
            pen.stroke(polyline((0, at), (420, at)), INK, 0.5, butt=True)

    drawing = LargeDrawing(None, "ruled", 420, 300, ruled)
    pages = lay_out([drawing], SheetWish())
    pdf = pages_to_pdf(pages, PrintSettings().sheets("test"))
    dpi, scale = 50.8, 2
    whole = np.zeros((300 * scale, 420 * scale), bool)
    for at, page in enumerate(pages):
        tile = page.layout
        assert isinstance(tile, Tile)
        picture = render_page(pdf, at, dpi).mean(axis=2) < 170
        for y in np.arange(tile.part.y + 0.25, tile.part.top, 0.5):
            row = int((tile.page_height - (tile.area.y + y - tile.part.y)) * scale)
            left = int(tile.area.x * scale)
            start = round(tile.part.x * scale)
            length = min(int(tile.part.width * scale), whole.shape[1] - start)
            whole[int((300 - y) * scale), start : start + length] |= picture[row, left : left + length]
    for at in range(20, 420, 20):
        assert whole[:, at * scale - 2 : at * scale + 2].any(axis=1).mean() > 0.97, f"line at {at} mm is broken"


def test_single_faces_come_front_back_with_their_bleed(tmp_path: Path) -> None:
    only = [ComponentId(Kind.STORY, 3), ComponentId(Kind.STORY, 8)]
    [file] = print_kit(["story"], tmp_path, PrintSettings(singly=True), only=only)
    assert file.pages == 4
    with pikepdf.open(file.path) as pdf:
        for page in pdf.pages:
            assert [float(v) * 25.4 / 72 for v in page.mediabox] == pytest.approx([0, 0, 69, 94], abs=0.01)
            assert [float(v) * 25.4 / 72 for v in page.obj["/TrimBox"]] == pytest.approx([3, 3, 66, 91], abs=0.01)
        with pdf.open_outline() as outline:
            assert [entry.title for entry in outline.root][:2] == ["The Loom, front", "The Loom, back"] or (
                outline.root[0].title.endswith("front") and outline.root[1].title.endswith("back")
            )
    found, *_ = cv2.QRCodeDetector().detectAndDecode(render_page(file.path, 0, 200))
    assert found == only[0].code


def test_pictures_of_faces(tmp_path: Path) -> None:
    [folder] = print_pictures(
        [components()["story-cards"]], tmp_path, PrintSettings(), 150, only=[ComponentId(Kind.STORY, 9)]
    )
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["S9-the-key-back.png", "S9-the-key-front.png"]
    with Image.open(folder.path / names[1]) as picture:
        assert picture.size == (round(69 / 25.4 * 150), round(94 / 25.4 * 150)) or abs(picture.width - 407) <= 1
        assert cv2.QRCodeDetector().detectAndDecode(np.array(picture))[0] == ComponentId(Kind.STORY, 9).code
    with pytest.raises(PrintError, match="72 to 1200"):
        print_pictures([components()["story-cards"]], tmp_path, PrintSettings(), 5000)


def test_picking_cards_and_copies(tmp_path: Path) -> None:
    picks = picks_in("story:3,7-8x2, C1")
    [story, challenge] = print_kit(["story", "challenge"], tmp_path, only=picks)
    assert (story.cards, challenge.cards) == (5, 1)
    [twice] = print_kit(["story"], tmp_path, only=picks_in("S3x2"), copies=3)
    assert twice.cards == 6
    with pytest.raises(NoSuchCard, match="story-cards:40 is not among"):
        print_kit(["story"], tmp_path, only=picks_in("story:40"))
    with pytest.raises(NoSuchCard, match="names no card"):
        picks_in("story:?")
    with pytest.raises(UnknownPrintName, match="'stroy'"):
        picks_in("stroy:3")
    with pytest.raises(CopiesInvalid, match="x900"):
        picks_in("S3x900")


def test_everything_that_is_declared_prints_and_says_what_it_holds() -> None:
    assert set(kits()["everything"]) == set(components())
    for component in components().values():
        assert re.match(r"\d+ ", contents_of(component))
        assert not {*components(), *kits()}.intersection(component.aliases), "an alias is no other thing's name"


def test_sizes_and_sleeves_all_fit_every_paper() -> None:
    for size, paper in product([*CARD_SIZES.values(), *SLEEVES.values()], (A4, LETTER, A3)):
        for sides in (Sides.LONG_EDGE, Sides.GUTTERFOLD):
            if sides is Sides.GUTTERFOLD and size.height > 130 and paper is not A3:
                continue
            pages = lay_out(cards(1, size), SheetWish(paper, sides=sides))
            layout = pages[0].layout
            assert max(layout.block.x, layout.block.y) - BLEED > 7.3


def test_tags_are_what_a_reader_of_tags_finds() -> None:
    wanted = [0, 5, 571, TAGS - 1]

    def draw(pen: Pen) -> None:
        for at, number in enumerate(wanted):
            draw_tag(pen, number, 10 + 35 * at, 10, 20)

    pdf = pages_to_pdf(
        lay_out([PrintedPage(None, "tags", draw)], SheetWish()), PrintSettings(style=Style.LOW_INK).sheets("tags")
    )
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(render_page(pdf, 0, 100))
    assert sorted(int(number) for number in numbers.ravel()) == wanted
    area = page_area(A4)
    first = corners[int(np.flatnonzero(numbers.ravel() == 0)[0])][0]
    assert first[0] / 100 * 25.4 == pytest.approx([area.x + 10, A4.height - area.y - 30], abs=0.3)


@pytest.mark.parametrize("corrected", list(Corrected))
@pytest.mark.parametrize("sides", [Sides.LONG_EDGE, Sides.SHORT_EDGE])
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_a_corrected_sheet_meets_its_fronts_on_the_printer_that_misprints(
    corrected: Corrected, sides: Sides, paper: Paper
) -> None:
    front, back = Misprint(0.7, -1.1, 0.2, 0.996, 1.003), Misprint(-1.4, 2.2, -0.5, 1.002, 0.998)
    printer = Printer("test", front, back, corrected)
    width, height = paper.width, paper.height
    really_back = back if sides is Sides.LONG_EDGE else back.turned()
    for x, y in product((20.0, 105.0, 190.0), (20.0, 140.0, 260.0)):
        meant = (width - x, y) if sides is Sides.LONG_EDGE else (x, height - y)
        on_front = applied(
            front.matrix(width, height), *applied(printer.correction(width, height, sides, False), x, y)
        )
        on_back = applied(
            really_back.matrix(width, height), *applied(printer.correction(width, height, sides, True), *meant)
        )
        through = (
            (width - on_back[0], on_back[1]) if sides is Sides.LONG_EDGE else (on_back[0], height - on_back[1])
        )
        assert through == pytest.approx(on_front, abs=1e-9)
        if corrected is Corrected.BOTH:
            assert on_front == pytest.approx((x, y), abs=1e-9)


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_measured_centres_coincide_once_a_profile_is_applied(tmp_path: Path, paper: Paper) -> None:
    """Rendered through the profile, then misprinted by the same matrix: fronts and backs meet to 0.05 mm."""
    front, back = Misprint(0.5, -0.7, 0.3, 0.997, 1.002), Misprint(-1.2, 1.6, -0.4, 1.003, 0.996)
    printer = Printer("wobbly", front, back, Corrected.BOTH)
    chosen = PrintSettings(paper=paper, printer=printer, marks=Marks.NONE)
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
            np.array([applied(matrix, x, paper.height - y) for x, y in middles(picture, dpi) * stretched])
        )
    assert len(landed[0]) == 3
    through = landed[1] * (-1, 1) + (paper.width, 0)
    for one in landed[0]:
        assert min(np.hypot(*(one - other)) for other in through) < 0.05
    undone = applied(inverse(front.matrix(100, 200)), *applied(front.matrix(100, 200), 30, 40))
    assert undone == pytest.approx((30, 40))


def test_files_are_the_same_bytes_in_every_mode(tmp_path: Path) -> None:
    mixed = Component("mixed", "Mixed", "", "test", lambda _: [*cards(3), *cards(4, COIN)])
    for chosen in (
        PrintSettings(sides=Sides.GUTTERFOLD, marks=Marks.FULL),
        PrintSettings(press=press_for(), singly=True),
        PrintSettings(packed=True, corners=True),
    ):
        one = [f.path.read_bytes() for f in print_components([mixed], tmp_path / "one", chosen)]
        other = [f.path.read_bytes() for f in print_components([mixed], tmp_path / "other", chosen)]
        assert one == other


def test_a_grid_keeps_its_slots_however_few_cards_there_are() -> None:
    full = lay_out(cards(9), SheetWish())[0].layout
    few = lay_out(cards(1), SheetWish())[0].layout
    assert isinstance(full, Grid)
    assert few == full


def test_hygiene_holds_for_pages_tiles_and_folds(tmp_path: Path) -> None:
    def draw(pen: Pen) -> None:
        pen.solid(rect(10, 10, 30, 30), BLACK)

    whole = Component("page", "Page", "", "test", lambda _: [PrintedPage(None, "page", draw, draw)])
    large = Component("map", "Map", "", "test", lambda _: [LargeDrawing(None, "map", 400, 300, draw)])
    for component, sides, hint in (
        (whole, Sides.LONG_EDGE, "/DuplexFlipLongEdge"),
        (large, Sides.LONG_EDGE, "/Simplex"),
        (spotted(), Sides.GUTTERFOLD, "/Simplex"),
    ):
        [file] = print_components([component], tmp_path, PrintSettings(sides=sides))
        with pikepdf.open(io.BytesIO(file.path.read_bytes())) as pdf:
            assert str(pdf.Root["/ViewerPreferences"]["/PrintScaling"]) == "/None"
            assert str(pdf.Root["/ViewerPreferences"]["/Duplex"]) == hint
            assert str(pdf.Root["/Lang"]) == "en-GB"
            with pdf.open_outline() as outline:
                assert len(outline.root) == file.pages
            for page in pdf.pages:
                text = page.obj["/Contents"].read_bytes()
                assert b"Do" in text, "the ruler stands on every sheet"
