"""Playsets: what every Story card offers, for every kind of quality, as data that people write.

A playset is a YAML file in ``templates/weave/playsets``; ``docs/playsets.md`` describes it. Everything is checked
when it is read, and a mistake is named with its line.
"""

from __future__ import annotations

import lzma
from enum import StrEnum
from functools import cache
from typing import Any

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.wording import article, listed
from loomtable.engine.kernel.yamlfile import Installed, Titled, YamlLines, parse_yaml, part
from loomtable.engine.weave.cards.decks import story_deck
from loomtable.engine.weave.cards.mechanics import Mechanic, RangeBand, mechanic_trouble
from loomtable.engine.weave.suits import Suit

LONGEST_TEXT = 280
LONGEST_KNOWN, LONGEST_KNOWN_NAME, MOST_KNOWN = 130, 30, 8
"""Characters of what is said of a person or place that cards speak of, and of the name; and how many of each."""
MOST_BONUS = 5


class QualityKind(StrEnum):
    """What a Story card can be scanned for (WV-1, WV-6, WV-11, WV-15)."""

    THEME = "theme"
    LOCATION = "location"
    BOSS = "boss"
    BACKSTORY = "backstory"
    TALENT = "talent"
    FLAW = "flaw"
    ASSET = "asset"
    SIGNATURE_MOVE = "signature-move"
    NPC = "npc"
    ENEMY = "enemy"
    SUBPLOT = "subplot"

    @property
    def label(self) -> str:
        """The kind's name in a sentence."""
        return {"npc": "NPC", "signature-move": "Signature Move"}.get(self.value, self.value.capitalize())


STORY_ELEMENTS = (QualityKind.THEME, QualityKind.LOCATION, QualityKind.BOSS)
CREATION = (QualityKind.BACKSTORY, QualityKind.TALENT, QualityKind.FLAW, QualityKind.ASSET)
IN_PLAY = (QualityKind.LOCATION, QualityKind.NPC, QualityKind.ENEMY, QualityKind.SUBPLOT, QualityKind.ASSET)
"""What a Story card from the storyteller's hand can bring into a scene (WV-15)."""
PLAYED_BY_STORYTELLER = (QualityKind.NPC, QualityKind.ENEMY, QualityKind.BOSS)
WITH_MECHANIC = (QualityKind.TALENT, QualityKind.FLAW, QualityKind.ASSET, QualityKind.SIGNATURE_MOVE)
MOST_ON_A_SHEET = 5
"""Of each kind, on a Boss's sheet (WV-4)."""


