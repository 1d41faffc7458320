"""The odds of tests, exchanges and fights of Storm Weavers, against fights played an exchange at a time."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.fight import CunningStrikes, FightOdds, fight_odds
from loomtable.engine.odds.storm_weavers import cunning_strike_odds, exchange_odds, odds_of_test, when_hurt
from loomtable.engine.storm_weavers.plans import Enemy, Modifiers
from loomtable.engine.storm_weavers.sheet import Sheet
from tests.odds.twins import Brawl, End, Side
from tests.short import raises

TIES = ("no-winner", "defender-wins")
fighters = st.builds(
    Side, st.integers(4, 9), st.integers(1, 6), weapon_bonus=st.integers(0, 2), armour_class=st.integers(0, 2)
)


def sheet_of(side: Side, wisdom: int = 6) -> Sheet:
    return Sheet(
        side.dexterity, wisdom, weapon_bonus=side.weapon_bonus, armour_class=side.armour_class, health=side.health
    )


def enemy_of(side: Side) -> Enemy:
    return Enemy("Troll", side.dexterity, side.health, side.weapon_bonus, side.armour_class)


def wisdom_chances(wisdom: int, exactly_4: int) -> dict[int, Fraction]:
    """The chance of a Cunning Strike at each Health, throw by throw (SW-3, SW-11)."""
    chances: dict[int, Fraction] = {}
    for health in range(1, 41):
        added = 4 if health < 4 else exactly_4 if health == 4 else 2 if health < 10 else 0
        passing = [1 for one in range(1, 7) for two in range(1, 7) if one + two + added <= wisdom]
        chances[health] = Fraction(len(passing), 36)
    return chances


def same(odds: FightOdds, ends: dict[End, Fraction], exchanges: Fraction) -> None:
    assert odds.won == sum(c for (t, _), c in ends.items() if t > 0)
    assert odds.lost == sum(c for (t, _), c in ends.items() if t == 0)
    assert odds.won + odds.lost == 1
    assert odds.exchanges == exchanges
    for place, spread in ((0, odds.final_health), (1, odds.enemy_final_health)):
        expected: dict[int, Fraction] = {}
        for end, chance in ends.items():
            expected[end[place]] = expected.get(end[place], Fraction(0)) + chance
        assert spread.chances == {n: c for n, c in sorted(expected.items()) if c}
        assert sum(spread.chances.values()) == 1


@settings(deadline=None, max_examples=60)
@given(fighters, fighters, st.sampled_from(TIES), st.booleans())
def test_a_fight_against_its_own_equations(thymin: Side, enemy: Side, tie: str, first: bool) -> None:
    brawl = Brawl(thymin, enemy, tie=tie)
    try:
        odds = fight_odds(sheet_of(thymin), enemy_of(enemy), thymin_first=first, rulings={"tie": tie})
    except OddsUnknown:
        assert brawl.played_out(2) == ({}, 1)
        return
    same(odds, *brawl.ends(first))


@settings(deadline=None, max_examples=30)
@given(fighters, fighters, st.integers(2, 12), st.sampled_from([2, 4, 0]), st.sampled_from(TIES), st.booleans())
def test_a_fight_of_cunning_strikes(
    thymin: Side, enemy: Side, wisdom: int, exactly_4: int, tie: str, first: bool
) -> None:
    choice = {2: "plus-2", 4: "plus-4", 0: "none"}[exactly_4]
    odds = fight_odds(
        sheet_of(thymin, wisdom),
        enemy_of(enemy),
        thymin_first=first,
        cunning_strikes=CunningStrikes.ALWAYS,
        rulings={"tie": tie, "health-exactly-4": choice},
    )
    same(odds, *Brawl(thymin, enemy, tie=tie, wisdom=wisdom_chances(wisdom, exactly_4)).ends(first))


@pytest.mark.parametrize("tie", TIES)
def test_a_fight_played_out_exchange_by_exchange(tie: str) -> None:
    """No equation at all: sixty exchanges, and the bound on what is still undecided then."""
    thymin, enemy = Side(8, 5, 1, 1), Side(9, 4, 0, 1)
    odds = fight_odds(sheet_of(thymin), enemy_of(enemy), rulings={"tie": tie})
    ends, still_on = Brawl(thymin, enemy, tie=tie).played_out(60)
    assert still_on < Fraction(1, 10**6)
    won = sum(c for (t, _), c in ends.items() if t > 0)
    assert won <= odds.won <= won + still_on
    for health in range(1, 6):
        found = sum((c for (t, _), c in ends.items() if t == health), Fraction(0))
        assert found <= odds.final_health[health] <= found + still_on


def test_modifiers_count_in_the_attacks_they_are_for() -> None:
    plain, better = Side(8, 6), Side(9, 6)
    both = Modifiers(thymin_attack=1, thymin_defence=1)
    assert fight_odds(sheet_of(plain), enemy_of(plain), modifiers=both) == fight_odds(
        sheet_of(better), enemy_of(plain)
    )
    hindered = exchange_odds(sheet_of(plain), enemy_of(plain), modifiers=Modifiers(enemy_defence=-2))
    assert hindered == exchange_odds(sheet_of(Side(10, 6)), enemy_of(plain))
    only_attack = Modifiers(thymin_attack=3, enemy_defence=5)
    assert exchange_odds(
        sheet_of(plain), enemy_of(plain), by_thymin=False, modifiers=only_attack
    ) == exchange_odds(sheet_of(plain), enemy_of(plain), by_thymin=False)


@settings(deadline=None)
@given(fighters, fighters, st.sampled_from(TIES), st.booleans(), st.none() | st.integers(1, 6))
def test_an_exchange(thymin: Side, enemy: Side, tie: str, by_thymin: bool, attack_die: int | None) -> None:
    odds = exchange_odds(
        sheet_of(thymin), enemy_of(enemy), by_thymin=by_thymin, rulings={"tie": tie}, attack_die=attack_die
    )
    to_thymin, to_enemy, idle, ways = dict[int, int](), dict[int, int](), 0, 0
    for attack in (attack_die,) if attack_die else range(1, 7):
        for defence in range(1, 7):
            mine, theirs = (attack, defence) if by_thymin else (defence, attack)
            lead = mine + thymin.dexterity - theirs - enemy.dexterity
            a = b = 0
            thymin_defends_a_tie = lead == 0 and tie == "defender-wins" and not by_thymin
            enemy_defends_a_tie = lead == 0 and tie == "defender-wins" and by_thymin
            if lead > 0 or thymin_defends_a_tie:
                b = max(0, lead + thymin.weapon_bonus - enemy.armour_class)
            elif lead < 0 or enemy_defends_a_tie:
                a = max(0, enemy.weapon_bonus - lead - thymin.armour_class)
            to_thymin[a] = to_thymin.get(a, 0) + 1
            to_enemy[b] = to_enemy.get(b, 0) + 1
            idle += a == b == 0
            ways += 1
    assert odds.thymin_injuries.chances == {n: Fraction(c, ways) for n, c in sorted(to_thymin.items())}
    assert odds.enemy_injuries.chances == {n: Fraction(c, ways) for n, c in sorted(to_enemy.items())}
    assert odds.nobody_hurt == Fraction(idle, ways)


@given(st.integers(0, 14), st.integers(-3, 3), st.integers(1, 20), st.sampled_from(["plus-2", "plus-4", "none"]))
def test_a_test(value: int, modifier: int, health: int, exactly_4: str) -> None:
    odds = odds_of_test(value, modifier=modifier, health=health, rulings={"health-exactly-4": exactly_4})
    at_4 = {"plus-2": 2, "plus-4": 4, "none": 0}[exactly_4]
    chance = wisdom_chances(value - modifier, at_4)[health]
    assert odds.passed == chance
    assert odds.passed == Fraction(sum(a + b <= odds.highest for a in range(1, 7) for b in range(1, 7)), 36)
    if value:
        strike = cunning_strike_odds(Sheet(5, value, health=health), rulings={"health-exactly-4": exactly_4})
        assert strike.passed == wisdom_chances(value, at_4)[health]


@given(st.integers(0, 30), st.integers(1, 3), st.sampled_from(["d6", "d8", "d10", "d12"]))
def test_a_test_with_other_dice_is_every_throw(value: int, count: int, die: str) -> None:
    throws = list(product(range(1, int(die[1:]) + 1), repeat=count))
    chance = Fraction(sum(sum(throw) <= value for throw in throws), len(throws))
    assert odds_of_test(value, dice=f"{count}{die}").passed == chance


def test_a_cunning_strikes_modifier_counts_in_a_whole_fight() -> None:
    enemy, always = Enemy("Ghost", 7, 6), CunningStrikes.ALWAYS
    harder = fight_odds(Sheet(7, 8), enemy, cunning_strikes=always, strike_modifier=2)
    assert harder == fight_odds(Sheet(7, 6), enemy, cunning_strikes=always)
    assert cunning_strike_odds(Sheet(7, 8), modifier=2).passed == odds_of_test(6).passed


def test_what_injuries_add() -> None:
    assert [when_hurt(h) for h in (20, 10, 9, 5, 4, 3, 1)] == [0, 0, 2, 2, 2, 4, 4]
    assert odds_of_test(7).passed == Fraction(21, 36)


def test_what_cannot_be_reckoned_says_why() -> None:
    thymin, enemy = Sheet(5, 5), Enemy("Ghost", 5, 5)
    walled = Sheet(5, 5, armour_class=9)
    for ask, words in (
        (lambda: fight_odds(Sheet(5, 5, health=0), enemy), "Thymin's Health has to be from 1"),
        (lambda: fight_odds(thymin, Enemy("Ghost", 5, 0)), "the enemy's Health has to be from 1"),
        (lambda: fight_odds(walled, Enemy("Ghost", 5, 5, 0, 9)), "neither Thymin nor Ghost can ever hurt"),
        (
            lambda: fight_odds(
                thymin,
                enemy,
                cunning_strikes=CunningStrikes.ALWAYS,
                rulings={"cunning-strike-without-map": "forbidden"},
            ),
            "ruled out",
        ),
        (lambda: exchange_odds(thymin, enemy, attack_die=7), "the attack die has to be from 1 to 6"),
        (lambda: cunning_strike_odds(Sheet(5, 5, health=0)), "no Health left"),
    ):
        raises(OddsUnknown, words, ask)
