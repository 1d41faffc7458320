"""How high above the table the camera stands, measured from the dice in its picture.

A die lies flat on the table, so the camera's elevation is one and the same for all of them, but for the lens: at
the picture's edges a die is seen from another angle than in its middle. Two things are measured for each camera on
a grid (elevation, roll, field of view). Both networks predict, of a die of any kind, where upright things point at
it and how sure that is. For each way a d6 may be turned on the table, the projection says how its box is shaped
and where in it each visible face lies, which is held against where the first network sees the top.
The likelihoods of all dice multiply, and those of several rolls before a camera that was not moved.

Two faces of a cube look alike from two places: the one that is seen smaller lies up before a low camera, and the
other one where the die lies far from the point under the camera, as in a tray under a wide lens. So all cameras of
the grid and all turns of the cube say together how surely the face that was read lies beside the top.

From less than ``LOW`` degrees (``camera_pose.py``) the front of a d6 is seen larger than its top. The figures that
this rests on stand in ``models/README.md``. Numbers here are chosen on the even half of ``low-oblique``, every
second of 120 rendered pictures from 18 to 46 degrees, and a sample of nine sources that are seen from above, by a
search for the best likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.camera_pose import GRID, PRIOR, CameraPose, Cameras, views
from loomtable.vision.dice.crops import square_about

_YAWS = np.radians(np.arange(0.0, 90.0, 7.5))

_ROUNDING = 0.05
"""Radius of a cube's rounded edges, in sides."""
_ASPECT_ERROR = 0.3
"""Of the logarithm of the box's height over its width."""
_TOP_ERROR, _TOP_ASTRAY = 0.26, 0.03
"""Of the network's middle of the top, in halves of the box's mean side; and how often it says nothing."""
_NOT_THE_TOP = 0.1
"""How often the network sees the top where another face is, for each of these. Set by hand."""
_SWAPPED = 0.05
"""How often the networks see a die as if the other of its two faces lay up. Set by hand: they have learned from
cameras that are held upright."""
_STRAY = 0.003
"""Likelihood of a top that no visible face explains."""
_SEEN_FROM = 0.3
"""Sine of the angle at which a face is seen from which it may be taken for the top. Set by hand."""
STUDENT_FREEDOM = 4.0
"""Degrees of freedom of the distribution that a network gives of where upright things point. As trained."""
LEARNED_UPRIGHT, LEARNED_SCALE = np.array([0.0, -0.52]), 0.257
"""Mean and scale of where upright things pointed in the scenes that the networks learned this from. It says how
likely a direction is given those: unless they are divided out, each die draws the camera towards their mean.
As trained (``train_elevation`` prints both)."""
_ALIKE = 0.2
"""How far a network errs alike on dice of one picture: 0 not at all, 1 altogether. Set by hand: on rendered
pictures 0 to 0.1 fits best, and photographs differ more from one another."""
_NETWORKS_ALIKE = 0.5
"""The same for two networks that look at the same die. Set by hand: from 0.2 to 1 all fits about as well."""
_ASTRAY = 0.03
"""Share of dice whose measurements say nothing."""
_MAX_ASPECT_MISFIT = 4.0
"""What the box's shape may count against a camera at most: boxes are loose. Set by hand."""
_MAX_COUNTED = 8
"""So many dice of a picture are measured, the clearest: more cost time and tell no more. Bound by time."""
_KEPT = 0.8
"""What the evidence of earlier rolls counts in a later one: cameras are moved between rolls. Set by hand."""
_MOVED = 1.0
"""How much likelier, by the logarithm, dice must be before any other camera than before the one that prints told,
to say that it was moved since. Measured: in rendered scenes they are in 2 % before that camera, in 37, 57 and 88 %
if it was moved by 12, -25 and 25 degrees."""


@dataclass(frozen=True)
class DieView:
    """What tells from where a die is seen."""

    box: Box
    top: Float32Array | None = None
    """(2,): where the first network sees the middle of the top, in halves of the square about the box, from its
    middle."""
    uprights: tuple[Float32Array, ...] = ()
    """(3,) each, by one network: where upright things point at it, right and down, as long as the cosine of the
    camera's elevation there, and the logarithm of the scale of that: a Student t distribution of
    ``STUDENT_FREEDOM``."""
    is_cube: bool = True
    """Whether its box and its top are held against a cube's."""

    @property
    def middle(self) -> tuple[float, float]:
        """Of its box, pixels."""
        x0, y0, x1, y1 = self.box
        return (x0 + x1) / 2, (y0 + y1) / 2


