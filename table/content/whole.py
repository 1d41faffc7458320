"""Everything that travels with Loomtable: all files of content, and what each game should have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.package_data import package_file

LEAST_BACKSTORIES, LEAST_OPTIONS = 3, 2
"""Options that a shipped playset has on every Story card: backstories and talents, and each other kind."""
LEAST_FOES, LEAST_ENCOUNTERS, LEAST_MAPS = 12, 4, 3
CONCEPTS, WEAVING_DICE = 7, 13


def shipped_content() -> list[Path]:
    """Every file of content, sorted."""
    return sorted(package_file("templates").rglob("*.yaml"))


def shortfalls() -> list[str]:
    """A sentence for everything that a game should have and has not."""
    try:
        return [*_weave(), *_spellwoven(), *_mnemonic(), *_woven(), *_undeclared()]
    except LoomtableError as error:  # a file that cannot be read is found by its own check too
        return [str(error)]


def _weave() -> Iterator[str]:
    from loomtable.engine.weave.decks import story_deck
    from loomtable.engine.weave.playset import QualityKind, playset, playset_names
    from loomtable.printkit.draw.art import art_names

    for card in story_deck():
        if card.motif not in art_names("motifs"):
            yield f"story-deck.yaml: nobody drew {card.motif!r}, the picture of {card.name}"
    for name in playset_names():
        if not (playset(name).people and playset(name).places):
            yield f"{name}.yaml: nobody says who is who (people) and where is where (places)"
        named: dict[str, str] = {}
        for card in story_deck():
            for kind in QualityKind:
                least = LEAST_OPTIONS
                if kind in (QualityKind.BACKSTORY, QualityKind.TALENT):
                    least = LEAST_BACKSTORIES
                options = playset(name).options(card.number, kind)
                if len(options) < least:
                    yield f"{name}.yaml: {card.name} offers {len(options)} of {kind}; {least} are needed"
                for option in options:
                    if named.setdefault(f"{kind} {option.name}", card.name) != card.name:
                        first = named[f"{kind} {option.name}"]
                        yield f"{name}.yaml: the {kind} {option.name!r} is offered by {first} and by {card.name}"


def _spellwoven() -> Iterator[str]:
    from loomtable.engine.spellwoven.encounters import encounter_names, installed_encounter
    from loomtable.engine.spellwoven.people import incidentals, npcs

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


def _mnemonic() -> Iterator[str]:
    from loomtable.engine.mnemonic.almanac import concepts, weaving_dice

    if len(concepts()) != CONCEPTS:
        yield f"concepts.yaml: {len(concepts())} concepts; {CONCEPTS} are needed"
    if len(weaving_dice()) != WEAVING_DICE:
        yield f"weaving-dice.yaml: {len(weaving_dice())} dice; {WEAVING_DICE} are needed"


def _woven() -> Iterator[str]:
    from loomtable.engine.woven.cards import tapestry_cards
    from loomtable.engine.woven.region_map import map_names, region_map

    for card in tapestry_cards().values():
        if not card.name.strip():
            yield f"tapestry-cards.yaml: card {card.number} has no name"

    sizes = {len(region_map(name).regions) for name in map_names()}
    if len(sizes) < LEAST_MAPS:
        yield f"maps: {len(sizes)} different sizes of region maps; {LEAST_MAPS} are needed"


def _undeclared() -> Iterator[str]:
    from loomtable.engine.systems import SYSTEMS

    shown = [system.presentation for system in SYSTEMS.values()]
    declared = {path for one in shown for path in (one.quick_start, *one.ready_evenings)}
    for folder in ("quick_starts", "ready_evenings"):
        for path in sorted(package_file("templates", folder).glob("*.yaml")):
            if path not in declared:
                yield f"{folder}/{path.name}: no game declares it"
