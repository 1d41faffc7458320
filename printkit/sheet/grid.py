"""Where the cards stand on a page, and where their backs must stand to land behind them.

A slot is one card's place. The grid depends on paper and card alone and never on how many cards there are, so a
part-filled last page keeps its cards where every other page has them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.sheet.papers import (
    BLEED,
    PAGE_FOOT,
    PAGE_SIDE,
    PRINTER_MARGIN,
    STRIP_MARGIN,
    CardSize,
    Paper,
)


class DuplexMode(StrEnum):
    """How both sides of a card come onto paper."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    GUTTERFOLD = "gutterfold"
    FRONTS_ONLY = "fronts-only"

    @property
    def label(self) -> str:
        """As the settings line has it."""
        return {
            "long-edge": "duplex, long edge",
            "short-edge": "duplex, short edge",
            "gutterfold": "one side, folded along the middle",
            "fronts-only": "fronts only",
        }[self.value]

    @property
    def edge(self) -> str:
        """``long edge``, about which the paper is turned."""
        return self.value.replace("-", " ")

    @property
    def duplex(self) -> bool:
        """Whether both sides of the paper are printed."""
        return self in (DuplexMode.LONG_EDGE, DuplexMode.SHORT_EDGE)


@dataclass(frozen=True)
class Rect:
    """A rectangle on a page, in mm from the page's lower left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height

    def grown(self, by: float) -> Rect:
        """Larger by ``by`` mm on every side."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def overlaps(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.x < other.right - tolerance
            and other.x < self.right - tolerance
            and self.y < other.top - tolerance
            and other.y < self.top - tolerance
        )


def page_area(paper: Paper, landscape: bool = False) -> Rect:
    """The part of a whole page that may be drawn on: in the middle, clear of printer's margins, ruler and line."""
    width, height = (paper.height, paper.width) if landscape else (paper.width, paper.height)
    return Rect(PAGE_SIDE, PAGE_FOOT, width - 2 * PAGE_SIDE, height - 2 * PAGE_FOOT)


@dataclass(frozen=True)
class Layout:
    """Where things stand on one kind of page; the parent of grids, folded, packed, whole and tiled pages.

    ``page_width`` and ``page_height`` (mm) are those of the page as it is seen, so for a landscape page the width
    is the paper's long edge. ``for_shop``: it holds one face with its bleed, and nothing else.
    """

    page_width: float
    page_height: float
    for_shop: bool = field(default=False, kw_only=True)

    @property
    def has_margin(self) -> bool:
        """Whether ruler, settings line and marks have a margin to stand in."""
        return not self.for_shop

    @property
    def block(self) -> Rect:
        """The rectangle around all trims: what the Trim box says."""
        raise NotImplementedError

    def slots(self) -> list[Rect]:
        """The trim rectangle of every slot, in order."""
        raise NotImplementedError

    def slot(self, number: int) -> Rect:
        """The trim rectangle of slot ``number``."""
        return self.slots()[number]

    def with_bleed(self, number: int, filled: Collection[int]) -> Rect:
        """Slot ``number`` with what may be printed around it, while the slots ``filled`` hold something too."""
        raise NotImplementedError

    @property
    def aligned(self) -> bool:
        """Whether every cut runs straight through the whole block, so that marks around it are enough."""
        return True

    @property
    def bleed(self) -> Rect:
        """The block with its bleed: what the Bleed box says."""
        return self.block.grown(BLEED)

    @property
    def landscape(self) -> bool:
        """Whether the page lies on its long edge."""
        return self.page_width > self.page_height

    @property
    def strip_below(self) -> bool:
        """Whether ruler and settings line stand below the block; else they stand to its right."""
        return self.block.y >= self.block.x

    def turns_over_upright(self, sides: DuplexMode) -> bool:
        """Whether the paper is turned like a book's page: left and right change places, top stays top."""
        return (sides is DuplexMode.LONG_EDGE) != self.landscape

    def flip(self, area: Rect, sides: DuplexMode) -> tuple[Rect, int]:
        """Where on the other side of the paper a rectangle lies, and the turn in degrees of what stands there."""
        if self.turns_over_upright(sides):
            return Rect(self.page_width - area.right, area.y, area.width, area.height), 0
        return Rect(area.x, self.page_height - area.top, area.width, area.height), 180


