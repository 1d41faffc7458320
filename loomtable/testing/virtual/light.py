"""The light of the room: one lamp or window of some size, and what comes from the ceiling and walls all round.

Shadows are not faked: for places on the table and on dice it is counted how much of the lamp, and how much of the
ceiling, the dice leave in sight. So they are sharp where a die touches the table and soften with distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loomtable.testing.virtual.lens import Points
from loomtable.vision.arrays import Float32Array


@dataclass(frozen=True)
class Glare:
    """A lamp's blurred mirror image on shiny things: where on the table, how wide (mm), how strong (0 to 1)."""

    x: float
    y: float
    radius: float = 60.0
    strength: float = 0.5


@dataclass(frozen=True)
class Light:
    """Where the light comes from. Angles are degrees."""

    azimuth: float = 230.0
    """The side it comes from, clockwise as the camera sees it: 0 from the right, 90 from the near edge."""
    elevation: float = 58.0
    """Its height over the table top: 90 straight above."""
    distance: float = 900.0
    """Millimetres from the middle of the table; near lamps fall off across the picture."""
    size: float = 7.0
    """The lamp's own radius as an angle: 2 a bare bulb, 7 a shade, 18 a window. Larger makes softer shadows."""
    strength: float = 1.0
    sky: float = 0.55
    """Light from all round, against the lamp's ``strength``."""
    tint: tuple[float, float, float] = (1.0, 0.97, 0.92)
    """The lamp's own colour, red, green, blue; the light from all round is taken to be a little bluer."""
    glare: Glare | None = None

    @cached_property
    def lamp(self) -> Points:
        """The lamp's place, shape (3,), right-handed millimetres."""
        azimuth, elevation = math.radians(self.azimuth), math.radians(self.elevation)
        flat = math.cos(elevation)
        way = [math.cos(azimuth) * flat, -math.sin(azimuth) * flat, math.sin(elevation)]
        return self.distance * np.array(way)

    @cached_property
    def key_colour(self) -> Float32Array:
        return np.asarray(self.tint, np.float32) * np.float32(self.strength)

    @cached_property
    def sky_colour(self) -> Float32Array:
        return np.array([0.95, 1.0, 1.07], np.float32) * np.float32(self.sky)

    def lamp_directions(self, place: Points, count: int) -> Float32Array:
        """Unit vectors (count, 3) from a place (3,) to points spread evenly over the lamp's disc."""
        forward = self.lamp - place
        forward /= np.linalg.norm(forward)
        side = np.cross(forward, [0.0, 1.0, 0.0] if abs(forward[1]) < 0.9 else [1.0, 0.0, 0.0])
        side /= np.linalg.norm(side)
        over = np.cross(forward, side)
        steps = np.arange(count) + 0.5
        radius = math.tan(math.radians(self.size)) * np.sqrt(steps / count)
        angle = steps * math.pi * (3 - math.sqrt(5))
        ways = forward + (radius * np.cos(angle))[:, None] * side + (radius * np.sin(angle))[:, None] * over
        return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True), np.float32)

    def on_table(self, places: Points) -> Float32Array:
        """How much of the lamp's light lands on open table places (N, 2) in mm: about ``1`` in the middle."""
        way = self.lamp - np.column_stack([places[:, 0], -places[:, 1], np.zeros(len(places))])
        far = np.linalg.norm(way, axis=1)
        middle = self.lamp[2] / self.distance**3
        return np.asarray(way[:, 2] / far**3 / middle, np.float32)


@dataclass(frozen=True)
class Occluder:
    """A die as light meets it: a cube whose corners are cut by a ball. Right-handed millimetres and radians."""

    centre: tuple[float, float, float]
    half: float
    ball: float
    angle: float

    def occludes(self, points: Float32Array, directions: Float32Array) -> Float32Array:
        """The share (N,) of ``directions`` (K, 3) that this occludes from ``points`` (N, 3)."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        back = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float32)
        at = (points - np.asarray(self.centre, np.float32)) @ back
        way = directions @ back
        way = np.where(np.abs(way) < 1e-5, np.float32(1e-5), way)
        along = at @ way.T
        depth = along**2 - ((at**2).sum(axis=1) - np.float32(self.ball**2))[:, None]
        # Few directions meet the ball at all: only these are held against the sides of the cube.
        place, ray = np.nonzero(depth > 0)
        reach, along = np.sqrt(depth[place, ray]), along[place, ray]
        near, far = np.maximum(-along - reach, 0.02), -along + reach
        half = np.float32(self.half)
        for axis in range(3):
            per = (1 / way[:, axis])[ray]
            middle, span = -at[place, axis] * per, half * np.abs(per)
            np.maximum(near, middle - span, out=near)
            np.minimum(far, middle + span, out=far)
        met = np.bincount(place[far > near], minlength=len(points))
        return np.asarray(met / len(directions), np.float32)


def sky_directions(count: int) -> Float32Array:
    """Unit vectors (count, 3) over the half sphere above the table, denser at its top, as light counts there."""
    steps = np.arange(count) + 0.5
    radius = np.sqrt(steps / count)
    angle = steps * math.pi * (3 - math.sqrt(5))
    ways = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.sqrt(1 - radius**2)])
    return ways.astype(np.float32)
