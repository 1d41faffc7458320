"""Fights on a combat map (SW-5): Thymin moves and attacks, then each enemy by number does."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.storm_weavers.attacks import living_thymin
from loomtable.engine.storm_weavers.endings import FightVerdict, healths, round_ended, verdict
from loomtable.engine.storm_weavers.events.fights import FightEnded, MapFightBegun, RoundBegun
from loomtable.engine.storm_weavers.fights import fight_not_begun, refuse_second_fight
from loomtable.engine.storm_weavers.map_attacks import enemy_attacks, fight_verdict, thymins_attacks
from loomtable.engine.storm_weavers.map_moves import enemy_move, map_fight_of, thymins_move
from loomtable.engine.storm_weavers.map_setup import placed_enemies, thymins_start, trouble_with_map_fight
from loomtable.engine.storm_weavers.plans import MapFightPlan
from loomtable.engine.storm_weavers.state import Tale


def fight_on_map(play: Play[Tale], plan: MapFightPlan) -> Steps[FightVerdict]:
    """The fight from its first round to its end; the consequences are left to the caller (SW-5)."""
    living_thymin(play)
    refuse_second_fight(play)
    trouble = trouble_with_map_fight(plan)
    if trouble:
        raise IllegalAction(trouble)
    enemies = placed_enemies(plan)
    over = verdict(plan.ends, living_thymin(play).health, {number: e.health for number, e in enemies.items()})
    if over is not None:
        yield fight_not_begun(over, " and ".join(e.name for e in enemies.values()), "SW-5")
        return over
    yield MapFightBegun(plan=plan, thymin=thymins_start(plan), enemies=enemies)
    while over is None:
        yield RoundBegun(round=map_fight_of(play).round.number + 1)
        over = yield from _round(play)
    fought = map_fight_of(play)
    yield FightEnded(
        enemy=" and ".join(fought.label(number) for number in fought.enemies),
        won=living_thymin(play).health > 0,
        exchanges=fought.round.number,
        outcome=over.outcome,
        at=over.end.at if over.end else 0,
        rule="SW-5",
    )
    return over


def _round(play: Play[Tale]) -> Steps[FightVerdict | None]:
    """One round, phase by phase, until something ends the fight (SW-5)."""
    run_up = yield from thymins_move(play)
    over = yield from thymins_attacks(play, run_up)
    for number in list(map_fight_of(play).enemies):
        if over is None and number in map_fight_of(play).standing:
            run_up = yield from enemy_move(play, number)
            yield from enemy_attacks(play, number, run_up)
            over = fight_verdict(play)
    if over is not None:
        return over
    fought = map_fight_of(play)
    yield (finished := round_ended(fought.round))
    return verdict(fought.plan.ends, *healths(play), finished)
