"""Pictures that phones send: frames of a live camera, and photographs. They are read and forgotten, never kept.

A picture takes far more memory than its file. So it is asked first whether one is wanted, and in the whole program
one photograph at a time is decoded and read, and one of each device waits. Frames do not wait for photographs.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor

from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.requests import Request as Asked
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.errors import BadForm, NotThere, Overtaken, TooMuch, TooOften
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import EVERYBODY, HOST, Body, route
from loomtable.table.hosting.proposal import Proposal, as_jpeg
from loomtable.table.hosting.responses import Json, done
from loomtable.table.hosting.rights import check_answer
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.screens.art import card_codes
from loomtable.vision.pictures import MAX_PIXELS, decode_upload, size_of_picture

FRAME_PIXELS = 8_300_000
"""A frame of a live camera has at most the pixels of a 4K picture."""
MOST_WAITING = 8
"""Photographs that are read or wait for it; each holds one of the threads that answer pages."""
LONGEST_LINE = 280
"""Characters of a hand-out, so that a television shows it whole."""
FRAME_WAITS = 0.5
"""Seconds that a frame of a live camera waits to be decoded, and then to be looked at, before it is answered; the
next one takes its place."""

_FRAMES = ThreadPoolExecutor(max_workers=1, thread_name_prefix="frames")
_READING = ThreadPoolExecutor(max_workers=1, thread_name_prefix="photographs")
"""The one thread that decodes photographs: glibc keeps the memory of every thread that ever held a picture."""


class _Queue:
    """The photographs that are read or wait for it, one after another; of each device at most one waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._last: dict[str, Future[Proposal]] = {}

    def read(self, device: str, work: Callable[[], Proposal]) -> Proposal:
        """Do the ``work`` in its turn, instead of what still waits of the same device.

        Raises:
            TooOften: too many photographs wait.
            Overtaken: the device sent another one before this one's turn.
        """
        with self._lock:
            earlier = self._last.get(device)
            if (earlier is None or not earlier.cancel()) and self._count >= MOST_WAITING:
                raise TooOften("other photographs are still being read; send this one again in a moment", 5)
            self._count += 1
            mine = self._last[device] = _READING.submit(work)
        try:
            return mine.result()
        except CancelledError:
            raise Overtaken("you have sent a newer photograph; that one is read instead of this one") from None
        finally:
            with self._lock:
                self._count -= 1
                if self._last.get(device) is mine:
                    del self._last[device]


_QUEUE = _Queue()


def frame(request: Request) -> Response:
    """The next frame of a phone's live camera, ``{says, revision, looked}``; with ``?tray=1`` of dice alone.

    It is answered once it was looked at (``looked``), or after a moment: so a phone sends no more than is read.
    """
    live, device = live_session_of(request), request.state.device
    watch = live.watch
    encoded = _checked(request.state.form, FRAME_PIXELS, "the frame")
    decoded = _FRAMES.submit(decode_upload, encoded, "the frame")
    looked = False
    with contextlib.suppress(TimeoutError):
        over_tray = "tray" in request.query_params and watch.camera.on and watch.camera.name != device.name
        camera = watch.tray if over_tray else watch.camera
        picture = decoded.result(FRAME_WAITS if camera.real_time else None)
        looked = camera.push(picture, device.name).wait_until_free(FRAME_WAITS)
    decoded.cancel()
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
    proposal = _QUEUE.read(device.id, lambda: _read(watch, encoded, own))
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
        picture = _READING.submit(lambda: as_jpeg(decode_upload(encoded, "the picture"))).result()
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


def _read(watch: TableWatch, encoded: bytes, asked: Asked | None) -> Proposal:
    """Decode a photograph and read it."""
    try:
        return watch.show(decode_upload(encoded, "the photograph"), asked)
    finally:
        _give_memory_back()


def _give_memory_back() -> None:
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


_CAMERAS = frozenset({Role.HOST, Role.CAMERA, Role.PLAYER})
ROUTES = (
    route("/api/play/{session:path}/handout", hand_out, methods=["POST"], roles=HOST, body=Body.UPLOAD),
    route("/api/play/{session:path}/handout-away", put_away, methods=["POST"], roles=HOST),
    route("/api/play/{session:path}/handout/{number:int}.jpg", handout_picture, roles=EVERYBODY - {Role.CAMERA}),
    route("/api/play/{session:path}/frame", frame, methods=["POST"], roles=_CAMERAS, body=Body.UPLOAD),
    route(
        "/api/play/{session:path}/photo",
        photo,
        methods=["POST"],
        roles=_CAMERAS,
        body=Body.UPLOAD,
    ),
)
