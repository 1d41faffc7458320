"""Following what other programs write into the store: a look every second, and sessions that are read anew."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.store import Store, StoredJournal

EVERY = 1.0
"""Seconds from one look to the next; pages are promised what others played within two."""
logger = logging.getLogger(__name__)


def read_anew(store: Store, name: str, session: Session[object]) -> Session[object]:
    """The session as it is kept under this name: itself, or read anew where another program has begun it or
    played on.

    Raises:
        StoreUnusable, JournalCorrupt: the store cannot be read.
    """
    here = len(session.lines()) if isinstance(session.journal, StoredJournal) else 0
    if store.line_counts([name]).get(name, 0) <= here:
        return session
    return Session.resume(SYSTEMS, store.journal(name))


class Follower:
    """Calls ``look`` every second from a thread of its own, from ``start`` to ``stop``."""

    def __init__(self, look: Callable[[], None], every: float = EVERY) -> None:
        self._look = look
        self._every = every
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin; does nothing where it has begun already."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="following the store", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End, and wait a moment until the last look is over; a server that does not answer holds nobody up."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(2)

    def _run(self) -> None:
        while not self._stopped.wait(self._every):
            try:
                self._look()
            except LoomtableError as error:
                # Whoever plays is told so; here it is only tried again.
                logger.debug("the store could not be looked at: %s", error)
            except Exception:  # the thread's last net: pages must hear of the next line all the same
                logger.exception("looking for what other programs have played failed; it is tried again")
