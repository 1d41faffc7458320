"""Strangers at the door: sockets that say nothing, say it slowly or do not listen; and the host is served."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from benchmarks.timing import memory
from loomtable.engine.kernel.play import Action
from loomtable.table.hosting import patience
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.events import MOST_PER_DEVICE
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.patience import MOST
from loomtable.table.serving import Plan, served
from loomtable.table.store import open_store
from tests.short import present
from tests.table.asking import a_tale
from tests.table.filming import until
from tests.table.ports import free_port
from tests.tiers import thorough

resource = pytest.importorskip("resource", reason="Windows has no limit of descriptors to reach")
PATIENT = 30
"""Seconds for a machine that is busy with much else."""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TableHost]:
    with TableHost(open_store(tmp_path / "e.db")) as runs:
        a_tale(runs)
        yield runs


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that waits a second where it waits for ten."""
    monkeypatch.setattr(patience, "PATIENCE", 1.0)


@pytest.fixture
def crowd() -> Iterator[Callable[..., list[socket.socket]]]:
    """Opens many connections from an address, and sends the same over each."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    with contextlib.ExitStack() as held:

        def come(port: int, count: int, says: bytes = b"", address: str = "127.0.0.1") -> list[socket.socket]:
            room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - MOST - 300
            opened = []
            for _ in range(min(count, room)):
                one = socket.create_connection(("127.0.0.1", port), PATIENT, source_address=(address, 0))
                held.enter_context(one)
                opened.append(one)
                with contextlib.suppress(ConnectionError):  # it may have had to go already
                    one.sendall(says)
            return opened

        yield come


def token_of(host: TableHost) -> str:
    return host.devices.admit(Role.HOST)[1]


def answered(host: TableHost, planned: Plan, token: str) -> None:
    """The host asks anew and is answered."""
    state = httpx.get(
        f"{planned.addresses.own}/api/play/friday/state",
        headers={"authorization": f"Bearer {token}", "accept": "application/json"},
        timeout=PATIENT,
    )
    assert state.json()["revision"] == host.live_session("friday").revision


def still_open(ones: list[socket.socket]) -> int:
    """How many of them the table has not closed."""
    poll = select.poll()
    for one in ones:
        poll.register(one, select.POLLIN | select.POLLHUP | select.POLLERR)
    closed = 0
    by_number = {one.fileno(): one for one in ones}
    for number, _ in poll.poll(0):
        try:
            closed += by_number[number].recv(1 << 16, socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            pass
        except OSError:
            closed += 1
    return len(ones) - closed


def gone(one: socket.socket) -> bool:
    """Wait for the other side to close, reading what comes."""
    one.settimeout(PATIENT)
    try:
        while one.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@pytest.mark.usefixtures("hasty")
def test_two_thousand_silent_connections_of_its_own_address_leave_the_host_served(
    host: TableHost, crowd: Callable[..., list[socket.socket]]
) -> None:
    with served(host) as planned:
        token = token_of(host)
        silent = crowd(planned.port, 2000)
        answered(host, planned, token)
        assert len(silent) > MOST, "too few descriptors to try it"
        assert still_open(silent) <= MOST
        until(lambda: still_open(silent) == 0)
        answered(host, planned, token)


HEAD = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: "
FORM = (
    b"POST /join HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nsec-fetch-site: same-origin\r\n"
    b"content-type: application/x-www-form-urlencoded\r\ncontent-length: 64000\r\n\r\n"
)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere this machine has one loopback address only")
@pytest.mark.parametrize("says", [b"", HEAD + b"y" * 32_000, FORM + b"code=" + b"x" * 63_000])
def test_slow_connections_of_two_addresses_leave_the_host_served_and_little_memory_taken(
    host: TableHost, crowd: Callable[..., list[socket.socket]], says: bytes
) -> None:
    with served(host) as planned:
        token = token_of(host)
        answered(host, planned, token)
        before = memory()
        said = says.replace(b"%d", str(planned.port).encode())
        slow = [one for n in (2, 3) for one in crowd(planned.port, 256, said, f"127.0.0.{n}")]
        for _ in range(5):
            for one in slow:
                with contextlib.suppress(OSError):
                    one.sendall(b"z")
            answered(host, planned, token)
        assert still_open(slow) <= MOST
        assert memory() - before < 60, "MB"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere this machine has one loopback address only")
def test_of_the_address_that_has_most_the_oldest_goes_and_whoever_is_served_stays(
    host: TableHost, crowd: Callable[..., list[socket.socket]]
) -> None:
    with served(host) as planned:
        phone = crowd(planned.port, 1, address="127.0.0.9")
        for n in (2, 3, 4):
            held = crowd(planned.port, MOST, address=f"127.0.0.{n}")
            answered(host, planned, token_of(host))
            assert still_open(held) <= MOST
        assert still_open(phone) == 1, "it has fewer than they"


@pytest.mark.usefixtures("hasty")
def test_a_request_that_never_ends_is_not_waited_for(
    host: TableHost, crowd: Callable[..., list[socket.socket]]
) -> None:
    with served(host) as planned:
        token = token_of(host)
        half = crowd(planned.port, 100, b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ")
        [dripping] = crowd(planned.port, 1, b"GET / HTTP/1.1\r\n")
        answered(host, planned, token)
        with contextlib.suppress(OSError):
            for _ in range(PATIENT * 10):
                dripping.sendall(b"x: y\r\n")
                time.sleep(0.1)
            pytest.fail("a head that comes a line at a time is waited for")
        assert all(gone(one) for one in half)


@pytest.mark.usefixtures("hasty")
def test_a_body_that_never_comes_is_not_waited_for(
    host: TableHost, crowd: Callable[..., list[socket.socket]]
) -> None:
    with served(host) as planned:
        head = (
            f"POST /api/play/friday/act HTTP/1.1\r\nhost: 127.0.0.1:{planned.port}\r\nauthorization: Bearer "
            f"{token_of(host)}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n"
        )
        [one] = crowd(planned.port, 1, head.encode() + b'{"revision')
        assert gone(one)


@pytest.mark.usefixtures("hasty")
def test_a_connection_that_was_answered_is_not_kept_for_half_a_request(
    host: TableHost, crowd: Callable[..., list[socket.socket]]
) -> None:
    with served(host) as planned:
        [one] = crowd(planned.port, 1, f"GET /help HTTP/1.1\r\nhost: 127.0.0.1:{planned.port}\r\n\r\n".encode())
        assert one.recv(1 << 16)
        one.sendall(b"GET /")
        assert gone(one)


@thorough
@pytest.mark.usefixtures("hasty")
def test_a_body_that_does_not_get_on_is_not_waited_for_and_one_that_does_is(host: TableHost) -> None:
    with served(host) as planned:
        head = (
            f"POST /api/play/friday/photo HTTP/1.1\r\nhost: 127.0.0.1:{planned.port}\r\nauthorization: Bearer "
            f"{token_of(host)}\r\naccept: application/json\r\n"
            "content-type: image/jpeg\r\ncontent-length: 1800000\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", planned.port), PATIENT) as slow, contextlib.suppress(OSError):
            slow.sendall(head.encode())
            for _ in range(PATIENT * 10):
                slow.sendall(b" ")
                time.sleep(0.1)
            pytest.fail("a body that comes a byte at a time is waited for")
        with socket.create_connection(("127.0.0.1", planned.port), PATIENT) as steady:
            steady.sendall(head.encode())
            for _ in range(18):
                steady.sendall(b" " * 100_000)
                time.sleep(0.2)
            assert steady.recv(100).startswith(b"HTTP/1.1 400"), (
                "the whole body was read, and no photograph is asked for"
            )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not tell which connections it has")
@pytest.mark.usefixtures("hasty")
def test_whoever_does_not_read_the_answers_is_not_waited_for(host: TableHost) -> None:
    asked = "GET /art/region/the-lace-weald.svg HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n\r\n"
    with served(host) as planned, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", planned.port))
        deaf.sendall(asked.format(planned.port).encode() * 60)
        ours = connections_of(planned)
        until(lambda: ours() == 1)
        until(lambda: ours() == 0)


def connections_of(planned: Plan) -> Callable[[], int]:
    """How many connections this process holds at the table's port, as the system counts them."""
    port = f":{planned.port:04X}"

    def count() -> int:
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(row[1].endswith(port) and row[3] == "01" for row in rows)

    return count


