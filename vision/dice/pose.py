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

import cv2
import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.dice.crops import CROP_MARGIN, cut
from loomtable.vision.dice.solids import solid
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pictures import BgrImage

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
OBLIQUE = {
    Kind.D6: 0.5,
    Kind.D6_NUMERAL: 0.5,
    Kind.D8: 0.4,
    Kind.D10: 0.25,
    Kind.D100: 0.25,
    Kind.D12: 0.35,
    Kind.D20: 0.2,
}
"""Cosine of the camera's elevation at a die from which a face beside the upper one may be taken for it: about ten
degrees before both face the camera alike, at half the angle between the normals of neighbours. Set by hand."""
EDGE_BLUR = 1.5
"""Pixels over which an upper face runs out into its own colour: sharp edges are read as strokes. Set by hand."""
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
    middle: Float64Array
    """(3,): of the largest circle on the upper face."""


@cache
def standing(kind: Kind) -> Standing:
    """The solid of a kind as it lies on the table."""
    shape = solid(kind.value)
    top = shape.faces[0]
    away = top.corners - top.corners.mean(axis=0)
    x = away[np.linalg.norm(away, axis=1).argmax()]
    x = x / np.linalg.norm(x)
    frame = np.stack([x, np.cross(top.normal, x), top.normal])
    faces = tuple(
        tuple(int(np.linalg.norm(shape.corners - corner, axis=1).argmin()) for corner in face.corners)
        for face in shape.faces
    )
    return Standing(shape.corners @ frame.T, faces, shape.normals @ frame.T, frame @ top.middle)


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
        ground = _turned(points, self.yaw) @ squeeze_of(self.upright) + points[:, 2:] * self.upright
        return np.asarray(self.middle + self.scale * ground)

    @property
    def is_oblique(self) -> bool:
        """Whether it is seen so much aslant that a face beside the upper one may be taken for it."""
        return float(np.hypot(*self.upright)) > OBLIQUE[self.kind]

    @property
    def is_sure(self) -> bool:
        """Whether it is known how it is turned."""
        return self.yaw_probability >= MIN_YAW_PROBABILITY

    @property
    def faces(self) -> list[Float64Array]:
        """(n, 2) corners of each face that can be seen, pixels; the upper one's first."""
        shape = standing(self.kind)
        sine = math.sqrt(max(1 - float(self.upright @ self.upright), 0.0))
        facing = shape.normals[:, 2] * sine - _turned(shape.normals, self.yaw) @ self.upright
        corners = self.project(shape.corners)
        visible = (face for face, cosine in zip(shape.faces, facing, strict=True) if cosine > MIN_FACING)
        return [corners[list(face)] for face in visible]

    @property
    def aspect(self) -> float:
        """Height of its outline over its width."""
        width, height = np.ptp(self.project(standing(self.kind).corners), axis=0).tolist()
        return float(height / width)

    @property
    def top(self) -> tuple[tuple[float, float], float, Float64Array]:
        """Middle and side, in pixels of the picture, of the square about the die as seen from straight above, with
        its upper face in the middle; and how the picture shortens it."""
        x, y = self.faces[0].mean(axis=0).tolist()
        reach = float(np.linalg.norm(standing(self.kind).corners[:, :2], axis=1).max())
        return (x, y), CROP_MARGIN * 2 * reach * self.scale, squeeze_of(self.upright)

    @property
    def upper_circle(self) -> tuple[tuple[float, float], float, Float64Array]:
        """Middle and radius, in pixels of the picture, of the largest circle on the upper face, as seen from
        straight above; and how the picture shortens it."""
        x, y = self.project(standing(self.kind).middle[None])[0].tolist()
        return (x, y), solid(self.kind.value).faces[0].room * self.scale, squeeze_of(self.upright)

    def upper_face(self, picture: BgrImage, size: int) -> tuple[BgrImage, BgrImage]:
        """(size, size, 3) twice: the upper face laid flat, the die as wide as half of it, by itself, what lies
        round it taking its own colour; and with what does lie round it."""
        squeeze, top = squeeze_of(self.upright), self.faces[0]
        middle = top.mean(axis=0)
        reach = float(np.linalg.norm(standing(self.kind).corners[:, :2], axis=1).max())
        side = 4 * reach * self.scale
        x, y = middle.tolist()
        flat = cut(picture, (x, y), side, 0.0, size, squeeze)
        outline = np.linalg.solve(squeeze, (top - middle).T).T * size / side + (size - 1) / 2
        mask = np.zeros((size, size), np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        inside = flat[mask > 200]
        if not len(inside):
            return flat, flat
        share = cv2.GaussianBlur(mask, (0, 0), EDGE_BLUR)[..., None] / np.float32(255)
        return np.asarray(flat * share + np.median(inside, axis=0) * (1 - share), np.uint8), flat


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
    flat = unit.project(standing(kind).corners)
    low, high = flat.min(axis=0), flat.max(axis=0)
    x0, y0, x1, y1 = box
    scale = (x1 - x0 + y1 - y0) / float((high - low).sum())
    off_x, off_y = (scale * (low + high) / 2).tolist()
    middle = (x0 + x1) / 2 - off_x, (y0 + y1) / 2 - off_y
    return SolidPose(kind, upright, yaw, scale, middle, unit.yaw_probability)
