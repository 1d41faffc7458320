"""Fights without a map (SW-15): the attacks alternate until somebody falls or the paragraph ends it."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.storm_weavers.attacks import (
    Fighter,
    attack,
    cunning_strike,
    cunning_strike_option,
    living_thymin,
)
from loomtable.engine.storm_weavers.endings import FightVerdict, healths, round_ended, verdict
from loomtable.engine.storm_weavers.events.fights import FightBegun, FightEnded
from loomtable.engine.storm_weavers.plans import Enemy, FightEnd, FightPlan
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.state import Fight, Tale


def refuse_second_fight(play: Play[Tale]) -> None:
    """Refuse to begin a fight where one is on.

    Raises:
        IllegalAction: one is.
    """
    if play.state.fight is not None:
        raise IllegalAction(f"the fight against {play.state.fight.enemy.name} is still on")
    if play.state.map_fight is not None:
        raise IllegalAction(f"the fight on the map {play.state.map_fight.plan.map} is still on")


def trouble_with_enemy(enemy: Enemy) -> str:
    """Why nobody can fight this enemy, in words; empty where one can."""
    if enemy.health <= 0:
        return f"{enemy.name} has no Health to fight with"
    if enemy.name == THYMIN:
        return "Thymin cannot fight himself; name the enemy otherwise"
    return "" if enemy.name.strip() else "an enemy needs a name"


def trouble_with_fight(plan: FightPlan) -> str:
    """Why this fight cannot be fought, in words; empty where it can."""
    troubles = (trouble_with_enemy(plan.enemy), *(end.trouble(1) for end in plan.ends))
    return next((t for t in troubles if t), "")


def fight_without_map(play: Play[Tale], plan: FightPlan) -> Steps[FightVerdict]:
    """The fight from its first attack to its end; the consequences are left to the caller (SW-15)."""
    living_thymin(play)
    refuse_second_fight(play)
    trouble = trouble_with_fight(plan)
    if trouble:
        raise IllegalAction(trouble)
    over = verdict(plan.ends, living_thymin(play).health, {1: plan.enemy.health})
    if over is not None:
        yield fight_not_begun(over, plan.enemy.name, "SW-15")
        return over
    yield FightBegun(enemy=plan.enemy, counts_rounds=any(end.when.of_a_round for end in plan.ends))
    by_thymin = True
    while over is None:
        if by_thymin:
            yield from _thymins_phase(play, plan)
        else:
            yield from _attack(play, plan, by_thymin=False)
        over = verdict(plan.ends, *healths(play))
        if over is None and (not by_thymin or play.ruled("round-without-map") == "each-attack"):
            over = yield from _end_round(play, plan.ends)
        by_thymin = not by_thymin
    fought = _fight(play)
    yield FightEnded(
        enemy=fought.enemy.name,
        won=living_thymin(play).health > 0,
        exchanges=fought.exchange,
        outcome=over.outcome,
        at=over.end.at if over.end else 0,
    )
    return over


def fight_not_begun(over: FightVerdict, enemy: str, rule: str) -> FightEnded:
    """The end of a fight that held before a blow: there is no fight, and what follows follows at once (SW-5)."""
    at = over.end.at if over.end else 0
    return FightEnded(enemy=enemy, won=True, exchanges=0, outcome=over.outcome, at=at, rule=rule)


def _thymins_phase(play: Play[Tale], plan: FightPlan) -> Steps[None]:
    """An attack or, where it is allowed, a Cunning Strike (SW-11)."""
    if play.ruled("cunning-strike-without-map") == "as-the-example":
        way = yield from ask(
            Choose(
                f"Thymin's attack, exchange {_exchange(play)}",
                (
                    Option("attack", "Attack", "Compare Attack and Defence."),
                    cunning_strike_option("cunning-strike", "Cunning Strike", plan.strike_test),
                ),
                by=THYMIN,
                rule="SW-11",
            )
        )
        if way.key == "cunning-strike":
            yield from cunning_strike(play, *_sides(play, plan), plan.strike_test)
            return
    yield from _attack(play, plan, by_thymin=True)


def _attack(play: Play[Tale], plan: FightPlan, *, by_thymin: bool) -> Steps[None]:
    sides = _sides(play, plan)
    attacker, defender = sides if by_thymin else reversed(sides)
    place = f", exchange {_exchange(play)}"
    attack_for, defence_for = f"Attack of {attacker.name}{place}", f"Defence of {defender.name}{place}"
    yield from attack(play, attacker, defender, attack_for, defence_for)


def _sides(play: Play[Tale], plan: FightPlan) -> tuple[Fighter, Fighter]:
    sheet, enemy, extra = living_thymin(play), _fight(play).enemy, plan.modifiers
    thymin = Fighter(
        THYMIN,
        sheet.dexterity + extra.thymin_attack,
        sheet.dexterity + extra.thymin_defence,
        sheet.weapon_bonus,
        sheet.armour_class,
    )
    other = Fighter(
        enemy.name,
        enemy.dexterity + extra.enemy_attack,
        enemy.dexterity + extra.enemy_defence,
        enemy.weapon_bonus,
        enemy.armour_class,
    )
    return thymin, other


def _end_round(play: Play[Tale], ends: tuple[FightEnd, ...]) -> Steps[FightVerdict | None]:
    """Count the round, where the paragraph asks for rounds; otherwise nobody has to know (SW-14)."""
    over = _fight(play).round
    if over is None:
        return None
    yield (finished := round_ended(over))
    return verdict(ends, *healths(play), finished)


def _fight(play: Play[Tale]) -> Fight:
    assert play.state.fight is not None
    return play.state.fight


def _exchange(play: Play[Tale]) -> int:
    return _fight(play).exchange + 1
