"""The locks round a live session, and the one order in which they are taken.

Whoever holds one takes only later ones, so no two threads ever wait for each other. The session comes before what
is offered, for pages hold it while they are made. A lock that is not here guards a few fields and calls nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import IntEnum


class Order(IntEnum):
    """What a lock guards: what a camera saw of the table, the journal, what is offered, which camera is on."""

    LOOK = 1
    SESSION = 2
    PROPOSALS = 3
    CAMERA = 4


class OrderedLock:
    """A lock that its thread may take again; ``RuntimeError`` where that holds one of its place or a later one."""

    _mine = threading.local()

    def __init__(self, order: Order) -> None:
        self._order, self._lock = order, threading.RLock()
        self._afterwards: list[Callable[[], object]] = []

    def __enter__(self) -> None:
        held: list[OrderedLock] = self._mine.__dict__.setdefault("held", [])
        late = [lock._order.name for lock in held if lock._order >= self._order]
        if late and self not in held:
            raise RuntimeError(f"{late[0]} is held already, so it is too late to take {self._order.name}")
        self._lock.acquire()
        held.append(self)

    def __exit__(self, *exception: object) -> None:
        self._mine.held.pop()
        due: list[Callable[[], object]] = []
        if self not in self._mine.held:
            due, self._afterwards = self._afterwards, due
        self._lock.release()
        for do in due:
            do()

    def afterwards(self, do: Callable[[], object]) -> None:
        """Have this done as soon as the thread that holds the lock has let it go."""
        with self:
            self._afterwards.append(do)
