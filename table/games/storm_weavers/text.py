"""A combat map of Storm Weavers in characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.squares import column_and_row, square_at
from loomtable.table.games.storm_weavers.map import standing
from loomtable.table.screens.text import TextDrawing, boxed

OPEN = "·"
"""A square that can be gone to now."""


def drawings(session: Session[Any], viewer: str, seen: Mapping[str, Any]) -> dict[str, TextDrawing]:
    """The map of the fight, where there is one."""
    fought = session.state.map_fight
    if fought is None:
        return {}
    ground = combat_map(fought.plan.map)
    cells = {(c, r): "" for c in range(ground.width) for r in range(ground.height)}
    cells |= {column_and_row(square): "#" for square in ground.obstacles}
    asked = session.pending
    options = [option.key for option in asked.options] if isinstance(asked, Choose) else []
    opened = {key: key for key in options if ground.holds(key.partition("-")[0])}
    cells |= {column_and_row(key.partition("-")[0]): OPEN for key in opened}
    cells[column_and_row(fought.thymin)] = "T"
    cells |= {column_and_row(enemy.square): str(number) for number, enemy in fought.standing.items()}
    kinds = sorted(set(ground.obstacles.values()))
    legend = [
        *standing(fought),
        f"# {', '.join(kinds)}" if kinds else "",
        f"{OPEN} can be gone to" if opened else "",
    ]
    rows = boxed(cells, (lambda column: square_at(column, 0)[:-1], lambda row: str(row + 1)))
    return {"map": TextDrawing(ground.title, tuple(rows), tuple(filter(None, legend)), names=opened)}
