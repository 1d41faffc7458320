"""Throws and cards before a camera of the table, rendered frame by frame, and the watch that sees them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.draw.codes import modules
from loomtable.table.hosting.event_bus import Change
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.reading.scene import LOOK_EVERY
from loomtable.testing.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.camera import CameraLost, FrameSource
from loomtable.vision.pictures import BgrImage

CAMERA = VirtualCamera(height=240, tilt=6, frame=(800, 450), noise=0.8)
FELT = Surface("felt", TINTS["felt"][0], 3)
LAMP = Light(azimuth=200, elevation=58, distance=1100, size=9, sky=0.7)
TWO = (
    PlacedDie(5, -40, 10, 20, body=(236, 230, 214), pips=(18, 18, 20)),
    PlacedDie(3, 30, -18, 60, body=(150, 24, 28), pips=(240, 236, 226)),
)
_ROOM = 64
LONGEST = 40.0
"""Seconds that a busy machine may take; a quiet one needs one or two."""


class Dying(FrameSource):
    """A camera that is unplugged after a few frames."""

    live = True

    def __init__(self, frames: Iterator[BgrImage], name: str = "camera 0") -> None:
        self.name, self._frames = name, frames

    def read(self) -> BgrImage | None:
        picture = next(self._frames, None)
        if picture is None:
            raise CameraLost(f"{self.name} sends no more pictures; is it still plugged in?")
        return picture

    def close(self) -> None:
        self._frames = iter(())


def shot(dice: Sequence[PlacedDie], seed: int = 1) -> BgrImage:
    return photograph(Scene(FELT, (), tuple(dice), LAMP), CAMERA, seed).picture


def coded(*cards: ComponentId) -> BgrImage:
    """A table with these cards' codes on it, side by side."""
    picture = np.full((360, 640, 3), 150, np.uint8)
    for place, card in enumerate(cards):
        code = np.where(np.array(modules(card.code)), 0, 255).astype(np.uint8)
        plate = np.kron(np.pad(code, 4, constant_values=255), np.ones((5, 5), np.uint8))
        x = 30 + 200 * place
        picture[90 : 90 + plate.shape[0], x : x + plate.shape[1]] = plate[..., None]
    return picture


@cache
def tumbling() -> tuple[BgrImage, ...]:
    """The two dice on their way."""
    return tuple(
        shot([replace(die, x=die.x + 9 * (k + 1), turn=die.turn + 40 * k) for die in TWO], 20 + k)
        for k in range(3)
    )


def again(picture: BgrImage, frames: int, seed: int = 1) -> Iterator[BgrImage]:
    """The same still picture, with each frame's own noise."""
    (height, width), noise, chance = picture.shape[:2], _noise(*picture.shape[:2]), np.random.default_rng(seed)
    for _ in range(frames):
        y, x = chance.integers(0, _ROOM, 2)
        yield np.clip(picture + noise[y : y + height, x : x + width], 0, 255).astype(np.uint8)


@cache
def _noise(height: int, width: int) -> NDArray[np.float32]:
    """More of it than a frame needs: each takes its own from another place."""
    return np.random.default_rng(1).normal(0, 1.2, (height + _ROOM, width + _ROOM, 3)).astype(np.float32)


def a_throw(empty: BgrImage, lying: BgrImage, still: int = 8) -> Iterator[BgrImage]:
    """An empty table, dice that tumble, dice that lie still."""
    yield from again(empty, 6)
    yield from tumbling()
    yield from again(lying, still)


def watching(live: LiveSession, *runs: FrameSource) -> TableWatch:
    """A watch that looks at all frames of these runs, one after another each time that its camera is opened."""
    left = iter(runs)
    live.watch = TableWatch(live, lambda spec: next(left), clock=ticking())
    return live.watch


def ticking() -> Callable[[], float]:
    """A clock by which every frame comes when the table is looked at next."""
    return itertools.count(0, LOOK_EVERY + 0.01).__next__


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def told_by(watch: TableWatch) -> list[tuple[str, str, bool]]:
    """What a page that listens sees at each piece of news: what is said, what is wrong, whether dice are read."""
    told: list[tuple[str, str, bool]] = []
    bus = watch._live.bus
    publish = bus.publish

    def listening(change: Change) -> None:
        told.append((watch.says, watch.camera.trouble, watch.proposals.current is not None))
        publish(change)

    bus.publish = listening  # type: ignore[method-assign]
    return told
