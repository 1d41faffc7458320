"""From a template and what it shows to an answer; one place for what every page has."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from loomtable.engine.odds.exact import percent
from loomtable.table.hosting.addresses import LOOPBACK
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.guard import cookie_name
from loomtable.table.hosting.joining import keep_token
from loomtable.table.pages.fields import label_of

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"
LOOK_COOKIE = "look"
LOOKS = ("system", "light", "dark")


@cache
def environment() -> Environment:
    """The templates. Whatever stands in them is escaped; a name that is missing is a defect and says so."""
    made = Environment(
        loader=FileSystemLoader(FOLDER / "html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["label"] = label_of
    made.filters["percent"] = percent
    made.filters["moment"] = moment
    made.filters["capitalize_first"] = capitalize_first
    made.globals["static"] = static_address
    return made


@cache
def static_address(name: str) -> str:
    """The address of a file that every page needs, which changes when the file does."""
    stamp = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?v={stamp}"


def capitalize_first(words: str) -> str:
    """The words with a capital at their beginning, and everything else as it was."""
    return words[:1].upper() + words[1:]


def moment(written: str) -> str:
    """A moment of the journal for people: ``"2025-03-01 at 19:42"`` (UTC)."""
    day, _, time = written.partition("T")
    return f"{day} at {time[:5]}" if time else written


def look_of(request: Request) -> str:
    """Light, dark, or what the device is set to."""
    chosen = request.cookies.get(LOOK_COOKIE, "")
    return chosen if chosen in LOOKS else LOOKS[0]


def page(request: Request, template: str, *, status: int = 200, **shown: Any) -> Response:
    """A whole page."""
    device: Device | None = request.state.device
    note = request.app.state.host.devices.take_note(device) if device is not None else None
    path = quote(request.scope["path"])
    context = {
        "device": device,
        "is_host": device is not None and device.role is Role.HOST,
        "look": look_of(request),
        "path": path,
        "address": path + (f"?{request.url.query}" if request.url.query else ""),
        "note": note,
        "secure": request.url.scheme == "https" or request.url.hostname in LOOPBACK,
        "sitting": None,
        "revision": None,
        "far_away": False,
    }
    html = environment().get_template(template).render({**context, **shown})
    answer = HTMLResponse(html, status)
    token = request.cookies.get(cookie_name(request.scope))
    if device is not None and token:
        keep_token(request, answer, token)  # anew: a device that is used stays
    return answer


def trouble_page(request: Request, status: int, says: str) -> Response:
    """The page that says in a sentence what went wrong, and where to go on."""
    return page(request, "trouble.html", status=status, says=says)
