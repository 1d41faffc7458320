"""Connections: each has to get on, and where there are too many, one goes that keeps the table waiting.

uvicorn's own limits begin after the first answer (``timeout_keep_alive``) or turn everybody away alike
(``limit_concurrency``): it waits forever for a first request, for the rest of one, and for an answer to be read,
and does not count a connection before its TLS handshake is over, which takes a third of a megabyte.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from loomtable.table.hosting.uploads import give_memory_back

PATIENCE = 10.0
"""Within so many seconds a TLS handshake has to be over, the head of a request to be there, or so much of its body
or of its answer to have moved:"""
MOVED_BYTES = 65_536
MOST = 200
"""Connections: an evening's phones and pages have some ten each. Those that are served are never too many."""


class Connection(H11Protocol):
    """One connection as uvicorn serves it, which tells whether it gets on."""

    opening: asyncio.Task[None]
    """Makes its ``transport``: over HTTPS after the handshake."""

    def __init__(
        self, crowd: Crowd, address: str, config: Config, state: ServerState, app_state: dict[str, Any]
    ) -> None:
        super().__init__(config, state, app_state)
        self.address = address
        self._crowd = crowd
        self._received = 0
        self._progress: tuple[object, ...] = ()
        self._since = self.loop.time()

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._crowd.leave(self)
        super().connection_lost(exc)

    @property
    def served(self) -> bool:
        """Whether it waits for us: its request is here, and it has read what was sent."""
        if not self.cycle or self.cycle.response_complete or self.cycle.more_body:
            return False
        return not self.transport.get_write_buffer_size()

    def overdue(self) -> bool:
        """Whether it has kept us waiting for too long; to be asked every now and then."""
        unread = self.transport.get_write_buffer_size() if self.transport else 0
        progress = (self.cycle, self.served, (self._received - unread) // MOVED_BYTES)
        if self.served or progress != self._progress:
            self._progress, self._since = progress, self.loop.time()
        return self.loop.time() - self._since > PATIENCE


class Crowd:
    """All connections of the table, on all its ports, the latest last.

    Args:
        most: how many there may be; half of what the system lets a program open, where that is less.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._open: dict[Connection, None] = {}
        with contextlib.suppress(ImportError):  # Windows has no such limit
            import resource

            limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
            self._most = most if limit == resource.RLIM_INFINITY else min(most, limit // 2)

    async def accept(
        self, listening: socket.socket, tls: ssl.SSLContext | None, make: Callable[[str], Connection]
    ) -> None:
        """Take the connections of a port, until cancelled."""
        loop = asyncio.get_running_loop()
        listening.setblocking(False)
        while True:
            try:
                accepted, address = await loop.sock_accept(listening)
            except OSError:  # whoever waited has hung up; or no descriptor is left, and nobody has to read of it
                self._make_room()
                await asyncio.sleep(0.01)
                continue
            if len(self._open) >= self._most:
                self._make_room()
            connection = make(address[0])
            self._open[connection] = None
            connection.opening = loop.create_task(self._take(connection, accepted, tls))
            await asyncio.sleep(0)  # a request that is here already counts before its turn to go

    async def _take(self, connection: Connection, accepted: socket.socket, tls: ssl.SSLContext | None) -> None:
        try:
            await connection.loop.connect_accepted_socket(
                lambda: connection, accepted, ssl=tls, ssl_handshake_timeout=PATIENCE if tls else None
            )
        except (OSError, asyncio.CancelledError) as failed:  # a handshake, or it had to go for another
            traceback.clear_frames(failed.__traceback__)  # they would hold each other till garbage is collected
            accepted.close()
            self.leave(connection)

    def _make_room(self) -> None:
        """Drop the oldest of the address that has most: it has asked for nothing, or does not wait for us."""
        for address, _ in Counter(peer.address for peer in self._open).most_common(1):
            crowd = [peer for peer in self._open if peer.address == address and not peer.served]
            for peer in sorted(crowd, key=lambda peer: bool(peer.cycle))[:1]:
                self._drop(peer)

    def leave(self, gone: Connection) -> None:
        """Count a connection out."""
        self._open.pop(gone, None)

    def _drop(self, gone: Connection) -> None:
        self.leave(gone)
        if gone.transport:
            gone.transport.abort()
        else:
            gone.opening.cancel()

    async def watch(self) -> None:
        """Close what keeps us waiting for too long, and give back what many held, until cancelled."""
        before = 0
        while True:
            await asyncio.sleep(PATIENCE / 10)
            if before - len(self._open) > MOST // 4:
                await asyncio.to_thread(give_memory_back)
            before = len(self._open)
            for peer in tuple(self._open):
                if peer.overdue():
                    self._drop(peer)
