"""Drawings in characters: maps and tapestries for a terminal, with a name for what can be chosen there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class TextDrawing:
    """A picture drawn with characters."""

    word: str
    """What asks for it in a terminal: ``map``."""
    title: str
    rows: tuple[str, ...]
    legend: tuple[str, ...] = ()
    """What the marks mean, and what is next to the picture in words."""
    index: tuple[str, ...] = ()
    """Everything on it, for those who ask for the picture itself."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What is written on the picture where something lies, by what the rules call it: ``{"0/0": "A1"}``."""
    reword: Callable[[str], str] = str
    """A sentence of the story with the names that stand on the picture."""


def written(value: Any) -> str:
    """A value as the names of a drawing have it: a spot as ``"2/-1"``."""
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def boxed(
    cells: Mapping[tuple[int, int], str],
    names: tuple[Callable[[int], str], Callable[[int], str]],
    walls: Set[frozenset[tuple[int, int]]] = frozenset(),
) -> list[str]:
    """Cells by column and row as a ruled grid, three characters to a cell, with the names of columns and rows.

    Between two cells with a wall the rule is drawn with ``#``.
    """
    columns, rows = [c for c, _ in cells], [r for _, r in cells]
    wide, high = range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)
    column_name, row_name = names
    edge = max(len(row_name(row)) for row in high)
    drawn = [" " * (edge + 2) + " ".join(f"{column_name(column):^3}" for column in wide).rstrip()]

    def rule(row: int) -> str:
        walled = ("###" if {(c, row - 1), (c, row)} in walls else "---" for c in wide)
        return " " * (edge + 1) + "+" + "".join(f"{side}+" for side in walled)

    for row in high:
        sides = ((c, "#" if {(c, row), (c + 1, row)} in walls else "|") for c in wide)
        inside = "".join(f"{cells.get((column, row), ''):^3}{side}" for column, side in sides)
        drawn += [rule(row), f"{row_name(row):>{edge}} |{inside}"]
    return [*drawn, rule(max(rows) + 1)]
