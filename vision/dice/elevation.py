"""How high above the table the camera stands, measured from the dice in its picture.

A die lies flat on the table, so the camera's elevation is one and the same for all of them, but for the lens: at
the picture's edges a die is seen from another angle than in its middle. Two things are measured for each camera on
a grid (elevation, roll, field of view). Both networks predict, of a die of any kind, where upright things point at
it and how sure that is. For each way a d6 may be turned on the table, the projection says where in its
box each visible face lies and in which ellipse its pips are seen, which is held against the faces that were found.
The likelihoods of all dice multiply, and those of several rolls before a camera that was not moved.

Two faces of a cube look alike from two places: the one that is seen smaller lies up before a low camera, and the
other one where the die lies far from the point under the camera, as in a tray under a wide lens. So all cameras of
the grid and all turns of the cube say together how surely a face lies beside the top.

From less than ``LOW`` degrees the front of a d6 is seen larger than its top. The figures that this rests on stand
in ``models/README.md``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.dice.crops import square_about
from loomtable.vision.dice.pips.reader import PipSide

LOW = 42.5
"""Degrees above the table below which a front is taken for the top: from 45 both are as large, and a step of the
grid lower the networks still tell them apart."""
_ELEVATIONS = np.arange(15.0, 91.0, 5.0)
_OVERHEAD = 65.0
"""Elevation from which a camera may be turned in any way, since it can be fixed in any, and may have a wide lens:
lower ones would see over the table."""
_QUARTERS, _EIGHTHS = np.arange(0.0, 360.0, 90.0), np.arange(0.0, 360.0, 45.0)
_USUAL, _WIDE = (40.0, 65.0), 95.0
"""Degrees across the picture's longer side: a phone's, a webcam's, and a very wide lens."""
_UPRIGHT, _SELDOM_LOW, _SELDOM_WIDE = 0.85, 0.3, 0.1
"""Prior probability that a picture's up is the room's, below ``_OVERHEAD``; how often a camera stands at one
elevation below ``LOW``, in parts of how often at one above, since people are told to look down at their dice; and
how often one overhead has a very wide lens. Set by hand."""


def _grid() -> tuple[Float64Array, ...]:
    """(n,) each: elevation, roll and field of view of every camera, and the logarithm of its prior probability."""
    cameras = []
    for elevation in _ELEVATIONS:
        overhead, often = elevation >= _OVERHEAD, _SELDOM_LOW if elevation < LOW else 1.0
        rolls = _EIGHTHS if overhead else _QUARTERS
        usual = (1 - _SELDOM_WIDE) / 2 if overhead else 1 / 2
        fields = {**dict.fromkeys(_USUAL, usual), **({_WIDE: _SELDOM_WIDE} if overhead else {})}
        for roll in rolls:
            turned = 1 / len(rolls) if overhead else _UPRIGHT if roll == 0 else (1 - _UPRIGHT) / 3
            cameras += [(elevation, roll, field, math.log(often * turned * one)) for field, one in fields.items()]
    return tuple(np.array(column) for column in zip(*cameras, strict=True))


_ELEVATION, _ROLL, _FIELD, _PRIOR = _grid()
_YAWS = np.radians(np.arange(0.0, 90.0, 7.5))

# Errors of what is measured. Chosen by a search for the best likelihood on the even half of ``low-oblique``, every
# second of 120 rendered pictures from 18 to 46 degrees, and a sample of nine sources that are seen from above.
_ROUNDING = 0.05
"""Radius of a cube's rounded edges, in sides."""
_PLACE_ERROR = 0.2
"""Of a face's middle, in halves of the box's mean side."""
_SHAPE_ERROR = 0.02
"""Of ``det((A + B) / 2) - 1`` for two ellipses of area one."""
_ASPECT_ERROR = 0.3
"""Of the logarithm of the box's height over its width."""
_TOP_ERROR, _TOP_ASTRAY = 0.26, 0.03
"""Of the network's middle of the top, in halves of the box's mean side; and how often it says nothing."""
_NOT_THE_TOP = 0.1
"""How often the network sees the top where another face is, for each of these. Set by hand."""
_SWAPPED = 0.05
"""How often the networks see a die as if the other of its two faces lay up. Set by hand: they have learned from
cameras that are held upright."""
_STRAY, _STRAY_UNSURE = 0.003, 0.003
"""Likelihood of a face that no visible one explains, and what is added to it where the face is not sure."""
_SINGLE = 0.5
"""What a face of one pip counts: it may be any spot."""
_FOUND = 0.9
"""How often a face that is seen from straight above is found by its pips."""
_SEEN_FROM, _WELL_SEEN = 0.3, 0.7
"""Sine of the angle at which a face is seen from which its pips may be found, and from which they should be."""
STUDENT_FREEDOM = 4.0
"""Degrees of freedom of the distribution that a network gives of where upright things point."""
LEARNED_UPRIGHT, LEARNED_SCALE = np.array([0.0, -0.52]), 0.257
"""Mean and scale of where upright things pointed in the scenes that the networks learned this from. It says how
likely a direction is given those: unless they are divided out, each die draws the camera towards their mean.
``train_elevation`` prints both."""
_ALIKE = 0.2
"""How far a network errs alike on dice of one picture: 0 not at all, 1 altogether. Set by hand: on rendered
pictures 0 to 0.1 fits best, and photographs differ more from one another."""
_NETWORKS_ALIKE = 0.5
"""The same for two networks that look at the same die. Set by hand: from 0.2 to 1 rendered and real pictures fit
about as well."""
_ASTRAY = 0.03
"""Share of dice whose measurements say nothing."""
_MAX_ASPECT_MISFIT = 4.0
"""What the box's shape may count against a camera at most: boxes are loose."""
_MAX_COUNTED = 8
"""So many dice of a picture are measured, the clearest: more cost time and tell no more."""
_BEYOND = 1.3
"""Halves of the box from its middle beyond which a face is a neighbour's."""
_KEPT = 0.8
"""What the evidence of earlier rolls counts in a later one: cameras are moved between rolls. Set by hand."""


