"""Growing pauses: a thread that failed tries again, soon at first and then less and less often."""

from __future__ import annotations

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0


class Backoff:
    """How many seconds to wait before the next try: twice as long after each failure, from the start after a
    success."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE

    @property
    def failing(self) -> bool:
        """Whether the last try failed."""
        return self._next > FIRST_PAUSE

    def failed(self) -> float:
        """The seconds to wait now."""
        pause, self._next = self._next, min(2 * self._next, LONGEST_PAUSE)
        return pause

    def worked(self) -> None:
        """A try went well."""
        self._next = FIRST_PAUSE
