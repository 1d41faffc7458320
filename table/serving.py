"""Serving the table: on this machine over HTTP, and where it was asked for on the network over HTTP and HTTPS."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from loomtable.engine.kernel.errors import NotNow
from loomtable.table.app import application
from loomtable.table.hosting.addresses import LOOPBACK, Addresses, base_url, known_names, network_addresses
from loomtable.table.hosting.event_bus import Topic
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.patience import Connection, Crowd
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.pages import drawing

if TYPE_CHECKING:
    from loomtable.table.hosting.certificates import Certificate

_FAREWELL = 1
"""Seconds that open connections are given when the table closes."""
_QUEUE = 2048
"""Connections that the system holds until it is their turn to be accepted."""


class PortTaken(NotNow):
    """Another program listens where the table should."""


@dataclass(frozen=True)
class Plan:
    """What is served where."""

    port: int
    names: tuple[str, ...]
    addresses: Addresses
    lan: bool
    certificate: Certificate | None


def plan(port: int, *, lan: bool, folder: Path) -> Plan:
    """Where the table will be found; on the network a certificate is made for its addresses.

    Raises:
        CertificateUnusable: it cannot be kept in ``folder``.
    """
    own = base_url("http", "127.0.0.1", port)
    if not lan:
        return Plan(port, LOOPBACK, Addresses(own), False, None)
    from loomtable.table.hosting.certificates import certificate_for  # only phones need what it loads

    found = network_addresses()
    names = known_names(found)
    secure = tuple(base_url("https", address, port + 1) for address in found)
    plain = tuple(base_url("http", address, port) for address in found)
    return Plan(port, names, Addresses(own, secure, plain), True, certificate_for(names, folder))


class _Server(uvicorn.Server):
    """One of several servers in a loop: signals are handled once for all of them, connections counted together."""

    def __init__(self, config: uvicorn.Config, crowd: Crowd) -> None:
        super().__init__(config)
        self.crowd = crowd

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.servers = []  # asyncio's own, which accept without counting
        self._accepting = [
            asyncio.create_task(self.crowd.accept(opened, self.config.ssl, self._connection))
            for opened in sockets or ()
        ]
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for task in self._accepting:
            task.cancel()
        await asyncio.wait(self._accepting)
        await super().shutdown(sockets)

    def _connection(self, address: str) -> Connection:
        return Connection(self.crowd, address, self.config, self.server_state, self.lifespan.state)


def serve(host: TableHost, planned: Plan, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until the process is told to stop; ``ready`` is called once everybody can be let in.

    Raises:
        PortTaken: another program listens there.
    """
    sockets = _sockets(planned)
    servers = _servers(host, planned)
    asyncio.run(_until_stopped(host, servers, sockets, ready))


async def _until_stopped(
    host: TableHost,
    servers: Sequence[_Server],
    sockets: Sequence[socket.socket],
    ready: Callable[[], None],
) -> None:
    def stop() -> None:
        for server in servers:
            server.should_exit = True

    loop = asyncio.get_running_loop()
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # on Windows, Ctrl+C raises KeyboardInterrupt instead
                loop.add_signal_handler(number, stop)
    await drawing.load()  # before anybody is let in
    watching = asyncio.create_task(servers[0].crowd.watch())
    serving = [
        asyncio.create_task(server.serve([opened])) for server, opened in zip(servers, sockets, strict=True)
    ]
    while not all(server.started for server in servers) and not any(task.done() for task in serving):
        await asyncio.sleep(0.02)
    ready()
    while not any(server.should_exit for server in servers) and not any(task.done() for task in serving):
        await asyncio.sleep(0.05)
    host.tell(Topic.CLOSED)  # connections that wait for news end now, so that none has to be cut off
    cutting = asyncio.create_task(_cut_off(servers))
    await asyncio.gather(*serving)
    cutting.cancel()
    watching.cancel()


async def _cut_off(servers: Sequence[_Server]) -> None:
    """End what takes too long: it is answered that the table closes, and then nobody is waited for."""
    await asyncio.sleep(_FAREWELL)
    for server in servers:
        for task in tuple(server.server_state.tasks):
            task.cancel()
    await asyncio.sleep(_FAREWELL / 5)
    for server in servers:
        for connection in tuple(server.server_state.connections):
            connection.transport.abort()  # whoever does not read what is left to say
        server.force_exit = True


def _servers(host: TableHost, planned: Plan, throttle: Throttle | None = None) -> list[_Server]:
    host.addresses = planned.addresses
    host.follow()
    ports = [planned.port, *([planned.port + 1] if planned.lan else [])]
    app = application(host, planned.names, ports, throttle)
    app.state.certificate = planned.certificate
    configs = [_config(app)]
    if planned.certificate is not None:
        made = planned.certificate
        configs.append(_config(app, ssl_certfile=str(made.chain), ssl_keyfile=str(made.key)))
    crowd = Crowd()
    return [_Server(config, crowd) for config in configs]


def _config(app: object, **more: str) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # Starlette's application is one
        log_level="error",  # what strangers send is no trouble of ours
        access_log=False,  # addresses hold codes and names
        server_header=False,
        ws="none",
        lifespan="off",
        proxy_headers=False,
        h11_max_incomplete_event_size=32_768,
        **more,  # type: ignore[arg-type]
    )


def _sockets(planned: Plan) -> list[socket.socket]:
    where = "0.0.0.0" if planned.lan else "127.0.0.1"
    ports = [planned.port, *([planned.port + 1] if planned.lan else [])]
    opened: list[socket.socket] = []
    try:
        for port in ports:
            opened.append(_listening(where, port))
    except OSError as error:
        for made in opened:
            made.close()
        raise PortTaken(
            f"port {ports[len(opened)]} cannot be used ({error.strerror}); is a table open already? "
            "Choose another with --port"
        ) from None
    return opened


def _listening(where: str, port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((where, port))
        opened.listen(_QUEUE)
    except OSError:
        opened.close()
        raise
    return opened


@contextlib.contextmanager
def served(
    host: TableHost,
    *,
    lan: bool = False,
    folder: Path | None = None,
    throttle: Throttle | None = None,
    port: int = 0,
) -> Iterator[Plan]:
    """The table served from a thread, at free ports unless one is given: for tests, pictures and benchmarks."""
    if not port:
        with _free_ports(2 if lan else 1) as port:
            pass
    planned = plan(port, lan=lan, folder=folder or Path())
    servers = _servers(host, planned, throttle)
    sockets = _sockets(planned)
    started = threading.Event()
    thread = threading.Thread(
        target=lambda: asyncio.run(_until_stopped(host, servers, sockets, started.set)), daemon=True
    )
    thread.start()
    started.wait(20)
    try:
        yield planned
    finally:
        for server in servers:
            server.should_exit = True
        thread.join(10)


@contextlib.contextmanager
def _free_ports(count: int) -> Iterator[int]:
    """The first of so many ports in a row that nobody uses."""
    for _ in range(50):
        with contextlib.ExitStack() as held:
            first = held.enter_context(_listening("127.0.0.1", 0))
            port = int(first.getsockname()[1])
            try:
                for further in range(1, count):
                    held.enter_context(_listening("127.0.0.1", port + further))
            except OSError:
                continue
            yield port
            return
    raise PortTaken("no free ports were found")
