"""What players ask the host to begin, such as a Challenge, until it is begun, declined or withdrawn.

Wishes are no part of the journal, and are kept in memory alone: what comes of one is an action like any other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.errors import NotAllowed


class Wish(msgspec.Struct, frozen=True):
    """An action that a player asks for, and in a line what for."""

    number: int
    person: str
    action: Action
    line: str = ""


class Wishes:
    """What is asked for in one session, one wish a person. May be called from any thread.

    Args:
        tell: makes every page of the session look again.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, Wish] = {}
        self._numbered = 0
        self._tell = tell

    def ask(self, person: str, action: Action, line: str) -> None:
        """Ask for an action, in place of what this person asked for before."""
        with self._lock:
            self._numbered += 1
            self._open[person] = Wish(self._numbered, person, action, line)
        self._tell()

    def all(self) -> tuple[Wish, ...]:
        """What is asked for, the oldest first."""
        return tuple(sorted(self._open.values(), key=lambda wish: wish.number))

    def of(self, person: str) -> Wish | None:
        """What a person asks for."""
        return self._open.get(person)

    def numbered(self, number: int) -> Wish:
        """One wish.

        Raises:
            NotAllowed: it was withdrawn, or begun already.
        """
        found = next((wish for wish in self.all() if wish.number == number), None)
        if found is None:
            raise NotAllowed("this is no longer asked for")
        return found

    def begun(self, action: Action) -> None:
        """An action is begun: whoever asked for it, whatever else was said with it, has it."""
        for wish in self.all():
            if wish.action.name == action.name and wish.action.args.items() <= action.args.items():
                self.close(wish)

    def close(self, wish: Wish) -> None:
        """A wish is declined or withdrawn, or has come true."""
        with self._lock:
            if self._open.get(wish.person) == wish:
                del self._open[wish.person]
        self._tell()