MAX_SPREAD = 15.0
"""Degrees: an elevation that is known less closely is not told to people. Set by hand."""


@dataclass(frozen=True)
class DieView:
    """What tells from where a die is seen."""

    box: Box
    sides: tuple[PipSide, ...] = ()
    """Every face that a d6's pips make, up or not."""
    top: Float32Array | None = None
    """(2,): where the first network sees the middle of the top, in halves of the square about the box, from its
    middle."""
    uprights: tuple[Float32Array, ...] = ()
    """(3,) each, by one network: where upright things point at it, right and down, as long as the cosine of the
    camera's elevation there, and the logarithm of the scale of that: a Student t distribution of
    ``STUDENT_FREEDOM``."""
    is_cube: bool = True
    """Whether its pips and its box are held against a cube's."""

    @property
    def middle(self) -> tuple[float, float]:
        """Of its box, pixels."""
        x0, y0, x1, y1 = self.box
        return (x0 + x1) / 2, (y0 + y1) / 2


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
class CameraPose:
    """From where the camera sees the table, and how surely that is known."""

    log_weights: Float64Array
    """Of each camera of the grid; only their differences count."""
    size: tuple[int, int]
    """Width and height of the picture."""
    dice: int
    """How many dice it was measured from; none, and it says nothing."""
    beside: tuple[tuple[float, ...], ...] = ()
    """Of each cube of the last picture that was measured, in their order: how surely each of its ``sides``, and
    last the face where the first network sees the top, lies beside the top, 0 to 1. Nothing for other dice."""

    @cached_property
    def weights(self) -> Float64Array:
        """(n,): probability of each camera of the grid."""
        weights = np.exp(self.log_weights - self.log_weights.max())
        return np.asarray(weights / weights.sum())

    @property
    def low(self) -> float:
        """Probability that the camera stands below ``LOW`` degrees."""
        return float(self.weights[_ELEVATION < LOW].sum())

    @property
    def elevation(self) -> float:
        """Degrees above the table, in the middle of the picture: the mean."""
        return float(self.weights @ _ELEVATION)

    @property
    def spread(self) -> float:
        """Degrees: standard deviation of the elevation."""
        return float(np.sqrt(self.weights @ (_ELEVATION - self.elevation) ** 2))

    @property
    def is_known(self) -> bool:
        """Whether there was a die to measure, and what it told is worth saying."""
        return self.dice > 0 and self.spread < MAX_SPREAD

    @property
    def roll(self) -> float:
        """Degrees clockwise, in quarter turns, of the likeliest camera."""
        return float(_ROLL[int(self.log_weights.argmax())])

    def upright_at(self, place: tuple[float, float]) -> Float64Array:
        """(2,): where upright things point at a place, as long as the cosine of the elevation: the mean."""
        sine, up = _views(place, self.size)
        return np.asarray(self.weights @ (up * np.sqrt(1 - sine**2)[:, None]))

    def view_if_low(self, place: tuple[float, float]) -> ViewAngle:
        """From where a place is seen if the camera stands low: the mean of these cameras with the likeliest
        roll."""
        low = np.where(_ELEVATION < LOW, self.weights, 0.0)
        roll = max(_QUARTERS.tolist(), key=lambda turn: float(low[turn == _ROLL].sum()))
        weights = np.where(roll == _ROLL, low, 0.0)
        sine, up = _views(place, self.size)
        mean = weights @ up
        x, y = (mean / max(float(np.hypot(*mean)), 1e-9)).tolist()
        return ViewAngle(float(weights @ sine / max(float(weights.sum()), 1e-300)), (x, y))


