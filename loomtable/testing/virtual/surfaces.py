"""What the table is covered with: wood with its grain, felt, linen. All procedural, and the same for a seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np

from loomtable.testing.virtual.colour import Colour, linear, noise
from loomtable.vision.arrays import Float32Array

Cover = Literal["wood", "felt", "linen"]

TINTS: dict[Cover, tuple[Colour, ...]] = {
    "wood": ((150, 100, 60), (104, 66, 42), (182, 140, 94), (78, 52, 40)),
    "felt": ((34, 84, 58), (104, 28, 36), (38, 56, 94), (58, 58, 62)),
    "linen": ((206, 196, 176), (150, 158, 160), (92, 104, 122), (188, 172, 150)),
}
"""Colours that such tables often have; the first is the plainest."""


@dataclass(frozen=True)
class Surface:
    """A table's surface. ``shine`` 0 to 1 is how much of a glare it gives back."""

    cover: Cover = "wood"
    tint: Colour = TINTS["wood"][0]
    seed: int = 0

    @property
    def shine(self) -> float:
        """How much of a lamp's glare it gives back, 0 to 1: lacquered wood much, cloth none."""
        return 0.7 if self.cover == "wood" else 0.0


def any_surface(rng: np.random.Generator) -> Surface:
    """One of the surfaces and tints, by chance."""
    covers: tuple[Cover, ...] = ("wood", "felt", "linen")
    cover = covers[int(rng.integers(3))]
    return Surface(cover, TINTS[cover][int(rng.integers(len(TINTS[cover])))], int(rng.integers(1 << 30)))


@lru_cache(maxsize=2)
def paint(surface: Surface, width: int, height: int, scale: float) -> Float32Array:
    """Its colour in even white light: linear RGB, shape (height, width, 3), at ``scale`` pixels a millimetre.

    The last few are kept, since a camera looks at one table for a whole evening. Do not write into the result.
    """
    rng = np.random.default_rng([surface.seed, 77])
    painter = {"wood": _wood, "felt": _felt, "linen": _linen}[surface.cover]
    painted = painter(linear(surface.tint), (height, width), scale, rng)
    np.clip(painted, 0.002, 0.95, out=painted)
    painted.setflags(write=False)
    return painted


def _wood(tint: Float32Array, shape: tuple[int, int], scale: float, rng: np.random.Generator) -> Float32Array:
    """Boards along the picture's rows: growth rings cut flat, fine dark pores, a thin seam between boards."""
    boards = _boards(shape, scale, rng)
    rows = np.arange(shape[0], dtype=np.float32)[:, None] / scale
    wander = 15 * noise(shape, (46 * scale, 210 * scale), rng) + 2.4 * noise(shape, (12 * scale, 80 * scale), rng)
    phase = (rows + wander) * (0.62 + 0.16 * boards[:, None]) + 23 * boards[:, None]
    phase += 0.5 * noise(shape, (1.5 * scale, 40 * scale), rng)
    rings = (0.5 + 0.5 * np.sin(phase * 2.1)) ** 1.6
    fibres = noise(shape, (max(0.45 * scale, 1), 18 * scale), rng) + 0.7 * noise(
        shape, (max(0.9 * scale, 1), 34 * scale), rng
    )
    pores = np.clip(noise(shape, (max(0.32 * scale, 1), 5 * scale), rng) - 0.42, 0, 1)
    cloud = noise(shape, (60 * scale, 140 * scale), rng)
    tone = 1.06 + 0.2 * boards[:, None] - 0.34 * rings + 0.08 * fibres + 0.14 * cloud - 0.6 * pores
    tone = np.clip(tone, 0.1, 2) * _seams(boards)[:, None]
    # Dark grain is redder than light grain: the channels are raised to slightly different powers of the tone.
    powers = np.array([0.85, 1.05, 1.2], np.float32)
    return np.asarray(tint * np.exp(np.log(tone)[..., None] * powers), np.float32)


def _boards(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> Float32Array:
    """A number -1 to 1 for the board on which each row of the picture lies."""
    tones = np.zeros(shape[0], np.float32)
    at = -int(rng.uniform(0, 90) * scale)
    while at < shape[0]:
        end = at + int(rng.uniform(75, 125) * scale)
        tones[max(at, 0) : max(end, 0)] = rng.uniform(-1, 1)
        at = end
    return tones


def _seams(boards: Float32Array) -> Float32Array:
    """Darkening of each row near the joint of two boards."""
    joints = (np.abs(np.diff(boards, prepend=boards[:1])) > 0).astype(np.float32)
    near = cv2.GaussianBlur(joints[:, None], (1, 9), 1.0)[:, 0]
    return np.asarray(1 - 0.75 * np.clip(near * 2.2, 0, 1), np.float32)


def _felt(tint: Float32Array, shape: tuple[int, int], scale: float, rng: np.random.Generator) -> Float32Array:
    """Short matted fibres: fine speckle in every direction, worn patches, a stray light hair here and there."""
    grain = rng.normal(0, 1, shape).astype(np.float32)
    fine = cv2.GaussianBlur(grain, (0, 0), max(0.28 * scale, 0.5)) * max(0.28 * scale, 0.5) * 2.4
    thin, long = max(0.5 * scale, 1), 2.2 * scale
    slanted = noise(shape, (thin, long), rng) + noise(shape, (long, thin), rng)
    worn = noise(shape, (55 * scale, 75 * scale), rng) + 0.5 * noise(shape, (14 * scale, 18 * scale), rng)
    tone = 1 + 0.13 * fine + 0.07 * slanted + 0.09 * worn
    painted = np.asarray(tint * np.clip(tone, 0.3, 2)[..., None], np.float32)
    painted += (0.012 * np.clip(slanted, 0, 2))[..., None]
    return np.asarray(painted, np.float32)


def _linen(tint: Float32Array, shape: tuple[int, int], scale: float, rng: np.random.Generator) -> Float32Array:
    """Threads over and under one another, of uneven thickness, with slubs."""
    pitch = max(0.62 * scale, 2.2)
    rows = np.arange(shape[0], dtype=np.float32)[:, None] + 1.3 * noise(shape, (9 * scale, 40 * scale), rng)
    columns = np.arange(shape[1], dtype=np.float32)[None, :] + 1.3 * noise(shape, (40 * scale, 9 * scale), rng)
    weft, warp = np.sin(rows * np.pi / pitch), np.sin(columns * np.pi / pitch)
    weave = weft * warp
    slubs = noise(shape, (pitch * 0.9, 16 * scale), rng) + noise(shape, (16 * scale, pitch * 0.9), rng)
    cloud = noise(shape, (50 * scale, 60 * scale), rng)
    tone = 1 + 0.09 * weave + 0.11 * slubs + 0.05 * cloud + 0.04 * (np.abs(weft) + np.abs(warp) - 1)
    return np.asarray(tint * np.clip(tone, 0.3, 2)[..., None], np.float32)
