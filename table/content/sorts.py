"""What a content file is, told by its first field, and what does not hold together in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def _playset(text: str, name: str) -> list[str]:
    from loomtable.engine.weave.playset import parse_playset

    return _first_trouble(lambda: parse_playset(text, name))


def _adventure(text: str, name: str) -> list[str]:
    from loomtable.engine.storm_weavers.adventure_check import check_adventure_text

    return [str(finding) for finding in check_adventure_text(text, name)]


def _map(text: str, name: str) -> list[str]:
    from loomtable.engine.storm_weavers.combat_map import parse_map

    return _first_trouble(lambda: parse_map(text, name))


def _transcript(text: str, name: str) -> list[str]:
    from loomtable.engine.kernel.transcript import parse_transcript

    return _first_trouble(lambda: parse_transcript(text, name))


def _quick_start(text: str, name: str) -> list[str]:
    from loomtable.engine.quick_start import check_quick_start

    return check_quick_start(text, name)


def _ready_evening(text: str, name: str) -> list[str]:
    from loomtable.engine.ready_evening import check_ready_evening

    return check_ready_evening(text, name)


def _region_map(text: str, name: str) -> list[str]:
    from loomtable.engine.woven.region_map import parse_region_map

    return _first_trouble(lambda: parse_region_map(text, name))


def _spells(text: str, name: str) -> list[str]:
    from loomtable.engine.woven.spells import parse_spells

    return _first_trouble(lambda: parse_spells(text, name))


def _map_names(text: str, name: str) -> list[str]:
    from loomtable.engine.woven.map.names import parse_map_names

    return _first_trouble(lambda: parse_map_names(text, name))


def _cards(text: str, name: str) -> list[str]:
    """The Story deck and the tapestry cards: each card says which it is."""
    from loomtable.engine.weave.decks import parse_story_deck
    from loomtable.engine.woven.cards import parse_cards

    if "motif:" in text:
        return _first_trouble(lambda: parse_story_deck(text, name))
    return _first_trouble(lambda: parse_cards(text, name))


def _weaving_dice(text: str, name: str) -> list[str]:
    from loomtable.engine.mnemonic.almanac import parse_weaving_dice

    return _first_trouble(lambda: parse_weaving_dice(text, name))


def _concepts(text: str, name: str) -> list[str]:
    from loomtable.engine.mnemonic.almanac import parse_concepts

    return _first_trouble(lambda: parse_concepts(text, name))


def _scenes(text: str, name: str) -> list[str]:
    from loomtable.engine.mnemonic.almanac import parse_prompts

    return _first_trouble(lambda: parse_prompts(text, name))


def _figures(text: str, name: str) -> list[str]:
    from loomtable.printkit.components.figure_file import parse_figures

    return _first_trouble(lambda: parse_figures(text, name))


def _template(text: str, name: str) -> list[str]:
    from loomtable.printkit.decks.template import parse_template

    return _first_trouble(lambda: parse_template(text, name))


def _encounter(text: str, name: str) -> list[str]:
    from loomtable.engine.spellwoven.encounters import parse_encounter

    return _first_trouble(lambda: parse_encounter(text, name))


def _people(text: str, name: str) -> list[str]:
    """Foes, who have Prowess, or characters for players, who do not need it."""
    from loomtable.engine.spellwoven.people import parse_people
    from loomtable.engine.spellwoven.state import CharacterKind

    kind = CharacterKind.NPC if "prowess:" in text else CharacterKind.PLAYER_CHARACTER
    return _first_trouble(lambda: parse_people(text, name, kind))


def _armoury(reader: str) -> Check:
    def check(text: str, name: str) -> list[str]:
        from loomtable.engine.spellwoven import armoury

        return _first_trouble(lambda: getattr(armoury, reader)(text, name))

    return check


CHECKS: Mapping[str, Check] = {
    "playset": _playset,
    "adventure": _adventure,
    "map": _map,
    "transcript": _transcript,
    "region_map": _region_map,
    "spells": _spells,
    "dice": _weaving_dice,
    "concepts": _concepts,
    "scenes": _scenes,
    "figures": _figures,
    "quick_start": _quick_start,
    "ready_evening": _ready_evening,
    "template": _template,
    "encounter": _encounter,
    "people": _people,
    "weapons": _armoury("parse_weapons"),
    "armour": _armoury("parse_armour"),
    "talents": _armoury("parse_talents"),
    "firsts": _map_names,
    "skills": _armoury("parse_skills"),
    "cards": _cards,
}
"""Each sort's check, by the field that tells the sort."""
