"""Boxes along a picture's sides: how much they have in common."""

from __future__ import annotations

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""


def area(box: Box) -> float:
    """Of a box, square pixels; 0 where its sides are the wrong way round."""
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def intersection(box: Box, other: Box) -> float:
    """The area that two boxes have in common, square pixels."""
    wide = min(box[2], other[2]) - max(box[0], other[0])
    high = min(box[3], other[3]) - max(box[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)


def iou(box: Box, other: Box) -> float:
    """Intersection over union: the common area in parts of the area of both together, 0 to 1."""
    shared = intersection(box, other)
    return shared / max(area(box) + area(other) - shared, 1e-6)
