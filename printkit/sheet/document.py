"""Pages to PDF: the one place that knows how a file is put together.

The same cards and settings always give the same bytes.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from loomtable.printkit.draw.inks import SCREEN_INKS
from loomtable.printkit.draw.palette import BLACK, INK, Style
from loomtable.printkit.draw.path import Path, polyline, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.structure import TaggedCanvas
from loomtable.printkit.draw.type import Font, face_name
from loomtable.printkit.sheet.cutting import cut_lines
from loomtable.printkit.sheet.folded import Folded
from loomtable.printkit.sheet.grid import DuplexMode, Layout, Rect
from loomtable.printkit.sheet.guides import corner_guides, draw_crease, draw_cut_line, draw_overlaps, is_round
from loomtable.printkit.sheet.imposition import ImpositionOptions, Page, Placement
from loomtable.printkit.sheet.margin import draw_margin
from loomtable.printkit.sheet.marks import LINE_WIDTH, CropMarks, MarkedSides, crease_lines, mark_lines
from loomtable.printkit.sheet.papers import BLEED, Paper
from loomtable.printkit.sheet.pieces import Drawing, LargeDrawing, PrintedCard, PrintedPage
from loomtable.printkit.sheet.printer import IDENTITY, Affine, Printer, compose
from loomtable.printkit.sheet.registration import registration_marks
from loomtable.printkit.sheet.tiled import Tile, WholePage

if TYPE_CHECKING:
    from loomtable.printkit.sheet.press import Press

AUTHOR = "The Loomtable authors"
LANGUAGE = "en-GB"
CUT_INK = "CutContour"
"""The name of the ink in which outlines are printed for a print shop's cutter, as such shops ask for it."""
_CUT_INK_WIDTH = 0.088
"""A quarter of a point, in mm."""
MOST_BOOKMARKS = 1_000
"""In files with more faces than this the outline names pages only: nobody leafs through so many cards by name."""


@dataclass(frozen=True)
class SheetSettings(ImpositionOptions):
    """All that decides how pages look, apart from the cards.

    ``marks`` are for cutting, on the ``marked`` sides; ``corners`` draws guides for rounding each card's corners.
    ``printer`` moves what is printed so that it lands where it should on one printer. ``press`` writes the inks of
    a printing press instead of red, green and blue. ``bleed`` (mm) is a shop's for pages of one face, which
    are enlarged by the little that is missing. ``registration`` prints a cutter's marks instead of crop marks,
    ``spot_cut`` outlines in an ink of their own.
    """

    title: str = ""
    marks: CropMarks = CropMarks.CORNER
    style: Style = Style.COLOUR
    marked: MarkedSides = MarkedSides.BOTH
    corners: bool = False
    printer: Printer | None = None
    press: Press | None = None
    bleed: float = BLEED
    spot_cut: bool = False


def pages_to_pdf(
    pages: Sequence[Page], settings: SheetSettings, on_page: Callable[[int], None] | None = None
) -> bytes:
    """The PDF file's bytes; ``on_page`` is told how many pages are done."""
    with without_collector():
        return _written(pages, settings, on_page)


def leaves_to_pdf(leaves: Sequence[Drawing], paper: Paper, title: str, subject: str) -> bytes:
    """A file to read: each drawing on a page of its own, the origin in the corner of the paper."""
    canvas = _canvas(title, subject)
    canvas.begin_tags(title)
    pen = Pen(canvas, Style.COLOUR)
    for number, leaf in enumerate(leaves, start=1):
        canvas.setPageSize((paper.width * mm, paper.height * mm))
        canvas.scale(mm, mm)
        with canvas.section(f"Page {number}"):
            leaf(pen)
        canvas.showPage()
    canvas.end_tags(title)
    content: bytes = canvas.getpdfdata()
    return content


def _canvas(title: str, subject: str, version: tuple[int, int] = (1, 5)) -> TaggedCanvas:
    font = face_name(Font.LABEL)
    canvas = TaggedCanvas(
        "", pageCompression=1, invariant=1, lang=LANGUAGE, initialFontName=font, pdfVersion=version
    )
    canvas.setTitle(title)
    canvas.setAuthor(AUTHOR)
    canvas.setSubject(subject)
    canvas.setCreator("Loomtable")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    return canvas


