"""Pictures that phones send: frames of a live camera, and photographs. They are read and forgotten, never kept."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from loomtable.table.hosting.answers import Json, done
from loomtable.table.hosting.api import sitting_of
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import Body, route
from loomtable.table.hosting.rights import check_answer
from loomtable.table.hosting.troubles import BadForm, TooMuch
from loomtable.vision.pictures import MAX_PIXELS, Picture, decode_picture, size_of_picture

FRAME_PIXELS = 8_300_000
"""A frame of a live camera has at most the pixels of a 4K picture."""


def frame(request: Request) -> Response:
    """The next frame of a phone's live camera, a JPEG: ``{says, trouble, revision}``; it is read beside this."""
    sitting, device = sitting_of(request), request.state.device
    picture = _picture(request.state.form, FRAME_PIXELS, "the frame")
    watch = sitting.eyes()
    watch.push(picture, device.name)
    return Json({"says": watch.public_says, "revision": sitting.revision})


def photo(request: Request) -> Response:
    """A photograph of what is asked, by itself or in a form's field; what was read is proposed."""
    sitting = sitting_of(request)
    device: Device = request.state.device
    if device.role is Role.PLAYER:
        with sitting.held() as session:
            check_answer(session, device)
    picture = _picture(request.state.form, MAX_PIXELS, "the photograph")
    proposal = sitting.eyes().show(picture)
    # The camera's own screen lies open on the table; which card it saw is for whoever is asked.
    says = proposal.says if device.role is not Role.CAMERA or proposal.dice else "The photograph has been read."
    return done(request, says, revision=sitting.revision, sure=proposal.answer is not None)


def _picture(form: Form, most: int, name: str) -> Picture:
    """The picture in an upload; its size is read from its header before anything is decoded.

    Raises:
        BadForm: none was sent.
        TooMuch: it has more pixels than ``most``.
        PictureUnreadable: it is no picture.
    """
    if not form.file:
        raise BadForm("no picture was sent; choose one, or type what lies there")
    width, height = size_of_picture(form.file, name)
    if width * height > most:
        raise TooMuch(f"{name} has {width} x {height} pixels; {most:,} at most")
    return decode_picture(form.file, name)


_CAMERAS = frozenset({Role.HOST, Role.CAMERA})
ROUTES = (
    route("/api/play/{sitting:path}/frame", frame, methods=["POST"], roles=_CAMERAS, body=Body.UPLOAD),
    route(
        "/api/play/{sitting:path}/photo",
        photo,
        methods=["POST"],
        roles=_CAMERAS | {Role.PLAYER},
        body=Body.UPLOAD,
    ),
)
