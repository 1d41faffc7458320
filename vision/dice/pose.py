"""The pose of a die on the table: which solid lies there, from where it is seen, and how it is turned.

A die that lies still stands on one face, and the opposite one is up. Where upright things point in the picture is
one measurement for all dice of it (``elevation.py``), the yaw is predicted by the first network, and scale and
place follow from the die's box. Lengths of a solid are in inner radii; the picture is taken for an orthographic
view at each die. On the table, x and y run along the picture's right and down, as they were before the camera's
tilt shortened them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.dice.solids import solid
from loomtable.vision.die_kinds import Kind

SYMMETRIES = {
    Kind.D6: 4,
    Kind.D6_NUMERAL: 4,
    Kind.D8: 3,
    Kind.D10: 1,
    Kind.D100: 1,
    Kind.D12: 5,
    Kind.D20: 3,
}
"""By how many turns about the upright a solid lies as it lay, but for its numbers. By definition."""
ORDERS = tuple(sorted(set(SYMMETRIES.values())))
MIN_SINE = 0.05
"""Of an elevation: from lower than 3 degrees no table is seen. Set by hand."""
MIN_FACING = 0.02
"""Cosine between a face's normal and the camera's direction from which the face is seen. Set by hand."""
YAW_ASTRAY = 0.03
"""Share of dice whose yaw the network predicts surely and wrongly. Set by hand."""
YAW_TOLERANCE = math.pi / 4
"""Radians of a die's yaw, times its order of symmetry, from which its edges lie elsewhere. Set by hand."""
MIN_YAW_PROBABILITY = 0.7
"""How surely the edges of a solid have to be known to lie where its pose puts them. Chosen on rendered d8 and d10,
and on ``d10-close-up``: most of what was read wrongly was less sure."""
OBLIQUE = {Kind.D8: 0.4, Kind.D10: 0.25, Kind.D100: 0.25}
"""Cosine of the camera's elevation at a die from which a face beside the upper one may be taken for it: about ten
degrees before both face the camera alike, at half the angle between the normals of neighbours. Set by hand."""
YAW_ALIKE = 0.5
"""How far two networks err alike in the yaw: 0 not at all, 1 altogether. Set by hand, as for the elevation."""
_PHASES = np.arange(-math.pi, math.pi, math.pi / 36)


def squeeze_of(upright: Float64Array) -> Float64Array:
    """(2, 2): steps on the table as steps in the picture, where upright things point (2,) so far."""
    level = float(upright @ upright)
    if level < 1e-9:
        return np.eye(2)
    sine = math.sqrt(max(1 - level, MIN_SINE**2))
    return np.asarray(np.eye(2) + (sine - 1) / level * np.outer(upright, upright))


def yaw_of(polygon: Sequence[Sequence[float]], upright: Sequence[float]) -> float:
    """Radians clockwise from the picture's right to the reference corner of an upper face, on the table.

    The reference corner is the one farthest from the face's middle: the pole of a d10, any of a regular face.

    Args:
        polygon: (n, 2) the face's corners in the picture, pixels.
        upright: (2,) where upright things point, as long as the cosine of the camera's elevation.
    """
    corners = np.array(polygon, float)
    flat = np.linalg.solve(squeeze_of(np.array(upright, float)), (corners - corners.mean(axis=0)).T).T
    x, y = flat[np.linalg.norm(flat, axis=1).argmax()].tolist()
    return math.atan2(y, x)


@dataclass(frozen=True, eq=False)
class Standing:
    """A solid that stands on a face, its reference corner along x."""

    corners: Float64Array
    """(m, 3): z is up."""
    faces: tuple[tuple[int, ...], ...]
    """Corners of each face in order round it; the upper one's first."""
    normals: Float64Array
    """(faces, 3)"""
    middles: Float64Array
    """(faces, 3): of the largest circle on each face."""
    ups: Float64Array
    """(faces, turns, 3): each direction on a face that may be up for its numeral, clockwise as seen from outside;
    the axes are a picture's, so to the right of ``up`` is normal x up."""


@cache
def standing(kind: Kind) -> Standing:
    """The solid of a kind as it lies on the table."""
    shape = solid(kind.value)
    top = shape.faces[0]
    away = top.corners - top.corners.mean(axis=0)
    x = away[np.linalg.norm(away, axis=1).argmax()]
    x = x / np.linalg.norm(x)
    frame = np.stack([x, np.cross(x, top.normal), top.normal])  # down in the picture is to the right of right
    faces = tuple(
        tuple(int(np.linalg.norm(shape.corners - corner, axis=1).argmin()) for corner in face.corners)
        for face in shape.faces
    )
    turns = 4 if kind is Kind.D100 else SYMMETRIES[kind]  # its numerals stand along the face, or across
    steps = np.arange(turns) * 2 * math.pi / turns
    ups = [
        np.outer(np.cos(steps), face.up) + np.outer(np.sin(steps), np.cross(face.up, face.normal))
        for face in shape.faces
    ]
    middles = np.array([face.middle for face in shape.faces])
    return Standing(shape.corners @ frame.T, faces, shape.normals @ frame.T, middles @ frame.T, ups @ frame.T)


