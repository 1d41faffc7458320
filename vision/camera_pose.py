"""From where a camera sees the table: a probability for each of many cameras (elevation, roll, field of view).

The dice of a picture say how likely each camera of a grid is (``dice/elevation.py``). What is printed in a known
size and lies on the table says it much more closely (``plane_pose.py``): then the cameras are few, and near each
other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float64Array

LOW = 42.5
"""Degrees above the table below which a front is taken for the top: from 45 both are as large, and a step of the
grid lower the networks still tell them apart. Set by hand."""
_ELEVATIONS = np.arange(15.0, 91.0, 5.0)
_OVERHEAD = 65.0
"""Elevation from which a camera may be turned in any way, since it can be fixed in any, and may have a wide lens:
lower ones would see over the table. Set by hand."""
_QUARTERS, _EIGHTHS = np.arange(0.0, 360.0, 90.0), np.arange(0.0, 360.0, 45.0)
_USUAL, _WIDE, _WIDE_FROM = (40.0, 65.0), (85.0, 105.0), 50.0
"""Degrees across the picture's longer side: a phone's, a webcam's, and very wide lenses; and the elevation from
which cameras have these. Set by hand."""
_UPRIGHT, _SELDOM_LOW, _SELDOM_WIDE = 0.85, 0.5, 0.2
"""Prior probability that a picture's up is the room's, below ``_OVERHEAD``; how often a camera stands at one
elevation below ``LOW``, in parts of how often at one above, since people are told to look down at their dice; and
how often one overhead has a very wide lens. Set by hand."""


@dataclass(frozen=True, eq=False)
class Cameras:
    """Cameras that may have taken a picture: degrees, (n,) each."""

    elevation: Float64Array
    """Above the table, in the middle of the picture."""
    roll: Float64Array
    """Clockwise."""
    field: Float64Array
    """Across the picture's longer side."""

    @cached_property
    def up(self) -> Float64Array:
        """(n, 3): the table's upward direction in each camera's axes (right, down, forward)."""
        elevation, roll = np.radians(self.elevation), np.radians(self.roll)
        level = np.cos(elevation)
        return np.stack([np.sin(roll) * level, -np.cos(roll) * level, -np.sin(elevation)], axis=1)

    @cached_property
    def level(self) -> tuple[Float64Array, Float64Array]:
        """(n, 3) each: two level directions at right angles, the second clockwise of the first as a camera sees
        them."""
        right = np.cross(self.up, np.array([0.0, 0.0, 1.0]))
        length = np.linalg.norm(right, axis=1, keepdims=True)
        right = np.where(length > 1e-6, right / np.maximum(length, 1e-6), np.array([1.0, 0.0, 0.0]))
        return right, np.cross(right, self.up)

    def rays(self, pixels: Float64Array, size: tuple[int, int]) -> Float64Array:
        """(n, m, 3): where each camera looks at pixels (m, 2) of a picture, as far ahead as 1."""
        focal = max(size) / 2 / np.tan(np.radians(self.field) / 2)
        away = (pixels - np.array(size) / 2) / focal[:, None, None]
        return np.concatenate([away, np.ones((*away.shape[:2], 1))], axis=2)


def _grid() -> tuple[Float64Array, ...]:
    """(n,) each: elevation, roll and field of view of every camera, and the logarithm of its prior probability."""
    cameras = []
    for elevation in _ELEVATIONS:
        overhead, often = elevation >= _OVERHEAD, _SELDOM_LOW if elevation < LOW else 1.0
        rolls = _EIGHTHS if overhead else _QUARTERS
        wide = _WIDE if elevation >= _WIDE_FROM else ()
        fields = dict.fromkeys(_USUAL, (1 - _SELDOM_WIDE if wide else 1) / 2) | dict.fromkeys(
            wide, _SELDOM_WIDE / 2
        )
        for roll in rolls:
            turned = 1 / len(rolls) if overhead else _UPRIGHT if roll == 0 else (1 - _UPRIGHT) / 3
            cameras += [
                (elevation, roll, field, math.log(often * turned * share)) for field, share in fields.items()
            ]
    return tuple(np.array(column) for column in zip(*cameras, strict=True))


*_CAMERAS, PRIOR = _grid()
GRID = Cameras(*_CAMERAS)
MAX_SINE_OF_SIDE = 0.94
"""Sine of the elevation at a die from which its sides are seen too narrow to be taken for its top. Set by hand."""
MAX_SPREAD = 15.0
"""Degrees: an elevation that is known less closely is not told to people. Set by hand."""
MAX_ASTRAY = 0.1
"""Standard deviation of where upright things point, as long as the cosine of the elevation, up to which the
table's plane is known: about six degrees. Set by hand."""


@lru_cache(maxsize=64)
def views(
    cameras: Cameras, place: tuple[float, float], size: tuple[int, int]
) -> tuple[Float64Array, Float64Array]:
    """How each camera sees a place: sine of the elevation (n,), and where upright things point (n, 2)."""
    ray = cameras.rays(np.array([place]), size)[:, 0]
    ray /= np.linalg.norm(ray, axis=1, keepdims=True)
    sine = -(ray * cameras.up).sum(axis=1)
    across = (cameras.up + ray * sine[:, None])[:, :2]
    length = np.hypot(across[:, 0], across[:, 1])
    # Seen from straight above nothing points anywhere in the picture: any direction serves.
    across = np.where(length[:, None] > 1e-6, across / np.maximum(length, 1e-6)[:, None], [0.0, -1.0])
    return np.clip(sine, 0.02, 1.0), across


