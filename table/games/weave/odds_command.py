"""``loom odds weave``: Challenges, Core Challenges and fights."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated

from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.exact import percent, plain
from loomtable.engine.odds.weave import ChallengeOdds, Needed, challenge_odds, core_challenge_odds, joint_odds
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.odds.words import says
from loomtable.engine.weave.state import ChallengeOutcome
from loomtable.table.choices.odds import bar_of
from loomtable.table.commands.odds import Block, Mean, OddsAnswer, OddsTable, Rulings, fought, odds_app, question
from loomtable.testing.player import Plays
from loomtable.testing.players.weave import fight_against

SHOWN_STRIKES = 6


class Suits(StrEnum):
    """Whose symbols a Trigger needs."""

    SAME = "same"
    OTHER = "other"


Pool = Annotated[int, "How many Weave dice."]
Again = Annotated[Rerolls, "Which dice are rolled again until none is left."]
Symbols = Annotated[int | None, "How many additional symbols a Trigger needs."]
TriggerSuit = Annotated[Suits, "The Challenge's own suit, or another."]

app = odds_app("Weave: Challenges, Core Challenges, fights.")


@question(app, "challenge", "weave challenge --pool 5 --level 3")
def challenge(
    rulings: Rulings,
    pool: Pool,
    level: Annotated[int, "The Challenge Level."],
    rerolls: Again = Rerolls.WEAVE,
    trigger: Symbols = None,
    trigger_suit: TriggerSuit = Suits.OTHER,
    track: Annotated[int, "Strikes already marked."] = 0,
    joint: Annotated[bool, "Show successes together with Strikes."] = False,
) -> OddsAnswer:
    """A Challenge: how it may end, its Strikes, its Trigger."""
    needed = _needed(trigger, trigger_suit)
    odds = challenge_odds(pool, level, rerolls=rerolls, trigger=needed, track=track, rulings=rulings)
    value = plain(odds)
    successes, strikes = Mean(odds.expected_successes), Mean(odds.expected_strikes)
    blocks: list[Block] = [
        *_outcomes(odds),
        {f"Strikes fill the track (from {track})": odds.track_full},
        {f"at least {n} Wound{'s' * (n > 1)}": odds.wounds.at_least(n) for n in (1, 2)},
        "",
        ["Expected: ", successes, " successes, ", strikes, " Strikes."],
    ]
    if joint:
        both = joint_odds(pool, upto=max(level + 2, SHOWN_STRIKES), rerolls=rerolls, rulings=rulings)
        pairs = [{"successes": s, "strikes": k, "chance": c} for (s, k), c in both.chances.items()]
        value |= plain({"joint": {"chances": pairs, "rest": both.rest}})
        blocks += _joint(both.chances, level + 2)
    return OddsAnswer(
        value, f"Weave Challenge, level {level}: {how_many(pool, 'die', 'dice')}; {rerolls.says}.", *blocks
    )


@question(app, "core", "weave core --pool 4")
def core(
    rulings: Rulings,
    pool: Pool = 3,
    rerolls: Again = Rerolls.WEAVE,
    trigger: Symbols = None,
    trigger_suit: TriggerSuit = Suits.OTHER,
) -> OddsAnswer:
    """A Core Challenge: level 1, three or four dice, no Strikes."""
    odds = core_challenge_odds(pool, rerolls=rerolls, trigger=_needed(trigger, trigger_suit), rulings=rulings)
    title = f"Weave Core Challenge: {how_many(pool, 'die', 'dice')}; {rerolls.says}."
    return OddsAnswer(
        odds, title, *_outcomes(odds), "", ["Expected: ", Mean(odds.expected_successes), " successes."]
    )


@question(app, "fight", "weave fight --heroes 4 --level 3 --foes 2 --dice 4")
def fight(
    rulings: Rulings,
    plays: Plays,
    dice: Annotated[int, "A foe's dice bonus in every suit."],
    foes: Annotated[int, "How many foes."] = 1,
    heroes: Annotated[int, "How many heroes, as their cards make them."] = 4,
    level: Annotated[int, "The heroes' level."] = 1,
    suited: Annotated[int | None, "Heroes whose Backstory is in their Core Suit; all but one without."] = None,
    track: Annotated[int, "Strikes that beat a foe; with 0 a foe takes Wounds as characters do."] = 0,
) -> OddsAnswer:
    """A fight, played many times by people who only attack: how often the heroes win, and their Wounds."""
    once = partial(fight_against, heroes, level, suited, foes, dice, track, rulings=rulings)
    title = f"Weave, {heroes} of level {level} against {foes} with +{dice} in every suit"
    return fought(title, plays, "Wounds each", once)


def _needed(trigger: int | None, suit: Suits) -> Needed | None:
    return None if trigger is None else Needed(trigger, suit is Suits.SAME)


def _outcomes(odds: ChallengeOdds) -> tuple[Block, Block, Block]:
    """The four outcomes, which come to 100 %, the worst first, in one bar; then what several have in common."""
    chances = {str(outcome): odds.outcomes[outcome] for outcome in reversed(ChallengeOutcome)}
    outcomes = {outcome: chance for outcome, chance in chances.items() if chance}
    trigger = {} if odds.triggered is None else {says("triggered"): odds.triggered}
    return f"  {bar_of(list(chances.values()))}", outcomes, {says("at-least-pass"): odds.passed, **trigger}


def _joint(chances: Mapping[tuple[int, int], Fraction], highest: int) -> list[Block]:
    strikes = range(SHOWN_STRIKES + 1)
    shown = {pair: c for pair, c in chances.items() if pair[0] <= highest and pair[1] <= SHOWN_STRIKES}
    # As fractions these would be wider than any terminal.
    rows = [[str(s), *(percent(shown.get((s, k), Fraction(0))) for k in strikes)] for s in range(highest + 1)]
    rest = percent(1 - sum(shown.values(), Fraction(0)))
    table = OddsTable(["", *map(str, strikes)], rows)
    return ["", "Successes (down) and Strikes (across):", table, f"  beyond this table: {rest}"]
