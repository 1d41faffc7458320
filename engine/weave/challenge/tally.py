"""Pools of Weave dice: how many are rolled, what is rolled again, and what they count for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.readings import DiceReading
from loomtable.engine.kernel.requests import Choose, EnterNumber, Option, Roll
from loomtable.engine.kernel.wording import how_many, number_word
from loomtable.engine.weave.cards.mechanics import Trigger
from loomtable.engine.weave.rulings import PIP_FACES
from loomtable.engine.weave.state import BASE_POOL, ChallengeOutcome, Figure, Npc, Season
from loomtable.engine.weave.suits import Suit

WEAVE_FACE, STRIKE_FACE = "weave", "strike"
WEAVES_AGAIN, STRIKES_AGAIN = "Weave dice to roll again", "Strike dice to roll again"
ONCE_MORE = ", once more"
"""Of a pool that is rolled a second time, and counts in place of the first."""
STRIKE_ANEW = ", a Strike rolled again"
EPIC_MARGIN = 2
LOWEST_LEVEL = 1


class Tally(msgspec.Struct, frozen=True):
    """What a pool came to, over all its rolls."""

    successes: int
    strikes: int
    symbols: dict[Suit, int]
    """How many dice showed each suit itself; Weave never counts here (WV-10)."""


def asked(figure: Figure) -> str:
    """Who rolls and decides for a figure."""
    return STORYTELLER if isinstance(figure, Npc) else figure.name


def challenge_pool(figure: Figure, suit: Suit, *, minimum: str, dice: int = 0) -> int:
    """Three dice, the suit's bonus and ``dice`` more or fewer, less one for each Wound (WV-9, WV-17).

    ``minimum`` is the choice of the ruling ``minimum-pool``.
    """
    pool = BASE_POOL + figure.dice_bonus(suit) + dice - figure.wounds
    return max(pool, 1 if minimum == "one-die" else 0)


def core_pool(figure: Figure, suit: Suit, *, wounds: str, minimum: str, dice: int = 0) -> int:
    """Three dice, four if the Core Suit matches (WV-22), and ``dice`` more or fewer.

    ``wounds`` is the choice of ``core-challenge-wounds``.
    """
    pool = BASE_POOL + (figure.core_suit is suit) + dice - (figure.wounds if wounds == "reduced" else 0)
    return max(pool, 1 if minimum == "one-die" else 0)


def outcome_of(successes: int, level: int) -> ChallengeOutcome:
    """Pass at the level, epic two beyond it either way (WV-17, WV-18)."""
    if successes >= level + EPIC_MARGIN:
        return ChallengeOutcome.EPIC_PASS
    if successes >= level:
        return ChallengeOutcome.PASS
    return ChallengeOutcome.EPIC_FAIL if successes <= level - EPIC_MARGIN else ChallengeOutcome.FAIL


def trigger_met(tally: Tally, trigger: Trigger, suit: Suit, level: int, paid_by: str) -> bool:
    """Whether enough exact symbols are left over once the pass is paid for (WV-10).

    ``suit`` and ``level`` are those of the Challenge that was passed; ``paid_by`` is the choice of the ruling
    ``trigger-pass-symbols``.
    """
    exact = tally.symbols[trigger.suit]
    if trigger.suit is suit:
        weaves = tally.successes - exact
        exact -= max(0, level - weaves) if paid_by == "weave-first" else min(exact, level)
    return exact >= trigger.symbols


def roll_pool(
    play: Play[Season],
    figure: Figure,
    suit: Suit,
    pool: int,
    purpose: str,
    *,
    rule: str,
    lucky: bool = False,
    rerolls: int = 0,
    first: DiceReading | None = None,
) -> Steps[Tally]:
    """Roll a pool, unless that was the ``first`` roll, then roll Weave dice again as often as wished (WV-17).

    ``lucky``: dice that show Strikes may be rolled again as well (WV-10). ``rerolls``: so many dice of the first
    roll may be rolled again whatever they show, and only their new faces count.
    """
    by = asked(figure)
    tally = _Counting(play, suit)
    rolling, again = pool, 0
    while rolling:
        numbered = f", re-roll {again}" if again else ""
        if first is None or again:
            lying = yield from ask(weave_roll(play, rolling, purpose + numbered, by=by, rule=rule))
        else:
            lying = first
        faces = list(lying.faces)
        if not again and rerolls:
            faces = yield from _replaced(play, faces, rerolls, purpose, by=by, rule=rule)
        tally.count(faces, first=not again)
        again += 1
        rolling = yield from _rolled_again(play, tally, again, lucky=lucky, by=by, rule=rule)
    return tally.result()


class _Counting:
    """The count while a pool is being rolled."""

    def __init__(self, play: Play[Season], suit: Suit) -> None:
        self._suit = suit
        self._rerolled_count = play.ruled("strikes-on-rerolls") == "counted"
        self._taken_back = play.ruled("lucky-rerolled-strikes") == "taken-back"
        self._symbols: Counter[Face] = Counter()
        self.weaves = self.strikes_lying = self.strikes = 0
        self._lying_and_counted = 0

    def count(self, faces: Sequence[Face], *, first: bool) -> None:
        self._symbols.update(faces)
        self.weaves += faces.count(WEAVE_FACE)
        self.strikes_lying += faces.count(STRIKE_FACE)
        if first or self._rerolled_count:
            self.strikes += faces.count(STRIKE_FACE)
            self._lying_and_counted += faces.count(STRIKE_FACE)

    def pick_up(self, weaves: int, strikes: int) -> None:
        self.weaves -= weaves
        self.strikes_lying -= strikes
        counted = min(strikes, self._lying_and_counted)
        self._lying_and_counted -= counted
        if self._taken_back:
            self.strikes -= counted

    @property
    def successes(self) -> int:
        return self._symbols[self._suit.value] + self._symbols[WEAVE_FACE]

    def result(self) -> Tally:
        return Tally(self.successes, self.strikes, {s: self._symbols[s.value] for s in Suit})


def _rolled_again(
    play: Play[Season], tally: _Counting, after: int, *, lucky: bool, by: str, rule: str
) -> Steps[int]:
    """How many dice are picked up to be rolled again."""
    weaves = strikes = 0
    if tally.weaves:
        purpose = f"{WEAVES_AGAIN}, after roll {after}"
        weaving = how_many(tally.weaves, "of your dice shows", "of your dice show")
        why = f"{how_many(tally.successes, 'success', 'successes')} so far; {weaving} Weave."
        chosen = yield from ask(_again("Weave", purpose, tally.weaves, by=by, rule=rule, why=why))
        weaves = chosen.value
    may_strike = lucky and (after == 1 or play.ruled("lucky-strike-rerolls") == "until-none")
    if may_strike and tally.strikes_lying:
        purpose = f"{STRIKES_AGAIN}, after roll {after}"
        chosen = yield from ask(_again("Strike", purpose, tally.strikes_lying, by=by, rule="WV-10"))
        strikes = chosen.value
    tally.pick_up(weaves, strikes)
    return weaves + strikes


def _again(face: str, purpose: str, most: int, *, by: str, rule: str, why: str = "") -> EnterNumber:
    """How many of the dice that show ``face`` are rolled again, at most ``most``."""
    every = {1: f"the {face} die", 2: "both"}.get(most, f"all {number_word(most)}")
    which = [*(number_word(n) for n in range(1, most)), every]
    options = [Option(str(n), f"Roll {these} again") for n, these in enumerate(which, start=1)]
    words = f"Roll {every if most == 1 else f'{face} dice'} again?"
    return EnterNumber(purpose, 0, most, (Option("0", "Keep"), *options), by=by, rule=rule, why=why, words=words)


def _replaced(
    play: Play[Season], faces: list[Face], most: int, purpose: str, *, by: str, rule: str
) -> Steps[list[Face]]:
    """The first roll with some dice rolled again; their old faces no longer count."""
    options = tuple(Option(str(n), f"Die {n}: {face}") for n, face in enumerate(faces, start=1))
    most = min(most, len(faces))
    which = yield from ask(Choose(f"Dice to replace, {purpose}", options, 0, most, by=by, rule="WV-10"))
    if not which.keys:
        return faces
    anew = yield from ask(weave_roll(play, len(which.keys), f"{purpose}, replaced dice", by=by, rule=rule))
    for key, face in zip(which.keys, anew.faces, strict=True):
        faces[int(key) - 1] = face
    return faces


def strike_anew(play: Play[Season], figure: Figure, suit: Suit, tally: Tally, purpose: str) -> Steps[Tally]:
    """A die that shows a Strike is rolled again, and its new face stands (WV-10)."""
    lying = yield from ask(weave_roll(play, 1, purpose + STRIKE_ANEW, by=asked(figure), rule="WV-10"))
    (face,) = lying.faces
    successes, strikes = (
        tally.successes + (face in (suit.value, WEAVE_FACE)),
        tally.strikes - (face != STRIKE_FACE),
    )
    return Tally(successes, strikes, {s: count + (face == s.value) for s, count in tally.symbols.items()})


def weave_roll(play: Play[Season], count: int, purpose: str, *, by: str, rule: str) -> Roll:
    """The request for so many Weave dice, for which ordinary dice may stand in."""
    pips = PIP_FACES[play.ruled("pip-faces")]
    return Roll(Die.WEAVE, count, purpose, pips, by=by, rule=rule)
