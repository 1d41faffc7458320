"""A player's own notes on a session, and the host's: kept beside it, and shown to their writer's device alone."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.errors import TooMuch
from loomtable.table.hosting.guard import PLAYERS, GuardedRoute, route
from loomtable.table.hosting.joining import host_of
from loomtable.table.hosting.responses import done
from loomtable.table.pages.rendering import page
from loomtable.table.pages.table_pages import address_of, places

KIND = "notes"
LONGEST = 8000
"""Characters of one person's notes on a session; set by hand."""


def notes(request: Request) -> Response:
    """The notes of whoever asks, to read and to go on writing."""
    live = live_session_of(request)
    text = host_of(request).store.memos(live.name, KIND).get(request.state.device.viewer, "")
    return page(request, "notes.html", live=live, text=text, longest=LONGEST, **places(live))


def write(request: Request) -> Response:
    """Keep ``text`` as the notes of whoever asks."""
    live, form = live_session_of(request), request.state.form
    text = form.one("text").replace("\r\n", "\n").replace("\0", "").rstrip()
    if len(text) > LONGEST:
        raise TooMuch(f"notes have at most {LONGEST:,} characters; these have {len(text):,}")
    host_of(request).store.keep_memo(live.name, KIND, request.state.device.viewer, text or None)
    return done(request, "Kept.", way_on=address_of(live, "notes"))


ROUTES: tuple[GuardedRoute, ...] = (
    route("/table/{session:path}/notes", notes, roles=PLAYERS),
    route("/table/{session:path}/notes", write, methods=["POST"], roles=PLAYERS),
)
