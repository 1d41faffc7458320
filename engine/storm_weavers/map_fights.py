"""Fights on a combat map (SW-5): Thymin moves and attacks, then each enemy by number does."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.storm_weavers.attacks import Fighter, Wound, attack, cunning_strike, living_thymin
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.endings import Verdict, healths, round_ended, verdict
from loomtable.engine.storm_weavers.events import (
    Charged,
    FightEnded,
    Flanked,
    Injured,
    MapFightBegun,
    Moved,
    PushedOut,
    RoundBegun,
    Waited,
)
from loomtable.engine.storm_weavers.fights import refuse_second_fight
from loomtable.engine.storm_weavers.map_setup import placed_enemies, thymins_start, trouble_with_map_fight
from loomtable.engine.storm_weavers.movement import (
    EDGE,
    Ground,
    adjacent,
    destinations,
    lost_when_flanked,
    push_out,
    run_up_of,
    run_ups,
    walked,
    way_nearer,
    way_to_reach,
)
from loomtable.engine.storm_weavers.plans import MapFightPlan
from loomtable.engine.storm_weavers.sheet import STARTING_SPEED, THYMIN
from loomtable.engine.storm_weavers.squares import Direction, Path, Square, direction_between
from loomtable.engine.storm_weavers.state import MapFight, Tale

PUSHING_INJURIES = 3
CHARGE_BONUS = 1
COLLISION = 1
STAY, HOLD = "stay", "hold"


class Move(msgspec.Struct, frozen=True):
    """A move that Thymin can choose: its path, and the direction of its run-up, if it has one."""

    path: Path = ()
    run_up: Direction | None = None


def fight_on_map(play: Play[Tale], plan: MapFightPlan) -> Steps[Verdict]:
    """The fight from its first round to its end; the consequences are left to the caller (SW-5)."""
    living_thymin(play)
    refuse_second_fight(play)
    trouble = trouble_with_map_fight(plan)
    if trouble:
        raise IllegalAction(trouble)
    yield MapFightBegun(plan=plan, thymin=thymins_start(plan), enemies=placed_enemies(plan))
    over = None
    while over is None:
        yield RoundBegun(round=_on(play).round.number + 1)
        over = yield from _round(play)
    fought = _on(play)
    yield FightEnded(
        enemy=" and ".join(fought.label(number) for number in fought.enemies),
        won=living_thymin(play).health > 0,
        exchanges=fought.round.number,
        outcome=over.outcome,
        at=over.end.at if over.end else 0,
        rule="SW-5",
    )
    return over


def _round(play: Play[Tale]) -> Steps[Verdict | None]:
    """One round, phase by phase, until something ends the fight (SW-5)."""
    run_up = yield from _thymins_move(play)
    over = yield from _thymins_attacks(play, run_up)
    for number in list(_on(play).enemies):
        if over is None and number in _on(play).standing:
            run_up = yield from enemy_move(play, number)
            yield from _enemy_attack(play, number, run_up)
            over = _verdict(play)
    if over is not None:
        return over
    fought = _on(play)
    finished = round_ended(fought.round)
    yield finished
    return verdict(fought.plan.ends, *healths(play), finished)


# Moving


def _thymins_move(play: Play[Tale]) -> Steps[Direction | None]:
    """Thymin goes where the player says; returns the direction of a run-up (SW-6, SW-12)."""
    fought = _on(play)
    moves = thymins_moves(play)
    options = tuple(Option(key, _move_label(move, fought.thymin)) for key, move in moves.items())
    question = Choose(f"Thymin's move, round {fought.round.number}", options, by=THYMIN, rule="SW-6")
    move = moves[(yield from ask(question)).key]
    if move.path:
        yield Moved(who=THYMIN, number=0, start=fought.thymin, path=move.path)
    return move.run_up


def thymins_moves(play: Play[Tale]) -> dict[str, Move]:
    """Every move that Thymin can make now, by the key of its option: ``stay`` or the square where it ends (SW-6).

    Where a square can be reached with a run-up, the path has one. Where it matters from which side it comes, the
    further ones are options of their own: ``C4-east``.
    """
    fought, ground = _on(play), ground_of(play, 0)
    speed = _speed(play, 0)
    whole = play.ruled("charge-run-up") == "whole-move"
    towards = play.ruled("charge-direction") == "towards-the-enemy"
    enemies = {e.square for e in fought.standing.values()}
    moves = {STAY: Move()}
    for square, path in destinations(ground, fought.thymin, speed).items():
        charges = [
            Move(run, direction)
            for direction, run in run_ups(ground, fought.thymin, square, speed).items()
            if run_up_of(fought.thymin, run, whole_move=whole) is direction
        ]
        if towards:
            facing = [m for m in charges if m.run_up and ground.map.beside(square, m.run_up) in enemies]
            moves[square] = next(iter(facing), Move(path))
            moves.update({f"{square}-{m.run_up}": m for m in facing[1:]})
        else:
            moves[square] = next(iter(charges), Move(path))
    return moves


def _move_label(move: Move, start: Square) -> str:
    if not move.path:
        return f"Stay at {start}"
    return f"{'-'.join((start, *move.path))}{', a run-up for a charge' if move.run_up else ''}"


def enemy_move(play: Play[Tale], number: int) -> Steps[Direction | None]:
    """The enemy takes a shortest path to a square next to Thymin; returns the direction of a run-up (SW-7)."""
    fought, ground = _on(play), ground_of(play, number)
    enemy = fought.enemies[number]
    if enemy.still:
        return None
    way = way_to_reach(ground, enemy.square, fought.thymin)
    barred = way is None
    if barred and play.ruled("enemy-path-blocked") == "as-near-as-it-can":
        way = way_nearer(ground, enemy.square, fought.thymin)
    if way is None:
        yield Waited(who=fought.label(number))
        return None
    path = walked(ground, way.path, _speed(play, number))
    if not path:
        return None
    yield Moved(
        who=fought.label(number),
        number=number,
        start=enemy.square,
        path=path,
        shortest=len(way.path),
        equally_short=way.equally_short,
        barred=barred,
        rule="SW-7",
    )
    return run_up_of(enemy.square, path, whole_move=play.ruled("charge-run-up") == "whole-move")


def ground_of(play: Play[Tale], mover: int) -> Ground:
    """The map as one figure finds it; 0 is Thymin."""
    fought = _on(play)
    staying = play.ruled("fallen-enemies") == "stay-in-the-way"
    in_the_way = fought.enemies if staying else fought.standing
    others = {e.square for number, e in in_the_way.items() if number != mover}
    conditions = fought.plan.conditions
    return Ground(
        combat_map(fought.plan.map),
        frozenset(others if mover == 0 else {*others, fought.thymin}),
        frozenset(conditions.thymin_crosses if mover == 0 else conditions.enemies_cross),
        conditions.through_characters,
        stride=_speed(play, mover),
    )


def _speed(play: Play[Tale], mover: int) -> int:
    """The squares a figure can go: its own Speed, that of the fight, or what stands on the sheet (SW-1)."""
    plan = _on(play).plan
    if mover == 0:
        return living_thymin(play).speed if plan.speed is None else plan.speed
    own = plan.enemies[mover - 1].speed
    return own if own is not None else STARTING_SPEED if plan.speed is None else plan.speed


# Attacking


def _thymins_attacks(play: Play[Tale], run_up: Direction | None) -> Steps[Verdict | None]:
    """Thymin attacks one adjacent enemy, or as many as the paragraph allows; he may also hold back (SW-8)."""
    conditions = _on(play).plan.conditions
    struck: list[int] = []
    while len(struck) < conditions.attacks and _verdict(play) is None:
        fought = _on(play)
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
        yield from _thymin_strikes(play, int(number), run_up, cunning=way == "cunning-strike")
    return _verdict(play)


def _ways_to_attack(fought: MapFight, targets: list[int], *, cunning: bool) -> tuple[Option, ...]:
    options = [Option(f"attack-{n}", f"Attack {fought.label(n)}", "Compare Attack and Defence.") for n in targets]
    if cunning:
        says = "Test Wisdom: 3 injuries to the enemy, or to you."
        options += [Option(f"cunning-strike-{n}", f"Cunning Strike at {fought.label(n)}", says) for n in targets]
    return (*options, Option(HOLD, "Hold back"))


def _thymin_strikes(play: Play[Tale], number: int, run_up: Direction | None, *, cunning: bool) -> Steps[None]:
    fought = _on(play)
    if cunning:
        wound: Wound | None = yield from cunning_strike(
            play, _thymin_fighting(play, attacking=True), _enemy_fighting(fought, number)
        )
        if play.ruled("cunning-strike-pushes") == "like-any-other":
            yield from _pushed_out(play, wound)
        return
    yield from _flanking(play, attacking=True)
    charge = yield from _charge(play, THYMIN, run_up, fought.thymin, fought.enemies[number].square)
    wound = yield from attack(
        play,
        _thymin_fighting(play, attacking=True, charge=charge),
        _enemy_fighting(fought, number),
        f"Attack of Thymin on {fought.label(number)}, round {fought.round.number}",
        f"Defence of {fought.label(number)}, round {fought.round.number}",
    )
    yield from _pushed_out(play, wound)


def _enemy_attack(play: Play[Tale], number: int, run_up: Direction | None) -> Steps[None]:
    """The enemy attacks Thymin, where it stands beside him (SW-8)."""
    fought = _on(play)
    if number not in _beside_thymin(fought):
        return
    label = fought.label(number)
    yield from _flanking(play, attacking=False)
    charge = 0
    if play.ruled("enemy-charge") == "enemies-too":
        charge = yield from _charge(play, label, run_up, fought.enemies[number].square, fought.thymin)
    wound = yield from attack(
        play,
        _enemy_fighting(fought, number, charge=charge),
        _thymin_fighting(play, attacking=False),
        f"Attack of {label}, round {fought.round.number}",
        f"Defence of Thymin against {label}, round {fought.round.number}",
    )
    yield from _pushed_out(play, wound)


def _charge(play: Play[Tale], who: str, run_up: Direction | None, start: Square, target: Square) -> Steps[int]:
    """What a run-up directly before adds to the Attack (SW-12)."""
    if run_up is None:
        return 0
    if play.ruled("charge-direction") == "towards-the-enemy" and direction_between(start, target) is not run_up:
        return 0
    yield Charged(who=who, direction=run_up)
    return CHARGE_BONUS


def _flanking(play: Play[Tale], *, attacking: bool) -> Steps[None]:
    """Say that Thymin is flanked, where it counts for the dice that follow (SW-13)."""
    lost = _lost_to_flanking(play, attacking=attacking)
    if lost:
        yield Flanked(enemies=len(_beside_thymin(_on(play))), lost=lost)


def _lost_to_flanking(play: Play[Tale], *, attacking: bool) -> int:
    if attacking and play.ruled("flanked-defence") == "only-defence":
        return 0
    fought = _on(play)
    squares = [e.square for e in fought.standing.values()]
    return lost_when_flanked(adjacent(combat_map(fought.plan.map), fought.thymin, squares))


def _thymin_fighting(play: Play[Tale], *, attacking: bool, charge: int = 0) -> Fighter:
    sheet, extra = living_thymin(play), _on(play).plan.modifiers
    dexterity = sheet.dexterity - _lost_to_flanking(play, attacking=attacking)
    return Fighter(
        THYMIN,
        dexterity + extra.thymin_attack + charge,
        dexterity + extra.thymin_defence,
        sheet.weapon_bonus,
        sheet.armour_class,
    )


def _enemy_fighting(fought: MapFight, number: int, charge: int = 0) -> Fighter:
    enemy, extra = fought.enemies[number], fought.plan.modifiers
    return Fighter(
        fought.label(number),
        enemy.dexterity + extra.enemy_attack + charge,
        enemy.dexterity + extra.enemy_defence,
        enemy.weapon_bonus,
        enemy.armour_class,
        number,
    )


def _pushed_out(play: Play[Tale], wound: Wound | None) -> Steps[None]:
    """Three injuries or more push the loser straight away; what stops the push hurts once more (SW-10)."""
    fought = _on(play)
    conditions = fought.plan.conditions
    if wound is None or wound.injuries < PUSHING_INJURIES or not conditions.push_squares:
        return
    loser, winner = wound.loser.number, wound.winner.number
    if healths(play)[0] <= 0 or (loser and loser not in fought.standing):
        return  # the dead are not pushed
    start, pusher = _square(fought, loser), _square(fought, winner)
    push = push_out(ground_of(play, loser), pusher, start, conditions.push_squares)
    stopped_by = _in_words(fought, push.stopped_by)
    yield PushedOut(who=wound.loser.name, number=loser, start=start, path=push.path, stopped_by=stopped_by)
    if not push.stopped_by or (push.stopped_by == EDGE and play.ruled("push-off-map") == "edge-only-stops"):
        return
    lost = conditions.collision.get(push.stopped_by, COLLISION)
    if lost:
        yield Injured(who=wound.loser.name, number=loser, injuries=lost, rule="SW-10")


def _in_words(fought: MapFight, stopped_by: str) -> str:
    """What stopped a push; a figure by its name instead of its square."""
    if stopped_by == fought.thymin:
        return THYMIN
    standing = [n for n, e in fought.standing.items() if e.square == stopped_by]
    fallen = [n for n, e in fought.enemies.items() if e.square == stopped_by]
    return next((fought.label(n) for n in (*standing, *fallen)), stopped_by)


# What there is


def _on(play: Play[Tale]) -> MapFight:
    assert play.state.map_fight is not None
    return play.state.map_fight


def _verdict(play: Play[Tale]) -> Verdict | None:
    return verdict(_on(play).plan.ends, *healths(play))


def _square(fought: MapFight, number: int) -> Square:
    return fought.enemies[number].square if number else fought.thymin


def _beside_thymin(fought: MapFight) -> list[int]:
    """The numbers of the enemies on squares adjacent to Thymin."""
    around: CombatMap = combat_map(fought.plan.map)
    squares = [s for _, s in around.around(fought.thymin)]
    return [n for n, e in fought.standing.items() if e.square in squares]
