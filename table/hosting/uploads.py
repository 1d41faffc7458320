"""Pictures that phones send: frames of a live camera, and photographs. They are read and forgotten, never kept.

A picture takes far more memory than its file. So it is asked first whether one is wanted, in the whole program one
photograph at a time is decoded and read, and of each device one is received. Frames do not wait for photographs,
and pages for neither.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.components import ComponentId
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.errors import BadForm, NotThere, TooMuch
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import EVERYBODY, HOST, PLAYERS, Body, GuardedRoute, route
from loomtable.table.hosting.lanes import Lane
from loomtable.table.hosting.proposal import as_jpeg
from loomtable.table.hosting.responses import Json, done
from loomtable.table.hosting.rights import check_answer
from loomtable.table.screens.art import card_codes
from loomtable.vision.pictures import MAX_PIXELS, decode_upload, size_of_picture

FRAME_PIXELS = 8_300_000
"""A frame of a live camera has at most the pixels of a 4K picture."""
LONGEST_LINE = 280
"""Characters of a hand-out, so that a television shows it whole."""
FRAME_WAITS = 0.5
"""Seconds that a frame of a live camera waits to be looked at before it is answered; the next one takes its
place."""

_FRAMES = Lane("frame", 2)
"""Two cameras send frames at once: one over the table, one over a tray."""
_PHOTOGRAPHS = Lane("photograph", 1)
"""The one thread that decodes photographs: glibc keeps the memory of every thread that ever held a picture."""


def frame(request: Request) -> Response:
    """The next frame of a phone's live camera, ``{says, revision, looked}``; with ``?tray=1`` of dice alone.

    It is answered once it was looked at (``looked``), or after a moment: so a phone sends no more than is read.
    ``start=1`` says that its person has just started it; ``waits`` in the answer, that the host is asked.

    Raises:
        CameraGone: its person has to start it again.
    """
    live, device, asked = live_session_of(request), request.state.device, request.query_params
    watch = live.watch
    encoded = _checked(request.state.form, FRAME_PIXELS, "the frame")
    over_tray = "tray" in asked and watch.camera.on and not watch.camera.lease.is_of(device.id)
    camera = watch.tray if over_tray else watch.camera
    lease = camera.lease
    if says := watch.phones.waits(lease, device, starts="start" in asked):
        return Json({"says": says, "revision": live.revision, "looked": False, "waits": True})
    source = camera.push(decode_upload(encoded, "the frame"), device.name, device.id, lease)
    looked = source is not None and source.wait_until_free(FRAME_WAITS)
    return Json({"says": watch.public_says, "revision": live.revision, "looked": looked})


def photo(request: Request) -> Response:
    """A photograph of what is asked, by itself or in a form's field; what was read is proposed."""
    live = live_session_of(request)
    device: Device = request.state.device
    own = None
    if device.role is Role.PLAYER:
        with live.held() as session:
            own = check_answer(session, device)
    watch = live.watch
    watch.wanted()
    encoded = _checked(request.state.form, MAX_PIXELS, "the photograph")
    try:
        proposal = watch.show(decode_upload(encoded, "the photograph"), own)
    finally:
        give_memory_back()
    # The camera's own screen lies open on the table; which card it saw is for whoever is asked.
    sentence = (
        proposal.says if device.role is not Role.CAMERA or proposal.dice else "The photograph has been read."
    )
    return done(request, sentence, revision=live.revision, sure=proposal.answer is not None)


def hand_out(request: Request) -> Response:
    """Show a hand-out: ``line``, and ``card`` (a code) or a picture; ``to`` is a player's name, or empty for all.

    The picture is decoded and made anew, so that where and when it was taken is not in it.
    """
    live, form = live_session_of(request), request.state.form
    with live.held() as session:
        people = tuple(session.system.people(session.game))
    to, line = form.one("to", ""), form.one("line", "").strip()
    code, picture = form.one("card", "").strip(), b""
    card = ComponentId.parse(code) if code else None
    if to and to not in people:
        raise BadForm(f"nobody here is called {to[:40]!r}; choose a name, or all")
    if len(line) > LONGEST_LINE or not line.isprintable():
        raise BadForm(f"a line has at most {LONGEST_LINE} characters, all of which can be shown")
    if card is not None and card.short not in card_codes():
        raise BadForm(f"there is no picture of {code[:20]}; write the code on a card, such as S7")
    if form.file:
        encoded = _checked(form, MAX_PIXELS, "the picture")
        picture = _PHOTOGRAPHS.threads.submit(lambda: as_jpeg(decode_upload(encoded, "the picture"))).result()
    if not (line or card or picture):
        raise BadForm("choose what to show: a line, a card or a picture")
    live.handouts.show(to, line, card, picture)
    return done(request, f"Shown to {to or 'all'}.")


def put_away(request: Request) -> Response:
    """Put a hand-out away: ``number``."""
    live_session_of(request).handouts.put_away(request.state.form.number("number"))
    return done(request, "Put away.")


def handout_picture(request: Request) -> Response:
    """The picture of a hand-out, for those to whom it is shown."""
    for handout in live_session_of(request).handouts.seen_by(request.state.device):
        if handout.number == request.path_params["number"] and handout.picture:
            return Response(handout.picture, media_type="image/jpeg")
    raise NotThere("no such picture is shown to this device")


def give_memory_back() -> None:
    """Hand freed memory back to the system: glibc keeps it otherwise."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


def _checked(form: Form, most: int, name: str) -> bytes:
    """The picture in an upload, not yet decoded; its size is read from its header.

    Raises:
        BadForm: none was sent.
        TooMuch: it has more pixels than ``most``.
        PictureUnreadable: it is not a picture.
    """
    if not form.file:
        raise BadForm("no picture was sent; choose one, or type what you rolled")
    width, height = size_of_picture(form.file, name)
    if width * height > most:
        raise TooMuch(f"{name} has {width} x {height} pixels; {most:,} at most")
    return form.file


def _sent(verb: str, endpoint: Callable[[Request], Response], lane: Lane) -> GuardedRoute:
    roles = PLAYERS | {Role.CAMERA}
    path = f"/api/play/{{session:path}}/{verb}"
    return route(path, endpoint, methods=["POST"], roles=roles, body=Body.UPLOAD, lane=lane)


ROUTES = (
    route("/api/play/{session:path}/handout", hand_out, methods=["POST"], roles=HOST, body=Body.UPLOAD),
    route("/api/play/{session:path}/handout-away", put_away, methods=["POST"], roles=HOST),
    route("/api/play/{session:path}/handout/{number:int}.jpg", handout_picture, roles=EVERYBODY - {Role.CAMERA}),
    _sent("frame", frame, _FRAMES),
    _sent("photo", photo, _PHOTOGRAPHS),
)
