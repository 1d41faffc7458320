"""What comes over every page and goes again, on all of them at once: the pause card, and hand-outs.

A hand-out is a card, a picture or a line that the storyteller shows to one player or to all, until it is put away.
Neither is part of the journal, and both are kept in memory alone: they are gone when the table closes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import NotNow
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.errors import TooMuch

EVERYBODY = ""
MOST = 8
"""Hand-outs that are shown at once in a session; set by hand."""


class Handout(msgspec.Struct, frozen=True):
    """One thing that is shown."""

    number: int
    to: str
    """Whose eyes alone, a player's name; ``EVERYBODY`` for all, television included."""
    line: str = ""
    card: ComponentId | None = None
    picture: bytes = b""
    """A JPEG that was made anew here, so nothing is in it but what can be seen."""

    def seen_by(self, device: Device) -> bool:
        """Whether a device is shown it."""
        if device.role is Role.HOST:
            return True
        return self.to in {Role.PLAYER: (EVERYBODY, device.person), Role.SCREEN: (EVERYBODY,)}.get(device.role, ())


class Handouts:
    """What is shown in one session. May be called from any thread.

    Args:
        tell: makes every page of the session look again.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._lock = threading.Lock()
        self._shown: tuple[Handout, ...] = ()
        self._numbered = 0
        self._tell = tell

    def show(self, to: str, line: str, card: ComponentId | None, picture: bytes) -> None:
        """Show something.

        Raises:
            TooMuch: too much is shown already.
        """
        with self._lock:
            if len(self._shown) >= MOST:
                raise TooMuch(f"{MOST} hand-outs are shown already; put one away first")
            self._numbered += 1
            self._shown = (*self._shown, Handout(self._numbered, to, line, card, picture))
        self._tell()

    def put_away(self, number: int) -> None:
        """Show something no longer; nothing where it is put away already."""
        with self._lock:
            self._shown = tuple(handout for handout in self._shown if handout.number != number)
        self._tell()

    def seen_by(self, device: Device) -> tuple[Handout, ...]:
        """What a device is shown, the latest first."""
        return tuple(handout for handout in reversed(self._shown) if handout.seen_by(device))


class Pause:
    """Whether the table is paused; one for all that is open on it. Who paused it is kept nowhere.

    Args:
        tell: makes every page look again.
    """

    def __init__(self, tell: Callable[[], None] = lambda: None) -> None:
        self.on = False
        self._tell = tell

    def set(self, on: bool) -> None:
        """Pause the table, or go on. May be called from any thread: by a page, or by what reads a card."""
        if self.on != on:
            self.on = on
            self._tell()

    def check(self) -> None:
        """Refuse to play on while the table is paused.

        Raises:
            NotNow: it is.
        """
        if self.on:
            raise NotNow("the table is paused; press Go on first")
