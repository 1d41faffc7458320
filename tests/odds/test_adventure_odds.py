"""The chance to win an adventure: brute force on small ones, play at the engine's own table, and laws (SW-17)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.odds.adventure import AdventurePlan, adventure_odds
from loomtable.engine.odds.adventure_stages import Line, changed
from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.fight import CunningStrikes, fight_odds
from loomtable.engine.odds.fight_ends import DEAD, Chances, FightEnding
from loomtable.engine.odds.manners import Manner
from loomtable.engine.odds.map_fight import map_fight_chances
from loomtable.engine.odds.short_fight import short_fight_chances
from loomtable.engine.storm_weavers import paragraphs
from loomtable.engine.storm_weavers.adventure import Adventure, parse_adventure
from loomtable.engine.storm_weavers.adventure_check import check_adventure_text, playable_adventure
from loomtable.engine.storm_weavers.plans import (
    Change,
    Conditions,
    Enemy,
    FightEnd,
    FightOutcome,
    FightPlan,
    MapEnemy,
    MapFightPlan,
    Modifiers,
)
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, Attribute, Sheet
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, AdventureEnding
from tests.odds.adventure_player import Player
from tests.odds.fights_tried_out import every_throw
from tests.short import raises

HEAD = "adventure: small\ntitle: Small\nabout: A walk.\nlicence: CC0\nparagraphs:\n"
TAIL = "  225:\n    text: The end.\n    ending: death\n"
MARKET = (
    HEAD
    + """\
  1:
    text: A market.
    choices:
    - {says: Go., to: 2}
    - says: Buy a rope.
      to: 1
      if: {gold: 20, without: Rope}
      changes: [{attribute: gold, by: -20}, {gain: Rope}]
    - {says: Rest, once., to: 3, if: {unvisited: 3}}
  2:
    text: A gap.
    test: {attribute: dexterity, items: {Rope: -2}, pass: 4, fail: 5}
  3:
    text: A bench.
    changes: [{attribute: health, by: -12}]
    then: 1
  4:
    text: A toll.
    choices:
    - {says: Pay., to: 7, if: {gold: 40}}
    - {says: Toss., to: 6}
  5:
    text: A fall.
    changes: [{attribute: health, by: -9}]
    then: 4
  6:
    text: A coin.
    coin: {pass: 7, fail: 225}
  7:
    text: Home.
    ending: victory
"""
    + TAIL
)
FIGHTS = (
    HEAD
    + """\
  1:
    text: A goblin.
    fight:
      enemy: {name: Goblin, dexterity: 7, health: 6}
      strike_test: {modifier: 1, items: {Axe: -2}}
      ends:
      - {when: all-dead, to: 2}
      - {when: rounds, at: 3, to: 3}
  2:
    text: Two goblins.
    map_fight:
      map: alder-ford
      speed: 3
      enemies:
      - {name: Goblin, dexterity: 7, health: 4}
      - {name: Goblin, dexterity: 7, health: 4, weapon_bonus: 1, still: true}
      ends:
      - {when: all-dead, to: 4}
      - {when: thymin-health, at: 5, to: 3}
      - {when: rounds, at: 6, to: 3}
  3:
    text: A coin.
    coin: {side: tails, pass: 5, fail: 225}
  4:
    text: Home.
    ending: victory
  5:
    text: A narrow door.
    test: {attribute: wisdom, dice: 1d8, pass: 4, fail: 225}
