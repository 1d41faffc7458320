"""The host's own pages: sessions to begin and take up, devices that join, cameras."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.system import System
from loomtable.engine.ready_evening import content_notes, ready_evenings
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.guard import EVERYBODY, HOST, GuardedRoute, route
from loomtable.table.hosting.host import SessionSummary
from loomtable.table.hosting.joining import has_page, host_of, table_path
from loomtable.table.pages.art import system_picture
from loomtable.table.pages.joining_pages import invitation, place_of
from loomtable.table.pages.rendering import page
from loomtable.table.settings import house_rules


def home(request: Request) -> Response:
    """The games and the sessions there are; other devices go straight to their own page."""
    device: Device = request.state.device
    if device.role is not Role.HOST:
        return RedirectResponse(place_of(device, host_of(request)), 303)
    sessions = [_session(session, request.app.routes) for session in host_of(request).sessions()]
    return page(
        request,
        "home.html",
        games=[_game(system, sessions) for system in SYSTEMS.values()],
        newest=next((session for session in sessions if session["playable"]), None),
        sessions=sessions,
        invitation=invitation(host_of(request), request, small=True),
    )


def _game(system: System[object], sessions: list[dict[str, Any]]) -> dict[str, Any]:
    """One game on the first page, with every way in."""
    own = (session for session in sessions if session["playable"] and session["summary"].system == system.key)
    return {
        "system": system,
        "picture": system_picture(system),
        "ready": [(evening, content_notes(system, evening)) for evening in ready_evenings(system)],
        "newest": next(own, None),
    }


def _session(session: SessionSummary, routes: Sequence[BaseRoute]) -> dict[str, Any]:
    asked = f"{session.pending.by}: {session.pending.purpose}" if session.pending is not None else ""
    reachable = has_page(session.name, routes)
    return {
        "summary": session,
        "asked": asked,
        "episodes": not session.trouble and SYSTEMS[session.system].presentation.episodes,
        "address": table_path(session.name, routes),
        "has_page": reachable,
        "playable": reachable and not session.trouble,
    }


def new(request: Request) -> Response:
    """The form with which a session begins."""
    system = SYSTEMS[request.path_params["system"]]
    return page(
        request,
        "new.html",
        system=system,
        rules=f"/rules/{system.key}",
        about=system.presentation.about,
        picture=system_picture(system),
        suggested=host_of(request).unused_name(system.title),
        sessions=[session.name for session in host_of(request).sessions() if session.system == system.key],
        rulings=list(system.rulings.values()),
        ruled={**system.rulings.defaults(), **house_rules(system)},
    )


def devices(request: Request) -> Response:
    """Devices that have joined, the form for a new code, and the cameras of each session."""
    from loomtable.vision.camera import cameras
    from loomtable.vision.dice.enrolment.rolls import ConfirmedRolls, confirmed_rolls
    from loomtable.vision.dice.enrolment.storage import learns_from_rolls

    host = host_of(request)
    sessions = [session.name for session in host.sessions() if not session.trouble]
    chosen = request.query_params.get("session", host.opened)
    watch = host.live_session(chosen).watch if chosen in sessions else None
    learned, damaged = list[ConfirmedRolls](), ""
    try:
        learned = confirmed_rolls()
    except LoomtableError as error:
        damaged = f"Dice are read without what was learned: {error}."
    return page(
        request,
        "devices.html",
        joined=host.devices.all(),
        sessions=sessions,
        chosen=chosen,
        invitation=invitation(host, request),
        cameras=cameras(),
        watch=watch,
        learns=learns_from_rolls(),
        learned=learned,
        damaged=damaged,
        api=f"/api/play/{quote(chosen)}",
    )


ROUTES: tuple[GuardedRoute, ...] = (
    route("/", home, roles=EVERYBODY),
    route("/new/{system}", new, roles=HOST),
    route("/devices", devices, roles=HOST),
)
