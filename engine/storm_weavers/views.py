"""What a screen shows of a tale besides its values: the open page, and the map with its figures."""

from __future__ import annotations

from typing import Any

from loomtable.engine.storm_weavers.combat_map import FREE, START_OF_THYMIN, combat_map
from loomtable.engine.storm_weavers.paragraphs import open_choices, page_of
from loomtable.engine.storm_weavers.squares import square_at
from loomtable.engine.storm_weavers.state import Tale

OBSTACLE = "#"


def page(tale: Tale) -> dict[str, Any] | None:
    """The paragraph where Thymin is, and the choices open to him (SW-17); ``None`` without an adventure."""
    paragraph = page_of(tale)
    if paragraph is None:
        return None
    return {
        "number": tale.paragraph,
        "text": paragraph.text.strip(),
        "way_on": paragraph.ways_on[0],
        "choices": [{"key": key, "says": c.says, "to": c.to} for key, c in open_choices(tale).items()],
    }


def board(tale: Tale) -> list[str] | None:
    """The combat map row by row: ``T`` is Thymin, digits are standing enemies, ``#`` is an obstacle (SW-5).

    ``None`` where no fight on a map is on.
    """
    fought = tale.map_fight
    if fought is None:
        return None
    ground = combat_map(fought.plan.map)
    figures = {e.square: str(number) for number, e in fought.standing.items()} | {fought.thymin: START_OF_THYMIN}

    def mark(column: int, row: int) -> str:
        square = square_at(column, row)
        return figures.get(square, OBSTACLE if square in ground.obstacles else FREE)

    return ["".join(mark(column, row) for column in range(ground.width)) for row in range(ground.height)]
