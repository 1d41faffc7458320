"""Storm Weavers: the odds of a test and of one exchange of a fight (SW-3, SW-4, SW-8, SW-9, SW-11)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import msgspec

from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.odds.exact import Distribution, OddsUnknown, decided, distribution, whole
from loomtable.engine.storm_weavers.attacks import added_when_hurt
from loomtable.engine.storm_weavers.plans import USUAL_DICE, Enemy, Modifiers, dice_of_a_test
from loomtable.engine.storm_weavers.rulings import RULINGS
from loomtable.engine.storm_weavers.sheet import Sheet

D6 = range(1, 7)
SQUARE = 36
FARTHEST = 99
_NO_MODIFIERS = Modifiers()


class TestOdds(msgspec.Struct, frozen=True):
    """What a test may bring (SW-3)."""

    value: int
    modifier: int
    """What is added to the dice, for injuries too."""
    highest: int
    """The highest throw that still passes; of two d6, below 2 none does, from 12 on all do."""
    passed: Fraction


class ExchangeOdds(msgspec.Struct, frozen=True):
    """What one attack may bring, to both sides (SW-8, SW-9)."""

    enemy_injuries: Distribution
    """Injuries to the enemy."""
    thymin_injuries: Distribution
    """Injuries to Thymin."""
    nobody_hurt: Fraction


def passing_throws(highest: int, dice: str = USUAL_DICE) -> int:
    """How many throws of these dice come to ``highest`` or less: of two d6, so many of 36."""
    return sum(ways for total, ways in _totals(dice).items() if total <= highest)


def throws_in_all(dice: str) -> int:
    """How many throws of these dice there are."""
    return sum(_totals(dice).values())


@cache
def _totals(dice: str) -> dict[int, int]:
    """In how many ways each total of these dice comes about.

    Raises:
        OddsUnknown: the text names no dice with numbers.
    """
    try:
        count, die = dice_of_a_test(dice)
    except ReadingMisfit as error:
        raise OddsUnknown(str(error)) from None
    ways = {0: 1}
    for _ in range(count):
        thrown: dict[int, int] = {}
        for total, before in ways.items():
            for face in range(1, len(die.faces) + 1):
                thrown[total + face] = thrown.get(total + face, 0) + before
        ways = thrown
    return ways


def when_hurt(health: int, rulings: Mapping[str, str] | None = None) -> int:
    """What injuries add to a test's dice, at a table with these rulings (SW-3)."""
    return added_when_hurt(health, decided(RULINGS, rulings)["health-exactly-4"])


