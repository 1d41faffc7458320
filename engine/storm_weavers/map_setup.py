"""Setting up a fight on a map: who starts where, and whether that can be."""

from __future__ import annotations

import msgspec

from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.fights import trouble_with_enemy
from loomtable.engine.storm_weavers.movement import CHARACTER, EDGE, WALL
from loomtable.engine.storm_weavers.plans import MapEnemy, MapFightPlan
from loomtable.engine.storm_weavers.squares import Square


def thymins_start(plan: MapFightPlan) -> Square:
    """The square where Thymin starts."""
    return plan.thymin or combat_map(plan.map).thymin


def placed_enemies(plan: MapFightPlan) -> dict[int, MapEnemy]:
    """The enemies by number, each on its start square; one for which there is none has an empty square."""
    starts = combat_map(plan.map).enemies
    return {
        number: msgspec.structs.replace(enemy, square=enemy.square or starts.get(number, ""))
        for number, enemy in enumerate(plan.enemies, start=1)
    }


def trouble_with_map_fight(plan: MapFightPlan) -> str:
    """Why this fight cannot be fought on its map, in words; empty where it can.

    Raises:
        ContentInvalid: there is no such map.
    """
    ground, taken = combat_map(plan.map), [thymins_start(plan)]
    if not plan.enemies:
        return "a fight on a map needs an enemy"
    troubles = [ground.trouble_with(taken[0]) and f"Thymin cannot start there: {ground.trouble_with(taken[0])}"]
    for number, enemy in placed_enemies(plan).items():
        label = f"{enemy.name} {number}"
        troubles.append(trouble_with_enemy(enemy))
        if enemy.still and enemy.keeps_away:
            troubles.append(f"{label} cannot both stay where it is and keep away")
        if not enemy.square:
            troubles.append(f"{label} has no start square: the map {plan.map} marks none with {number}")
        elif ground.trouble_with(enemy.square):
            troubles.append(f"{label} cannot start there: {ground.trouble_with(enemy.square)}")
        elif enemy.square in taken:
            troubles.append(f"{label} cannot start at {enemy.square}: somebody is there already")
        taken.append(enemy.square)
    speeds = [s for s in (plan.speed, *(e.speed for e in plan.enemies)) if s is not None]
    special = plan.conditions
    counts = (*speeds, special.push_squares, *special.collision.values(), *(e.flees_at for e in plan.enemies))
    if min(counts) < 0 or min(special.attacks, *(e.attacks for e in plan.enemies)) < 1:
        troubles.append("no Speed and no count of a fight can be below 0, and everybody has at least one attack")
    kinds = set(ground.obstacles.values())
    hit = (k for k in special.collision if k not in (EDGE, CHARACTER) and not (k == WALL and ground.walls))
    named = (*special.thymin_crosses, *special.enemies_cross, *hit)
    troubles.extend(f"there is no obstacle {kind!r} on the map {plan.map}" for kind in named if kind not in kinds)
    troubles.extend(end.trouble(len(plan.enemies)) for end in plan.ends)
    return next((t for t in troubles if t), "")
