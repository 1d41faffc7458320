"""What was asked for: so many of one kind of dice, or a mixed pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from loomtable.engine.kernel.dice import Die, parse_pool
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.wording import listed, number_word


@dataclass(frozen=True)
class Pool:
    """How many of which dice: ``Pool.of((3, Die.D10))``, ``parse_dice("5d6+3d10")``."""

    counts: tuple[tuple[Die, int], ...]
    """Each kind once, with its number, in the order of asking."""

    @staticmethod
    def of(expect: Expect) -> Pool | None:
        """The pool that a caller means: one already, ``(count, die)``, ``"5weave"``, or nothing.

        Raises:
            ReadingMisfit: the text is not a pool of dice.
        """
        if expect is None or isinstance(expect, Pool):
            return expect
        if not isinstance(expect, tuple):
            return parse_dice(str(expect))
        count, die = expect
        return Pool(((die, count),)) if isinstance(die, Die) else parse_dice(f"{count}{die}")

    @staticmethod
    def lying(dice: Iterable[Die]) -> Pool:
        """The pool of these dice."""
        return Pool(tuple(Counter(dice).items()))

    @property
    def total(self) -> int:
        """How many dice in all."""
        return sum(count for _, count in self.counts)

    @property
    def dice(self) -> tuple[Die, ...]:
        """Which kinds."""
        return tuple(die for die, _ in self.counts)

    def count(self, die: Die) -> int:
        """How many of one kind."""
        return dict(self.counts).get(die, 0)

    @property
    def words(self) -> str:
        """``"three d10s"``, ``"five d6s and a d10"``."""
        return listed(f"{number_word(n)} {die.label if n == 1 else die.plural}" for die, n in self.counts)

    def __str__(self) -> str:
        return "+".join(f"{count}{'d' * (die is Die.WEAVE)}{die.value}" for die, count in self.counts)


Expect = Pool | tuple[int, Die | str] | str | None
"""What callers may say was asked for."""


def parse_dice(text: str) -> Pool:
    """Read a pool of one or several kinds: ``"3d10"``, ``"5d6+3d10"``, ``"d20"``.

    ``"d100"`` is a percentile pair: a percentile d10 for the tens and a d10 for the units.

    Raises:
        ReadingMisfit: the text is not a pool of dice, or one whose tens and units cannot be told apart.
    """
    counts: Counter[Die] = Counter()
    for part in map(str.strip, text.split("+")):
        try:
            count, die = parse_pool(f"1{part}" if part[:1] in ("d", "D") else part)
        except ReadingMisfit:
            raise ReadingMisfit(f"{text!r} is not a pool of dice; write it like 3d10 or 5d6+3d10") from None
        counts[die] += count
    if counts[Die.D100]:
        counts[Die.D10] = max(counts[Die.D10], 1)
        if counts[Die.D100] > 1 or counts[Die.D10] > 1:
            raise ReadingMisfit(
                f"{text!r}: which d10 goes with which tens cannot be told; read one d100 at a time"
            )
    return Pool(tuple((die, count) for die, count in counts.items() if count))
