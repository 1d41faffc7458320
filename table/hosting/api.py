"""Playing: actions, answers, and going back and forth. Every one of them says which revision its page shows."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.plain import to_plain
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Request as Asked
from loomtable.engine.kernel.session import Consequences
from loomtable.engine.kernel.system import RULING_ACTION
from loomtable.table.hosting.arguments import action_from, answer_from, answers_in, put_right
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import EVERYBODY, HOST, PLAYERS, GuardedRoute, route
from loomtable.table.hosting.live_session import Sitting
from loomtable.table.hosting.responses import Json, done
from loomtable.table.hosting.rights import actions_of, check_action, check_answer, is_asked
from loomtable.table.hosting.views import camera_seen_by, may_see_picture
from loomtable.table.reading.typed import reading_of, typed_reading

_CHANCE = random.SystemRandom()


def sitting_of(request: Request) -> Sitting:
    """The session that a request names in its path."""
    sitting: Sitting = request.app.state.host.sitting(request.path_params["sitting"])
    return sitting


def _come(request: Request) -> tuple[Sitting, Device, Form, int]:
    """The sitting, who asks, what was sent, and which revision the page showed."""
    form: Form = request.state.form
    return sitting_of(request), request.state.device, form, form.number("revision")


def _played(request: Request, sitting: Sitting, happened: Sequence[str], otherwise: str) -> Response:
    """The host is told what happened; what others may know of it, their page shows."""
    device: Device = request.state.device
    says = " ".join(happened) if device.role is Role.HOST and happened else otherwise
    return done(request, says, revision=sitting.revision)


def state(request: Request) -> Response:
    """The table as this device may see it: ``{revision, system, view, pending, asked, actions}``."""
    sitting, device = sitting_of(request), request.state.device
    with sitting.held() as session:
        pending = session.pending
        mine = pending is not None and is_asked(session, pending, device)
        return Json(
            {
                "session": sitting.name,
                "system": session.system.key,
                "revision": sitting.revision,
                "view": session.view(device.viewer),
                "pending": to_plain(pending) if mine else None,
                "asked": pending.by if pending is not None else "",
                "actions": actions_of(session, device),
            }
        )


def act(request: Request) -> Response:
    """Begin an action: ``action``, its arguments as ``arg.NAME`` or all in ``args`` (JSON)."""
    sitting, device, form, revision = _come(request)
    with sitting.held() as session:  # from looking whether it may be to doing it, nobody comes between
        sitting.check(revision, device.name)
        action = action_from(form, session.system)
        check_action(session, action, device)
        happened = sitting.take(action, by=device.name, revision=revision)
    return _played(request, sitting, happened, "Done.")


def answer(request: Request) -> Response:
    """Answer what is asked: ``answer`` (once for each die or choice), or ``random`` for the computer to roll."""
    sitting, device, form, revision = _come(request)
    with sitting.held() as session:
        sitting.check(revision, device.name)
        asked = check_answer(session, device)
        happened = sitting.take(answer_from(form, asked, _CHANCE), by=device.name, revision=revision)
    return _played(request, sitting, happened, "Taken.")


def ruling(request: Request) -> Response:
    """Decide a ruling anew: ``ruling``, ``choice``."""
    sitting, device, form, revision = _come(request)
    action = Action(RULING_ACTION, {"ruling": form.one("ruling"), "choice": form.one("choice")})
    return _played(request, sitting, sitting.take(action, by=device.name, revision=revision), "Decided.")


def undo(request: Request) -> Response:
    """Strike the last step through."""
    sitting, device, _, revision = _come(request)
    sitting.undo(by=device.name, revision=revision)
    return done(request, "Taken back.", revision=sitting.revision)


def redo(request: Request) -> Response:
    """Take the last undo back."""
    sitting, device, _, revision = _come(request)
    sitting.redo(by=device.name, revision=revision)
    return done(request, "It counts again.", revision=sitting.revision)


def restore(request: Request) -> Response:
    """Take back the striking-through or amendment in line ``seq``."""
    sitting, device, form, revision = _come(request)
    sitting.restore(form.number("seq"), by=device.name, revision=revision)
    return done(request, "It is as it was before.", revision=sitting.revision)


def void(request: Request) -> Response:
    """Strike the action in line ``seq`` through, with what hangs on it; ``why`` may say why."""
    sitting, device, form, revision = _come(request)
    consequences = sitting.void(form.number("seq"), by=device.name, revision=revision, why=form.one("why", ""))
    return done(request, "Struck through.", revision=sitting.revision, consequences=_plain(consequences))


def amend(request: Request) -> Response:
    """Put the reading in line ``seq`` right: ``answer``; ``inserted`` answers what is then asked anew."""
    sitting, device, form, revision = _come(request)
    sitting.check(revision, device.name)
    seq = form.number("seq")
    reading, inserted = amendment_in(form, sitting, seq)
    consequences = sitting.amend(
        seq, reading, inserted, by=device.name, revision=revision, why=form.one("why", "")
    )
    return done(request, "Put right.", revision=sitting.revision, consequences=_plain(consequences))


def preview(request: Request) -> Response:
    """What ``void=SEQ`` or ``amend=SEQ&answer=...`` would do; nothing is written."""
    sitting = sitting_of(request)
    form = Form({key: tuple(request.query_params.getlist(key)) for key in request.query_params})
    if form.one("void", ""):
        consequences = sitting.preview_void(form.number("void"))
    else:
        seq = form.number("amend")
        consequences = sitting.preview_amend(seq, *amendment_in(form, sitting, seq))
    return Json({"revision": sitting.revision, "consequences": _plain(consequences)})


def amendment_in(form: Form, sitting: Sitting, seq: int) -> tuple[Reading, tuple[Reading, ...]]:
    """The new reading of line ``seq`` that a form holds, and the answers to what is then asked anew.

    Raises:
        IllegalAction: the line holds no answer that counts, or nothing more is asked.
        BadForm, ReadingMisfit: an answer is missing or does not fit.
    """
    with sitting.held() as session:
        played = next((p.step for p in session.played if p.step.seq == seq and p.step.request is not None), None)
        if played is None or played.request is None:
            raise IllegalAction(f"journal line {seq} holds no answer that counts")
        old = played.what if not isinstance(played.what, Action) else None
        reading = put_right(old, answer_from(form, played.request, _CHANCE))
        inserted: list[Reading] = []
        for words in answers_in(form, "inserted"):
            asked = session.preview_amend(seq, reading, *inserted).pending
            if asked is None:
                raise IllegalAction("nothing more would be asked after this amendment")
            inserted.append(_reading(asked, words))
        return reading, tuple(inserted)


def _reading(asked: Asked, words: Sequence[str]) -> Reading:
    return typed_reading(asked, words[0], _CHANCE) if len(words) == 1 else reading_of(asked, words)


def _plain(consequences: Consequences[Any]) -> dict[str, Any]:
    """Consequences for a page: sentences and questions, not whole states."""
    return {
        "gone": consequences.gone,
        "new": consequences.new,
        "changes": [str(change) for change in consequences.changes],
        "dropped": [{"seq": d.step.seq, "reason": d.reason} for d in consequences.dropped],
        "pending": to_plain(consequences.pending),
    }


# The camera


def camera(request: Request) -> Response:
    """What the camera is doing, and what it proposes, as far as this device may know."""
    sitting, device = sitting_of(request), request.state.device
    return Json(camera_seen_by(sitting, device))


def picture(request: Request) -> Response:
    """The camera's picture as a JPEG, with what was read drawn on it."""
    sitting, device = sitting_of(request), request.state.device
    jpeg = may_see_picture(sitting, device)
    return Response(jpeg, media_type="image/jpeg")


