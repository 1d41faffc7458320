"""Combat maps: square grids with obstacles and start squares, as files that people draw.

A map is a YAML file; ``docs/adventures.md`` describes it.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Annotated

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.kernel.yamlfile import Installed, Titled, YamlLines, parse_yaml
from loomtable.engine.storm_weavers.squares import (
    MOST_COLUMNS,
    MOST_ROWS,
    Direction,
    Square,
    column_and_row,
    direction_between,
    square_at,
)

Wall = frozenset[Square]
"""A wall stands between these two adjacent squares."""
NUMBERS = range(1, 21)
"""The numbers of combat maps that carry tags; region maps have those above."""
FREE, START_OF_THYMIN = ".", "T"
_KEPT = frozenset(f"{FREE}{START_OF_THYMIN}123456789")


class CombatMap(msgspec.Struct, frozen=True):
    """A map for fights (SW-5): its size, obstacles by kind, and the squares where figures start."""

    name: str
    title: str
    width: int
    height: int
    obstacles: dict[Square, str]
    thymin: Square
    enemies: dict[int, Square]
    number: int = 0
    """Of its code and its tags, 1 to 20; 0 where it carries none."""
    walls: frozenset[Wall] = frozenset()
    """Squares with a wall between them are not adjacent."""
    picture: str = ""
    """The file, beside the map's own, of a picture that shows these squares and nothing beside them."""

    def holds(self, square: Square) -> bool:
        """Whether there is such a square on this map."""
        try:
            column, row = column_and_row(square)
        except ValueError:
            return False
        return column < self.width and row < self.height

    def beside(self, square: Square, direction: Direction) -> Square | None:
        """The adjacent square in this direction; ``None`` beyond the map's edge or a wall."""
        return next((s for d, s in self.around(square) if d is direction), None)

    def around(self, square: Square) -> tuple[tuple[Direction, Square], ...]:
        """The adjacent squares on the map, in the order of directions; diagonal ones are not adjacent (SW-6)."""
        return _neighbours(self.width, self.height, self.walls)[square]

    def wall_beyond(self, square: Square, direction: Direction) -> bool:
        """Whether a wall is what this square has in this direction."""
        return any(direction_between(square, other) is direction for w in self.walls if square in w for other in w)

    def trouble_with(self, square: Square) -> str:
        """Why no figure can be put there, in words; empty where one can."""
        if not self.holds(square):
            last = square_at(self.width - 1, self.height - 1)
            return f"{square} is not on the map {self.name}, which ends at {last}"
        kind = self.obstacles.get(square)
        return f"{square} is taken by an obstacle ({kind}) on the map {self.name}" if kind else ""


@cache
def _neighbours(
    width: int, height: int, walls: frozenset[Wall]
) -> dict[Square, tuple[tuple[Direction, Square], ...]]:
    """The adjacent squares of every square; kept, because every path is searched with them."""
    everywhere: dict[Square, tuple[tuple[Direction, Square], ...]] = {}
    for column, row in product(range(width), range(height)):
        square = square_at(column, row)
        around = ((d, column + d.offset[0], row + d.offset[1]) for d in Direction)
        beside = ((d, square_at(c, r)) for d, c, r in around if 0 <= c < width and 0 <= r < height)
        everywhere[square] = tuple((d, other) for d, other in beside if {square, other} not in walls)
    return everywhere


class _MapFile(Titled, frozen=True):
    map: str
    rows: list[str]
    legend: dict[str, str] = msgspec.field(default_factory=dict)
    number: Annotated[int, msgspec.Meta(ge=0, le=NUMBERS[-1])] = 0
    walls: list[str] = msgspec.field(default_factory=list)
    picture: str = ""


def parse_map(text: str, name: str) -> CombatMap:
    """Read a map; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: not good YAML, rows of different lengths, an unknown mark, no start for Thymin or two of
            them, a wall between squares that are not adjacent; the message says in which line.
    """
    file, lines = parse_yaml(text, _MapFile, name)
    _check_legend(file, lines)
    if not 1 <= len(file.rows) <= MOST_ROWS or not 1 <= len(file.rows[0]) <= MOST_COLUMNS:
        raise ContentInvalid(
            f"{lines.place('rows')}: a map has 1 to {MOST_COLUMNS} columns and 1 to {MOST_ROWS} rows"
        )
    obstacles: dict[Square, str] = {}
    starts: dict[str, Square] = {}
    for row, marks in enumerate(file.rows):
        where = lines.place("rows", row)
        if len(marks) != len(file.rows[0]):
            count = how_many(len(marks), "square stands", "squares stand")
            raise ContentInvalid(f"{where}: {count} here, {len(file.rows[0])} in the first row")
        for column, mark in enumerate(marks):
            square = square_at(column, row)
            if mark in file.legend:
                obstacles[square] = file.legend[mark]
            elif mark not in _KEPT:
                raise ContentInvalid(f"{where}: the legend does not say what {mark!r} is")
            elif mark != FREE:
                if mark in starts:
                    raise ContentInvalid(f"{where}: {mark} stands twice, at {starts[mark]} and {square}")
                starts[mark] = square
    if START_OF_THYMIN not in starts:
        raise ContentInvalid(f"{lines.place('rows')}: no square is marked {START_OF_THYMIN}, where Thymin starts")
    thymin = starts.pop(START_OF_THYMIN)
    enemies = {int(mark): starts[mark] for mark in sorted(starts)}
    if not re.fullmatch(r"([\w -]+\.jpg)?", file.picture):
        raise ContentInvalid(f"{lines.place('picture')}: name a JPEG file beside this one, such as cellar.jpg")
    width, height = len(file.rows[0]), len(file.rows)
    plan = CombatMap(file.map, file.title, width, height, obstacles, thymin, enemies, file.number)
    walls = frozenset(_wall(plan, said, lines.place("walls", at)) for at, said in enumerate(file.walls))
    return msgspec.structs.replace(plan, walls=walls, picture=file.picture)


def _wall(plan: CombatMap, said: str, where: str) -> Wall:
    one, _, other = said.partition("-")
    if not (plan.holds(one) and plan.holds(other) and direction_between(one, other)):
        raise ContentInvalid(f"{where}: {said[:20]!r} is no wall; name two squares side by side, such as C4-D4")
    return frozenset((one, other))


def _check_legend(file: _MapFile, lines: YamlLines) -> None:
    for mark, kind in file.legend.items():
        where = lines.place("legend", mark)
        if len(mark) != 1 or mark in _KEPT:
            raise ContentInvalid(f"{where}: an obstacle's mark is one character other than . T and 1 to 9")
        if not kind.strip():
            raise ContentInvalid(f"{where}: the obstacle {mark!r} needs a name")


MAPS = Installed("combat map", parse_map, "storm_weavers", "maps")
map_names, combat_map = MAPS.names, MAPS.named
"""The names of all that are installed; and what the file of a name holds, or ``ContentInvalid``."""
