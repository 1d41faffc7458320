"""The name of one printed thing, and the code that stands on it.

A code is ten upper-case alphanumeric characters, so that it fits a QR code of version 1 at level H::

    L T 1 S 0 0 7 x y z
    --- - - ----- -----
     |  | |   |     checksum
     |  | |   number: three decimal digits, or from 1000 on three characters of which the first is a letter
     |  | kind and side, one letter
     |  version of this format
     fixed prefix

It is an index into what is installed and nothing else: never a URL to open, never a length to trust.

The checksum is the first seven characters, read as digits in base 37, modulo 46 649, in three base-36 characters.
46 649 is a prime just below 36 cubed, and the powers of 37 up to the sixth are distinct modulo it; so one wrong
character and any two exchanged characters are always noticed, and other damage with all but 1 chance in 46 649.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import total_ordering

from loomtable.engine.kernel.errors import DamagedCode, ForeignCode, OtherCodeVersion, UnknownComponent
from loomtable.engine.kernel.poker import CARDS, PokerCard, poker_number
from loomtable.engine.kernel.wording import article

CODE_PREFIX = "LT"
CODE_VERSION = "1"
CODE_LENGTH = 10

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BASE = 37
_MODULUS = 46_649


class Kind(StrEnum):
    """What sort of printed thing it is."""

    STORY = "story"
    CHALLENGE = "challenge"
    TAPESTRY = "tapestry"
    SPELL = "spell"
    POKER = "poker"
    SHEET = "sheet"
    MAP = "map"
    FIGURE = "figure"
    HOME = "home"
    ANSWER = "answer"
    MARKER = "marker"


_LETTERS: dict[str, tuple[Kind, str]] = {
    "S": (Kind.STORY, ""),
    "C": (Kind.CHALLENGE, ""),
    "T": (Kind.TAPESTRY, "A"),
    "U": (Kind.TAPESTRY, "B"),
    "P": (Kind.SPELL, ""),
    "K": (Kind.POKER, ""),
    "H": (Kind.SHEET, ""),
    "M": (Kind.MAP, ""),
    "F": (Kind.FIGURE, ""),
    "O": (Kind.HOME, ""),
    "A": (Kind.ANSWER, ""),
    "R": (Kind.MARKER, ""),
}
_LETTER_OF = {kind_and_side: letter for letter, kind_and_side in _LETTERS.items()}

_SHORT = re.compile(r"([A-Z])-?0*(\d{1,5})([AB]?)")

ANSWER_CARDS, MARKERS = 14, 12
"""How many answer cards (``loomtable.engine.kernel.answer_cards``) and hero markers are printed."""

FIRST_OWN = 6
"""The first home card that is a card of one's own; those before are Woven's."""
_MOST_IN_DIGITS = 999
_FIRST_IN_LETTERS = 10 * 36**2
"""``A00`` in base 36."""
_MOST = {
    Kind.HOME: _MOST_IN_DIGITS + 36**3 - _FIRST_IN_LETTERS,
    Kind.ANSWER: ANSWER_CARDS,
    Kind.MARKER: MARKERS,
}


@total_ordering
class ComponentId:
    """One printed thing: Story card 7; tapestry card 12, side B.

    ``number`` is 1 to ``most_of`` its kind, which is 999 for most kinds; ``side`` is ``"A"`` or ``"B"`` for things
    with two faces and ``""`` for others. Values are equal by content, ordered, hashable and immutable; in JSON
    they are their short code.
    """

    __slots__ = ("kind", "number", "side")
    kind: Kind
    number: int
    side: str

    def __init__(self, kind: Kind, number: int, side: str = "") -> None:
        if (kind, side) not in _LETTER_OF:
            raise UnknownComponent(f"{article(kind)} card has no side {side!r}")
        if not 1 <= number <= most_of(kind):
            raise UnknownComponent(f"{article(kind)} card is numbered 1 to {most_of(kind)}, not {number}")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "side", side)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ComponentId cannot be changed ({name})")

    def __reduce__(self) -> tuple[type[ComponentId], tuple[Kind, int, str]]:
        return ComponentId, self._key

    @property
    def _key(self) -> tuple[Kind, int, str]:
        return self.kind, self.number, self.side

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComponentId) and self._key == other._key

    def __lt__(self, other: ComponentId) -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"ComponentId({self.short})"

    @property
    def code(self) -> str:
        """The ten characters in the QR code."""
        body = f"{CODE_PREFIX}{CODE_VERSION}{_LETTER_OF[self.kind, self.side]}{_in_three(self.number)}"
        return body + _checksum(body)

    @property
    def short(self) -> str:
        """The short code printed for people, typed when a QR code is torn: ``S7``, ``C12``, ``T3B``.

        A poker card's is what stands on every such card: ``7H``, ``10S``, ``RJ`` for the red Joker.
        """
        if self.kind is Kind.POKER and self.number in CARDS:
            return PokerCard(self.number).short
        letter = next(x for x, (kind, _) in _LETTERS.items() if kind is self.kind)
        return f"{letter}{self.number}{self.side}"

    def __str__(self) -> str:
        return self.short

    @classmethod
    def from_code(cls, code: str) -> ComponentId:
        """The thing that a scanned code stands for.

        Raises:
            ForeignCode: not a Loomtable code at all.
            OtherCodeVersion: one of ours, of another version.
            DamagedCode: one of ours, but the checksum, kind or number does not fit.
        """
        if not code.startswith(CODE_PREFIX) or not 4 <= len(code) <= 16 or not code.isascii():
            raise ForeignCode(f"{_shown(code)} is not a Loomtable card code")
        version = code[len(CODE_PREFIX)]
        if version != CODE_VERSION and version in _DIGITS:
            raise OtherCodeVersion(
                f"the card code {_shown(code)} is of version {version}; "
                f"this Loomtable reads version {CODE_VERSION}"
            )
        body, checksum = code[:-3], code[-3:]
        if len(code) != CODE_LENGTH or any(c not in _DIGITS for c in code) or _checksum(body) != checksum:
            raise DamagedCode(f"the card code {_shown(code)} is damaged: its checksum does not fit")
        letter, digits = body[3], body[4:]
        kind, side = _LETTERS.get(letter, (None, ""))
        number = _number_in(digits)
        if kind is None or not 1 <= number <= most_of(kind):
            raise DamagedCode(f"the card code {_shown(code)} names no kind of card that exists")
        return cls(kind, number, side)

    @classmethod
    def parse(cls, text: str) -> ComponentId:
        """Read a short code (``S7``, ``s-007``, ``T3B``, ``QH``) or a full one, as a person would type it.

        Raises:
            UnknownComponent: the text is neither.
            BadCode: the text looks like a full code and is not a good one.
        """
        wanted = text.strip().upper()
        if wanted.startswith(CODE_PREFIX) and len(wanted) > 5:
            return cls.from_code(wanted)
        poker = poker_number(wanted)
        if poker is not None:
            return cls(Kind.POKER, poker)
        found = _SHORT.fullmatch(wanted)
        if not found or found[1] not in _LETTERS:
            raise UnknownComponent(f"{_shown(text)} is not a card code; one looks like S7 or C12")
        kind, own_side = _LETTERS[found[1]]
        return cls(kind, int(found[2]), found[3] or own_side)


def most_of(kind: Kind) -> int:
    """The highest number that a kind of card can have. Only home cards, which people make, are so many."""
    return _MOST.get(kind, _MOST_IN_DIGITS)


def _in_three(number: int) -> str:
    """A number in three characters: 1 to 999 in digits, then ``A00``, ``A01`` to ``ZZZ``."""
    if number <= _MOST_IN_DIGITS:
        return f"{number:03d}"
    return _in_base_36(number - _MOST_IN_DIGITS - 1 + _FIRST_IN_LETTERS)


def _number_in(three: str) -> int:
    """The number that three characters of a code stand for; 0 where they stand for none."""
    if three.isdecimal():
        return int(three)
    return int(three, 36) - _FIRST_IN_LETTERS + _MOST_IN_DIGITS + 1 if three[0].isalpha() else 0


def _checksum(body: str) -> str:
    value = 0
    for character in body:
        value = (value * _BASE + _DIGITS.index(character) + 1) % _MODULUS
    return _in_base_36(value)


def _in_base_36(value: int) -> str:
    return _DIGITS[value // 36**2] + _DIGITS[value // 36 % 36] + _DIGITS[value % 36]


def _shown(text: str) -> str:
    """Untrusted text, shortened and made safe to print."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
