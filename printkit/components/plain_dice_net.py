"""Solids that fold up from paper: a solid's corners and faces in, a net with folds and glue flaps out.

Nothing is drawn by hand: faces are laid flat one beside the other across the edges they share, so every length on
the paper is the length on the solid, and each edge that the paper does not fold across gets one flap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loomtable.printkit.draw.palette import INK, WHITE, Colour
from loomtable.printkit.draw.path import Path, Point, polygon, polyline
from loomtable.printkit.draw.pen import Pen

Corner = tuple[float, float, float]
Loop = tuple[int, ...]
Line = tuple[Point, Point]

FLAP = 4.2
"""Depth of a glue flap in mm."""
_FLAP_SLOPE = 1.15
"""How much shorter (in parts of its depth) a flap is at each end."""
_FOLD_LINE = Colour.hex("8A8478")


@dataclass(frozen=True)
class Folding:
    """Corners in mm, and faces as loops of corner numbers, anticlockwise as seen from outside."""

    corners: tuple[Corner, ...]
    faces: tuple[Loop, ...]
    folds: tuple[tuple[int, int], ...]
    """Which face each further face is laid beside, as (placed, next) pairs; the first face is placed first."""


@dataclass(frozen=True)
class Net:
    """A solid laid flat: all places in mm on the paper, printed side up."""

    faces: tuple[tuple[Point, ...], ...]
    """In the order of the solid's faces and of their corners."""
    folds: tuple[Line, ...]
    flaps: tuple[tuple[Point, ...], ...]
    """Each begins with the edge at which it is folded."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of everything."""
        points = [point for shape in (*self.faces, *self.flaps) for point in shape]
        left, bottom = min(x for x, _ in points), min(y for _, y in points)
        return left, bottom, max(x for x, _ in points) - left, max(y for _, y in points) - bottom

    @property
    def outline(self) -> Path:
        """Round everything: along this it is cut out."""
        import shapely  # it takes long to load, and few print for a cutter

        whole = shapely.union_all(
            [shapely.Polygon(shape) for shape in (*self.faces, *self.flaps)], grid_size=0.001
        )
        ring = shapely.get_coordinates(shapely.get_exterior_ring(whole))
        return polygon(*[(float(x), float(y)) for x, y in ring[:-1]])


def cube(edge: float) -> Folding:
    """A cube whose faces are those of a die, 1 to 6 in order; opposite ones sum to seven.

    2, 1, 5 and 6 stand in one column of the net, 3 and 4 to both sides of the 1.
    """
    h = edge / 2
    corners = tuple((x, y, z) for z in (-h, h) for y in (-h, h) for x in (-h, h))
    first, sixth = (4, 5, 7, 6), (0, 2, 3, 1)
    second, fifth = (0, 1, 5, 4), (2, 6, 7, 3)
    third, fourth = (1, 3, 7, 5), (0, 4, 6, 2)
    return Folding(corners, (first, second, third, fourth, fifth, sixth), ((0, 1), (0, 2), (0, 3), (0, 4), (4, 5)))


def trapezohedron(radius: float, girdle: float = 0.105) -> Folding:
    """The solid of a d10: ten kites, five about each pole; ``radius`` (mm) is that of the girdle's zigzag.

    ``girdle`` is how far the zigzag goes up and down, in radii; the poles' height follows from it, for a kite's
    four corners must lie in one plane. Faces 0 to 4 surround the upper pole, 5 to 9 the lower one; face ``n`` lies
    opposite face ``n + 5``.
    """
    rise = girdle * radius
    cosine = math.cos(math.pi / 5)
    pole = rise * (1 + cosine) / (1 - cosine)
    ring = tuple(
        (radius * math.cos(at * math.pi / 5), radius * math.sin(at * math.pi / 5), rise if at % 2 else -rise)
        for at in range(10)
    )
    corners = (*ring, (0.0, 0.0, pole), (0.0, 0.0, -pole))
    upper = tuple((10, (2 * at - 1) % 10, 2 * at, (2 * at + 1) % 10) for at in range(5))
    lower = tuple((11, (2 * at + 6) % 10, (2 * at + 5) % 10, (2 * at + 4) % 10) for at in range(5))
    # The upper kites open like a fan about their pole, and so do the lower ones; one edge joins the fans.
    fan_above = ((0, 1), (1, 2), (0, 4), (4, 3))
    fan_below = ((7, 8), (8, 9), (7, 6), (6, 5))
    return Folding(corners, (*upper, *lower), (*fan_above, (0, 7), *fan_below))


def unfolded(solid: Folding, flap: float = FLAP) -> Net:
    """Lay a solid flat.

    A flap stands on whichever side of its edge has room for it; nothing overlaps.
    """
    placed: dict[int, tuple[Point, ...]] = {0: _flat(solid, 0)}
    folds: list[Line] = []
    folded: set[frozenset[int]] = set()
    for before, following in solid.folds:
        shared = _shared(solid.faces[before], solid.faces[following])
        placed[following] = _beside(solid, before, placed[before], following, shared)
        at = {corner: placed[before][solid.faces[before].index(corner)] for corner in shared}
        folds.append((at[shared[0]], at[shared[1]]))
        folded.add(frozenset(shared))
    faces = tuple(placed[at] for at in range(len(solid.faces)))
    return Net(faces, tuple(folds), _flaps(solid, faces, folded, flap))


