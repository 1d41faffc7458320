"""Weave: the odds of a Challenge, its Strikes and its Trigger (WV-8, WV-10, WV-17, WV-18, WV-22)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from loomtable.engine.odds.exact import ONE, ZERO, Distribution, OddsUnknown, decided, distribution, whole
from loomtable.engine.odds.weave_dice import Counts, How, Rerolls, expected, tally
from loomtable.engine.weave.challenge.tally import EPIC_MARGIN, outcome_of
from loomtable.engine.weave.rulings import RULINGS
from loomtable.engine.weave.state import STRIKE_TRACK, ChallengeOutcome

MOST_DICE = 30
HIGHEST_LEVEL = 30
CORE_POOLS = (3, 4)
TRIGGER_SYMBOLS = (2, 3)


class Needed(msgspec.Struct, frozen=True):
    """A Trigger: so many additional exact symbols, of the Challenge's own suit or of another (WV-10)."""

    symbols: int
    same_suit: bool = False


class SoFar(msgspec.Struct, frozen=True):
    """What was counted in a Challenge before the dice that are rolled again now."""

    successes: int = 0
    strikes: int = 0
    symbols: int = 0
    """Exact symbols of the Trigger's suit, where there is one."""


class ChallengeOdds(msgspec.Struct, frozen=True):
    """What a Challenge may bring."""

    pool: int
    level: int
    rerolls: Rerolls
    outcomes: dict[ChallengeOutcome, Fraction]
    passed: Fraction
    successes: Distribution
    """Successes in all, listed as far as an outcome depends on them; the rest is more than that."""
    expected_successes: Fraction
    expected_strikes: Fraction
    """Strikes counted in all, those that the track cannot take included."""
    track_full: Fraction
    """The chance that the Strike track reaches ten and brings a Wound (WV-8)."""
    wounds: Distribution
    """Wounds marked: by an epic fail, by the tenth Strike, or by both."""
    triggered: Fraction | None
    """The chance to pass with the Trigger met, where one was asked for."""


class Joint(msgspec.Struct, frozen=True):
    """Successes together with Strikes."""

    chances: dict[tuple[int, int], Fraction]
    """The chance of each (successes, Strikes) that is listed."""
    rest: Fraction
    """The chance of all that is not listed."""


