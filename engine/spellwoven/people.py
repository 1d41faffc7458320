"""Sheets and stat blocks: given in full or from a data file, checked, brought in (SP-12 to SP-16)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated

import msgspec

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.arguments import Names
from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml
from loomtable.engine.spellwoven.arguments import ArmourKind, PlayerName, SideName, WeaponKind, Who
from loomtable.engine.spellwoven.armoury import (
    Armour,
    ShieldChoice,
    ShieldSize,
    Weapon,
    armour,
    key_of,
    look_up,
    shields,
    skills,
    talents,
    weapon_trouble,
    weapons,
)
from loomtable.engine.spellwoven.attribute_tests import FORTITUDE, PROWESS, QUICKNESS, SENSES
from loomtable.engine.spellwoven.events.people import CharacterAdded, Equipped
from loomtable.engine.spellwoven.levels import MOST_SOAK, Levels, stacked
from loomtable.engine.spellwoven.lookup import at_peace, living
from loomtable.engine.spellwoven.state import Adventure, Character, CharacterKind, Shield
from loomtable.engine.spellwoven.system import SPELLWOVEN

PARTY, FOES = "party", "foes"
LONGEST_NAME = 40
HIGHEST_RATING = 20
MOST_SLOTS = 12
MOST_EFFORT = 99
NEEDED = {
    CharacterKind.PLAYER_CHARACTER: (QUICKNESS, SENSES, FORTITUDE),
    CharacterKind.NPC: (PROWESS,),
    CharacterKind.INCIDENTAL: (PROWESS,),
}
"""The ratings that the rules may call for without asking first (SP-3, SP-22)."""
_SKILL_KEY = re.compile(r"[a-z][a-z-]{0,29}")


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character as people write one; gear and talents by their names in the armoury."""

    name: str
    ratings: dict[str, int]
    quickness_defence: int
    presence_defence: int
    wound_slots: Levels
    effort: int = 0
    weapons: tuple[str | Weapon, ...] = ()
    armour: tuple[str, ...] = ()
    soak: Levels = Levels()
    """Soak of armour for which a stat block names no pieces."""
    hide: Levels = Levels()
    """Natural soak: it helps like armour and is not worn."""
    shield: ShieldSize | None = None
    talents: tuple[str, ...] = ()
    manner: str = ""
    """How somebody whom the storyteller plays goes about a fight."""
    wants: str = ""
    """What they want, so that a fight is not the only way."""


class _PeopleFile(Titled, frozen=True):
    people: list[Sheet]
    incidental: list[Sheet] = msgspec.field(default_factory=list)


def made(sheet: Sheet, kind: CharacterKind, side: str, *, name: str = "", player: str | None = None) -> Character:
    """The character that a sheet describes.

    Raises:
        ContentInvalid: something on the sheet does not hold together, or is not in the armoury.
    """
    name = name.strip() or sheet.name
    wrong = next(_troubles(sheet, kind, name, side), "")
    if wrong:
        raise ContentInvalid(f"{name or 'a character'} {wrong}")
    pieces = _pieces(sheet.armour)
    return Character(
        name=name,
        kind=kind,
        side=side,
        player=player,
        ratings=sheet.ratings,
        quickness_defence=sheet.quickness_defence,
        presence_defence=sheet.presence_defence,
        wound_slots=sheet.wound_slots,
        effort=sheet.effort,
        weapons=tuple(_weapon(w) for w in sheet.weapons),
        armour=pieces,
        own_soak=sheet.soak,
        hide=sheet.hide,
        soak_slots=stacked(sheet.soak, sheet.hide, *(p.soak for p in pieces)),
        shield=_shield(sheet.shield),
        talents=tuple(look_up("talent", key_of(key), talents()) for key in sheet.talents),
    )


def _weapon(given: str | Weapon) -> Weapon:
    if isinstance(given, str):
        return look_up("weapon", key_of(given), weapons())
    wrong = weapon_trouble(given) if given.name.strip() else "needs a name"
    if wrong:
        raise ContentInvalid(f"the weapon {given.name!r} {wrong}")
    return given


