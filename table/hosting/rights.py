"""What a player may do and see from the own phone: own questions, own actions, what lies open.

What lies hidden is kept from them by the systems' views; here it is decided whose questions and actions are whose.
Refusals must not tell what is hidden either, so a player names only cards that the player holds.
"""

from __future__ import annotations

from msgspec.structs import replace

from loomtable.engine.kernel.action_rules import ASKED
from loomtable.engine.kernel.arguments import fields_in
from loomtable.engine.kernel.journal import Answered, Line
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CoinReading, DiceReading, Source
from loomtable.engine.kernel.requests import GROUP, Flip, Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import label_of
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.errors import NotAllowed


def names_of(session: Session[object], person: str) -> frozenset[str]:
    """The names by which a game knows this person: the own one, and those of the characters they play."""
    return session.system.names_of(session.game, person)


def is_asked(session: Session[object], request: Request, device: Device) -> bool:
    """Whether this device may see the question and answer it."""
    if device.role is Role.HOST:
        return True
    if device.role is not Role.PLAYER:
        return False
    if session.system.solo or (request.by == GROUP and not whose(request)):
        return True
    return not {request.by, *whose(request)}.isdisjoint(names_of(session, device.person))


def whose(request: Request) -> tuple[str, ...]:
    """Who rolls, where several do, each their own dice."""
    return request.whose if isinstance(request, Roll) else ()


def open_to_all(request: Request) -> bool:
    """Whether everybody in the room may see what is asked: dice and coins fall on the table."""
    return isinstance(request, Roll | Flip)


def as_asked(session: Session[object], request: Request, device: Device) -> Request:
    """A request as a device that is asked has to answer it.

    Of dice that several roll a player's phone has its own, and of the ticks beside them those that lie open.
    """
    if device.role is Role.HOST or not isinstance(request, Roll):
        return request
    if request.whose and device.role is Role.PLAYER and not session.system.solo:
        own = names_of(session, device.person)
        request = request.part(tuple(name for name in request.whose if name in own))
    if request.ticks is None:
        return request
    options = tuple(option for option in request.ticks.options if option.open)
    ticked = tuple(option.key for option in options if option.key in request.ticked)
    return replace(request, ticks=replace(request.ticks, options=options) if options else None, ticked=ticked)


def actions_of(session: Session[object], device: Device) -> tuple[str, ...]:
    """The names of the actions that this device may begin."""
    if device.role is Role.HOST:
        return tuple(session.system.actions)
    if device.role is not Role.PLAYER:
        return ()
    return tuple(rule.name for rule in session.system.begun_by(session.game, device.viewer))


def check_action(session: Session[object], action: Action, device: Device) -> None:
    """Refuse an action that this device may not begin.

    Raises:
        NotAllowed: it is the host's to begin, or it is for somebody else's character.
        UnknownAction: its arguments are not what the rules want.
    """
    if device.role is Role.HOST:
        return
    if action.name not in actions_of(session, device):
        raise NotAllowed(f"“{label_of(action.name[:40])}” is the host's to begin; ask at the table")
    session.system.checked(action)  # only what has the right shape can be looked at
    if not session.system.solo:
        _check_own(session, action, device)


def may_ask(session: Session[object], device: Device) -> tuple[str, ...]:
    """The names of the actions that this device may ask the host for."""
    if device.role is not Role.PLAYER or not session.system.led(session.game):
        return ()
    return tuple(name for name, rule in session.system.actions.items() if rule.begun_by == ASKED)


def check_wish(session: Session[object], action: Action, device: Device) -> None:
    """Refuse an action that this device may not ask the host for, or with more than has to be said.

    Raises:
        NotAllowed: it cannot be asked for, or is for somebody else's character.
        UnknownAction: its arguments are not what the rules want.
    """
    if action.name not in may_ask(session, device):
        raise NotAllowed(f"“{label_of(action.name[:40])}” is nothing to ask the host for here; ask at the table")
    session.system.checked(action)
    needed = {f.encode_name for f in fields_in(session.system.actions[action.name].arguments) if f.required}
    if more := sorted(action.args.keys() - needed):
        raise NotAllowed(f"{', '.join(map(label_of, more))}: that is the host's to say")
    _check_own(session, action, device)


def _check_own(session: Session[object], action: Action, device: Device) -> None:
    rule = session.system.actions[action.name]
    if action.args.get(rule.actor) not in names_of(session, device.person):
        raise NotAllowed(f"{device.person} acts for their own character only")
    for argument, declared in rule.hosts_only.items():
        if action.args.get(argument):
            raise NotAllowed(declared.why)


def check_answer(session: Session[object], device: Device) -> Request:
    """The open request, or this device's part of it, if it may answer it.

    Raises:
        NotAllowed: nothing is asked of it.
    """
    request = session.pending
    if request is None or not is_asked(session, request, device):
        whom = f"; {request.by} is asked" if request is not None and device.role is Role.PLAYER else ""
        raise NotAllowed(f"nothing is asked of this device at the moment{whom}")
    return as_asked(session, request, device)


def may_take_back(last: Line, device: Device) -> bool:
    """Whether a line holds dice or a coin that this device has just answered with, not left to chance."""
    match last.entry:
        case Answered(reading=DiceReading(dice=dice)):
            by_chance = any(die.how is Source.RANDOM for die in dice)
        case Answered(reading=CoinReading(how=how)):
            by_chance = how is Source.RANDOM
        case _:
            return False
    return last.who == device.name and not by_chance


def check_take_back(last: Line, device: Device) -> None:
    """Refuse to take back what is not this device's own roll or flip, or not the last thing that happened.

    Raises:
        NotAllowed: it is somebody else's, or the host's to undo.
    """
    if not may_take_back(last, device):
        why = "you can take back only your own dice, and only before anything else happens; the host can undo more"
        raise NotAllowed(why)
