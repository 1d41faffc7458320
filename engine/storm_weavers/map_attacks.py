"""Attacks in a fight on a combat map: charges, flanking, Cunning Strikes, pushes (SW-8 to SW-13)."""

from __future__ import annotations

from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.storm_weavers.attacks import (
    Fighter,
    Wound,
    attack,
    cunning_strike,
    cunning_strike_option,
    living_thymin,
)
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.endings import FightVerdict, healths, verdict
from loomtable.engine.storm_weavers.events.fights import Charged, Flanked, Injured, PushedOut, Roused
from loomtable.engine.storm_weavers.map_moves import ground_of, map_fight_of
from loomtable.engine.storm_weavers.movement import EDGE, adjacent, lost_when_flanked, push_out
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.squares import Direction, Square, direction_between
from loomtable.engine.storm_weavers.state import MapFight, Tale

PUSHING_INJURIES = 3
CHARGE_BONUS = 1
COLLISION = 1
HOLD = "hold"


def thymins_attacks(play: Play[Tale], run_up: Direction | None) -> Steps[FightVerdict | None]:
    """Thymin attacks one adjacent enemy, or as many as the paragraph allows; he may also hold back (SW-8)."""
    conditions = map_fight_of(play).plan.conditions
    struck: list[int] = []
    while len(struck) < conditions.attacks and fight_verdict(play) is None:
        fought = map_fight_of(play)
        targets = [n for n in _beside_thymin(fought) if n not in struck]
        if not targets:
            break
        again = f", attack {len(struck) + 1}" if struck else ""
        question = Choose(
            f"Thymin's attack, round {fought.round.number}{again}",
            _ways_to_attack(fought, targets, cunning=conditions.cunning_strike),
            by=THYMIN,
            rule="SW-8",
        )
        key = (yield from ask(question)).key
        if key == HOLD:
            break
        way, number = key.rsplit("-", 1)
        struck.append(int(number))
        pushed = yield from _thymin_strikes(play, int(number), run_up, cunning=way == "cunning-strike")
        run_up = _run_up_left(play, run_up, pushed=pushed)
    return fight_verdict(play)


def _ways_to_attack(fought: MapFight, targets: list[int], *, cunning: bool) -> tuple[Option, ...]:
    options = [Option(f"attack-{n}", f"Attack {fought.label(n)}", "Compare Attack and Defence.") for n in targets]
    if cunning:
        options += [
            cunning_strike_option(
                f"cunning-strike-{n}", f"Cunning Strike at {fought.label(n)}", fought.plan.strike_test
            )
            for n in targets
        ]
    return (*options, Option(HOLD, "Hold back"))


def _run_up_left(play: Play[Tale], run_up: Direction | None, *, pushed: bool) -> Direction | None:
    """What is left of the attacker's run-up for a further attack in the same phase (SW-12)."""
    return None if pushed or play.ruled("charge-several-attacks") == "first-attack" else run_up


def _thymin_strikes(play: Play[Tale], number: int, run_up: Direction | None, *, cunning: bool) -> Steps[bool]:
    """One attack or Cunning Strike; returns whether Thymin was pushed out by it."""
    fought = map_fight_of(play)
    if fought.enemies[number].peaceful:
        yield Roused(who=fought.label(number), number=number)
    if cunning:
        wound: Wound | None = yield from cunning_strike(
            play,
            thymin_fighting(play, number, attacking=True),
            enemy_fighting(fought, number),
            fought.plan.strike_test,
        )
        if play.ruled("cunning-strike-pushes") == "never":
            return False
        return (yield from _pushed_out(play, wound)) == 0
    yield from _flanking(play, attacking=True)
    charge = yield from _charge(play, THYMIN, run_up, fought.thymin, fought.enemies[number].square)
    wound = yield from attack(
        play,
        thymin_fighting(play, number, attacking=True, charge=charge),
        enemy_fighting(fought, number),
        f"Attack of Thymin on {fought.label(number)}, round {fought.round.number}",
        f"Defence of {fought.label(number)}, round {fought.round.number}",
    )
    return (yield from _pushed_out(play, wound)) == 0


def enemy_attacks(play: Play[Tale], number: int, run_up: Direction | None) -> Steps[None]:
    """The enemy attacks Thymin, where it stands beside him and has a mind to (SW-8)."""
    for again in range(map_fight_of(play).enemies[number].attacks):
        fought = map_fight_of(play)
        enemy = fought.enemies[number]
        if (
            fight_verdict(play) is not None
            or number not in _beside_thymin(fought)
            or enemy.peaceful
            or enemy.flees
        ):
            return
        pushed = yield from _enemy_strikes(play, number, run_up, again)
        run_up = _run_up_left(play, run_up, pushed=pushed)


def _enemy_strikes(play: Play[Tale], number: int, run_up: Direction | None, again: int) -> Steps[bool]:
    """One attack of an enemy; returns whether it was pushed out by it."""
    fought = map_fight_of(play)
    label, when = fought.label(number), f"round {fought.round.number}"
    when += f", attack {again + 1}" if again else ""
    yield from _flanking(play, attacking=False)
    charge = 0
    if play.ruled("enemy-charge") == "enemies-too":
        charge = yield from _charge(play, label, run_up, fought.enemies[number].square, fought.thymin)
    wound = yield from attack(
        play,
        enemy_fighting(fought, number, charge=charge),
        thymin_fighting(play, number, attacking=False),
        f"Attack of {label}, {when}",
        f"Defence of Thymin against {label}, {when}",
    )
    return (yield from _pushed_out(play, wound)) == number


