"""Storm Weavers: how figures move on a map, asked of the engine once for each way in which they may stand.

Moves, ways and pushes come from ``loomtable.engine.storm_weavers`` itself. They do not depend on how hurt
anybody is, nor on what Thymin carries, so what was seen once serves every fight on the same plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from loomtable.engine.kernel.play import Game, Play
from loomtable.engine.odds.manners import move_of
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.events.fights import Moved
from loomtable.engine.storm_weavers.map_attacks import COLLISION
from loomtable.engine.storm_weavers.map_moves import enemy_move, ground_of, thymins_moves
from loomtable.engine.storm_weavers.map_setup import placed_enemies
from loomtable.engine.storm_weavers.movement import EDGE, push_out
from loomtable.engine.storm_weavers.plans import MapFightPlan
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.squares import Direction, Square
from loomtable.engine.storm_weavers.state import MapFight, Round, Tale

Alive = tuple[int, ...]
"""Each enemy's Health by number, as far as it matters to what they do: 0 for the fallen (``MoveBook.alive``)."""


class Squares(NamedTuple):
    """The squares of Thymin and of the enemies by number; empty for one who was taken off."""

    thymin: Square
    enemies: tuple[Square, ...]
    roused: tuple[int, ...] = ()
    """The numbers of peaceful enemies that Thymin has attacked."""

    def with_enemy(self, number: int, square: Square) -> Squares:
        """The same, but for this enemy."""
        return self._replace(enemies=(*self.enemies[: number - 1], square, *self.enemies[number:]))


class MoveBook:
    """Everything that the figures of a plan were ever seen to do, where Thymin has this Speed."""

    def __init__(self, plan: MapFightPlan, speed: int, rulings: Mapping[str, str]) -> None:
        self.plan, self.rulings = plan, dict(rulings)
        self.map = combat_map(plan.map)
        self._thymin = Sheet(0, 0, speed=speed)
        self._start = placed_enemies(plan)
        self._moved: dict[tuple[Squares, Alive, int], tuple[Squares, Direction | None]] = {}
        self._pushed: dict[tuple[Squares, Alive, int, int], tuple[Squares, int]] = {}

    def alive(self, healths: tuple[int, ...]) -> Alive:
        """Which enemies stand, and which of them are hurt enough to flee."""
        return tuple(min(h, e.flees_at + 1) for h, e in zip(healths, self.plan.enemies, strict=True))

    def in_peace(self, spot: Squares, number: int) -> bool:
        """Whether an enemy still leaves Thymin in peace (SW-7)."""
        return self.plan.enemies[number - 1].peaceful and number not in spot.roused

    def attacked(self, spot: Squares, number: int) -> Squares:
        """The same spot once Thymin has attacked this enemy."""
        return spot._replace(roused=tuple(sorted((*spot.roused, number)))) if self.in_peace(spot, number) else spot

    def moved(self, spot: Squares, alive: Alive, mover: int) -> tuple[Squares, Direction | None]:
        """Where everybody stands once Thymin (0) or an enemy has moved, and the direction of a run-up."""
        key = (spot, alive, mover)
        if key not in self._moved:
            self._moved[key] = self._enemys(spot, alive, mover) if mover else self._thymins(spot, alive)
        return self._moved[key]

    def pushed(self, spot: Squares, alive: Alive, loser: int, enemy: int) -> tuple[Squares, int]:
        """Where everybody stands after a push out, and the Health that a collision costs the loser (SW-10).

        ``enemy`` is the one who fought with Thymin; ``loser`` is 0 or that enemy.
        """
        key = (spot, alive, loser, enemy)
        if key not in self._pushed:
            self._pushed[key] = self._push(spot, alive, loser, enemy)
        return self._pushed[key]

    def _play(self, spot: Squares, alive: Alive) -> Play[Tale]:
        enemies = {
            number: msgspec.structs.replace(
                enemy, square=square, health=health, peaceful=self.in_peace(spot, number)
            )
            for (number, enemy), square, health in zip(self._start.items(), spot.enemies, alive, strict=True)
        }
        tale = Tale(thymin=self._thymin, map_fight=MapFight(self.plan, spot.thymin, enemies, Round(1)))
        return Play(Game(tale, self.rulings), "")

    def _thymins(self, spot: Squares, alive: Alive) -> tuple[Squares, Direction | None]:
        play = self._play(spot, alive)
        move = thymins_moves(play)[move_of(play)]
        return (spot._replace(thymin=move.path[-1]) if move.path else spot), move.run_up

    def _enemys(self, spot: Squares, alive: Alive, number: int) -> tuple[Squares, Direction | None]:
        steps, moved = enemy_move(self._play(spot, alive), number), spot
        try:
            while True:
                event = next(steps)
                if isinstance(event, Moved):
                    moved = spot.with_enemy(number, event.path[-1])
        except StopIteration as over:
            run_up: Direction | None = over.value
        return moved, run_up

    def _push(self, spot: Squares, alive: Alive, loser: int, enemy: int) -> tuple[Squares, int]:
        at, by = spot.enemies[enemy - 1], spot.thymin
        start, pusher = (at, by) if loser else (by, at)
        push = push_out(
            ground_of(self._play(spot, alive), loser), pusher, start, self.plan.conditions.push_squares
        )
        square = push.path[-1] if push.path else start
        left = spot.with_enemy(loser, square) if loser else spot._replace(thymin=square)
        only_stops = push.stopped_by == EDGE and self.rulings["push-off-map"] == "edge-only-stops"
        unhurt = not push.stopped_by or only_stops
        return left, 0 if unhurt else self.plan.conditions.collision.get(push.kind, COLLISION)
