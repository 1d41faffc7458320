"""The odds of Challenges, against dice played out face by face."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import UnknownRuling
from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.weave import (
    ChallengeOdds,
    Needed,
    SoFar,
    challenge_odds,
    core_challenge_odds,
    joint_odds,
)
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.weave.state import ChallengeOutcome
from tests.odds import twins
from tests.short import raises
from tests.tiers import examples

RULINGS = {
    "strikes-on-rerolls": ("counted", "not-counted"),
    "lucky-strike-rerolls": ("until-none", "first-roll"),
    "lucky-rerolled-strikes": ("still-marked", "taken-back"),
    "trigger-pass-symbols": ("weave-first", "suit-first"),
    "epic-fail-wound-and-strikes": ("both", "wound-only"),
}
DEPTH = {0: 1, 1: 9, 2: 8, 3: 7}
rulings = st.fixed_dictionaries({name: st.sampled_from(choices) for name, choices in RULINGS.items()})


def table_of(rerolls: Rerolls, trigger: Needed | None, decided: dict[str, str]) -> twins.Table:
    face = None if trigger is None else twins.SUIT if trigger.same_suit else twins.OTHER
    return twins.Table(
        rerolls,
        face,
        counted=decided["strikes-on-rerolls"] == "counted",
        strikes_again=decided["lucky-strike-rerolls"] == "until-none",
        marked=decided["lucky-rerolled-strikes"] == "still-marked",
    )


def within(chance: Fraction, found: Fraction, left: Fraction) -> None:
    assert found <= chance <= found + left


def test_nothing_is_cut_off_where_a_die_may_be_rolled_again_for_ever() -> None:
    assert challenge_odds(5, 5).passed == Fraction(8303, 157464)
    cut = twins.weave_pool(5, twins.Table(Rerolls.WEAVE, None, True, True, True), 3)
    assert sum(c for lying, c in cut.items() if lying and lying.successes >= 5) < Fraction(8303, 157464)


@given(st.integers(0, 12), st.integers(0, 9))
def test_another_way_to_the_chance_of_passing(pool: int, level: int) -> None:
    """A die multiplies the series of successes z by (4 + z) / (6 - z), of which what is below the level counts."""
    failed = [Fraction(1), *[Fraction(0)] * (level - 1)][:level]
    for _ in range(pool):
        for at in range(level - 1, 0, -1):
            failed[at] = 4 * failed[at] + failed[at - 1]
        failed[:1] = [4 * chance for chance in failed[:1]]
        so_far = Fraction(0)
        for at, chance in enumerate(failed):
            failed[at] = so_far = (chance + so_far) / 6
    assert challenge_odds(pool, level).passed == 1 - sum(failed)


@examples(60, 150)
@given(
    pool=st.integers(0, 3),
    level=st.integers(0, 4),
    rerolls=st.sampled_from(Rerolls),
    trigger=st.none() | st.builds(Needed, st.sampled_from((2, 3)), st.booleans()),
    track=st.integers(0, 9),
    decided=rulings,
)
def test_every_figure_against_dice_played_out(
    pool: int, level: int, rerolls: Rerolls, trigger: Needed | None, track: int, decided: dict[str, str]
) -> None:
    odds = challenge_odds(pool, level, rerolls=rerolls, trigger=trigger, track=track, rulings=decided)
    found = dict(twins.weave_pool(pool, table_of(rerolls, trigger, decided), DEPTH[pool]))
    left = found.pop(None, Fraction(0))
    assert left < Fraction(1, 200)
    outcomes = dict.fromkeys(ChallengeOutcome, Fraction(0))
    wounds = dict.fromkeys(range(3), Fraction(0))
    full = triggered = expected_strikes = Fraction(0)
    for lying, chance in found.items():
        assert lying is not None
        passed = lying.successes >= level
        if passed:
            outcome = ChallengeOutcome.EPIC_PASS if lying.successes - level >= 2 else ChallengeOutcome.PASS
        else:
            outcome = ChallengeOutcome.EPIC_FAIL if level - lying.successes >= 2 else ChallengeOutcome.FAIL
        outcomes[outcome] += chance
        epic = outcome is ChallengeOutcome.EPIC_FAIL
        marked = 0 if epic and decided["epic-fail-wound-and-strikes"] == "wound-only" else lying.strikes
        full += chance * (track + marked >= 10)
        wounds[epic + (track + marked >= 10)] += chance
        expected_strikes += chance * lying.strikes
        if trigger is not None and passed:
            weaves = lying.successes - lying.symbols if trigger.same_suit else 0
            spare = lying.symbols
            if trigger.same_suit:
                by_weave = decided["trigger-pass-symbols"] == "weave-first"
                spare -= max(0, level - weaves) if by_weave else min(lying.symbols, level)
            triggered += chance * (spare >= trigger.symbols)
    for outcome, chance in outcomes.items():
        within(odds.outcomes[outcome], chance, left)
    for count, chance in wounds.items():
        within(odds.wounds[count], chance, left)
    within(odds.track_full, full, left)
    assert (odds.triggered is None) == (trigger is None)
    within(odds.triggered or Fraction(0), triggered, left)
    assert expected_strikes <= odds.expected_strikes <= expected_strikes + left * 30


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 3), st.sampled_from(Rerolls), rulings)
def test_successes_together_with_strikes(pool: int, rerolls: Rerolls, decided: dict[str, str]) -> None:
    joint = joint_odds(pool, upto=5, rerolls=rerolls, rulings=decided)
    found = dict(twins.weave_pool(pool, table_of(rerolls, None, decided), DEPTH[pool]))
    left = found.pop(None, Fraction(0))
    for successes, strikes in product(range(6), range(6)):
        chance = found.get(twins.Lying(successes, strikes, 0), Fraction(0))
        within(joint.chances.get((successes, strikes), Fraction(0)), chance, left)
    assert sum(joint.chances.values()) + joint.rest == 1


def all_is_told(odds: ChallengeOdds) -> None:
    assert sum(odds.outcomes.values()) == 1
    assert sum(odds.successes.chances.values()) + odds.successes.rest == 1
    assert sum(odds.wounds.chances.values()) == 1
    assert odds.passed == odds.outcomes[ChallengeOutcome.PASS] + odds.outcomes[ChallengeOutcome.EPIC_PASS]


@settings(deadline=None, max_examples=80)
@given(
    st.integers(0, 9),
    st.integers(0, 6),
    st.sampled_from(Rerolls),
    st.none() | st.builds(Needed, st.sampled_from((2, 3)), st.booleans()),
    rulings,
)
def test_chances_add_up_to_one(
    pool: int, level: int, rerolls: Rerolls, trigger: Needed | None, decided: dict[str, str]
) -> None:
    odds = challenge_odds(pool, level, rerolls=rerolls, trigger=trigger, track=7, rulings=decided)
    all_is_told(odds)
    assert odds.triggered is None or 0 <= odds.triggered <= odds.passed


@pytest.mark.parametrize("counted", ["counted", "not-counted"])
def test_a_challenge_is_its_first_roll_and_then_the_rest(counted: str) -> None:
    """Two dice by hand: each first roll, and from there the odds of the Weave dice that are rolled again."""
    pool, level, track, decided = 2, 2, 8, {"strikes-on-rerolls": counted}
    whole = challenge_odds(pool, level, track=track, rulings=decided)
    outcomes, full = dict.fromkeys(ChallengeOutcome, Fraction(0)), Fraction(0)
    for faces in product(range(6), repeat=pool):
        weaves, strikes = faces.count(twins.WEAVE), faces.count(twins.STRIKE)
        before = SoFar(weaves + faces.count(twins.SUIT), strikes)
        rest = challenge_odds(weaves, level, track=track, so_far=before, rulings=decided)
        all_is_told(rest)
        for outcome, chance in rest.outcomes.items():
            outcomes[outcome] += chance / 36
        full += rest.track_full / 36
    assert outcomes == whole.outcomes
    assert full == whole.track_full


@pytest.mark.parametrize(
    ("rerolls", "decided", "strikes"),
    [
        (Rerolls.NONE, {}, Fraction(1, 6)),
        (Rerolls.WEAVE, {}, Fraction(1, 5)),
        (Rerolls.WEAVE, {"strikes-on-rerolls": "not-counted"}, Fraction(1, 6)),
        (Rerolls.WEAVE_AND_STRIKE, {}, Fraction(1, 4)),
        (Rerolls.WEAVE_AND_STRIKE, {"strikes-on-rerolls": "not-counted"}, Fraction(1, 6)),
        (Rerolls.WEAVE_AND_STRIKE, {"lucky-rerolled-strikes": "taken-back"}, Fraction(0)),
        # a first Strike, and the one in five of the dice of both kinds that come to rest on one later
        (Rerolls.WEAVE_AND_STRIKE, {"lucky-strike-rerolls": "first-roll"}, Fraction(1, 6) + Fraction(1, 3) / 5),
    ],
)
def test_strikes_to_expect(rerolls: Rerolls, decided: dict[str, str], strikes: Fraction) -> None:
    assert challenge_odds(4, 2, rerolls=rerolls, rulings=decided).expected_strikes == 4 * strikes


def test_successes_to_expect() -> None:
    expected = {
        Rerolls.NONE: Fraction(1, 3),
        Rerolls.WEAVE: Fraction(2, 5),
        Rerolls.WEAVE_AND_STRIKE: Fraction(1, 2),
    }
    for rerolls, each in expected.items():
        assert challenge_odds(5, 3, rerolls=rerolls).expected_successes == 5 * each


def test_a_core_challenge_marks_no_strikes() -> None:
    odds = core_challenge_odds(3)
    assert odds.passed == Fraction(19, 27)
    assert odds.track_full == 0
    assert odds.wounds.at_least(1) == 0
    assert core_challenge_odds(4).passed == 1 - Fraction(2, 3) ** 4
    assert core_challenge_odds(2, rulings={"core-challenge-wounds": "reduced"}).passed == Fraction(5, 9)


def test_what_cannot_be_reckoned_says_why() -> None:
    for ask, words in (
        (lambda: challenge_odds(31, 1), "the pool has to be from 0 to 30, not 31"),
        (lambda: challenge_odds(3, -1), "the level has to be"),
        (lambda: challenge_odds(3, 1, track=10), "the Strike track has to be from 0 to 9, not 10"),
        (lambda: challenge_odds(3, 1, trigger=Needed(4)), "two or three symbols, not 4"),
        (lambda: core_challenge_odds(5), "three dice, or four"),
        (lambda: core_challenge_odds(2), "three dice, or four"),
    ):
        raises(OddsUnknown, words, ask)
    raises(UnknownRuling, "no choice 'maybe'", challenge_odds, 3, 1, rulings={"strikes-on-rerolls": "maybe"})
    with pytest.raises(UnknownRuling, match="did you mean strikes-on-rerolls"):
        challenge_odds(3, 1, rulings={"strikes-on-reroll": "counted"})
