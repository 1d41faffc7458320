"""Acts that are done at the same moment, each in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def _done(acts: tuple[Callable[[], T], ...]) -> list[Future[T]]:
    gate = threading.Barrier(len(acts))

    def begin(act: Callable[[], T]) -> T:
        gate.wait()
        return act()

    with ThreadPoolExecutor(len(acts)) as threads:
        return [threads.submit(begin, act) for act in acts]


def together(*acts: Callable[[], T]) -> list[T]:
    """What came of each."""
    return [one.result() for one in _done(acts)]


def raised_by(*acts: Callable[[], object]) -> list[BaseException]:
    """What was raised, if anything was."""
    return [error for one in _done(acts) if (error := one.exception()) is not None]
