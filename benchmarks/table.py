"""How quickly the table answers: ``python -m benchmarks.table``.

- From dice at rest to the result on the page: a video file, made by the virtual camera, is the camera; the time is
  taken from the first picture in which the dice lie still to the event that reaches a listening page.
- A phone's frame there and back over loopback, with TLS and without.

What is read is checked too: a result that comes quickly and is wrong counts as missed.
"""

from __future__ import annotations

import argparse
import random
import ssl
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2
import httpx
import numpy as np

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import Roll
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.sources import Paced
from loomtable.table.serving import served
from loomtable.table.store import open_store
from loomtable.vision.camera import FrameSource, VideoFile
from loomtable.vision.dice.networks import load_models
from loomtable.vision.pictures import BgrImage
from loomtable.vision.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph

PACE = 30.0
FRAME = (1280, 720)
EMPTY, ROLLING, STILL = 20, 8, 45
"""Frames of each kind in a throw."""


def a_video(path: Path, faces: list[int], seed: int) -> int:
    """Write a throw of two d6; returns the number of the first frame in which they lie still."""
    chance = random.Random(seed)
    camera = VirtualCamera(height=240, tilt=8, frame=FRAME, noise=0.8)
    felt = Surface("felt", TINTS["felt"][0], seed)
    lamp = Light(azimuth=chance.uniform(0, 360), elevation=58, distance=1100, size=9, sky=0.7)
    dice = [
        PlacedDie(face, -45 + 90 * k + chance.uniform(-12, 12), chance.uniform(-30, 30), chance.uniform(0, 90))
        for k, face in enumerate(faces)
    ]

    def shot(laid: list[PlacedDie], number: int) -> BgrImage:
        return photograph(Scene(felt, (), tuple(laid), lamp), camera, number).picture

    empty, lying = shot([], 1), shot(dice, 2)
    noise = np.random.default_rng(seed)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), PACE, FRAME)
    writer.set(cv2.VIDEOWRITER_PROP_QUALITY, 92)

    def write(picture: BgrImage) -> None:
        writer.write(np.clip(picture + noise.normal(0, 1.2, picture.shape), 0, 255).astype(np.uint8))

    for _ in range(EMPTY):
        write(empty)
    for k in range(ROLLING, 0, -1):
        write(shot([replace(d, x=d.x + 6 * k, y=d.y - 5 * k, turn=d.turn + 35 * k) for d in dice], 2 + k))
    for _ in range(STILL):
        write(lying)
    writer.release()
    return EMPTY + ROLLING


class Timed(FrameSource):
    """Notes when a certain picture was due, whether anybody looked at it in time or not."""

    def __init__(self, path: Path, first: int) -> None:
        self.name = str(path)
        self._source = Paced(VideoFile(path), PACE)
        self._first = first
        self.at_rest = 0.0

    def read(self) -> BgrImage | None:
        if not self.at_rest:
            self.at_rest = time.perf_counter() + self._first / PACE
        return self._source.read()

    def close(self) -> None:
        self._source.close()


def throws(count: int, folder: Path) -> tuple[list[float], int]:
    """Seconds from rest to the event for each throw that was read rightly, and how many were not."""
    load_models()
    taken: list[float] = []
    missed = 0
    with TableHost(open_store(folder / "e.db")) as host:
        live = host.begin("storm-weavers", "friday", seed="1")
        live.take(Action("create", {"dexterity_points": 2}), by="", revision=1)
        with served(host) as planned:
            page = _Page(host, planned.addresses.own)
            for number in range(count):
                live.take(Action("test", {"attribute": "wisdom"}), by="", revision=live.revision)
                faces = [number % 6 + 1, (number * 5 + 2) % 6 + 1]
                path = folder / f"throw-{number}.avi"
                source = Timed(path, a_video(path, faces, number))
                watch = live.camera_watch()
                watch._opens = lambda spec, source=source: source  # type: ignore[misc]
                watch.takes_itself = True
                before = live.revision
                page.wait_for(before + 1)
                watch.start("the video")
                came = page.came(EMPTY / PACE + 30)
                watch.stop()
                reading = live.lines()[-1].entry if came and live.revision > before else None
                read = getattr(getattr(reading, "reading", None), "pips", ())
                if came and sorted(read) == sorted(faces):
                    taken.append(came - source.at_rest)
                else:
                    missed += 1
                path.unlink()
                if isinstance(live.session.pending, Roll):
                    live.undo(by="", revision=live.revision)
    return taken, missed


