"""Memory that photographs take: ``python -m benchmarks.uploads``.

A table is served in this program; a camera that has joined sends eight photographs at once, first while nothing
is asked and then while dice are. Measured are the most memory that lay in RAM meanwhile, beside that before, and
what is left afterwards.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import cv2
import httpx
import numpy as np

from benchmarks.table_hour import memory
from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.serving import served
from loomtable.table.store import open_store
from loomtable.vision.pictures import BgrImage

AT_ONCE = 8
BOUND = 250.0
"""MB that memory may grow by."""


class Peak:
    """The most memory that lay in RAM, looked at every few milliseconds."""

    def __init__(self) -> None:
        self.most = memory()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._stop.wait(0.003):
            self.most = max(self.most, memory())

    def end(self) -> float:
        self._stop.set()
        self._thread.join()
        return self.most


def felt(width: int, height: int) -> BgrImage:
    """A table with a few light squares on it."""
    picture = np.full((height, width, 3), (60, 110, 50), np.uint8)
    side = max(width // 40, 8)
    for x, y in ((0.2, 0.3), (0.5, 0.6), (0.7, 0.2)):
        left, top = int(x * width), int(y * height)
        cv2.rectangle(picture, (left, top), (left + side, top + side), (225, 230, 235), -1)
    return picture


def files() -> Iterator[tuple[str, bytes]]:
    """What is sent, and as what."""
    for name, side, suffix, how in (
        ("PNG, 59 megapixels", 7690, ".png", [cv2.IMWRITE_PNG_COMPRESSION, 9]),
        ("PNG, 24 megapixels", 4900, ".png", [cv2.IMWRITE_PNG_COMPRESSION, 9]),
        ("JPEG, 59 megapixels", 7690, ".jpg", []),
        ("progressive JPEG, 59 megapixels", 7690, ".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
        ("progressive JPEG, 12 megapixels", 3500, ".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
    ):
        yield name, cv2.imencode(suffix, felt(side, side), how)[1].tobytes()


@contextmanager
def a_table() -> Iterator[tuple[TableHost, str, str]]:
    """A table that is served: its host, its address, and the token of a camera."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "uploads.db") as store:
        host = TableHost(store)
        live = host.begin("storm-weavers", "friday")
        live.take(Action("create", {"dexterity_points": 2}), by="", revision=1)
        _, token = host.devices.join(host.devices.pair(Role.CAMERA, session="friday").code)
        with served(host, throttle=Throttle(1e6, 1e6)) as planned:
            yield host, planned.addresses.own, token
        host.close()


def main() -> None:
    """Print how much memory each kind of photograph takes."""
    sent = list(files())
    with a_table() as (host, base, token):
        headers = {"authorization": f"Bearer {token}", "accept": "application/json"}
        with httpx.Client(base_url=base, headers=headers, timeout=600) as client:

            def send(encoded: bytes) -> int:
                return client.post("/api/play/friday/photo", content=encoded,
                                   headers={"content-type": "image/png"}).status_code  # fmt: skip

            print(f"| {AT_ONCE} at once | asked | answers | seconds | before | peak growth | left | |")
            print("| --- | --- | --- | --- | --- | --- | --- | --- |")
            _row("nothing is asked", sent[0], send)
            live = host.live_session("friday")
            live.take(Action("test", {"attribute": "wisdom"}), by="", revision=live.revision)
            send(cv2.imencode(".jpg", felt(1600, 1200))[1].tobytes())  # the networks are loaded
            for one in sent:
                _row("two d6", one, send)


def _row(asked: str, one: tuple[str, bytes], send) -> None:  # type: ignore[no-untyped-def]
    name, encoded = one
    before, begun, peak = memory(), time.perf_counter(), Peak()
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = Counter(threads.map(send, [encoded] * AT_ONCE))
    most, seconds = peak.end() - before, time.perf_counter() - begun
    said = ", ".join(f"{count} x {status}" for status, count in sorted(answers.items()))
    held = "held" if most <= BOUND else f"over {BOUND:.0f} MB"
    print(
        f"| {name}, {len(encoded) // 1000} kB | {asked} | {said} | {seconds:.1f} | {before:.0f} MB "
        f"| {most:.0f} MB | {memory() - before:.0f} MB | {held} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
