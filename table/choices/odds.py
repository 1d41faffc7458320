"""What is known of the odds, before a roll and on the answers that can be given."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

import msgspec

from loomtable.engine.kernel.requests import Option
from loomtable.engine.odds.exact import ZERO, decimal, percent
from loomtable.engine.odds.words import OddsLine

SHADES = "░▒▓█"


class Chance(msgspec.Struct, frozen=True):
    """One line of odds: in words, and as a share of a bar 100 wide."""

    key: str
    says: str
    percent: str
    exact: str
    """To a tenth of a percent."""
    width: str
    start: str
    """Where its share begins, in a bar that it has with others."""


class Odds(msgspec.Struct, frozen=True):
    """The odds before a roll: lines with a bar each, and outcomes that share the bar of the first line."""

    lines: tuple[Chance, ...] = ()
    outcomes: tuple[Chance, ...] = ()
    bar: str = ""
    """That bar in characters."""

    def __str__(self) -> str:
        """``"pass or better 32%, epic fail 41%, fail 27%, pass 27%, epic pass 5%"``."""
        return ", ".join(f"{row.says} {row.percent}" for row in (*self.lines[:1], *self.outcomes, *self.lines[1:]))


def odds_of(odds: Sequence[OddsLine], digits: int = 0) -> Odds:
    """What is known before the roll; the odds of an answer stand on its button."""
    known = [line for line in odds if not line.answer]
    parts = [line for line in known if line.part]
    chances = [line.chance for line in parts]
    shared = zip(parts, percents(chances, digits), accumulate(chances, initial=ZERO), strict=False)
    return Odds(
        tuple(_chance(line, percent(line.chance, digits)) for line in known if not line.part),
        tuple(_chance(line, said, start) for line, said, start in shared if line.chance),
        bar_of(chances),
    )


def _chance(line: OddsLine, said: str, start: Fraction = ZERO) -> Chance:
    width, begins = (f"{float(share) * 100:.2f}" for share in (line.chance, start))
    return Chance(line.key, line.says, said, percent(line.chance), width, begins)


def shares(chances: Sequence[Fraction], of: int) -> list[int]:
    """How many ``of`` so many steps go to each of several chances that come to 1, so that none is lost.

    >>> shares([Fraction(1, 3)] * 3, 100)
    [34, 33, 33]
    """
    least = [int(chance * of) for chance in chances]
    nearest = sorted(range(len(least)), key=lambda at: least[at] - chances[at] * of)
    return [steps + (at in nearest[: of - sum(least)]) for at, steps in enumerate(least)]


def percents(chances: Sequence[Fraction], digits: int = 1) -> list[str]:
    """Chances for people; where they come to 1, what is written comes to 100 %."""
    told, steps = [percent(chance, digits) for chance in chances], 10**digits
    for at, share in enumerate(shares(chances, 100 * steps) if sum(chances) == 1 else ()):
        if 0 < share < 100 * steps:
            told[at] = f"{decimal(Fraction(share, steps), digits)}%"
    return told


def bar_of(outcomes: Sequence[Fraction], width: int = 40) -> str:
    """One bar for four outcomes that come to 1, the worst first: ``"░░░▒▒▒▓█"``."""
    return "".join(shade * steps for shade, steps in zip(SHADES, shares(outcomes, width), strict=False))


def with_odds(option: Option, odds: Sequence[OddsLine]) -> Option:
    """An option with what is certain and what may come once it is taken: ``"pass 94%, epic pass 6%"``."""
    told = [
        f"{line.says}" + (f" {percent(line.chance, 0)}" if line.chance < 1 else "")
        for line in odds
        if line.answer == option.key and line.chance and line.key != "at-least-pass"  # its parts are told
    ]
    return msgspec.structs.replace(option, does=", ".join([option.does, *told] if option.does else told))
