"""Whole pages, and drawings larger than paper: tiled at true scale over lettered pages that overlap."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import product

from loomtable.printkit.sheet.grid import Layout, Rect, page_area
from loomtable.printkit.sheet.papers import BLEED, PAGE_FOOT, PRINTER_MARGIN, Paper

OVERLAP = 10.0
"""How much (mm) two neighbouring tiles share, for glue."""
MOST_LETTERS = 26


@dataclass(frozen=True)
class WholePage(Layout):
    """A sheet of paper that is not cut, or that a print shop cuts: ``area`` is what may be drawn on."""

    area: Rect

    @property
    def block(self) -> Rect:
        """The sheet that is left."""
        return self.bleed.grown(-BLEED if self.for_shop else 0)

    @property
    def bleed(self) -> Rect:
        """The whole page."""
        return Rect(0, 0, self.page_width, self.page_height)

    def slots(self) -> list[Rect]:
        """One: the area."""
        return [self.area]

    def with_bleed(self, number: int, filled: Collection[int]) -> Rect:
        """The area; there is no bleed."""
        return self.area

    @property
    def strip_below(self) -> bool:
        """Below, where the area leaves room for it."""
        return True


@dataclass(frozen=True)
class Tile(WholePage):
    """One page of a large drawing: ``part`` of it (in the drawing's own mm) stands in ``area``.

    ``column`` and ``row`` count from 0 at the top left; ``columns`` and ``rows`` are how many there are.
    """

    part: Rect
    column: int
    row: int
    columns: int
    rows: int

    @property
    def name(self) -> str:
        """``B3``: the column's letter and the row's number."""
        return tile_name(self.column, self.row)

    @property
    def place(self) -> int:
        """How many tiles of the drawing come before it."""
        return self.row * self.columns + self.column


def tile_name(column: int, row: int) -> str:
    """``tile_name(1, 2) == "B3"``."""
    return f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[column % MOST_LETTERS]}{row + 1}"


def whole_page(paper: Paper, landscape: bool = False) -> WholePage:
    """The layout of a ``PrintedPage``."""
    width, height = (paper.height, paper.width) if landscape else (paper.width, paper.height)
    return WholePage(width, height, page_area(paper, landscape))


def single_page(paper: Paper, landscape: bool = False) -> WholePage:
    """The page of a ``PrintedPage`` for a print shop: with its bleed, no ruler and no settings line."""
    page = whole_page(paper, landscape)
    area = replace(page.area, x=page.area.x + BLEED, y=page.area.y + BLEED)
    return WholePage(page.page_width + 2 * BLEED, page.page_height + 2 * BLEED, area, for_shop=True)


def tiles(width: float, height: float, paper: Paper) -> list[Tile]:
    """The pages of a drawing of ``width`` x ``height`` mm: as few as possible, upright where that is no worse.

    The tiles, all of one size, lie along the rows, from the top left. Each stands at the top left of its page's
    area, which goes up to the printer's margin where that saves a page.
    """
    return min((_cut_up(width, height, page) for page in _pages(paper)), key=len)


def saving_scale(width: float, height: float, paper: Paper, least: float) -> float:
    """The largest scale, from 1 down to ``least``, at which a drawing needs as few pages as it ever does."""
    whole = len(tiles(width, height, paper))
    best = (whole, -1.0)
    for page, across, down in product(_pages(paper), range(1, whole), range(1, whole)):
        area = page.area
        wide, high = across * (area.width - OVERLAP) + OVERLAP, down * (area.height - OVERLAP) + OVERLAP
        scale = min(1.0, wide / width, high / height)
        if scale >= least:
            best = min(best, (across * down, -scale))
    return -best[1]


def _pages(paper: Paper) -> list[WholePage]:
    """The pages on which a drawing may be: upright and lying, and both with an area up to the printer's margin."""
    pages = [whole_page(paper, landscape) for landscape in (False, True)]
    more = PAGE_FOOT - PRINTER_MARGIN
    return pages + [replace(page, area=replace(page.area, height=page.area.height + more)) for page in pages]


def _cut_up(width: float, height: float, page: WholePage) -> list[Tile]:
    area = page.area
    columns, rows = _count(width, area.width), _count(height, area.height)
    wide, high = (width - OVERLAP) / columns + OVERLAP, (height - OVERLAP) / rows + OVERLAP
    shown = Rect(area.x, area.top - high, wide, high)
    found: list[Tile] = []
    for row, column in product(range(rows), range(columns)):
        part = Rect(column * (wide - OVERLAP), height - high - row * (high - OVERLAP), wide, high)
        found.append(Tile(page.page_width, page.page_height, shown, part, column, row, columns, rows))
    return found


def _count(length: float, room: float) -> int:
    """How many tiles a length takes; neighbours share ``OVERLAP``."""
    return max(1, math.ceil((length - OVERLAP - 1e-9) / (room - OVERLAP)))
