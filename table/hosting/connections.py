"""Connections: how long one may keep the table waiting, how many there may be, and which has to go for another.

uvicorn waits forever for a request that never comes or never ends, takes as many connections as there are
descriptors, and does not count one whose TLS handshake is under way. So connections are taken here, before it.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Collection
from enum import Enum, auto
from typing import Any

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

HEAD_SECONDS = 5.0
"""Within so many seconds of connecting, and of each answer, the head of a request has to be there."""
MOVED_BYTES = 65_536
MOVED_SECONDS = 10.0
"""Of a body that is sent, and of an answer that is read, so many bytes have to move in so many seconds."""
MOST_OF_ONE = 256
"""Connections of one address: an evening's phones and pages have some ten each."""
MOST_IN_ALL = 1024
KEPT_FREE = 224
"""Descriptors for everything that is no connection: journals, cameras, files."""
_WANTED = MOST_IN_ALL + KEPT_FREE
_ACCEPTED_AT_ONCE = 16
"""Then those that were accepted are heard, so that a request that is here already counts before its turn to go."""


class Stage(Enum):
    """What a connection is at; the first is the first that has to go for another."""

    NEW = auto()
    """It has not asked for anything: its TLS handshake or the head of its first request is not there."""
    KEPT = auto()
    """It was answered, and is kept for the next request."""
    SENDING = auto()
    """It sends the body of a request."""
    READING = auto()
    """It has not read all of what was written to it."""
    ANSWERED = auto()
    """We work for it; it may take as long as it takes, and stays."""


class Connection(H11Protocol):
    """One connection as uvicorn serves it, with what is needed to tell how it stands."""

    def __init__(
        self, connections: Connections, address: str, config: Config, state: ServerState, app_state: dict[str, Any]
    ) -> None:
        super().__init__(config, state, app_state, asyncio.get_running_loop())
        self.address = address
        self._connections = connections
        self.opening: asyncio.Task[None] | None = None
        self.link: asyncio.Transport | None = None
        """Its transport, once it has one: over HTTPS after the handshake."""
        self._received = 0
        self._seen: tuple[object, ...] = (Stage.NEW, None)
        self._moved = 0
        self._since = self.loop.time()

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        super().data_received(data)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.link = transport
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.forget(self)
        super().connection_lost(exc)

    @property
    def stage(self) -> Stage:
        """What it is at."""
        if self.link is None:
            return Stage.NEW
        if self.link.get_write_buffer_size():
            return Stage.READING
        if self.conn.their_state is h11.SEND_BODY:
            return Stage.SENDING
        if self.conn.their_state is h11.IDLE:
            return Stage.NEW if self.cycle is None else Stage.KEPT
        return Stage.ANSWERED

    def overdue(self, now: float) -> bool:
        """Whether it has kept us waiting for too long; to be asked every now and then."""
        stage = self.stage
        moved = self._received
        if self.link is not None:
            moved -= self.link.get_write_buffer_size()
        progress = (stage, self.cycle)
        if progress != self._seen or not 0 <= moved - self._moved < MOVED_BYTES:
            self._seen, self._moved, self._since = progress, moved, now
        patience = HEAD_SECONDS if stage in (Stage.NEW, Stage.KEPT) else MOVED_SECONDS
        return stage is not Stage.ANSWERED and now - self._since > patience

    def drop(self) -> None:
        """Close it at once, whatever is left unsaid."""
        if self.link is not None:
            self.link.abort()
        elif self.opening is not None:
            self.opening.cancel()