@dataclass(frozen=True)
class ViewAngle:
    """From where one place of the table is seen."""

    sine: float
    """Of the elevation: how much shorter the table is seen along ``up`` than across it."""
    up: tuple[float, float]
    """Unit vector: where in the picture things point that stand upright."""

    @property
    def squeeze(self) -> Float64Array:
        """(2, 2): steps on the table, as seen from straight above, as steps in the picture."""
        return np.asarray(np.eye(2) + (self.sine - 1) * np.outer(self.up, self.up))


@dataclass(frozen=True, eq=False)
class Turns:
    """How a die at one place may be turned in the picture; not turned (0) is one that a low camera sees, and one
    whose sides are hardly seen."""

    quarters: npt.NDArray[np.intp]
    """(n,): quarters of a turn, 0 to 3, before each camera of the grid."""
    chances: tuple[float, ...]
    """Of each quarter."""
    degrees: tuple[float, ...]
    """Where upright things point then, clockwise from the picture's up; the mean."""


@dataclass(frozen=True, eq=False)
class CameraPose:
    """From where the camera sees the table, and how surely that is known."""

    log_weights: Float64Array
    """Of each camera; only their differences count."""
    size: tuple[int, int]
    """Width and height of the picture."""
    dice: int
    """How many dice it was measured from."""
    cameras: Cameras = GRID
    prints: int = 0
    """How many things of known size it was measured from; with neither these nor dice, it says nothing."""

    @cached_property
    def weights(self) -> Float64Array:
        """(n,): probability of each camera."""
        weights = np.exp(self.log_weights - self.log_weights.max())
        return np.asarray(weights / weights.sum())

    @property
    def low(self) -> float:
        """Probability that the camera stands below ``LOW`` degrees."""
        return float(self.weights[self.cameras.elevation < LOW].sum())

    @property
    def elevation(self) -> float:
        """Degrees above the table, in the middle of the picture: the mean."""
        return float(self.weights @ self.cameras.elevation)

    @property
    def spread(self) -> float:
        """Degrees: standard deviation of the elevation."""
        return float(np.sqrt(self.weights @ (self.cameras.elevation - self.elevation) ** 2))

    @property
    def is_known(self) -> bool:
        """Whether there was something to measure, and what it told is worth saying."""
        return self.dice + self.prints > 0 and self.spread < MAX_SPREAD

    @property
    def is_measured(self) -> bool:
        """Whether prints tell closely enough how the table lies that of every solid the upper face is known."""
        middle = (self.size[0] / 2, self.size[1] / 2)
        sine, up = views(self.cameras, middle, self.size)
        off = up * np.sqrt(1 - sine**2)[:, None] - self.upright_at(middle)
        return self.prints > 0 and float(self.weights @ (off**2).sum(axis=1)) < MAX_ASTRAY**2

    @cached_property
    def flat(self) -> Float64Array:
        """(3, 3): what lays the picture flat, by the likeliest camera: from pixels to places on the table, in
        parts of the height of the camera."""
        at = np.array([int(self.weights.argmax())])
        cameras = Cameras(self.cameras.elevation[at], self.cameras.roll[at], self.cameras.field[at])
        right, down = (level[0] for level in cameras.level)
        corner, step_x, step_y = cameras.rays(np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]), self.size)[0]
        ray = np.stack([step_x - corner, step_y - corner, corner], axis=1)
        return np.asarray(np.stack([right, down, -cameras.up[0]]) @ ray)

    def upright_at(self, place: tuple[float, float]) -> Float64Array:
        """(2,): where upright things point at a place, as long as the cosine of the elevation: the mean."""
        sine, up = views(self.cameras, place, self.size)
        return np.asarray(self.weights @ (up * np.sqrt(1 - sine**2)[:, None]))

    def angle_from(self, other: CameraPose) -> float:
        """Degrees, about, between two ways in which the table lies before the middle of a picture."""
        place = (self.size[0] / 2, self.size[1] / 2)
        return math.degrees(float(np.linalg.norm(self.upright_at(place) - other.upright_at(place))))

    def turns_at(self, place: tuple[float, float]) -> Turns:
        """How a die at a place may be turned in the picture."""
        sine, up = views(self.cameras, place, self.size)
        quarters = np.round(np.degrees(np.arctan2(up[:, 0], -up[:, 1])) / 90).astype(int) % 4
        quarters[(sine > MAX_SINE_OF_SIDE) | (self.cameras.elevation < LOW)] = 0
        chances, degrees = [], []
        for quarter in range(4):
            weights = np.where(quarters == quarter, self.weights, 0.0)
            x, y = (weights @ up).tolist()
            chances.append(float(weights.sum()))
            degrees.append(math.degrees(math.atan2(x, -y)) if quarter else 0.0)
        return Turns(quarters, tuple(chances), tuple(degrees))

    def view_at(self, place: tuple[float, float]) -> ViewAngle:
        """From where a place is seen if the camera stands low: the mean of low cameras that are turned by the
        likeliest quarter."""
        weights = np.where(self.cameras.elevation < LOW, self.weights, 0.0)
        quarters = np.round(self.cameras.roll / 90).astype(int) % 4
        likeliest = int(np.bincount(quarters, weights, minlength=4).argmax())
        weights = np.where(quarters == likeliest, weights, 0.0)
        sine, up = views(self.cameras, place, self.size)
        mean = weights @ up
        x, y = (mean / max(float(np.hypot(*mean)), 1e-9)).tolist()
        return ViewAngle(float(weights @ sine / max(float(weights.sum()), 1e-300)), (x, y))
