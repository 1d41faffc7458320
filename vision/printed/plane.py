"""A flat printed thing in a picture: from its millimetres to pixels and back, and the camera that sees it so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.printed.views import FIELD_OF_VIEW, View

_LEAST_OBLIQUENESS = 0.08
"""Below this a view is so nearly from straight above that it does not tell the focal length; set by hand."""
_FOCAL_LENGTHS = (0.6, 1.8)
"""The least and the most that is believed, in the usual one; set by hand."""


@dataclass(frozen=True)
class SeenPlane:
    """A plane of the table, measured in millimetres, x to the right and y down as it is read."""

    homography: Float64Array
    """(3, 3): from millimetres on the plane (x, y, 1) to pixels."""
    view: View

    def places(self, pixels: Float64Array, height: float = 0.0) -> Float64Array:
        """Millimetres (N, 2) on the plane under pixels (N, 2) that show something ``height`` mm above it."""
        return mapped(inverse(self._level(height)), pixels)

    def pixels(self, places: Float64Array, height: float = 0.0) -> Float64Array:
        """Pixels (N, 2) of what is ``height`` mm above places (N, 2) of the plane."""
        return mapped(self._level(height), places)

    def _level(self, height: float) -> Float64Array:
        """The homography of the parallel plane ``height`` mm higher."""
        if not height:
            return self.homography
        middle = np.array([[1.0, 0.0, self.view.middle[0]], [0.0, 1.0, self.view.middle[1]], [0.0, 0.0, 1.0]])
        inner = middle @ np.diag([self.view.focal, self.view.focal, 1.0])
        outer = np.linalg.inv(inner) @ self.homography
        # A millimetre along the plane is a step of this length in the camera's axes; one upward is as long.
        step = float(np.linalg.norm(outer[:, :2], axis=0).mean()) * np.sign(outer[2, 2])
        raised = outer.copy()
        raised[:, 2] += height * step * self.view.up
        return np.asarray(inner @ raised)

    def scale(self, pixel: Float64Array) -> float:
        """Pixels for a millimetre of the plane at a pixel: the root of how much larger areas are."""
        place = self.places(pixel[None])[0]
        steps = self.pixels(place + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        return float(abs(np.linalg.det(steps[1:] - steps[0])) ** 0.5)


def inverse(matrix: Float64Array) -> Float64Array:
    """The homography (3, 3) that leads back."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def mapped(matrix: Float64Array, points: Float64Array) -> Float64Array:
    """Points (N, 2) through a homography (3, 3)."""
    there = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(there[:, :2] / there[:, 2:])


def camera_over(homography: Float64Array, size: tuple[int, ...]) -> View:
    """The camera that sees a plane (mm, x right, y down) so: square pixels, its axis through the middle.

    How far it looks obliquely tells its focal length; from straight above nothing does, and nothing depends on it.
    """
    middle = ((size[1] - 1) / 2, (size[0] - 1) / 2)
    centred = np.array([[1.0, 0.0, -middle[0]], [0.0, 1.0, -middle[1]], [0.0, 0.0, 1.0]]) @ homography
    focal = _focal_length(centred, size[1])
    across = np.diag([1 / focal, 1 / focal, 1.0]) @ centred
    # x runs right and y down on the plane, so their cross product points down into the table.
    down = np.cross(across[:, 0], across[:, 1])
    down *= np.sign(down[2]) or 1.0
    return View(focal, middle, -down / np.linalg.norm(down))


def _focal_length(centred: Float64Array, width: int) -> float:
    """From two rules: the plane's axes are at right angles, and equally long."""
    usual = width / 2 / np.tan(np.radians(FIELD_OF_VIEW) / 2)
    a, b = centred[:, 0], centred[:, 1]
    # For w = 1 / f^2: w (a0 b0 + a1 b1) + a2 b2 = 0, and w (a0^2 + a1^2 - b0^2 - b1^2) + a2^2 - b2^2 = 0.
    terms = np.array([a[0] * b[0] + a[1] * b[1], a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2])
    known = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    obliqueness = float(known @ known) ** 0.5 * usual**2 / max(float(a[:2] @ a[:2]), 1e-12)
    inverse = -float(terms @ known) / max(float(terms @ terms), 1e-18)
    if obliqueness < _LEAST_OBLIQUENESS or inverse <= 0:
        return float(usual)
    return float(np.clip(inverse**-0.5, _FOCAL_LENGTHS[0] * usual, _FOCAL_LENGTHS[1] * usual))