class _Page:
    """A page that listens, and notes when news of a revision reach it."""

    def __init__(self, host: TableHost, base: str) -> None:
        _, token = host.devices.join(host.devices.pair(Role.HOST).code)
        self._client = httpx.Client(
            base_url=base,
            headers={"authorization": f"Bearer {token}", "accept": "text/event-stream"},
            timeout=None,
        )
        self._wanted = 10**9
        self._at = 0.0
        self._come = threading.Event()
        self._listening = threading.Event()
        threading.Thread(target=self._hear, daemon=True).start()
        self._listening.wait(20)

    def _hear(self) -> None:
        try:
            with self._client.stream("GET", "/api/play/friday/events") as news:
                for line in news.iter_lines():
                    self._listening.set()
                    if line.startswith("data:") and int("".join(filter(str.isdigit, line))) >= self._wanted:
                        self._at = self._at or time.perf_counter()
                        self._come.set()
        except httpx.HTTPError:
            return  # the table is closed

    def wait_for(self, revision: int) -> None:
        self._come.clear()
        self._at, self._wanted = 0.0, revision

    def came(self, seconds: float) -> float:
        """When it came; 0 if it did not."""
        return self._at if self._come.wait(seconds) else 0.0


def frames(count: int, folder: Path, *, secure: bool) -> list[float]:
    """Seconds of each frame of a phone there and back, 1280 x 720 over loopback, TLS where ``secure``."""
    picture = photograph(
        Scene(Surface("felt", TINTS["felt"][0], 1), (), (PlacedDie(5, 0, 0, 20),), Light(200, 58)),
        VirtualCamera(height=240, frame=FRAME),
        1,
    ).picture
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()
    taken: list[float] = []
    with TableHost(open_store(folder / f"frames-{secure}.db")) as host:
        live = host.begin("storm-weavers", "friday", seed="1")
        live.take(Action("create", {"dexterity_points": 2}), by="", revision=1)
        live.take(Action("test", {"attribute": "wisdom"}), by="", revision=2)
        with served(host, lan=secure, folder=folder) as planned:
            _, token = host.devices.join(host.devices.pair(Role.CAMERA, session="friday").code)
            trusted: ssl.SSLContext | bool = True
            base = planned.addresses.own
            if planned.certificate is not None:
                trusted = ssl.create_default_context(cafile=str(planned.certificate.authority))
                base = f"https://127.0.0.1:{planned.port + 1}"
            headers = {"authorization": f"Bearer {token}", "content-type": "image/jpeg"}
            with httpx.Client(base_url=base, headers=headers, verify=trusted, timeout=30) as phone:
                for _ in range(count):
                    begun = time.perf_counter()
                    phone.post("/api/play/friday/frame", content=jpeg).raise_for_status()
                    taken.append(time.perf_counter() - begun)
                    time.sleep(max(0.0, 0.25 - taken[-1]))
    return taken


def _figures(what: str, seconds: list[float], bound: str) -> None:
    ordered = sorted(seconds)
    if not ordered:
        print(f"| {what} | none | none | {bound} |")
        return
    half, most = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    print(f"| {what} | {1000 * half:.0f} ms | {1000 * most:.0f} ms | {bound} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=20)
    parser.add_argument("--frames", type=int, default=60)
    given = parser.parse_args()
    print("| what | median | 95th percentile | must reach |")
    print("| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        taken, missed = throws(given.throws, Path(folder))
        _figures(f"dice at rest to the event on a page, {len(taken)} throws of two d6", taken, "500 ms")
        for secure in (False, True):
            what = f"a phone's frame there and back, {'HTTPS' if secure else 'HTTP'}"
            _figures(what, frames(given.frames, Path(folder), secure=secure), "250 ms")
    print(f"\n{missed} of {given.throws} throws were not read, or not taken, or read wrongly.")


if __name__ == "__main__":
    main()
