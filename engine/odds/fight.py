"""Storm Weavers: a whole fight without a map, exactly (SW-8, SW-9, SW-11, SW-15).

A fight is a walk over (Thymin's Health, the enemy's Health, whose attack it is). Injuries only lower Health, so
the walk goes down row by row; an exchange in which nobody is hurt only passes the turn, and the endless to and fro
of such exchanges is summed at once: with A and B of 36 throws hurting nobody on Thymin's and on the enemy's
attack, whoever comes to a pair of Healths leaves it after so many visits as 1 / (1 - AB/1296) says.

Everything is kept in whole numbers: a state is scaled by (1296 - AB) once for every point of Health lost on the
way to it, which is never less than the times it was divided. Fractions appear only at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate, repeat
from math import gcd
from operator import mul
from typing import NamedTuple

import msgspec

from loomtable.engine.odds.exact import Distribution, OddsUnknown, decided, whole
from loomtable.engine.odds.storm_weavers import (
    FARTHEST,
    SQUARE,
    Blow,
    blows,
    passing_throws,
    when_hurt,
)
from loomtable.engine.storm_weavers.attacks import CUNNING_STRIKE_INJURIES
from loomtable.engine.storm_weavers.plans import Enemy, Modifiers
from loomtable.engine.storm_weavers.rulings import RULINGS
from loomtable.engine.storm_weavers.sheet import Sheet

_NO_MODIFIERS = Modifiers()


class CunningStrikes(StrEnum):
    """When Thymin makes a Cunning Strike instead of an attack (SW-11)."""

    NEVER = "never"
    ALWAYS = "always"


class FightOdds(msgspec.Struct, frozen=True):
    """What a fight may bring."""

    won: Fraction
    lost: Fraction
    exchanges: Fraction
    """Exchanges to expect, those in which nobody is hurt included."""
    final_health: Distribution
    """Thymin's Health at the end; 0 is 0 or less, which sends him to paragraph 225 (SW-16)."""
    enemy_final_health: Distribution
    """The enemy's Health at the end; 0 is 0 or less."""


class _Phase(NamedTuple):
    """One side's attack: injuries with the ways of 36 in which each comes about, and the ways that hurt nobody."""

    to_thymin: tuple[tuple[int, int], ...]
    to_enemy: tuple[tuple[int, int], ...]
    idle: int


