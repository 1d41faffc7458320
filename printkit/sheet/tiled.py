"""Whole pages, and drawings larger than paper: tiled at true scale over lettered pages that overlap."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import product

from loomtable.printkit.sheet.grid import Layout, Rect, page_area
from loomtable.printkit.sheet.papers import Paper

OVERLAP = 10.0
"""How much (mm) two neighbouring tiles share, for glue."""
MOST_LETTERS = 26


@dataclass(frozen=True)
class WholePage(Layout):
    """A sheet of paper that is not cut: ``area`` is what may be drawn on."""

    area: Rect

    @property
    def block(self) -> Rect:
        """The whole sheet, for that is what is left of it."""
        return Rect(0, 0, self.page_width, self.page_height)

    @property
    def bleed(self) -> Rect:
        """The whole sheet."""
        return self.block

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


def tiles(width: float, height: float, paper: Paper) -> list[Tile]:
    """The pages of a drawing of ``width`` x ``height`` mm: as few as possible, upright where that is no worse.

    The tiles lie along the rows, from the top left. Each stands at the top left of its page's area.
    """
    return min((_cut_up(width, height, paper, landscape) for landscape in (False, True)), key=len)


def saving_scale(width: float, height: float, paper: Paper, least: float) -> float:
    """The largest scale, from 1 down to ``least``, at which a drawing needs as few pages as it ever does."""
    whole = len(tiles(width, height, paper))
    best = (whole, -1.0)
    for landscape, across, down in product((False, True), range(1, whole), range(1, whole)):
        area = page_area(paper, landscape)
        wide, high = across * (area.width - OVERLAP) + OVERLAP, down * (area.height - OVERLAP) + OVERLAP
        scale = min(1.0, wide / width, high / height)
        if scale >= least:
            best = min(best, (across * down, -scale))
    return -best[1]


def _cut_up(width: float, height: float, paper: Paper, landscape: bool) -> list[Tile]:
    area = page_area(paper, landscape)
    page = whole_page(paper, landscape)
    across, down = _starts(width, area.width), _starts(height, area.height)
    found: list[Tile] = []
    for row, from_top in enumerate(down):
        for column, left in enumerate(across):
            part_width, part_height = min(area.width, width - left), min(area.height, height - from_top)
            part = Rect(left, height - from_top - part_height, part_width, part_height)
            shown = Rect(area.x, area.top - part_height, part_width, part_height)
            found.append(Tile(page.page_width, page.page_height, shown, part, column, row, len(across), len(down)))
    return found


def _starts(length: float, room: float) -> list[float]:
    """Where along a length the tiles begin; neighbours share ``OVERLAP``."""
    starts = [0.0]
    while length - starts[-1] > room + 1e-9:
        starts.append(starts[-1] + room - OVERLAP)
    return starts
