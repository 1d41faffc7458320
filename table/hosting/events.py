"""Server-sent events: pages learn at once that something has changed, and ask for what they may see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.devices import Device, Devices, Role
from loomtable.table.hosting.errors import TooOften
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.guard import EVERYBODY, route
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession

HEARTBEAT = 15.0
"""Seconds after which a quiet connection says that it is still there."""
AWAY_AFTER = 4.0
"""Seconds after which it is told that a device is here no more: it may be on its way to another page."""
MOST_PER_DEVICE = 3
"""Open streams of one device, and one more for a page that stays: a browser has six connections for all pages."""
_MEDIA = "text/event-stream"
RETRY = 2000
"""Milliseconds after which a browser tries a lost connection again."""


class _News(StreamingResponse):
    """A stream of events that says when it is over, whether or not it ever began."""

    def __init__(self, content: AsyncIterator[str], over: Callable[[], None]) -> None:
        super().__init__(content, media_type=_MEDIA, headers={"x-accel-buffering": "no"})
        self._over = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._over()


async def events(request: Request) -> Response:
    """News of a session: ``event: TOPIC`` (``event_bus.Topic``) with ``data: {"revision": N}``; ``here``.

    What changes no revision has ``at`` too, by ``time.monotonic``: an older page than that has to look anew.

    Without a session, news of who has joined and of what is open. ``?stays`` asks for a page that follows while it
    is hidden: a television or a camera. Raises ``TooOften`` where the device has all its streams.
    """
    host: TableHost = request.app.state.host
    source = await run_in_threadpool(live_session_of, request) if "session" in request.path_params else host.bus
    if request.method == "HEAD":
        return Response(media_type=_MEDIA)
    device: Device = request.state.device
    following, loop = host.devices.following, asyncio.get_running_loop()
    if following[device.id] >= MOST_PER_DEVICE + ("stays" in request.query_params):
        raise TooOften("this device has the table open too often; close one of its pages", 5)

    # Nothing is waited for between looking and counting, so that no two are let in as the last one.
    following[device.id] += 1
    if following[device.id] == 1:
        host.tell(Topic.PRESENCE)

    def over() -> None:
        following[device.id] -= 1
        loop.call_later(AWAY_AFTER, away)

    def away() -> None:
        if not following[device.id]:
            host.tell(Topic.PRESENCE)

    return _News(stream(source, device, host.devices), over)


async def stream(
    source: LiveSession | EventBus, device: Device, devices: Devices, heartbeat: float = HEARTBEAT
) -> AsyncIterator[str]:
    """The text of the events: where the table stands first, then every change, until the device is let go."""
    yield f"retry: {RETRY}\n\n"
    screen = device.id if device.role is Role.SCREEN else ""
    async for change in source.subscribe(heartbeat, screen=screen):
        if change is None:
            yield "event: here\ndata: {}\n\n"  # not a comment: the page's script has to hear it
        elif change.topic is Topic.DEVICES and not devices.still(device.id):
            yield _text(Change(Topic.CLOSED, change.revision))
            return
        else:
            yield _text(change)


def _text(change: Change) -> str:
    when = {"at": change.at} if change.at else {}
    data = msgspec.json.encode({"revision": change.revision, **when}).decode()
    return f"event: {change.topic}\ndata: {data}\n\n"


ROUTES = (
    route("/api/events", events, roles=EVERYBODY),
    route("/api/play/{session:path}/events", events, roles=EVERYBODY),
)