class Quality(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One option that a Story card offers."""

    name: str
    text: str
    suit: Suit | None = None
    """The suit in which a Backstory adds a die (WV-7)."""
    tags: tuple[str, ...] = ()
    mechanic: Mechanic | None = None
    dice: dict[Suit, int] = {}
    """The dice bonus for each suit of somebody whom the storyteller plays (WV-15, WV-20)."""
    track: int | None = None
    """An enemy's own track of Strikes, for tables that play with one (ruling ``combat-strikes-on-npc``)."""
    reach: tuple[RangeBand, ...] = ()
    """The range bands in which somebody whom the storyteller plays attacks; only Melee where nothing is said."""
    sheet: dict[QualityKind, tuple[Quality, ...]] = {}
    """A Boss's own Backstories, Talents, Flaws and Assets (WV-4)."""

    @property
    def attacks_at(self) -> tuple[RangeBand, ...]:
        """Where somebody whom the storyteller plays attacks without an Asset (WV-24)."""
        return self.reach or (self.mechanic.reach if self.mechanic is not None else ()) or (RangeBand.MELEE,)


Offer = dict[QualityKind, list[Quality]]


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody, or some place, that several cards speak of: who or where that is, for all to know beforehand."""

    name: str
    text: str


class _About(Titled, frozen=True, kw_only=True):
    """What a playset says besides its cards."""

    playset: str
    mood: str
    names: tuple[str, ...] = ()
    """Names for people of this world, one for each Story card."""
    people: tuple[Known, ...] = ()
    """Who is who."""
    places: tuple[Known, ...] = ()
    """Where is where."""
    content_notes: str = ""
    """What people may want to know before they play it."""


class Playset(_About, frozen=True, kw_only=True):
    """Options of every kind for every Story card."""

    cards: dict[int, Offer]

    def options(self, card: int, kind: QualityKind) -> tuple[Quality, ...]:
        """What the Story card of this number offers of a kind."""
        return tuple(self.cards[card][kind])


class _PlaysetFile(_About, frozen=True, kw_only=True):
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
    for field, known in (("people", file.people), ("places", file.places)):
        _check_known(known, lines, field)
    if file.names and len({*file.names}) != len(numbers):
        named = f"give one name for each Story card, {len(numbers)} in all, none twice"
        raise ContentInvalid(f"{lines.place('names')}: {named}; there are {len({*file.names})}")
    return Playset(**{**msgspec.structs.asdict(file), "cards": cards})


def _check_known(known: tuple[Known, ...], lines: YamlLines, field: str) -> None:
    if len(known) > MOST_KNOWN:
        raise ContentInvalid(f"{lines.place(field)}: at most {MOST_KNOWN} fit the sheet; there are {len(known)}")
    for place, element in enumerate(known):
        named = 1 <= len(element.name.strip()) <= LONGEST_KNOWN_NAME
        if not named or not 1 <= len(element.text.strip()) <= LONGEST_KNOWN:
            raise ContentInvalid(
                f"{lines.place(field, place)}: {element.name!r} needs a name of at most "
                f"{LONGEST_KNOWN_NAME} characters "
                f"and a text of at most {LONGEST_KNOWN}"
            )


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
        return (
            "needs a suit" if kind is QualityKind.BACKSTORY else f"has a suit, but {article(kind.label)} has none"
        )
    if kind in PLAYED_BY_STORYTELLER and not quality.dice:
        return "needs dice, a bonus for at least one suit"
    if quality.dice and kind not in PLAYED_BY_STORYTELLER:
        return f"has dice, but {article(kind.label)} has none"
    if not all(1 <= bonus <= MOST_BONUS for bonus in quality.dice.values()):
        return f"has a dice bonus that is not from 1 to {MOST_BONUS}"
    if quality.track is not None and (kind not in PLAYED_BY_STORYTELLER or not 1 <= quality.track <= 10):
        return "has a track; one of 1 to 10 Strikes belongs to an NPC, an Enemy or a Boss"
    if quality.reach and kind not in PLAYED_BY_STORYTELLER:
        return f"has a reach of its own, but {article(kind.label)} has none; its mechanic can have one"
    if quality.sheet and kind is not QualityKind.BOSS:
        return f"has a sheet, but {article(kind.label)} has none"
    if quality.mechanic is None:
        return "needs a mechanic" if kind in WITH_MECHANIC else _sheet_trouble(quality)
    return mechanic_trouble(quality.mechanic) or _sheet_trouble(quality)


def _sheet_trouble(boss: Quality) -> str:
    """What does not hold together on a Boss's own sheet, or nothing (WV-4)."""
    for kind, qualities in boss.sheet.items():
        if kind not in CREATION:
            return f"has {article(kind.label)} on its sheet; a sheet holds {listed(one.label for one in CREATION)}"
        if not 1 <= len(qualities) <= MOST_ON_A_SHEET:
            return f"has {len(qualities)} of {kind} on its sheet; 1 to {MOST_ON_A_SHEET} are possible"
        names = [quality.name for quality in qualities]
        if len(set(names)) != len(names):
            return f"has the same {kind.label} twice on its sheet"
        for quality in qualities:
            trouble = _trouble(quality, kind)
            if trouble:
                return f"has on its sheet {quality.name!r}, which {trouble}"
    return ""


class PlaysetHead(msgspec.Struct, frozen=True):
    """What a playset says of itself before its cards: all that is needed to choose one."""

    title: str
    mood: str
    content_notes: str = ""


def _parse_head(text: str, name: str) -> PlaysetHead:
    return parse_yaml(text.partition("\ncards:")[0], PlaysetHead, name)[0]


playset_head = Installed("playset", _parse_head, "weave", "playsets").named
"""The head of an installed playset, read in a tenth of the time that the whole takes."""
_PLAYSETS = Installed("playset", parse_playset, "weave", "playsets")
playset_names, playset = _PLAYSETS.names, _PLAYSETS.named
"""The names of all that are installed; and what the file of a name holds, or ``ContentInvalid``."""


@cache
def playset_first_edition(name: str) -> Playset:
    """A playset as it was under version 3 of the rules, as ``playset`` is now; your own are in one edition."""
    kept = package_file("templates", "weave", "first_edition") / f"{name}.yaml.xz"
    return parse_playset(lzma.decompress(kept.read_bytes()).decode(), name) if kept.is_file() else playset(name)


def playset_titles() -> dict[str, str]:
    """What each playset that is installed is called, by its name alone."""
    return {name: name.replace("-", " ").title() for name in playset_names()}
