"""Who may ask for what: the one way to make a route, and what every request has to pass before it reaches one.

Before routing, on every method: the Host header must be a name of this machine at one of our ports; then the
device's token is looked up; then, where something may change, the request must come from one of our own pages.
The roles that may use a route stand in its declaration, and there is no other way to declare one.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.hosting.addresses import LOOPBACK
from loomtable.table.hosting.devices import Device, Devices, Role
from loomtable.table.hosting.errors import Elsewhere, InternalError, NotAllowed
from loomtable.table.hosting.forms import MOST_FORM, MOST_OF_ANYBODY, MOST_UPLOAD, read_form
from loomtable.table.hosting.lanes import Lane
from loomtable.table.hosting.responses import error_response
from loomtable.table.hosting.throttle import Throttle

if TYPE_CHECKING:
    from loomtable.table.hosting.host import TableHost

Endpoint = Callable[[Request], Response] | Callable[[Request], Awaitable[Response]]
logger = logging.getLogger(__name__)
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
EVERYBODY = frozenset(Role)
"""Every device that has joined."""
ANYBODY: frozenset[Role | None] = frozenset({None, *Role})
"""Devices that have not joined too: for the page on which they do, and for what it is drawn with."""
MOST_TOKENS = 8
"""Cookies of one request in which a device's token is sought."""
HOST = frozenset({Role.HOST})
PLAYERS = frozenset({Role.HOST, Role.PLAYER})

_LOOKING_UP = ThreadPoolExecutor(max_workers=2, thread_name_prefix="devices")
PROTECTION = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        "connect-src 'self'; media-src 'self' blob:; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-src 'self'; frame-ancestors 'self'"
    ),
    "x-content-type-options": "nosniff",
    # Not no-referrer: with it, browsers hide from us that a form over plain HTTP comes from our own page.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=()",
}


class Body(StrEnum):
    """What a route takes in its body."""

    NOTHING = "nothing"
    FORM = "form"
    """Fields, as a form or as JSON: 256 KB at most, and 64 where nobody has to have joined."""
    UPLOAD = "upload"
    """A file too, in a form or by itself: 12 MB at most."""


class GuardedRoute(Route):
    """A route with the roles that may use it; made by ``route`` only."""

    roles: frozenset[Role | None]
    body: Body


def route(
    path: str,
    endpoint: Endpoint,
    *,
    methods: Iterable[str] = ("GET",),
    roles: Iterable[Role | None],
    body: Body | None = None,
    lane: Lane | None = None,
) -> GuardedRoute:
    """Declare a route. The endpoint finds ``state.device`` in the request, and ``state.form`` where it has a body.

    An endpoint that is a plain function runs in a thread, so it may wait for the disk; in one of its ``lane``
    where it may wait longer.

    Raises:
        ValueError: it names no role, or a method that changes things beside one that must not.
    """
    allowed = frozenset(roles)
    known = frozenset(method.upper() for method in methods)
    if not allowed:
        raise ValueError(f"{path}: say which roles may use this route")
    if known & SAFE and known - SAFE:
        raise ValueError(f"{path}: GET must change nothing; declare a route of its own for {known - SAFE}")
    takes = body or (Body.NOTHING if known <= SAFE else Body.FORM)

    async def guarded(request: Request) -> Response:
        try:
            await _allowed(request, allowed)
            if lane is not None:
                with lane.entered(request.state.device.id):
                    request.state.form = await read_form(request, MOST_UPLOAD, files=True)
                    loop = asyncio.get_running_loop()
                    return await loop.run_in_executor(lane.threads, endpoint, request)  # type: ignore[arg-type]
            if takes is not Body.NOTHING:
                most = MOST_UPLOAD if takes is Body.UPLOAD else MOST_FORM
                most = MOST_OF_ANYBODY if None in allowed else most
                request.state.form = await read_form(request, most, files=takes is Body.UPLOAD)
            if inspect.iscoroutinefunction(endpoint):
                answer: Response = await endpoint(request)
            else:
                answer = await run_in_threadpool(endpoint, request)  # type: ignore[arg-type]
            return answer
        except LoomtableError as error:
            return await run_in_threadpool(error_response, request, error)
        except asyncio.CancelledError:  # without an answer the server would hold it for a defect
            return PlainTextResponse("The table is closing.\n", 503)
        except Exception:
            logger.exception("a request could not be answered: %s", path)
            return await run_in_threadpool(error_response, request, InternalError())

    made = GuardedRoute(path, guarded, methods=sorted(known), name=getattr(endpoint, "__name__", path))
    made.roles = allowed
    made.body = takes
    return made


async def _allowed(request: Request, roles: frozenset[Role | None]) -> None:
    """Hold a route against who asks; a guest's device follows to the session that is open."""
    device: Device | None = request.state.device
    role = device.role if device is not None else None
    if role not in roles:
        if device is None:
            raise NotAllowed("this device has not joined the table; ask the host for a code")
        may = " or ".join(
            sorted(f"a {known.value}" if known is not Role.HOST else "the host" for known in roles if known)
        )
        named = {Role.HOST: "the host's", Role.PLAYER: "a player's"}
        raise NotAllowed(f"this is for {may}; this device is {named.get(device.role, f'a {device.role.value}')}")
    if device is None or device.role is Role.HOST:
        return
    host: TableHost = request.app.state.host
    seated = host.has_seat(device)
    if not seated:
        device = request.state.device = await run_in_threadpool(host.seat, device)
        request.state.made = time.monotonic()  # its own page shows that it has its seat
    name = request.path_params.get("session")
    if name is not None and name != device.session:
        raise Elsewhere(f"this device follows the session {device.session!r}, which is open")
    if name is not None and not seated and await run_in_threadpool(host.asks_who, device):
        raise Elsewhere("first say whose device this is")