"""
    + TAIL
)


def small(text: str) -> Adventure:
    text = text.replace("Rest, once.", "'Rest, once.'")
    assert check_adventure_text(text, "small.yaml") == []
    return parse_adventure(text, "small.yaml")[0]


def test_a_market_a_gap_and_a_toll_by_hand() -> None:
    """Dexterity 7: 21 of 36 throws pass, 30 with the rope. By the simple line he goes at once, and pays."""
    plan = AdventurePlan(small(MARKET), Line.SIMPLE, 2)
    assert plan.won == 1
    poor = small(MARKET.replace("gold: 40", "gold: 60"))
    assert AdventurePlan(poor, Line.SIMPLE, 2).won == Fraction(1, 2)
    grave = small(MARKET.replace("by: -9", "by: -20").replace("gold: 40", "gold: 30"))
    assert AdventurePlan(grave, Line.SIMPLE, 2).won == Fraction(21, 36)
    best = AdventurePlan(grave, Line.BEST, 2)
    assert best.won == Fraction(30, 36)
    assert best.odds().read[1] == 2  # he comes back to the market once, with the rope


def brute(adventure: Adventure, number: int, sheet: Sheet, visited: frozenset[int]) -> Fraction:
    """The best chance without any fights, every decision and every throw tried out one by one."""
    page = adventure.paragraphs[number]
    sheet = changed(sheet, page.changes)
    visited |= {number}
    if sheet.health <= 0 or number == DEATH_PARAGRAPH:
        return Fraction(0)
    if page.ending is not None:
        return Fraction(page.ending is AdventureEnding.VICTORY)
    if page.then is not None:
        return brute(adventure, page.then, sheet, visited)
    if page.coin is not None:
        return (
            sum((brute(adventure, to, sheet, visited) for to in (page.coin.passed, page.coin.failed)), Fraction())
            / 2
        )
    if page.test is not None:
        hurt = 0 if sheet.health >= 10 else 4 if sheet.health < 4 else 2
        found = []
        for used in ((), *((item,) for item in page.test.items if item in sheet.items)):
            added = page.test.modifier + hurt + sum(page.test.items[item] for item in used)
            worth = Fraction(0)
            for one, two in product(range(1, 7), repeat=2):
                passed = one + two + added <= sheet.value(page.test.attribute)
                worth += brute(adventure, page.test.passed if passed else page.test.failed, sheet, visited)
            found.append(worth / 36)
        return max(found)
    return max(
        brute(adventure, choice.to, changed(sheet, choice.changes), visited)
        for choice in page.choices
        if choice.needs.holds(sheet, tuple(visited))
    )


@settings(max_examples=25, deadline=None)
@given(
    gold=st.sampled_from([20, 30, 31, 40, 50, 51]),
    fall=st.integers(-20, -1),
    bench=st.integers(-21, 5),
    points=st.integers(0, 4),
)
def test_the_best_line_is_brute_forces(gold: int, fall: int, bench: int, points: int) -> None:
    text = MARKET.replace("gold: 40", f"gold: {gold}").replace("by: -9", f"by: {fall}").replace("-12", str(bench))
    adventure = small(text)
    plan = AdventurePlan(adventure, Line.BEST, points)
    start = Sheet(5 + points, 9 - points)
    assert plan.won == brute(adventure, 1, start, frozenset())
    odds = plan.odds()
    assert sum(odds.endings.values()) == 1
    assert (
        sum(c for n, c in odds.endings.items() if adventure.paragraphs[n].ending is AdventureEnding.VICTORY)
        == plan.won
    )
    assert AdventurePlan(adventure, Line.SIMPLE, points).won <= plan.won


@pytest.mark.parametrize("line", list(Line))
def test_what_is_reckoned_is_what_is_played(monkeypatch: pytest.MonkeyPatch, line: Line) -> None:
    """Two fights and a coin, played at the engine's table by the same line, within five standard deviations."""
    adventure = small(FIGHTS)
    monkeypatch.setattr(paragraphs, "playable_adventure", lambda name: adventure)
    plan = AdventurePlan(adventure, line, 1)
    plays = 300
    ended = Counter(Player(plan, "small", seed).played() for seed in range(plays))
    for number, chance in plan.odds().endings.items():
        spread = 5 * (float(chance * (1 - chance)) / plays) ** 0.5
        assert abs(ended[number] / plays - float(chance)) < spread + 0.01


def test_going_round_for_ever_has_no_odds() -> None:
    adventure = small(
        MARKET.replace("    changes: [{attribute: health, by: -12}]\n", "").replace(", if: {unvisited: 3}", "")
    )
    raises(OddsUnknown, "paragraph 1 back to it with nothing changed", adventure_odds, adventure, Line.BEST, 2)
    assert adventure_odds(adventure, Line.SIMPLE, 2).won == 1


@pytest.mark.parametrize("points", [-1, 5])
def test_points_out_of_bounds_are_refused(points: int) -> None:
    raises(OddsUnknown, "points for Dexterity", adventure_odds, small(MARKET), Line.SIMPLE, points)


# Fights


def of_end(chances: Chances, end: int) -> Fraction:
    return Fraction(sum(w for ending, w in chances.weights.items() if ending.end == end), chances.total)


def a_fight(*ends: FightEnd, health: int = 6, dexterity: int = 7) -> FightPlan:
    return FightPlan(Enemy("Goblin", dexterity, health, 1), ends=(FightEnd(FightOutcome.ALL_DEAD, to=2), *ends))


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 10), st.integers(1, 9), st.integers(1, 9), st.integers(0, 2), st.integers(0, 2))
def test_a_fight_to_the_end_is_the_one_that_was_always_reckoned(
    dexterity: int, enemy: int, health: int, bonus: int, armour: int
) -> None:
    thymin = Sheet(dexterity, 7, weapon_bonus=bonus, armour_class=armour, health=health)
    plan = a_fight(health=enemy)
    [*_, chances] = short_fight_chances(thymin, plan, Manner.PLAIN).values()
    odds = fight_odds(thymin, plan.enemy, cunning_strikes=CunningStrikes.NEVER)
    assert (of_end(chances, 0), of_end(chances, DEAD)) == (odds.won, odds.lost)
    for left, chance in odds.final_health.chances.items():
        if left:
            assert Fraction(chances.weights[FightEnding(0, left)], chances.total) == chance


