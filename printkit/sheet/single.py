"""One card face on a page of its own, with its bleed: what printers of single decks ask for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from loomtable.printkit.sheet.grid import Layout, Rect
from loomtable.printkit.sheet.papers import BLEED, CardSize


@dataclass(frozen=True)
class Single(Layout):
    """A page that is one card's trim and its bleed; it has room for neither marks nor a settings line."""

    card: CardSize

    @property
    def block(self) -> Rect:
        """The trim."""
        return Rect(BLEED, BLEED, self.card.width, self.card.height)

    def slots(self) -> list[Rect]:
        """One: the trim."""
        return [self.block]

    def with_bleed(self, number: int, filled: Collection[int]) -> Rect:
        """The whole page."""
        return self.bleed

    @property
    def has_margin(self) -> bool:
        """None."""
        return False


def single(card: CardSize) -> Single:
    """The page of one card of this size."""
    return Single(card.width + 2 * BLEED, card.height + 2 * BLEED, card)
