"""How often one device may ask: a little faster than anybody plays. Nobody is ever shut out, only slowed down."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from loomtable.table.hosting.errors import TooOften

MOST_KNOWN = 1024
"""Buckets that are remembered; the longest unused are forgotten first."""


class Throttle:
    """A bucket of tokens for each asker: ``burst`` at once, then ``rate`` a second.

    Args:
        rate: requests a second for a device that has joined.
        burst: how many it may make at once.
        strangers: the same two figures for everybody who has not joined, by address.
        clock: seconds.
    """

    def __init__(
        self,
        rate: float = 40,
        burst: float = 200,
        strangers: tuple[float, float] = (20, 100),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._figures = {True: (rate, burst), False: strangers}
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def acquire(self, who: str, joined: bool = True, reserve: float = 0, free: bool = False) -> None:
        """Count one request, where more than ``reserve`` tokens are left: those are kept for others. One that is
        ``free`` takes none, and is refused like any other.

        Raises:
            TooOften: it was one too many; the error says how long to wait.
        """
        rate, burst = self._figures[joined]
        now = self._clock()
        with self._lock:
            left, since = self._buckets.pop(who, (burst, now))
            left = min(burst, left + (now - since) * rate)
            enough = left >= 1 + reserve
            self._buckets[who] = (left - 1 if enough and not free else left, now)
            while len(self._buckets) > MOST_KNOWN:
                self._buckets.popitem(last=False)
        if not enough:
            wait = (1 + reserve - left) / rate
            seconds = max(1, math.ceil(wait))
            raise TooOften(
                f"that was too often; try again in {'a second' if seconds == 1 else f'{seconds} seconds'}", wait
            )