def in_fractions(chances: Chances) -> dict[FightEnding, Fraction]:
    return {ending: Fraction(weight, chances.total) for ending, weight in chances.weights.items()}


@pytest.mark.parametrize("manner", list(Manner))
@pytest.mark.parametrize(("health", "bonus"), [(9, 0), (4, 1), (12, 1)])
def test_a_round_without_a_map_is_every_throw(manner: Manner, health: int, bonus: int) -> None:
    ends = (
        FightEnd(FightOutcome.ENEMY_HEALTH, at=1, to=3),
        FightEnd(FightOutcome.ROUND_WON, to=4),
        FightEnd(FightOutcome.ROUNDS, at=1, to=5),
    )
    plan, thymin = a_fight(*ends, health=4), Sheet(6, 8, weapon_bonus=bonus, health=health)
    assert in_fractions(short_fight_chances(thymin, plan, manner)[health]) == every_throw(thymin, plan, manner)


@pytest.mark.parametrize(
    ("map_", "thymin_at", "square", "health", "manner"),
    [
        ("lamp-room", "C2", "D2", 9, Manner.WEIGHING),
        ("alder-ford", "A3", "D3", 12, Manner.PLAIN),
        ("alder-ford", "F3", "F4", 4, Manner.PLAIN),
    ],
)
def test_a_round_on_a_map_is_every_throw(
    map_: str, thymin_at: str, square: str, health: int, manner: Manner
) -> None:
    """Charges, pushes, what stops them, and flights into the fire, as the engine has them."""
    enemy = MapEnemy("Goblin", 7, 5, 1, square=square)
    ends = (
        FightEnd(FightOutcome.ALL_DEAD, to=2),
        FightEnd(FightOutcome.THYMIN_HEALTH, at=3, to=3),
        FightEnd(FightOutcome.ROUND_LOST, to=4),
        FightEnd(FightOutcome.ROUNDS, at=1, to=5),
    )
    conditions = Conditions(collision={"fire": 2} if map_ == "alder-ford" else {})
    plan = MapFightPlan(map_, (enemy,), thymin_at, 3, conditions, ends=ends)
    thymin = Sheet(7, 8, weapon_bonus=1, health=health)
    assert in_fractions(map_fight_chances(thymin, plan, manner)[health]) == every_throw(thymin, plan, manner)


@pytest.mark.parametrize(
    ("thymin_at", "wisdom", "manner", "rulings"),
    [
        ("A3", 7, Manner.PLAIN, {}),
        ("A3", 7, Manner.PLAIN, {"charge-several-attacks": "first-attack"}),
        ("C5", 9, Manner.WEIGHING, {"cunning-strike-pushes": "never"}),
    ],
)
def test_a_phase_of_two_attacks_is_every_throw(
    thymin_at: str, wisdom: int, manner: Manner, rulings: dict[str, str]
) -> None:
    """A charge that is over when Thymin is thrown back by the first attack, as the engine has it (SW-12)."""
    enemies = (
        MapEnemy("Goblin", 9, 3, 1, square="C2", still=True),
        MapEnemy("Goblin", 8, 3, square="C4", still=True),
    )
    ends = (
        FightEnd(FightOutcome.ALL_DEAD, to=2),
        FightEnd(FightOutcome.ENEMY_HEALTH, at=2, enemy=2, to=4),
        FightEnd(FightOutcome.ROUNDS, at=1, to=3),
    )
    plan = MapFightPlan("sluice-yard", enemies, thymin_at, 3, Conditions(attacks=2), ends=ends)
    thymin = Sheet(7, wisdom, health=4)
    reckoned = in_fractions(map_fight_chances(thymin, plan, manner, rulings)[4])
    assert reckoned == every_throw(thymin, plan, manner, rulings)


