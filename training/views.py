"""The camera's geometry, and what a rendered scene is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.vision.arrays import Float32Array
from training.scenes import Camera

Doubles = NDArray[np.float64]


class RendererMissing(LoomtableError):
    """What the renderer needs is not on this machine; the message says what to install."""


@dataclass(frozen=True)
class Rendered:
    """Light that reaches the lens, and which die each pixel shows."""

    light: Float32Array
    """(height, width, 3) linear red, green, blue."""
    which: NDArray[np.uint8]
    """(height, width): number of the die from 1, or 0."""


def look_matrix(camera: Camera) -> Doubles:
    """Columns: the picture's right, its down, and forward, in the table's frame."""
    forward = camera.target - camera.eye
    forward = forward / np.linalg.norm(forward)
    side = np.cross(forward, [0.0, 0.0, 1.0])
    if np.linalg.norm(side) < 1e-6:
        side = np.array([1.0, 0.0, 0.0])
    side = side / np.linalg.norm(side)
    down = np.cross(forward, side)
    c, s = np.cos(camera.roll), np.sin(camera.roll)
    return np.stack([c * side + s * down, -s * side + c * down, forward], 1)


def projected(camera: Camera, points: Doubles) -> Doubles:
    """(n, 3) points on the table in mm → (n, 2) pixels."""
    turned = (points - camera.eye) @ look_matrix(camera)
    pixels = turned[:, :2] / turned[:, 2:] * camera.focal * camera.width
    return np.asarray(pixels + np.array([camera.width / 2, camera.height / 2]))


def upright_at(camera: Camera, place: Doubles) -> Doubles:
    """(2,) where in the picture things point that stand upright, seen at a place (3,) in mm: right and down, as
    long as the cosine of the camera's elevation there. It is what ``dice/elevation.py`` measures."""
    ray = (place - camera.eye) / np.linalg.norm(place - camera.eye)
    look = look_matrix(camera)
    across = (np.array([0.0, 0.0, 1.0]) - ray * ray[2]) @ look[:, :2]
    return np.asarray(across / max(float(np.hypot(*across)), 1e-9) * np.sqrt(max(1 - ray[2] ** 2, 0.0)))
