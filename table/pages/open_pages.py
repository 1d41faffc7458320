"""What every device may load: style, script, type, pictures; and the switch between light and dark."""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from loomtable.printkit.draw.type import Face
from loomtable.table.hosting.errors import NotThere
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import ANYBODY, EVERYBODY, GuardedRoute, route
from loomtable.table.hosting.responses import way_back
from loomtable.table.pages.drawing import drawn
from loomtable.table.pages.outlines import font_file
from loomtable.table.pages.rendering import LOOK_COOKIE, LOOKS, STATIC, page
from loomtable.table.pages.shortcuts import SHORTCUTS

_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_KEPT = {"cache-control": "public, max-age=31536000, immutable"}
"""For files whose address changes when they do."""
_A_DAY = {"cache-control": "public, max-age=86400"}
_TYPE = {face.name.lower().replace("_", "-"): face for face in Face}
_YEAR = 365 * 24 * 3600


def static(request: Request) -> Response:
    """A file that every page needs."""
    file = STATIC / request.path_params["name"]
    if file.suffix not in _KINDS or not file.is_file() or file.parent != STATIC:
        raise NotThere("there is no such file")
    return Response(file.read_bytes(), media_type=_KINDS[file.suffix], headers=_KEPT)


def type_of(request: Request) -> Response:
    """A font of the printed kit."""
    face = _TYPE.get(request.path_params["face"])
    if face is None:
        raise NotThere("there is no such font")
    return Response(font_file(face).read_bytes(), media_type="font/ttf", headers=_KEPT)


async def art_picture(request: Request) -> Response:
    """A picture as SVG."""
    packed = await drawn(request.path_params["kind"], request.path_params["name"])
    headers = {**_A_DAY, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type="image/svg+xml", headers={**headers, "content-encoding": "gzip"})
    return Response(gzip.decompress(packed), media_type="image/svg+xml", headers=headers)


def look(request: Request) -> Response:
    """Light, dark, or as the device is set."""
    form: Form = request.state.form
    chosen = form.one("look")
    answer = RedirectResponse(way_back(request), 303)
    if chosen in LOOKS:
        answer.set_cookie(LOOK_COOKIE, chosen, max_age=_YEAR, httponly=True, samesite="strict")
    return answer


def help_page(request: Request) -> Response:
    """Keys, and how it goes."""
    return page(request, "help.html", shortcuts=SHORTCUTS)


ROUTES: tuple[GuardedRoute, ...] = (
    route("/static/{name}", static, roles=ANYBODY),
    route("/type/{face}.ttf", type_of, roles=ANYBODY),
    route("/art/{kind}/{name}.svg", art_picture, roles=ANYBODY),
    route("/look", look, methods=["POST"], roles=ANYBODY),
    route("/help", help_page, roles=EVERYBODY),
)
