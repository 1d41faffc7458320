"""Seeking the rings that were not found by themselves, once some were: all of one set's dice lie on one table.

What is known of the tops that were read says how large, and how oblique, a ring must look at every place of the
picture. So every place is tried. A small rim that a blurred picture has broken, or run together with the edge of
its die, is refined easily from there. Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.engine.kernel.ring_codes import CLEAR_OUTSIDE, RIM_INSIDE
from loomtable.vision.arrays import Float64Array, GrayImage
from loomtable.vision.printed.rings import ONE_RING, Ring, circle_points, refine_ring_near
from loomtable.vision.printed.views import View

_APART = 0.32
"""Steps between places that are tried, in radii of the smallest ring."""
_LEAST_CONTRAST = 9
"""Grey levels by which most of a rim must be darker than the ground outside it."""
_LEAST_TEXTURE = 24
"""Grey levels between light and dark within a ring's breadth, below which there is nothing printed."""
_AT_ONCE = 20_000
"""Places whose rims are sampled at once, of up to a million: each takes 2 kB. Bound by memory."""
_MOST_TRIED = 150
"""How many places are refined. Bound by time."""
_TAKEN, _REACH = 0.5, 0.5
"""In radii: how near a known ring no place is tried; how far from its place a ring may be found."""
_ANGLES, _LIGHTEST = 24, 10
"""Places round a rim, and how many of them may be lighter: the grid misses a rim by two pixels at times."""
_RIM, _OUTSIDE = circle_points(_ANGLES, ((1 + RIM_INSIDE) / 2, (1 + CLEAR_OUTSIDE) / 2 + 0.02)).transpose(1, 0, 2)


def search_like(
    grey: GrayImage,
    view: View,
    tops: Sequence[Ring],
    known: Sequence[Ring],
    readable: Callable[[Ring], bool],
    most: int = 1,
) -> list[Ring]:
    """Up to ``most`` rings as large, and as level, as ``tops`` are in this view, where none of ``known`` lies.

    Much of a picture looks like a ring when one is looked for everywhere: only those that are ``readable`` count.
    """
    if not tops:
        return []
    size = float(np.median([_size(ring, view) for ring in tops]))
    least = min(ring.radius for ring in tops) * 0.7
    places = _textured_places(grey, _APART * least, round(2 * least))
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.int16)
    contrasts = np.empty(len(places), np.int16)
    for at in range(0, len(places), _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        contrasts[part] = _contrasts(soft, places[part], view.level_frames(places[part], size))
    found: list[Ring] = []
    tried = 0
    for at in np.argsort(-contrasts):
        if contrasts[at] < _LEAST_CONTRAST or tried >= _MOST_TRIED or len(found) >= most:
            break
        [frame] = view.level_frames(places[at][None], size)
        radius = math.sqrt(abs(float(np.linalg.det(frame))))
        taken = (*known, *found)
        if any(np.linalg.norm(places[at] - ring.centre) < _TAKEN * radius for ring in taken):
            continue
        tried += 1
        ring = refine_ring_near(grey, places[at], frame, _REACH * radius)
        if ring is None or not readable(ring):
            continue
        if all(np.linalg.norm(ring.centre - other.centre) > ONE_RING * other.radius for other in taken):
            found.append(ring)
    return found


def _size(ring: Ring, view: View) -> float:
    """How large a level ring truly is, in the measure of ``View.tops``."""
    [frame] = view.level_frames(ring.centre[None], 1.0)
    return float(np.sqrt(np.linalg.det(ring.axes) / np.linalg.det(frame)))


def _textured_places(grey: GrayImage, apart: float, reach: int) -> Float64Array:
    """Pixels (N, 2) on a grid, where both light and dark is near."""
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    near = cv2.getStructuringElement(cv2.MORPH_RECT, (reach // 2 | 1, reach // 2 | 1))
    textured = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, near) >= _LEAST_TEXTURE
    x, y = np.meshgrid(
        np.arange(apart, grey.shape[1] - apart, apart), np.arange(apart, grey.shape[0] - apart, apart)
    )
    rows = np.minimum(y.astype(int) // 2, small.shape[0] - 1)
    kept = textured[rows, np.minimum(x.astype(int) // 2, small.shape[1] - 1)]
    return np.column_stack([x[kept], y[kept]])


def _contrasts(soft: npt.NDArray[np.int16], places: Float64Array, frames: Float64Array) -> npt.NDArray[np.int16]:
    """(N,): by how many grey levels three fifths of a rim there are darker than the ground outside it."""
    rim, outside = (
        _nearest(soft, np.einsum("njk,ak->naj", frames, ring) + places[:, None]) for ring in (_RIM, _OUTSIDE)
    )
    return np.asarray(np.partition(outside - rim, _LIGHTEST, axis=1)[:, _LIGHTEST])


def _nearest(grey: npt.NDArray[np.int16], places: Float64Array) -> npt.NDArray[np.int16]:
    """The grey (...) of the pixels nearest to places (..., 2): thousands of rings are looked at, roughly."""
    x, y = (np.clip(np.rint(places[..., k]), 0, grey.shape[1 - k] - 1).astype(np.intp) for k in (0, 1))
    return grey[y, x]