@dataclass(frozen=True, eq=False)
class SolidPose:
    """A solid where it lies in the picture."""

    kind: Kind
    upright: Float64Array
    """(2,): where upright things point at it, as long as the cosine of the camera's elevation."""
    yaw: float
    """Radians, as ``yaw_of``."""
    scale: float
    """Pixels of an inner radius."""
    middle: tuple[float, float]
    """Of the solid, pixels."""
    yaw_probability: float
    """How surely its edges lie where this yaw puts them, 0 to 1."""

    def project(self, points: Float64Array) -> Float64Array:
        """(n, 3) points of the standing solid as (n, 2) pixels."""
        return np.asarray(self.middle + self.scale * self._steps(points))

    def _steps(self, steps: Float64Array) -> Float64Array:
        """(n, 2): how far steps (n, 3) on the standing solid lead in the picture, in its scale."""
        return np.asarray(_turned(steps, self.yaw) @ squeeze_of(self.upright) + steps[:, 2:] * self.upright)

    @property
    def is_oblique(self) -> bool:
        """Whether it is seen so much aslant that a face beside the upper one may be taken for it."""
        return float(np.hypot(*self.upright)) > OBLIQUE[self.kind]

    @property
    def is_sure(self) -> bool:
        """Whether it is known how it is turned."""
        return self.yaw_probability >= MIN_YAW_PROBABILITY

    @property
    def normals(self) -> Float64Array:
        """(faces, 3): where the normal of each face points: right, down, and towards the camera."""
        normals = standing(self.kind).normals
        sine = math.sqrt(max(1 - float(self.upright @ self.upright), 0.0))
        facing = normals[:, 2] * sine - _turned(normals, self.yaw) @ self.upright
        return np.column_stack([self._steps(normals), facing])

    @property
    def faces(self) -> list[Float64Array]:
        """(n, 2) corners of each face that can be seen, pixels; the upper one's first."""
        return [
            self.corners_of(k) for k in range(len(standing(self.kind).faces)) if self.normals[k, 2] > MIN_FACING
        ]

    def corners_of(self, face: int) -> Float64Array:
        """(n, 2) corners of one face, pixels."""
        shape = standing(self.kind)
        return self.project(shape.corners[list(shape.faces[face])])

    @property
    def outline(self) -> Float64Array:
        """(m, 2): all corners, pixels; what is within their hull is the solid."""
        return self.project(standing(self.kind).corners)

    @property
    def aspect(self) -> float:
        """Height of its outline over its width."""
        width, height = np.ptp(self.outline, axis=0).tolist()
        return float(height / width)

    def circle_on(self, face: int, turn: int) -> tuple[tuple[float, float], float, Float64Array]:
        """Middle and radius, in pixels of the picture, of the largest circle on a face, as seen from straight
        before it; and how the picture shows steps to the right and down there, by which of ``Standing.ups`` is
        up."""
        shape = standing(self.kind)
        up = shape.ups[face, turn]
        x, y = self.project(shape.middles[face : face + 1])[0].tolist()
        steps = self._steps(np.stack([np.cross(shape.normals[face], up), -up]))
        return (x, y), solid(self.kind.value).faces[0].room * self.scale, steps.T


def _turned(points: Float64Array, yaw: float) -> Float64Array:
    """(n, 2): the points (n, 3) on the ground."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.asarray(points[:, :2] @ np.array([[c, s], [-s, c]]))


def joint_yaw(yaws: Sequence[Float32Array]) -> Float32Array | None:
    """(8,): how a die is turned, as several networks tell it (8,) each; nothing where none does.

    The product of von Mises distributions is one along the sum of their vectors; but networks that look at the
    same crop err alike.
    """
    if not yaws:
        return None
    return np.asarray(np.sum(yaws, axis=0) / (1 + YAW_ALIKE * (len(yaws) - 1)), np.float32)


def pose_in(box: Box, kind: Kind, upright: Float64Array, yaws: Float32Array) -> SolidPose:
    """The pose of the solid that fills a box.

    Args:
        box: of the die, pixels.
        kind: of the die; any but a d4.
        upright: (2,) where upright things point at it, as long as the cosine of the camera's elevation.
        yaws: (8,) a vector for each of ``ORDERS``: along the mean of a von Mises distribution of so many times the
            yaw, as long as its concentration.
    """
    order = SYMMETRIES[kind]
    x, y = yaws.reshape(-1, 2)[ORDERS.index(order)].tolist()
    share = np.exp(math.hypot(x, y) * (np.cos(_PHASES) - 1))
    near = float(share[np.abs(_PHASES) <= YAW_TOLERANCE].sum() / share.sum())
    yaw = math.atan2(y, x) / order
    unit = SolidPose(kind, upright, yaw, 1.0, (0.0, 0.0), (1 - YAW_ASTRAY) * near)
    flat = unit.outline
    low, high = flat.min(axis=0), flat.max(axis=0)
    x0, y0, x1, y1 = box
    scale = (x1 - x0 + y1 - y0) / float((high - low).sum())
    off_x, off_y = (scale * (low + high) / 2).tolist()
    middle = (x0 + x1) / 2 - off_x, (y0 + y1) / 2 - off_y
    return SolidPose(kind, upright, yaw, scale, middle, unit.yaw_probability)
