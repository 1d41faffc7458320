"""What one viewer sees of a contest, with tapestries as rows of cells."""

from __future__ import annotations

import msgspec

from loomtable.engine.woven.cards import BOX_MARK
from loomtable.engine.woven.regions import MapEdge, RegionKey
from loomtable.engine.woven.state import Dye, Mage, Turn
from loomtable.engine.woven.tapestry import Spot, Tapestry

THREAD_MARK = "x"
FACE_DOWN = "face down"
"""What takes the place of a card that the viewer may not see."""


class Rows(msgspec.Struct, frozen=True):
    """A tapestry row by row: letters are elements, ``.`` are boxes, ``x`` threads, blanks are bare table."""

    left: int
    """The column of the first cell, and its row in ``top``."""
    top: int
    rows: tuple[str, ...]


class MageView(msgspec.Struct, frozen=True):
    """A mage; spells in hand or dealt and the home card may be ``face down``."""

    colour: Dye
    edge: MapEdge | None
    home_card: int | str | None
    pool: int
    spent: int
    tapestry: Tapestry
    drawn: int | None
    hand: tuple[str, ...]
    shown: tuple[str, ...]
    dealt: tuple[str, ...]
    charges: dict[str, int]
    tendrils: dict[RegionKey, int]
    place: RegionKey
    destroyed: int
    kills: int
    points: int
    laid: Rows


class Stack(msgspec.Struct, frozen=True):
    """How many cards a stack holds."""

    pile: int


class ContestView(msgspec.Struct, frozen=True):
    """A contest."""

    map: str
    mages: dict[str, MageView]
    stack: Stack
    turn: Turn | None
    round: int
    last_round: int | None
    winners: tuple[str, ...]

    @property
    def acting(self) -> str:
        """Whose turn it is; nobody before the first one."""
        return self.turn.mage if self.turn is not None else ""


def tapestry_rows(mage: Mage) -> Rows:
    """The rows of a mage's tapestry."""
    visible = mage.tapestry.visible()
    if not visible:
        return Rows(0, 0, ())
    columns = range(min(column for column, _ in visible), max(column for column, _ in visible) + 1)
    rows = range(min(row for _, row in visible), max(row for _, row in visible) + 1)

    def mark(column: int, row: int) -> str:
        at = Spot(column, row)
        if at not in visible:
            return " "
        cell = visible[at]
        return THREAD_MARK if at in mage.threads else BOX_MARK if cell is None else cell.letter

    return Rows(columns.start, rows.start, tuple("".join(mark(column, row) for column in columns) for row in rows))