@dataclass
class StandingCamera:
    """A camera that stands where it stands from roll to roll, so that every roll tells more of its pose."""

    known: CameraPose | None = None
    """What the rolls before this one told."""
    latest: CameraPose | None = None
    """The same with the last picture."""

    def settle(self) -> None:
        """A roll is over: what its last picture told is known from now on."""
        self.known = self.latest

    def moved(self) -> None:
        """The camera was moved: nothing is known any more."""
        self.known = self.latest = None


def measure_pose(dice: Sequence[DieView], size: tuple[int, int], before: CameraPose | None = None) -> CameraPose:
    """From where a picture was taken.

    Args:
        dice: those in it, the clearest first.
        size: its width and height.
        before: what earlier rolls before the same camera told.
    """
    known = before is not None and before.size == size
    total = _PRIOR + (_KEPT * (before.log_weights - _PRIOR) if before is not None and known else 0.0)
    counted = dice[:_MAX_COUNTED]
    cubes = [_fit_cube(die, size) if die.is_cube else None for die in counted]
    for die, cube in zip(counted, cubes, strict=True):
        if cube is not None:
            likelihood = _log_mean(cube.log_likelihood, axis=1)
            total = total + np.logaddexp(likelihood, _log_mean(likelihood, axis=0) + math.log(_ASTRAY))
        if die.uprights:
            share = 1 / (1 + _ALIKE * (len(counted) - 1)) / (1 + _NETWORKS_ALIKE * (len(die.uprights) - 1))
            said = [_log_likelihood_of_upright(one, die.middle, size) for one in die.uprights]
            total = total + share * np.sum(said, axis=0)
    count = len(dice) + (before.dice if before is not None and known else 0)
    pose = CameraPose(np.asarray(total), size, count)
    return replace(pose, beside=tuple(() if cube is None else cube.beside(pose.weights) for cube in cubes))


def _log_mean(logs: Float64Array, axis: int) -> Float64Array:
    """Logarithm of the mean of what these are the logarithms of."""
    top = logs.max()
    return np.asarray(np.log(np.maximum(np.exp(logs - top).mean(axis=axis), 1e-300)) + top)


@lru_cache(maxsize=64)
def _views(place: tuple[float, float], size: tuple[int, int]) -> tuple[Float64Array, Float64Array]:
    """How each camera of the grid sees a place: sine of the elevation (n,), and where upright things point
    (n, 2)."""
    focal = max(size) / 2 / np.tan(np.radians(_FIELD) / 2)
    elevation, roll = np.radians(_ELEVATION), np.radians(_ROLL)
    level = np.cos(elevation)
    up = np.stack([np.sin(roll) * level, -np.cos(roll) * level, -np.sin(elevation)], axis=1)
    ray = np.stack(
        [(place[0] - size[0] / 2) / focal, (place[1] - size[1] / 2) / focal, np.ones_like(focal)], axis=1
    )
    ray /= np.linalg.norm(ray, axis=1, keepdims=True)
    sine = -(ray * up).sum(axis=1)
    across = (up + ray * sine[:, None])[:, :2]
    length = np.hypot(across[:, 0], across[:, 1])
    # Seen from straight above nothing points anywhere in the picture: any direction serves.
    across = np.where(length[:, None] > 1e-6, across / np.maximum(length, 1e-6)[:, None], [0.0, -1.0])
    return np.clip(sine, 0.02, 1.0), across


def _log_likelihood_of_upright(
    upright: Float32Array, place: tuple[float, float], size: tuple[int, int]
) -> Float64Array:
    """(n,): of each camera of the grid, by what the network says of a die at this place; but for a constant."""
    sine, up = _views(place, size)

    def said(points: Float64Array) -> Float64Array:
        learned = _log_student(points - LEARNED_UPRIGHT, LEARNED_SCALE)
        return _log_student(points - upright[:2], math.exp(float(upright[2]))) - learned

    right, swapped = said(up * np.sqrt(1 - sine**2)[:, None]), said(-up * sine[:, None])
    return np.asarray(np.logaddexp(right + math.log(1 - _SWAPPED), swapped + math.log(_SWAPPED)))


def _log_student(off: Float64Array, scale: float) -> Float64Array:
    """(n,): logarithm of a bivariate Student t density so far (n, 2) from its middle; but for a constant."""
    return np.asarray(-(STUDENT_FREEDOM / 2 + 1) * np.log1p((off**2).sum(axis=1) / (scale**2 * STUDENT_FREEDOM)))


