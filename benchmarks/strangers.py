"""What strangers cost: ``python -m benchmarks.strangers``.

A table is served in this program. First bodies that are small to send and large to read are sent to it one at a
time, by a stranger and by the host: measured is the CPU time of each. Then 512 connections of two addresses say
nothing, or never end what they say: measured are the memory meanwhile and once they are gone, and how long the
host's page takes. The exit status is 1 where a bound was passed.

Last: 19 ms a form, 43 a file (bounds 30, 60); 63 MB for 512 slow connections, the page within 0.85 s.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import tempfile
import time
from pathlib import Path

import httpx

from benchmarks.timing import memory
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.patience import PATIENCE
from loomtable.table.serving import Plan, served
from loomtable.table.store import open_store
from tests.table.asking import Asker, Table
from tests.table.bodies import bodies

BODY = 30.0
"""CPU milliseconds of a body, at most."""
FILE = 60.0
"""The same of one that may be a file, of 12 MB."""
GROWTH, PAGE = 100.0, 1.0
"""MB of memory more, and seconds of the host's page, while strangers hold connections."""
HELD = 512
_FORM = (
    "POST /join HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nsec-fetch-site: same-origin\r\n"
    "content-type: application/x-www-form-urlencoded\r\n"
)
KINDS = {
    "silent": "",
    "half a head": "GET / HTTP/1.1\r\nx: " + "y" * 32_000,
    "half a form": f"{_FORM}content-length: 63999\r\n\r\n" + "x" * 63_000,
    "a form that is too large": f"{_FORM}content-length: 1990000\r\n\r\n" + "x" * 300_000,
    "a form of unknown size": f"{_FORM}transfer-encoding: chunked\r\n\r\nf000\r\n" + "x" * 0xF000,
}


def sent(asker: Asker, path: str, size: int, most: float) -> int:
    """A line for each body; how many took too long."""
    late = 0
    for name, (body, kind) in bodies(size).items():
        took = []
        for _ in range(3):  # garbage of what was before is not its own
            begun = time.process_time()
            answer = asker.ask("POST", path, body, {"sec-fetch-site": "same-origin", "content-type": kind})
            took.append(1000 * (time.process_time() - begun))
        late += min(took) > most
        print(f"| {path} | {name} | {len(body) / 1000:,.0f} kB | {answer.status} | {min(took):.1f} ms |")
    return late


def held(host: TableHost, planned: Plan, kind: str, port: int) -> int:
    """A line for 512 connections; 1 where a bound was passed."""
    headers = {"authorization": f"Bearer {host.devices.admit(Role.HOST)[1]}", "accept": "text/html"}

    def page() -> float:
        begun = time.perf_counter()
        assert httpx.get(planned.addresses.own, headers=headers, timeout=60).status_code == 200
        return time.perf_counter() - begun

    page()
    says, before = KINDS[kind].format(port=port).encode(), memory()
    with contextlib.ExitStack() as opened:
        slow = []
        for number in range(HELD):
            one = socket.create_connection(
                ("127.0.0.1", port), 30, source_address=(f"127.0.0.{2 + number % 2}", 0)
            )
            slow.append(opened.enter_context(one))
            one.settimeout(0.2)
            with contextlib.suppress(OSError):
                one.sendall(says)
        most, pages, end = 0.0, [page()], time.monotonic() + PATIENCE * 1.3
        while time.monotonic() < end:
            for one in slow:
                with contextlib.suppress(OSError):
                    one.sendall(b"z" if says else b"")
            pages.append(page())
            most = max(most, memory() - before)
            time.sleep(0.3)
    time.sleep(3)
    middle = sorted(pages)[len(pages) // 2]
    name = f"{kind}, HTTPS" if port != planned.port else kind
    print(
        f"| {name} | {most:.0f} MB | {memory() - before:.0f} MB | {middle:.2f} s, {max(pages):.2f} s |", flush=True
    )
    return int(most > GROWTH or middle > PAGE)


def main() -> int:
    """Print what each body and each kind of connection costs; 1 where it was too much."""
    late = 0
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "strangers.db") as store:
        host = TableHost(store)
        host.begin("storm-weavers", "friday")
        table = Table(host, hurried=True)
        stranger, joined = table.stranger(), table.join(Role.HOST)
        print("| to | body | size | answer | CPU |\n| --- | --- | --- | --- | --- |")
        for size in (63_900, 2_000_000):
            late += sent(stranger, "/join", size, BODY)
        for size in (255_900, 2_000_000):
            late += sent(joined, "/api/play/friday/act", size, BODY)
        late += sent(joined, "/api/play/friday/photo", 11_900_000, FILE)
        print(f"\n| {HELD} connections | memory | afterwards | the host's page: middle, slowest |")
        print("| --- | --- | --- | --- |")
        with served(host, lan=True, folder=Path(folder) / "kept") as planned:
            for kind in KINDS:
                late += held(host, planned, kind, planned.port)
            late += held(host, planned, "silent", planned.port + 1)
        host.close()
    return int(late > 0)


if __name__ == "__main__":
    sys.exit(main())
