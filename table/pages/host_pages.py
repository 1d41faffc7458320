"""The host's own pages: sessions to begin and take up, devices that join, cameras."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from loomtable.engine.kernel.system import System
from loomtable.engine.ready_evening import ready_evenings
from loomtable.engine.systems import SYSTEMS, system_named
from loomtable.table.hosting.devices import CODE_SECONDS, Device, Pairing, Role
from loomtable.table.hosting.errors import NotThere
from loomtable.table.hosting.forms import Form
from loomtable.table.hosting.guard import ANYBODY, EVERYBODY, HOST, GuardedRoute, route
from loomtable.table.hosting.host import SessionSummary
from loomtable.table.hosting.joining import (
    count_guess,
    has_page,
    host_of,
    is_this_machine,
    join_path,
    pairing_from,
    table_path,
)
from loomtable.table.hosting.responses import local
from loomtable.table.pages.art import system_picture
from loomtable.table.pages.qr import qr_code
from loomtable.table.pages.rendering import page
from loomtable.table.pages.room_pages import place_of
from loomtable.table.settings import house_rules


def home(request: Request) -> Response:
    """The games and the sessions there are; other devices go straight to their own page."""
    device: Device = request.state.device
    if device.role is not Role.HOST:
        return RedirectResponse(place_of(device), 303)
    sessions = [_session(one, request.app.routes) for one in host_of(request).sessions()]
    return page(
        request,
        "home.html",
        games=[_game(system, sessions) for system in SYSTEMS.values()],
        newest=next((one for one in sessions if one["playable"]), None),
        sessions=sessions,
    )


def _game(system: System[Any], sessions: list[dict[str, Any]]) -> dict[str, Any]:
    """One game on the first page, with every way in."""
    own = (one for one in sessions if one["playable"] and one["summary"].system == system.key)
    return {
        "system": system,
        "picture": system_picture(system),
        "ready": ready_evenings(system),
        "newest": next(own, None),
    }


def _session(one: SessionSummary, routes: Sequence[BaseRoute]) -> dict[str, Any]:
    asked = f"{one.pending.by}: {one.pending.purpose}" if one.pending is not None else ""
    reachable = has_page(one.name, routes)
    return {
        "summary": one,
        "asked": asked,
        "address": table_path(one.name, routes),
        "has_page": reachable,
        "playable": reachable and not one.trouble,
    }


def new(request: Request) -> Response:
    """The form with which a session begins."""
    system = system_named(request.path_params["system"])
    return page(
        request,
        "new.html",
        system=system,
        about=system.presentation.about,
        picture=system_picture(system),
        suggested=host_of(request).unused_name(system.title),
        sessions=[one.name for one in host_of(request).sessions() if one.system == system.key],
        rulings=list(system.rulings.values()),
        ruled={**system.rulings.defaults(), **house_rules(system)},
    )


def devices(request: Request) -> Response:
    """Devices that have joined, the form for a new code, and the cameras of each session."""
    from loomtable.vision.camera import cameras
    from loomtable.vision.dice.enrolment.rolls import what_was_learned
    from loomtable.vision.dice.enrolment.storage import learns_from_rolls

    host = host_of(request)
    sessions = [one.name for one in host.sessions() if not one.trouble]
    chosen = request.query_params.get("session", sessions[0] if sessions else "")
    watch, players = None, []
    if chosen in sessions:
        live = host.live_session(chosen)
        watch = live.watch
        players = list(live.session.system.people(live.session.game))
    return page(
        request,
        "devices.html",
        joined=host.devices.all(),
        sessions=sessions,
        chosen=chosen,
        players=players,
        roles=_ROLES,
        cameras=cameras(),
        watch=watch,
        learns=learns_from_rolls(),
        learned=what_was_learned(),
        api=f"/api/play/{quote(chosen)}",
    )


_ROLES = (
    (Role.PLAYER, "A player's phone", "shows one player's own sheet, hidden cards and questions"),
    (Role.CAMERA, "A camera", "a phone that looks at the table"),
    (Role.SCREEN, "A screen for the room", "shows what everybody may see; nothing can be changed there"),
    (Role.HOST, "Another host", "may do everything, as this device"),
)


def pair(request: Request) -> Response:
    """Make a code for one more device, and go to the page that shows it."""
    form: Form = request.state.form
    made = pairing_from(host_of(request), form)
    return RedirectResponse(f"/devices/code/{made.code}", 303)


def code(request: Request) -> Response:
    """A code, large: to scan, to type, and as an address."""
    pairing = host_of(request).devices.pairing(request.path_params["code"])
    if pairing is None:
        raise NotThere("this code has been used, or is older than five minutes; make a new one")
    addresses = [_Address(base, pairing) for base in bases(request)]
    return page(request, "code.html", pairing=pairing, addresses=addresses, minutes=CODE_SECONDS // 60)


class _Address:
    """One address under which a device can join."""

    def __init__(self, base: str, pairing: Pairing) -> None:
        self.base = base
        self.url = base + join_path(pairing)
        self.secure = base.startswith("https:")
        self.qr = qr_code(self.url, f"The address {self.url}, to scan")
        self.local = any(name in base for name in ("//localhost", "//127.0.0.1", "//[::1]"))


def bases(request: Request) -> tuple[str, ...]:
    """The addresses of this table that a phone can open; the one by which it was asked, where none are known."""
    known = host_of(request).addresses
    return (*known.secure[:1], *known.plain[:1]) or (f"{request.url.scheme}://{request.url.netloc}",)


def join(request: Request) -> Response:
    """Where a device joins: with the code from a QR code, or one that is typed.

    Whether a code is right, and whose it is, is told once it is used: before that, anybody may be asking.
    """
    device: Device | None = request.state.device
    given = request.query_params.get("code", "")
    way_on = request.query_params.get("next", "")
    way_on = way_on if local(way_on) else ""
    if given:
        count_guess(request)
        pairing = host_of(request).devices.pairing(given)
        if device is not None and pairing is not None and pairing.is_for(device):
            # Looking changes nothing, so the code stays: for another browser of this machine.
            return RedirectResponse(way_on or place_of(device), 303)
    return page(
        request,
        "join.html",
        given=given,
        at_once=bool(given) and device is None and is_this_machine(request),
        way_on=way_on,
        place=place_of(device) if device is not None else "",
    )


ROUTES: tuple[GuardedRoute, ...] = (
    route("/", home, roles=EVERYBODY),
    route("/new/{system}", new, roles=HOST),
    route("/devices", devices, roles=HOST),
    route("/devices", pair, methods=["POST"], roles=HOST),
    route("/devices/code/{code}", code, roles=HOST),
    route("/join", join, roles=ANYBODY),
)
