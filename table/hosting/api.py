"""Playing: actions, answers, and going back and forth. Every one of them says which revision its page shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import TypeVar

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import ShowCard, as_part, part_answered
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import ended
from loomtable.table.hosting.arguments import action_from, answer_from, answers_in, put_right, reading_in
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.errors import BadForm
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import EVERYBODY, HOST, PLAYERS, GuardedRoute, route
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.proposals import Taking
from loomtable.table.hosting.responses import Json, done
from loomtable.table.hosting.rights import (
    actions_of,
    as_asked,
    check_action,
    check_answer,
    check_take_back,
    is_asked,
)
from loomtable.table.hosting.views import came_of_it, camera_seen_by, check_first, may_see_picture
from loomtable.table.journal_words import change_in_words, line_in_words
from loomtable.vision.verdict import Verdict

R = TypeVar("R")
_CHANCE = random.SystemRandom()


def live_session_of(request: Request) -> LiveSession:
    """The session that a request names in its path."""
    live: LiveSession = request.app.state.host.live_session(request.path_params["session"])
    return live


def _come(request: Request) -> tuple[LiveSession, Device, Form, int]:
    """The live session, who asks, what was sent, and which revision the page showed."""
    form: Form = request.state.form
    return live_session_of(request), request.state.device, form, form.number("revision")


def _changed(
    request: Request, act: Callable[[Session[object], Form, str], R], *, goes_on: bool = False
) -> tuple[LiveSession, R]:
    """Change the journal as ``LiveSession.change`` does, in the name of the device that asks; what came of it."""
    live, device, form, revision = _come(request)
    by = device.name
    return live, live.change(lambda session: act(session, form, by), by=by, revision=revision, goes_on=goes_on)


def _played(request: Request, live: LiveSession, revision: int) -> Response:
    """The answer to an act is what came of it, as far as this device may know; ``revision`` is that before it."""
    return done(request, came_of_it(live, request.state.device, revision), revision=live.revision)


def state(request: Request) -> Response:
    """The table as this device may see it: ``{revision, system, view, pending, asked, actions}``."""
    live, device = live_session_of(request), request.state.device
    with live.held(device.person) as session:
        pending = session.pending
        mine = pending is not None and is_asked(session, pending, device)
        asked = as_asked(session, pending, device) if pending is not None and mine else None
        return Json(
            {
                "session": live.name,
                "system": session.system.key,
                "revision": live.revision,
                "view": session.view(device.viewer),
                "pending": to_builtins(asked),
                "asked": pending.by if pending is not None else "",
                "actions": actions_of(session, device),
            }
        )


def act(request: Request) -> Response:
    """Begin an action: ``action``, its arguments as ``arg.PATH`` or all in ``args`` (JSON)."""
    live, device, form, revision = _come(request)
    with live.held(device.person) as session:  # from looking whether it may be to doing it, nobody comes between
        live.check(revision, device.name, whose=device.person)
        action = action_from(form, session.system)
        check_action(session, action, device)
        live.take(action, by=device.name, revision=revision, whose=device.person)
    return _played(request, live, revision)


def answer(request: Request) -> Response:
    """Answer what is asked: ``answer`` (once for each die or choice, or ``answer0`` and so on), or ``random`` for
    the computer to roll."""
    live, device, form, revision = _come(request)
    with live.held(device.person) as session:
        given = None if form.yes("random") else lambda asked: answer_from(form, asked, _CHANCE)
        check_first(live, device, revision, given)
        asked = check_answer(session, device)
        # Only the rules know which cards are in a hand, so the computer draws until it holds one of those.
        among = asked.among if given is None and isinstance(asked, ShowCard) else ()
        drawn = _CHANCE.sample(among, len(among))
        for left, alone in enumerate([replace(asked, among=(card,)) for card in drawn] or [asked], 1 - len(drawn)):
            with suppress(IllegalAction) if left < 0 else nullcontext():
                reading = as_part(asked, answer_from(form, alone, _CHANCE))
                live.take(reading, by=device.name, revision=revision, whose=device.person)
                break
    return _played(request, live, revision)


def undo(request: Request) -> Response:
    """Undo what was done last."""
    live, device, _, revision = _come(request)
    undone = live.undo(by=device.name, revision=revision)
    return done(request, f"Undone: {change_in_words(live.session.system, undone)}", revision=live.revision)


def take_back(request: Request) -> Response:
    """Strike the dice through that this device has just answered with: the last tap is not confirmed, so it can be
    taken back by whoever made it."""
    live, device, _, revision = _come(request)
    with live.held():
        live.check(revision, device.name, whose=device.person)
        if device.person not in live.drafts:
            check_take_back(live.lines()[-1], device)
        undone = live.undo(by=device.name, revision=revision, whose=device.person)
    return done(request, f"Undone: {change_in_words(live.session.system, undone)}", revision=live.revision)


def redo(request: Request) -> Response:
    """Take the last undo back."""
    live, again = _changed(request, lambda session, _, by: session.redo(by=by))
    return done(request, f"Redone: {change_in_words(live.session.system, again)}", revision=live.revision)


def discard_draft(request: Request) -> Response:
    """Discard what ``whose`` device has begun in a draft and left."""
    whose = request.state.form.one("whose")
    live, _ = _changed(request, lambda session, _, by: session.discard_draft(whose, by=by))
    return done(request, f"{whose}'s draft is discarded; the journal can bring it back.", revision=live.revision)


def restore(request: Request) -> Response:
    """Take back the striking-through, amendment or way back in line ``seq``."""
    live, _ = _changed(request, lambda session, form, by: session.restore(form.number("seq"), by=by))
    return done(request, "It is as it was before.", revision=live.revision)


def save_point(request: Request) -> Response:
    """Give this moment a name: ``name``."""
    live, saved = _changed(
        request, lambda session, form, by: session.save_point(form.one("name"), by=by), goes_on=True
    )
    return done(request, ended(line_in_words(saved)), revision=live.revision)


def go_back(request: Request) -> Response:
    """Go back to the table as it was after line ``seq``; what was played since no longer counts."""
    seq = request.state.form.number("seq")
    live, _ = _changed(request, lambda session, _, by: session.go_back(seq, by=by))
    return done(request, f"The table is as it was after line {seq}.", revision=live.revision)


def void(request: Request) -> Response:
    """Strike the action in line ``seq`` through, with what hangs on it; ``why`` may say why."""
    live, _ = _changed(request, lambda session, f, by: session.void(f.number("seq"), f.one("why", ""), by=by))
    return done(request, "Struck through.", revision=live.revision)


def amend(request: Request) -> Response:
    """Put the reading in line ``seq`` right: ``answer``; ``inserted`` answers what is then asked anew."""

    def amended(session: Session[object], form: Form, by: str) -> object:
        return session.amend(seq, *amendment_in(form, session, seq), why=form.one("why", ""), by=by)

    seq = request.state.form.number("seq")
    live, _ = _changed(request, amended)
    return done(request, f"Line {seq} is corrected.", revision=live.revision)


def amendment_in(form: Form, session: Session[object], seq: int) -> tuple[Reading, ...]:
    """The new reading of line ``seq`` that a form holds, and then the answers to what is asked anew.

    Raises:
        IllegalAction: the line holds no answer that counts, or nothing more is asked.
        BadForm, ReadingMisfit: an answer is missing or does not fit.
    """
    played = next((p.step for p in session.played if p.step.seq == seq and p.step.request is not None), None)
    if played is None or played.request is None:
        raise IllegalAction(f"journal line {seq} holds no answer that counts")
    old = played.what if not isinstance(played.what, Action) else None
    part = played.request if old is None else part_answered(played.request, old)
    readings = [as_part(part, put_right(part, old, answer_from(form, part, _CHANCE)))]
    for words in answers_in(form, "inserted"):
        asked = session.preview_amend(seq, *readings).pending
        if asked is None:
            raise IllegalAction("nothing more would be asked after this amendment")
        readings.append(reading_in(asked, words, _CHANCE))
    return tuple(readings)


# The camera


def camera(request: Request) -> Response:
    """What the camera is doing, and what it proposes, as far as this device may know."""
    return Json(camera_seen_by(live_session_of(request), request.state.device))


def picture(request: Request) -> Response:
    """The camera's picture as a JPEG, with what was read drawn on it; with ``close``, the dice alone, unmarked."""
    live, device = live_session_of(request), request.state.device
    jpeg = may_see_picture(live, device, close="close" in request.query_params)
    return Response(jpeg, media_type="image/jpeg")


