"""What people type as answers to what is asked: in the terminal and on the page alike."""

from __future__ import annotations

import random
from collections.abc import Sequence

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
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
from loomtable.engine.kernel.requests import (
    UNCLEAR,
    Choose,
    EnterNumber,
    EnterText,
    Flip,
    Request,
    Roll,
    ShowCard,
    as_part,
)

AT_RANDOM = ":chance"
"""Typed instead of an answer, it lets the computer roll, draw or choose: never by accident."""
NONE = "none"
"""Typed where nothing need be chosen."""
TICK = "tick"
"""Typed before the numbers of what a roll has to tick, it ticks them or unticks them."""


def typed_reading(asked: Request, typed: str, chance: random.Random) -> Reading:
    """What was typed in one line, as an answer to what is asked.

    Raises:
        ReadingMisfit, UnknownComponent: it cannot be read so.
    """
    if typed == AT_RANDOM:
        return random_answer(asked, chance)
    if isinstance(asked, Roll) and len(words := _words(asked, typed)) == asked.first.count:
        return as_part(asked.first, reading_of(asked.first, words))  # theirs who is named first, of several
    return reading_of(asked, typed)


def _words(asked: Request, typed: str) -> list[str]:
    """One line as a word for each die or choice."""
    if isinstance(asked, Choose):
        return _choices(asked, typed)
    return typed.replace(",", " ").split() if isinstance(asked, Roll) else [typed]


def _choices(asked: Choose, typed: str) -> list[str]:
    """The keys or numbers in a line; a key may be of several words, and the longest that fits is meant."""
    keys = {option.key for option in asked.options}
    if typed in keys:
        return [typed]
    if typed == NONE:
        return []
    found: list[str] = []
    for part in typed.split(","):
        words = part.split()
        while words:
            many = next((n for n in range(len(words), 1, -1) if " ".join(words[:n]) in keys), 1)
            found.append(" ".join(words[:many]))
            words = words[many:]
    return found


def reading_of(asked: Request, words: str | Sequence[str]) -> Reading:
    """What was typed or picked, a line or one word for each die or choice, as an answer to what is asked.

    Raises:
        ReadingMisfit, UnknownComponent: it cannot be read so.

    >>> from loomtable import begun_ready, reading_of
    >>> evening = begun_ready("weave")
    >>> _ = evening.perform("challenge", who="Odo", suit="stones")
    >>> reading_of(evening.pending, "stones weave strike").faces
    ('stones', 'weave', 'strike')
    """
    if isinstance(words, str):
        words = _words(asked, words)
    if isinstance(asked, Roll) and asked.ticks is not None and words[:1] == [TICK]:
        return asked.ticks.check(ChoiceReading(tuple(_key(asked.ticks, word) for word in words[1:])))
    if isinstance(asked, Roll):
        return DiceReading(tuple(_die(asked, word) for word in words))
    if isinstance(asked, Choose):
        return ChoiceReading(tuple(_key(asked, word) for word in words))
    if len(words) != 1:
        raise ReadingMisfit(f"one answer is expected to {asked.purpose!r}, not {len(words)}")
    [typed] = words
    match asked:
        case Flip():
            return CoinReading(UNCLEAR if typed == UNCLEAR else str(Die.COIN.parse_face(typed)))
        case ShowCard():
            return CardReading(ComponentId.parse(typed))
        case EnterNumber(low=low, high=high):
            if not typed.removeprefix("-").isdecimal():
                raise ReadingMisfit(f"{typed!r} is not a number; type one from {low} to {high}")
            return NumberReading(int(typed))
        case EnterText():
            return TextReading(typed)


def words_of(asked: Request, reading: Reading) -> list[str]:
    """What is picked or typed to give this answer, a word for each die or choice: the way back of ``reading_of``.

    Raises:
        ReadingMisfit: it does not answer what is asked.
    """
    match asked.check(reading):
        case DiceReading(dice=dice):
            return [str(die.face) for die in dice]
        case CoinReading(side=side):
            return [side]
        case CardReading(card=card):
            return [card.short]
        case ChoiceReading(keys=keys):
            return list(keys)
        case NumberReading(value=value):
            return [str(value)]
        case TextReading(text=text):
            return [text]


def typed_number(word: str) -> int:
    """The whole number that was typed.

    Raises:
        ReadingMisfit: it is none.
    """
    try:
        return int(word)
    except ValueError:
        raise ReadingMisfit(f"{word!r} is not a whole number") from None


def _die(asked: Roll, word: str) -> ReadDie:
    """A typed face: of the die that was asked for, or the pips of an ordinary one in its place."""
    if word in {*"123456"} and asked.stand_in:
        return ReadDie(Die.D6, Die.D6.parse_face(word))
    return ReadDie(asked.die, asked.die.parse_face(word))


def _key(asked: Choose, word: str) -> str:
    keys = [option.key for option in asked.options]
    if word in keys:
        return word
    if word.isdecimal() and 1 <= int(word) <= len(keys):
        return keys[int(word) - 1]
    return word
