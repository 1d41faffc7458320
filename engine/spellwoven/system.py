"""Spellwoven as a system: how it begins, who sees what; the rules register themselves with it."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.system import STORYTELLER, System, no_setup, people_of
from loomtable.engine.spellwoven.rulings import RULINGS
from loomtable.engine.spellwoven.state import Adventure, Character, Combatant, Conflict
from loomtable.engine.spellwoven.words import hears, tell

_SEEN_OF_OTHERS = ("name", "kind", "side", "player", "dead")
_TRACKS = ("wounds", "wound_slots", "effort", "shield")
_SEEN_OF_AN_ENCOUNTER = ("key", "title", "opening")


def _view(adventure: Adventure, viewer: str) -> dict[str, Any]:
    """A player sees the whole sheets of their own characters, and of others what anybody at the table can see.

    ``tracks`` are the wounds, the Effort and the shield of every hero: who fights together knows of it.
    """
    seen: dict[str, Any] = to_builtins(adventure)
    heroes = {n: seen["characters"][n] for n, c in adventure.characters.items() if c.is_player_character}
    seen["tracks"] = {name: {field: hero[field] for field in _TRACKS} for name, hero in heroes.items()}
    if viewer == STORYTELLER:
        return seen
    for name, character in adventure.characters.items():
        if character.player != viewer:
            whole = seen["characters"][name]
            part = {field: whole[field] for field in _SEEN_OF_OTHERS}
            part["weapons"] = [weapon.name for weapon in character.weapons]
            part["armour"] = [piece.name for piece in character.armour]
            seen["characters"][name] = {**part, "condition": condition(character)}
    if adventure.encounter is not None:
        seen["encounter"] = {field: seen["encounter"][field] for field in _SEEN_OF_AN_ENCOUNTER}
    return seen


def condition(character: Character) -> str:
    """How somebody looks from across the table: unhurt, hurt, incapacitated or dead."""
    if character.dead:
        return "dead"
    if character.incapacitated:
        return "incapacitated"
    return "hurt" if character.wounds.total else "unhurt"


def _turn(adventure: Adventure) -> str:
    """Who acts next in a conflict whose round has begun."""
    from loomtable.engine.spellwoven.turns import due

    if adventure.conflict is None or not adventure.conflict.round:
        return ""
    return " and ".join(due(adventure))


SPELLWOVEN: System[Adventure] = System(
    "spellwoven",
    "Spellwoven",
    rules_version="1",
    rulings=RULINGS,
    begin=no_setup("Spellwoven", Adventure),
    view=_view,
    tell=tell,
    people=lambda adventure: people_of(adventure.characters),
    hears=hears,
    turn=_turn,
    about="Adventures with rounds, momentum and wounds that heal slowly.",
    motif="raven",
    groups=("In a conflict", "Tests", "Beginning and ending", "Time and healing", "People"),
    quick_start=package_file("templates", "quick_starts", "spellwoven.yaml"),
    evening="spellwoven-the-nineteenth-piece",
    likely=("attack", "next-round", "begin-conflict", "test", "open-encounter", "add-player-character"),
    ready_evenings=(package_file("templates", "ready_evenings", "spellwoven.yaml"),),
)
"""Combat by rounds and momentum, wounds by severity, healing by days."""


def character(play: Play[Adventure], who: str) -> Character:
    """The living or dead character of this name.

    Raises:
        IllegalAction: there is none.
    """
    known = play.state.characters
    if who not in known:
        there = f"there are {', '.join(known)}" if known else "nobody is in this adventure yet"
        raise IllegalAction(f"there is no character {who!r}; {there}")
    return known[who]


def living(play: Play[Adventure], who: str) -> Character:
    """The character of this name, if alive.

    Raises:
        IllegalAction: there is none, or it is dead.
    """
    found = character(play, who)
    if found.dead:
        raise IllegalAction(f"{who} is dead")
    return found


def conflict(play: Play[Adventure]) -> Conflict:
    """The conflict that is on.

    Raises:
        IllegalAction: there is none.
    """
    if play.state.conflict is None:
        raise IllegalAction("there is no conflict; begin one first (begin-conflict)")
    return play.state.conflict


def at_peace(play: Play[Adventure], what: str) -> None:
    """Refuse ``what`` while a conflict is on.

    Raises:
        IllegalAction: one is on.
    """
    if play.state.conflict is not None:
        raise IllegalAction(f"{what} has to wait until the conflict is over")


def combatant(play: Play[Adventure], who: str) -> Combatant:
    """The combatant of this name, who is alive and still in the conflict.

    Raises:
        IllegalAction: no conflict is on, or there is no such combatant in it.
    """
    combatants = conflict(play).combatants
    living(play, who)
    found = combatants.get(who)
    if found is None:
        raise IllegalAction(f"{who} is not in this conflict (join-conflict)")
    if found.left is not None:
        raise IllegalAction(f"{who} is out of this conflict: {found.left.value.replace('-', ' ')}")
    return found


def opponents(play: Play[Adventure], who: str) -> tuple[str, ...]:
    """Everybody of another side who is still in the conflict and able to act."""
    side = play.state.characters[who].side
    return tuple(
        name
        for name in conflict(play).combatants
        if play.state.characters[name].side != side and stands(play.state, name)
    )


def stands(adventure: Adventure, who: str) -> bool:
    """Whether a combatant is alive, able, and still in the conflict (SP-13, SP-21)."""
    assert adventure.conflict is not None, "somebody is in a conflict that is not on"
    sheet = adventure.characters[who]
    return not sheet.dead and not sheet.incapacitated and adventure.conflict.combatants[who].left is None
