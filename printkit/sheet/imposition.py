"""From pieces to pages: what stands in which slot of which page. Values only; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.sheet.folded import Folded, folded_for
from loomtable.printkit.sheet.grid import DuplexMode, Grid, Layout, grid_for
from loomtable.printkit.sheet.labels import LabelSheet, label_pages
from loomtable.printkit.sheet.packed import PACKED_GUTTER, pack, single
from loomtable.printkit.sheet.papers import A4, BLEED, CORNER, LETTER, CardSize, Paper, PaperOptions
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedCard, PrintedPage
from loomtable.printkit.sheet.registration import PACKED_INSET, registered_grid
from loomtable.printkit.sheet.tiled import saving_scale, single_page, tiles, whole_page

_LEAST_PAGE = (A4.width, LETTER.height)
"""Whole pages are drawn for A4 and Letter: for paper at least as wide as the one and as high as the other."""


class Spacing(StrEnum):
    """What lies between neighbouring cards: nothing (one cut for both), or the whole bleed of each."""

    SHARED = "shared"
    EACH = "each"


@dataclass(frozen=True)
class ImpositionOptions(PaperOptions):
    """How pieces are to come onto paper.

    ``gutter`` (mm) stands between neighbours; ``Spacing.EACH`` gives every card its whole bleed. ``singly`` makes
    one page of each face, in the order front, back, front, back, as printers of single decks want it.
    ``backs_last`` puts all fronts before all backs, for printers that cannot turn card.
    """

    sides: DuplexMode = DuplexMode.LONG_EDGE
    gutter: float = 0.0
    spacing: Spacing = Spacing.SHARED
    singly: bool = False
    registration: bool = False
    labels: LabelSheet | None = None
    backs_last: bool = False


@dataclass(frozen=True)
class Placement:
    """One face of a piece in a slot, turned by 0 or 180 degrees."""

    slot: int
    piece: Piece
    turn: int
    is_back: bool = False


@dataclass(frozen=True)
class Page:
    """One side of a sheet of paper. ``number`` counts from 1 within the fronts or the backs, up to ``of``."""

    number: int
    of: int
    is_back: bool
    placements: tuple[Placement, ...]
    layout: Layout

    @property
    def side(self) -> str:
        """``fronts`` or ``backs``."""
        return "backs" if self.is_back else "fronts"


@dataclass(frozen=True)
class Sheet:
    """A sheet of paper before it is numbered: what stands on its front, and on its back if that is printed."""

    layout: Layout
    fronts: tuple[Placement, ...]
    back_layout: Layout
    backs: tuple[Placement, ...]


def lay_out(pieces: Sequence[Piece], options: ImpositionOptions) -> list[Page]:
    """The pages of these pieces: cards first, then whole pages and drawings in order.

    Cards of one size stand in a fixed grid; cards of several sizes are packed in shelves. Where anything in a
    file has a back and the paper is turned, every page is followed by its back, so that no sheet is out of step.

    Raises:
        SheetTooSmall: a card does not fit the paper.
    """
    return pages_of(sheets_of(pieces, options), options)


def sheets_of(pieces: Sequence[Piece], options: ImpositionOptions) -> list[Sheet]:
    """The sheets of paper of these pieces, not yet numbered."""
    sheets = _card_sheets([piece for piece in pieces if isinstance(piece, PrintedCard)], options)
    for piece in pieces:
        if isinstance(piece, PrintedPage):
            sheets += _page_sheets(piece, options)
        elif isinstance(piece, LargeDrawing) and options.singly:
            whole = single(CardSize(piece.name, piece.width, piece.height, 0.0))
            sheets.append(Sheet(whole, (Placement(0, piece, 0),), whole, ()))
        elif isinstance(piece, LargeDrawing):
            shown = _fitted(piece, options.paper)
            for tile in tiles(shown.width, shown.height, options.paper):
                sheets.append(Sheet(tile, (Placement(0, shown, 0),), tile, ()))
    return sheets


def _fitted(drawing: LargeDrawing, paper: Paper) -> LargeDrawing:
    """The drawing without its spare edge, or made a little smaller, where that is allowed and saves a page."""
    scale = saving_scale(drawing.width, drawing.height, paper, drawing.least_scale)
    sizes = [(drawing.width - 2 * edge, drawing.height - 2 * edge, edge) for edge in (0.0, drawing.spare_edge)]
    width, height, edge = min(sizes, key=lambda size: len(tiles(size[0], size[1], paper)))
    if scale == 1 and not edge:
        return drawing

    def draw(pen: Pen) -> None:
        with pen.at(-edge, -edge, scale=scale):
            drawing.draw(pen)

    return replace(drawing, width=width * scale, height=height * scale, draw=draw)


def size_of(card: PrintedCard, ordered: CardSize) -> CardSize:
    """A card's trim: its own, or the size that was ordered."""
    return card.size or ordered


def grid_of(size: CardSize, options: ImpositionOptions) -> Grid | Folded:
    """The slots for cards of one size: a fixed grid, or a folded one."""
    gutter = 2 * BLEED if options.spacing is Spacing.EACH else options.gutter
    if size.corner > CORNER:  # round counters need bleed of their own where neighbours would touch
        gutter = max(gutter, PACKED_GUTTER)
    if options.registration:
        return registered_grid(options.paper, size, gutter)
    if options.sides is DuplexMode.GUTTERFOLD:
        return folded_for(options.paper, size, gutter)
    return grid_for(options.paper, size, gutter)


