"""An hour at the table in a few minutes: ``python -m benchmarks.table_hour``.

Eight devices play one session over HTTP, each with its own connection for news: the host, six players' phones, and
a camera. A group of six takes a step about every ten seconds, so an hour has some 360 steps; every device looks at
the table after each, as its page does, and the camera sends a frame four times a second. As many requests
and events are made without the pauses, and the memory of the program is read every so often.
"""

from __future__ import annotations

import argparse
import gc
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import httpx
import numpy as np

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.serving import served
from loomtable.table.store import open_store
from loomtable.testing import random_step

STEPS = 360
FRAMES = 4 * 3600
"""Frames of an hour of a phone's camera; nothing is asked that it could read for most of them."""
PLAYERS = ("Ada", "Ben", "Cyd", "Dov", "Eve", "Fay")


@dataclass
class Heard:
    """What one device was told."""

    events: int = 0
    bytes: int = 0
    answers: list[float] = field(default_factory=list)
    """Seconds of each look at the table."""


def memory() -> float:
    """MB of this program's memory that lie in RAM."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


class Device:
    """A phone or a screen: its page looks at the table, and hears of news."""

    def __init__(self, base: str, token: str, path: str) -> None:
        self.heard = Heard()
        headers = {"authorization": f"Bearer {token}", "accept": "application/json"}
        self._asking = httpx.Client(base_url=base, headers=headers, timeout=30)
        self._hearing = httpx.Client(base_url=base, headers=headers, timeout=None)
        self._path = path
        self._thread = threading.Thread(target=self._hear, daemon=True)
        self._thread.start()

    def _hear(self) -> None:
        try:
            with self._hearing.stream("GET", f"{self._path}/events") as news:
                for line in news.iter_lines():
                    self.heard.events += line.startswith("event:")
        except httpx.HTTPError:
            return  # the table is closed

    def look(self) -> None:
        begun = time.perf_counter()
        answer = self._asking.get(f"{self._path}/state")
        answer.raise_for_status()
        self.heard.answers.append(time.perf_counter() - begun)
        self.heard.bytes += len(answer.content)

    def frame(self, jpeg: bytes) -> float:
        begun = time.perf_counter()
        answer = self._asking.post(f"{self._path}/frame", content=jpeg, headers={"content-type": "image/jpeg"})
        answer.raise_for_status()
        return time.perf_counter() - begun

    def close(self) -> None:
        self._asking.close()
        self._hearing.close()


@contextmanager
def eight_devices(host: TableHost, base: str) -> Iterator[tuple[list[Device], Device]]:
    """The devices that look at the table, and the camera among them."""

    def joined(role: Role, person: str = "") -> Device:
        live = "" if role is Role.HOST else "friday"
        _, token = host.devices.join(host.devices.pair(role, person=person, session=live).code)
        return Device(base, token, "/api/play/friday")

    watching = [joined(Role.HOST), *(joined(Role.PLAYER, name) for name in PLAYERS)]
    camera = joined(Role.CAMERA)
    try:
        yield watching, camera
    finally:
        for device in (*watching, camera):
            device.close()


def steps(live: LiveSession, source: random.Random) -> Iterator[int]:
    """Random play through the live session; the number of steps that counted, after each."""
    counted = 0
    while True:
        try:
            live.take(random_step(live.session, source), by="Ada's phone", revision=live.revision)
        except LoomtableError:
            continue
        counted += 1
        yield counted


def main() -> None:
    """Print the memory as the hour goes by, and how long answers took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--system", default="mnemonic")
    parser.add_argument("--hours", type=float, default=1.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "hour.db") as store:
        host = TableHost(store)
        host.begin(given.system, "friday", seed="1")
        with (
            served(host, throttle=Throttle(1e6, 1e6)) as planned,
            eight_devices(host, planned.addresses.own) as (watching, camera),
        ):
            _an_hour(host.live_session("friday"), watching, camera, given.hours)
        host.close()


def _an_hour(live: LiveSession, watching: list[Device], camera: Device, hours: float) -> None:
    felt = np.full((720, 1280, 3), (60, 110, 50), np.uint8)
    cv2.circle(felt, (900, 300), 120, (70, 125, 60), -1)
    jpeg = cv2.imencode(".jpg", felt)[1].tobytes()
    most, frames = round(STEPS * hours), FRAMES // STEPS
    begun, rss = time.perf_counter(), []
    slow: list[float] = []
    for counted in steps(live, random.Random(1)):
        for device in watching:
            device.look()
        slow += [camera.frame(jpeg) for _ in range(frames)]
        if counted % (most // 6) == 0:
            gc.collect()
            rss.append(memory())
            print(f"{counted:>5} steps  {live.revision:>5} lines  {rss[-1]:7.1f} MB", flush=True)
        if counted >= most:
            break
    looks = sorted(seconds for device in watching for seconds in device.heard.answers)
    slow.sort()
    print()
    print("| what | figure |")
    print("| --- | --- |")
    print(f"| steps, requests, events heard | {most}, {len(looks) + len(slow)}, "
          f"{sum(d.heard.events for d in (*watching, camera))} |")  # fmt: skip
    print(f"| memory after a sixth of the time, and at the end | {rss[0]:.1f} MB, {rss[-1]:.1f} MB |")
    print(f"| a look at the table, median and 95th percentile | {_ms(looks, 0.5)}, {_ms(looks, 0.95)} |")
    print(f"| a phone's frame there and back, median and 95th percentile | {_ms(slow, 0.5)}, {_ms(slow, 0.95)} |")
    print(f"| seconds in all | {time.perf_counter() - begun:.0f} |")


def _ms(ordered: list[float], share: float) -> str:
    return f"{1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.1f} ms"


if __name__ == "__main__":
    main()
