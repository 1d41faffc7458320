"""News for pages: what has changed, from the threads that change it to the connections that wait for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from enum import StrEnum

import msgspec


class Topic(StrEnum):
    """What a page has to look at anew."""

    PLAY = "play"
    CAMERA = "camera"
    DEVICES = "devices"
    """Who has joined, and whatever else pages show that no line of the journal holds."""
    READ = "read"
    """A result is put away on every screen; ``revision`` is its line."""
    PRESENCE = "presence"
    """Who is here now: whose pages follow the table."""
    CLOSED = "closed"
    """The session is not open here any more, or this device has been let go."""


class Change(msgspec.Struct, frozen=True):
    """Something that has changed; ``revision`` is the number of journal lines then."""

    topic: Topic
    revision: int
    at: float = 0.0
    """When it was published, by ``time.monotonic``; kept of ``DEVICES`` and ``PRESENCE``."""


ROOM_FIRST = 0.2
"""Seconds that other pages wait for the room's; a screen that took longer is not waited for until it has come."""


class _Subscriber:
    """One waiting connection. What it has not read yet is kept once a kind, so that a slow one does not grow.

    ``screen`` is the id of the device, where it is a screen of the room.
    """

    def __init__(self, screen: str) -> None:
        self.screen = screen
        self.loop = asyncio.get_running_loop()
        self.unread: dict[Topic, Change] = {}
        self.woken = asyncio.Event()

    def put(self, change: Change) -> None:
        if Topic.CLOSED not in self.unread:  # nothing comes after it
            self.unread[change.topic] = change
        self.woken.set()

    def take(self) -> tuple[Change, ...]:
        self.woken.clear()
        unread, self.unread = self.unread, {}
        return tuple(unread.values())


class EventBus:
    """Tells everybody who listens; ``publish`` may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: set[_Subscriber] = set()
        self._latest: dict[Topic, Change] = {}
        self._shown = threading.Condition(self._lock)
        self._behind: dict[str, int] = {}
        """Which screens of the room have been told of which revision, and have no page of it yet."""
        self._late: set[str] = set()

    @property
    def subscribers(self) -> int:
        """How many listen."""
        return len(self._subscribers)

    def publish(self, change: Change) -> None:
        """Pass a change on; never waits for anybody."""
        with self._lock:
            if change.topic in (Topic.DEVICES, Topic.PRESENCE):
                self._latest[change.topic] = change = msgspec.structs.replace(change, at=time.monotonic())
            for listener in self._subscribers:
                if change.topic is Topic.PLAY and listener.screen and listener.screen not in self._late:
                    self._behind[listener.screen] = change.revision
                try:  # noqa: SIM105 - news come in thousands, and this is the quick way
                    listener.loop.call_soon_threadsafe(listener.put, change)
                except RuntimeError:
                    pass  # its loop is closed: nobody listens there any more

    def room_shown(self, screen: str, revision: int) -> None:
        """A screen of the room has its page of this revision."""
        with self._shown:
            self._late.discard(screen)
            if self._behind.get(screen, revision + 1) <= revision:
                del self._behind[screen]
            self._shown.notify_all()

    def after_the_room(self) -> None:
        """Wait until the screens of the room have the page of what they were told last: all look at them."""
        with self._shown:
            if not self._shown.wait_for(lambda: not self._behind, ROOM_FIRST):
                self._late.update(self._behind)
                self._behind.clear()

    async def subscribe(
        self,
        heartbeat: float | None = None,
        snapshot: Callable[[], Iterable[Change]] = tuple,
        screen: str = "",
    ) -> AsyncIterator[Change | None]:
        """Changes as they come, ``CLOSED`` last; ``None`` each time nothing came for ``heartbeat`` seconds.

        The ``snapshot`` and the latest of ``DEVICES`` and ``PRESENCE`` come first, once the listener is heard, so
        that nothing is missed that changed after its page was made; and again after each ``None``, for a browser
        that lost one.
        """
        listener = _Subscriber(screen)
        with self._lock:
            self._subscribers.add(listener)
        try:
            news: Sequence[Change | None] = self._standing(snapshot)
            while True:
                for change in news:
                    yield change
                if any(change is not None and change.topic is Topic.CLOSED for change in news):
                    return
                try:
                    await asyncio.wait_for(listener.woken.wait(), heartbeat)
                    news = listener.take()
                except TimeoutError:
                    news = (None, *self._standing(snapshot))
        finally:
            with self._lock:
                self._subscribers.discard(listener)
                self._behind.pop(screen, None)
                self._shown.notify_all()

    def _standing(self, snapshot: Callable[[], Iterable[Change]]) -> tuple[Change, ...]:
        return (*snapshot(), *self._latest.values())