def _pieces(keys: tuple[str, ...]) -> tuple[Armour, ...]:
    return tuple(look_up("armour", key_of(key), armour()) for key in keys)


def _shield(size: ShieldSize | None) -> Shield | None:
    return None if size is None else Shield(size, shields()[size].soak)


def _troubles(sheet: Sheet, kind: CharacterKind, name: str, side: str) -> Iterator[str]:
    """What is wrong with a sheet, in words."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or "." in name or name == STORYTELLER:
        yield f"needs a name of at most {LONGEST_NAME} characters, without a full stop"
    if not side.strip() or not side.isprintable():
        yield "needs a side"
    for needed in NEEDED[kind]:
        if needed not in sheet.ratings:
            yield f"needs a rating in {needed}"
    for skill, rating in sheet.ratings.items():
        if not _SKILL_KEY.fullmatch(skill):
            near = f"; write {key_of(skill)}" if key_of(skill) in skills() else ""
            yield f"has a rating in {skill!r}, which is no skill's key{near}"
        if not 1 <= rating <= HIGHEST_RATING:
            yield f"has {rating} in {skill}; a rating is from 1 to {HIGHEST_RATING}"
    if sheet.quickness_defence < 0 or sheet.presence_defence < 0:
        yield "has a defence below 0"
    if not 0 <= sheet.effort <= MOST_EFFORT:
        yield f"has Effort {sheet.effort}; it is from 0 to {MOST_EFFORT}"
    if any(not 0 <= slots <= MOST_SLOTS for slots in sheet.wound_slots.counts):
        yield f"has wound slots that are not from 0 to {MOST_SLOTS}"
    if kind is not CharacterKind.INCIDENTAL and 0 in sheet.wound_slots.counts[:3]:
        yield "lacks Shallow, Deep or Grievous slots, as only an incidental character may (SP-14)"
    if sheet.wound_slots.total == 0:
        yield "needs at least one wound slot"
    if any(not 0 <= soak <= MOST_SOAK for soak in (*sheet.soak.counts, *sheet.hide.counts)):
        yield f"has a soak that is not from 0 to {MOST_SOAK}"


ReadyCharacter = Annotated[
    str, Names(lambda seen: characters(), closed=False, title=lambda name: characters()[name].name)
]
ReadyNpc = Annotated[str, Names(lambda seen: npcs(), closed=False, title=lambda name: npcs()[name].name)]
ReadyIncidental = Annotated[
    str, Names(lambda seen: incidentals(), closed=False, title=lambda name: incidentals()[name].name)
]


@SPELLWOVEN.action("add-player-character", "SP-12", "SP-15", "SP-16", group="People", opens=True)
def add_player_character(
    play: Play[Adventure],
    *,
    player: PlayerName,
    ready: ReadyCharacter = "",
    sheet: Sheet | None = None,
    called: str = "",
    side: SideName = PARTY,
) -> Steps[None]:
    """Bring in a player's character: one that is ready in the data files, or a sheet given in full."""
    if not player.strip() or player == STORYTELLER:
        raise IllegalAction(f"a player character needs a player, and {player!r} is none")
    given = _given(ready, sheet, characters())
    character = made(given, CharacterKind.PLAYER_CHARACTER, side, name=called, player=player.strip())
    yield from _add(play, character, "SP-12")


@SPELLWOVEN.action("add-npc", "SP-12", "SP-15", "SP-16", group="People", opens=True)
def add_npc(
    play: Play[Adventure],
    *,
    ready: ReadyNpc = "",
    sheet: Sheet | None = None,
    called: str = "",
    side: SideName = FOES,
) -> Steps[None]:
    """Bring in somebody whom the storyteller plays, with a whole wound track."""
    character = made(_given(ready, sheet, npcs()), CharacterKind.NPC, side, name=called)
    yield from _add(play, character, "SP-12")