def odds_of_test(
    value: int,
    *,
    modifier: int = 0,
    health: int | None = None,
    dice: str = USUAL_DICE,
    rulings: Mapping[str, str] | None = None,
) -> TestOdds:
    """The odds of a test of an attribute that stands at ``value`` (SW-3).

    Args:
        value: Wisdom or Dexterity.
        modifier: what the paragraph and items add to the dice.
        health: Thymin's Health; unhurt if left out.
        dice: those with which it is made, like ``3d6``.
        rulings: the table's choices by ruling id; our defaults where it has none.

    Raises:
        OddsUnknown: a number is out of bounds, or the dice are none.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    whole(value, "the attribute", 0, FARTHEST)
    whole(modifier, "the modifier", -FARTHEST, FARTHEST)
    hurt = 0 if health is None else when_hurt(whole(health, "Health", 1, FARTHEST), rulings)
    highest = value - modifier - hurt
    return TestOdds(value, modifier + hurt, highest, Fraction(passing_throws(highest, dice), throws_in_all(dice)))


class Blow(msgspec.Struct, frozen=True):
    """Who is hurt in an exchange, and how much: one of the two is 0."""

    to_thymin: int
    to_enemy: int


@cache
def _blows(
    ahead: int,
    thymin: tuple[int, int],
    enemy: tuple[int, int],
    tie_to_enemy: bool | None,
    attack_die: int | None,
    defence_of_thymin: bool,
) -> dict[Blow, int]:
    """Ways in which the dice fall, by who is hurt; ``ahead`` is Thymin's total less the enemy's without the dice.

    ``thymin`` and ``enemy`` are (Weapon Bonus, Armour Class); a tie goes to the enemy, to Thymin, or to nobody.
    ``attack_die`` is the attacker's, if it lies already; Thymin's is then the other, where he defends.
    """
    ways: dict[Blow, int] = {}
    for attack in D6 if attack_die is None else (attack_die,):
        for defence in D6:
            lead = ahead + (defence - attack if defence_of_thymin else attack - defence)
            blow = _blow(lead, thymin, enemy, tie_to_enemy)
            ways[blow] = ways.get(blow, 0) + 1
    return ways


def _blow(lead: int, thymin: tuple[int, int], enemy: tuple[int, int], tie_to_enemy: bool | None) -> Blow:
    if lead == 0 and tie_to_enemy is None:
        return Blow(0, 0)
    if lead > 0 or (lead == 0 and not tie_to_enemy):
        return Blow(0, max(0, lead + thymin[0] - enemy[1]))
    return Blow(max(0, -lead + enemy[0] - thymin[1]), 0)


def blows(
    thymin: Sheet,
    enemy: Enemy,
    *,
    by_thymin: bool,
    modifiers: Modifiers = _NO_MODIFIERS,
    rulings: Mapping[str, str] | None = None,
    attack_die: int | None = None,
) -> dict[Blow, int]:
    """Who is hurt and how much, with the ways in which the dice bring it: 36 in all, 6 where one die lies (SW-8).

    ``modifiers`` are what the paragraph adds to Attack and Defence; ``rulings`` are the table's choices by ruling
    id; ``attack_die`` is the attacker's die, if it lies already.

    Raises:
        OddsUnknown: a number is out of bounds.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    for fighter in (thymin, enemy):
        for name in ("dexterity", "weapon_bonus", "armour_class"):
            whole(getattr(fighter, name), name.replace("_", " ").title(), -FARTHEST, FARTHEST)
    to_defender = decided(RULINGS, rulings)["tie"] == "defender-wins"
    if by_thymin:
        modified = modifiers.thymin_attack - modifiers.enemy_defence
    else:
        modified = modifiers.thymin_defence - modifiers.enemy_attack
    return _blows(
        thymin.dexterity - enemy.dexterity + modified,
        (thymin.weapon_bonus, thymin.armour_class),
        (enemy.weapon_bonus, enemy.armour_class),
        by_thymin if to_defender else None,
        None if attack_die is None else whole(attack_die, "the attack die", 1, 6),
        not by_thymin,
    )


def exchange_odds(
    thymin: Sheet,
    enemy: Enemy,
    *,
    by_thymin: bool = True,
    modifiers: Modifiers = _NO_MODIFIERS,
    rulings: Mapping[str, str] | None = None,
    attack_die: int | None = None,
) -> ExchangeOdds:
    """The odds of one attack, Thymin's or the enemy's (SW-8, SW-9). Arguments and errors as for ``blows``."""
    ways = blows(thymin, enemy, by_thymin=by_thymin, modifiers=modifiers, rulings=rulings, attack_die=attack_die)
    total = sum(ways.values())
    to_enemy, to_thymin = dict[int, int](), dict[int, int]()
    for blow, count in ways.items():
        to_enemy[blow.to_enemy] = to_enemy.get(blow.to_enemy, 0) + count
        to_thymin[blow.to_thymin] = to_thymin.get(blow.to_thymin, 0) + count
    return ExchangeOdds(
        distribution(to_enemy, total),
        distribution(to_thymin, total),
        Fraction(ways.get(Blow(0, 0), 0), total),
    )


def cunning_strike_odds(thymin: Sheet, *, modifier: int = 0, rulings: Mapping[str, str] | None = None) -> TestOdds:
    """The odds of a Cunning Strike's Wisdom test, from the sheet as it is (SW-11).

    ``modifier`` is what the paragraph and items add to the dice.

    Raises:
        OddsUnknown: Thymin has no Health left, or a number is out of bounds.
    """
    if thymin.health <= 0:
        raise OddsUnknown("Thymin has no Health left to strike with")
    return odds_of_test(thymin.wisdom, modifier=modifier, health=thymin.health, rulings=rulings)
