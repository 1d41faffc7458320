"""Every line of odds as words for people: the one place to translate."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.yamlfile import parse_yaml

_LINES = parse_yaml(shipped("odds.yaml")[0], dict[str, dict[str, str]], "odds.yaml")[0]["odds"]


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
