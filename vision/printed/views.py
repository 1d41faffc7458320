"""How the table is seen: what a level circle, and what the upright sides of a die, must look like at each place.

A view is known from the mat, or guessed from the rings themselves: all tops lie level, so one view explains them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.printed.rings import Ring

FIELD_OF_VIEW = 62.0
"""Degrees across a picture whose camera is not known; webcams have 55 to 78. Set by hand."""
STEEPEST = 48.0
"""The most (degrees from straight above) from which dice are read. Set by hand."""
_AS_LIKELY, _SAME_VIEW, _MOST_VIEWS = 0.6, 7, 6
"""Rings that a view may be behind the best, degrees within which two are one, and how many. Set by hand."""
_SIDES = 36
"""Ways in which an upright side may look. Set by hand."""
_FACING = 0.12
"""Cosine between an upright side's front and the camera's direction from which the side is seen. Set by hand."""


@dataclass(frozen=True)
class View:
    """A camera over a level table, in pixels of one picture."""

    focal: float
    middle: tuple[float, float]
    up: Float64Array
    """(3,): the table's upward direction in the camera's axes (right, down, forward), unit length."""

    @property
    def tilt(self) -> float:
        """Degrees by which the camera looks obliquely: 0 straight down."""
        return math.degrees(math.acos(min(1.0, max(-1.0, -float(self.up[2])))))

    def jacobian(self, at: Float64Array) -> Float64Array:
        """(2, 3): pixels by which small steps in the camera's axes move what is seen at a pixel, up to a scale."""
        x, y = (at - self.middle) / self.focal
        return np.array([[1.0, 0.0, -x], [0.0, 1.0, -y]])

    @cached_property
    def level_axes(self) -> tuple[Float64Array, Float64Array]:
        """Two level directions at right angles, in the camera's axes."""
        first = np.cross(self.up, [0.0, 0.0, 1.0] if abs(self.up[2]) < 0.9 else [0.0, 1.0, 0.0])
        first /= np.linalg.norm(first)
        return first, np.cross(self.up, first)

    def level_frame(self, at: Float64Array) -> Float64Array:
        """(2, 2): the frame of a level circle seen at a pixel, up to a scale and a rotation."""
        return np.asarray(self.jacobian(at) @ np.stack(self.level_axes, axis=1))

    def level_frames(self, places: Float64Array, size: float) -> Float64Array:
        """Frames (N, 2, 2) of level circles of one true size, seen at pixels (N, 2); far ones are smaller."""
        x, y = ((places - self.middle) / self.focal).T
        frames = np.empty((len(places), 2, 2))
        for column, way in enumerate(self.level_axes):
            frames[:, 0, column] = way[0] - x * way[2]
            frames[:, 1, column] = way[1] - y * way[2]
        rays = np.column_stack([x, y, np.ones(len(places))])
        frames *= (size * np.maximum(-(rays @ self.up), 0.05))[:, None, None]
        frames[np.linalg.det(frames) < 0, :, 1] *= -1
        return frames

    def upright_frames(self, at: Float64Array) -> tuple[Float64Array, Float64Array]:
        """Frames (n, 2, 2) of upright circles seen at a pixel, and where their fronts look (n, 3)."""
        first, second = self.level_axes
        angle = np.arange(_SIDES) * 2 * math.pi / _SIDES
        out = np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * second
        towards = np.append((at - self.middle) / self.focal, 1.0)
        out = out[out @ towards < -_FACING * np.linalg.norm(towards)]
        along = np.cross(out, self.up)
        frames = np.stack([along, np.broadcast_to(self.up, along.shape)], axis=-1)
        return np.asarray(self.jacobian(at) @ frames), out


