"""Spellwoven as a system: how it begins, who sees what; the rules register themselves with it."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.system import (
    Looks,
    Presentation,
    Rules,
    SettingUp,
    System,
    no_setup,
    people_of,
    shipped_words,
)
from loomtable.engine.spellwoven.rulings import RULINGS
from loomtable.engine.spellwoven.state import Adventure, Character
from loomtable.engine.spellwoven.turns import due
from loomtable.engine.spellwoven.words import hears, tell

_SEEN_OF_OTHERS = ("name", "kind", "side", "player", "dead")
_TRACKS = ("wounds", "wound_slots", "effort", "shield")
_SEEN_OF_AN_ENCOUNTER = ("key", "title", "opening")


def _view(adventure: Adventure, viewer: str) -> dict[str, Any]:
    """A player sees the whole sheets of their own characters, and of others what anybody at the table can see.

    ``tracks`` are the wounds, the Effort and the shield of every hero: who fights together knows of it.
    """
    view: dict[str, Any] = to_builtins(adventure)
    heroes = {n: view["characters"][n] for n, c in adventure.characters.items() if c.is_player_character}
    view["tracks"] = {name: {field: hero[field] for field in _TRACKS} for name, hero in heroes.items()}
    if viewer == STORYTELLER:
        return view
    for name, character in adventure.characters.items():
        if character.player != viewer:
            whole = view["characters"][name]
            part = {field: whole[field] for field in _SEEN_OF_OTHERS}
            part["weapons"] = [weapon.name for weapon in character.weapons]
            part["armour"] = [piece.name for piece in character.armour]
            view["characters"][name] = {**part, "condition": condition(character)}
    if adventure.encounter is not None:
        view["encounter"] = {field: view["encounter"][field] for field in _SEEN_OF_AN_ENCOUNTER}
    return view


def condition(character: Character) -> str:
    """How somebody looks from across the table: unhurt, hurt, incapacitated or dead."""
    if character.dead:
        return "dead"
    if character.incapacitated:
        return "incapacitated"
    return "hurt" if character.wounds.total else "unhurt"


def _turn(adventure: Adventure) -> str:
    """Who acts next in a conflict whose round has begun."""
    if adventure.conflict is None or not adventure.conflict.round:
        return ""
    return " and ".join(due(adventure))


SPELLWOVEN: System[Adventure] = System(
    "spellwoven",
    "Spellwoven",
    rules=Rules(version="2", rulings=RULINGS, earlier={"1": {"encumbrance-slots": "on-the-sheet"}}),
    setting_up=SettingUp(
        begin=no_setup("Spellwoven", Adventure), people=lambda adventure: people_of(adventure.characters)
    ),
    words=shipped_words("spellwoven", tell, hears),
    looks=Looks(view=_view, turn=_turn),
    presentation=Presentation(
        episodes=True,
        about="Adventures with rounds, momentum and wounds that heal slowly.",
        motif="raven",
        groups=("In a conflict", "Tests", "Beginning and ending", "Time and healing", "People"),
        quick_start=package_file("templates", "quick_starts", "spellwoven.yaml"),
        evening="spellwoven-the-nineteenth-piece",
        likely=("attack", "next-round", "begin-conflict", "test", "open-encounter", "add-player-character"),
        ready_evenings=(
            package_file("templates", "ready_evenings", "spellwoven.yaml"),
            package_file("templates", "ready_evenings", "spellwoven-first-fight.yaml"),
        ),
    ),
)
"""Combat by rounds and momentum, wounds by severity, healing by days."""
