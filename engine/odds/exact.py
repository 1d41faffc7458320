"""Exact chances: distributions over whole numbers, and how a chance is written for people and for programs.

Nothing here ever becomes a float on its way; rounding happens once, in writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from loomtable.engine.kernel.errors import NotNow
from loomtable.engine.kernel.rulings import RulingBook

ZERO, ONE = Fraction(0), Fraction(1)


class OddsUnknown(NotNow):
    """These odds cannot be reckoned: a number is out of bounds, or the rules do not allow what was asked."""


class Distribution(msgspec.Struct, frozen=True):
    """Whole numbers with their exact chances; all chances and ``rest`` add up to exactly 1."""

    chances: dict[int, Fraction]
    """The chance of each number, ascending; numbers that cannot be are left out."""
    rest: Fraction = ZERO
    """The chance of everything above the last number that is listed; 0 where the list is whole."""

    def __getitem__(self, number: int) -> Fraction:
        """The chance of exactly this number.

        Raises:
            OddsUnknown: the number lies above a list that was cut, so that its chance is not known here.
        """
        if self.rest and number > max(self.chances, default=-1):
            raise OddsUnknown(f"the list ends before {number}; ask for a longer one")
        return self.chances.get(number, ZERO)

    def __iter__(self) -> Iterator[int]:
        return iter(self.chances)

    def at_least(self, number: int) -> Fraction:
        """The chance of this number or more.

        Raises:
            OddsUnknown: the number lies beyond the end of a list that was cut.
        """
        if self.rest and number > max(self.chances, default=-1) + 1:
            raise OddsUnknown(f"the list ends before {number}; ask for a longer one")
        return self.rest + sum((c for n, c in self.chances.items() if n >= number), ZERO)

    @property
    def mean(self) -> Fraction:
        """What to expect.

        Raises:
            OddsUnknown: the list was cut, and the mean of a part would be a wrong number that looks right.
        """
        if self.rest:
            raise OddsUnknown("a list that was cut has no mean")
        return sum((number * chance for number, chance in self.chances.items()), ZERO)


def distribution(weights: Mapping[int, int], total: int, *, upto: int | None = None) -> Distribution:
    """Whole weights over a common total as a distribution; beyond ``upto``, if given, everything is ``rest``."""
    listed = {n: w for n, w in sorted(weights.items()) if w and (upto is None or n <= upto)}
    return Distribution(
        {n: Fraction(w, total) for n, w in listed.items()}, ONE - Fraction(sum(listed.values()), total)
    )


def added(weights: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    """Equal outcomes put together, their weights added."""
    together: dict[Any, int] = {}
    for outcome, weight in weights:
        together[outcome] = together.get(outcome, 0) + weight
    return together


def whole(number: int, what: str, low: int, high: int) -> int:
    """``number``, if it lies within the bounds.

    Raises:
        OddsUnknown: it does not.
    """
    if not low <= number <= high:
        raise OddsUnknown(f"{what} has to be from {low} to {high}, not {number}")
    return number


def decided(book: RulingBook, rulings: Mapping[str, str] | None) -> dict[str, str]:
    """Every ruling of a system: the table's choices, and our defaults where it has made none.

    Raises:
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    return {**book.defaults(), **{name: book[name].choice(key).key for name, key in (rulings or {}).items()}}


def decimal(number: Fraction, digits: int = 1) -> str:
    """The number rounded (half up) to so many digits: ``"2.5"``."""
    scale = 10**digits
    rounded = (2 * abs(number.numerator) * scale + number.denominator) // (2 * number.denominator)
    text = f"{rounded // scale}.{rounded % scale:0{digits}}" if digits else str(rounded)
    return f"-{text}" if number < 0 and rounded else text


def percent(chance: Fraction, digits: int = 1) -> str:
    """A chance for people: ``"32.0%"``. Only what never happens is 0.0%, only what is certain is 100.0%."""
    least = Fraction(1, 100 * 10**digits)
    if ZERO < chance < least / 2:
        return f"<{decimal(100 * least, digits)}%"
    if ONE > chance > ONE - least / 2:
        return f">{decimal(100 * (ONE - least), digits)}%"
    return f"{decimal(100 * chance, digits)}%"


def plain(value: Any) -> Any:
    """Odds as plain values for JSON: every fraction exactly, as text, beside a decimal that is near it."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": float(value)}
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value