def fight_odds(
    thymin: Sheet,
    enemy: Enemy,
    *,
    thymin_first: bool = True,
    modifiers: Modifiers = _NO_MODIFIERS,
    cunning_strikes: CunningStrikes = CunningStrikes.NEVER,
    strike_modifier: int = 0,
    rulings: Mapping[str, str] | None = None,
) -> FightOdds:
    """The odds of a fight to the end, from the sheet and the enemy as they are (SW-15).

    ``modifiers`` are what the paragraph adds to Attack and Defence in the whole fight, ``strike_modifier`` what it
    and items add to the dice of Cunning Strikes; ``rulings`` are the table's
    choices by ruling id, our defaults where it has none.

    Raises:
        OddsUnknown: a number is out of bounds, Cunning Strikes are ruled out, or nobody can ever hurt the other.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    whole(thymin.health, "Thymin's Health", 1, FARTHEST)
    whole(enemy.health, "the enemy's Health", 1, FARTHEST)
    allowed = decided(RULINGS, rulings)["cunning-strike-without-map"] == "as-the-example"
    cunning = CunningStrikes(cunning_strikes) is CunningStrikes.ALWAYS
    if cunning and not allowed:
        raise OddsUnknown("Cunning Strikes are ruled out in fights without a map (cunning-strike-without-map)")
    strike = _phase(blows(thymin, enemy, by_thymin=True, modifiers=modifiers, rulings=rulings))
    answer = _phase(blows(thymin, enemy, by_thymin=False, modifiers=modifiers, rulings=rulings))

    def thymins(health: int) -> _Phase:
        return _cunning(thymin.wisdom - strike_modifier, health, rulings) if cunning else strike

    if not cunning and strike.idle == answer.idle == SQUARE:
        raise OddsUnknown(f"neither Thymin nor {enemy.name} can ever hurt the other; the fight would never end")
    return _walk(thymin.health, enemy.health, thymin_first, thymins, answer)


def _phase(ways: dict[Blow, int]) -> _Phase:
    return _Phase(
        tuple((blow.to_thymin, count) for blow, count in ways.items() if blow.to_thymin),
        tuple((blow.to_enemy, count) for blow, count in ways.items() if blow.to_enemy),
        ways.get(Blow(0, 0), 0),
    )


def _cunning(wisdom: int, health: int, rulings: Mapping[str, str] | None) -> _Phase:
    """A Cunning Strike at some Health: three injuries to the enemy, or to Thymin (SW-11)."""
    passing = passing_throws(wisdom - when_hurt(health, rulings))
    return _Phase(
        tuple((injuries, ways) for injuries, ways in ((CUNNING_STRIKE_INJURIES, SQUARE - passing),) if ways),
        tuple((injuries, ways) for injuries, ways in ((CUNNING_STRIKE_INJURIES, passing),) if ways),
        0,
    )


class _Scale(NamedTuple):
    """The whole numbers behind the endless to and fro, with what they share taken out."""

    stay: int
    pass_to_thymin: int
    pass_to_enemy: int
    powers: tuple[int, ...]
    """The base, (1296 - AB) less what is shared, to the powers 0, 1, ... of all Health there is to lose."""


def _scale(idle: int, idle_answer: int, health: int) -> _Scale:
    shared = gcd(SQUARE, idle, idle_answer)
    base = (SQUARE * SQUARE - idle * idle_answer) // shared
    powers = tuple(accumulate(repeat(base, health), mul, initial=1))
    return _Scale(SQUARE // shared, idle_answer // shared, idle // shared, powers)


Landings = list[list[tuple[int, int]]]


def _landings(injuries: tuple[tuple[int, int], ...], health: int, powers: tuple[int, ...]) -> Landings:
    """From each Health: where injuries leave it, and the scaled ways that lead there; 0 is 0 or less."""
    landings: Landings = [[]]
    for standing in range(1, health + 1):
        ways: dict[int, int] = {}
        for lost, count in injuries:
            left = max(standing - lost, 0)
            ways[left] = ways.get(left, 0) + count
        landings.append([(left, count * powers[standing - left - 1]) for left, count in ways.items()])
    return landings


def _walk(
    thymin: int, enemy: int, thymin_first: bool, thymins: Callable[[int], _Phase], answer: _Phase
) -> FightOdds:
    strikes = [thymins(health) for health in range(1, thymin + 1)]
    scale = _scale(strikes[-1].idle, answer.idle, thymin + enemy)
    stay, pass_to_thymin, pass_to_enemy, powers = scale
    hurts = {
        phase: (_landings(phase.to_thymin, thymin, powers), _landings(phase.to_enemy, enemy, powers))
        for phase in {*strikes, answer}
    }
    answer_to_thymin, answer_to_enemy = hurts[answer]

    # The chances of coming to a pair of Healths before Thymin's, and before the enemy's attack, times
    # base ** (Health lost so far). Row 0 and column 0 are where somebody has fallen.
    to_strike = [[0] * (enemy + 1) for _ in range(thymin + 1)]
    to_answer = [[0] * (enemy + 1) for _ in range(thymin + 1)]
    (to_strike if thymin_first else to_answer)[thymin][enemy] = 1
    visits = [0] * (thymin + enemy)
    for t in range(thymin, 0, -1):
        strike_to_thymin, strike_to_enemy = hurts[strikes[t - 1]]
        strike_row, answer_row = to_strike[t], to_answer[t]
        for e in range(enemy, 0, -1):
            struck, answered = strike_row[e], answer_row[e]
            if not struck and not answered:
                continue
            # Times 36 / base these are the visits to this pair of Healths, before either attack.
            striking = stay * struck + pass_to_thymin * answered
            answering = stay * answered + pass_to_enemy * struck
            visits[thymin - t + enemy - e] += striking + answering
            for left, ways in strike_to_enemy[e]:
                answer_row[left] += striking * ways
            for left, ways in strike_to_thymin[t]:
                to_answer[left][e] += striking * ways
            for left, ways in answer_to_enemy[e]:
                strike_row[left] += answering * ways
            for left, ways in answer_to_thymin[t]:
                to_strike[left][e] += answering * ways
    ends = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(to_strike, to_answer, strict=True)]
    return _summed(ends, visits, powers)


def _summed(ends: list[list[int]], visits: list[int], powers: tuple[int, ...]) -> FightOdds:
    """The ends of the walk over one denominator: where less Health was lost, some powers are lacking."""
    total = powers[-1]
    wins = [row[0] * powers[health] for health, row in enumerate(ends)]
    losses = [weight * powers[health] for health, weight in enumerate(ends[0])]
    won, lost = sum(wins), sum(losses)
    exchanges = sum(weight * powers[-2 - lost_so_far] for lost_so_far, weight in enumerate(visits))
    return FightOdds(
        won=Fraction(won, total),
        lost=Fraction(lost, total),
        exchanges=Fraction(exchanges * SQUARE, total),
        final_health=_final(lost, wins, total),
        enemy_final_health=_final(won, losses, total),
    )


def _final(fallen: int, left: list[int], total: int) -> Distribution:
    weights = [fallen, *left[1:]]
    return Distribution({health: Fraction(w, total) for health, w in enumerate(weights) if w})
