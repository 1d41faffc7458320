"""How high above the table the camera stands, measured from the dice in its picture.

A die lies flat on the table, so the camera's elevation is one and the same for all of them, but for the lens: at
the picture's edges a die is seen from another angle than in its middle. Each die is held against each camera on a
grid (elevation, roll, field of view), a d6 against each turn of it on the table as well. Both networks predict
where upright things point at it, and how sure that is; the first also where its top is; and the projection says
how its box is shaped. The likelihoods of all dice multiply, and those of several rolls before a camera that was
not moved.

One face of a cube looks like another from elsewhere, and a regression answers the mean of all that may be: of a
die far from the point under the camera, as in a tray under a wide lens, something between its faces. So each
camera is taken to make the networks answer that as often as the right thing: the mean of the faces that can be
seen, by how large each looks, and how usual a camera is before which it would be the top. By the same, a camera
says how often they read the number of another face than the top's.

From less than ``LOW`` degrees (``camera_pose.py``) the front of a d6 is seen larger than its top. The figures that
this rests on stand in ``models/README.md``. Numbers here are chosen on 1,169 d6 in 400 rendered pictures, six
rolls before each of 69 cameras from 15 to 90 degrees, with lenses of 38 to 110 degrees across: dice of all
roundings everywhere in the picture, many along the walls of trays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.camera_pose import GRID, PRIOR, CameraPose, Cameras, views
from loomtable.vision.dice.crops import square_about

_YAWS = np.radians(np.arange(0.0, 90.0, 7.5))
_ROUNDINGS = (0.03, 0.12, 0.22)
"""Radii of the rounded edges of cubes, in sides: sharp, usual, tumbled; the dice of a picture tell which. Set by
hand."""
_ASPECT_ERROR, _TOP_ERROR = 0.2, 0.13
"""Of the logarithm of the box's height over its width; and of the network's middle of the top, in halves of the
box's mean side, the scale of a Student t distribution."""
_USUAL_UPRIGHT, _USUAL_SCALE, _UNUSUAL = np.array([0.0, -0.76]), 0.13, 0.002
"""Where upright things point before the cameras that the networks expect, the scale of that, and how likely any
other direction is against it."""
STUDENT_FREEDOM = 4.0
"""Degrees of freedom of the distribution that a network gives of where upright things point. As trained."""
LEARNED_UPRIGHT, LEARNED_SCALE = np.array([0.0, -0.52], np.float32), 0.257
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
_NEGLIGIBLE = 1e-5
"""Weight of a camera, in parts of the likeliest's, that is not asked what it makes of a die. Bound by time."""
_MAX_COUNTED = 8
"""So many dice of a picture are measured, the clearest: more cost time and tell no more. Bound by time."""
_KEPT = 0.8
"""What the evidence of earlier rolls counts in a later one: cameras are moved between rolls. Set by hand."""
_MOVED = 5.0
"""How much likelier, by the logarithm, dice must be before any other camera than before the one that prints told,
to say that it was moved since; one alone never is. Measured: before that camera they are in none of 178 drawn
pictures from above and 2 % of 164 others, and three dice in 19, 63 and 64 % if it was moved by 12, -25 and 25
degrees."""


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


@dataclass(frozen=True, eq=False)
class Stance:
    """A die held against each camera of the grid, and, where it is a cube, each turn of it on the table."""

    log_likelihood: Float64Array
    """(roundings, n, turns)"""
    normals: Float32Array | None = None
    """(3, 3, n, turns): of a cube's visible faces (``_normals``)."""
    fit: float = 0.0
    """Logarithm of how likely a cube looks so before the camera that all else tells, against any: a flat thing
    hardly does before one that would see its side."""

    def misread(self, weights: Float64Array, turn: float = 0.0) -> float:
        """How often the networks take a face beside the top for it, 0 to 1, where cameras are as likely as these
        weights (n,), and the die was cut out turned back by so many degrees clockwise; 0 where it is no cube."""
        if self.normals is None or not weights.any():
            return 0.0
        likely = weights > _NEGLIGIBLE * weights.max()
        logs, normals, weights = self.log_likelihood[0, likely], self.normals[:, :, likely], weights[likely]
        turns = np.exp(logs - logs.max(axis=1, keepdims=True))
        turns *= (weights / weights.sum() / turns.sum(axis=1))[:, None]
        return 1 - float((turns * _taken_for_top(normals, normals[2] ** 6, turn)[0]).sum())