def _normals(sine: Float64Array, up: Float64Array) -> Float64Array:
    """(3, 3, n, yaws): along the picture's right, its down and towards the camera, the normals of a cube's visible
    faces, the top's first."""
    cosine, sine = np.sqrt(1 - sine**2)[:, None], sine[:, None]
    zero = np.zeros((len(sine), len(_YAWS)))
    c, s = np.cos(_YAWS), np.sin(_YAWS)
    # Made for a camera held upright, where up is (0, -1); turned to where it is.
    right = np.stack([zero, s + zero, -c + zero])
    down = np.stack([zero - cosine, c * sine, s * sine])
    towards = np.stack([zero + sine, c * cosine, s * cosine])
    x, y = up[:, 0, None], up[:, 1, None]
    return np.stack([-y * right - x * down, x * right - y * down, towards])


@dataclass(frozen=True, eq=False)
class _CubeFit:
    """A cube held against each camera of the grid and each turn of it on the table."""

    log_likelihood: Float64Array
    """(n, yaws)"""
    faces: tuple[Float64Array | None, ...]
    """(3, n, yaws) each: how well each face that was found fits each visible face, the top's first; last the one
    where the first network sees the top. Nothing where it is a neighbour's."""

    def beside(self, weights: Float64Array) -> tuple[float, ...]:
        """``CameraPose.beside`` of this cube, where the cameras are as likely as these weights (n,)."""
        turns = np.exp(self.log_likelihood - self.log_likelihood.max(axis=1, keepdims=True))
        turns *= (weights / turns.sum(axis=1))[:, None]
        return tuple(
            0.0 if fits is None else float((turns * fits[1:].sum(axis=0) / (fits.sum(axis=0) + _STRAY)).sum())
            for fits in self.faces
        )


def _fit_cube(cube: DieView, size: tuple[int, int]) -> _CubeFit:
    normals = _normals(*_views(cube.middle, size))
    facing = np.maximum(normals[2], 1e-3)
    half = (0.5 - _ROUNDING) * np.abs(normals[:2]).sum(axis=1) + _ROUNDING
    middles = normals[:2] / (half[0] + half[1])
    x0, y0, x1, y1 = cube.box
    width, height = max(x1 - x0, 1e-6), max(y1 - y0, 1e-6)
    unit = (width + height) / 4
    aspect = np.log(half[1] / half[0]) - math.log(height / width)
    total = -np.minimum(0.5 * (aspect / _ASPECT_ERROR) ** 2, _MAX_ASPECT_MISFIT)
    top: Float64Array | None = None
    if cube.top is not None:
        place = np.clip(cube.top, -0.5, 0.5) * square_about(cube.box)[1] / 2 / unit
        top = np.exp(-0.5 * _squared_distances(middles, place) / _TOP_ERROR**2) * (normals[2] > _SEEN_FROM)
        total = total + np.log((1 - 2 * _NOT_THE_TOP) * top[0] + _NOT_THE_TOP * top[1:].sum(axis=0) + _TOP_ASTRAY)
    found = np.zeros(facing.shape, bool)
    faces: list[Float64Array | None] = []
    for side in cube.sides:
        place = (np.array(side.middle) - cube.middle) / unit
        if np.abs(place).max() > _BEYOND:
            faces.append(None)
            continue
        fits = np.exp(
            -_shape_difference(normals, facing, side.ellipse) / _SHAPE_ERROR
            - 0.5 * _squared_distances(middles, place) / _PLACE_ERROR**2
        )
        best = fits.max(axis=0)
        sure = min(side.confidence, 1.0) * (0.9 if side.value > 1 else _SINGLE)
        total = total + np.log(sure * best + (1 - sure) * _STRAY_UNSURE + _STRAY)
        found |= (fits > 0.2) & (fits == best)
        faces.append(fits)
    missed = np.log(1 - _FOUND * np.clip((facing - _SEEN_FROM) / (_WELL_SEEN - _SEEN_FROM), 0, 1))
    return _CubeFit(np.asarray(total + np.where(found, 0.0, missed).sum(axis=0)), (*faces, top))


def _squared_distances(points: Float64Array, place: npt.NDArray[np.floating]) -> Float64Array:
    """(...): of points (2, ...) from a place (2,)."""
    return np.asarray((points[0] - place[0]) ** 2 + (points[1] - place[1]) ** 2)


def _shape_difference(normals: Float64Array, facing: Float64Array, ellipse: Float64Array) -> Float64Array:
    """0 where a circle on a face is seen in this ellipse, whatever its size; more where it is not.

    A circle on a plane with the normal n is seen as the ellipse 1 - n n', of area n's part towards the camera.
    """
    (xx, xy), (_, yy) = (ellipse / math.sqrt(max(float(np.linalg.det(ellipse)), 1e-12))).tolist()
    x, y = normals[0], normals[1]
    mean_xx, mean_yy = ((1 - x * x) / facing + xx) / 2, ((1 - y * y) / facing + yy) / 2
    mean_xy = (xy - x * y / facing) / 2
    return np.asarray(mean_xx * mean_yy - mean_xy**2 - 1)
