"""One face on a page of its own, with its bleed and nothing else: what print shops ask for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from loomtable.printkit.sheet.grid import Layout, Rect
from loomtable.printkit.sheet.papers import BLEED, CardSize, Paper
from loomtable.printkit.sheet.tiled import WholePage, whole_page


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


@dataclass(frozen=True)
class SinglePage(WholePage):
    """A whole page for a print shop: the paper and its bleed, no ruler and no settings line."""

    @property
    def block(self) -> Rect:
        """The paper as it is trimmed."""
        return Rect(BLEED, BLEED, self.page_width - 2 * BLEED, self.page_height - 2 * BLEED)

    @property
    def bleed(self) -> Rect:
        """The whole page."""
        return self.block.grown(BLEED)

    @property
    def has_margin(self) -> bool:
        """None."""
        return False


def single_page(paper: Paper, landscape: bool = False) -> SinglePage:
    """The page of a ``PrintedPage`` for a print shop."""
    page = whole_page(paper, landscape)
    area = Rect(page.area.x + BLEED, page.area.y + BLEED, page.area.width, page.area.height)
    return SinglePage(page.page_width + 2 * BLEED, page.page_height + 2 * BLEED, area)


def single(card: CardSize) -> Single:
    """The page of one card of this size."""
    return Single(card.width + 2 * BLEED, card.height + 2 * BLEED, card)
