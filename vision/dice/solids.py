"""The solids that dice are made of: planes, corners, and where and which way up each face carries its mark.

Every solid is isohedral: its planes lie equally far from the middle, so a die is a list of unit normals and one
inner radius. Lengths here are in inner radii (middle to plane = 1); a scene multiplies them by millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from loomtable.vision.arrays import Float64Array

KINDS = ("d6", "d6_numeral", "d4", "d8", "d10", "d100", "d12", "d20")
"""Kinds of dice that are drawn; a d100 is the percentile d10 with tens on its faces."""
D10_LEAN = 46.5
"""Degrees between the axis of a d10 and the normal of a face; makers' dice lie between 44 and 49. As made."""


@dataclass(frozen=True)
class Face:
    """One face: where its mark sits, which way its mark stands, and how much room there is."""

    normal: Float64Array
    middle: Float64Array
    """Centre of the largest circle near the middle of the face, in inner radii."""
    up: Float64Array
    """Unit vector in the face along which the mark's top points."""
    room: float
    """Radius of that circle."""
    corners: Float64Array
    """(n, 3) corners in order round the face."""


@dataclass(frozen=True)
class Solid:
    """A die's shape."""

    normals: Float64Array
    """(n, 3) unit normals; opposite faces have opposite normals, but for the d4."""
    faces: tuple[Face, ...]
    corners: Float64Array
    """(m, 3)"""

    @property
    def reach(self) -> float:
        """Middle to the farthest corner."""
        return float(np.linalg.norm(self.corners, axis=1).max())


@lru_cache(maxsize=64)
def solid(kind: str, lean: float = D10_LEAN) -> Solid:
    """The shape of a kind; ``lean`` is used by the d10 alone."""
    normals = _normals(kind, lean)
    corners = _corners(normals)
    return Solid(normals, tuple(_face(kind, normal, corners) for normal in normals), corners)


def _normals(kind: str, lean: float) -> Float64Array:
    if kind in ("d6", "d6_numeral"):
        return np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, -1, 0], [-1, 0, 0], [0, 0, -1]], float)
    if kind == "d4":
        return _unit(np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float))
    if kind == "d8":
        signs = [(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
        return _unit(np.array(signs, float))
    if kind in ("d10", "d100"):
        turns, slope = np.radians(np.arange(5) * 72.0), np.radians(lean)
        flat = np.sin(slope)
        upper = np.stack([flat * np.cos(turns), flat * np.sin(turns), 0 * turns + np.cos(slope)], 1)
        return np.concatenate([upper, -upper])
    golden = (1 + 5**0.5) / 2
    if kind == "d12":
        pairs = [(0, a, b * golden) for a in (1, -1) for b in (1, -1)]
        return _unit(np.array([np.roll(pair, k) for pair in pairs for k in range(3)], float))
    if kind == "d20":
        cube = [(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
        edges = [(0, a / golden, b * golden) for a in (1, -1) for b in (1, -1)]
        return _unit(np.array([*cube, *(np.roll(edge, k) for edge in edges for k in range(3))], float))
    raise ValueError(f"no solid for {kind!r}")


def _unit(vectors: Float64Array) -> Float64Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def _corners(normals: Float64Array) -> Float64Array:
    """All points where three planes meet and no other plane cuts them off."""
    found: list[Float64Array] = []
    for triple in combinations(range(len(normals)), 3):
        planes = normals[list(triple)]
        if abs(np.linalg.det(planes)) < 1e-6:
            continue
        point: Float64Array = np.asarray(np.linalg.solve(planes, np.ones(3)), np.float64)
        if (normals @ point).max() < 1 + 1e-9 and not any(np.allclose(point, other, atol=1e-7) for other in found):
            found.append(point)
    return np.array(found)


def _face(kind: str, normal: Float64Array, corners: Float64Array) -> Face:
    own = corners[np.abs(corners @ normal - 1) < 1e-6]
    side = _unit(np.cross(normal, [0.31, 0.47, 0.83]))
    other = np.cross(normal, side)
    turn = np.arctan2((own - normal) @ other, (own - normal) @ side)
    own = own[np.argsort(turn)]
    middle = own.mean(axis=0)
    if kind in ("d10", "d100"):
        # The middle of the kite's widest part, where makers put the numeral; the pole is its lone far corner.
        pole = own[np.argmax(np.abs(own[:, 2]))]
        away = _unit(pole - middle)
        middle = _widest(own, normal, away, middle)
        return Face(normal, middle, away, _room(own, middle), own)
    up = _unit(own[0] - middle)
    if kind in ("d6", "d6_numeral"):
        up = _unit((own[0] + own[1]) / 2 - middle)
    return Face(normal, middle, up, _room(own, middle), own)


def _widest(own: Float64Array, normal: Float64Array, away: Float64Array, start: Float64Array) -> Float64Array:
    """Along the face's axis, where the circle that fits is largest."""
    reaches = np.linspace(-0.5, 0.5, 101)
    rooms = [_room(own, start + reach * away) for reach in reaches]
    return np.asarray(start + reaches[int(np.argmax(rooms))] * away)


def _room(own: Float64Array, middle: Float64Array) -> float:
    """Distance from a point of a face to its nearest edge."""
    edges = np.roll(own, -1, axis=0) - own
    along = _unit(edges)
    out = (middle - own) - ((middle - own) * along).sum(axis=1, keepdims=True) * along
    return float(np.linalg.norm(out, axis=1).min())
