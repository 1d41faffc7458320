"""Who and what is there, or a refusal that says so."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play
from loomtable.engine.spellwoven.state import Adventure, Character, Combatant, Conflict


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
        raise IllegalAction("there is no conflict; begin one first (Begin conflict)")
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
        raise IllegalAction(f"{who} is not in this conflict (Join conflict)")
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
