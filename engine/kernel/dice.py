"""The dice and the coin, by the faces that lie up.

A face is what a person would call out: a number on a numbered die, a word on a Weave die or a coin. A d10's
face printed ``0`` is 10 (SP dice note), so the engine only ever sees 1 to 10.
"""

from __future__ import annotations

import re
from enum import StrEnum

from loomtable.engine.kernel.errors import ReadingMisfit

Face = int | str
"""A face that lies up: ``4``, ``"flames"``, ``"heads"``."""


class Die(StrEnum):
    """Every kind of thing that is thrown, whether a game here rolls it or not.

    >>> from loomtable import Die
    >>> Die.D8.faces
    (1, 2, 3, 4, 5, 6, 7, 8)
    >>> Die.WEAVE.check("flames")
    'flames'
    """

    D4 = "d4"
    D6 = "d6"
    D8 = "d8"
    D10 = "d10"
    D12 = "d12"
    D20 = "d20"
    D100 = "d100"
    """The percentile d10, marked 00 to 90; with a d10 beside it a percentile pair (``percentile_of``)."""
    WEAVE = "weave"
    COIN = "coin"

    @property
    def faces(self) -> tuple[Face, ...]:
        """All faces, in the order in which people count them."""
        return _FACES[self]

    def check(self, face: Face) -> Face:
        """Return ``face`` if this die has it.

        Raises:
            ReadingMisfit: the die has no such face; the message lists those it has.
        """
        if isinstance(face, bool) or face not in self.faces:
            known = ", ".join(str(f) for f in self.faces)
            raise ReadingMisfit(f"a {self.label} has no face {face!r}; its faces are {known}")
        return face

    def parse_face(self, text: str) -> Face:
        """Read a typed face: ``"4"``, ``"flames"``; words may be shortened while they stay clear (``"fl"``).

        Raises:
            ReadingMisfit: no face, or more than one, fits the text.
        """
        wanted = text.strip().lower()
        if wanted.isdecimal():
            number = int(wanted)
            return self.check(10 if self is Die.D10 and number == 0 else number)
        fitting = [f for f in self.faces if isinstance(f, str) and wanted and f.startswith(wanted)]
        if len(fitting) > 1:
            raise ReadingMisfit(f"{text!r} could be {' or '.join(map(str, fitting))}")
        return self.check(fitting[0] if fitting else wanted)

    @property
    def label(self) -> str:
        """The die's name in a sentence."""
        return {Die.WEAVE: "Weave die", Die.COIN: "coin", Die.D100: "percentile d10"}.get(self, str(self.value))

    @property
    def plural(self) -> str:
        """The name of several of them in a sentence."""
        return {Die.WEAVE: "Weave dice"}.get(self, f"{self.label}s")


_FACES: dict[Die, tuple[Face, ...]] = {
    Die.D4: tuple(range(1, 5)),
    Die.D6: tuple(range(1, 7)),
    Die.D8: tuple(range(1, 9)),
    Die.D10: tuple(range(1, 11)),
    Die.D12: tuple(range(1, 13)),
    Die.D20: tuple(range(1, 21)),
    Die.D100: tuple(range(0, 100, 10)),
    Die.WEAVE: ("flames", "brooks", "gales", "stones", "weave", "strike"),
    Die.COIN: ("heads", "tails"),
}

_POOL = re.compile(r"(\d{1,2})\s*(?:d|x)?\s*(4|6|8|100?|12|20|w|weave|coins?|c)", re.IGNORECASE)


def parse_pool(text: str) -> tuple[int, Die]:
    """Read how many of which dice: ``"3d10"``, ``"5dW"`` (Weave dice), ``"1 coin"``.

    Raises:
        ReadingMisfit: the text is not a pool of dice.
    """
    found = _POOL.fullmatch(text.strip())
    if not found or int(found[1]) == 0:
        raise ReadingMisfit(f"{text!r} is not a pool of dice; write it like 3d10, 2d6 or 5dW")
    kind = found[2].lower()
    if kind.startswith("w"):
        return int(found[1]), Die.WEAVE
    if kind.startswith("c"):
        return int(found[1]), Die.COIN
    return int(found[1]), Die(f"d{kind}")


def percentile_of(tens: int, units: int) -> int:
    """What a percentile pair shows, 1 to 100, from its faces: 00 and 0 make 100.

    >>> percentile_of(40, 7), percentile_of(40, 10), percentile_of(0, 10)
    (47, 40, 100)
    """
    return (tens + units % 10) or 100
