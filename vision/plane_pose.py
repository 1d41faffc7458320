"""From where a camera sees the table, told by what is printed in a known size and lies on it.

Seen through the right camera, such a thing has on the table the shape in which it was printed, and all of them lie
as far below the lens. That says how likely each camera is; the search looks closer and closer round the likeliest.
Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.camera_pose import CameraPose, Cameras
from loomtable.vision.quads import Point

_USUAL_FIELD, _FIELD_SPREAD = 58.0, 0.3
"""Degrees across the longer side: the usual, and the standard deviation of its logarithm. Prints straight below
hardly tell it, so it has to leave room for the very wide lenses that hang over tables."""
_CORNER = 0.6
"""Pixels by which a corner may be out."""
_BENT = 0.008
"""The same in parts of the thing's size: paper bends, and lenses bend straight lines."""
_ASTRAY = 1e-4
"""How likely a print is that does not lie flat, or is of another size, against one that fits."""
_LOWEST, _SLANT = 10.0, 0.02
"""The lowest camera, in degrees above the table, and the sine of the flattest look at a print that is believed."""
_FIRST, _ROUGH = (np.arange(17.5, 90.0, 5.0), np.arange(0.0, 360.0, 15.0), np.arange(-3, 5) * 0.15), 0.05
"""The cameras that are tried first: elevations, rolls, and logarithms of fields of view over the usual; and how
far the right one may be from the best of them, in parts of a print's size."""
_CLOSER = ((2.0, 5.0, 0.07), (1.0, 2.0, 0.05), (0.5, 0.8, 0.03))
"""By how much the cameras of each later round are beside those of the round before."""
_DRAWN = 60
"""So many of these are looked round, drawn as they are likely: two that are mirrored may look alike."""
_LEAST = 1e-3
"""How likely a camera is that is kept, against the likeliest."""


class FlatPrint(msgspec.Struct, frozen=True):
    """Something flat on the table whose shape is known."""

    places: tuple[Point, ...]
    """Points of it, mm, x to the right and y down as it is read."""
    pixels: tuple[Point, ...]
    """Where they are seen."""
    sized: bool = True
    """Whether it is as large as ``places`` say; else it has their shape alone."""


def flat_rectangle(quad: Sequence[Point], wide: float, high: float, *, sized: bool = True) -> FlatPrint:
    """Something printed, so many mm wide and high, whose corners are seen at a quad."""
    return FlatPrint(((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)), tuple(quad), sized)


def pose_by_prints(prints: Sequence[FlatPrint], size: tuple[int, int]) -> CameraPose | None:
    """From where a picture of this width and height (px) was taken in which these lie; nothing where none does."""
    if not prints:
        return None
    settings = np.stack([axis.ravel() for axis in np.meshgrid(*_FIRST, indexing="ij")])
    log_weights = _log_weights(settings, prints, size, _ROUGH)
    beside = np.stack([axis.ravel() for axis in np.meshgrid(*[np.array([-1.0, 0.0, 1.0])] * 3)])
    for steps in _CLOSER:
        share = np.cumsum(np.exp(log_weights - log_weights.max()))
        drawn = np.unique(np.searchsorted(share, (np.arange(_DRAWN) + 0.5) / _DRAWN * share[-1]))
        near = settings[:, drawn, None] + (beside * np.array(steps)[:, None])[:, None]
        settings = np.unique(np.round(near.reshape(3, -1), 4), axis=1)
        settings = settings[:, (settings[0] > _LOWEST) & (settings[0] <= 90)]
        log_weights = _log_weights(settings, prints, size, steps[0] / 100)
    # Counted once, not in each round: what prints leave open stays as open as it was.
    log_weights -= 0.5 * (settings[2] / _FIELD_SPREAD) ** 2
    kept = log_weights > log_weights.max() + math.log(_LEAST)
    return CameraPose(log_weights[kept], size, 0, _cameras(settings[:, kept]), len(prints))


def _cameras(settings: Float64Array) -> Cameras:
    elevation, roll, field = settings
    return Cameras(elevation, roll % 360, _USUAL_FIELD * np.exp(field))


def _log_weights(
    settings: Float64Array, prints: Sequence[FlatPrint], size: tuple[int, int], rough: float
) -> Float64Array:
    """(n,): how likely each camera (3, n) is; ``rough`` is how far the best of its neighbours may be from it, in
    parts of a print's size."""
    cameras = _cameras(settings)
    right, down = cameras.level
    likely = np.zeros(len(settings[2]))
    heights, errors = [], []
    for flat in prints:
        pixels = np.array(flat.pixels)
        rays = cameras.rays(pixels, size)
        away = -np.einsum("nmi,ni->nm", rays, cameras.up)
        on_table = rays / np.maximum(away, _SLANT)[..., None]
        seen = np.einsum("nmi,ni->nm", on_table, right) + 1j * np.einsum("nmi,ni->nm", on_table, down)
        seen -= seen.mean(axis=1, keepdims=True)
        given = np.array(flat.places) @ [1, 1j]
        given -= given.mean()
        energy = float((np.abs(given) ** 2).sum())
        # Turned and enlarged as it fits best; what is left over is brought to pixels.
        scale = seen @ given.conj() / energy
        pixels_per_mm = math.sqrt(float(((pixels - pixels.mean(axis=0)) ** 2).sum()) / energy)
        off = np.abs(seen - scale[:, None] * given) / np.maximum(np.abs(scale), 1e-9)[:, None] * pixels_per_mm
        error = _CORNER + (_BENT + rough) * pixels_per_mm * math.sqrt(energy / len(given))
        fits = np.exp(-0.5 * (off**2).sum(axis=1) / error**2) * (away > _SLANT).all(axis=1)
        likely = likely + np.log(fits + _ASTRAY)
        if flat.sized:
            heights.append(np.log(np.maximum(np.abs(scale), 1e-9)))
            errors.append(error / (pixels_per_mm * math.sqrt(energy)))
    if heights:
        sure = 1 / np.array(errors)[:, None] ** 2
        mean = (sure * heights).sum(axis=0) / sure.sum()
        likely = likely - np.minimum(0.5 * sure * (heights - mean) ** 2, -math.log(_ASTRAY)).sum(axis=0)
    return np.asarray(likely)
