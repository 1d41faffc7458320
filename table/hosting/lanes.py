"""Threads of their own for pictures that devices send, so that no page ever waits for one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from loomtable.table.hosting.errors import TooOften

MOST = 8
"""Pictures of a lane that are read or wait for it."""


class Lane:
    """``threads`` for one kind of picture: of each device one at a time, and of all devices ``MOST``."""

    def __init__(self, kind: str, threads: int) -> None:
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix=kind)
        self._kind, self._lock, self._devices = kind, threading.Lock(), set[str]()

    @contextmanager
    def entered(self, device: str) -> Iterator[None]:
        """From before a device's picture is received until it is answered.

        Raises:
            TooOften: another one of this device, or too many of others, are not done yet.
        """
        with self._lock:
            if device in self._devices or len(self._devices) >= MOST:
                raise TooOften(f"other {self._kind}s are still being read; send this one again in a moment", 2)
            self._devices.add(device)
        try:
            yield
        finally:
            self._devices.remove(device)
