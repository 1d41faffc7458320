"""How a camera sees a flat sheet, fitted to the corners of its tags: plane, focal length, the lens, and edges.

A homography alone takes the lens for straight. A webcam's is not: it moves the corners of a picture by several
pixels, and tags near its edge look larger or smaller than they are, which is how the prints of figures are told
apart. So the bend is fitted too, held near what lenses of webcams do, and what the tags leave open is given.
Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.printed.plane import SeenPlane, camera_over, mapped
from loomtable.vision.printed.views import FIELD_OF_VIEW, View

_CORNER = 0.15
"""Pixels by which a corner of a tag is out."""
_FOCAL, _MIDDLE, _BEND, _EDGE = 0.25, 0.01, 0.03, 0.15
"""How far webcams are from the usual: the focal length (as a share), the middle of the picture (as a share of its
width), the bend, and the edges of black (px)."""
NEARBY = 0.02
"""The share of a deviation at which the other cameras are: a whole one can be too far for a straight line."""
_STEPS = np.array([1e-5] * 4 + [1e-5] * 3 + [1e-2, 1e-2, 1e-5, 1e-3])
"""By which each parameter is moved to see how the corners move."""
_ROUNDS = 12
"""Rounds of the fit. Bound by time."""


@dataclass(frozen=True)
class Lens:
    """A lens that bends straight lines: further out by ``bend`` at the picture's corners, and less inside."""

    distortion: float
    middle: tuple[float, float]
    reach: float
    """From the middle of the picture to its corners, px."""

    def undistort(self, pixels: Float64Array) -> Float64Array:
        """Where a lens that bends nothing would show what is seen at pixels (N, 2)."""
        away = (pixels - self.middle) / self.reach
        return np.asarray(
            away * (1 + self.distortion * (away**2).sum(axis=1, keepdims=True)) * self.reach + self.middle
        )

    def distort(self, straight: Float64Array) -> Float64Array:
        """The pixels (N, 2) at which this lens shows what a straight one shows there."""
        away = (straight - self.middle) / self.reach
        there = away.copy()
        for _ in range(8):
            there = away / (1 + self.distortion * (there**2).sum(axis=1, keepdims=True))
        return np.asarray(there * self.reach + self.middle)


@dataclass(frozen=True)
class CameraFit(SeenPlane):
    """A plane as a camera's own lens shows it; ``homography`` leads to pixels of a straight one."""

    lens: Lens
    edge: float
    """Pixels by which dark squares look larger on every side than they are; smaller, where below 0."""

    def places(self, pixels: Float64Array, height: float = 0.0) -> Float64Array:
        """Millimetres (N, 2) on the plane under pixels (N, 2) that show something ``height`` mm above it."""
        return super().places(self.lens.undistort(pixels), height)

    def pixels(self, places: Float64Array, height: float = 0.0) -> Float64Array:
        """Pixels (N, 2) of what is ``height`` mm above places (N, 2) of the plane."""
        return self.lens.distort(super().pixels(places, height))


def outward_steps(quads: Float64Array) -> Float64Array:
    """By how much each corner of quads (N, 4, 2) moves where all sides move outward by a pixel."""
    before, after = quads - np.roll(quads, 1, axis=1), quads - np.roll(quads, -1, axis=1)
    u = before / np.maximum(np.linalg.norm(before, axis=2, keepdims=True), 1e-9)
    v = after / np.maximum(np.linalg.norm(after, axis=2, keepdims=True), 1e-9)
    sine = np.abs(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])[..., None]
    return np.asarray((u + v) / np.maximum(sine, 0.2))


