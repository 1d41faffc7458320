"""From cards to pages: which card stands in which slot of which page. Values only; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.kernel.components import ComponentId
from printkit.draw.pen import Pen
from printkit.sheet.grid import Grid, Sides

Drawing = Callable[[Pen], None]
"""Draws one face of a card. The origin is the lower left corner of the trim, y upwards, in mm."""


@dataclass(frozen=True)
class PrintedCard:
    """One card to print: both faces, and what people call it."""

    id: ComponentId
    name: str
    front: Drawing
    back: Drawing


@dataclass(frozen=True)
class Placed:
    """A card's face in a slot, turned by 0 or 180 degrees."""

    slot: int
    card: PrintedCard
    turn: int


@dataclass(frozen=True)
class Page:
    """One side of a sheet of paper. ``number`` counts from 1 within the fronts or the backs, up to ``of``."""

    number: int
    of: int
    is_back: bool
    placed: tuple[Placed, ...]

    @property
    def side(self) -> str:
        """``fronts`` or ``backs``."""
        return "backs" if self.is_back else "fronts"


def impose(cards: Sequence[PrintedCard], grid: Grid, sides: Sides) -> list[Page]:
    """Lay the cards out in order; each page of fronts is followed by the page of its backs."""
    sheets = [cards[at : at + grid.per_page] for at in range(0, len(cards), grid.per_page)]
    pages: list[Page] = []
    for number, sheet in enumerate(sheets, start=1):
        fronts = tuple(Placed(slot, card, 0) for slot, card in enumerate(sheet))
        pages.append(Page(number, len(sheets), False, fronts))
        if sides is not Sides.FRONTS_ONLY:
            backs = [Placed(*_behind(grid, slot, sides, card)) for slot, card in enumerate(sheet)]
            pages.append(Page(number, len(sheets), True, tuple(sorted(backs, key=lambda back: back.slot))))
    return pages


def _behind(grid: Grid, slot: int, sides: Sides, card: PrintedCard) -> tuple[int, PrintedCard, int]:
    behind, turn = grid.behind(slot, sides)
    return behind, card, turn
