"""What people, cameras and generators answer: one of the four currencies.

Every reading says how it was come by (``How``) and how surely, so that a table can trust its own journal.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face


class Source(StrEnum):
    """Where an answer came from."""

    CAMERA = "camera"
    TYPED = "typed"
    CORRECTED = "corrected"
    RANDOM = "random"


class ReadDie(msgspec.Struct, frozen=True, omit_defaults=True):
    """One die as it lies: the face up, how it was read, and how surely (0 to 1)."""

    die: Die
    face: Face
    how: Source = Source.TYPED
    confidence: float = 1.0
    misread: Face | None = None
    """What the camera had said, where a person corrected it."""


class _Answer(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="answer"):
    """What all readings share."""


class DiceReading(_Answer, frozen=True, tag="rolled"):
    """The dice that lie on the table, in reading order."""

    dice: tuple[ReadDie, ...]
    of: tuple[str, ...] = ()
    """Whose dice they are, where several roll and these are not everybody's."""

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces that lie up."""
        return tuple(d.face for d in self.dice)

    @property
    def pips(self) -> tuple[int, ...]:
        """The faces as numbers, for dice that have numbers."""
        return tuple(int(d.face) for d in self.dice)


class CoinReading(_Answer, frozen=True, tag="flipped"):
    """A coin that lies: ``"heads"``, ``"tails"``, or ``"unclear"`` when it leans or rolled away (SW-4)."""

    side: str
    how: Source = Source.TYPED
    confidence: float = 1.0


class CardReading(_Answer, frozen=True, tag="shown"):
    """A card held or laid under the camera, or its short code typed."""

    card: ComponentId
    how: Source = Source.TYPED
    confidence: float = 1.0


class ChoiceReading(_Answer, frozen=True, tag="chosen"):
    """The keys of the options that somebody chose."""

    keys: tuple[str, ...]
    how: Source = Source.TYPED

    @property
    def key(self) -> str:
        """The one key, where one was asked for."""
        return self.keys[0]


class NumberReading(_Answer, frozen=True, tag="numbered"):
    """A whole number that somebody gave."""

    value: int
    how: Source = Source.TYPED


class TextReading(_Answer, frozen=True, tag="wrote"):
    """A name or a line that somebody wrote."""

    text: str
    how: Source = Source.TYPED


Reading = DiceReading | CoinReading | CardReading | ChoiceReading | NumberReading | TextReading


def rolled(die: Die, *faces: Face, how: Source = Source.TYPED) -> DiceReading:
    """A roll from its faces.

    >>> from loomtable import Die, rolled
    >>> rolled(Die.D6, 5, 2).pips
    (5, 2)
    """
    return DiceReading(tuple(ReadDie(die, die.check(face), how) for face in faces))
