"""Encounters ready to run, as files that people write: a place, who is there, and what follows.

The files lie in ``templates/spellwoven/encounters``; ``docs/systems/spellwoven.md`` describes them. Opening one
brings everybody in it into the adventure; whether it comes to a fight is for the table.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from loomtable.engine.kernel.arguments import Names
from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction, UnknownRuling
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.kernel.yamlfile import Installed, Titled, YamlLines, parse_yaml
from loomtable.engine.spellwoven.armoury import Proximity, key_of, look_up
from loomtable.engine.spellwoven.events.people import (
    CharacterAdded,
    EffortChanged,
    EncounterClosed,
    EncounterOpened,
)
from loomtable.engine.spellwoven.lookup import at_peace
from loomtable.engine.spellwoven.people import FOES, PARTY, Sheet, incidentals, made, npcs
from loomtable.engine.spellwoven.rulings import RULINGS
from loomtable.engine.spellwoven.state import Adventure, Character, CharacterKind, Ending, OpenEncounter, Reward
from loomtable.engine.spellwoven.system import SPELLWOVEN

LONGEST_TEXT = 600
"""Characters: what can be read aloud before anybody grows restless."""
MOST_EFFORT_GAINED = 3


class There(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who is there: a foe that is ready, or a sheet in full, and how near to where a fight would be."""

    at: Proximity
    ready: str = ""
    sheet: Sheet | None = None
    incidental: bool = False
    """Whether a ``sheet`` is an incidental character's; one that is ready says so itself."""
    called: str = ""
    side: str = FOES
    does: str = ""
    """What this one does and wants here, for the storyteller."""


class EncounterFile(Titled, frozen=True):
    """An encounter as it is written."""

    encounter: str
    place: str
    opening: str
    """Read aloud."""
    wants: str
    talking: str
    """Who can be talked to, by which skill, and how hard it is."""
    heroes: Proximity
    """How near the player characters are when it comes to a fight."""
    people: tuple[There, ...]
    endings: dict[str, str]
    """What happens if the heroes ``talk``, ``flee``, ``win`` or ``lose``."""
    reward: Reward
    content_notes: str = ""
    """What people may want to know before they play it."""
    rulings: dict[str, str] = msgspec.field(default_factory=dict)
    """Rulings that suit it; the table decides."""

    def cast(self) -> tuple[Character, ...]:
        """Everybody in it, in the order of the file.

        Raises:
            ContentInvalid: one of them does not hold together.
        """
        return tuple(_character(there) for there in self.people)

    def opened(self) -> OpenEncounter:
        """What the adventure keeps of it."""
        proximities = {c.name: there.at for c, there in zip(self.cast(), self.people, strict=True)}
        return OpenEncounter(
            key=self.encounter,
            title=self.title,
            opening=self.opening,
            wants=self.wants,
            talking=self.talking,
            heroes=self.heroes,
            proximities=proximities,
            endings={Ending(key): says for key, says in self.endings.items()},
            reward=self.reward,
        )


def _character(there: There) -> Character:
    if (there.sheet is None) == (not there.ready):
        raise ContentInvalid("give either one that is ready, or a sheet")
    if there.sheet is not None:
        kind = CharacterKind.INCIDENTAL if there.incidental else CharacterKind.NPC
        return made(there.sheet, kind, there.side, name=there.called)
    if there.incidental:
        raise ContentInvalid(f"{there.ready} is ready, and knows itself whether it is incidental")
    key = key_of(there.ready)
    kind = CharacterKind.INCIDENTAL if key in incidentals() else CharacterKind.NPC
    return made(look_up("ready foe", key, npcs() | incidentals()), kind, there.side, name=there.called)