def _written(pages: Sequence[Page], settings: SheetSettings, on_page: Callable[[int], None] | None) -> bytes:
    with_cards = sum(len(page.placements) for page in pages) <= MOST_BOOKMARKS
    sides = _sides(settings.sides, pages)
    subject, version = _subject(settings, sides, pages), settings.press.pdf_version if settings.press else (1, 5)
    canvas = _canvas(settings.title, subject, version)
    canvas.setViewerPreference("PrintScaling", "None")
    duplex = {DuplexMode.LONG_EDGE: "DuplexFlipLongEdge", DuplexMode.SHORT_EDGE: "DuplexFlipShortEdge"}
    canvas.setViewerPreference("Duplex", "Simplex" if settings.backs_last else duplex.get(sides, "Simplex"))
    if with_cards:
        _label_pages(canvas, pages)
        if not settings.press:
            canvas.begin_tags(settings.title)
    pen = Pen(canvas, settings.style, settings.press or SCREEN_INKS)
    for done, page in enumerate(pages, start=1):
        place = _Place.of(page, settings)
        canvas.setPageSize((place.width * mm, place.height * mm))
        _boxes(canvas, place, page.layout, settings.bleed)
        _outline(canvas, page, place, with_cards)
        canvas.saveState()
        canvas.scale(mm, mm)
        if place.matrix != IDENTITY:
            canvas.transform(*place.matrix)
        _draw_page(pen, page, settings, sides)
        canvas.restoreState()
        canvas.showPage()
        if on_page:
            on_page(done)
    if settings.press:
        settings.press.declare(canvas, settings.title)
    canvas.end_tags(settings.title)
    content: bytes = canvas.getpdfdata()
    return content


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause Python's search for cycles: a drawing leaves next to none, and searching costs a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _sides(ordered: DuplexMode, pages: Sequence[Page]) -> DuplexMode:
    """How the file is really printed: both sides only where there is anything on the other one."""
    if ordered.duplex:
        return ordered if any(page.is_back for page in pages) else DuplexMode.FRONTS_ONLY
    folded = any(isinstance(page.layout, Folded) for page in pages)
    return ordered if folded else DuplexMode.FRONTS_ONLY


def _subject(settings: SheetSettings, sides: DuplexMode, pages: Sequence[Page]) -> str:
    """What the file is printed on, and how."""
    trims = sorted({(page.layout.block.width, page.layout.block.height) for page in pages if page.layout.for_shop})
    if not trims:
        return f"{settings.paper.name}, {sides.label}; print at 100 %, scaling off"
    sizes = " and ".join(f"{wide:g} x {high:g} mm" for wide, high in trims)
    return f"{sizes}, each with {settings.bleed:g} mm of bleed"


@dataclass(frozen=True)
class _Place:
    """A page on its medium: the medium's size, and the matrix from the page to where the printer shall put it.

    For a printer with a profile every page is made upright, so that no other program decides which way to turn it.
    """

    width: float
    height: float
    matrix: Affine
    turned: bool

    @classmethod
    def of(cls, page: Page, settings: SheetSettings) -> _Place:
        width, height = page.layout.page_width, page.layout.page_height
        if settings.bleed != BLEED and page.layout.for_shop:
            wide, high = width + 2 * (settings.bleed - BLEED), height + 2 * (settings.bleed - BLEED)
            return cls(wide, high, (wide / width, 0.0, 0.0, high / height, 0.0, 0.0), False)
        if settings.printer is None:
            return cls(width, height, IDENTITY, False)
        turned = page.layout.landscape
        upright: Affine = (0.0, 1.0, -1.0, 0.0, height, 0.0) if turned else IDENTITY
        if turned:
            width, height = height, width
        undone = settings.printer.correction(width, height, settings.sides, page.is_back)
        return cls(width, height, compose(undone, upright), turned)

    def box(self, area: Rect) -> tuple[float, float, float, float]:
        """A rectangle of the page on the medium, in points: left, bottom, right, top."""
        corners = (area.x, area.y, area.right, area.top)
        if self.turned:
            corners = (self.width - area.top, area.x, self.width - area.y, area.right)
        left, bottom, right, top = (round(value * mm, 3) for value in corners)
        return left, bottom, right, top


def _label_pages(canvas: Canvas, pages: Sequence[Page]) -> None:
    """Number the pages in programs as on the paper: by sheets, with their sides where there are two."""
    if not any(page.is_back for page in pages):
        canvas.addPageLabel(0, "ARABIC")
        return
    for at, page in enumerate(pages):
        canvas.addPageLabel(at, prefix=f"{page.number} {page.side}")


def _boxes(canvas: Canvas, place: _Place, layout: Layout, bleed: float) -> None:
    if layout.for_shop:
        whole = Rect(0, 0, place.width, place.height)
        canvas.setTrimBox(place.box(whole.grown(-bleed)))
        canvas.setBleedBox(place.box(whole))
        return
    canvas.setTrimBox(place.box(layout.block))
    canvas.setBleedBox(place.box(layout.bleed))


def _outline(canvas: Canvas, page: Page, place: _Place, with_cards: bool) -> None:
    key = f"{page.side}-{page.number}"
    canvas.bookmarkPage(key)
    canvas.addOutlineEntry(_page_name(page), key, level=0, closed=True)
    if page.is_back or not with_cards:
        return
    for placement in page.placements:
        if placement.is_back or not page.layout.has_margin:
            continue
        left, _, _, top = place.box(page.layout.slot(placement.slot))
        card_key = f"{key}-{placement.slot}"
        canvas.bookmarkHorizontalAbsolute(card_key, top, left=left)
        code = f" ({placement.piece.id.short})" if placement.piece.id else ""
        canvas.addOutlineEntry(f"{placement.piece.name}{code}", card_key, level=1)


