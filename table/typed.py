"""What people type, as actions and as answers to what is asked: in the terminal and on the page alike."""

from __future__ import annotations

import random
import shlex
from collections.abc import Sequence
from typing import Any

import yaml

from engine.kernel.chance import random_answer
from engine.kernel.components import ComponentId
from engine.kernel.dice import Die
from engine.kernel.errors import ReadingMisfit, UnknownAction
from engine.kernel.readings import Chosen, Flipped, Numbered, ReadDie, Reading, Rolled, Shown, Wrote
from engine.kernel.requests import UNCLEAR, Choose, EnterNumber, EnterText, Flip, Request, Roll, ShowCard
from engine.kernel.yamlfile import parse_value

AT_RANDOM = "?"
"""Typed instead of an answer, it lets the computer roll, draw or choose."""


def parse_action(line: str) -> tuple[str, dict[str, Any]]:
    """An action and its arguments from a typed line: ``challenge who=Ilse suit=gales``.

    Raises:
        UnknownAction: the line cannot be taken apart.
    """
    try:
        name, *words = shlex.split(line)
    except ValueError as error:
        raise UnknownAction(f"{line!r} cannot be read ({error})") from None
    args: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UnknownAction(f"{word!r} is no argument; write it as name=value")
        args[key] = typed_value(key, value)
    return name, args


def typed_value(key: str, typed: str) -> Any:
    """The value of the argument ``key`` as it was typed: text, a number, or a list or block as in YAML.

    Raises:
        UnknownAction: it cannot be read.
    """
    try:
        return parse_value(typed)
    except yaml.YAMLError:
        raise UnknownAction(f"the value of {key} cannot be read: {typed!r}") from None


def typed_reading(asked: Request, typed: str, chance: random.Random) -> Reading:
    """What was typed in one line, as an answer to what is asked.

    Raises:
        ReadingMisfit, UnknownComponent: it cannot be read so.
    """
    if typed == AT_RANDOM:
        return random_answer(asked, chance)
    if isinstance(asked, Roll | Choose):
        return reading_of(asked, typed.replace(",", " ").split())
    return reading_of(asked, [typed])


def reading_of(asked: Request, words: Sequence[str]) -> Reading:
    """What was typed or picked, one word for each die or choice, as an answer to what is asked.

    Raises:
        ReadingMisfit, UnknownComponent: it cannot be read so.
    """
    if isinstance(asked, Roll):
        return Rolled(tuple(_die(asked, word) for word in words))
    if isinstance(asked, Choose):
        return Chosen(tuple(_key(asked, word) for word in words))
    if len(words) != 1:
        raise ReadingMisfit(f"one answer is expected to {asked.purpose!r}, not {len(words)}")
    [typed] = words
    match asked:
        case Flip():
            return Flipped(UNCLEAR if typed == UNCLEAR else str(Die.COIN.parse_face(typed)))
        case ShowCard():
            return Shown(ComponentId.parse(typed))
        case EnterNumber():
            return Numbered(typed_number(typed))
        case EnterText():
            return Wrote(typed)


def typed_number(word: str) -> int:
    """The whole number that was typed.

    Raises:
        ReadingMisfit: it is none.
    """
    try:
        return int(word)
    except ValueError:
        raise ReadingMisfit(f"{word!r} is no whole number") from None


def _die(asked: Roll, word: str) -> ReadDie:
    """A typed face: of the die that was asked for, or the pips of an ordinary one in its place."""
    if word.isdecimal() and asked.stand_in:
        return ReadDie(Die.D6, Die.D6.parse_face(word))
    return ReadDie(asked.die, asked.die.parse_face(word))


def _key(asked: Choose, word: str) -> str:
    keys = [option.key for option in asked.options]
    if word in keys:
        return word
    if word.isdecimal() and 1 <= int(word) <= len(keys):
        return keys[int(word) - 1]
    return word