def _charge(play: Play[Tale], who: str, run_up: Direction | None, start: Square, target: Square) -> Steps[int]:
    """What a run-up directly before adds to the Attack (SW-12)."""
    bonus = charge_bonus(play, run_up, start, target)
    if bonus and run_up is not None:
        yield Charged(who=who, direction=run_up)
    return bonus


def charge_bonus(play: Play[Tale], run_up: Direction | None, start: Square, target: Square) -> int:
    """What a run-up that ended on ``start`` adds to an Attack on ``target`` (SW-12)."""
    towards = play.ruled("charge-direction") == "towards-the-enemy"
    if run_up is None or (towards and direction_between(start, target) is not run_up):
        return 0
    return CHARGE_BONUS


def _flanking(play: Play[Tale], *, attacking: bool) -> Steps[None]:
    """Say that Thymin is flanked, where it counts for the dice that follow (SW-13)."""
    lost = _lost_to_flanking(play, attacking=attacking)
    if lost:
        yield Flanked(enemies=len(_beside_thymin(map_fight_of(play))), lost=lost)


def _lost_to_flanking(play: Play[Tale], *, attacking: bool) -> int:
    if attacking and play.ruled("flanked-defence") == "only-defence":
        return 0
    fought = map_fight_of(play)
    squares = [e.square for e in fought.standing.values()]
    return lost_when_flanked(adjacent(combat_map(fought.plan.map), fought.thymin, squares))


def thymin_fighting(play: Play[Tale], against: int, *, attacking: bool, charge: int = 0) -> Fighter:
    """Thymin with everything that counts for his dice now: flanking, the paragraph, a charge (SW-12, SW-13)."""
    sheet, extra = living_thymin(play), map_fight_of(play).plan.modifiers_against(against)
    dexterity = sheet.dexterity - _lost_to_flanking(play, attacking=attacking)
    return Fighter(
        THYMIN,
        dexterity + extra.thymin_attack + charge,
        dexterity + extra.thymin_defence,
        sheet.weapon_bonus,
        sheet.armour_class,
    )


def enemy_fighting(fought: MapFight, number: int, charge: int = 0) -> Fighter:
    """An enemy with everything that counts for its dice now."""
    enemy, extra = fought.enemies[number], fought.plan.modifiers_against(number)
    return Fighter(
        fought.label(number),
        enemy.dexterity + extra.enemy_attack + charge,
        enemy.dexterity + extra.enemy_defence,
        enemy.weapon_bonus,
        enemy.armour_class,
        number,
    )


def _pushed_out(play: Play[Tale], wound: Wound | None) -> Steps[int | None]:
    """Three injuries or more push the loser straight away; what stops the push hurts once more (SW-10).

    Returns the number of whoever was pushed, 0 for Thymin; ``None`` where nobody was.
    """
    fought = map_fight_of(play)
    conditions = fought.plan.conditions
    if wound is None or wound.injuries < PUSHING_INJURIES or not conditions.push_squares:
        return None
    loser, winner = wound.loser.number, wound.winner.number
    if healths(play)[0] <= 0 or (loser and loser not in fought.standing):
        return None  # the dead are not pushed
    start, pusher = _square(fought, loser), _square(fought, winner)
    push = push_out(ground_of(play, loser), pusher, start, conditions.push_squares)
    stopped_by = _in_words(fought, push.stopped_by)
    yield PushedOut(who=wound.loser.name, number=loser, start=start, path=push.path, stopped_by=stopped_by)
    if not push.stopped_by or (push.stopped_by == EDGE and play.ruled("push-off-map") == "edge-only-stops"):
        return loser
    lost = conditions.collision.get(push.kind, COLLISION)
    if lost:
        yield Injured(who=wound.loser.name, number=loser, injuries=lost, rule="SW-10")
    return loser


def _in_words(fought: MapFight, stopped_by: str) -> str:
    """What stopped a push; a figure by its name instead of its square."""
    if stopped_by == fought.thymin:
        return THYMIN
    standing = [n for n, e in fought.standing.items() if e.square == stopped_by]
    fallen = [n for n, e in fought.enemies.items() if e.square == stopped_by]
    return next((fought.label(n) for n in (*standing, *fallen)), stopped_by)


def fight_verdict(play: Play[Tale]) -> FightVerdict | None:
    """Whether somebody's Health ends the fight that is on."""
    return verdict(map_fight_of(play).plan.ends, *healths(play))


def _square(fought: MapFight, number: int) -> Square:
    return fought.enemies[number].square if number else fought.thymin


def _beside_thymin(fought: MapFight) -> list[int]:
    """The numbers of the enemies on squares adjacent to Thymin."""
    squares = [s for _, s in combat_map(fought.plan.map).around(fought.thymin)]
    return [n for n, e in fought.standing.items() if e.square in squares]
