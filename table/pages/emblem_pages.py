"""The page on which players choose their emblems, and the host anybody's; kept with the session."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.errors import BadForm, NotAllowed
from loomtable.table.hosting.guard import PLAYERS, GuardedRoute, route
from loomtable.table.hosting.joining import host_of
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.responses import done
from loomtable.table.pages.rendering import EMBLEM, page
from loomtable.table.pages.table_pages import address_of, places
from loomtable.table.screens.emblems import EMBLEMS, emblems_of


def _people(request: Request, live: LiveSession) -> dict[str, str]:
    """The players whose emblem this device may choose, and what they have."""
    chosen = host_of(request).store.memos(live.name, EMBLEM)
    with live.held() as session:
        people = session.system.people(session.game)
        have = emblems_of(session, chosen)
    device = request.state.device
    return {person: have[person] for person in people if device.role is Role.HOST or device.person == person}


def emblems(request: Request) -> Response:
    """What there is to choose from, for each player whose emblem this device may choose."""
    live = live_session_of(request)
    people = _people(request, live)
    return page(request, "emblems.html", live=live, people=people, every=EMBLEMS, **places(live))


def choose(request: Request) -> Response:
    """Choose ``emblem`` for ``person``; whoever was given it by turn gets another."""
    live, form = live_session_of(request), request.state.form
    person, emblem = form.one("person"), form.one("emblem")
    if emblem not in EMBLEMS:
        raise BadForm("choose one of the emblems on the page")
    if person not in _people(request, live):
        raise NotAllowed("you choose your own emblem only; the host can choose for anybody who plays")
    store = host_of(request).store
    holder = next((who for who, has in store.memos(live.name, EMBLEM).items() if has == emblem), person)
    if holder != person:
        raise BadForm(f"{holder} has chosen this emblem already; choose another")
    store.keep_memo(live.name, EMBLEM, person, emblem)
    live.look_again()
    return done(request, "Chosen.", way_on=address_of(live, "emblems"))


ROUTES: tuple[GuardedRoute, ...] = (
    route("/table/{session:path}/emblems", emblems, roles=PLAYERS),
    route("/table/{session:path}/emblems", choose, methods=["POST"], roles=PLAYERS),
)