def shape_distance(shape: Float64Array, frames: Float64Array) -> Float64Array:
    """How unlike an ellipse (2, 2) is to those of frames (..., 2, 2), of any size: 0 alike, 0.1 by a tenth."""
    expected = frames @ np.swapaxes(frames, -1, -2)
    ratio = np.linalg.solve(expected, np.broadcast_to(shape, expected.shape))
    trace, det = np.trace(ratio, axis1=-2, axis2=-1), np.linalg.det(ratio)
    half = trace / 2
    spread = np.sqrt(np.maximum(half**2 - det, 0))
    return np.asarray(0.5 * np.log(np.maximum(half + spread, 1e-9) / np.maximum(half - spread, 1e-9)))


def scaled_to_area(ring: Ring, frames: Float64Array) -> Float64Array:
    """Frames (..., 2, 2) brought to the area of a ring."""
    area = np.abs(np.linalg.det(frames))
    return np.asarray(frames * np.sqrt(abs(np.linalg.det(ring.axes)) / np.maximum(area, 1e-9))[..., None, None])


def tolerance(ring: Ring) -> float:
    """By how much (``shape_distance``) a ring's ellipse may be out: more for small ones."""
    return 0.07 + 1.3 / ring.radius


def view_of(size: tuple[int, ...], tilt: float, roll: float, field_of_view: float = FIELD_OF_VIEW) -> View:
    """A view in a picture of shape ``size``: ``tilt`` degrees from straight down, rolled clockwise by ``roll``."""
    tilt_angle, roll_angle = math.radians(tilt), math.radians(roll)
    up = np.array(
        [
            math.sin(roll_angle) * math.sin(tilt_angle),
            -math.cos(roll_angle) * math.sin(tilt_angle),
            -math.cos(tilt_angle),
        ]
    )
    focal = size[1] / 2 / math.tan(math.radians(field_of_view) / 2)
    return View(focal, ((size[1] - 1) / 2, (size[0] - 1) / 2), up)


@lru_cache(maxsize=1)
def _orientations() -> tuple[tuple[float, float], ...]:
    """Tilts and rolls that are tried, in degrees."""
    rolls = (-15.0, -10.0, -5.0, 0.0, 5.0, 10.0, 15.0)
    tilts = np.arange(0.0, STEEPEST + 2, 2.0).tolist()
    return tuple((tilt, roll) for tilt in tilts for roll in (rolls if tilt > 3 else (0.0,)))


@lru_cache(maxsize=4)
def _all_views(size: tuple[int, ...]) -> tuple[list[View], Float64Array]:
    """The views that are tried, and two level directions of each as columns (n, 3, 2)."""
    views = [view_of(size, tilt, roll) for tilt, roll in _orientations()]
    return views, np.stack([np.stack(view.level_axes, axis=1) for view in views])


def likely_views(size: tuple[int, ...], rings: Sequence[Ring]) -> list[View]:
    """Views in which as many rings as possible lie level, the best first; several where that is not clear.

    The picture is taken to be upright: what stands up points up in it, give or take fifteen degrees.
    """
    views, levels = _all_views(size)
    shapes, steps = (
        np.stack([ring.shape for ring in rings]),
        np.stack([views[0].jacobian(ring.centre) for ring in rings]),
    )
    fits = shape_distance(shapes[None], np.einsum("nij,vjk->vnik", steps, levels))
    fits /= np.array([tolerance(ring) for ring in rings])
    support = np.exp(-0.5 * fits * fits).sum(axis=1)
    # A camera that is hardly rolled is likelier.
    support -= [0.0002 * abs(roll) * min(tilt, 10.0) for tilt, roll in _orientations()]
    tried = list(zip(support.tolist(), views, strict=True))
    tried.sort(key=lambda entry: -entry[0])
    best = tried[0][0]
    kept: list[View] = []
    for support, view in tried:
        if support < best - _AS_LIKELY or len(kept) == _MOST_VIEWS:
            break
        if all(float(view.up @ other.up) < math.cos(math.radians(_SAME_VIEW)) for other in kept):
            kept.append(view)
    return kept
