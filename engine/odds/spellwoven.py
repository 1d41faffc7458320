"""Spellwoven: the odds of a test, of a wound's severity, and of both together (SP-1, SP-2, SP-10, SP-11, SP-17).

Three ten-sided dice have 220 different throws and four have 715: all of them are counted, each with its weight,
once. What a rating makes of them are a few small tables of whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import msgspec

from loomtable.engine.odds.exact import Distribution, decided, distribution, whole
from loomtable.engine.spellwoven.armoury import MOST_MENACE
from loomtable.engine.spellwoven.attribute_tests import successes_of
from loomtable.engine.spellwoven.levels import Severity, severity_of
from loomtable.engine.spellwoven.rulings import RULINGS

DICE = 3
FACES = range(1, 11)
MOST = 99

Throw = tuple[int, int, int]


class Edge(StrEnum):
    """Whether a test is made at advantage (SP-23)."""

    NONE = "none"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


SEVERITIES = tuple(Severity)
"""From a Glance to Mortal: a severity's place is the successes that inflict it (SP-11)."""


class EffortOdds(msgspec.Struct, frozen=True):
    """A test with Effort to spend (SP-2)."""

    effort: int
    """The most that may be spent."""
    passed: Fraction
    """The chance to pass at that cost or less; the same whether Effort is declared before the roll or after it."""
    spent: Fraction
    """Effort to expect, if it is spent after the roll, where it turns a failure, and no more than that takes."""


class SkillTestOdds(msgspec.Struct, frozen=True):
    """What a test may bring (SP-1)."""

    rating: int
    difficulty: int
    edge: Edge
    successes: Distribution
    passed: Fraction
    triplet: Fraction
    """The chance to pass, without Effort, with three equal dice (SP-17)."""
    with_effort: tuple[EffortOdds, ...]
    """For 0, 1, ... Effort."""


class WoundOdds(msgspec.Struct, frozen=True):
    """What a Menace roll may bring (SP-11)."""

    menace: int
    severities: dict[Severity, Fraction]
    triplet: Fraction
    with_effort: tuple[dict[Severity, Fraction], ...]
    """For 0, 1, ... Effort: the chance to reach each severity or a graver one."""


class AttackEffort(msgspec.Struct, frozen=True):
    """An attack with Effort to spend, on the hit, on the wound or on both (SP-2)."""

    effort: int
    hit: Fraction
    pierces: Fraction
    """The chance that the attack hits and a triplet ignores armour and shields (SP-17)."""
    at_least: dict[Severity, Fraction]
    """The chance to hit and reach each severity or a graver one: the most that this much Effort can bring."""
    spent: dict[Severity, Fraction]
    """Effort to expect of one who wants that severity: what the hit takes, then the wound if there is enough."""


class AttackOdds(msgspec.Struct, frozen=True):
    """What an attack may bring, to the hit and the wound together (SP-10, SP-11, SP-17)."""

    skill: int
    defence: int
    menace: int
    edge: Edge
    miss: Fraction
    severities: dict[Severity, Fraction]
    """Without Effort: the chance to hit with exactly this severity."""
    pierces: dict[Severity, Fraction]
    """Without Effort: the chance to hit with exactly this severity, armour ignored."""
    with_effort: tuple[AttackEffort, ...]
    """For 0, 1, ... Effort."""


@cache
def throws(edge: Edge, advantage: str) -> tuple[dict[Throw, int], int]:
    """The three dice that count, lowest first, with their weights, and the total of the weights.

    A lower face is the better one. Where one die is re-rolled, it is the highest at advantage and the lowest at
    disadvantage, and its second face stands.
    """
    weights: Counter[Throw] = Counter()
    if edge is Edge.NONE or advantage == "one-success":
        for lying, weight in _all_throws(DICE):
            weights[_throw(lying)] += weight
    elif advantage == "four-dice":
        for lying, weight in _all_throws(DICE + 1):
            weights[_throw(lying[:DICE] if edge is Edge.ADVANTAGE else lying[-DICE:])] += weight
    else:
        for lying, weight in _all_throws(DICE):
            kept = lying[:-1] if edge is Edge.ADVANTAGE else lying[1:]
            for face in FACES:
                weights[_throw((*kept, face))] += weight
    return dict(weights), sum(weights.values())


