"""Where the cards stand on a page, and where their backs must stand to land behind them.

A slot is one card's place. The grid depends on paper and card alone and never on how many cards there are, so a
part-filled last page keeps its cards where every other page has them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from printkit.errors import SheetTooSmall
from printkit.sheet.papers import BLEED, PRINTER_MARGIN, CardSize, Paper


class Sides(StrEnum):
    """How both sides of a card come onto paper."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    FRONTS_ONLY = "fronts-only"

    @property
    def label(self) -> str:
        """As the settings line has it."""
        return {
            "long-edge": "duplex, long edge",
            "short-edge": "duplex, short edge",
            "fronts-only": "fronts only",
        }[self.value]


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


@dataclass(frozen=True)
class Grid:
    """A page's slots: ``columns`` x ``rows`` cards, ``gutter`` mm apart, in the middle of the page.

    ``page_width`` and ``page_height`` are those of the page as it is seen, so for a landscape page the width is
    the paper's long edge. Slots are numbered from the top left, along the rows.
    """

    page_width: float
    page_height: float
    card: CardSize
    columns: int
    rows: int
    gutter: float = 0.0

    @property
    def per_page(self) -> int:
        """How many cards a page takes."""
        return self.columns * self.rows

    @property
    def landscape(self) -> bool:
        """Whether the page lies on its long edge."""
        return self.page_width > self.page_height

    @property
    def block(self) -> Rect:
        """The rectangle around all trims: what the Trim box says."""
        width = self.columns * self.card.width + (self.columns - 1) * self.gutter
        height = self.rows * self.card.height + (self.rows - 1) * self.gutter
        return Rect((self.page_width - width) / 2, (self.page_height - height) / 2, width, height)

    @property
    def bleed(self) -> Rect:
        """The block with its bleed: what the Bleed box says."""
        return self.block.grown(BLEED)

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

    @property
    def strip_below(self) -> bool:
        """Whether ruler and settings line stand below the block; else they stand to its right."""
        return self.block.y >= self.block.x

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

    def turns_over_upright(self, sides: Sides) -> bool:
        """Whether the paper is turned like a book's page: left and right change places, top stays top."""
        return (sides is Sides.LONG_EDGE) != self.landscape

    def behind(self, number: int, sides: Sides) -> tuple[int, int]:
        """The slot of the back page that lies behind front slot ``number``, and its card's turn in degrees.

        Turned like a book's page, columns change places and the back stands upright; turned over its top edge,
        rows change places and the back stands on its head.
        """
        row, column = divmod(number, self.columns)
        if self.turns_over_upright(sides):
            return row * self.columns + self.columns - 1 - column, 0
        return (self.rows - 1 - row) * self.columns + column, 180


def grid_for(paper: Paper, card: CardSize, gutter: float = 0.0) -> Grid:
    """The grid that takes the most cards within the printer's margins; upright where both ways take the same.

    ``gutter`` (mm) is narrowed where it would cost a card.

    Raises:
        SheetTooSmall: not even one card fits.
    """
    upright = _filled(paper.width, paper.height, card, gutter)
    lying = _filled(paper.height, paper.width, card, gutter)
    best = lying if lying.per_page > upright.per_page else upright
    if best.per_page == 0:
        raise SheetTooSmall(
            f"a {card.name} card ({card.width:g} x {card.height:g} mm) does not fit {paper.name} paper "
            f"with margins of {PRINTER_MARGIN:g} mm"
        )
    return best


def _filled(width: float, height: float, card: CardSize, gutter: float) -> Grid:
    room_x, room_y = width - 2 * PRINTER_MARGIN, height - 2 * PRINTER_MARGIN
    columns, rows = int(room_x / card.width + 1e-9), int(room_y / card.height + 1e-9)
    spare = [gutter]
    if columns > 1:
        spare.append((room_x - columns * card.width) / (columns - 1))
    if rows > 1:
        spare.append((room_y - rows * card.height) / (rows - 1))
    return Grid(width, height, card, columns, rows, max(0.0, min(spare)))
