"""The pause card: anybody may stop the table at once, and nobody is told who it was."""

from __future__ import annotations

from collections.abc import Callable

from loomtable.engine.kernel.errors import NotNow


class Pause:
    """Whether the table is paused; one for everything that is open on it. Who paused it is kept nowhere.

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