def choose_camera(request: Request) -> Response:
    """Watch with a camera: its number, address, file or folder in ``camera``; ``tray`` for dice alone."""
    live: LiveSession = live_session_of(request)
    form: Form = request.state.form
    live.watch.start(form.one("camera"), tray=form.yes("tray"))
    return done(request, f"The camera is on: {live.watch.name}.")


def stop_camera(request: Request) -> Response:
    """Give the camera back; with ``tray`` the second one alone."""
    watch = live_session_of(request).watch
    if request.state.form.yes("tray"):
        watch.stop_tray()
        return done(request, "Dice are looked for on the table again.")
    watch.stop()
    return done(request, "The camera is off.")


def set_camera(request: Request) -> Response:
    """When a sure reading is taken: ``taking`` is ``ask``, ``countdown`` or ``at once``."""
    form: Form = request.state.form
    proposals = live_session_of(request).watch.proposals
    try:
        proposals.taking = Taking(form.one("taking"))
    except ValueError:
        raise BadForm(f"choose one of {', '.join(Taking)}") from None
    return done(request, _TAKING_SAYS[proposals.taking])


_TAKING_SAYS = {
    Taking.ASK: "Readings are taken when somebody agrees.",
    Taking.COUNTDOWN: "Sure readings are taken after two seconds, unless somebody stops them.",
    Taking.AT_ONCE: "Sure readings are taken at once.",
}