def parse_encounter(text: str, name: str) -> EncounterFile:
    """Read and check an encounter; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line.
    """
    file, lines = parse_yaml(text, EncounterFile, name)
    for field in ("encounter", "title", "place", "opening", "wants", "talking"):
        lines.check_text(getattr(file, field), LONGEST_TEXT, field)
    for key in file.endings:
        if key not in list(Ending):
            known = ", ".join(Ending)
            raise ContentInvalid(f"{lines.place('endings', key)}: {key!r} is no ending; there are {known}")
    for ending in Ending:
        if ending not in file.endings:
            raise ContentInvalid(f"{lines.place('endings')}: it does not say what happens if the heroes {ending}")
        lines.check_text(file.endings[ending], LONGEST_TEXT, "endings", ending)
    _check_people(file, lines)
    _check_reward(file.reward, lines)
    for ruling_id, choice in file.rulings.items():
        try:
            RULINGS[ruling_id].choice(choice)
        except UnknownRuling as error:
            raise ContentInvalid(f"{lines.place('rulings', ruling_id)}: {error}") from None
    return file


def _check_people(file: EncounterFile, lines: YamlLines) -> None:
    if not file.people:
        raise ContentInvalid(f"{lines.place('people')}: nobody is there")
    names: set[str] = set()
    for place, there in enumerate(file.people):
        where = lines.place("people", place)
        try:
            character = _character(there)
        except ContentInvalid as error:
            raise ContentInvalid(f"{where}: {error}") from None
        if there.side == PARTY:
            raise ContentInvalid(f"{where}: {character.name} is on the heroes' side; name another side")
        if character.name in names:
            raise ContentInvalid(f"{where}: {character.name!r} is there twice; call one otherwise (called)")
        if not there.does.strip():
            raise ContentInvalid(f"{where}: say what {character.name} does and wants here (does)")
        names.add(character.name)


def _check_reward(reward: Reward, lines: YamlLines) -> None:
    lines.check_text(reward.says, LONGEST_TEXT, "reward", "says")
    if not reward.after:
        raise ContentInvalid(f"{lines.place('reward')}: say after which endings it is gained (after)")
    if not 0 <= reward.effort <= MOST_EFFORT_GAINED:
        bounds = f"a reward gives from 0 to {MOST_EFFORT_GAINED} Effort, not {reward.effort}"
        raise ContentInvalid(f"{lines.place('reward', 'effort')}: {bounds}")


ENCOUNTERS = Installed("encounter", parse_encounter, "spellwoven", "encounters")
encounter_names = ENCOUNTERS.names


def installed_encounter(name: str) -> EncounterFile:
    """The installed encounter of this key.

    Raises:
        ContentInvalid: there is none, or it does not hold together.
    """
    key = key_of(name)
    return ENCOUNTERS.named(key if key in encounter_names() else name)


EncounterName = Annotated[
    str,
    Names(
        lambda seen: encounter_names(),
        title=lambda name: installed_encounter(name).title,
        notes=lambda name: installed_encounter(name).content_notes,
    ),
]


@SPELLWOVEN.action("open-encounter", "SP-12", "SP-14", group="Beginning and ending", opens=True)
def open_encounter(play: Play[Adventure], *, encounter: EncounterName) -> Steps[None]:
    """Open an encounter from its file: the opening image, and everybody who is there."""
    at_peace(play, "another encounter")
    if play.state.encounter is not None:
        raise IllegalAction(f"{play.state.encounter.title} is open; close it first (Close encounter)")
    file = installed_encounter(encounter)
    cast = file.cast()
    for character in cast:
        if character.name in play.state.characters:
            raise IllegalAction(f"{character.name} is in this adventure already, and in the encounter too")
    yield EncounterOpened(encounter=file.opened())
    for character in cast:
        rule = "SP-14" if character.kind is CharacterKind.INCIDENTAL else "SP-12"
        yield CharacterAdded(character=character, rule=rule)


@SPELLWOVEN.action("close-encounter", "SP-21", group="Beginning and ending")
def close_encounter(play: Play[Adventure], *, ending: Ending) -> Steps[None]:
    """Close the encounter: what follows on talk, flight, victory or defeat, and what is gained by it."""
    at_peace(play, "closing the encounter")
    open_now = play.state.encounter
    if open_now is None:
        raise IllegalAction("no encounter is open (Open encounter)")
    reward = open_now.reward
    gained = ending in reward.after
    yield EncounterClosed(ending=ending, follows=open_now.endings[ending], reward=reward.says if gained else "")
    if gained and reward.effort:
        for name, character in play.state.characters.items():
            if character.is_player_character and not character.dead:
                yield EffortChanged(who=name, by=reward.effort, reason=open_now.title)