@thorough
@pytest.mark.usefixtures("hasty")
def test_over_https_a_handshake_that_never_comes_is_not_waited_for(
    host: TableHost, tmp_path: Path, crowd: Callable[..., list[socket.socket]]
) -> None:
    with served(host, lan=True, folder=tmp_path / "kept") as planned:
        assert planned.certificate is not None
        silent = crowd(planned.port + 1, MOST + 200)
        trusted = ssl.create_default_context(cafile=str(planned.certificate.authority))
        asked = httpx.get(f"https://127.0.0.1:{planned.port + 1}/join", verify=trusted, timeout=PATIENT)
        assert asked.status_code == 200
        until(lambda: still_open(silent) == 0)


def test_news_go_on_through_a_crowd_and_are_counted_before_they_begin(
    host: TableHost, crowd: Callable[..., list[socket.socket]]
) -> None:
    with served(host) as planned:
        token = token_of(host)
        asked = (
            f"GET /api/play/friday/events HTTP/1.1\r\nhost: 127.0.0.1:{planned.port}\r\n"
            f"authorization: Bearer {token}\r\naccept: application/json\r\n\r\n"
        ).encode()
        pages = crowd(planned.port, 60, asked)
        heads = [one.recv(20) for one in pages]
        listening = [one for one, head in zip(pages, heads, strict=True) if head.startswith(b"HTTP/1.1 200")]
        assert len(listening) == MOST_PER_DEVICE
        assert sum(head.startswith(b"HTTP/1.1 429") for head in heads) == len(pages) - MOST_PER_DEVICE
        crowd(planned.port, MOST * 2)
        host.live_session("friday").take(Action("gain-item", {"item": "Rope"}), by="", revision=2)
        for one in listening:
            heard = b""
            while b'"revision":3' not in heard:
                more = one.recv(1 << 16)
                assert more, "a page that listens had to go for a stranger"
                heard += more
            one.close()
        until(lambda: host.live_session("friday").bus.subscribers == 0)
        head = httpx.head(
            f"{planned.addresses.own}/api/play/friday/events", headers={"authorization": f"Bearer {token}"}
        )
        assert head.status_code == 200 and head.headers["content-type"].startswith("text/event-stream")
        assert host.live_session("friday").bus.subscribers == 0


@thorough
def test_with_few_descriptors_the_table_is_open_and_the_terminal_stays_quiet(tmp_path: Path) -> None:
    """The real command under a limit of 256, with twice as many connections."""
    port = free_port()
    program = subprocess.Popen(
        ["sh", "-c", 'ulimit -n 256; exec "$0" "$@"', sys.executable, "-m", "loomtable",
         "table", "--no-open", "--port", str(port), "--store", str(tmp_path / "e.db")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={"XDG_DATA_HOME": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    try:
        assert "open at" in present(program.stdout).readline()
        with contextlib.ExitStack() as held:
            for _ in range(512):
                held.enter_context(socket.create_connection(("127.0.0.1", port), PATIENT))
            assert httpx.get(f"http://127.0.0.1:{port}/join", timeout=PATIENT).status_code == 200
    finally:
        program.terminate()
        _, trouble = program.communicate(timeout=60)
    assert program.returncode == 0 and not trouble, trouble
