"""Where in a picture codes may stand: places dense with edges both ways. Numbers here are set by hand."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from loomtable.vision.arrays import GrayImage
from loomtable.vision.quads import Quad

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

_CELL = 4
"""Pixels along a side of the cells in which edges are counted."""
_DENSE = 6
"""Mean step between neighbouring pixels, in grey levels, from which a place is dense; blurred codes of 1.6 pixels
a module still reach it, wood and cloth seldom do."""
_LEAST = 5
"""Cells along the side of the smallest square that must be dense throughout: less is a line of print."""
_MARGIN = 14
"""Pixels of a code's quiet zone that are kept round a place."""
_MOST_PLACES = 64
"""Places that are looked at, the largest first. Bound by time."""


def code_places(grey: GrayImage, but: Iterable[Quad] = ()) -> list[Box]:
    """Boxes in a grey picture (height, width) that may hold codes, the largest first; print and drawings are
    among them. ``but`` are the codes that have been read already: they are left out.
    """
    dense = _edge_density(grey)
    if min(dense.shape) < _LEAST:
        return []
    for quad in but:
        corners = np.array(quad)
        middle = corners.mean(axis=0)
        wider = np.clip((middle + (corners - middle) * 1.25) / _CELL, -9999, 9999)
        cv2.fillConvexPoly(dense, np.round(wider).astype(np.int32), 0.0)
    mask = (dense >= _DENSE).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((_LEAST, _LEAST), np.uint8)), np.uint8)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    found = sorted(boxes[1:count].tolist(), key=lambda box: -box[4])[:_MOST_PLACES]
    height, width = grey.shape
    return [
        (
            max(x * _CELL - _MARGIN, 0),
            max(y * _CELL - _MARGIN, 0),
            min((x + wide) * _CELL + _MARGIN, width),
            min((y + high) * _CELL + _MARGIN, height),
        )
        for x, y, wide, high, _ in found
    ]


def _edge_density(grey: GrayImage) -> GrayImage:
    """The smaller of the mean steps along rows and along columns, one value a cell: print, grain and shadows have
    edges mostly one way, a code both."""
    height, width = (side // _CELL * _CELL for side in grey.shape)
    if min(height, width) < _CELL:
        return np.zeros((0, 0), np.uint8)
    whole = grey[:height, :width]
    size = (width // _CELL, height // _CELL)
    along = cv2.resize(cv2.absdiff(whole[:, 1:], whole[:, :-1]), size, interpolation=cv2.INTER_AREA)
    across = cv2.resize(cv2.absdiff(whole[1:], whole[:-1]), size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.min(cv2.blur(along, (5, 5)), cv2.blur(across, (5, 5))), np.uint8)