def measure_pose(
    dice: Sequence[DieView], size: tuple[int, int], before: CameraPose | None = None
) -> tuple[CameraPose, list[Stance]]:
    """From where a picture was taken.

    Args:
        dice: those in it, the clearest first.
        size: its width and height.
        before: what earlier rolls and prints before the same camera told.

    Returns:
        The camera, without what prints told where the dice contradict it; and how each of the dice that were
        measured stands before it, in their order.
    """
    known = before if before is not None and before.size == size else None
    count, counted = len(dice) + (0 if known is None else known.dice), dice[:_MAX_COUNTED]
    earlier = PRIOR if known is None or known.prints else PRIOR + _KEPT * (known.log_weights - PRIOR)
    total, stances = _with_dice(earlier, counted, GRID, size)
    pose = CameraPose(total, size, count)
    by_any = [_log_sum(PRIOR + _log_mean(one.log_likelihood[0], axis=1)) - _log_sum(PRIOR) for one in stances]
    if known is not None and known.prints:
        closer, near = _with_dice(known.log_weights, counted, known.cameras, size, by_any)
        if _log_sum(total) - _log_sum(closer) < _MOVED:
            pose, stances = CameraPose(closer, size, count, known.cameras, known.prints), near
    return pose, [replace(one, fit=one.fit - fit) for one, fit in zip(stances, by_any, strict=True)]


def _with_dice(
    earlier: Float64Array,
    dice: Sequence[DieView],
    cameras: Cameras,
    size: tuple[int, int],
    by_any: Sequence[float] = (),
) -> tuple[Float64Array, list[Stance]]:
    """(n,): the logarithm of how likely each camera is, from before and by dice; and how these stand, rounded as
    explains all of them best. Where ``cameras`` are few, ``by_any`` says how each die looks before all of them."""
    share = 1 / (1 + _ALIKE * (len(dice) - 1))
    stances = [_stance(die, cameras, size, share) for die in dice]
    likely = [_log_mean(one.log_likelihood, axis=2) for one in stances]
    anywhere = by_any or [float(_log_mean(of.ravel(), axis=0)) for of in likely]
    told = [np.logaddexp(of, at + math.log(_ASTRAY)) for of, at in zip(likely, anywhere, strict=True)]
    totals = sum(told, np.tile(earlier - _log_sum(earlier), (len(_ROUNDINGS), 1)))
    best = int(np.argmax([_log_sum(total) for total in totals]))
    others = [totals[best] - of[best] for of in told]
    fits = [_log_sum(rest + of[best]) - _log_sum(rest) for rest, of in zip(others, likely, strict=True)]
    return totals[best], [
        replace(one, log_likelihood=one.log_likelihood[[best]], fit=fit)
        for one, fit in zip(stances, fits, strict=True)
    ]


def _log_sum(logs: Float64Array) -> float:
    """Logarithm of the sum of what these are the logarithms of."""
    return float(np.log(np.exp(logs - logs.max()).sum()) + logs.max())


def _log_mean(logs: Float64Array, axis: int) -> Float64Array:
    """Logarithm of the mean of what these are the logarithms of."""
    top = logs.max()
    return np.asarray(np.log(np.maximum(np.exp(logs - top).mean(axis=axis), 1e-300)) + top)


def _student(off: Float32Array, scale: float) -> Float32Array:
    """Density of a bivariate Student t distribution so far (2, ...) from its middle; but for a constant."""
    near = 1 / (1 + (off[0] ** 2 + off[1] ** 2) / np.float32(scale**2 * STUDENT_FREEDOM))
    return np.asarray(near * near * near)


