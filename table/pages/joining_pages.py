"""Joining: the table's code as screens show it, and the page on which a device says whose it is."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.guard import ANYBODY, GuardedRoute, route
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.joining import count_guess, host_of, is_this_machine, join_path
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.responses import local
from loomtable.table.pages.qr import qr_code
from loomtable.table.pages.rendering import page
from loomtable.table.screens.emblems import EMBLEMS

_drawn = lru_cache(maxsize=8)(qr_code)


class Invitation(msgspec.Struct, frozen=True):
    """What a screen shows while somebody is still to join."""

    shown: bool
    """Whether the code is shown, and works."""
    large: bool
    wanted: bool
    """Whether the host has asked for it at full size."""
    code: str
    base: str
    """The address that a phone opens."""
    qr: Markup
    local: bool
    """Whether only this machine can open it."""
    people: dict[str, str]
    """Who plays: ``here``, ``away`` with a device that has joined, or empty for who is still to join."""


def invitation(host: TableHost, request: Request, *, small: bool = False) -> Invitation:
    """The table's code, and who has joined; ``small`` until the host asks for it."""
    base = next(iter(host.addresses.plain), "")
    code, following = host.devices.code, host.devices.following
    url = (base or f"{request.url.scheme}://{request.url.netloc}") + join_path(code)
    return Invitation(
        shown=host.inviting,
        large=host.large_code or not small,
        wanted=host.large_code,
        code=code,
        base=base or url.partition("/join")[0],
        qr=_drawn(url, f"The address {url}, to scan"),
        local=not base,
        people={
            name: "" if device is None else "here" if following[device.id] else "away"
            for name, device in host.people().items()
        },
    )


def code_of(host: TableHost, path: str) -> Markup | None:
    """The address of one of our pages as a QR code; ``None`` where only this machine can open it."""
    base = next(iter(host.addresses.plain), "")
    return _drawn(base + path, f"The address {base}{path}, to scan") if base else None


def shared_path(live: LiveSession) -> str:
    """The address at which anybody reads the chronicle of a session; empty where it is not shared."""
    return f"/shared/{live.shared}" if live.shared else ""


def place_of(device: Device, host: TableHost) -> str:
    """The page on which a device is at home."""
    if device.role is not Role.HOST and (not host.opened or host.asks_who(device)):
        return "/join"
    at = {Role.PLAYER: "/table/", Role.CAMERA: "/camera/", Role.SCREEN: "/room/"}.get(device.role)
    return f"{at}{quote(host.opened)}" if at else "/"


def join(request: Request) -> Response:
    """Where a device joins, with the table's code or a host's, and where one that has joined says whose it is.

    One that has a place at the table is led there, unless it is to ``change`` whose it is in the session of that
    name. Whether a host's code is right is told once it is used: before that, anybody may be asking.
    """
    device: Device | None = request.state.device
    host, given = host_of(request), request.query_params.get("code", "")
    way_on = request.query_params.get("next", "")
    way_on = way_on if local(way_on) else ""
    if given:
        count_guess(request, given)
    is_host = device is not None and device.role is Role.HOST
    place = place_of(device, host) if device is not None else ""
    changes = not is_host and request.query_params.get("change") == host.opened
    works = not given or host.lets_in(given) or (is_host and host.devices.pairing(given))
    if device is not None and place != "/join" and works and not changes:
        # Looking changes nothing, so a host's code stays: for another browser of this machine.
        return RedirectResponse(way_on or place, 303)
    people, foreign = host.people(), request.headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if device is not None and not (is_host or host.opened or changes or host.asks_who(device)):
        invited = invitation(host, request)
        return page(request, "lobby.html", invitation=invited, emblems=dict(zip(people, EMBLEMS, strict=False)))
    return page(
        request,
        "join.html",
        given=given,
        at_once=bool(given) and device is None and is_this_machine(request) and not host.lets_in(given),
        # Led here from a page of another scheme, a browser keeps our cookie back; from this page on it does not.
        again=way_on if device is None and foreign else "",
        way_on=way_on,
        place=place,
        put_away=device is None and host.devices.is_the_tables(given) and not host.inviting,
        chooses=not is_host and (device is not None or host.lets_in(given)),
        people=people,
        solo=bool(host.opened) and host.live_session(host.opened).session.system.solo,
        opened=host.opened,
        last=next(reversed([name for name in device.names.values() if name]), "") if device is not None else "",
    )


ROUTES: tuple[GuardedRoute, ...] = (route("/join", join, roles=ANYBODY),)