def measure_pose(
    dice: Sequence[DieView], size: tuple[int, int], before: CameraPose | None = None
) -> tuple[CameraPose, tuple[float, ...]]:
    """From where a picture was taken.

    Args:
        dice: those in it, the clearest first.
        size: its width and height.
        before: what earlier rolls and prints before the same camera told.

    Returns:
        The camera, without what prints told where the dice contradict it; and of each of the dice that were
        measured, in their order, how surely the face where the first network sees the top lies beside it, 0 to 1;
        0 where it is no cube.
    """
    known = before if before is not None and before.size == size else None
    count, counted = len(dice) + (0 if known is None else known.dice), dice[:_MAX_COUNTED]
    earlier = PRIOR if known is None or known.prints else PRIOR + _KEPT * (known.log_weights - PRIOR)
    cubes = [_fit_cube(die, GRID, size) if die.is_cube else None for die in counted]
    likely = [None if cube is None else _log_mean(cube.log_likelihood, axis=1) for cube in cubes]
    anywhere = [None if cube is None else float(_log_mean(cube, axis=0)) + math.log(_ASTRAY) for cube in likely]
    total = _with_dice(earlier, counted, likely, anywhere, GRID, size)
    pose = CameraPose(total, size, count)
    if known is not None and known.prints and not known.is_overhead:
        near = [_fit_cube(die, known.cameras, size) if die.is_cube else None for die in counted]
        likely = [None if cube is None else _log_mean(cube.log_likelihood, axis=1) for cube in near]
        closer = _with_dice(known.log_weights, counted, likely, anywhere, known.cameras, size)
        if _log_sum(total) - _log_sum(closer) < _MOVED:
            pose, cubes = CameraPose(closer, size, count, known.cameras, known.prints), near
    return pose, tuple(0.0 if cube is None else cube.beside(pose.weights) for cube in cubes)


def _with_dice(
    earlier: Float64Array,
    dice: Sequence[DieView],
    cubes: Sequence[Float64Array | None],
    anywhere: Sequence[float | None],
    cameras: Cameras,
    size: tuple[int, int],
) -> Float64Array:
    """(n,): the logarithm of how likely each camera is, from before and by dice, of which those that are ``cubes``
    say so much (n,), or no more than ``anywhere``."""
    total = earlier - _log_sum(earlier)
    share = 1 / (1 + _ALIKE * (len(dice) - 1))
    for die, cube, least in zip(dice, cubes, anywhere, strict=True):
        if cube is not None and least is not None:
            total = total + np.logaddexp(cube, least)
        said = [_log_likelihood_of_upright(upright, cameras, die.middle, size) for upright in die.uprights]
        if said:
            total = total + share / (1 + _NETWORKS_ALIKE * (len(said) - 1)) * np.sum(said, axis=0)
    return np.asarray(total)


def beside_top(die: DieView, camera: CameraPose) -> float:
    """How surely the face where the first network sees the top of a d6 lies beside it, 0 to 1."""
    return _fit_cube(die, camera.cameras, camera.size).beside(camera.weights)


def _log_sum(logs: Float64Array) -> float:
    """Logarithm of the sum of what these are the logarithms of."""
    return float(np.log(np.exp(logs - logs.max()).sum()) + logs.max())


def _log_mean(logs: Float64Array, axis: int) -> Float64Array:
    """Logarithm of the mean of what these are the logarithms of."""
    top = logs.max()
    return np.asarray(np.log(np.maximum(np.exp(logs - top).mean(axis=axis), 1e-300)) + top)


def _log_likelihood_of_upright(
    upright: Float32Array, cameras: Cameras, place: tuple[float, float], size: tuple[int, int]
) -> Float64Array:
    """(n,): of each camera, by what the network says of a die at this place; but for a constant."""
    sine, up = views(cameras, place, size)

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
    top: Float64Array | None
    """(3, n, yaws): how well the place where the first network sees the top fits each visible face, the top's
    first."""

    def beside(self, weights: Float64Array) -> float:
        """How surely that place lies beside the top, where the cameras are as likely as these weights (n,)."""
        if self.top is None:
            return 0.0
        turns = np.exp(self.log_likelihood - self.log_likelihood.max(axis=1, keepdims=True))
        turns *= (weights / turns.sum(axis=1))[:, None]
        return float((turns * self.top[1:].sum(axis=0) / (self.top.sum(axis=0) + _STRAY)).sum())


def _fit_cube(cube: DieView, cameras: Cameras, size: tuple[int, int]) -> _CubeFit:
    normals = _normals(*views(cameras, cube.middle, size))
    half = (0.5 - _ROUNDING) * np.abs(normals[:2]).sum(axis=1) + _ROUNDING
    x0, y0, x1, y1 = cube.box
    width, height = max(x1 - x0, 1e-6), max(y1 - y0, 1e-6)
    aspect = np.log(half[1] / half[0]) - math.log(height / width)
    shape = -np.minimum(0.5 * (aspect / _ASPECT_ERROR) ** 2, _MAX_ASPECT_MISFIT)
    if cube.top is None:
        return _CubeFit(shape, None)
    middles = normals[:2] / (half[0] + half[1])
    x, y = (np.clip(cube.top, -0.5, 0.5) * 2 * square_about(cube.box)[1] / (width + height)).tolist()
    off = (middles[0] - x) ** 2 + (middles[1] - y) ** 2
    top = np.exp(-0.5 * off / _TOP_ERROR**2) * (normals[2] > _SEEN_FROM)
    place = np.log((1 - 2 * _NOT_THE_TOP) * top[0] + _NOT_THE_TOP * top[1:].sum(axis=0) + _TOP_ASTRAY)
    return _CubeFit(shape + place, top)
