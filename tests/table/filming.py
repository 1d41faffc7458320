"""Throws before a camera of the table, rendered frame by frame, and the watch that sees them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from loomtable.table.hosting.camera import CameraWatch
from loomtable.table.hosting.live_session import LiveSession
from loomtable.vision.camera import FrameSource
from loomtable.vision.pictures import BgrImage
from loomtable.vision.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph

CAMERA = VirtualCamera(height=240, tilt=6, frame=(800, 450), noise=0.8)
FELT = Surface("felt", TINTS["felt"][0], 3)
LAMP = Light(azimuth=200, elevation=58, distance=1100, size=9, sky=0.7)
TWO = (
    PlacedDie(5, -40, 10, 20, body=(236, 230, 214), pips=(18, 18, 20)),
    PlacedDie(3, 30, -18, 60, body=(150, 24, 28), pips=(240, 236, 226)),
)
LONGEST = 40.0
"""Seconds that a busy machine may take; a quiet one needs one or two."""


def shot(dice: Sequence[PlacedDie], seed: int = 1) -> BgrImage:
    return photograph(Scene(FELT, (), tuple(dice), LAMP), CAMERA, seed).picture


def again(picture: BgrImage, frames: int) -> Iterator[BgrImage]:
    noise = np.random.default_rng(1)
    for _ in range(frames):
        yield np.clip(picture + noise.normal(0, 1.2, picture.shape), 0, 255).astype(np.uint8)


def a_throw(empty: BgrImage, lying: BgrImage, still: int = 8) -> Iterator[BgrImage]:
    """An empty table, dice that tumble, dice that lie still."""
    yield from again(empty, 2)
    for k in range(3):
        yield shot([replace(die, x=die.x + 9 * (k + 1), turn=die.turn + 40 * k) for die in TWO], 20 + k)
    yield from again(lying, still)


def watching(live: LiveSession, *runs: FrameSource) -> CameraWatch:
    """A watch whose camera is these runs, one after another each time that it is opened."""
    left = iter(runs)
    live.camera = CameraWatch(live, lambda spec: next(left))
    return live.camera


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def told_by(watch: CameraWatch) -> list[tuple[str, str, bool]]:
    """What a page that listens sees at each piece of news: what is said, what is wrong, whether dice are read."""
    told: list[tuple[str, str, bool]] = []
    tell = watch._tell

    def listening() -> None:
        told.append((watch.says, watch.trouble, watch.proposal is not None))
        tell()

    watch._tell = listening  # type: ignore[method-assign]
    return told
