"""What the engine asks of the people at the table: one of the four currencies.

A rule never rolls, shuffles or decides; it asks. Every request says what to do, who does it (``by``), what for
(``purpose``) and by which rule. ``check`` holds an answer against it: kind, count, faces, bounds, options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    ReadDie,
    Reading,
    TextReading,
)
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.wording import dice_count, number_word

UNCLEAR = "unclear"
"""The side of a coin that leans on something or rolled away (SW-4)."""
GROUP = "group"
"""Who answers for everybody, in games that nobody leads."""


class _Ask(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="ask", kw_only=True):
    """What all requests share: who answers, by which rule, and a line of explanation."""

    by: str
    rule: str
    why: str = ""
    words: str = ""
    """The question as people read it, where that is not its purpose. Words may change: a purpose, by which an old
    journal knows its question again, may not."""


class Roll(_Ask, frozen=True, tag="roll"):
    """Roll ``count`` dice of one kind."""

    die: Die
    count: int
    purpose: str
    stand_in: tuple[str, ...] = ()
    """What the pips 1 to 6 of an ordinary d6 mean, where a d6 may stand in for the die."""
    whose: tuple[str, ...] = ()
    """Who rolls, where several do: an equal part of the dice each, in this order."""
    ticks: Choose | None = None
    """What people may say as they roll: a choice ticks options or unticks them, and the roll is asked again."""
    ticked: tuple[str, ...] = ()
    """The keys of the options that are ticked."""

    def check(self, reading: Reading) -> DiceReading:
        """The roll that answers this, with the pips of stand-in dice put into the asked-for faces.

        Raises:
            ReadingMisfit: no roll, another number of dice, another kind, a face the die has not, or the dice of
                somebody who does not roll.
        """
        if not isinstance(reading, DiceReading):
            raise ReadingMisfit(f"{_kind_of(reading)} does not answer a roll of {self.dice}")
        expected = self.part(reading.of).count if reading.of else self.count
        if len(reading.dice) != expected:
            raise ReadingMisfit(f"{dice_count(len(reading.dice))}, {number_word(expected)} expected")
        return DiceReading(tuple(self._as_asked(d) for d in reading.dice), reading.of)

    def part(self, names: tuple[str, ...]) -> Roll:
        """What some of those who roll together have to roll.

        Raises:
            ReadingMisfit: one of them does not roll now.
        """
        for name in names:
            if name not in self.whose or names.count(name) > 1:
                raise ReadingMisfit(f"{name} has rolled already, or does not roll here")
        each = self.count // len(self.whose)
        return msgspec.structs.replace(self, count=each * len(names), whose=names)

    @property
    def first(self) -> Roll:
        """The part of whoever is named first, where several roll; otherwise all of it."""
        return self.part(self.whose[:1]) if self.whose else self

    def shares(self, lying: DiceReading) -> dict[str, tuple[int, ...]]:
        """The pips of each who rolled."""
        names, pips = lying.of or self.whose, lying.pips
        each = self.count // len(self.whose)
        return {name: pips[each * at : each * (at + 1)] for at, name in enumerate(names)}

    def _as_asked(self, lying: ReadDie) -> ReadDie:
        lying.die.check(lying.face)
        if lying.die is self.die:
            return lying
        if lying.die is Die.D6 and self.stand_in:
            return msgspec.structs.replace(lying, die=self.die, face=self.stand_in[int(lying.face) - 1])
        raise ReadingMisfit(f"there is a {lying.die.label}, but a {self.die.label} was asked for")

    @property
    def dice(self) -> str:
        """``"5 Weave dice"``, ``"1 d6"``."""
        return f"{self.count} {self.die.label if self.count == 1 else self.die.plural}"


class Flip(_Ask, frozen=True, tag="flip"):
    """Flip a coin."""

    purpose: str

    def check(self, reading: Reading) -> CoinReading:
        """The flip that answers this.

        Raises:
            ReadingMisfit: no flip, or a side that no coin has.
        """
        if not isinstance(reading, CoinReading):
            raise ReadingMisfit(f"{_kind_of(reading)} does not answer a coin flip")
        if reading.side != UNCLEAR:
            Die.COIN.check(reading.side)
        return reading


class ShowCard(_Ask, frozen=True, tag="show_card"):
    """Show one printed card of a kind; ``among`` are the numbers of those that can be shown now."""

    kind: Kind
    purpose: str
    among: tuple[int, ...]

    def check(self, reading: Reading) -> CardReading:
        """The card that answers this.

        Raises:
            ReadingMisfit: no card, one of another kind, or none of those asked for.
        """
        if not isinstance(reading, CardReading):
            raise ReadingMisfit(f"{_kind_of(reading)} does not answer a request for a {self.kind} card")
        if reading.card.kind is not self.kind:
            raise ReadingMisfit(f"{reading.card} is a {reading.card.kind} card; a {self.kind} card was asked for")
        if reading.card.number not in self.among:
            raise ReadingMisfit(f"{reading.card} is not one of the {self.kind} cards that can be shown now")
        return reading


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to choose: a key for programs, a label for people, what it means, what it does by the rules."""

    key: str
    label: str
    says: str = ""
    does: str = ""
    stays: bool = False
    """Whether it settles later questions too. Old journals may lack it, and chance never takes it."""
    open: bool = False
    """Among the ticks of a roll: whether whoever rolls may see it, and say it, too."""