def choose_camera(request: Request) -> Response:
    """Watch with a camera: its number, its address, or a file or folder, in ``camera``."""
    sitting: Sitting = sitting_of(request)
    form: Form = request.state.form
    watch = sitting.eyes()
    watch.start(form.one("camera"))
    return done(request, f"The camera is on: {watch.name}.")


def stop_camera(request: Request) -> Response:
    """Give the camera back."""
    sitting_of(request).eyes().stop()
    return done(request, "The camera is off.")


def set_camera(request: Request) -> Response:
    """Whether a sure reading is taken without asking: ``takes_itself``."""
    watch = sitting_of(request).eyes()
    watch.takes_itself = request.state.form.yes("takes_itself")
    says = "Sure readings are taken at once." if watch.takes_itself else "Readings are taken when somebody agrees."
    return done(request, says)


def _may_help(request: Request, sitting: Sitting) -> None:
    with sitting.held() as session:
        check_answer(session, request.state.device)


def look_again(request: Request) -> Response:
    """Forget what was read, and read what lies there now."""
    sitting = sitting_of(request)
    _may_help(request, sitting)
    sitting.eyes().look_again()
    return done(request, "Looking again.")


def accept(request: Request) -> Response:
    """Take the proposal of this number (``proposal``) as the answer."""
    sitting, device, form, revision = _come(request)
    with sitting.held():
        sitting.check(revision, device.name)
        _may_help(request, sitting)
        happened = sitting.eyes().accept(form.number("proposal"), by=device.name, revision=revision)
    return _played(request, sitting, happened, "Taken.")


def correct(request: Request) -> Response:
    """Say what a die of the proposal shows: ``proposal``, ``place`` (from 1), ``face``."""
    sitting, device, form, revision = _come(request)
    sitting.check(revision, device.name)
    _may_help(request, sitting)
    made = sitting.eyes().correct(form.number("proposal"), form.number("place"), form.one("face"))
    return done(request, made.says, revision=sitting.revision)


def _on(path: str, endpoint: Callable[[Request], Response], roles: frozenset[Role]) -> GuardedRoute:
    return route(f"/api/play/{{sitting:path}}/{path}", endpoint, methods=["POST"], roles=roles)


ROUTES = (
    route("/api/play/{sitting:path}/state", state, roles=EVERYBODY - {Role.CAMERA}),
    route("/api/play/{sitting:path}/preview", preview, roles=HOST),
    route("/api/play/{sitting:path}/camera", camera, roles=EVERYBODY),
    route("/api/play/{sitting:path}/camera.jpg", picture, roles=EVERYBODY - {Role.CAMERA}),
    _on("act", act, PLAYERS),
    _on("answer", answer, PLAYERS),
    _on("ruling", ruling, HOST),
    _on("undo", undo, HOST),
    _on("redo", redo, HOST),
    _on("restore", restore, HOST),
    _on("void", void, HOST),
    _on("amend", amend, HOST),
    _on("camera-choose", choose_camera, HOST),
    _on("camera-stop", stop_camera, HOST),
    _on("camera-setting", set_camera, HOST),
    _on("camera-again", look_again, PLAYERS),
    _on("camera-accept", accept, PLAYERS),
    _on("camera-correct", correct, PLAYERS),
)