class Guard:
    """Stands before all routes.

    Args:
        app: the routes.
        devices: who has joined.
        names: the names and addresses by which this machine may be asked, in small letters.
        ports: our ports; any where empty.
        throttle: how often one device may ask.
    """

    def __init__(
        self,
        app: ASGIApp,
        devices: Devices,
        names: Iterable[str],
        ports: Iterable[int] = (),
        throttle: Throttle | None = None,
    ) -> None:
        self._app = app
        self._devices = devices
        self._names = frozenset(name.lower() for name in names)
        self._ports = frozenset(ports)
        self._throttle = throttle or Throttle()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing here speaks over WebSockets
            await send({"type": "websocket.close", "code": 1008})
            return
        sending = _Protecting(send)
        try:
            await self._guarded(scope, receive, sending)
        except Exception:  # the last net: Starlette's own answer would go out without our headers
            if sending.begun:
                raise
            logger.exception("a request could not be answered")
            sentence = str(InternalError()).capitalize()
            await PlainTextResponse(f"{sentence}.\n", 500)(scope, receive, sending)

    async def _guarded(self, scope: Scope, receive: Receive, sending: Send) -> None:
        headers = Headers(scope=scope)
        request = Request(scope, receive)
        request.state.device, request.state.token, request.state.made = None, "", time.monotonic()
        if not self._known_host(headers):
            logger.info("a request for another machine's name is refused: 421")
            answer = Response(
                "This address is not one of this table's; open the one that loom table shows.\n",
                421,
                media_type="text/plain",
            )
            await answer(scope, receive, sending)
            return
        # A thread of its own: the loop is not held up while devices are written down, nor this by pages that wait.
        device, bearer = await asyncio.get_running_loop().run_in_executor(_LOOKING_UP, self._device, request)
        request.state.device = device
        try:
            client = scope.get("client")
            self._throttle.acquire(device.id if device else f"?{client[0] if client else ''}", device is not None)
            require_https_for_host(scope, headers, device)
            if scope["method"] not in SAFE:
                check_origin(scope["scheme"], headers, bearer=bearer)
        except LoomtableError as error:
            answer = await run_in_threadpool(error_response, request, error)
            await answer(scope, receive, sending)
            return
        await self._app(scope, receive, sending)

    def _known_host(self, headers: Headers) -> bool:
        given = headers.getlist("host")
        if len(given) != 1:
            return False
        name, port = split_host(given[0])
        return name in self._names and (not self._ports or port in self._ports)

    def _device(self, request: Request) -> tuple[Device | None, bool]:
        """The device that asks, and whether it gave its token in a header of its own."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and token.strip():
            return self._devices.of_token(token.strip()), True
        for token in tokens_in(request):
            device = self._devices.of_token(token)
            if device is not None:
                request.state.token = token
                return device, False
        return None, False


def split_host(host: str) -> tuple[str, int | None]:
    """The name and the port of a Host header, and of nothing that has more in it; no port where none is given."""
    try:
        parts = urlsplit(f"//{host}")
        name, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return "", None
    return (name, port) if parts.netloc == host and "@" not in host else ("", None)


def cookie_name(scope: Scope | Mapping[str, Any]) -> str:
    """What the cookie with a device's token is called: one for each port and scheme, which browsers mix up."""
    server = scope.get("server")
    port = server[1] if server else 0
    return f"__Host-loomtable-{port}" if scope["scheme"] == "https" else f"loomtable-{port}"


def tokens_in(request: Request) -> list[str]:
    """The tokens in a request's cookies: of this port first, then of others, where the table was open before."""
    own = cookie_name(request.scope)
    ours = [name for name in request.cookies if "loomtable-" in name]
    return [request.cookies[name] for name in sorted(ours, key=lambda name: name != own)][:MOST_TOKENS]


def check_origin(scheme: str, headers: Headers, *, bearer: bool) -> None:
    """Let a request that may change something pass only from one of our own pages.

    Browsers say where it comes from, in Sec-Fetch-Site or else in Origin; a program that says neither has to give
    its token in the Authorization header, which no page of others can.

    Raises:
        NotAllowed: it comes from elsewhere, or does not say.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        if site in ("same-origin", "none"):
            return
    elif origin is not None:
        if origin.lower() == f"{scheme}://{headers.get('host', '')}".lower():
            return
    elif bearer:
        return
    raise NotAllowed("this was sent from a page that is not the table's; open the table itself and try again")


def require_https_for_host(scope: Scope, headers: Headers, device: Device | None) -> None:
    """The host's device may do everything, so it is not served over a network where others could listen.

    Raises:
        NotAllowed: it is the host's, asks over plain HTTP, and is not this machine.
    """
    if device is None or device.role is not Role.HOST or scope["scheme"] == "https":
        return
    if split_host(headers.get("host", ""))[0] not in LOOPBACK:
        raise NotAllowed("the host's page is served on this machine, or over HTTPS; use that address")


class _Protecting:
    """Sends an answer with our headers, and knows whether it has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in PROTECTION.items():
                headers[name] = value
            # Whatever a device is shown may be for its eyes alone; only what is shown to all may be kept.
            headers.setdefault("cache-control", "no-store")
        await self._send(message)