@pytest.mark.parametrize(
    ("goblin", "other"),
    [
        ({"attacks": 2}, {"square": "G6", "still": True}),
        ({"peaceful": True}, {"flees_at": 2, "square": "C4"}),
        ({"modifiers": Modifiers(1, -1, 2, -2), "still": True}, {"keeps_away": True, "square": "D1"}),
        ({"flees_at": 3, "attacks": 2}, {"square": "A1", "still": True}),
    ],
)
def test_every_manner_of_enemies_is_every_throw(goblin: dict[str, Any], other: dict[str, Any]) -> None:
    enemies = (MapEnemy("Goblin", 8, 4, 1, square="C2", **goblin), MapEnemy("Goblin", 7, 2, **other))
    ends = (
        FightEnd(FightOutcome.ALL_DEAD, to=2),
        FightEnd(FightOutcome.THYMIN_HEALTH, at=1, to=4),
        FightEnd(FightOutcome.ROUNDS, at=1 if other["square"] == "C4" else 2, to=3),
    )
    conditions = Conditions(collision={"character": 2})
    plan = MapFightPlan("sluice-yard", enemies, "C3", 2, conditions, ends=ends)
    thymin = Sheet(7, 7, health=3)
    assert in_fractions(map_fight_chances(thymin, plan, Manner.PLAIN)[3]) == every_throw(
        thymin, plan, Manner.PLAIN
    )


@pytest.mark.parametrize("on_map", [False, True])
def test_a_fight_whose_end_already_holds_has_no_other(on_map: bool) -> None:
    ends = (
        FightEnd(FightOutcome.ALL_DEAD, to=2),
        FightEnd(FightOutcome.THYMIN_HEALTH, at=3, to=3),
        FightEnd(FightOutcome.ROUNDS, at=1, to=4),
    )
    thymin = Sheet(7, 7, health=5)
    plan = (
        MapFightPlan("lamp-room", (MapEnemy("Goblin", 7, 4, square="D2"),), "C2", ends=ends)
        if on_map
        else FightPlan(Enemy("Goblin", 7, 4), ends=ends)
    )
    found = (
        map_fight_chances(thymin, plan, Manner.PLAIN)
        if isinstance(plan, MapFightPlan)
        else short_fight_chances(thymin, plan, Manner.PLAIN)
    )
    for health, chances in found.items():
        at_once = every_throw(Sheet(7, 7, health=health), plan, Manner.PLAIN)
        assert in_fractions(chances) == at_once
        assert (at_once == {FightEnding(1, health): 1}) is (health <= 3)


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_chances_of_a_map_fight_add_up_and_more_health_is_never_worse(rounds: int) -> None:
    goblin = MapEnemy("Goblin", 7, 4, 1)
    ends = (FightEnd(FightOutcome.ALL_DEAD, to=2), FightEnd(FightOutcome.ROUNDS, at=rounds, to=3))
    plan = MapFightPlan("lamp-room", (goblin, goblin), speed=3, ends=ends)
    found = map_fight_chances(Sheet(7, 7), plan, Manner.PLAIN)
    dead = [of_end(found[health], DEAD) for health in range(1, MAX_HEALTH + 1)]
    assert dead == sorted(dead, reverse=True)
    for health, chances in found.items():
        assert sum(chances.weights.values()) == chances.total
        assert all(ending.health <= health for ending in chances.weights)


def test_a_map_fight_without_a_last_round_is_refused() -> None:
    plan = MapFightPlan("lamp-room", (MapEnemy("Goblin", 7, 4),), ends=(FightEnd(FightOutcome.ALL_DEAD, to=2),))
    raises(OddsUnknown, "can go on for ever", map_fight_chances, Sheet(7, 7), plan, Manner.PLAIN)


def test_a_bonus_can_only_help() -> None:
    change = Change(attribute=Attribute.HEALTH, by=30)
    assert changed(Sheet(7, 7, health=3), (change,)).health == MAX_HEALTH


# The adventure that travels with Loomtable


def test_karrow_heads_simple_line() -> None:
    """The exact chance that docs/adventures.md names; ``benchmarks/adventure.py`` plays it thousands of times."""
    adventure = playable_adventure("the-light-on-karrow-head")
    plan = AdventurePlan(adventure, Line.SIMPLE, 2)
    assert Fraction(25, 100) < plan.won < Fraction(45, 100)


@pytest.mark.parametrize("manner", [Manner.PLAIN, Manner.WEIGHING])
@pytest.mark.parametrize("health", [1, 4, 7])
def test_whoever_begins_with_less_health_fares_as_if_nobody_had_more(manner: Manner, health: int) -> None:
    """Where nothing depends on Health but death, all beginnings are walked as one; it must not show."""
    goblin = MapEnemy("Goblin", 7, 4, 1)
    ends = (FightEnd(FightOutcome.ALL_DEAD, to=2), FightEnd(FightOutcome.ENEMY_HEALTH, at=2, to=4))
    ends = (*ends, FightEnd(FightOutcome.ROUNDS, at=3, to=3))
    plan = MapFightPlan("lamp-room", (goblin, goblin), speed=3, conditions=Conditions(attacks=2), ends=ends)
    beside_others = map_fight_chances(Sheet(7, 7), plan, manner)[health]
    alone = map_fight_chances(Sheet(7, 7, health=health), plan, manner)[health]
    assert in_fractions(beside_others) == in_fractions(alone)
