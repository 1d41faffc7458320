"""Several sets on shared sheets of paper: fewer pages, and no set is scattered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.sheet.grid import DuplexMode
from loomtable.printkit.sheet.imposition import (
    ImpositionOptions,
    Sheet,
    grid_of,
    packed_sheets,
    sheets_of,
    size_of,
)
from loomtable.printkit.sheet.pieces import Piece, PrintedCard, PrintedPage

SMALL = 50.0
"""Pieces that are narrower (mm) are small: counters, tokens, standees, stickers, markers."""


def is_small(piece: Piece) -> bool:
    """Whether it is a small piece with a size of its own."""
    size = piece.size if isinstance(piece, PrintedCard) else None
    return size is not None and min(size.width, size.height) < SMALL


def can_join(piece: Piece) -> bool:
    """Whether it is a page whose things can be on pages with those of others."""
    return isinstance(piece, PrintedPage) and piece.together is not None


def ends_nearly_empty(pieces: Sequence[Piece], options: ImpositionOptions) -> bool:
    """Whether these are cards whose last sheet is a third full at most, or that fill no sheet at all."""
    cards = [piece for piece in pieces if isinstance(piece, PrintedCard)]
    if len(cards) < len(pieces) or len({size_of(card, options.card_size) for card in cards}) > 1:
        return False
    left = _left_over(cards, options)
    per_page = grid_of(size_of(cards[0], options.card_size), options).per_page if cards else 0
    return left > 0 and (left == len(cards) or 3 * left <= per_page)


@dataclass(frozen=True)
class PieceSet:
    """Pieces that belong together; sets of one ``game`` share a sheet before those of two do."""

    game: str
    pieces: Sequence[Piece]


def shared_sheets(sets: Sequence[PieceSet], options: ImpositionOptions) -> tuple[list[Sheet], list[Sheet]]:
    """The sheets with something on their backs, and those without.

    Cards of a set fill sheets of their own. What is left over, less than a sheet, lies with other sets' cards, and
    all of it on one sheet. So there are never more pages than if each set were laid out alone.

    Raises:
        SheetTooSmall: a card does not fit the paper.
    """
    sheets: list[Sheet] = []
    left: dict[str, list[list[PrintedCard]]] = {}
    joining: list[PrintedPage] = []
    for piece_set in sets:
        cards = [piece for piece in piece_set.pieces if isinstance(piece, PrintedCard)]
        whole = len(cards) - _left_over(cards, options)
        if whole < len(cards):
            left.setdefault(piece_set.game, []).append(cards[whole:])
        others = [piece for piece in piece_set.pieces if not isinstance(piece, PrintedCard)]
        alone = [piece for piece in others if not can_join(piece)]
        joining += [piece for piece in others if isinstance(piece, PrintedPage) and piece.together]
        sheets += sheets_of([*cards[:whole], *alone], options)
    if joining and joining[0].together:
        sheets += sheets_of(joining[0].together(joining), options)
    of_games = [cards for units in left.values() for cards in _gathered(units, options)]
    gathered = _gathered(of_games, options)
    sheets = [sheet for cards in gathered for sheet in sheets_of(cards, options)] + sheets
    if not options.sides.duplex or options.singly:
        return sheets, []
    return [sheet for sheet in sheets if sheet.backs], [sheet for sheet in sheets if not sheet.backs]


def _gathered(units: Sequence[list[PrintedCard]], options: ImpositionOptions) -> list[list[PrintedCard]]:
    """Units of cards, each less than a sheet, put together as long as one sheet holds them: first fit."""
    sheets: list[list[PrintedCard]] = []
    for cards in sorted(units, key=lambda unit: _hardest_first(unit, options)):
        for held in sheets:
            if _fit_one_sheet([*held, *cards], options):
                held += cards
                break
        else:
            sheets.append(list(cards))
    return sheets


def _left_over(cards: Sequence[PrintedCard], options: ImpositionOptions) -> int:
    """How many cards of a set do not fill a sheet of its own."""
    sizes = {size_of(card, options.card_size) for card in cards}
    if not cards or options.singly or options.labels or options.sides is DuplexMode.GUTTERFOLD:
        return 0
    if len(sizes) > 1:
        return len(cards) if len(packed_sheets(cards, options)) == 1 else 0
    grid = grid_of(sizes.pop(), options)
    return len(cards) % grid.per_page


def _hardest_first(cards: Sequence[PrintedCard], options: ImpositionOptions) -> tuple[bool, float]:
    """Cards with backs come first, then those that take most room."""
    sizes = [size_of(card, options.card_size) for card in cards]
    return not any(card.back for card in cards), -sum(size.width * size.height for size in sizes)


def _fit_one_sheet(cards: Sequence[PrintedCard], options: ImpositionOptions) -> bool:
    try:
        return len(sheets_of(cards, options)) == 1
    except SheetTooSmall:  # there is one that lies sideways, on sheets of its own
        return False
