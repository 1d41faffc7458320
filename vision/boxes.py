"""Boxes along a picture's sides: how much they have in common."""

from __future__ import annotations

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""


def area(box: Box) -> float:
    """Of a box, square pixels; 0 where its sides are the wrong way round."""
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def intersection(one: Box, other: Box) -> float:
    """The area that two boxes have in common, square pixels."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)


def iou(one: Box, other: Box) -> float:
    """Intersection over union: the common area in parts of the area of both together, 0 to 1."""
    shared = intersection(one, other)
    return shared / max(area(one) + area(other) - shared, 1e-6)