def _log_upright(points: Sequence[Float32Array], uprights: Sequence[Float32Array], share: float) -> Float32Array:
    """Logarithm of how likely networks answer so, counted by this ``share``, if upright things seem to point to
    one of these points (2, ...): over how likely they are to without a look."""
    at, logs = LEARNED_UPRIGHT[:, None, None], np.zeros(points[0].shape[1:], np.float32)
    usual = [_student(point - at, LEARNED_SCALE) for point in points]
    for x, y, log_scale in uprights:
        at = np.array([x, y], np.float32)[:, None, None]
        seen = [_student(point - at, math.exp(log_scale)) for point in points]
        logs += np.float32(share) * np.log(sum(here / there for here, there in zip(seen, usual, strict=True)))
    return logs


def _normals(sine: Float64Array, up: Float64Array) -> Float32Array:
    """(3, 3, n, yaws): along the picture's right, its down and towards the camera, the normals of a cube's visible
    faces, the top's first. In half the digits of other sums, which take half the time."""
    high, (x, y) = sine.astype(np.float32)[:, None], up.astype(np.float32).T[:, :, None]
    cosine, zero = np.sqrt(1 - high**2), np.zeros((len(sine), len(_YAWS)), np.float32)
    c, s = np.cos(_YAWS).astype(np.float32), np.sin(_YAWS).astype(np.float32)
    # Made for a camera held upright, where up is (0, -1); turned to where it is.
    right = np.stack([zero, s + zero, -c + zero])
    down = np.stack([zero - cosine, c * high, s * high])
    towards = np.stack([zero + high, c * cosine, s * cosine])
    return np.stack([-y * right - x * down, x * right - y * down, towards])


def _taken_for_top(normals: Float32Array, sized: Float32Array, turn: float = 0.0) -> Float32Array:
    """(3, n, turns): how often each visible face of a cube is taken for its top, by how large each looks
    (3, n, turns), in a picture that was turned back by so many degrees."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = (np.array([[c, -s], [s, c]]) @ _USUAL_UPRIGHT).astype(np.float32)
    far = 1 + ((normals[0] - x) ** 2 + (normals[1] - y) ** 2) / np.float32(_USUAL_SCALE**2)
    taken = sized * (1 / (far * np.sqrt(far)) + np.float32(_UNUSUAL))
    return np.asarray(taken / taken.sum(axis=0))


def _stance(die: DieView, cameras: Cameras, size: tuple[int, int], share: float) -> Stance:
    """How a die stands; what the networks say counts for this ``share``."""
    sine, up = views(cameras, die.middle, size)
    share /= 1 + _NETWORKS_ALIKE * max(len(die.uprights) - 1, 0)
    if not die.is_cube:
        points = (up * np.sqrt(1 - sine**2)[:, None]).astype(np.float32).T[..., None]
        return Stance(np.tile(_log_upright([points], die.uprights, share), (len(_ROUNDINGS), 1, 1)))
    normals = _normals(sine, up)
    taken = _taken_for_top(normals, normals[2] ** 2 * np.sqrt(np.maximum(normals[2], 0)))
    meant, top = (taken * normals[:2]).sum(axis=1), normals[:2, 0]
    logs = _log_upright([meant, top], die.uprights, share)
    shadow = np.abs(normals[:2]).sum(axis=1)
    x0, y0, x1, y1 = die.box
    width, height = max(x1 - x0, 1e-6), max(y1 - y0, 1e-6)
    seen = np.zeros(2) if die.top is None else np.clip(die.top, -0.5, 0.5) * 2 * square_about(die.box)[1]
    at = (seen / (width + height)).astype(np.float32)[:, None, None]
    likely = []
    for rounding in _ROUNDINGS:
        half = (0.5 - rounding) * shadow + rounding
        aspect = np.log(half[1] / half[0]) - math.log(height / width)
        likely.append(logs - np.minimum(0.5 * (aspect / _ASPECT_ERROR) ** 2, _MAX_ASPECT_MISFIT))
        if die.top is not None:
            across = 1 / half.sum(axis=0)
            seen_at = sum(_student(point * across - at, _TOP_ERROR) for point in (meant, top))
            likely[-1] += np.float32(share) * np.log(seen_at)
    return Stance(np.array(likely, float), normals)
