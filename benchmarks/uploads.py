"""What pictures that phones send cost the others: ``python -m benchmarks.uploads [NAME...]``.

A table is served in this program, and Weave dice are asked for, in whose place ordinary dice may lie. One
photograph of each kind is sent alone, and then eight at once from eight devices, while another device sends live
frames. Measured are the most memory that lay in RAM meanwhile, beside that before, and the slowest answer to a
frame. Then (``frames-60``) one phone, a program of its own, sends sixty 4K frames at once, over and over: how long
the host waits for a page, beside how long without them. The exit status is 1 where a bound was passed.

Last: 161 MB for one photograph, 216 for eight (bounds 200, 250); the page at most 1.6 times as slow.
"""

from __future__ import annotations

import multiprocessing
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
from PIL import ExifTags, Image

from benchmarks.timing import memory
from docs.site.page_pictures import evening
from loomtable.engine.kernel.requests import Roll
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.serving import served
from loomtable.table.store import open_store
from loomtable.testing.virtual import VirtualCamera, handful_of_dice, photograph
from loomtable.vision.pictures import BgrImage

AT_ONCE = 8
BOUNDS = {1: 200.0, AT_ONCE: 250.0}
"""MB that memory may grow by, by how many photographs are sent at once."""
FRAMES, LONGER = "frames-60", 3.0
"""Times as long as without sixty frames at once may the host wait for a page, in the middle of ``PAGES``."""
PAGES = 40


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


