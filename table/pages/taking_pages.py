"""The part of a table's page that shows the camera, by itself: quick to make, for it changes while dice fall."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from loomtable.table.choices.taking import camera_shown
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.guard import PLAYERS, route
from loomtable.table.hosting.views import sees_reading
from loomtable.table.pages.rendering import environment
from loomtable.table.pages.table_pages import places
from loomtable.table.pages.viewer import seen_as


def taking(request: Request) -> Response:
    """What the camera sees and has read, as far as this device may see it."""
    live = live_session_of(request)
    with live.held() as session:
        device = seen_as(request, session)
        revision = live.revision
    shown = {"camera": camera_shown(live.watch if sees_reading(live, device) else None)}
    is_host = request.state.device.role is Role.HOST
    template = environment().get_template("taking.html")
    return HTMLResponse(template.render(shown=shown, revision=revision, is_host=is_host, **places(live)))


ROUTES = (route("/table/{session:path}/taking", taking, roles=PLAYERS),)
