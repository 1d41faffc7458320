"""Bare table: where it shows in place of a die's top, there is no die. Numbers here are set by hand."""

from __future__ import annotations

import cv2
import numpy as np

from loomtable.engine.kernel.ring_codes import CLEAR_OUTSIDE
from loomtable.vision.arrays import Float64Array
from loomtable.vision.pictures import BgrImage
from loomtable.vision.printed.rings import Ring, circle_points

_DARKER = 0.7
"""Light of bare table at most, in parts of the light ground round a ring: a top in glare is lighter."""
_ALIKE = 14.0
"""Grey levels by which each colour may differ from the table beside it."""
_AROUND, _WAYS = 3.2, 16
"""Ring radii to the places round the die with which it is compared, and how many they are."""
_WIDEST_GAP = np.radians(158)
"""Between two of those places that show table: less than half of the circle."""
_PATCH = circle_points(16, (0.15, 0.3, 0.45)).reshape(-1, 2)
_OUTSIDE = circle_points(48, ((1 + CLEAR_OUTSIDE) / 2 + 0.02,))[:, 0]


def is_bare_table(picture: BgrImage, ring: Ring, over: Float64Array) -> bool:
    """Whether a pixel beside a ring shows table and neither a die's top, however lit, nor a finger or a hand.

    It must be clearly darker than the ring's own ground, and of the colour of places all round the die: a finger
    comes from one side, and a hand covers no more than half of what lies round.
    """
    height, width = picture.shape[:2]
    if not (0 <= over[0] < width and 0 <= over[1] < height):
        return False
    here = _colour(picture, ring, over)
    if here.min() > _DARKER * float(np.median(_sampled(picture, ring.points(_OUTSIDE)).min(axis=1))):
        return False
    ways = np.arange(_WAYS) * 2 * np.pi / _WAYS
    places = ring.centre + _AROUND * ring.radius * np.column_stack([np.cos(ways), np.sin(ways)])
    inside = ((places >= 0) & (places < (width, height))).all(axis=1)
    off = np.array([np.abs(_colour(picture, ring, place) - here).max() for place in places])
    alike = ways[inside & (off < _ALIKE)]
    gaps = np.diff(np.append(alike, alike[:1] + 2 * np.pi))
    return len(alike) > 0 and float(gaps.max()) < _WIDEST_GAP


def _colour(picture: BgrImage, ring: Ring, at: Float64Array) -> Float64Array:
    """(3,): the colour of a patch half as large as a ring."""
    return np.asarray(np.median(_sampled(picture, _PATCH @ ring.axes.T + at), axis=0), np.float64)


def _sampled(picture: BgrImage, places: Float64Array) -> Float64Array:
    """(n, 3): the picture's colours at pixels (n, 2)."""
    x, y = places.astype(np.float32).T
    return np.asarray(
        cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0], np.float64
    )
