"""Moves in a fight on a combat map: Thymin where the player says, enemies the shortest way (SW-6, SW-7)."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.storm_weavers.attacks import living_thymin
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.events.fights import Moved, Waited
from loomtable.engine.storm_weavers.movement import (
    Ground,
    destinations,
    path_away,
    run_up_of,
    run_ups,
    walked,
    way_nearer,
    way_to_reach,
)
from loomtable.engine.storm_weavers.sheet import STARTING_SPEED, THYMIN
from loomtable.engine.storm_weavers.squares import Direction, Path, Square
from loomtable.engine.storm_weavers.state import MapFight, Tale

STAY = "stay"


class MoveOption(msgspec.Struct, frozen=True):
    """A move that Thymin can choose: its path, and the direction of its run-up, if it has one."""

    path: Path = ()
    run_up: Direction | None = None


def thymins_move(play: Play[Tale]) -> Steps[Direction | None]:
    """Thymin goes where the player says; returns the direction of a run-up (SW-6, SW-12)."""
    fought = map_fight_of(play)
    moves = thymins_moves(play)
    options = tuple(Option(key, _move_label(move, fought.thymin)) for key, move in moves.items())
    question = Choose(f"Thymin's move, round {fought.round.number}", options, by=THYMIN, rule="SW-6")
    move = moves[(yield from ask(question)).key]
    if move.path:
        yield Moved(who=THYMIN, number=0, start=fought.thymin, path=move.path)
    return move.run_up


def thymins_moves(play: Play[Tale]) -> dict[str, MoveOption]:
    """Every move that Thymin can make now, by the key of its option: ``stay`` or the square where it ends (SW-6).

    Where a square can be reached with a run-up, the path has one. Where it matters from which side it comes, the
    further ones are options of their own: ``C4-east``.
    """
    fought, ground = map_fight_of(play), ground_of(play, 0)
    speed = _speed(play, 0)
    whole = play.ruled("charge-run-up") == "whole-move"
    towards = play.ruled("charge-direction") == "towards-the-enemy"
    enemies = {e.square for e in fought.standing.values()}
    moves = {STAY: MoveOption()}
    for square, path in destinations(ground, fought.thymin, speed).items():
        charges = [
            MoveOption(run, direction)
            for direction, run in run_ups(ground, fought.thymin, square, speed).items()
            if run_up_of(fought.thymin, run, whole_move=whole) is direction
        ]
        if towards:
            facing = [m for m in charges if m.run_up and ground.map.beside(square, m.run_up) in enemies]
            moves[square] = next(iter(facing), MoveOption(path))
            moves.update({f"{square}-{m.run_up}": m for m in facing[1:]})
        else:
            moves[square] = next(iter(charges), MoveOption(path))
    return moves


def _move_label(move: MoveOption, start: Square) -> str:
    if not move.path:
        return f"Stay at {start}"
    return f"{'-'.join((start, *move.path))}{', a run-up for a charge' if move.run_up else ''}"


def enemy_move(play: Play[Tale], number: int) -> Steps[Direction | None]:
    """The enemy takes a shortest path to a square next to Thymin; returns the direction of a run-up (SW-7)."""
    fought, ground = map_fight_of(play), ground_of(play, number)
    enemy = fought.enemies[number]
    if enemy.keeps_away or enemy.flees:
        if not enemy.peaceful:
            yield from _keep_away(play, number, ground)
        return None
    if enemy.still or enemy.peaceful:
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


def _keep_away(play: Play[Tale], number: int, ground: Ground) -> Steps[None]:
    """The enemy goes where Thymin has the longest way to it, unless it stands there (SW-7)."""
    fought = map_fight_of(play)
    start = fought.enemies[number].square
    path = path_away(ground, start, fought.thymin, _speed(play, number))
    if path:
        yield Moved(who=fought.label(number), number=number, start=start, path=path, away=True, rule="SW-7")


def ground_of(play: Play[Tale], mover: int) -> Ground:
    """The map as one figure finds it; 0 is Thymin."""
    fought = map_fight_of(play)
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
    plan = map_fight_of(play).plan
    if mover == 0:
        return living_thymin(play).speed if plan.speed is None else plan.speed
    own = plan.enemies[mover - 1].speed
    return own if own is not None else STARTING_SPEED if plan.speed is None else plan.speed


def map_fight_of(play: Play[Tale]) -> MapFight:
    """The fight on a map that is on."""
    assert play.state.map_fight is not None
    return play.state.map_fight