@SPELLWOVEN.action("add-incidental-npc", "SP-14", "SP-15", "SP-16", group="People")
def add_incidental_npc(
    play: Play[Adventure],
    *,
    ready: ReadyIncidental = "",
    sheet: Sheet | None = None,
    called: str = "",
    side: SideName = FOES,
) -> Steps[None]:
    """Bring in an incidental character, whose track may lack Shallow, Deep or Grievous slots."""
    character = made(_given(ready, sheet, incidentals()), CharacterKind.INCIDENTAL, side, name=called)
    yield from _add(play, character, "SP-14")


def _given(ready: str, sheet: Sheet | None, known: dict[str, Sheet]) -> Sheet:
    if (sheet is None) == (not ready):
        raise IllegalAction("choose one that is ready, or fill in a sheet")
    return look_up("ready character", key_of(ready), known) if sheet is None else sheet


def _add(play: Play[Adventure], character: Character, rule: str) -> Steps[None]:
    if character.name in play.state.characters:
        raise IllegalAction(f"{character.name} is in this adventure already; give another name")
    yield CharacterAdded(character=character, rule=rule)


@SPELLWOVEN.action("equip", "SP-10", "SP-15", "SP-18", begun_by=PLAYER, group="People")
def equip(
    play: Play[Adventure],
    *,
    who: Who,
    weapons: tuple[WeaponKind | Weapon, ...] | None = None,
    armour: tuple[ArmourKind, ...] | None = None,
    shield: ShieldChoice | None = None,
) -> Steps[None]:
    """Take up other gear, outside a conflict; what is not named stays as it is, what is named is whole.

    ``shield`` is its size, or none to put it away.
    """
    at_peace(play, "changing gear")
    sheet = living(play, who)
    pieces = sheet.armour if armour is None else _pieces(armour)
    size = None if shield in (None, ShieldChoice.NONE) else ShieldSize(shield.value)
    yield Equipped(
        who=who,
        weapons=sheet.weapons if weapons is None else tuple(_weapon(w) for w in weapons),
        armour=pieces,
        soak_slots=stacked(sheet.own_soak, sheet.hide, *(p.soak for p in pieces)),
        soak_marked=sheet.soak_marked if armour is None else Levels(),
        shield=sheet.shield if shield is None else _shield(size),
        put_away=shield is ShieldChoice.NONE and sheet.shield is not None,
        rule="SP-18" if weapons is None and armour is None and shield is not None else "SP-15",
    )


def parse_people(text: str, name: str, kind: CharacterKind) -> tuple[dict[str, Sheet], dict[str, Sheet]]:
    """Read and check a file of sheets: the whole ones of ``kind``, and the incidental ones, by key.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line.
    """
    file, lines = parse_yaml(text, _PeopleFile, name)
    found: list[dict[str, Sheet]] = []
    for field, sheets, of in (
        ("people", file.people, kind),
        ("incidental", file.incidental, CharacterKind.INCIDENTAL),
    ):
        by_key: dict[str, Sheet] = {}
        for place, sheet in enumerate(sheets):
            try:
                made(sheet, of, FOES)
            except ContentInvalid as error:
                raise ContentInvalid(f"{lines.place(field, place)}: {error}") from None
            if key_of(sheet.name) in by_key:
                raise ContentInvalid(f"{lines.place(field, place)}: {sheet.name!r} stands twice")
            by_key[key_of(sheet.name)] = sheet
        found.append(by_key)
    return found[0], found[1]


@cache
def characters() -> dict[str, Sheet]:
    """The ready player characters, by key."""
    return parse_people(*shipped("spellwoven", "characters.yaml"), CharacterKind.PLAYER_CHARACTER)[0]


@cache
def npcs() -> dict[str, Sheet]:
    """The ready foes with a whole wound track, by key."""
    return parse_people(*shipped("spellwoven", "foes.yaml"), CharacterKind.NPC)[0]


@cache
def incidentals() -> dict[str, Sheet]:
    """The ready incidental foes, by key."""
    return parse_people(*shipped("spellwoven", "foes.yaml"), CharacterKind.NPC)[1]