def _card_sheets(cards: Sequence[PrintedCard], options: ImpositionOptions) -> list[Sheet]:
    if not cards:
        return []
    if options.singly:
        return [_single(card, options) for card in cards]
    if options.labels:
        return _labelled(cards, options.labels, options.card_size)
    by_size: dict[CardSize, list[PrintedCard]] = {}
    for card in cards:
        by_size.setdefault(size_of(card, options.card_size), []).append(card)
    if len(by_size) > 1 and options.sides is not DuplexMode.GUTTERFOLD:
        return packed_sheets(cards, options)
    sheets: list[Sheet] = []
    for size, group in by_size.items():
        grid = grid_of(size, options)
        sheets += _folded(group, grid) if isinstance(grid, Folded) else _gridded(group, grid, options.sides)
    return sheets


def _gridded(cards: Sequence[PrintedCard], grid: Grid, sides: DuplexMode) -> list[Sheet]:
    sheets: list[Sheet] = []
    for start in range(0, len(cards), grid.per_page):
        held = cards[start : start + grid.per_page]
        fronts = tuple(Placement(slot, card, 0) for slot, card in enumerate(held))
        backs = [
            Placement(behind, card, turn, is_back=True)
            for (behind, turn), card in ((grid.back_slot(slot, sides), card) for slot, card in enumerate(held))
            if card.back
        ]
        sheets.append(Sheet(grid, fronts, grid, tuple(sorted(backs, key=lambda back: back.slot))))
    return sheets


def _folded(cards: Sequence[PrintedCard], page: Folded) -> list[Sheet]:
    sheets: list[Sheet] = []
    for start in range(0, len(cards), page.per_page):
        held = cards[start : start + page.per_page]
        fronts = tuple(Placement(slot, card, 0) for slot, card in enumerate(held))
        backs = tuple(
            Placement(page.per_page + slot, card, page.turn, is_back=True)
            for slot, card in enumerate(held)
            if card.back
        )
        sheets.append(Sheet(page, fronts + backs, page, ()))
    return sheets


def _labelled(cards: Sequence[PrintedCard], sheet: LabelSheet, ordered: CardSize) -> list[Sheet]:
    """Fronts on labels; what is stuck on has no back."""
    sheets: list[Sheet] = []
    left = list(cards)
    for page in label_pages([size_of(card, ordered) for card in cards], sheet):
        held, left = left[: len(page.trims)], left[len(page.trims) :]
        sheets.append(Sheet(page, tuple(Placement(slot, card, 0) for slot, card in enumerate(held)), page, ()))
    return sheets


def packed_sheets(cards: Sequence[PrintedCard], options: ImpositionOptions) -> list[Sheet]:
    """Cards of any sizes, in shelves."""
    gutter = 2 * BLEED if options.spacing is Spacing.EACH else max(options.gutter, PACKED_GUTTER)
    sheets: list[Sheet] = []
    sizes = [size_of(card, options.card_size) for card in cards]
    inset = PACKED_INSET if options.registration else None
    for page, places in pack(sizes, options.paper, gutter, inset):
        held = [cards[at] for at in places]
        behind, turn = page.flipped(options.sides)
        fronts = tuple(Placement(slot, card, 0) for slot, card in enumerate(held))
        backs = tuple(Placement(slot, card, turn, is_back=True) for slot, card in enumerate(held) if card.back)
        sheets.append(Sheet(page, fronts, behind, backs))
    return sheets


def _single(card: PrintedCard, options: ImpositionOptions) -> Sheet:
    page = single(size_of(card, options.card_size))
    backs = (Placement(0, card, 0, is_back=True),) if card.back else ()
    return Sheet(page, (Placement(0, card, 0),), page, backs)


def _page_sheets(piece: PrintedPage, options: ImpositionOptions) -> list[Sheet]:
    """A whole page; its back reads upright when the paper is turned as the options say.

    A page cannot be folded onto itself: where that is wanted, its back follows on a sheet of its own.

    Raises:
        SheetTooSmall: whole pages are drawn for larger paper.
    """
    if options.paper.width < _LEAST_PAGE[0] or options.paper.height < _LEAST_PAGE[1]:
        why = f"{piece.name} is a whole page, made for A4, Letter and larger; {options.paper.name} is too small"
        raise SheetTooSmall(why)
    page = (single_page if options.singly else whole_page)(options.paper, piece.landscape)
    turn = 180 if not options.singly and options.sides.duplex and not page.turns_over_upright(options.sides) else 0
    front = (Placement(0, piece, 0),)
    back = (Placement(0, piece, turn, is_back=True),) if piece.back else ()
    if back and options.sides is DuplexMode.GUTTERFOLD and not options.singly:
        return [Sheet(page, front, page, ()), Sheet(page, back, page, ())]
    return [Sheet(page, front, page, back)]


def pages_of(sheets: Sequence[Sheet], options: ImpositionOptions) -> list[Page]:
    """Front, back, front, back - or fronts alone, where no sheet has a back or only fronts are wanted."""
    backs = (options.sides.duplex or options.singly) and any(sheet.backs for sheet in sheets)
    pages: list[Page] = []
    for number, sheet in enumerate(sheets, start=1):
        pages.append(Page(number, len(sheets), False, sheet.fronts, sheet.layout))
        if backs:
            pages.append(Page(number, len(sheets), True, sheet.backs, sheet.back_layout))
    return sorted(pages, key=lambda page: page.is_back) if options.backs_last else pages
