"""Crop marks and guides: where they stand, and that none lies on a card."""

from __future__ import annotations

import numpy as np
import pytest

from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import Picture, render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import DuplexMode, Rect
from loomtable.printkit.sheet.imposition import ImpositionOptions, Spacing, lay_out
from loomtable.printkit.sheet.marks import LINE_WIDTH, CropMarks, MarkedSides, crease_lines, mark_lines
from loomtable.printkit.sheet.papers import A4, LETTER, POKER, STRIP, CardSize
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
    [page] = [p for p in lay_out(cards(4) + cards(5, COIN), ImpositionOptions()) if not p.is_back]
    lines = mark_lines(page.layout, CropMarks.CORNER)
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
    pages = lay_out(pieces, chosen.imposition)
    pdf = pages_to_pdf(pages, chosen.sheets("test"))
    for at, page in enumerate(pages):
        picture = render_page(pdf, at, 200)
        for trim in page.layout.slots():
            assert inked(picture, trim, page.layout.page_height, 200) == 0


def test_marks_on_one_side_only() -> None:
    for marked, dark in ((MarkedSides.FRONT, (True, False)), (MarkedSides.BACK, (False, True))):
        chosen = PrintSettings(marks=CropMarks.EDGE, marked=marked)
        pages = lay_out(cards(9), chosen.imposition)
        pdf = pages_to_pdf(pages, chosen.sheets("test"))
        for at, expected in enumerate(dark):
            above = render_page(pdf, at, 100)[8:40]
            assert bool((above < 120).any()) is expected


def test_corner_guides_lie_outside_of_what_is_kept() -> None:
    chosen = PrintSettings(corners=True, marks=CropMarks.NONE)
    pages = lay_out(cards(2, COIN), chosen.imposition)
    picture = render_page(pages_to_pdf(pages, chosen.sheets("test")), 0, 400)
    trim = pages[0].layout.slot(0)
    scale = 400 / 25.4
    rows, columns = np.nonzero(picture.min(axis=2) < 150)
    x, y = columns / scale, pages[0].layout.page_height - rows / scale
    reach = np.hypot(x - trim.x - 12.5, y - trim.y - 12.5)
    near = reach < 16
    assert near.sum() > 500
    assert reach[near].min() > 12.5 - 0.1