def lying(width: int, height: int) -> BgrImage:
    """A picture with grain, as a phone's, of the size wanted."""
    camera = VirtualCamera(tilt=20)
    dice = photograph(handful_of_dice([3, 5, 6, 2, 1], seed=1, camera=camera), camera, seed=1).picture
    grain = np.random.default_rng(1).integers(0, 12, (height // 2, width // 2, 3), np.uint8)
    large = cv2.resize(dice, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.add(large, cv2.resize(grain, (width, height))), np.uint8)


def turned(jpeg: bytes) -> bytes:
    """A JPEG whose camera was held upright (EXIF)."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    block = exif.tobytes()
    return jpeg[:2] + b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block + jpeg[2:]


def files() -> dict[str, Callable[[], bytes]]:
    """What is sent, by the name that chooses it."""
    progressive = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]

    def packed(suffix: str, width: int, height: int, how: list[int], black: bool = False) -> bytes:
        picture = np.zeros((height, width, 3), np.uint8) if black else lying(width, height)
        return cv2.imencode(suffix, picture, how)[1].tobytes()

    return {
        "jpeg-12": lambda: turned(packed(".jpg", 4000, 3000, [])),
        "jpeg-24": lambda: turned(packed(".jpg", 6000, 4000, [])),
        "jpeg-59": lambda: packed(".jpg", 7690, 7690, []),
        "progressive-24": lambda: packed(".jpg", 6000, 4000, progressive),
        "png-24-black": lambda: packed(".png", 4900, 4900, [cv2.IMWRITE_PNG_COMPRESSION, 9], black=True),
        "png-59": lambda: packed(".png", 7690, 7690, [cv2.IMWRITE_PNG_COMPRESSION, 9], black=True),
        "webp-8": lambda: packed(".webp", 3840, 2160, [cv2.IMWRITE_WEBP_QUALITY, 80]),
        "webp-23-black": lambda: packed(".webp", 16383, 1400, [cv2.IMWRITE_WEBP_QUALITY, 80], black=True),
    }


def main(wanted: Sequence[str]) -> int:
    """Print how much memory each kind of photograph takes; 1 where it was too much."""
    worst = 0
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "uploads.db") as store:
        host = TableHost(store)
        evening(host, "friday", "weave-an-hour-ahead", lambda _, asked: isinstance(asked, Roll) and asked.stand_in)
        with served(host, throttle=Throttle(1e6, 1e6)) as planned:
            base = planned.addresses.own
            phones = [Phone(host, base) for _ in range(AT_ONCE + 1)]
            phones[0].send(
                "photo", cv2.imencode(".jpg", lying(1600, 1200))[1].tobytes()
            )  # the networks are loaded
            print("| what | file | at once | answers | seconds | peak growth | left | slowest frame |")
            print("| --- | --- | --- | --- | --- | --- | --- | --- |")
            for name, make in files().items():
                if wanted and name not in wanted:
                    continue
                encoded = make()
                for count in BOUNDS:
                    worst = max(worst, _row(name, encoded, phones[:count], phones[-1]))
            if not wanted or FRAMES in wanted:
                worst = max(worst, _waits(host, base, phones[0]))
        host.close()
    return worst


def _waits(host: TableHost, base: str, phone: Phone) -> int:
    """Print how long the host waits for a page without and with sixty frames at once; 1 where it is too long."""
    page = Phone(host, base, Role.HOST)

    def waits() -> list[float]:
        taken = []
        for _ in range(PAGES // 2):
            begun = time.perf_counter()
            page.get("/table/friday")
            taken.append(1000 * (time.perf_counter() - begun))
        return taken

    frame = cv2.imencode(".jpg", lying(3840, 2160))[1].tobytes()
    spawn = multiprocessing.get_context("spawn")
    quiet, begun, over, answers = waits(), spawn.Event(), spawn.Event(), spawn.Queue()
    sender = spawn.Process(target=_sixty, args=(base, phone.token, frame, begun, over, answers))
    sender.start()
    begun.wait()
    busy = waits() + waits()
    over.set()
    said = Counter(answers.get())
    sender.join()
    quiet += waits()
    before, during = statistics.median(quiet), statistics.median(busy)
    print(
        f"\n60 frames of {len(frame) / 1e6:.1f} MB at once, over and over ({dict(said)}): the host's page takes "
        f"{during:.0f} ms, {max(busy):.0f} at most; without them {before:.0f}, {max(quiet):.0f} at most: "
        f"{during / before:.1f} times as long"
    )
    return int(during > LONGER * before)


def _sixty(base: str, token: str, frame: bytes, begun: Any, over: Any, answers: Any) -> None:
    """Send a frame sixty times at once from one phone, until it is over; the statuses of all answers."""
    phones = [Phone(None, base, token=token) for _ in range(60)]
    statuses: list[int] = []
    with ThreadPoolExecutor(len(phones)) as threads:
        while not over.is_set():
            sent = [threads.submit(phone.send, "frame?start=1", frame) for phone in phones]
            begun.set()
            statuses += [one.result() for one in sent]
    answers.put(statuses)


class Phone:
    """A device that has joined, by default as a camera."""

    def __init__(self, host: TableHost | None, base: str, role: Role = Role.CAMERA, token: str = "") -> None:
        self.token = token if host is None else host.devices.admit(role)[1]
        headers = {"authorization": f"Bearer {self.token}", "content-type": "image/jpeg"}
        self._client = httpx.Client(base_url=base, headers=headers, timeout=600)

    def send(self, verb: str, encoded: bytes) -> int:
        """The status of the answer; 0 where it was refused before all was sent."""
        headers = {"accept": "application/json"}
        try:
            return self._client.post(f"/api/play/friday/{verb}", content=encoded, headers=headers).status_code
        except httpx.TransportError:
            return 0

    def get(self, path: str) -> None:
        """Look at a page."""
        self._client.get(path).raise_for_status()


def _row(name: str, encoded: bytes, phones: Sequence[Phone], live: Phone) -> int:
    frame = cv2.imencode(".jpg", lying(1280, 720))[1].tobytes()
    live.send("frame?start=1", frame)  # the camera has begun
    before, begun, peak, slowest = memory(), time.perf_counter(), Peak(), 0.0
    with ThreadPoolExecutor(AT_ONCE) as threads:
        sent = [threads.submit(phone.send, "photo", encoded) for phone in phones]
        while not all(one.done() for one in sent):
            asked = time.perf_counter()
            live.send("frame", frame)
            slowest = max(slowest, time.perf_counter() - asked)
            time.sleep(0.1)
        answers = Counter(one.result() for one in sent)
    most, seconds = peak.end() - before, time.perf_counter() - begun
    said = ", ".join(f"{count} x {status}" for status, count in sorted(answers.items()))
    print(
        f"| {name} | {len(encoded) / 1000:.0f} kB | {len(phones)} | {said} | {seconds:.1f} | {most:.0f} MB "
        f"| {memory() - before:.0f} MB | {1000 * slowest:.0f} ms |",
        flush=True,
    )
    return int(most > BOUNDS[len(phones)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