def _flat(solid: Folding, face: int) -> tuple[Point, ...]:
    """A face in a plane of its own, its first edge along x, anticlockwise."""
    loop = [solid.corners[corner] for corner in solid.faces[face]]
    along = _unit(_minus(loop[1], loop[0]))
    normal = _unit(_cross(along, _minus(loop[2], loop[0])))
    up = _cross(normal, along)
    steps = [_minus(corner, loop[0]) for corner in loop]
    return tuple((_dot(step, along), _dot(step, up)) for step in steps)


def _shared(loop: Loop, other: Loop) -> tuple[int, int]:
    """The edge two faces share, in the direction in which the first runs along it."""
    for a, b in zip(loop, (*loop[1:], loop[0]), strict=True):
        if a in other and b in other:
            return a, b
    raise AssertionError(f"faces {loop} and {other} share no edge")


def _beside(
    solid: Folding, before: int, at: tuple[Point, ...], following: int, shared: tuple[int, int]
) -> tuple[Point, ...]:
    """Where the next face's corners fall when it is laid flat across the shared edge."""
    flat = _flat(solid, following)
    index, wanted = solid.faces[following].index, solid.faces[before].index
    source, target = [flat[index(corner)] for corner in shared], [at[wanted(corner)] for corner in shared]
    angle = _direction(target[0], target[1]) - _direction(source[0], source[1])
    cos, sin = math.cos(angle), math.sin(angle)
    moved = [(x - source[0][0], y - source[0][1]) for x, y in flat]
    return tuple((target[0][0] + x * cos - y * sin, target[0][1] + x * sin + y * cos) for x, y in moved)


def _flaps(
    solid: Folding, faces: tuple[tuple[Point, ...], ...], folded: set[frozenset[int]], depth: float
) -> tuple[tuple[Point, ...], ...]:
    sides: dict[frozenset[int], list[Line]] = {}
    for loop, corners in zip(solid.faces, faces, strict=True):
        for at in range(len(loop)):
            after = (at + 1) % len(loop)
            edge = frozenset((loop[at], loop[after]))
            if edge not in folded:
                sides.setdefault(edge, []).append((corners[at], corners[after]))
    flaps: list[tuple[Point, ...]] = []
    for lines in sides.values():
        choices = [_flap(start, end, depth) for start, end in lines]
        free = [flap for flap in choices if not any(overlap(flap, shape) for shape in (*faces, *flaps))]
        assert free, "this net leaves no room for a flap; lay its faces another way"
        flaps.append(free[0])
    return tuple(flaps)


def _flap(start: Point, end: Point, depth: float) -> tuple[Point, ...]:
    """A trapezium on the outer (right) side of an edge."""
    length = math.dist(start, end)
    along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    out = along[1], -along[0]
    slope = min(_FLAP_SLOPE * depth, 0.42 * length)

    def place(u: float, v: float) -> Point:
        return start[0] + along[0] * u + out[0] * v, start[1] + along[1] * u + out[1] * v

    return start, end, place(length - slope, depth), place(slope, depth)


def overlap(polygon: Sequence[Point], other: Sequence[Point], tolerance: float = 0.01) -> bool:
    """Whether two convex shapes share more than ``tolerance`` mm across."""
    for shape in (polygon, other):
        for (x1, y1), (x2, y2) in zip(shape, (*shape[1:], shape[0]), strict=True):
            across = (y2 - y1) / math.dist((x1, y1), (x2, y2)), -(x2 - x1) / math.dist((x1, y1), (x2, y2))
            first = [x * across[0] + y * across[1] for x, y in polygon]
            second = [x * across[0] + y * across[1] for x, y in other]
            if min(max(first) - min(second), max(second) - min(first)) < tolerance:
                return False
    return True


def draw_net(pen: Pen, net: Net, draw_face: Callable[[int], None]) -> None:
    """Draw a net where it stands: flaps, faces by ``draw_face(number)``, then cut lines solid and folds dashed."""
    folds = (*net.folds, *((flap[0], flap[1]) for flap in net.flaps))
    if pen.keeps_lines:
        pen.cut_line(net.outline)
        for start, end in folds:
            pen.fold_line(polyline(start, end))
    for flap in net.flaps:
        pen.stroke(polygon(*flap), INK, 0.2)
    for number, face in enumerate(net.faces):
        pen.fill_background(polygon(*face), WHITE)
        draw_face(number)
    edges = {_rounded(edge) for edge in net.folds} | {_rounded((flap[0], flap[1])) for flap in net.flaps}
    for face in net.faces:
        for start, end in zip(face, (*face[1:], face[0]), strict=True):
            if _rounded((start, end)) not in edges:
                pen.stroke(polyline(start, end), INK, 0.2)
    for start, end in folds:
        draw_fold(pen, start, end)


def _rounded(edge: Line) -> frozenset[Point]:
    return frozenset((round(x, 3), round(y, 3)) for x, y in edge)


def draw_fold(pen: Pen, start: Point, end: Point) -> None:
    """A dashed line along which people fold."""
    count = max(3, round(math.dist(start, end) / 1.6))
    for at in range(count):
        near, far = (at + 0.22) / count, (at + 0.78) / count
        points = [(start[0] + (end[0] - start[0]) * s, start[1] + (end[1] - start[1]) * s) for s in (near, far)]
        pen.stroke(polyline(*points), _FOLD_LINE, 0.16, butt=True)


def _direction(start: Point, end: Point) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _minus(a: Corner, b: Corner) -> Corner:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Corner, b: Corner) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Corner, b: Corner) -> Corner:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _unit(a: Corner) -> Corner:
    length = math.sqrt(_dot(a, a))
    return a[0] / length, a[1] / length, a[2] / length
