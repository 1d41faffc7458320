"""The kinds of dice that are distinguished, and the numbers that are printed on them.

Two ways to say what lies up: the *printed* number, as it stands on the die (0 on a d10's last face, 0 to 90 on a
percentile d10), and the engine's *face* (a d10's 0 is 10 there, see ``loomtable.engine.kernel.dice``).
A d6 counts as one whether it has pips or numerals. Pictures, labels and ``loom read --json`` use the printed
number; whatever goes to the engine is a face.
"""

from __future__ import annotations

from enum import StrEnum

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.wording import number_word


class Kind(StrEnum):
    """What a die is, in the order in which the networks count kinds after *none*."""

    D6 = "d6"
    """A cube with pips."""
    D6_NUMERAL = "d6_numeral"
    D4 = "d4"
    D8 = "d8"
    D10 = "d10"
    D100 = "d100"
    """The percentile d10, marked 00 to 90."""
    D12 = "d12"
    D20 = "d20"

    @property
    def die(self) -> Die:
        """The engine's die."""
        return Die.D6 if self is Kind.D6_NUMERAL else Die(self.value)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The printed numbers."""
        return _NUMBERS[self]

    def face(self, printed: int) -> Face:
        """The engine's face for a printed number: a d10's 0 is 10."""
        return 10 if self is Kind.D10 and printed == 0 else printed

    def printed(self, face: Face) -> int:
        """The printed number of an engine's face: a d10's 10 is 0."""
        return 0 if self is Kind.D10 and face == 10 else int(face)

    @property
    def label(self) -> str:
        """What it is called in a sentence, without its article."""
        return "d6 with numerals" if self is Kind.D6_NUMERAL else self.die.label

    def some(self, count: int) -> str:
        """``"a d8"``, ``"two percentile d10s"``."""
        if count == 1:
            return f"a {self.label}"
        if self is Kind.D6_NUMERAL:
            return f"{number_word(count)} d6s with numerals"
        return f"{number_word(count)} {self.label}s"


_NUMBERS: dict[Kind, tuple[int, ...]] = {
    Kind.D6: tuple(range(1, 7)),
    Kind.D6_NUMERAL: tuple(range(1, 7)),
    Kind.D4: tuple(range(1, 5)),
    Kind.D8: tuple(range(1, 9)),
    Kind.D10: tuple(range(10)),
    Kind.D100: tuple(range(0, 100, 10)),
    Kind.D12: tuple(range(1, 13)),
    Kind.D20: tuple(range(1, 21)),
}
KINDS = tuple(Kind)


def kind_of(die: Die) -> Kind | None:
    """The kind that a die of the engine's is, where it is told by pips or numerals; a d6 is the one with pips."""
    return next((kind for kind in KINDS if kind.die is die), None)


def numeral_class(kind: Kind, printed: int) -> int:
    """Which of the networks' numerals (0 to 20) stands for a printed number: a percentile die's tens digit."""
    return printed // 10 if kind is Kind.D100 else printed
