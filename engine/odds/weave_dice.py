"""Weave dice that are rolled again, exactly: successes, Strikes and a Trigger's symbols of a pool (WV-10, WV-17).

A Weave die that is rolled again until it shows something else may go on for ever, and yet everything is finite:

- where each die comes to rest (a suit or a Strike) has nothing to do with how often it was rolled again, so the
  dice at rest are a finite table of whole weights, folded die by die;
- how many Weaves came up on the way is a negative binomial with exact terms, and "so many or more" is one less
  the few terms below it. Nothing is cut off.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import NamedTuple

from loomtable.engine.odds.exact import ONE, ZERO, added

FACES = 6


class Rerolls(StrEnum):
    """Which dice are rolled again, over and over, until none of them is left (WV-10, WV-17)."""

    NONE = "none"
    WEAVE = "weave"
    WEAVE_AND_STRIKE = "weave-and-strike"

    @property
    def says(self) -> str:
        """What is done, for people."""
        return {
            "none": "no die is rolled again",
            "weave": "Weave dice are rolled again until none is left",
            "weave-and-strike": "Weave and Strike dice are rolled again until none is left",
        }[self.value]


class How(NamedTuple):
    """How dice are rolled and counted."""

    rerolls: Rerolls
    symbols: str = ""
    """Whose exact symbols are counted: ``"same"`` for the Challenge's suit, ``"other"`` for one other suit."""
    begun: bool = False
    """Whether these are re-rolled dice, so that the first roll lies already."""
    counted: bool = True
    """Whether Strikes that come up on re-rolled dice count (ruling strikes-on-rerolls)."""
    strikes_again: bool = True
    """Where Strikes are rolled again: over and over, or only once (ruling lucky-strike-rerolls)."""
    marked: bool = True
    """Whether a Strike whose die is rolled again still counts (ruling lucky-rerolled-strikes)."""

    @property
    def endless_strikes(self) -> bool:
        """Whether re-rolled dice can show Strikes that are rolled again, and again, and count each time."""
        return self.rerolls is Rerolls.WEAVE_AND_STRIKE and self.strikes_again and self.counted and self.marked

    @property
    def ending(self) -> int:
        """The faces on which a re-rolled die comes to rest."""
        return FACES - 1 - (self.rerolls is Rerolls.WEAVE_AND_STRIKE and self.strikes_again)


class Rest(NamedTuple):
    """Dice at rest: what they count, and how many of them were rolled again before they came to rest."""

    successes: int = 0
    strikes: int = 0
    symbols: int = 0
    rolling: int = 0

    def plus(self, other: Rest) -> Rest:
        """Both together."""
        return Rest(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class Counts(NamedTuple):
    """What a pool counts in all."""

    successes: int
    strikes: int
    symbols: int


def one_die(how: How) -> dict[Rest, int]:
    """Where one die comes to rest, in whole weights; their sum is the common denominator."""
    same, other = int(how.symbols == "same"), int(how.symbols == "other")
    suits = [(Rest(successes=1, symbols=same), 1), (Rest(symbols=other), 1), (Rest(), 2)]
    strike = Rest(strikes=int(how.counted or not how.begun))
    if how.rerolls is Rerolls.NONE:
        return added([*suits, (Rest(successes=1), 1), (strike, 1)])
    ends = [*suits]
    if how.ending == FACES - 1:
        ends.append((Rest(strikes=int(how.counted)), 1))
    again = [(rest.plus(Rest(rolling=1)), weight) for rest, weight in ends]
    lucky = how.rerolls is Rerolls.WEAVE_AND_STRIKE
    if how.begun or how.endless_strikes or (how.counted and not lucky):
        return added(again)  # the first roll is like any other
    first = [(rest, weight * how.ending) for rest, weight in suits]
    first += [(Rest(successes=1).plus(rest), weight) for rest, weight in again]
    if lucky:
        first += [(Rest(strikes=int(how.marked)).plus(rest), weight) for rest, weight in again]
    else:
        first.append((strike, how.ending))
    return added(first)


@lru_cache(maxsize=256)
def _dice(pool: int, how: How) -> tuple[tuple[Rest, int], ...]:
    """Where a pool comes to rest, folded die by die."""
    if pool == 0:
        return ((Rest(), 1),)
    fewer, die = _dice(pool - 1, how), one_die(how)
    return tuple(added((a.plus(b), x * y) for a, x in fewer for b, y in die.items()).items())


def _weaves(dice: int, ending: int, below: int) -> list[Fraction]:
    """The chances of 0, 1, ... Weaves before ``dice`` dice rest, below ``below``; then that of all the others.

    ``ending`` is how many faces end a die against the one that is a Weave.
    """
    faces = ending + 1
    exact = [
        Fraction(comb(dice - 1 + n, n) * ending**dice, faces ** (dice + n)) if dice else Fraction(n == 0)
        for n in range(below)
    ]
    return [*exact, ONE - sum(exact, ZERO)]


def _on_the_way(dice: int, how: How, successes: int, strikes: int) -> dict[tuple[int, int], Fraction]:
    """Weaves and counted Strikes that come up before ``dice`` dice rest; each number's last means it or more."""
    weaves = _weaves(dice, how.ending, successes)
    if not how.endless_strikes:
        return {(n, 0): chance for n, chance in enumerate(weaves)}
    both = {
        (w, s): Fraction(comb(dice - 1 + w + s, w + s) * comb(w + s, w) * 4**dice, 6 ** (dice + w + s))
        if dice
        else Fraction(w == s == 0)
        for w in range(successes)
        for s in range(strikes)
    }
    for w in range(successes):
        both[w, strikes] = weaves[w] - sum((both[w, s] for s in range(strikes)), ZERO)
    for s, chance in enumerate(_weaves(dice, how.ending, strikes)):  # Strikes alone come up just as Weaves do
        both[successes, s] = chance - sum((both[w, s] for w in range(successes)), ZERO)
    return both


@lru_cache(maxsize=128)
def tally(pool: int, how: How, most: Counts) -> tuple[dict[Counts, int], int]:
    """Weights of what a pool counts in all, and their total; a count at its ``most`` means that or more."""
    rests = _dice(pool, how)
    ways = {r: _on_the_way(r, how, most.successes, most.strikes) for r in {rest.rolling for rest, _ in rests}}
    common = lcm(*(chance.denominator for way in ways.values() for chance in way.values()))
    scaled = {
        r: [(w, s, c.numerator * (common // c.denominator)) for (w, s), c in way.items() if c]
        for r, way in ways.items()
    }
    weights: dict[Counts, int] = {}
    for rest, weight in rests:
        symbols = min(rest.symbols, most.symbols)
        for weaves, strikes, chance in scaled[rest.rolling]:
            counts = Counts(
                min(rest.successes + weaves, most.successes), min(rest.strikes + strikes, most.strikes), symbols
            )
            weights[counts] = weights.get(counts, 0) + weight * chance
    return weights, common * sum(one_die(how).values()) ** pool


def expected(pool: int, how: How) -> tuple[Fraction, Fraction]:
    """Successes and Strikes to expect of a pool."""
    die = one_die(how)
    total = sum(die.values())
    on_the_way = Fraction(1, how.ending)  # each of the other faces comes up so often before a die ends
    successes = sum((w * (rest.successes + rest.rolling * on_the_way) for rest, w in die.items()), ZERO)
    strikes = sum(
        (w * (rest.strikes + rest.rolling * on_the_way * how.endless_strikes) for rest, w in die.items()), ZERO
    )
    return pool * successes / total, pool * strikes / total
