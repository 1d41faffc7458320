"""What people write for Spellwoven: its checks, and how many foes and encounters it should have."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.engine.spellwoven.armoury import (
    TalentWords,
    parse_armour,
    parse_skills,
    parse_talents,
    parse_weapons,
)
from loomtable.engine.spellwoven.encounters import encounter_names, installed_encounter, parse_encounter
from loomtable.engine.spellwoven.people import incidentals, npcs, parse_people
from loomtable.engine.spellwoven.state import CharacterKind
from loomtable.printkit.components.ready_cards import parse_pictures
from loomtable.table.content.sorts import GameContent

LEAST_FOES, LEAST_ENCOUNTERS = 12, 4


def _shortfalls() -> Iterator[str]:
    foes = npcs() | incidentals()
    if len(foes) < LEAST_FOES:
        yield f"foes.yaml: {len(foes)} foes; {LEAST_FOES} are needed"
    for foe in foes.values():
        if not foe.manner.strip() or not foe.wants.strip():
            yield f"foes.yaml: {foe.name} does not say how they fight (manner) and what they want (wants)"
    if len(encounter_names()) < LEAST_ENCOUNTERS:
        yield f"encounters: {len(encounter_names())}; {LEAST_ENCOUNTERS} are needed"
    for name in encounter_names():
        if installed_encounter(name).encounter != name:
            yield f"{name}.yaml: calls itself {installed_encounter(name).encounter!r}; write the file's name"


def _read_people(text: str, name: str) -> object:
    """Foes, who have Prowess, or characters for players, who do not need it."""
    return parse_people(text, name, CharacterKind.NPC if "prowess:" in text else CharacterKind.PLAYER_CHARACTER)


CONTENT = GameContent(
    {
        "encounter": parse_encounter,
        "people": _read_people,
        "weapons": parse_weapons,
        "armour": parse_armour,
        "talents": parse_talents,
        "skills": parse_skills,
        "pictures": parse_pictures,
        "does": lambda text, name: parse_yaml(text, TalentWords, name),
    },
    shortfalls=_shortfalls,
    begun=frozenset({"encounter"}),
)
