"""Four-cornered places in a picture: where a square thing is seen."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from loomtable.vision.boxes import Box

Point = tuple[float, float]

Quad = tuple[Point, Point, Point, Point]
"""Four corners in pixels: top left, top right, bottom right, bottom left, as the thing is read."""


def quad_centre(quad: Quad) -> Point:
    """Where the diagonals of a quad cross, px: the middle of the square that it is a view of."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    ux, uy, vx, vy = cx - ax, cy - ay, dx - bx, dy - by
    area = ux * vy - uy * vx
    if abs(area) < 1e-9:
        return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
    share = ((bx - ax) * vy - (by - ay) * vx) / area
    return ax + share * ux, ay + share * uy


def quad_rotation(quad: Quad) -> float:
    """How far a quad's own right is rotated clockwise from the picture's right, -180 to 180 degrees."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return math.degrees(math.atan2((by - ay) + (cy - dy), (bx - ax) + (cx - dx)))


def box_round(quad: Quad) -> Box:
    """The smallest upright box that holds a quad."""
    across, down = zip(*quad, strict=True)
    return min(across), min(down), max(across), max(down)


def corners(box: Box) -> Quad:
    """An upright box as a quad."""
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


def quad_side(quad: Quad) -> float:
    """The shortest side of a quad, px."""
    return min(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4))


def same_place(quad: Quad, other: Quad) -> bool:
    """Two detections of one code: their middles are nearer than half a side. Two codes cannot be."""
    return apart(quad, other) < 0.5


def apart(quad: Quad, other: Quad) -> float:
    """How far two quads are from one another, in sides of the larger."""
    return math.dist(quad_centre(quad), quad_centre(other)) / max(quad_side(quad), quad_side(other), 1.0)


def nearest_pairs(old: Sequence[tuple[Hashable, Quad]], new: Sequence[tuple[Hashable, Quad]]) -> dict[int, int]:
    """Which of the new each of the old is now, by their places in the lists: of those called alike the nearest."""
    pairs = (
        (apart(was, quad), k, j)
        for k, (name, was) in enumerate(old)
        for j, (other, quad) in enumerate(new)
        if name == other
    )
    given: dict[int, int] = {}
    for _, k, j in sorted(pairs):
        if k not in given and j not in given.values():
            given[k] = j
    return given


def moved(quad: Quad, x: float, y: float) -> Quad:
    """The quad ``x`` pixels further right and ``y`` further down."""
    a, b, c, d = ((px + x, py + y) for px, py in quad)
    return a, b, c, d
