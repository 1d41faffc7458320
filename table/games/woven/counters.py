"""Woven's counters as they are printed, for the reader of counters, and the cells of a tapestry under them."""

from __future__ import annotations

from loomtable.printkit.games.woven import counter as printed
from loomtable.printkit.games.woven.tapestry_card import CELL
from loomtable.vision.board.counters import CounterPrint
from loomtable.vision.quads import Point

COUNTERS = CounterPrint(
    printed.RIM,
    printed.RIM_INSIDE,
    printed.RING,
    {(figure, face.value): word for (figure, face), word in printed.WORDS.items()},
)
"""All counters of all mages."""


def cell_of(place: Point) -> tuple[tuple[int, int], float]:
    """The cell (column, row) at a place of a tapestry's grid (mm), and how far its nearest line is (mm)."""
    (column, across), (row, down) = (divmod(value, CELL) for value in place)
    return (int(column), int(row)), min(across, CELL - across, down, CELL - down)
