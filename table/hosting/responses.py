"""What requests are answered with: JSON for the page's own script, the way back to the page for plain forms."""

from __future__ import annotations

import logging
import math
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.serialization import to_json
from loomtable.engine.kernel.wording import as_sentence
from loomtable.table.choices.fields import EARLY
from loomtable.table.hosting.arguments import said_in
from loomtable.table.hosting.devices import Device, Devices, NotJoined, Role
from loomtable.table.hosting.errors import BadForm, Elsewhere, NotAllowed, TooOften
from loomtable.table.hosting.live_session import StalePage

logger = logging.getLogger(__name__)


class Json(Response):
    """An answer for programs."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return to_json(content)


def wants_json(request: Request) -> bool:
    """Whether the page's script asks, or a program; a plain form asks for a page."""
    return "application/json" in request.headers.get("accept", "")


def done(request: Request, sentence: str, *, way_on: str = "", **more: Any) -> Response:
    """What was asked for is done: ``{says, ...}``, or back to the page, which then says so."""
    if wants_json(request):
        return Json({"says": sentence, **more})
    device: Device | None = request.state.device
    way_on = way_on or way_back(request)
    if device is not None and sentence:
        _devices(request).leave_note(device, sentence, way_on)
    return RedirectResponse(way_on, 303)


def error_response(request: Request, error: LoomtableError) -> Response:
    """What was asked for is refused: ``{error}``, or back to the page, or a page that says why."""
    status = error.status
    sentence = as_sentence(str(error))
    device: Device | None = request.state.device
    headers = {"retry-after": str(max(1, math.ceil(error.wait)))} if isinstance(error, TooOften) else {}
    answer: Response
    if isinstance(error, NotAllowed) and device is None:
        status = 401
    # The route as it is declared: the address that was asked for may hold a code, the sentence may name a card.
    route = getattr(request.scope.get("route"), "path", "a request")
    role = device.role.value if device is not None else "nobody"
    logger.info("%s %s by %s is refused: %d %s", request.method, route, role, status, type(error).__name__)
    if wants_json(request):
        more = {}
        if isinstance(error, StalePage) and error.line is not None and device and device.role is Role.HOST:
            from loomtable.table.journal_words import line_in_words

            more = {"first": line_in_words(error.line)}
        answer = Json({"error": sentence, **more}, status)
    elif request.method in ("GET", "HEAD"):
        page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if page and (status == 401 or isinstance(error, Elsewhere)):
            wanted = quote(request.url.path)
            return RedirectResponse(f"/join?next={wanted}" if status == 401 else "/", 303)
        answer = _trouble_page(request, status, sentence)
    elif device is not None and status in (400, 404, 409, 503):
        _devices(request).leave_note(device, sentence, way_back(request), trouble=True)
        answer = RedirectResponse(_form_again(request), 303)
    elif device is None and isinstance(error, NotJoined):
        answer = _trouble_page(request, status, sentence)
    else:
        answer = PlainTextResponse(sentence + "\n", status)
    answer.headers.update(headers)
    return answer


def way_back(request: Request) -> str:
    """The page from which a form was sent: the field ``next``, or the Referer; only ever one of ours.

    Never raises: what was asked for is done or refused already, and only the way back is left to say.
    """
    form = getattr(request.state, "form", None)
    try:
        wanted = form.one("next", "") if form is not None else ""
        if not wanted:
            parts = urlsplit(request.headers.get("referer", ""))
            wanted = parts.path + (f"?{parts.query}" if parts.query else "")
    except (BadForm, ValueError):
        return "/"
    return wanted if local(wanted) else "/"


def _form_again(request: Request) -> str:
    """The page from which a form was sent; that of an action says beside what was said what is missing."""
    form, page = getattr(request.state, "form", None), way_back(request)
    if form is None or not (said := said_in(form)):
        return page
    return f"{page.partition('?')[0]}?{urlencode({'do': form.one('action', ''), EARLY: 1, **said}, doseq=True)}"


def local(path: str) -> bool:
    """Whether this is a path of ours and nothing that leads elsewhere."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path


def _trouble_page(request: Request, status: int, sentence: str) -> Response:
    """The page that says in a sentence what went wrong, which the application knows."""
    made: Response = request.app.state.trouble_page(request, status, sentence)
    return made


def _devices(request: Request) -> Devices:
    devices: Devices = request.app.state.host.devices
    return devices
