"""Gutterfold: fronts on one half of one page, backs on the other; folded along the middle, each lies on its front.

For printers that cannot turn paper, or turn it badly: both sides come out of one pass, so nothing can shift.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from loomtable.printkit.sheet.grid import Grid, Layout, Rect, most_that_fit, too_small
from loomtable.printkit.sheet.papers import BLEED, PRINTER_MARGIN, STRIP_MARGIN, CardSize, Paper


@dataclass(frozen=True)
class Folded(Layout):
    """A page of ``half`` fronts, left of an upright crease or above a lying one, and as many backs across it.

    Slots 0 to ``per_page - 1`` are the fronts, from the top left along the rows; slot ``number + per_page`` is the
    back of slot ``number``.
    """

    card: CardSize
    columns: int
    rows: int
    gutter: float
    upright_fold: bool

    @property
    def per_page(self) -> int:
        """How many cards a page takes: fronts, that is."""
        return self.columns * self.rows

    @property
    def turn(self) -> int:
        """How a back is turned so that it stands upright once the page is folded."""
        return 0 if self.upright_fold else 180

    @property
    def _grid(self) -> Grid:
        """The same cards in the middle of a page."""
        return Grid(self.page_width, self.page_height, self.card, self.columns, self.rows, self.gutter)

    @property
    def _half(self) -> Rect:
        middle = self._grid.block
        if self.upright_fold:
            return replace(middle, x=self.page_width / 2 - BLEED - middle.width)
        return replace(middle, y=self.page_height / 2 + BLEED)

    def _in_half(self, area: Rect) -> Rect:
        """Where something of the grid in the middle is in the half of the fronts."""
        middle, half = self._grid.block, self._half
        return replace(area, x=area.x + half.x - middle.x, y=area.y + half.y - middle.y)

    @property
    def block(self) -> Rect:
        """The rectangle around both halves."""
        half = self._half
        if self.upright_fold:
            return Rect(half.x, half.y, self.page_width - 2 * half.x, half.height)
        return Rect(half.x, self.page_height - half.top, half.width, 2 * half.top - self.page_height)

    def slots(self) -> list[Rect]:
        """The fronts, then the backs in the same order."""
        fronts = [self._in_half(slot) for slot in self._grid.slots()]
        return fronts + [self._across(front) for front in fronts]

    def _across(self, area: Rect) -> Rect:
        if self.upright_fold:
            return Rect(self.page_width - area.right, area.y, area.width, area.height)
        return Rect(area.x, self.page_height - area.top, area.width, area.height)

    def with_bleed(self, number: int, filled: Collection[int]) -> Rect:
        """The bleed of a card in its half: that of a grid, and as far as the crease across it."""
        held = {other % self.per_page for other in filled}
        moved = self._in_half(self._grid.with_bleed(number % self.per_page, held))
        return moved if number < self.per_page else self._across(moved)

    @property
    def crease(self) -> tuple[float, float, float, float]:
        """The line along which the page is folded, from paper's edge to paper's edge (x1, y1, x2, y2)."""
        if self.upright_fold:
            return self.page_width / 2, 0.0, self.page_width / 2, self.page_height
        return 0.0, self.page_height / 2, self.page_width, self.page_height / 2


def folded_for(paper: Paper, card: CardSize, gutter: float = 0.0) -> Folded:
    """The folded page that takes the most cards, upright and with a lying crease where several take the same.

    Raises:
        SheetTooSmall: not even one card with its back fits.
    """
    pages = [
        _filled(width, height, card, gutter, upright_fold, strip_below)
        for width, height in ((paper.width, paper.height), (paper.height, paper.width))
        for upright_fold in (False, True)
        for strip_below in (True, False)
    ]
    best = max(pages, key=lambda page: page.per_page)
    if best.per_page == 0:
        raise too_small(paper, card)
    return best


def _filled(
    width: float, height: float, card: CardSize, gutter: float, upright_fold: bool, strip_below: bool
) -> Folded:
    side, foot = (PRINTER_MARGIN, STRIP_MARGIN) if strip_below else (STRIP_MARGIN, PRINTER_MARGIN)
    room_x = width / 2 - side - BLEED if upright_fold else width - 2 * side
    room_y = height - 2 * foot if upright_fold else height / 2 - foot - BLEED
    columns, rows = most_that_fit(room_x, card.width, gutter), most_that_fit(room_y, card.height, gutter)
    return Folded(width, height, card, columns, rows, gutter, upright_fold)
