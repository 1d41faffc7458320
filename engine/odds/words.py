"""Every line of odds as words for people: the one place to translate."""

from __future__ import annotations

from fractions import Fraction

import msgspec

_LINES = {
    "pass": "pass",
    "at-least-pass": "pass or better",
    "epic-pass": "epic pass",
    "epic-fail": "epic fail",
    "just-fail": "fail",
    "just-pass": "pass",
    "track-full": "the Strikes fill the track, a Wound",
    "triggered": "pass with the Trigger met",
    "pass-now": "pass",
    "pass-highest": "pass, with {highest} or less on the dice",
    "pass-effort": "pass, with up to {effort} Effort",
    "hit-triplet": "pass with a triplet",
    "severity": "{severity} or graver",
    "severity-effort": "{severity} or graver, with up to {effort} Effort",
    "enemy-hurt": "{enemy} is hurt",
    "thymin-hurt": "Thymin is hurt",
    "nobody-hurt": "nobody is hurt",
    "enemy-falls": "{enemy} falls in this exchange",
    "thymin-falls": "Thymin falls in this exchange",
    "win": "Thymin wins the fight, always attacking",
    "win-cunning": "Thymin wins the fight, always by Cunning Strikes",
    "cunning-lands": "a Cunning Strike lands",
    "clean": "clean, with a 6",
    "complicated": "the skill becomes complicated",
    "improved": "nothing but 1s and 6s: the rating rises",
    "band": "{band}",
    "weaving-injury": "the suit is injured",
    "truth-solves": "it is settled",
    "learned-at-2": "learned at rating 2",
    "learned-complicated": "learned, and complicated",
    "alone-absent": "healed, but away from the next group scene",
    "alone-grows": "healed, and a skill grows",
    "victory": "victory, all complications are cleared",
    "draw": "a draw",
    "defeat": "defeat, every suit that was used is injured",
    "face-round": "{who} wins the round",
    "face-win": "{who} wins, if both play their best",
    "face-draw": "neither wins, if both play their best",
    "face-by-die": "{who} wins by taking the {die} now",
}


class OddsLine(msgspec.Struct, frozen=True):
    """One thing that may happen: a key for programs, words for people, the exact chance."""

    key: str
    says: str
    chance: Fraction
    answer: str = ""
    """The answer after which it is so, where it hangs on what is answered: ``"2"`` dice rolled again."""
    part: bool = False
    """Whether it is one of several outcomes, the worst first, of which one is certain to happen."""


def line(key: str, chance: Fraction, **numbers: object) -> OddsLine:
    """A line of odds, with its numbers put into the words."""
    return OddsLine(key, says(key, **numbers), chance)


def says(key: str, **numbers: object) -> str:
    """The line of this key: ``says("pass-highest", highest=7)``."""
    return _LINES[key].format(**numbers)