def fit_cameras(
    places: Float64Array, quads: Float64Array, homography: Float64Array, size: tuple[int, ...]
) -> tuple[CameraFit, tuple[CameraFit, ...]] | None:
    """The camera that sees squares (N, 4, 2) of a plane, mm, as quads (N, 4, 2), px; and what it could as well be.

    Args:
        homography: (3, 3) a first one, which takes the lens for straight.
        size: of the picture: height, width, and so on.

    Returns:
        The likeliest, and one for each direction that the corners leave open, ``NEARBY`` of a deviation away.
        Nothing where no camera can see them so.
    """
    start = camera_over(homography, size)
    inner = np.diag([1 / start.focal, 1 / start.focal, 1.0]) @ _centred(start.middle) @ homography
    scale = float(np.linalg.norm(inner[:, :2], axis=0).mean()) * (1 if inner[2, 2] > 0 else -1)
    first, second, shift = (inner / scale).T
    u, _, v = np.linalg.svd(np.column_stack([first, second, np.cross(first, second)]))
    rotation = u @ np.diag([1.0, 1.0, np.linalg.det(u @ v)]) @ v  # the nearest to these axes
    far = float(shift[2])
    width = size[1]
    lens = Lens(0.0, start.middle, math.hypot(*start.middle))
    moved = outward_steps(quads)

    def camera(x: Float64Array) -> CameraFit:
        rotated = cv2.Rodrigues(x[1:4])[0] @ rotation
        focal = start.focal * math.exp(float(np.clip(x[0], -1, 1)))
        middle = (start.middle[0] + x[7], start.middle[1] + x[8])
        outer = np.column_stack([rotated[:, :2], shift + far * x[4:7]])
        homography = np.linalg.inv(_centred(middle)) @ np.diag([focal, focal, 1.0]) @ outer
        return CameraFit(
            homography,
            View(focal, middle, -rotated[:, 2]),
            Lens(float(x[9]), lens.middle, lens.reach),
            float(x[10]),
        )

    usual = math.log(width / 2 / math.tan(math.radians(FIELD_OF_VIEW) / 2) / start.focal)

    def residuals(x: Float64Array) -> Float64Array:
        """Everything that is out, in deviations."""
        fitted = camera(x)
        corners = fitted.lens.undistort((quads - fitted.edge * moved).reshape(-1, 2))
        out = (corners - mapped(fitted.homography, places.reshape(-1, 2))).ravel() / _CORNER
        strange = [(x[0] - usual) / _FOCAL, *(x[7:9] / (_MIDDLE * width)), x[9] / _BEND, x[10] / _EDGE]
        return np.concatenate([out, strange])

    with np.errstate(all="ignore"):
        best, jacobian = _levenberg_marquardt(residuals, np.zeros(len(_STEPS)))
    left = residuals(best)
    if not (np.isfinite(jacobian).all() and np.isfinite(left).all()):
        return None
    worse = max(1.0, float(left @ left) / (places.size - 6))
    sure, ways = np.linalg.eigh(jacobian.T @ jacobian)
    roots = ways * np.sqrt(worse / np.maximum(sure, 1e-12 * sure.max()))
    return camera(best), tuple(camera(best + NEARBY * root) for root in roots.T)


def _centred(middle: tuple[float, float]) -> Float64Array:
    return np.array([[1.0, 0.0, -middle[0]], [0.0, 1.0, -middle[1]], [0.0, 0.0, 1.0]])


def _levenberg_marquardt(
    residuals: Callable[[Float64Array], Float64Array], start: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Where the sum of squares is least, by the method of Levenberg and Marquardt; and the slopes (M, N) there."""
    at, out = start, residuals(start)
    jacobian, damping = _jacobian(residuals, at, out), 1e-3
    for _ in range(_ROUNDS):
        square = jacobian.T @ jacobian
        step = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-9), -jacobian.T @ out)
        tried = residuals(at + step)
        won = float(out @ out - tried @ tried)
        if won <= 0 or not np.isfinite(won):
            damping *= 10
            continue
        at, out, damping = at + step, tried, damping / 10
        jacobian = _jacobian(residuals, at, out)
        if won < 1e-3:
            break
    return at, jacobian


def _jacobian(
    residuals: Callable[[Float64Array], Float64Array], at: Float64Array, out: Float64Array
) -> Float64Array:
    return np.column_stack([(residuals(at + step) - out) / step.sum() for step in np.diag(_STEPS)])
