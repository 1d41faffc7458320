"""From a template and what it shows to an answer; one place for what every page has."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from loomtable.engine.kernel.errors import Broken
from loomtable.engine.kernel.wording import article, label_of, number_word
from loomtable.engine.odds.exact import percent
from loomtable.engine.systems import card_name
from loomtable.table.hosting.addresses import LOOPBACK
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.guard import PLAYERS
from loomtable.table.hosting.joining import keep_token
from loomtable.table.hosting.responses import way_back
from loomtable.table.pages.pressing import linked, pressing
from loomtable.table.pages.webfonts import FIRST, STATIC, type_address
from loomtable.table.screens.blocks import SUIT_MARKS
from loomtable.table.screens.emblems import emblems_of

FOLDER = Path(__file__).parent
LOOK_COOKIE = "look"
EMBLEM = "emblem"
"""The kind of memo that keeps which emblem a player has chosen."""
LOOKS = ("system", "light", "dark")
_LEAST_PACKED = 1000
"""Bytes below which a page is not packed: it goes over the network in one piece anyway."""
_PAGE_LEVEL, _FILE_LEVEL = 6, 9
"""How hard gzip tries: a page is packed each time it is made, a file once."""


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
    made.filters["linked"] = linked
    made.filters["with_article"] = article
    made.filters["pressing"] = pressing
    made.filters["card_name"] = card_name
    made.filters["suit_mark"] = SUIT_MARKS.get
    made.filters["kind_of"] = lambda block: type(block).__name__
    made.filters["in_words"] = number_word
    made.globals["static"] = static_address
    made.globals["first_type"] = [type_address(face) for face in FIRST]
    return made


@cache
def static_address(name: str) -> str:
    """The address of a file that every page needs, which changes when the file does."""
    stamp = hashlib.sha256(static_file(name)[0]).hexdigest()[:10]
    return f"/static/{name}?v={stamp}"


@cache
def static_file(name: str) -> tuple[bytes, bytes]:
    """What is in a file that every page needs, plain and packed."""
    plain = (STATIC / name).read_bytes()
    return plain, gzip.compress(plain, _FILE_LEVEL, mtime=0)


def takes_gzip(request: Request) -> bool:
    """Whether the browser can unpack what is packed."""
    return "gzip" in request.headers.get("accept-encoding", "")


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
    path = quote(request.scope["path"])
    devices = request.app.state.host.devices
    note = devices.take_note(device, request.scope["path"]) if device is not None else None
    context: dict[str, Any] = {
        "device": device,
        "is_host": device is not None and device.role is Role.HOST,
        "look": look_of(request),
        "path": path,
        "address": path + (f"?{request.url.query}" if request.url.query else ""),
        "note": note,
        "secure": request.url.scheme == "https" or request.url.hostname in LOOPBACK,
        "live": None,
        "revision": None,
        "made": request.state.made,
        "paused": device is not None and request.app.state.host.pause.on,
        "far_away": False,
        "still": False,
        "sheets": {},
        "emblems": {},
        "rules": "",
    }
    live = shown.get("live")
    if live is not None and device is not None:
        context["rules"] = rules_address(live.name, device)
        with contextlib.suppress(Broken):  # the page says more than its emblems
            context["emblems"] = emblems_of(live.session, request.app.state.host.store.memos(live.name, EMBLEM))
    html = environment().get_template(template).render({**context, **shown})
    answer = HTMLResponse(html, status, {"vary": "accept-encoding"})
    if takes_gzip(request) and len(html) >= _LEAST_PACKED:
        answer.body = gzip.compress(answer.body, _PAGE_LEVEL, mtime=0)
        answer.headers.update({"content-encoding": "gzip", "content-length": str(len(answer.body))})
    if request.state.token:
        keep_token(request, answer, request.state.token)  # anew: a device that is used stays
    return answer


def rules_address(session: str, device: Device) -> str:
    """Where a device reads the rules as a session plays them; nowhere on a screen that nobody can press."""
    return f"/table/{quote(session)}/rules" if device.role in PLAYERS else ""


def trouble_page(request: Request, status: int, says: str) -> Response:
    """The page that says in a sentence what went wrong, and where to go on."""
    back = way_back(request) if request.method == "POST" else "/"
    return page(request, "trouble.html", status=status, says=says, back=back)
