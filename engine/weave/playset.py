"""Playsets: what every Story card offers, for every kind of quality, as data that people write.

A playset is a YAML file in ``templates/weave/playsets``; ``docs/playsets.md`` describes it. Everything is checked
when it is read, and a mistake is named with its line.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from engine.kernel.errors import ContentInvalid
from engine.kernel.shipped import shipped
from engine.kernel.yamlfile import YamlLines, parse_yaml, part, read_text
from engine.weave.decks import story_deck
from engine.weave.suits import Suit

LONGEST_TEXT = 280


class QualityKind(StrEnum):
    """What a Story card can be scanned for (WV-1, WV-6)."""

    THEME = "theme"
    LOCATION = "location"
    BOSS = "boss"
    BACKSTORY = "backstory"
    TALENT = "talent"
    FLAW = "flaw"
    ASSET = "asset"

    @property
    def label(self) -> str:
        """The kind's name in a sentence."""
        return self.value.capitalize()


STORY_ELEMENTS = (QualityKind.THEME, QualityKind.LOCATION, QualityKind.BOSS)
CREATION = (QualityKind.BACKSTORY, QualityKind.TALENT, QualityKind.FLAW, QualityKind.ASSET)


class MechanicType(StrEnum):
    """How a quality comes into play (WV-10)."""

    PASSIVE = "passive"
    STANDARD = "standard"
    LUCKY = "lucky"


class Trigger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two or three additional exact suit symbols, and what they bring (WV-10)."""

    symbols: int
    suit: Suit
    says: str


class Mechanic(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A quality's effect on play (WV-10)."""

    type: MechanicType
    says: str
    suit: Suit | None = None
    trigger: Trigger | None = None


class Quality(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One option that a Story card offers."""

    name: str
    text: str
    suit: Suit | None = None
    tags: tuple[str, ...] = ()
    mechanic: Mechanic | None = None


Offer = dict[QualityKind, list[Quality]]


class Playset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of every kind for every Story card."""

    playset: str
    title: str
    mood: str
    licence: str
    cards: dict[int, Offer]

    def options(self, card: int, kind: QualityKind) -> tuple[Quality, ...]:
        """What the Story card of this number offers of a kind."""
        return tuple(self.cards[card][kind])


class _PlaysetFile(msgspec.Struct, forbid_unknown_fields=True):
    playset: str
    title: str
    mood: str
    licence: str
    cards: dict[int, dict[str, Any]]


def parse_playset(text: str, name: str) -> Playset:
    """Read and check a playset; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: not good YAML, a card or kind is missing, a text is too long, a mechanic does not hold
            together; the message says in which line.
    """
    file, lines = parse_yaml(text, _PlaysetFile, name)
    numbers = {card.number for card in story_deck()}
    for number in sorted(numbers - file.cards.keys()):
        raise ContentInvalid(f"{lines.place('cards')}: Story card {number} is missing")
    cards: dict[int, Offer] = {}
    for number, offered in file.cards.items():
        if number not in numbers:
            raise ContentInvalid(f"{lines.place('cards', number)}: the Story deck has no card {number}")
        cards[number] = _offer(number, offered, lines)
    return Playset(file.playset, file.title, file.mood, file.licence, cards)


def _offer(number: int, offered: dict[str, Any], lines: YamlLines) -> Offer:
    for kind in offered:
        if kind not in list(QualityKind):
            raise ContentInvalid(f"{lines.place('cards', number, kind)}: {kind!r} is no kind of quality")
    offer: Offer = {}
    for kind in QualityKind:
        if not offered.get(kind):
            raise ContentInvalid(f"{lines.place('cards', number)}: card {number} offers no {kind}")
        path = ("cards", number, kind)
        offer[kind] = part(offered[kind], list[Quality], lines, *path)
        _check_names(offer[kind], lines, path)
        for place, quality in enumerate(offer[kind]):
            trouble = _trouble(quality, kind)
            if trouble:
                raise ContentInvalid(f"{lines.place(*path, place)}: {quality.name!r} {trouble}")
    return offer


def _check_names(options: list[Quality], lines: YamlLines, path: tuple[str | int, ...]) -> None:
    names = [q.name for q in options]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ContentInvalid(f"{lines.place(*path, place)}: {name!r} stands twice")


def _trouble(quality: Quality, kind: QualityKind) -> str:
    if not quality.name.strip() or not quality.text.strip():
        return "needs a name and a text"
    if len(quality.text) > LONGEST_TEXT:
        return f"has a text of {len(quality.text)} characters; at most {LONGEST_TEXT} are allowed"
    if (kind is QualityKind.BACKSTORY) != (quality.suit is not None):
        return "needs a suit" if kind is QualityKind.BACKSTORY else f"has a suit, but a {kind} has none"
    if quality.mechanic is None:
        return "needs a mechanic" if kind in (QualityKind.TALENT, QualityKind.ASSET) else ""
    return _mechanic_trouble(quality.mechanic)


def _mechanic_trouble(mechanic: Mechanic) -> str:
    """Passive has neither suit nor Trigger, Lucky always has a Trigger of two or three symbols (WV-10)."""
    if mechanic.type is MechanicType.PASSIVE:
        return "is passive and can have no Trigger" if mechanic.trigger else ""
    if mechanic.suit is None:
        return f"is {mechanic.type} and needs the suit that activates it"
    if mechanic.type is MechanicType.LUCKY and mechanic.trigger is None:
        return "is lucky and needs a Trigger"
    if mechanic.trigger and mechanic.trigger.symbols not in (2, 3):
        return f"has a Trigger of {mechanic.trigger.symbols} symbols; it must be 2 or 3"
    return ""


def playset_names() -> tuple[str, ...]:
    """The names of all installed playsets."""
    return tuple(sorted(path.stem for path in shipped("templates", "weave", "playsets").glob("*.yaml")))


def read_playset(path: Path) -> Playset:
    """Read a playset file.

    Raises:
        FileUnreadable: it cannot be read.
        ContentInvalid: it does not hold together.
    """
    return parse_playset(read_text(path), path.name)


@cache
def playset(name: str) -> Playset:
    """The installed playset of this name.

    Raises:
        ContentInvalid: there is none; the message lists those there are.
    """
    if name not in playset_names():
        raise ContentInvalid(f"there is no playset {name!r}; installed: {', '.join(playset_names())}")
    return read_playset(shipped("templates", "weave", "playsets", f"{name}.yaml"))
