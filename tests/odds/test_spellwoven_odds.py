"""The odds of tests, wounds and attacks of Spellwoven, against every throw one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import UnknownRuling
from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.spellwoven import SEVERITIES, Edge, attack_odds, odds_of_test, throws, wound_odds
from loomtable.engine.spellwoven.levels import Severity, severity_of
from loomtable.engine.spellwoven.rulings import RULINGS
from tests.odds import twins
from tests.short import raises

ADVANTAGE = tuple(c.key for c in RULINGS["advantage"].choices)
edges, ways = st.sampled_from(Edge), st.sampled_from(ADVANTAGE)


@cache
def thrown(edge: str, advantage: str) -> Counter[tuple[int, ...]]:
    return twins.ten_sided(edge, advantage)


@cache
def counted(rating: int, edge: str, advantage: str) -> tuple[Counter[tuple[int, bool]], int]:
    """Throws by their successes and whether they are triplets."""
    found: Counter[tuple[int, bool]] = Counter()
    for faces, count in thrown(edge, advantage).items():
        successes = twins.ten_sided_successes(faces, rating, edge, advantage)
        found[successes, faces.count(faces[0]) == 3] += count
    return found, sum(found.values())


@pytest.mark.parametrize("advantage", ADVANTAGE)
@pytest.mark.parametrize("edge", Edge)
def test_every_throw_has_its_weight(edge: Edge, advantage: str) -> None:
    weights, total = throws(edge, advantage)
    assert sum(weights.values()) == total
    found: Counter[tuple[int, ...]] = Counter()
    for faces, count in thrown(edge, advantage).items():
        found[tuple(sorted(faces))] += count
    each = sum(found.values()) // total
    assert {faces: each * weight for faces, weight in weights.items()} == dict(found)


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 11), st.integers(0, 7), st.integers(0, 4), edges, ways)
def test_a_test_with_effort(rating: int, difficulty: int, effort: int, edge: Edge, advantage: str) -> None:
    odds = odds_of_test(rating, difficulty, effort=effort, edge=edge, rulings={"advantage": advantage})
    found, total = counted(rating, edge, advantage)
    assert sum(odds.successes.chances.values()) == 1
    for successes in range(9):
        count = sum(n for (reached, _), n in found.items() if reached == successes)
        assert odds.successes[successes] == Fraction(count, total)
    assert odds.passed == Fraction(sum(n for (s, _), n in found.items() if s >= difficulty), total)
    assert odds.triplet == Fraction(sum(n for (s, three), n in found.items() if three and s >= difficulty), total)
    assert [line.effort for line in odds.with_effort] == list(range(effort + 1))
    for line in odds.with_effort:
        passed = spent = 0
        for (successes, _), count in found.items():
            for cost in range(line.effort + 1):  # the least that is enough
                if successes + cost >= difficulty:
                    passed += count
                    spent += cost * count
                    break
        assert (line.passed, line.spent) == (Fraction(passed, total), Fraction(spent, total))


@given(st.integers(1, 9), st.integers(0, 6))
def test_a_wound_with_effort(menace: int, effort: int) -> None:
    odds = wound_odds(menace, effort=effort)
    found, total = counted(menace, "none", "four-dice")
    assert sum(odds.severities.values()) == 1
    named = ["glance", "shallow", "deep", "grievous", "felling", "mortal", "mortal"]
    for severity in Severity:
        count = sum(n for (successes, _), n in found.items() if named[successes] == severity)
        assert odds.severities[severity] == Fraction(count, total)
    for spent, line in enumerate(odds.with_effort):
        for place, severity in enumerate(SEVERITIES):
            reached = sum(n for (successes, _), n in found.items() if successes + spent >= place)
            assert line[severity] == Fraction(reached, total)
    assert odds.triplet == Fraction(1, 100)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10),
    st.integers(0, 5),
    st.integers(1, 9),
    st.integers(0, 4),
    edges,
    ways,
    st.sampled_from(["rule-text", "as-in-the-example"]),
)
def test_an_attack_with_effort(
    skill: int, defence: int, menace: int, effort: int, edge: Edge, advantage: str, triplet: str
) -> None:
    decided = {"advantage": advantage, "triplet-vs-worked-example": triplet}
    odds = attack_odds(skill, defence, menace, effort=effort, edge=edge, rulings=decided)
    assert sum(odds.severities.values()) + odds.miss == 1
    hits, hit_total = counted(skill, edge, advantage)
    wounds, wound_total = counted(menace, "none", "four-dice")
    severities: Counter[int] = Counter()
    pierces: Counter[int] = Counter()
    best: Counter[tuple[int, int]] = Counter()
    spent: Counter[tuple[int, int]] = Counter()
    hit: Counter[int] = Counter()
    pierced: Counter[int] = Counter()
    for ((to_hit, three), x), ((successes, three_too), y) in product(hits.items(), wounds.items()):
        past_armour = three_too or (three and triplet == "rule-text")
        if to_hit >= defence:
            severities[min(successes, 5)] += x * y
            pierces[min(successes, 5)] += x * y * past_armour
        for most in range(effort + 1):
            on_the_hit = max(defence - to_hit, 0)
            if on_the_hit > most:
                continue
            hit[most] += x * y
            pierced[most] += x * y * past_armour
            for wanted in range(6):
                enough = on_the_hit + max(wanted - successes, 0)
                best[most, wanted] += x * y * (enough <= most)
                spent[most, wanted] += x * y * (enough if enough <= most else on_the_hit)
    total = hit_total * wound_total
    for place, severity in enumerate(SEVERITIES):
        assert odds.severities[severity] == Fraction(severities[place], total)
        assert odds.pierces[severity] == Fraction(pierces[place], total)
        for line in odds.with_effort:
            assert line.at_least[severity] == Fraction(best[line.effort, place], total)
            assert line.spent[severity] == Fraction(spent[line.effort, place], total)
    for line in odds.with_effort:
        assert (line.hit, line.pierces) == (
            Fraction(hit[line.effort], total),
            Fraction(pierced[line.effort], total),
        )


def test_effort_declared_before_the_roll_passes_as_often() -> None:
    after = odds_of_test(4, 3, effort=2).with_effort[2].passed
    assert after == odds_of_test(4, 1).passed


@pytest.mark.parametrize("menace", [10, 12, 20])
def test_menace_above_9_is_every_throw(menace: int) -> None:
    """All dice are successes from 10 on, and a 1 counts twice whatever the Menace."""
    found: Counter[Severity] = Counter()
    for throw in product(range(1, 11), repeat=3):
        found[severity_of(sum(2 if face == 1 else 1 for face in throw))] += 1
    assert wound_odds(menace).severities == {s: Fraction(found[s], 1000) for s in Severity}
    assert attack_odds(9, 2, menace).severities[Severity.MORTAL] > 0


def test_what_cannot_be_reckoned_says_why() -> None:
    for ask, words in (
        (lambda: odds_of_test(-1, 3), "the rating has to be from 0"),
        (lambda: odds_of_test(5, -1), "the difficulty has to be from 0"),
        (lambda: wound_odds(0), "Menace has to be from 1 to 20, not 0"),
        (lambda: attack_odds(5, 3, 4, effort=-1), "Effort has to be from 0"),
    ):
        raises(OddsUnknown, words, ask)
    raises(UnknownRuling, "it has four-dice", odds_of_test, 5, 3, rulings={"advantage": "luck"})
