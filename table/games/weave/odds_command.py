"""``loom odds weave``: Challenges and Core Challenges."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

import typer

from loomtable.engine.odds.exact import percent, plain
from loomtable.engine.odds.weave import ChallengeOdds, Needed, challenge_odds, core_challenge_odds, joint_odds
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.weave.state import Outcome
from loomtable.table.commands.command import Command
from loomtable.table.commands.odds_telling import (
    GAP,
    Exactly,
    Rulings,
    format_mean,
    given_rulings,
    many_dice,
    print_chances,
    print_table,
)
from loomtable.table.commands.options import option
from loomtable.table.commands.output import AsJson, say, show_help, write_json

SHOWN_STRIKES = 6


class Suits(StrEnum):
    """Whose symbols a Trigger needs."""

    SAME = "same"
    OTHER = "other"


Pool = Annotated[int, option("--pool", "How many Weave dice.")]
Again = Annotated[Rerolls, option("--rerolls", "Which dice are rolled again until none is left.")]
Symbols = Annotated[int | None, option("--trigger", "How many additional symbols a Trigger needs.")]
TriggerSuit = Annotated[Suits, option("--trigger-suit", "The Challenge's own suit, or another.")]

app = typer.Typer(help="Weave: Challenges and Core Challenges.", rich_markup_mode=None)
app.callback(invoke_without_command=True)(show_help)


@app.command("challenge", cls=Command, epilog="loom odds weave challenge --pool 5 --level 3")
def challenge(
    pool: Pool,
    level: Annotated[int, option("--level", "The Challenge Level.")],
    rerolls: Again = Rerolls.WEAVE,
    trigger: Symbols = None,
    trigger_suit: TriggerSuit = Suits.OTHER,
    track: Annotated[int, option("--track", "Strikes already marked.")] = 0,
    joint: Annotated[bool, option("--joint", "Show successes together with Strikes.")] = False,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A Challenge: how it may end, its Strikes, its Trigger."""
    rulings, needed = given_rulings(ruling), _needed(trigger, trigger_suit)
    odds = challenge_odds(pool, level, rerolls=rerolls, trigger=needed, track=track, rulings=rulings)
    both = (
        joint_odds(pool, upto=max(level + 2, SHOWN_STRIKES), rerolls=rerolls, rulings=rulings) if joint else None
    )
    if as_json:
        pairs = [{"successes": s, "strikes": k, "chance": c} for (s, k), c in both.chances.items()] if both else []
        write_json(plain(odds) | (plain({"joint": {"chances": pairs, "rest": both.rest}}) if both else {}))
        return
    say(f"Weave Challenge, level {level}: {many_dice(pool)}; {rerolls.says}.", "")
    _tell_outcomes(odds, exact)
    print_chances({f"Strikes fill the track (from {track})": odds.track_full}, exact)
    print_chances({f"at least {n} Wound{'s' * (n > 1)}": odds.wounds.at_least(n) for n in (1, 2)}, exact)
    successes, strikes = format_mean(odds.expected_successes, exact), format_mean(odds.expected_strikes, exact)
    say("", f"Expected: {successes} successes, {strikes} Strikes.")
    if both:
        _tell_joint(both.chances, level + 2)


@app.command("core", cls=Command, epilog="loom odds weave core --pool 4")
def core(
    pool: Pool = 3,
    rerolls: Again = Rerolls.WEAVE,
    trigger: Symbols = None,
    trigger_suit: TriggerSuit = Suits.OTHER,
    ruling: Rulings = None,
    exact: Exactly = False,
    as_json: AsJson = False,
) -> None:
    """A Core Challenge: level 1, three or four dice, no Strikes."""
    needed = _needed(trigger, trigger_suit)
    odds = core_challenge_odds(pool, rerolls=rerolls, trigger=needed, rulings=given_rulings(ruling))
    if as_json:
        write_json(plain(odds))
        return
    say(f"Weave Core Challenge: {many_dice(pool)}; {rerolls.says}.", "")
    _tell_outcomes(odds, exact)
    say("", f"Expected: {format_mean(odds.expected_successes, exact)} successes.")


def _needed(trigger: int | None, suit: Suits) -> Needed | None:
    return None if trigger is None else Needed(trigger, suit is Suits.SAME)


def _tell_outcomes(odds: ChallengeOdds, exact: bool) -> None:
    outcomes = {str(o): c for o, c in odds.outcomes.items() if c or o is not Outcome.EPIC_FAIL}
    print_chances({"passed in all": odds.passed, **outcomes}, exact)
    if odds.triggered is not None:
        print_chances({"passed with the Trigger": odds.triggered}, exact)


def _tell_joint(chances: Mapping[tuple[int, int], Fraction], highest: int) -> None:
    strikes = range(SHOWN_STRIKES + 1)
    say("", "Successes (down) and Strikes (across):")
    shown = {pair: c for pair, c in chances.items() if pair[0] <= highest and pair[1] <= SHOWN_STRIKES}
    rows = [[str(s), *(percent(shown.get((s, k), Fraction(0))) for k in strikes)] for s in range(highest + 1)]
    print_table(["", *map(str, strikes)], rows)
    say(f"{GAP}beyond this table: {percent(1 - sum(shown.values(), Fraction(0)))}")
