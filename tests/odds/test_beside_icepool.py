"""Our exact forms beside icepool, an independent library, where it is installed (the ``test`` extra)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from loomtable.engine.odds.fight import fight_odds
from loomtable.engine.odds.spellwoven import Edge, odds_of_test
from loomtable.engine.odds.storm_weavers import exchange_odds
from loomtable.engine.odds.weave import challenge_odds, joint_odds
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.storm_weavers.plans import Enemy
from loomtable.engine.storm_weavers.sheet import Sheet

icepool: Any = pytest.importorskip("icepool")

WEAVE_FACES = ("suit", "blank", "blank", "blank", "weave", "strike")


def weave_pool(dice: int, highest: int) -> Any:
    """Successes and Strikes of a pool, as an absorbing chain solved exactly; successes end at ``highest``."""

    def one_more(state: Any, face: str) -> Any:
        rolling, successes, strikes = state
        if not rolling:
            return state
        successes = min(successes + (face in ("suit", "weave")), highest)
        return rolling - (face != "weave"), successes, strikes + (face == "strike")

    return icepool.map(one_more, (dice, 0, 0), icepool.Die(WEAVE_FACES), star=False, repeat="inf").map(
        lambda state: state[1:]
    )


def chance(die: Any, wanted: Any) -> Fraction:
    return Fraction(sum(weight for outcome, weight in die.items() if wanted(outcome)), die.denominator())


@pytest.mark.parametrize("dice", [1, 3, 5])
def test_successes_and_strikes(dice: int) -> None:
    die, joint = weave_pool(dice, 6), joint_odds(dice, upto=5)
    for successes in range(6):
        for strikes in range(dice + 1):
            expected = chance(die, lambda pair, wanted=(successes, strikes): pair == wanted)
            assert joint.chances.get((successes, strikes), 0) == expected
    for level in range(1, 7):
        assert challenge_odds(dice, level).passed == chance(die, lambda pair, least=level: pair[0] >= least)


def test_the_shallow_default_is_a_trap_that_ours_has_not() -> None:
    """``Again`` looks one roll ahead by default, and its figure is off by 1.5 points without a word."""
    die = icepool.Die([0, 0, 0, 0, 1, 1 + icepool.Again])
    shallow = chance(5 @ die, lambda successes: successes >= 5)
    assert round(float(shallow), 4) == 0.0376
    assert round(float(challenge_odds(5, 5).passed), 4) == 0.0527


def test_dice_that_are_not_rolled_again() -> None:
    die = icepool.Die([1, 0, 0, 0, 1, 0])
    for dice in range(6):
        pool = dice @ die if dice else icepool.Die([0])
        for level in range(4):
            ours = challenge_odds(dice, level, rerolls=Rerolls.NONE).passed
            assert ours == chance(pool, lambda successes, least=level: successes >= least)


def ten_sided(rating: int) -> Any:
    return icepool.d10.map(lambda face: 2 if face == 1 else int(face <= rating))


@pytest.mark.parametrize("edge", Edge)
def test_tests_with_the_best_or_worst_three_of_four(edge: Edge) -> None:
    for rating in range(1, 11):
        die = ten_sided(rating)
        if edge is Edge.NONE:
            pool = 3 @ die
        else:
            pool = (
                icepool.highest(die, die, die, die, keep=3)
                if edge is Edge.ADVANTAGE
                else icepool.lowest(die, die, die, die, keep=3)
            )
        for difficulty in range(7):
            ours = odds_of_test(rating, difficulty, edge=edge).passed
            assert ours == chance(pool, lambda successes, least=difficulty: successes >= least)


def test_an_exchange() -> None:
    lead = icepool.d6 - icepool.d6 + 8 - 9
    odds = exchange_odds(Sheet(8, 5, weapon_bonus=2), Enemy("Goblin", 9, 10, 0, 1))
    for injuries in range(1, 8):
        assert odds.enemy_injuries[injuries] == chance(lead, lambda by, n=injuries: by > 0 and by + 2 - 1 == n)
        assert odds.thymin_injuries[injuries] == chance(lead, lambda by, n=injuries: by < 0 and -by == n)


def test_a_fight_as_an_absorbing_chain() -> None:
    """Thymin's attack and the enemy's as one step; nobody falls twice."""
    swing = icepool.d6 - icepool.d6

    def one_round(state: Any, attack: int, defence: int) -> Any:
        for lead in (attack + 1, -defence + 1):  # Dexterity 8 against 7
            thymin, enemy = state
            if thymin and enemy:
                state = (thymin, max(enemy - lead, 0)) if lead > 0 else (max(thymin + lead, 0), enemy)
        return state

    die = icepool.map(one_round, (5, 6), swing, swing, star=False, repeat="inf")
    odds = fight_odds(Sheet(8, 5, health=5), Enemy("Goblin", 7, 6))
    assert odds.won == chance(die, lambda state: state[0] > 0)
    for health in range(1, 6):
        assert odds.final_health[health] == chance(die, lambda state, left=health: state == (left, 0))
