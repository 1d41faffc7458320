"""The odds beside the rules that are really played: every throw of small pools, and the small rules one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Game, Play
from loomtable.engine.kernel.readings import NumberReading, Reading, rolled
from loomtable.engine.kernel.requests import EnterNumber, Roll
from loomtable.engine.odds.spellwoven import SEVERITIES, attack_odds, wound_odds
from loomtable.engine.odds.weave import Needed, challenge_odds, joint_odds
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.spellwoven.attribute_tests import best_or_worst
from loomtable.engine.spellwoven.levels import severity_of
from loomtable.engine.weave.cards.mechanics import Trigger
from loomtable.engine.weave.challenge.tally import Tally, roll_pool, trigger_met
from loomtable.engine.weave.rulings import RULINGS
from loomtable.engine.weave.suits import Suit
from tests.odds import forks
from tests.short import present

ALIKE = {"gales": 1, "flames": 1, "brooks": 2, "weave": 1, "strike": 1}
"""A Weave die in a Gales Challenge, with a Trigger in Flames; Stones are as good as Brooks."""
LUCKY = [
    {"strikes-on-rerolls": a, "lucky-strike-rerolls": b, "lucky-rerolled-strikes": c}
    for a, b, c in product(
        ("counted", "not-counted"), ("until-none", "first-roll"), ("still-marked", "taken-back")
    )
]


def tallies(
    pool: int, rulings: dict[str, str], *, lucky: bool, rolls: int
) -> tuple[list[tuple[Tally, Fraction]], Fraction]:
    """The engine's own count for every way in which its questions can be answered within so many rolls.

    All dice that may be rolled again are. Also the chance of what takes longer.
    """
    session = forks.season()
    play = Play(Game(session.state, {**RULINGS.defaults(), **rulings}), "odds")
    ilse = session.state.characters["Ilse"]
    found: list[tuple[Tally, Fraction]] = []
    longer = Fraction(0)
    open_ends: list[tuple[tuple[Reading, ...], Fraction, int]] = [((), Fraction(1), 0)]
    while open_ends:
        answers, chance, rolled_so_far = open_ends.pop()
        rule = roll_pool(play, ilse, Suit.GALES, pool, "a pool", rule="WV-17", lucky=lucky)
        try:
            asked = next(rule)
            for answer in answers:
                asked = rule.send(answer)
        except StopIteration as done:
            found.append((done.value, chance))
            continue
        if isinstance(asked, EnterNumber):
            open_ends.append(((*answers, NumberReading(asked.high)), chance, rolled_so_far))
        elif rolled_so_far == rolls:
            longer += chance
        else:
            assert isinstance(asked, Roll)
            for faces, ways in forks.throws(Die.WEAVE, asked.count, ALIKE):
                open_ends.append(((*answers, rolled(Die.WEAVE, *faces)), chance * ways, rolled_so_far + 1))
    return found, longer


@pytest.mark.parametrize("rulings", LUCKY, ids=lambda r: " ".join(r.values()))
@pytest.mark.parametrize("lucky", [False, True])
def test_a_pool_as_the_engine_counts_it(rulings: dict[str, str], lucky: bool) -> None:
    pool, level = 2, 1
    rerolls = Rerolls.WEAVE_AND_STRIKE if lucky else Rerolls.WEAVE
    found, longer = tallies(pool, rulings, lucky=lucky, rolls=4)
    assert longer < Fraction(1, 30)
    assert sum(chance for _, chance in found) + longer == 1
    pairs: Counter[tuple[int, int]] = Counter()
    for tally, chance in found:
        pairs[tally.successes, tally.strikes] += chance
    joint = joint_odds(pool, upto=4, rerolls=rerolls, rulings=rulings)
    for pair in product(range(5), range(5)):
        assert pairs[pair] <= joint.chances.get(pair, 0) <= pairs[pair] + longer
    for paid_by, suit in product(("weave-first", "suit-first"), (Suit.GALES, Suit.FLAMES)):
        trigger = Trigger(2, suit, "it works")
        met = sum(
            chance
            for tally, chance in found
            if tally.successes >= level and trigger_met(tally, trigger, Suit.GALES, level, paid_by)
        )
        odds = challenge_odds(
            pool,
            level,
            rerolls=rerolls,
            trigger=Needed(2, same_suit=suit is Suit.GALES),
            rulings={**rulings, "trigger-pass-symbols": paid_by},
        )
        assert met <= present(odds.triggered) <= met + longer


def test_the_small_rules_are_the_engines() -> None:
    """What the odds say for themselves, so that they can be read alone, is what the engine plays."""
    assert best_or_worst((9, 1, 5, 3), 1) == (1, 3, 5)
    assert [severity_of(n) for n in range(6)] == list(SEVERITIES)
    assert attack_odds(5, 0, 4).severities == wound_odds(4).severities
