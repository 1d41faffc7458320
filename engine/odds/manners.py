"""Storm Weavers: manners of fighting, by which a line of play answers whatever a fight asks of Thymin.

A manner is a fixed habit: where he goes, whom he strikes, when he makes a Cunning Strike. It looks only at what
lies on the table, so that the same manner can be reckoned with exactly and played at a real table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cache

import msgspec

from loomtable.engine.kernel.play import Play
from loomtable.engine.odds.exact import decided
from loomtable.engine.odds.storm_weavers import (
    CUNNING_STRIKE_INJURIES,
    SQUARE,
    added_when_hurt,
    blows,
    passing_throws,
)
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.map_moves import STAY, MoveOption, ground_of, thymins_moves
from loomtable.engine.storm_weavers.movement import adjacent, way_to_reach
from loomtable.engine.storm_weavers.plans import Enemy, Modifiers, Terms
from loomtable.engine.storm_weavers.rulings import RULINGS
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.squares import Square
from loomtable.engine.storm_weavers.state import MapFight, Tale

_UNCHANGED = Terms()


class Manner(StrEnum):
    """How Thymin fights, from a fight's beginning to its end."""

    PLAIN = "plain"
    """He goes straight at the nearest enemy, stays where one stands beside him, and attacks."""
    WEIGHING = "weighing"
    """Like plain, but he makes a Cunning Strike wherever it promises more than the attack."""

    @property
    def weighs(self) -> bool:
        """Whether he looks for what promises more, attack or Cunning Strike."""
        return self is Manner.WEIGHING


def prefers_cunning(
    manner: Manner,
    thymin: Sheet,
    enemy: Enemy,
    modifiers: Modifiers,
    rulings: Mapping[str, str],
    strike_test: Terms = _UNCHANGED,
) -> bool:
    """Whether a Cunning Strike promises more than an attack: injuries to the enemy less those to Thymin (SW-11).

    Charges and flanking are left out of account, as most people at a table leave them; items that help in a
    strike's test are used.
    """
    if not manner.weighs:
        return False
    figures = msgspec.structs.replace(thymin, health=1, gold=0, items=())
    attack = _promised(figures, enemy_figures(enemy), modifiers, tuple(sorted(rulings.items())))
    return promise_of_cunning(thymin, rulings, strike_test) > attack


def enemy_figures(enemy: Enemy) -> Enemy:
    """An enemy without name, Health and square: what counts in an exchange."""
    return Enemy("the enemy", enemy.dexterity, 1, enemy.weapon_bonus, enemy.armour_class)


def promise_of_cunning(thymin: Sheet, rulings: Mapping[str, str], strike_test: Terms = _UNCHANGED) -> Fraction:
    """Injuries to the enemy less those to Thymin that a Cunning Strike brings on average (SW-11)."""
    passing = passing_strikes(thymin, strike_test, thymin.health, rulings)
    return Fraction(CUNNING_STRIKE_INJURIES * (2 * passing - SQUARE), SQUARE)


def passing_strikes(thymin: Sheet, strike_test: Terms, health: int, rulings: Mapping[str, str]) -> int:
    """How many of the 36 throws pass the test of a Cunning Strike at some Health, items that help used (SW-11)."""
    added = strike_test.settled(thymin.items) + added_when_hurt(health, rulings)
    return passing_throws(thymin.wisdom - added)


@cache
def _promised(thymin: Sheet, enemy: Enemy, modifiers: Modifiers, rulings: tuple[tuple[str, str], ...]) -> Fraction:
    ways = blows(thymin, enemy, by_thymin=True, modifiers=modifiers, rulings=dict(rulings))
    return Fraction(sum((b.to_enemy - b.to_thymin) * count for b, count in ways.items()), SQUARE)


def every_ruling(rulings: Mapping[str, str] | None) -> dict[str, str]:
    """The table's choices, and our defaults where it has made none."""
    return decided(RULINGS, rulings)


def move_of(play: Play[Tale]) -> str:
    """The key of the move that Thymin makes on the map now, whatever his manner: straight at the nearest enemy."""
    fought = play.state.map_fight
    assert fought is not None
    moves = thymins_moves(play)
    ends = {key: key.partition("-")[0] if move.path else fought.thymin for key, move in moves.items()}
    beside = {key: _enemies_beside(fought, square) for key, square in ends.items()}
    fighting = [key for key in moves if beside[key]]
    if beside[STAY]:
        return STAY
    charging = [key for key in fighting if moves[key].run_up is not None]
    return next(iter(charging or fighting), None) or _approach(play, fought, moves)


def _enemies_beside(fought: MapFight, square: Square) -> int:
    return adjacent(combat_map(fought.plan.map), square, [e.square for e in fought.standing.values()])


def _approach(play: Play[Tale], fought: MapFight, moves: Mapping[str, MoveOption]) -> str:
    """Along the shortest way to the nearest enemy, as far as it goes."""
    ground = ground_of(play, 0)
    ways = [way_to_reach(ground, fought.thymin, e.square) for e in fought.standing.values()]
    open_ways = [way.path for way in ways if way is not None]
    if not open_ways:
        return STAY
    return next((square for square in reversed(min(open_ways, key=len)) if square in moves), STAY)


def target_of(targets: list[int]) -> int:
    """Whom Thymin strikes: of the enemies beside him, the one with the lowest number."""
    return min(targets)