def challenge_odds(
    pool: int,
    level: int,
    *,
    rerolls: Rerolls = Rerolls.WEAVE,
    trigger: Needed | None = None,
    track: int = 0,
    so_far: SoFar | None = None,
    rulings: Mapping[str, str] | None = None,
) -> ChallengeOdds:
    """The odds of a Challenge of ``level`` with ``pool`` dice (WV-17, WV-18).

    Dice are rolled again as long as they may be, which is the most that re-rolling can bring to successes and to a
    Trigger. A Trigger in the Challenge's own suit needs its symbols beyond those that pay for the pass (WV-10).

    Args:
        pool: dice that are rolled now.
        level: successes that pass.
        rerolls: which dice are rolled again until none is left.
        trigger: what a Trigger needs, if there is one.
        track: Strikes already marked, 0 to 9.
        so_far: what the Challenge has counted already, if the dice are re-rolled ones.
        rulings: the table's choices by ruling id; our defaults where it has none.

    Raises:
        OddsUnknown: a number is out of bounds.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    whole(pool, "the pool", 0, MOST_DICE)
    whole(level, "the level", 0, HIGHEST_LEVEL)
    whole(track, "the Strike track", 0, STRIKE_TRACK - 1)
    if trigger is not None and trigger.symbols not in TRIGGER_SYMBOLS:
        raise OddsUnknown(f"a Trigger needs two or three symbols, not {trigger.symbols} (WV-10)")
    table = decided(RULINGS, rulings)
    how = _how(Rerolls(rerolls), trigger, so_far is not None, table)
    before = so_far or SoFar()
    symbols_pay = trigger is not None and trigger.same_suit and table["trigger-pass-symbols"] == "suit-first"
    needed = trigger.symbols if trigger else 0
    most = Counts(
        max(level + max(EPIC_MARGIN, needed) - before.successes, 0),
        max(STRIKE_TRACK - track - before.strikes, 0),
        max(needed + level * symbols_pay - before.symbols, 0),
    )
    weights, total = tally(pool, how, most)
    outcomes, wounds, successes = dict.fromkeys(ChallengeOutcome, 0), dict.fromkeys(range(3), 0), dict[int, int]()
    full = triggered = 0
    for counts, weight in weights.items():
        reached = before.successes + counts.successes
        outcome = outcome_of(reached, level)
        outcomes[outcome] += weight
        successes[reached] = successes.get(reached, 0) + weight
        epic_fail = outcome is ChallengeOutcome.EPIC_FAIL
        both = not epic_fail or table["epic-fail-wound-and-strikes"] == "both"
        filled = counts.strikes >= most.strikes and both
        full += weight * filled
        wounds[epic_fail + filled] += weight
        if trigger is not None and counts.symbols >= most.symbols:
            triggered += weight * (reached >= level + needed * trigger.same_suit)
    average = expected(pool, how)
    return ChallengeOdds(
        pool=pool,
        level=level,
        rerolls=how.rerolls,
        outcomes={o: Fraction(w, total) for o, w in outcomes.items()},
        passed=Fraction(sum(w for o, w in outcomes.items() if o.passed), total),
        successes=distribution(successes, total, upto=before.successes + most.successes - 1),
        expected_successes=before.successes + average[0],
        expected_strikes=before.strikes + average[1],
        track_full=Fraction(full, total),
        wounds=distribution(wounds, total),
        triggered=Fraction(triggered, total) if trigger else None,
    )


def _how(rerolls: Rerolls, trigger: Needed | None, begun: bool, table: Mapping[str, str]) -> How:
    return How(
        rerolls,
        symbols="" if trigger is None else "same" if trigger.same_suit else "other",
        begun=begun,
        counted=table["strikes-on-rerolls"] == "counted",
        strikes_again=table["lucky-strike-rerolls"] == "until-none",
        marked=table["lucky-rerolled-strikes"] == "still-marked",
    )


def joint_odds(
    pool: int,
    *,
    upto: int = 8,
    rerolls: Rerolls = Rerolls.WEAVE,
    rulings: Mapping[str, str] | None = None,
) -> Joint:
    """Successes together with Strikes, each listed up to ``upto``; what lies beyond is in ``rest``.

    Raises:
        OddsUnknown: a number is out of bounds.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    whole(pool, "the pool", 0, MOST_DICE)
    whole(upto, "the end of the list", 0, 60)
    how = _how(Rerolls(rerolls), None, False, decided(RULINGS, rulings))
    weights, total = tally(pool, how, Counts(upto + 1, upto + 1, 0))
    shown = {
        (c.successes, c.strikes): Fraction(w, total)
        for c, w in sorted(weights.items())
        if c.successes <= upto and c.strikes <= upto
    }
    return Joint(shown, ONE - sum(shown.values(), ZERO))


def core_challenge_odds(
    pool: int,
    *,
    rerolls: Rerolls = Rerolls.WEAVE,
    trigger: Needed | None = None,
    rulings: Mapping[str, str] | None = None,
) -> ChallengeOdds:
    """The odds of a Core Challenge: level 1, three dice or four, no Strikes marked (WV-22).

    ``expected_strikes`` are those rolled; the track never fills by them. Under the ruling core-challenge-wounds:
    reduced, a pool may be smaller.

    Raises:
        OddsUnknown: no Core Challenge has so many dice.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    reduced = decided(RULINGS, rulings)["core-challenge-wounds"] == "reduced"
    if pool not in CORE_POOLS and not (reduced and 0 <= pool < max(CORE_POOLS)):
        raise OddsUnknown(f"a Core Challenge has three dice, or four in the Core Suit, not {pool} (WV-22)")
    odds = challenge_odds(pool, 1, rerolls=rerolls, trigger=trigger, rulings=rulings)
    return msgspec.structs.replace(odds, track_full=ZERO, wounds=Distribution({0: ONE}))