def _all_throws(dice: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every throw of so many dice, lowest face first, with the number of ways in which it can fall."""
    for lying in combinations_with_replacement(FACES, dice):
        yield lying, factorial(dice) // prod(map(factorial, Counter(lying).values()))


def _throw(faces: tuple[int, ...]) -> Throw:
    least, middle, most = sorted(faces)
    return least, middle, most


@cache
def _counted(rating: int, edge: Edge, advantage: str) -> tuple[dict[tuple[int, bool], int], int]:
    """Weights of (successes, triplet) for a rating, and their total."""
    bonus = {Edge.NONE: 0, Edge.ADVANTAGE: 1, Edge.DISADVANTAGE: -1}[edge] if advantage == "one-success" else 0
    weights: dict[tuple[int, bool], int] = {}
    lying, total = throws(edge, advantage)
    for throw, weight in lying.items():
        key = max(successes_of(throw, rating) + bonus, 0), throw[0] == throw[-1]
        weights[key] = weights.get(key, 0) + weight
    return weights, total


def odds_of_test(
    rating: int,
    difficulty: int,
    *,
    effort: int = 0,
    edge: Edge = Edge.NONE,
    rulings: Mapping[str, str] | None = None,
) -> SkillTestOdds:
    """The odds of a test of ``rating`` against ``difficulty``, with 0 to ``effort`` Effort (SP-1, SP-2).

    ``rulings`` are the table's choices by ruling id; our defaults stand where it has none.

    Raises:
        OddsUnknown: a number is out of bounds.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    whole(rating, "the rating", 0, MOST)
    whole(difficulty, "the difficulty", 0, MOST)
    weights, total = _counted(rating, Edge(edge), decided(RULINGS, rulings)["advantage"])
    reached: dict[int, int] = {}
    short: dict[int, int] = {}
    triplets = 0
    for (successes, triplet), weight in weights.items():
        missing = max(difficulty - successes, 0)
        reached[successes] = reached.get(successes, 0) + weight
        short[missing] = short.get(missing, 0) + weight
        triplets += weight * (triplet and not missing)
    lines = tuple(_effort_line(e, short, total) for e in range(whole(effort, "Effort", 0, MOST) + 1))
    return SkillTestOdds(
        rating,
        difficulty,
        Edge(edge),
        distribution(reached, total),
        lines[0].passed,
        Fraction(triplets, total),
        lines,
    )


def _effort_line(effort: int, short: dict[int, int], total: int) -> EffortOdds:
    enough = {missing: weight for missing, weight in short.items() if missing <= effort}
    return EffortOdds(
        effort,
        Fraction(sum(enough.values()), total),
        Fraction(sum(missing * weight for missing, weight in enough.items()), total),
    )


def wound_odds(menace: int, *, effort: int = 0) -> WoundOdds:
    """The odds of a wound's severity, with 0 to ``effort`` Effort (SP-2, SP-11).

    Raises:
        OddsUnknown: a number is out of bounds.
    """
    whole(menace, "Menace", 1, MOST_MENACE)
    weights, total = _counted(menace, Edge.NONE, "four-dice")
    found = dict.fromkeys(SEVERITIES, 0)
    for (successes, _), weight in weights.items():
        found[severity_of(successes)] += weight
    return WoundOdds(
        menace,
        {s: Fraction(w, total) for s, w in found.items()},
        Fraction(sum(w for (_, triplet), w in weights.items() if triplet), total),
        tuple(
            {
                wanted: Fraction(sum(found[s] for s in SEVERITIES[max(place - spent, 0) :]), total)
                for place, wanted in enumerate(SEVERITIES)
            }
            for spent in range(whole(effort, "Effort", 0, MOST) + 1)
        ),
    )


def attack_odds(
    skill: int,
    defence: int,
    menace: int,
    *,
    effort: int = 0,
    edge: Edge = Edge.NONE,
    rulings: Mapping[str, str] | None = None,
) -> AttackOdds:
    """The odds of an attack: the test to hit, then the Menace roll, with 0 to ``effort`` Effort for both together.

    The edge is the test's alone, the Menace roll has none. ``rulings`` are the table's choices by ruling id; our
    defaults stand where it has none.

    Raises:
        OddsUnknown: a number is out of bounds.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    whole(skill, "the skill", 0, MOST)
    whole(defence, "the Quickness Defence", 0, MOST)
    whole(menace, "Menace", 1, MOST_MENACE)
    whole(effort, "Effort", 0, MOST)
    table = decided(RULINGS, rulings)
    either_roll = table["triplet-vs-worked-example"] == "rule-text"
    tests, test_total = _counted(skill, Edge(edge), table["advantage"])
    wounds, wound_total = _counted(menace, Edge.NONE, "four-dice")
    pairs: dict[tuple[int, Severity, bool], int] = {}
    for (hit, hit_triplet), x in tests.items():
        for (wound, wound_triplet), y in wounds.items():
            pierces = wound_triplet or (hit_triplet and either_roll)
            key = max(defence - hit, 0), severity_of(wound), pierces
            pairs[key] = pairs.get(key, 0) + x * y
    total = test_total * wound_total
    lines = tuple(_attack_line(e, pairs, total) for e in range(effort + 1))
    hits = {s: {p: pairs.get((0, s, p), 0) for p in (False, True)} for s in Severity}
    return AttackOdds(
        skill,
        defence,
        menace,
        Edge(edge),
        1 - lines[0].hit,
        {s: Fraction(hits[s][False] + hits[s][True], total) for s in Severity},
        {s: Fraction(hits[s][True], total) for s in Severity},
        lines,
    )


def _attack_line(effort: int, pairs: dict[tuple[int, Severity, bool], int], total: int) -> AttackEffort:
    hit = pierces = 0
    reached, spent = dict.fromkeys(SEVERITIES, 0), dict.fromkeys(SEVERITIES, 0)
    for (to_hit, wound, pierced), weight in pairs.items():
        if to_hit > effort:
            continue
        hit += weight
        pierces += weight * pierced
        for place, wanted in enumerate(SEVERITIES):
            cost = to_hit + max(place - SEVERITIES.index(wound), 0)
            reached[wanted] += weight * (cost <= effort)
            spent[wanted] += weight * (cost if cost <= effort else to_hit)
    return AttackEffort(
        effort,
        Fraction(hit, total),
        Fraction(pierces, total),
        {s: Fraction(w, total) for s, w in reached.items()},
        {s: Fraction(w, total) for s, w in spent.items()},
    )
