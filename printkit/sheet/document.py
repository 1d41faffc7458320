"""Pages to PDF: the one place that knows how a file is put together.

The same cards and settings always give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from reportlab import rl_config
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from printkit.draw.palette import CREAM, INK, Style
from printkit.draw.path import Path, polyline, rect
from printkit.draw.pen import Pen
from printkit.draw.type import Face, face_name
from printkit.sheet.grid import Grid, Rect, Sides
from printkit.sheet.imposition import Page, Placed
from printkit.sheet.margin import draw_margin
from printkit.sheet.marks import LINE_WIDTH, Marks, mark_lines
from printkit.sheet.papers import Paper

AUTHOR = "The Loomtable authors"
LANGUAGE = "en-GB"


@dataclass(frozen=True)
class SheetSettings:
    """All that decides how pages look, apart from the cards."""

    title: str
    paper: Paper
    grid: Grid
    sides: Sides
    marks: Marks
    style: Style


def pages_to_pdf(
    pages: Sequence[Page], settings: SheetSettings, on_page: Callable[[int], None] | None = None
) -> bytes:
    """The PDF file's bytes; ``on_page`` is told how many pages are done."""
    file = io.BytesIO()
    grid = settings.grid
    canvas = Canvas(
        file,
        pagesize=(grid.page_width * mm, grid.page_height * mm),
        pageCompression=1,
        invariant=1,
        lang=LANGUAGE,
        initialFontName=face_name(Face.LABEL),
    )
    _describe(canvas, settings)
    for done, page in enumerate(pages, start=1):
        _boxes(canvas, grid)
        _outline(canvas, page, settings)
        canvas.saveState()
        canvas.scale(mm, mm)
        _draw_page(Pen(canvas, settings.style), page, settings)
        canvas.restoreState()
        canvas.showPage()
        if on_page:
            on_page(done)
    with _binary_streams():
        canvas.save()
    return file.getvalue()


@contextmanager
def _binary_streams() -> Iterator[None]:
    """Let reportlab write compressed streams as bytes; its ASCII85 costs a quarter in size and half the time."""
    before = rl_config.useA85
    rl_config.useA85 = 0
    try:
        yield
    finally:
        rl_config.useA85 = before


def _describe(canvas: Canvas, settings: SheetSettings) -> None:
    canvas.setTitle(settings.title)
    canvas.setAuthor(AUTHOR)
    canvas.setSubject(f"{settings.paper.name}, {settings.sides.label}; print at 100 %, scaling off")
    canvas.setCreator("Loomtable")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    duplex = {
        Sides.LONG_EDGE: "DuplexFlipLongEdge",
        Sides.SHORT_EDGE: "DuplexFlipShortEdge",
        Sides.FRONTS_ONLY: "Simplex",
    }
    canvas.setViewerPreference("Duplex", duplex[settings.sides])


def _boxes(canvas: Canvas, grid: Grid) -> None:
    for place, box in ((canvas.setTrimBox, grid.block), (canvas.setBleedBox, grid.bleed)):
        place(tuple(round(value * mm, 3) for value in (box.x, box.y, box.right, box.top)))


def _outline(canvas: Canvas, page: Page, settings: SheetSettings) -> None:
    key = f"{page.side}-{page.number}"
    canvas.bookmarkPage(key)
    canvas.addOutlineEntry(f"Page {page.number}, {page.side}", key, level=0, closed=True)
    if page.is_back:
        return
    for placed in page.placed:
        slot = settings.grid.slot(placed.slot)
        card_key = f"{key}-{placed.slot}"
        canvas.bookmarkHorizontal(card_key, slot.x * mm, slot.top * mm)
        canvas.addOutlineEntry(f"{placed.card.name} ({placed.card.id.short})", card_key, level=1)


def _draw_page(pen: Pen, page: Page, settings: SheetSettings) -> None:
    grid = settings.grid
    filled = {placed.slot for placed in page.placed}
    for placed in page.placed:
        pen.plate(_outline_of(grid.with_bleed(placed.slot, filled)), CREAM)
    for placed in page.placed:
        _draw_placed(pen, page, placed, grid, filled)
    for x1, y1, x2, y2 in mark_lines(grid, settings.marks):
        pen.stroke(polyline((x1, y1), (x2, y2)), INK, LINE_WIDTH, butt=True)
    draw_margin(pen, grid, settings.paper, settings.sides, page, settings.title)


def _draw_placed(pen: Pen, page: Page, placed: Placed, grid: Grid, filled: Collection[int]) -> None:
    slot = grid.slot(placed.slot)
    corner = (slot.right, slot.top) if placed.turn else (slot.x, slot.y)
    with pen.clipped(_outline_of(grid.with_bleed(placed.slot, filled))), pen.at(*corner, turn=placed.turn):
        (placed.card.back if page.is_back else placed.card.front)(pen)


def _outline_of(area: Rect) -> Path:
    return rect(area.x, area.y, area.width, area.height)
