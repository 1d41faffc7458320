"""A random player of Storm Weavers: actions that could be meant, legal or not."""

from __future__ import annotations

import random
from typing import Any

from loomtable.engine.storm_weavers.adventure_check import adventure_names
from loomtable.engine.storm_weavers.combat_map import combat_map, map_names
from loomtable.engine.storm_weavers.plans import Outcome
from loomtable.engine.storm_weavers.squares import square_at
from loomtable.engine.storm_weavers.state import Tale


def storm_weavers_action(tale: Tale, source: random.Random) -> tuple[str, dict[str, Any]]:
    """Make a sheet, then mostly go on in an adventure; now and then something between."""
    if tale.thymin is None or tale.thymin_is_dead:
        return "create", {"dexterity_points": source.randint(0, 4)}
    if source.random() < 0.6:
        if tale.adventure and tale.ending is None:
            return "go-on", {}
        return "begin-adventure", {"adventure": source.choice(adventure_names())}
    return source.choice(
        [
            ("fight", {"enemy": _enemy(source), "ends": _ends(source)}),
            ("map-fight", _map_fight(source)),
            ("test", {"attribute": source.choice(["wisdom", "dexterity", "health"])}),
            ("coin-test", {}),
            ("change", {"attribute": "health", "by": source.randint(-4, 8), "reason": "the road"}),
            ("change", {"attribute": "speed", "to": source.randint(0, 4), "reason": "the road"}),
            ("gain-item", {"item": "Lamp"}),
            ("lose-item", {"item": source.choice(["Lamp", "Axe"])}),
            ("note", {"text": "a fork in the road"}),
        ]
    )


def _enemy(source: random.Random) -> dict[str, Any]:
    return {"name": "Goblin", "dexterity": source.randint(4, 9), "health": source.randint(1, 8)}


def _ends(source: random.Random) -> list[dict[str, Any]]:
    when = source.choice(list(Outcome))
    counted = when in (Outcome.ROUNDS, Outcome.ENEMY_HEALTH, Outcome.THYMIN_HEALTH)
    return [{"when": when.value, "at": source.randint(1, 4)} if counted else {"when": when.value}]


def _map_fight(source: random.Random) -> dict[str, Any]:
    ground = combat_map(source.choice(map_names()))
    squares = [square_at(c, r) for c in range(ground.width) for r in range(ground.height)]
    if source.random() < 0.9:
        squares = [s for s in squares if not ground.trouble_with(s)]
    thymin, *others = source.sample(squares, source.randint(2, 5))
    enemies = [{**_enemy(source), "square": square, "still": source.random() < 0.1} for square in others]
    conditions: dict[str, Any] = {"attacks": source.randint(1, 2), "push_squares": source.randint(0, 3)}
    if source.random() < 0.5:
        kinds = sorted(set(ground.obstacles.values()))
        conditions |= {"enemies_cross": kinds[:1], "thymin_crosses": kinds[:1]}
        conditions["through_characters"] = source.random() < 0.3
    return {
        "map": ground.name,
        "enemies": enemies,
        "thymin": thymin,
        "speed": source.choice([None, 0, 1, 2, 3, 4]),
        "conditions": conditions,
        "ends": _ends(source),
    }
