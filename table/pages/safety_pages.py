"""What keeps an evening pleasant for everybody: the pause card, and the table's lines and veils.

Nobody is named in either, and neither is part of the journal.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.errors import BadForm, TooMuch
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import EVERYBODY, HOST, PLAYERS, GuardedRoute, route
from loomtable.table.hosting.joining import host_of
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.responses import done
from loomtable.table.pages.rendering import page
from loomtable.table.pages.table_pages import address_of, places

KINDS = {
    "line": ("Lines", "Not in this story at all."),
    "veil": ("Veils", "It may happen, but off stage."),
}
LONGEST = 80
MOST = 60
"""Lines, and veils, of one session; set by hand."""


def pause(request: Request) -> Response:
    """Pause the table for everybody, or go on: ``on``."""
    form: Form = request.state.form
    host_of(request).pause.set(form.yes("on"))
    return done(request, "")


def boundaries(request: Request) -> Response:
    """The lines and veils of a session."""
    live, store = live_session_of(request), host_of(request).store
    lists = [(kind, *words, list(store.memos(live.name, kind))) for kind, words in KINDS.items()]
    return page(request, "boundaries.html", live=live, lists=lists, longest=LONGEST, **places(live))


def add(request: Request) -> Response:
    """Add a line or a veil: ``kind``, ``words``. Whose it is is not kept."""
    live, kind, words = _sent(request)
    store = host_of(request).store
    if not words or len(words) > LONGEST or not words.isprintable():
        raise BadForm(f"write 1 to {LONGEST} characters")
    if len(store.memos(live.name, kind)) >= MOST:
        raise TooMuch(f"there are {MOST} of them already; the host can remove some")
    return _kept(request, live, kind, words, "", "Added.")


def remove(request: Request) -> Response:
    """Remove a line or a veil: ``kind``, ``words``."""
    return _kept(request, *_sent(request), None, "Removed.")


def _sent(request: Request) -> tuple[LiveSession, str, str]:
    form: Form = request.state.form
    kind = form.one("kind")
    if kind not in KINDS:
        raise BadForm("choose a line or a veil")
    return live_session_of(request), kind, " ".join(form.one("words").split())


def _kept(request: Request, live: LiveSession, kind: str, words: str, text: str | None, says: str) -> Response:
    host_of(request).store.keep_memo(live.name, kind, words, text)
    live.look_again()
    return done(request, says, way_on=address_of(live, "lines-and-veils"))


ROUTES: tuple[GuardedRoute, ...] = (
    route("/api/pause", pause, methods=["POST"], roles=EVERYBODY),
    route("/table/{session:path}/lines-and-veils", boundaries, roles=PLAYERS),
    route("/table/{session:path}/lines-and-veils", add, methods=["POST"], roles=PLAYERS),
    route("/table/{session:path}/lines-and-veils/remove", remove, methods=["POST"], roles=HOST),
)
