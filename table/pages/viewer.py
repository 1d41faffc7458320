"""Through whose eyes the host's page looks: a laptop that all can see must not show every hand.

The choice is kept in a cookie of the host's browser and changes only what is shown; what the host may do stays the
same.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.session import Session
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import ROOM, Device, Role
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import HOST, GuardedRoute, route
from loomtable.table.hosting.responses import done

COOKIE = "eyes"
EVERYTHING = ""
_KEPT = 60 * 60 * 24


def people_of(session: Session[object]) -> tuple[str, ...]:
    """Whose eyes there are in a session: the players, each once."""
    return tuple(session.system.people(session.game))


def chosen_eyes(request: Request, session: Session[object]) -> str:
    """What the host has chosen here; the room's eyes where that is somebody who does not play in this session."""
    kept = unquote(request.cookies.get(COOKIE, EVERYTHING))
    return kept if kept in (EVERYTHING, ROOM, *people_of(session)) else ROOM


def seen_as(request: Request, session: Session[object]) -> Device:
    """The device as whose page this one is made: itself, unless the host looks through other eyes."""
    device: Device = request.state.device
    if device.role is not Role.HOST:
        return device
    eyes = chosen_eyes(request, session)
    if eyes == EVERYTHING:
        return device
    if eyes == ROOM:
        return msgspec.structs.replace(device, role=Role.SCREEN)
    return msgspec.structs.replace(device, role=Role.PLAYER, person=eyes)


def look_through(request: Request) -> Response:
    """Choose whose eyes; ``as`` is empty for everything, or a player's name, or the room."""
    form: Form = request.state.form
    wanted = form.one("as", EVERYTHING)
    live = live_session_of(request)
    answer = done(request, "", way_on=f"/table/{quote(live.name)}", revision=live.revision)
    answer.set_cookie(COOKIE, quote(wanted), max_age=_KEPT, path="/", httponly=True, samesite="strict")
    return answer


ROUTES: tuple[GuardedRoute, ...] = (
    route("/table/{session:path}/eyes", look_through, methods=["POST"], roles=HOST),
)
