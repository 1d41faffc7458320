"""From dice at rest to the dice on a page: ``python -m benchmarks.dice_on_page``; needs a Chromium.

A video, made by the virtual camera, is the camera of a served table; a browser shows the question. Five ordinary
dice that stand in for Weave dice, and two d6, are thrown in turn onto a table that was seen empty. The time runs
from the moment at which the first picture with the dice at rest was due until the tiles of the dice stand in the
page, and is broken down: the readings, what is proposed, the page. Core time is what all threads of the program
spent until then, and hardly depends on what else the machine does. Like a webcam, the video drops what nobody
looked at in time, at no cost. A reading that is wrong, or asks about a die, counts as missed.

The camera's own time for one picture is printed beside it: nothing can be known sooner than that.

Last: five d6 573 ms, 95 % within 1,064; two d6 369 and 610 (bounds 600, 1,200).
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from docs.site.page_pictures import browser_path, evening, rolls
from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.reading.scene import SceneReader
from loomtable.table.serving import served
from loomtable.table.store import open_store
from loomtable.testing.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.camera import FrameSource
from loomtable.vision.dice import warm_up
from loomtable.vision.pictures import BgrImage

FRAME, PACE = (1280, 720), 30.0
"""Pixels, and pictures a second."""
EMPTY, ROLLING, STILL = 8, 4, 8
"""Different pictures of each kind; the empty table and the dice at rest are shown again and again."""
BOUNDS = "600 ms, 1200 ms"
_WATCHED = """() => {
  window.shown = 0;
  const look = () => {
    const tiles = document.querySelectorAll("#taking .tiles .tile[popovertarget]").length;
    if (tiles && !window.shown) window.shown = Date.now() / 1000;
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


@dataclass
class Throw:
    """When what happened after the dice had come to rest, in seconds since then."""

    read: float
    """Each frame read, in total."""
    proposed: float
    shown: float
    core: float
    readings: int


@dataclass
class Watched:
    """What the reader did in one throw."""

    reading: float = 0.0
    readings: int = 0
    ends: list[float] = field(default_factory=list)


@contextmanager
def watched_reader() -> Iterator[Watched]:
    """Notes how long the frames after rest take to read."""
    noted, read = Watched(), SceneReader.read

    def timed(self: Any, *given: Any) -> Any:
        begun = time.perf_counter()
        before, scene = self.scene.dice, read(self, *given)
        if scene.dice is not None and scene.dice is not before:
            noted.reading += time.perf_counter() - begun
            noted.readings += 1
        elif scene.disturbed:
            noted.reading, noted.readings = 0.0, 0
        return scene

    SceneReader.read = timed  # type: ignore[method-assign]
    try:
        yield noted
    finally:
        SceneReader.read = read  # type: ignore[method-assign]


class Video(FrameSource):
    """A throw as a webcam gives it: the picture that is due now, whatever was missed; the last ones for ever.

    The table stays empty until ``throw`` is called.
    """

    live = True

    def __init__(self, faces: list[int], seed: int) -> None:
        self.name = "the video"
        self.at_rest = 0.0
        empty, self._frames = a_throw(faces, seed)
        self._empty, self._first = itertools.cycle(empty), ROLLING
        self._begun, self._last = 0.0, -1
        self.core_at_rest = 0.0

    def throw(self) -> None:
        """The dice begin to roll."""
        self._begun = time.perf_counter()
        self.at_rest = self._begun + self._first / PACE

    def read(self) -> BgrImage | None:
        if not self._begun:
            time.sleep(1 / PACE)
            self._last = -1
            return self._picture(self._empty.__next__())
        now = int((time.perf_counter() - self._begun) * PACE)
        if now <= self._last:
            now = self._last + 1
            time.sleep(max(0.0, self._begun + now / PACE - time.perf_counter()))
        self._last = now
        if now >= self._first and not self.core_at_rest:
            self.core_at_rest = time.process_time()
        still = len(self._frames) - self._first
        at = now if now < len(self._frames) else self._first + (now - self._first) % still
        return self._picture(self._frames[at])

    @staticmethod
    def _picture(packed: Any) -> BgrImage:
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    def close(self) -> None:
        pass


def a_throw(faces: list[int], seed: int) -> tuple[list[Any], list[Any]]:
    """Pictures of a webcam (JPEG): the empty table; and d6 that roll in ``ROLLING`` of them, then lie still."""
    chance = random.Random(seed)
    camera = VirtualCamera(height=250, tilt=8, frame=FRAME, noise=0.8)
    felt = Surface("felt", TINTS["felt"][0], seed)
    lamp = Light(azimuth=chance.uniform(0, 360), elevation=58, distance=1100, size=9, sky=0.7)
    dice = [
        PlacedDie(
            face,
            40 * (k - (len(faces) - 1) / 2) + chance.uniform(-6, 6),
            chance.uniform(-28, 28),
            chance.uniform(0, 90),
        )
        for k, face in enumerate(faces)
    ]

    def shot(laid: list[PlacedDie], number: int) -> BgrImage:
        return photograph(Scene(felt, (), tuple(laid), lamp), camera, number).picture

    empty, lying = shot([], 1), shot(dice, 2)
    rolling = [
        shot([replace(d, x=d.x + 6 * k, y=d.y - 5 * k, turn=d.turn + 35 * k) for d in dice], 2 + k)
        for k in range(ROLLING, 0, -1)
    ]
    grain = np.random.default_rng(seed)

    def packed(picture: BgrImage) -> Any:
        noisy = np.clip(picture + grain.normal(0, 1.2, picture.shape), 0, 255).astype(np.uint8)
        return cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]

    return [packed(empty) for _ in range(EMPTY)], [packed(one) for one in (*rolling, *[lying] * STILL)]


def throw(live: LiveSession, page: Any, faces: list[int], seed: int) -> Throw | None:
    """One throw before the camera; nothing where it was not read, or read wrongly."""
    source = Video(faces, seed)
    watch = live.watch
    watch.camera._opens = lambda spec: source  # type: ignore[method-assign]
    page.evaluate("window.shown = 0")
    with watched_reader() as noted:
        watch.camera.start("the video")
        seen_by = time.monotonic() + 30  # until the table has been seen empty, and is not read any more
        while time.monotonic() < seen_by and not ("no dice" in watch.says and watch._reader.dice._settled):
            time.sleep(0.05)
        source.throw()
        end = time.monotonic() + 15
        while (proposal := watch.proposals.current) is None and time.monotonic() < end:
            time.sleep(0.002)
        if proposal is None:
            watch.stop()
            return None
        page.wait_for_function("() => window.shown > 0", timeout=20000)
        reading, readings = noted.reading, noted.readings
        core = time.process_time() - source.core_at_rest
    at_rest = time.time() - (time.perf_counter() - source.at_rest)
    shown = page.evaluate("window.shown")
    watch.stop()
    right = sorted(str(face) for face in faces) == sorted(die.face for die in proposal.dice)
    if not right or proposal.answer is None:
        return None
    return Throw(reading, proposal.when - at_rest, shown - at_rest, core, readings)


def throws(count: int, folder: Path) -> dict[str, list[Throw | None]]:
    """Throws of each kind, before one page that stays open."""
    from playwright.sync_api import sync_playwright

    warm_up()
    every: dict[str, list[Throw | None]] = {"five d6 for Weave dice": [], "two d6": []}
    with TableHost(open_store(folder / "e.db")) as host:
        evening(host, "weave", "salt-road-evening", rolls("Gales Challenge"))
        storm = host.begin("storm-weavers", "storm", seed="1")
        storm.take(Action("create", {"dexterity_points": 2}), by="", revision=1)
        storm.take(Action("test", {"attribute": "wisdom"}), by="", revision=2)
        sides = random.Random(7)
        with served(host) as planned, sync_playwright() as playing:
            browser = playing.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
            for what, name, number in (("five d6 for Weave dice", "weave", 5), ("two d6", "storm", 2)):
                page = _page(browser, host, planned.addresses.own, name)
                live = host.live_session(name)
                for seed in range(count + 1):
                    faces = [sides.randint(1, 6) for _ in range(number)]
                    done = throw(live, page, faces, seed)
                    if seed:  # the first one finds out which dice lie there, and warms the browser
                        every[what].append(done)
                page.context.close()
            browser.close()
    return every


def _page(browser: Any, host: TableHost, base: str, name: str) -> Any:
    _, token = host.devices.admit(Role.HOST)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_cookies([{"name": f"loomtable-{base.rpartition(':')[2]}", "value": token, "url": base}])
    page = context.new_page()
    page.goto(f"{base}/table/{name}")
    page.evaluate(_WATCHED)
    return page


def _share(ordered: list[float], share: float) -> str:
    return f"{1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.0f} ms"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        every = throws(given.throws, Path(folder))
    print("| dice at rest, until | median | 95th percentile | must reach |")
    print("| --- | --- | --- | --- |")
    print(f"| the camera's next picture | {1000 / PACE:.0f} ms | {1000 / PACE:.0f} ms | |")
    for what, done in every.items():
        good = [one for one in done if one is not None]
        if not good:
            print(f"| {what}: none | | | |")
            continue
        columns = {
            "readings alone": sorted(one.read for one in good),
            "proposed": sorted(one.proposed for one in good),
            "on the page": sorted(one.shown for one in good),
            "core time until then": sorted(one.core for one in good),
        }
        for step, figures in columns.items():
            bound = BOUNDS if step == "on the page" else ""
            print(f"| {what}, {step} | {_share(figures, 0.5)} | {_share(figures, 0.95)} | {bound} |")
        readings = sum(one.readings for one in good) / len(good)
        print(f"\n{what}: {readings:.1f} readings a throw; {len(done) - len(good)} of {len(done)} not read.\n")


if __name__ == "__main__":
    main()