class Connections:
    """All connections of the table, on all its ports, by address.

    Args:
        most_of_one: how many one address may have.
        most_in_all: how many there may be.
    """

    def __init__(self, most_of_one: int = MOST_OF_ONE, most_in_all: int = MOST_IN_ALL) -> None:
        self.most_of_one = most_of_one
        self.most_in_all = most_in_all
        self._open: dict[str, dict[Connection, None]] = {}

    def __len__(self) -> int:
        return sum(len(some) for some in self._open.values())

    def admit(self, new: Connection) -> bool:
        """Count a connection in. Where there are too many, the one goes that is most easily missed."""
        if len(self._open.get(new.address, ())) >= self.most_of_one:
            crowd: Collection[Connection] = self._open[new.address]
        elif len(self) >= self.most_in_all:
            crowd = max(self._open.values(), key=len)
        else:
            crowd = ()
        if crowd and not self._make_room(crowd):
            return False
        self._open.setdefault(new.address, {})[new] = None
        return True

    def forget(self, gone: Connection) -> None:
        """Count a connection out."""
        some = self._open.get(gone.address, {})
        some.pop(gone, None)
        if not some:
            self._open.pop(gone.address, None)

    def make_room(self) -> None:
        """Let the address that has the most connections lose one."""
        if self._open:
            self._make_room(max(self._open.values(), key=len))

    def _make_room(self, crowd: Collection[Connection]) -> bool:
        for stage in Stage:
            if stage is Stage.ANSWERED:
                break
            oldest = next((connection for connection in crowd if connection.stage is stage), None)
            if oldest is not None:
                self._drop(oldest)
                return True
        return False

    def _drop(self, connection: Connection) -> None:
        connection.drop()
        self.forget(connection)

    async def watch(self) -> None:
        """Close what keeps us waiting for too long, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(1)
            for connection in [connection for some in self._open.values() for connection in some]:
                if connection.overdue(loop.time()):
                    self._drop(connection)


class Listener:
    """Takes the connections of a port; for uvicorn it stands where asyncio's own server would.

    Args:
        listening: the port's socket.
        make: a new connection from an address.
        tls: how it is encrypted; not at all where None.
        connections: where they are counted.
    """

    def __init__(
        self,
        listening: socket.socket,
        make: Callable[[str], Connection],
        tls: ssl.SSLContext | None,
        connections: Connections,
    ) -> None:
        self._socket = listening
        self._make = make
        self._tls = tls
        self._connections = connections
        self._loop = asyncio.get_running_loop()
        listening.setblocking(False)
        self._accepting = self._loop.create_task(self._accept())

    def close(self) -> None:
        """Take no more."""
        self._accepting.cancel()
        with contextlib.suppress(NotImplementedError):  # on Windows nothing waits for the socket itself
            self._loop.remove_reader(self._socket)

    async def wait_closed(self) -> None:
        """Until none is taken any more."""
        await asyncio.wait([self._accepting])

    async def _accept(self) -> None:
        while True:
            for _ in range(_ACCEPTED_AT_ONCE):
                try:
                    accepted, address = await self._loop.sock_accept(self._socket)
                except ConnectionError:  # whoever waited in the queue has hung up
                    continue
                except OSError:  # no descriptor is left, or no memory: nobody at the table has to read of it
                    self._connections.make_room()
                    await asyncio.sleep(0.1)
                    continue
                self._take(accepted, address[0])
            await asyncio.sleep(0)

    def _take(self, accepted: socket.socket, address: str) -> None:
        connection = self._make(address)
        if not self._connections.admit(connection):
            accepted.close()
            return
        connection.opening = self._loop.create_task(self._open(connection, accepted))

        def opened(_: object) -> None:
            if connection.link is None:  # it went before it was there
                accepted.close()
                self._connections.forget(connection)

        connection.opening.add_done_callback(opened)

    async def _open(self, connection: Connection, accepted: socket.socket) -> None:
        patience = HEAD_SECONDS if self._tls is not None else None
        with contextlib.suppress(OSError):  # a handshake that failed or took too long
            await self._loop.connect_accepted_socket(
                lambda: connection, accepted, ssl=self._tls, ssl_handshake_timeout=patience
            )


def most_connections() -> int:
    """How many connections there may be in all, after the limit of descriptors has been raised where it can be."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST_IN_ALL
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < _WANTED:
        wanted = _WANTED if hard == unlimited else min(_WANTED, hard)
        with contextlib.suppress(OSError, ValueError):  # then it stays as it is
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return MOST_IN_ALL if soft == unlimited else max(16, min(MOST_IN_ALL, soft - KEPT_FREE))
