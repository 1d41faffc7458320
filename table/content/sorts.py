"""What a content file is, told by its first field, and what does not hold together in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any

from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError
from loomtable.engine.kernel.plugins import CONTENT, loaded, registered
from loomtable.engine.kernel.yamlfile import parse_yaml

Check = Callable[[str, str], list[str]]
"""From a file's text and its name to sentences, each with its line."""


def sort_of(text: str, name: str) -> str:
    """What a content file is, by the field that only files of its sort have.

    Raises:
        ContentInvalid: it is none of those that can be checked.
    """
    fields, lines = parse_yaml(text, dict[str, Any], name)
    known = _checks()
    for sort in known:
        if sort in fields:
            return sort
    raise ContentInvalid(
        f"{lines.place()}: loom check does not know this kind of file; it checks {', '.join(known)}"
    )


def findings_in(text: str, name: str) -> tuple[str, list[str]]:
    """The sort of a file, and a sentence for everything that does not hold together in it.

    Raises:
        ContentInvalid: it is none of those that can be checked.
    """
    sort = sort_of(text, name)
    return sort, _checks()[sort](text, name)


def _checks() -> Mapping[str, Check]:
    """Ours, and those that other packages register in the group ``loomtable.content``, by the telling field."""
    others = {sort: loaded(CONTENT, sort) for sort in registered(CONTENT)}
    return {**{sort: check for sort, check in others.items() if check is not None}, **CHECKS}


def _first_trouble(read: Callable[[], object]) -> list[str]:
    """These readers stop at the first thing that is wrong."""
    try:
        read()
    except LoomtableError as error:
        return [str(error)]
    return []


def _read_by(reader: str) -> Check:
    """The first thing that ``module:function`` finds wrong."""
    return lambda text, name: _first_trouble(lambda: resolve_name(f"loomtable.{reader}")(text, name))


def _checked_by(checker: str) -> Check:
    """All that ``module:function`` finds in the file."""
    return lambda text, name: [str(finding) for finding in resolve_name(f"loomtable.{checker}")(text, name)]


def _cards(text: str, name: str) -> list[str]:
    """The Story deck and the tapestry cards: each card says which it is."""
    reader = "engine.weave.decks:parse_story_deck" if "motif:" in text else "engine.woven.cards:parse_cards"
    return _read_by(reader)(text, name)


def _people(text: str, name: str) -> list[str]:
    """Foes, who have Prowess, or characters for players, who do not need it."""
    from loomtable.engine.spellwoven.people import parse_people
    from loomtable.engine.spellwoven.state import CharacterKind

    kind = CharacterKind.NPC if "prowess:" in text else CharacterKind.PLAYER_CHARACTER
    return _first_trouble(lambda: parse_people(text, name, kind))


CHECKS: Mapping[str, Check] = {
    "playset": _read_by("engine.weave.playset:parse_playset"),
    "adventure": _checked_by("engine.storm_weavers.adventure_check:check_adventure_text"),
    "map": _read_by("engine.storm_weavers.combat_map:parse_map"),
    "transcript": _read_by("engine.kernel.transcript:parse_transcript"),
    "region_map": _read_by("engine.woven.region_map:parse_region_map"),
    "spells": _read_by("engine.woven.spells:parse_spells"),
    "dice": _read_by("engine.mnemonic.almanac:parse_weaving_dice"),
    "concepts": _read_by("engine.mnemonic.almanac:parse_concepts"),
    "scenes": _read_by("engine.mnemonic.almanac:parse_prompts"),
    "figures": _read_by("printkit.components.figure_file:parse_figures"),
    "quick_start": _checked_by("engine.quick_start:check_quick_start"),
    "ready_evening": _checked_by("engine.ready_evening:check_ready_evening"),
    "template": _read_by("printkit.decks.template:parse_template"),
    "encounter": _read_by("engine.spellwoven.encounters:parse_encounter"),
    "people": _people,
    "weapons": _read_by("engine.spellwoven.armoury:parse_weapons"),
    "armour": _read_by("engine.spellwoven.armoury:parse_armour"),
    "talents": _read_by("engine.spellwoven.armoury:parse_talents"),
    "firsts": _read_by("engine.woven.map.names:parse_map_names"),
    "skills": _read_by("engine.spellwoven.armoury:parse_skills"),
    "cards": _cards,
    "rulings": _read_by("engine.kernel.rulings:parse_rulings"),
}
"""Each sort's check, by the field that tells the sort."""
