"""What every device may load: style, script, type, pictures; and the switch between light and dark."""

from __future__ import annotations

import gzip
import hashlib

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.reference import read_reference
from loomtable.engine.systems import SYSTEMS
from loomtable.table.choices.rules import about, rules_of
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.errors import NotThere
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import ANYBODY, EVERYBODY, PLAYERS, GuardedRoute, route
from loomtable.table.hosting.responses import way_back
from loomtable.table.pages.drawing import drawn
from loomtable.table.pages.rendering import LOOK_COOKIE, LOOKS, page, static_file, takes_gzip
from loomtable.table.pages.webfonts import FOLDER, STATIC, font_part

SHORTCUTS: tuple[tuple[str, str], ...] = (
    ("?", "this help"),
    ("u", "undo what was done last"),
    ("r", "roll for me: also flips, draws or picks"),
    ("a", "take what the camera read"),
    ("0 to 9", "take that choice"),
    ("j", "the journal"),
    ("t", "back to the table"),
    ("Esc", "put a result or a hand-out away; leave a form without doing anything"),
)
"""Each key of the table's pages, and what it does: for the help page, its tests and the documentation."""
_KINDS = {".css": "text/css", ".js": "text/javascript", ".webmanifest": "application/manifest+json"}
_KEPT = {"cache-control": "public, max-age=31536000, immutable"}
"""For files whose address changes when they do."""
_A_DAY = {"cache-control": "public, max-age=86400"}
MOST_WANTED = 60
"""Characters that are searched for."""
_YEAR = 365 * 24 * 3600
_STATIC = frozenset(file.name for file in STATIC.iterdir() if file.suffix in _KINDS)
_TYPE = frozenset(file.name for file in FOLDER.glob("*.woff2"))


async def static(request: Request) -> Response:
    """A file that every page needs."""
    name = request.path_params["name"]
    if name not in _STATIC:
        raise NotThere("there is no such file")
    plain, packed = static_file(name)
    return _packed(request, packed, plain, _KINDS[(STATIC / name).suffix], _KEPT)


async def type_of(request: Request) -> Response:
    """A part of a font; it is packed by itself."""
    name = request.path_params["name"]
    if name not in _TYPE:
        raise NotThere("there is no such font")
    return Response(font_part(name), media_type="font/woff2", headers=_KEPT)


async def art_picture(request: Request) -> Response:
    """A picture as SVG; a browser that has it asks after a day whether it is another one now."""
    packed = await drawn(request.path_params["kind"], request.path_params["name"])
    tag = f'"{hashlib.sha256(packed).hexdigest()[:16]}"'
    headers = {**_A_DAY, "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={**headers, "vary": "accept-encoding"})
    return _packed(request, packed, None, "image/svg+xml", headers)


def _packed(request: Request, packed: bytes, plain: bytes | None, kind: str, headers: dict[str, str]) -> Response:
    """A file as the browser can take it."""
    headers = {**headers, "vary": "accept-encoding"}
    if takes_gzip(request):
        return Response(packed, media_type=kind, headers={**headers, "content-encoding": "gzip"})
    return Response(plain or gzip.decompress(packed), media_type=kind, headers=headers)


def choose_look(request: Request) -> Response:
    """Light, dark, or as the device is set."""
    form: Form = request.state.form
    chosen = form.one("look")
    answer = RedirectResponse(way_back(request), 303)
    if chosen in LOOKS:
        answer.set_cookie(LOOK_COOKIE, chosen, max_age=_YEAR, httponly=True, samesite="strict")
    return answer


def help_page(request: Request) -> Response:
    """Keys, how it goes, and what a table settles before its first evening."""
    together = read_reference(package_file("templates", "session-zero.yaml"), {})
    return page(request, "help.html", shortcuts=SHORTCUTS, together=together)


def rules(request: Request) -> Response:
    """The rules of a game in our words, with the rulings of a session or the usual ones, and a search."""
    wanted = request.query_params.get("find", "")[:MOST_WANTED]
    if "session" in request.path_params:
        live = live_session_of(request)
        with live.held() as session:
            system, ruled = session.system, session.game.rulings
    else:
        live, system = None, SYSTEMS[request.path_params["system"]]
        ruled = {**system.rulings.defaults(), **system.rulings.usual()}
    every = rules_of(system, ruled)
    found = about(every, wanted)
    return page(request, "rules.html", live=live, title=system.title, wanted=wanted, found=found, many=len(every))


ROUTES: tuple[GuardedRoute, ...] = (
    route("/static/{name}", static, roles=ANYBODY),
    route("/type/{name}", type_of, roles=ANYBODY),
    route("/art/{kind}/{name}.svg", art_picture, roles=ANYBODY),
    route("/look", choose_look, methods=["POST"], roles=ANYBODY),
    route("/help", help_page, roles=EVERYBODY),
    route("/rules/{system}", rules, roles=EVERYBODY),
    route("/table/{session:path}/rules", rules, roles=PLAYERS),
)