@dataclass(frozen=True)
class Grid(Layout):
    """A page's slots: ``columns`` x ``rows`` cards, ``gutter`` mm apart, in the middle of the page.

    Slots are numbered from the top left, along the rows.
    """

    card: CardSize
    columns: int
    rows: int
    gutter: float = 0.0

    @property
    def per_page(self) -> int:
        """How many cards a page takes."""
        return self.columns * self.rows

    @property
    def block(self) -> Rect:
        """The rectangle around all trims, in the middle of the page."""
        width = span(self.columns, self.card.width, self.gutter)
        height = span(self.rows, self.card.height, self.gutter)
        return Rect((self.page_width - width) / 2, (self.page_height - height) / 2, width, height)

    def slot(self, number: int) -> Rect:
        """The trim rectangle of slot ``number`` (0 is the top left one)."""
        row, column = divmod(number, self.columns)
        block = self.block
        return Rect(
            block.x + column * (self.card.width + self.gutter),
            block.top - self.card.height - row * (self.card.height + self.gutter),
            self.card.width,
            self.card.height,
        )

    def slots(self) -> list[Rect]:
        """Every slot, in order."""
        return [self.slot(number) for number in range(self.per_page)]

    def with_bleed(self, number: int, filled: Collection[int]) -> Rect:
        """Slot ``number`` with what may be printed around it.

        That is the whole bleed towards the paper's edge and towards a slot that is not ``filled``, and half the
        gutter towards one that is.
        """
        row, column = divmod(number, self.columns)
        inner = min(self.gutter / 2, BLEED)
        left = inner if column > 0 and number - 1 in filled else BLEED
        right = inner if column < self.columns - 1 and number + 1 in filled else BLEED
        above = inner if row > 0 and number - self.columns in filled else BLEED
        below = inner if row < self.rows - 1 and number + self.columns in filled else BLEED
        trim = self.slot(number)
        return Rect(trim.x - left, trim.y - below, trim.width + left + right, trim.height + above + below)

    def back_slot(self, number: int, sides: DuplexMode) -> tuple[int, int]:
        """The slot of the back page that lies behind front slot ``number``, and its card's turn in degrees.

        Turned like a book's page, columns change places and the back stands upright; turned over its top edge,
        rows change places and the back stands on its head.
        """
        row, column = divmod(number, self.columns)
        if self.turns_over_upright(sides):
            return row * self.columns + self.columns - 1 - column, 0
        return (self.rows - 1 - row) * self.columns + column, 180


def span(count: int, size: float, gutter: float) -> float:
    """How far ``count`` cards of ``size`` mm reach, ``gutter`` mm apart."""
    return count * size + (count - 1) * gutter


def most_that_fit(room: float, size: float, gutter: float) -> int:
    """How many cards of ``size`` mm, ``gutter`` mm apart, stand in ``room`` mm."""
    return max(0, int((room + gutter) / (size + gutter) + 1e-9))


def grid_for(paper: Paper, card: CardSize, gutter: float = 0.0) -> Grid:
    """The grid that takes the most cards within the printer's margins; upright where both ways take the same.

    One pair of margins is always wide enough for ruler and settings line.

    Raises:
        SheetTooSmall: not even one card fits.
    """
    grids = [
        _filled(width, height, card, gutter, room)
        for width, height in ((paper.width, paper.height), (paper.height, paper.width))
        for room in ((PRINTER_MARGIN, STRIP_MARGIN), (STRIP_MARGIN, PRINTER_MARGIN))
    ]
    best = max(grids, key=lambda grid: grid.per_page)
    if best.per_page == 0:
        raise too_small(paper, card)
    return best


def too_small(paper: Paper, card: CardSize) -> SheetTooSmall:
    """The error that a card does not fit the paper."""
    return SheetTooSmall(
        f"a {card.name} card ({card.width:g} x {card.height:g} mm) does not fit {paper.name} paper "
        f"with margins of {PRINTER_MARGIN:g} mm"
    )


def _filled(width: float, height: float, card: CardSize, gutter: float, margins: tuple[float, float]) -> Grid:
    columns = most_that_fit(width - 2 * margins[0], card.width, gutter)
    rows = most_that_fit(height - 2 * margins[1], card.height, gutter)
    return Grid(width, height, card, columns, rows, gutter)