class Choose(_Ask, frozen=True, tag="choose"):
    """Choose between ``at_least`` and ``at_most`` of the options."""

    purpose: str
    options: tuple[Option, ...]
    at_least: int = 1
    at_most: int = 1
    about: ComponentId | None = None
    """The card that the choice is about, to be shown beside it."""
    obvious: bool = False
    """Whether nobody has to be asked where there is one answer alone (``Session.answer_obvious``)."""

    def check(self, reading: Reading) -> ChoiceReading:
        """The choice that answers this.

        Raises:
            ReadingMisfit: no choice, an unknown option, one taken twice, or too few or too many.
        """
        if not isinstance(reading, ChoiceReading):
            raise ReadingMisfit(f"{_kind_of(reading)} does not answer the question {self.purpose!r}")
        known = [o.key for o in self.options]
        for key in reading.keys:
            if key not in known:
                raise ReadingMisfit(f"{key!r} is not among the choices: {', '.join(known)}")
        if len(set(reading.keys)) != len(reading.keys):
            raise ReadingMisfit("the same choice was taken twice")
        if not self.at_least <= len(reading.keys) <= self.at_most:
            bounds = str(self.at_least) if self.at_least == self.at_most else f"{self.at_least} to {self.at_most}"
            raise ReadingMisfit(f"{len(reading.keys)} chosen, {bounds} expected")
        return reading


class EnterNumber(_Ask, frozen=True, tag="number"):
    """Say a whole number from ``low`` to ``high``."""

    purpose: str
    low: int
    high: int
    options: tuple[Option, ...] = ()
    """What each number means, keyed by it, where people choose rather than count."""

    def check(self, reading: Reading) -> NumberReading:
        """The number that answers this.

        Raises:
            ReadingMisfit: no number, or outside the bounds.
        """
        if not isinstance(reading, NumberReading):
            raise ReadingMisfit(f"{_kind_of(reading)} does not answer the question {self.purpose!r}")
        if not self.low <= reading.value <= self.high:
            raise ReadingMisfit(f"{reading.value} is not from {self.low} to {self.high}")
        return reading


class EnterText(_Ask, frozen=True, tag="text"):
    """Write a name or a line of at most ``longest`` characters."""

    purpose: str
    longest: int = 60
    suggestions: tuple[str, ...] = ()
    """What could be written, for people who would rather choose, and for chance; anything else may be written."""

    def check(self, reading: Reading) -> TextReading:
        """The text that answers this.

        Raises:
            ReadingMisfit: no text, empty, too long, or with characters that cannot be shown.
        """
        if not isinstance(reading, TextReading):
            raise ReadingMisfit(f"{_kind_of(reading)} does not answer the question {self.purpose!r}")
        text = reading.text
        if not text.strip():
            raise ReadingMisfit("the text is empty")
        if len(text) > self.longest:
            raise ReadingMisfit(f"the text has {len(text)} characters; at most {self.longest} fit")
        if not text.isprintable():
            raise ReadingMisfit("the text has characters that cannot be shown")
        return reading


Request = Roll | Flip | ShowCard | Choose | EnterNumber | EnterText


def as_part(request: Request, reading: Reading) -> Reading:
    """The reading as those dice that a request for some of those who roll asks for; any other as it is."""
    if isinstance(request, Roll) and isinstance(reading, DiceReading) and not reading.of:
        return msgspec.structs.replace(reading, of=request.whose)
    return reading


def part_answered(request: Request, reading: Reading) -> Request:
    """What a reading answered: of dice that several roll, those of whom it has."""
    if isinstance(request, Roll) and isinstance(reading, DiceReading) and reading.of:
        return request.part(reading.of)
    return request


def in_words(request: Request) -> str:
    """What is asked, as people read it: ``"Roll the Weave die again?"``."""
    return request.words or request.purpose


def answered_by(request: Request, reading: Reading) -> Request:
    """The question that a reading answers: the request without its ticks, or the ticks of a roll alone."""
    if not isinstance(request, Roll) or request.ticks is None:
        return request
    if isinstance(reading, ChoiceReading):
        return request.ticks
    return msgspec.structs.replace(request, ticks=None, ticked=())


def same_question(request: Request, other: Request) -> bool:
    """Whether an answer to ``request`` also answers ``other`` in meaning, not only in form.

    Used when a past reading is amended and the ones after it are tried again: explanations may differ, but the
    kind, the person, the purpose and the bounds must be the same.
    """
    return _without_why(request) == _without_why(other)


def _without_why(request: Request) -> Mapping[str, Any]:
    plain: dict[str, Any] = to_builtins(request)
    plain.pop("why", None)
    plain.pop("words", None)
    plain.pop("ticks", None)
    plain.pop("ticked", None)
    if isinstance(request, EnterNumber):
        plain.pop("options", None)
    # A card put right changes what can be shown ever after; each later card is still held against its request.
    plain.pop("among", None)
    plain.pop("suggestions", None)
    plain.pop("about", None)
    plain.pop("obvious", None)
    plain.pop("whose", None)
    if isinstance(request, Choose):
        plain["options"] = [option for option in plain["options"] if not option.pop("stays", False)]
    for option in plain.get("options", ()):
        option.pop("label", None)
        option.pop("says", None)
        option.pop("does", None)
        option.pop("open", None)
    return plain


def _kind_of(reading: Reading) -> str:
    return {
        DiceReading: "a roll",
        CoinReading: "a coin flip",
        CardReading: "a card",
        ChoiceReading: "a choice",
        NumberReading: "a number",
        TextReading: "a text",
    }.get(type(reading), f"{reading!r}, which is no reading (reading_of makes one),")
