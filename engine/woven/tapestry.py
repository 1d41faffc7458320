"""The tapestry: a grid of overlapping cards, and the threads on it (WO-8, WO-11).

Spots count columns to the right and rows downwards from any corner; negative ones are as good as others.
Everything is a frozen value: changing a tapestry returns a new one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import msgspec

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.woven.cards import COLUMNS, ROWS, CardSide, Cell, tapestry_card


class Spot(NamedTuple):
    """A cell of the grid: column to the right, row downwards."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"column {self.column}, row {self.row}"


class CardPlacement(msgspec.Struct, frozen=True):
    """A card as it lies: which side up, how many quarter turns clockwise (0 to 3), and its upper left spot.

    ``at`` is the upper left spot of the cells that it covers after turning.
    """

    card: int
    side: CardSide
    at: Spot
    turns: int = 0

    def cells(self) -> Mapping[Spot, Cell]:
        """What it shows at each of its six spots.

        Raises:
            UnknownComponent: there is no such card.
        """
        return _cells(self)


@lru_cache(maxsize=4096)
def _cells(placement: CardPlacement) -> Mapping[Spot, Cell]:
    face = tapestry_card(placement.card).face(placement.side)
    for _ in range(placement.turns % 4):
        face = tuple(zip(*face[::-1], strict=True))
    left, top = placement.at
    return {
        Spot(left + column, top + row): cell for row, cells in enumerate(face) for column, cell in enumerate(cells)
    }


class Tapestry(msgspec.Struct, frozen=True):
    """One player's tapestry: the cards in the order in which they were laid, and the spots of the threads."""

    placements: tuple[CardPlacement, ...] = ()
    threads: tuple[Spot, ...] = ()

    def visible(self) -> Mapping[Spot, Cell]:
        """What can be seen at each spot: an element's symbol, or ``None`` for a box."""
        return _visible(self.placements)

    def free_boxes(self) -> tuple[Spot, ...]:
        """The boxes that can be seen and hold no thread, row by row."""
        taken = set(self.threads)
        free = [spot for spot, cell in self.visible().items() if cell is None and spot not in taken]
        return tuple(sorted(free, key=_reading_order))

    def thread_trouble(self, spot: Spot) -> str:
        """Why no thread can be placed there, in words; empty where one can (WO-11)."""
        visible = self.visible()
        if spot not in visible:
            return f"there is no card at {spot}"
        if spot in self.threads:
            return f"there is a thread at {spot} already"
        cell = visible[spot]
        if cell is not None:
            return f"{spot} shows the symbol of {cell}; threads go into empty boxes"
        return ""

    def with_thread(self, spot: Spot) -> Tapestry:
        """With one more thread (WO-6).

        Raises:
            IllegalAction: no thread can be placed there; the message says why.
        """
        trouble = self.thread_trouble(spot)
        if trouble:
            raise IllegalAction(trouble)
        return msgspec.structs.replace(self, threads=(*self.threads, spot))

    def without_threads(self, spots: Collection[Spot]) -> Tapestry:
        """Without these threads, which return to the pool.

        Raises:
            IllegalAction: at one of the spots there is no thread.
        """
        for spot in spots:
            if spot not in self.threads:
                raise IllegalAction(f"there is no thread at {Spot(*spot)}")
        return msgspec.structs.replace(self, threads=tuple(t for t in self.threads if t not in spots))

    def card_trouble(self, placement: CardPlacement) -> str:
        """Why a card cannot be laid so, in words; empty where it can (WO-8, ruling ``card-grid``)."""
        if not 0 <= placement.turns <= 3:
            return f"a card is turned by 0 to 3 quarter turns, not {placement.turns}"
        if any(laid.card == placement.card for laid in self.placements):
            return f"tapestry card {placement.card} is in this tapestry already"
        if self.placements and not placement.cells().keys() & self.visible().keys():
            return f"card {placement.card} would be beside the tapestry; it must overlap at least one cell of it"
        return ""

    def with_card(self, placement: CardPlacement) -> tuple[Tapestry, tuple[Spot, ...]]:
        """With a card laid on top, and the spots of the threads that it covers, which return to the pool (WO-8).

        The new card always lies uppermost: nothing is ever tucked under another card.

        Raises:
            IllegalAction: it cannot be laid so; the message says why.
            UnknownComponent: there is no such card.
        """
        trouble = self.card_trouble(placement)
        if trouble:
            raise IllegalAction(trouble)
        covered = tuple(spot for spot in self.threads if spot in placement.cells())
        kept = tuple(spot for spot in self.threads if spot not in placement.cells())
        return Tapestry((*self.placements, placement), kept), covered

    def legal_placements(
        self, card: int, sides: Collection[CardSide] = tuple(CardSide)
    ) -> tuple[CardPlacement, ...]:
        """Every way to lay this card, each different from all others (WO-8).

        Raises:
            UnknownComponent: there is no such card.
        """
        tapestry_card(card)
        if any(laid.card == card for laid in self.placements):
            return ()
        return tuple(
            CardPlacement(card, side, at, turns)
            for side, turns in product(sides, range(4))
            for at in self._corners(turns)
        )

    def _corners(self, turns: int) -> Iterator[Spot]:
        """The upper left spots at which a card, so turned, overlaps the tapestry."""
        width, height = (COLUMNS, ROWS) if turns % 2 == 0 else (ROWS, COLUMNS)
        visible = self.visible() or {Spot(width - 1, height - 1): None}
        if not self.placements:
            yield Spot(0, 0)
            return
        corners = {
            Spot(column - right, row - down)
            for column, row in visible
            for right, down in product(range(width), range(height))
        }
        yield from sorted(corners, key=_reading_order)


def _reading_order(spot: Spot) -> tuple[int, int]:
    return spot.row, spot.column


@lru_cache(maxsize=1024)
def _visible(placements: tuple[CardPlacement, ...]) -> Mapping[Spot, Cell]:
    cells: dict[Spot, Cell] = {}
    for placement in placements:
        cells.update(placement.cells())
    return cells
