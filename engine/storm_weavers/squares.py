"""Squares by their names, and the four directions in which a figure can go.

A square is named like on a printed map: letters for the column, counted from the left, and a number for the row,
counted from the top. ``C4`` is the third column, fourth row; after ``Z`` comes ``AA``.
"""

from __future__ import annotations

import re
from enum import StrEnum

Square = str
"""The name of a square: ``"C4"``."""

Path = tuple[Square, ...]
"""The squares a figure enters one after the other; the one it leaves from is not among them."""

MOST_COLUMNS, MOST_ROWS = 52, 52
_LETTERS = 26
_NAMED = re.compile(r"(A?)([A-Z])([1-9]\d?)")


class Direction(StrEnum):
    """Where a step can lead: never diagonally (SW-6). Ties are broken in the order of this list (SW-7)."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"

    @property
    def offset(self) -> tuple[int, int]:
        """How column and row change with one step."""
        return _OFFSETS[self]


_OFFSETS = {
    Direction.NORTH: (0, -1),
    Direction.EAST: (1, 0),
    Direction.SOUTH: (0, 1),
    Direction.WEST: (-1, 0),
}


def square_at(column: int, row: int) -> Square:
    """The name of the square at column and row, both counted from 0."""
    return f"{'A' * (column // _LETTERS)}{chr(ord('A') + column % _LETTERS)}{row + 1}"


def column_and_row(square: Square) -> tuple[int, int]:
    """Column and row, both from 0.

    Raises:
        ValueError: the text names no square.
    """
    found = _NAMED.fullmatch(square)
    if found is None:
        raise ValueError(f"{square!r} is no square; one is named like C4")
    return len(found[1]) * _LETTERS + ord(found[2]) - ord("A"), int(found[3]) - 1


def direction_between(square: Square, neighbour: Square) -> Direction | None:
    """The direction of the step from one square to the next; ``None`` where they are not adjacent."""
    (column, row), (other_column, other_row) = column_and_row(square), column_and_row(neighbour)
    offset = (other_column - column, other_row - row)
    return next((d for d in Direction if d.offset == offset), None)
