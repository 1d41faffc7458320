"""What devices see of what happens and of the camera: for others than the host what lies open or is theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.journal import Answered
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Request, in_words
from loomtable.engine.kernel.results import told_in
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.wording import ended
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.errors import CameraGone, NotAllowed
from loomtable.table.hosting.live_session import LiveSession, StalePage
from loomtable.table.hosting.proposal import Proposal
from loomtable.table.hosting.rights import as_asked, is_asked, open_to_all, whose
from loomtable.table.journal_words import answer_in_words


def came_of_it(live: LiveSession, device: Device, revision: int) -> str:
    """What happened since a revision, in sentences this device may hear; where none is, what is asked now."""
    with live.held(device.person) as session:
        steps = [at for at, played in enumerate(session.played) if played.step.seq >= revision]
        told = [sentence for at in steps for sentence in told_in(session, at, device.viewer)]
        asked = session.pending
        if told or asked is None:
            return " ".join(told) or "It is in the journal."
        if open_to_all(asked) or is_asked(session, asked, device):
            return ended(f"{asked.by[:1].upper()}{asked.by[1:]}: {in_words(asked)}")
        return f"{asked.by[:1].upper()}{asked.by[1:]} decides."


def check_first(
    live: LiveSession, device: Device, revision: int, given: Callable[[Request], Reading] | None
) -> None:
    """Refuse an answer that came second, and say which one was used and which was not.

    Args:
        live: the session.
        device: whose answer it is.
        revision: the one its page showed.
        given: makes the reading that it gave as an answer to a request; ``None`` where it left that to chance.

    Raises:
        StalePage: somebody else was first.
    """
    with live.held(device.person) as session:
        asked = session.pending
        mine = asked is not None and is_asked(session, asked, device)
        part = whose(as_asked(session, asked, device)) if asked is not None and mine else ()
    try:
        live.check(revision, device.name, part, device.person)
    except StalePage as late:
        entry = late.line.entry if late.line is not None else None
        if not isinstance(entry, Answered):
            raise
        with live.held() as session:
            if not (open_to_all(entry.request) or is_asked(session, entry.request, device)):
                raise
        try:
            own = f" ({answer_in_words(entry.request, given(entry.request))})" if given is not None else ""
        except LoomtableError:
            own = ""
        used = answer_in_words(entry.request, entry.reading)
        raise StalePage(f"{late.first} with {used}; your answer{own} was not used", late.line) from None


def sees_reading(live: LiveSession, device: Device) -> bool:
    """Whether this device may see what the camera reads for the open request."""
    with live.held() as session:
        asked = session.pending
        if device.role is Role.HOST:
            return True
        if asked is None:
            return False
        return open_to_all(asked) or is_asked(session, asked, device)


def may_see_picture(live: LiveSession, device: Device, *, close: bool = False) -> bytes:
    """The camera's picture, if this device may see it now; ``close`` for the part where the dice lie, unmarked.

    Raises:
        NotAllowed: a card may lie before the camera that is none of its business.
        CameraGone: there is no picture.
    """
    if not sees_reading(live, device):
        raise NotAllowed("the camera's picture is shown while dice are rolled, or while this device is asked")
    jpeg = live.watch.picture(close=close)
    if jpeg is None:
        raise CameraGone("the camera shows nothing at the moment")
    return jpeg


def camera_seen_by(live: LiveSession, device: Device) -> dict[str, Any]:
    """The camera's state as plain values: ``{on, name, says, trouble, taking, proposal, remark}``."""
    watch = live.watch
    shown = sees_reading(live, device)
    proposal = watch.proposals.current if shown else None
    remark = watch.remark if device.role is Role.HOST else None
    return {
        "on": watch.on,
        "name": watch.name,
        "says": watch.says if shown or not watch.camera.name else "",
        "trouble": watch.trouble,
        "taking": watch.proposals.taking.value,
        "proposal": None if proposal is None else proposal_as_plain(proposal),
        "remark": "" if remark is None else f"{remark.says}: {remark.reason}",
    }


def proposal_as_plain(proposal: Proposal) -> dict[str, Any]:
    """A proposal for a page's script: ``{number, revision, verdict, says, sure, dice, size}``."""
    dice = [{**to_builtins(face), "means": str(face.means[1])} for face in proposal.dice]
    told = {"number": proposal.number, "revision": proposal.revision, "verdict": str(proposal.verdict)}
    return {**told, "says": proposal.says, "sure": proposal.sure, "dice": dice, "size": proposal.size}
