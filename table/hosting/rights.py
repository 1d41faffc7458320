"""What a player may do and see from the own phone: own questions, own actions, what lies open.

What lies hidden is kept from them by the systems' views; here it is decided whose questions and actions are whose.
Refusals must not tell what is hidden either, so a player names only cards that the player holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import Flip, Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.state import GROUP
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.troubles import NotAllowed

_WOVEN = (
    "spend-charge", "rest", "end-turn", "recover", "move", "create-tendril", "move-tendril", "acquire-card",
    "place-thread",
)  # fmt: skip
OWN_ACTIONS: Mapping[str, frozenset[str]] = {
    # Challenges and the deck are the storyteller's; what a character has and does is the player's.
    "weave": frozenset({
        "answer-invitation", "level-up", "use-talent", "use-asset", "signature-move", "attack", "move", "heal",
        "leave-season",
    }),
    "spellwoven": frozenset({
        "opportunity-attack", "attack", "load", "move", "talk", "use-talent", "act", "first-aid", "flee",
        "surrender", "repair-shield", "mend-armour", "equip",
    }),
    "mnemonic": frozenset({
        "add-character", "game-face", "note", "mark-truth", "learn", "introduce", "meet", "remember", "scene",
    }),
    "woven": frozenset(_WOVEN),
}  # fmt: skip
"""What a player may begin for the own character; everything else is the host's to begin."""
SOLO = frozenset({"storm-weavers"})
"""Systems that one plays alone, so that nothing is hidden and whoever sits there may act."""
_STORYTELLERS_CARDS = frozenset({"weave"})
"""Systems in which the card that an action can name lies in the storyteller's hand."""


def names_of(session: Session[Any], person: str) -> frozenset[str]:
    """The names by which a game knows this person: the own one, and those of the characters they play."""
    characters: Mapping[str, Any] = getattr(session.state, "characters", {})
    return frozenset({person, *(n for n, c in characters.items() if getattr(c, "player", None) == person)})


def is_asked(session: Session[Any], request: Request, device: Device) -> bool:
    """Whether this device may see the question and answer it."""
    if device.role is Role.HOST:
        return True
    if device.role is not Role.PLAYER:
        return False
    if session.system.key in SOLO or request.by == GROUP:
        return True
    return request.by in names_of(session, device.person)


def open_to_all(request: Request) -> bool:
    """Whether everybody in the room may see what is asked: dice and coins fall on the table."""
    return isinstance(request, Roll | Flip)


def actions_of(session: Session[Any], device: Device) -> tuple[str, ...]:
    """The names of the actions that this device may begin."""
    every = session.system.actions
    if device.role is Role.HOST:
        return tuple(every)
    if device.role is not Role.PLAYER:
        return ()
    if session.system.key in SOLO:
        return tuple(name for name in every if name != "ruling")
    return tuple(name for name in every if name in OWN_ACTIONS[session.system.key])


def check_action(session: Session[Any], action: Action, device: Device) -> None:
    """Refuse an action that this device may not begin.

    Raises:
        NotAllowed: it is the host's to begin, or it is for somebody else's character.
        UnknownAction: its arguments are not what the rules want.
    """
    if device.role is Role.HOST:
        return
    if action.name not in actions_of(session, device):
        raise NotAllowed(f"{action.name[:40]!r} is the host's to begin; ask at the table")
    session.system.checked(action)  # only what has the right shape can be looked at
    if session.system.key in SOLO:
        return
    who = action.args.get("who", action.args.get("player"))
    if who not in names_of(session, device.person):
        raise NotAllowed(f"{device.person} acts for the own character only")
    if session.system.key in _STORYTELLERS_CARDS and (action.args.get("card") or action.args.get("enticement")):
        raise NotAllowed("the card is the storyteller's to choose; leave it out, and it is asked for")


def check_answer(session: Session[Any], device: Device) -> Request:
    """The open request, if this device may answer it.

    Raises:
        NotAllowed: nothing is asked of it.
    """
    request = session.pending
    if request is None or not is_asked(session, request, device):
        whom = f"; {request.by} is asked" if request is not None and device.role is Role.PLAYER else ""
        raise NotAllowed(f"nothing is asked of this device at the moment{whom}")
    return request
