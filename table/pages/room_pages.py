"""Pages for devices that are not the host's: a screen for the room, and a phone that is the camera."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.results import story_for
from loomtable.engine.odds.before import odds_before
from loomtable.table.choices.odds import odds_of
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import ROOM, Role
from loomtable.table.hosting.guard import PLAYERS, GuardedRoute, route
from loomtable.table.hosting.joining import host_of
from loomtable.table.hosting.rights import open_to_all
from loomtable.table.pages.art import system_picture
from loomtable.table.pages.joining_pages import code_of, invitation, shared_path
from loomtable.table.pages.rendering import page
from loomtable.table.pages.result_view import as_room, result_shown
from loomtable.table.pages.session_view import shown_to
from loomtable.table.pages.table_pages import address_of, places
from loomtable.table.screens import television_of
from loomtable.table.screens.blocks import Prose

STORY = 14
"""For so many actions the story so far begins with the same one: it goes on below, and nothing in it moves."""


def room(request: Request) -> Response:
    """What everybody may see, large, for a television; nothing can be changed here."""
    live, device, host = live_session_of(request), request.state.device, host_of(request)
    if "follows" in request.query_params and host.opened != live.name:
        return RedirectResponse(f"/room/{quote(host.opened)}?follows=1", 303)
    # The host may look at it too, and then sees what the room sees.
    seen_by = as_room(device)
    with live.held() as session:
        shown, tv = shown_to(live, seen_by), television_of(session, ROOM)
        known = odds_before(session) if session.pending is not None and open_to_all(session.pending) else None
        chapter, acted = divmod(sum(isinstance(line.step.what, Action) for line in session.played), STORY)
        made = page(
            request,
            "room.html",
            live=live,
            revision=live.revision,
            shown=shown,
            opening=(Prose(shown.scene.scene),) if shown.scene is not None and not shown.begun else (),
            odds=odds_of(known or ()),
            tv=tv,
            chronicle=code_of(host, shared_path(live) or address_of(live, "chronicle"))
            if live.shared or tv.over
            else None,
            shared=bool(live.shared),
            result=result_shown(session, seen_by),
            story=story_for(session, ROOM, STORY + acted),
            chapter=chapter,
            own_picture=system_picture(session.system),
            invitation=invitation(host, request, small=shown.begun or bool(shown.asked))
            if live.name == host.opened
            else None,
            handouts=live.handouts.seen_by(seen_by),
            far_away=True,
            **places(live),
        )
    live.bus.room_shown(device.id, shown.revision)
    return made


def camera(request: Request) -> Response:
    """A phone that looks at the table: live where the browser allows it, by photographs everywhere."""
    live = live_session_of(request)
    return page(
        request,
        "camera_phone.html",
        live=live,
        secure_bases=host_of(request).addresses.secure,
        address=request.url.path,
        tray="tray" in request.query_params,
        **places(live),
    )


ROUTES: tuple[GuardedRoute, ...] = (
    route("/room/{session:path}", room, roles=frozenset({Role.HOST, Role.SCREEN})),
    route("/camera/{session:path}", camera, roles=PLAYERS | {Role.CAMERA}),
)