def _page_name(page: Page) -> str:
    """``Page 3, fronts``; ``Page 3, map tile B2``; on pages of one card, that card's name."""
    if isinstance(page.layout, Tile):
        shown = [f"Page {page.number}, {held.piece.name}, tile {page.layout.name}" for held in page.placements]
        return shown[0] if shown else "Empty"
    if page.placements and page.layout.for_shop:
        return f"{page.placements[0].piece.name}, {'back' if page.is_back else 'front'}"
    return f"Page {page.number}, {page.side}"


def _draw_page(pen: Pen, page: Page, settings: SheetSettings, sides: DuplexMode) -> None:
    layout = page.layout
    filled = {placement.slot for placement in page.placements}
    for placement in page.placements:
        if isinstance(placement.piece, PrintedCard):
            pen.fill_background(_outline_of(layout.with_bleed(placement.slot, filled)), placement.piece.ground)
    for placement in page.placements:
        _draw_placement(pen, placement, page, filled)
    if settings.spot_cut and not page.is_back:
        for line in cut_lines(page).cuts:
            pen.spot_line(line, CUT_INK, _CUT_INK_WIDTH)
    if layout.has_margin:
        if settings.registration:  # marks for the cutter, which must find no other lines near them
            for mark in () if page.is_back or isinstance(layout, WholePage) else registration_marks(layout):
                pen.solid(mark, BLACK)
        else:
            _draw_marks(pen, page, settings, filled)
        how = sides.label.replace("duplex", "turned by hand") if settings.backs_last else sides.label
        printer = settings.printer.name if settings.printer else ""
        draw_margin(pen, settings.paper, how, page, settings.title, printer)


def _draw_marks(pen: Pen, page: Page, settings: SheetSettings, filled: Collection[int]) -> None:
    layout = page.layout
    side = MarkedSides.BACK if page.is_back else MarkedSides.FRONT
    if settings.marked in (side, MarkedSides.BOTH):
        for x1, y1, x2, y2 in mark_lines(layout, settings.marks, filled):
            pen.stroke(polyline((x1, y1), (x2, y2)), INK, LINE_WIDTH, butt=True)
        if settings.corners:
            for placement in page.placements:
                for guide in corner_guides(layout, placement):
                    pen.stroke(guide, INK, LINE_WIDTH, butt=True)
    for placement in page.placements:
        if _has_cut_line(placement, settings):
            draw_cut_line(pen, layout, placement)
    for x1, y1, x2, y2 in crease_lines(layout):
        draw_crease(pen, (x1, y1), (x2, y2))
    if isinstance(layout, Tile):
        draw_overlaps(pen, layout)


def _has_cut_line(placement: Placement, settings: SheetSettings) -> bool:
    """Whether a card's outline is printed: on the side from which it is cut, so that no back shows it."""
    piece = placement.piece
    if not isinstance(piece, PrintedCard) or settings.marks is CropMarks.NONE:
        return False
    if placement.is_back is not (settings.marked is MarkedSides.BACK):
        return False
    return settings.marks is CropMarks.FULL or piece.outlined or is_round(piece)


def _draw_placement(pen: Pen, placement: Placement, page: Page, filled: Collection[int]) -> None:
    piece, layout = placement.piece, page.layout
    slot = layout.slot(placement.slot)
    draw: Drawing | None
    if isinstance(piece, LargeDrawing) and isinstance(layout, Tile):
        draw = _drawn_once(piece, page.number - layout.place)
        corner = (slot.x - layout.part.x, slot.y - layout.part.y)
    else:
        draw = piece.draw if isinstance(piece, LargeDrawing) else piece.back if placement.is_back else piece.front
        corner = (slot.right, slot.top) if placement.turn else (slot.x, slot.y)
    if draw:
        with (
            pen.clipped(_outline_of(layout.with_bleed(placement.slot, filled))),
            pen.at(*corner, turn=placement.turn),
            _tagged(pen.canvas, placement),
        ):
            draw(pen)


def _tagged(canvas: TaggedCanvas, placement: Placement) -> AbstractContextManager[None]:
    """What a screen reader finds there: the words of pages and of cards to be read, else the name of the thing."""
    piece = placement.piece
    side = ", back" if placement.is_back else ""
    if isinstance(piece, PrintedPage) or (isinstance(piece, PrintedCard) and piece.with_words):
        return canvas.section(f"{piece.name}{side}")
    code = f" ({piece.id.short})" if piece.id else ""
    return canvas.figure(f"{piece.name}{code}{side}")


def _drawn_once(piece: LargeDrawing, first: int) -> Drawing:
    """A drawing that all its tiles share; ``first``, the page of the first of them, tells it from others."""
    box = (-BLEED, -BLEED, piece.width + 2 * BLEED, piece.height + 2 * BLEED)
    return lambda pen: pen.place(f"drawing-{first}", box, piece.draw)


def _outline_of(area: Rect) -> Path:
    return rect(area.x, area.y, area.width, area.height)
