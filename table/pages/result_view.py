"""What came of a roll, as a page shows it to one viewer: the dice in pictures, the verdict, and who is next."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.results import RollResult, Throw, last_result, roll_results
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import ended
from loomtable.table.choices.asked import asked_of
from loomtable.table.choices.taking import face_key, face_words
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import ROOM, Device, Role
from loomtable.table.hosting.errors import BadForm
from loomtable.table.hosting.event_bus import Change, Topic
from loomtable.table.hosting.guard import EVERYBODY, PLAYERS, GuardedRoute, route
from loomtable.table.hosting.responses import Json, done
from loomtable.table.pages.rendering import environment, rules_address
from loomtable.table.pages.viewer import seen_as

SHORTEST, LONGEST, WORDS_A_SECOND = 5.0, 14.0, 2.6
"""How many seconds a result stays, at least and at most; and how quickly people read who look up from dice."""


class DieShown(msgspec.Struct, frozen=True):
    """One die as it lies."""

    picture: str
    """Its name in the sheet of faces; empty for a coin that leans."""
    face: str
    says: str
    tone: str


class ThrowShown(msgspec.Struct, frozen=True):
    """Dice that were thrown together."""

    by: str
    purpose: str
    dice: tuple[DieShown, ...]


class ResultShown(msgspec.Struct, frozen=True):
    """What came of a roll."""

    seq: int
    title: str
    rule: str
    throws: tuple[ThrowShown, ...]
    settled: bool
    verdict: str
    tone: str
    """``good`` or ``bad``, where it went for or against whoever rolled."""
    counted: tuple[str, ...]
    ending: str
    effects: tuple[str, ...]
    next: str
    card: str
    """The short code of the card that it is about."""
    seconds: float
    """For how long it is read."""
    says: str
    """All of it in words, for those who do not see it."""


def result_shown(session: Session[object], device: Device, line: int | None = None) -> ResultShown | None:
    """The latest result, or that of the roll in journal line ``line``; ``None`` where there is none."""
    viewer = device.viewer
    if line is None:
        found = last_result(session, viewer)
        return None if found is None else _shown(found, next_up(session, device))
    return next((_shown(result, "") for result in roll_results(session, viewer) if line in result.lines), None)


def results_by_line(session: Session[object], viewer: str) -> dict[int, ResultShown]:
    """Every result by the lines in which its dice were thrown, or by the line that brought it without any."""
    shown = [(roll_result, _shown(roll_result, "")) for roll_result in roll_results(session, viewer)]
    return {line: view for result, view in shown for line in result.lines or (result.seq,)}


def next_up(session: Session[object], device: Device) -> str:
    """Who does what next, as far as this device may know."""
    asked = asked_of(session, device)
    if asked is None:
        turn = session.system.turn(session.game)
        return f"Next: {turn}." if turn else ""
    named = asked.heading.lower().startswith(asked.by.lower())
    return ended(f"Next: {asked.heading if named else f'{asked.by}. {asked.heading}'}")


def _shown(found: RollResult, then: str) -> ResultShown:
    words = [found.title, found.verdict, *found.counted, *found.effects, found.ending, then]
    says = " ".join(ended(part[:1].upper() + part[1:]) for part in words if part)
    return ResultShown(
        seq=found.seq,
        title=found.title,
        rule=found.rule,
        throws=tuple(_throw(throw, found.throws[0]) for throw in found.throws),
        settled=found.settled,
        verdict=found.verdict,
        tone={True: "good", False: "bad", None: ""}[found.passed],
        counted=found.counted,
        ending=found.ending,
        effects=found.effects,
        next=then,
        card=found.card.short if isinstance(found.card, ComponentId) else "",
        seconds=round(min(LONGEST, max(SHORTEST, 2.0 + len(says.split()) / WORDS_A_SECOND)), 1),
        says=says,
    )


def _throw(throw: Throw, first: Throw) -> ThrowShown:
    """A throw; a later one of the same purpose says only what is new: ``"Re-roll 1"``."""
    meanings = throw.meanings or (None,) * len(throw.faces)
    dice = tuple(
        DieShown(
            picture=face_key(throw.die, face) if face in Die(throw.die).faces else "",
            face=face_words(face),
            says=meaning.says if meaning is not None else "",
            tone=str(meaning.tone) if meaning is not None else "plain",
        )
        for face, meaning in zip(throw.faces, meanings, strict=True)
    )
    purpose = throw.purpose if throw is first else throw.purpose.removeprefix(first.purpose).lstrip(" ,:")
    return ThrowShown(throw.by, purpose[:1].upper() + purpose[1:], dice)


def result(request: Request) -> Response:
    """``{revision, result, html, read}``: the latest result as this device may see it, or that of ``line``.

    The host's pages name through whose eyes they look by a cookie; a screen for the room by ``as=room``.

    Raises:
        BadForm: ``line`` is no number, or ``as`` something else than ``room``.
    """
    live = live_session_of(request)
    line, eyes = (request.query_params.get(name, "") for name in ("line", "as"))
    if line and not (line.isascii() and line.isdecimal()):
        raise BadForm(f"line is the number of a line in the journal, not {line[:40]!r}")
    if eyes not in ("", "room"):
        raise BadForm(f"as is 'room' or left out, not {eyes[:40]!r}")
    with live.held() as session:
        device = as_room(request.state.device) if eyes else seen_as(request, session)
        found = result_shown(session, device, int(line) if line else None)
        revision = live.revision
    given = {"r": found, "rules": rules_address(live.name, device), "live": live}
    html = environment().get_template("result.html").render(given) if found is not None else ""
    read = found is not None and found.seq <= live.read
    return Json({"revision": revision, "result": found, "html": html, "read": read})


def go_on(request: Request) -> Response:
    """Put the result of line ``seq`` away on every screen."""
    live, seq = live_session_of(request), request.state.form.number("seq")
    if live.read < seq < live.revision:
        live.read = seq
        live.bus.publish(Change(Topic.READ, seq))
    return done(request, "")


def as_room(device: Device) -> Device:
    """The device as one that sees what everybody may see, and nothing else."""
    return msgspec.structs.replace(device, role=Role.SCREEN, person=ROOM)


ROUTES: tuple[GuardedRoute, ...] = (
    route("/api/play/{session:path}/result", result, roles=EVERYBODY - {Role.CAMERA}),
    route("/api/play/{session:path}/go-on", go_on, methods=["POST"], roles=PLAYERS),
)