def let_phone_be_camera(request: Request) -> Response:
    """Whether a phone (``device``) that asks may be the camera in place of the one that is on: ``allowed``."""
    phones, form = live_session_of(request).watch.phones, request.state.form
    return done(request, phones.decide(form.one("device"), allowed=form.yes("allowed")))


def let_hands_lead(request: Request) -> Response:
    """Whether hands lead the table: ``leads``."""
    watch = live_session_of(request).watch
    watch.lead(request.state.form.yes("leads"))
    return done(request, "Hands lead the table." if watch.leads else "The camera reads only what is asked.")


def not_meant(request: Request) -> Response:
    """What is offered (``proposal``) is not what was meant; anybody may say so."""
    live, _, form, _ = _come(request)
    live.watch.stop_proposal(form.number("proposal"))
    return done(request, "It is not taken.", revision=live.revision)


def settle(request: Request) -> Response:
    """Where table and record differ about a thing (``about``), what is ``right``: ``table``, or ``record``."""
    live, device, form, revision = _come(request)
    if form.one("right") == "record":
        return done(request, f"{live.watch.record_is_right(form.one('about'))}.", revision=live.revision)
    live.watch.table_is_right(form.one("about"), by=device.name, revision=revision)
    return _played(request, live, revision)


def _may_help(request: Request, live: LiveSession) -> None:
    with live.held() as session:
        check_answer(session, request.state.device)


def look_again(request: Request) -> Response:
    """Forget what was read, and read what lies there now."""
    live = live_session_of(request)
    _may_help(request, live)
    live.watch.look_again()
    return done(request, "Looking again.")


def accept(request: Request) -> Response:
    """Take the proposal of this number (``proposal``); ``which`` of its readings, where there are several."""
    live, device, form, revision = _come(request)
    with live.held() as session:
        live.check(revision, device.name)
        proposals, number = live.watch.proposals, form.number("proposal")
        offered = proposals.numbered(number).offers
        begun = [offer.action for offer in offered]
        for action in filter(None, [*begun, *(offer.first for offer in offered)]):
            check_action(session, action, device)
        if not begun or (device.role is not Role.HOST and not all(begun)):
            _may_help(request, live)
        proposals.accept(number, by=device.name, revision=revision, which=form.number("which", 0))
    return _played(request, live, revision)


def correct(request: Request) -> Response:
    """Say what a die of the proposal shows: ``proposal``, ``place`` (from 1), ``face``.

    With the last die in doubt the dice are taken: nobody has to agree again.
    """
    live, device, form, revision = _come(request)
    with live.held():
        live.check(revision, device.name)
        _may_help(request, live)
        proposals, number = live.watch.proposals, form.number("proposal")
        doubted = proposals.current is not None and proposals.current.verdict is Verdict.ASK
        made = proposals.correct(number, form.number("place"), form.one("face"))
        if not (doubted and made.answer is not None):
            return done(request, "", revision=live.revision)
        proposals.accept(number, by=device.name, revision=revision)
    return _played(request, live, revision)


def _on(path: str, endpoint: Callable[[Request], Response], roles: frozenset[Role]) -> GuardedRoute:
    return route(f"/api/play/{{session:path}}/{path}", endpoint, methods=["POST"], roles=roles)


ROUTES = (
    route("/api/play/{session:path}/state", state, roles=EVERYBODY - {Role.CAMERA}),
    route("/api/play/{session:path}/camera", camera, roles=EVERYBODY),
    route("/api/play/{session:path}/camera.jpg", picture, roles=EVERYBODY - {Role.CAMERA}),
    _on("act", act, PLAYERS),
    _on("answer", answer, PLAYERS),
    _on("undo", undo, HOST),
    _on("take-back", take_back, PLAYERS),
    _on("redo", redo, HOST),
    _on("discard-draft", discard_draft, HOST),
    _on("restore", restore, HOST),
    _on("save-point", save_point, HOST),
    _on("go-back", go_back, HOST),
    _on("void", void, HOST),
    _on("amend", amend, HOST),
    _on("camera-choose", choose_camera, HOST),
    _on("camera-stop", stop_camera, HOST),
    _on("camera-setting", set_camera, HOST),
    _on("camera-phone", let_phone_be_camera, HOST),
    _on("camera-hands", let_hands_lead, HOST),
    _on("camera-again", look_again, PLAYERS),
    _on("camera-not", not_meant, PLAYERS),
    _on("camera-settle", settle, HOST),
    _on("camera-accept", accept, PLAYERS),
    _on("camera-correct", correct, PLAYERS),
)
