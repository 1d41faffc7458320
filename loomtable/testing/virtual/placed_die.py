"""A pip die that lies on the table, as a solid: a cube with rounded edges and corners and drilled pips.

The solid is a signed distance field: a function that says how far a point is from its surface. A picture of it is
found by walking along each pixel's ray in steps that the function allows ("sphere tracing").

Opposite faces sum to seven, and 1, 2 and 3 run counter-clockwise round the corner that they share, as on dice
sold in Europe and America.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.testing.virtual.colour import Colour
from loomtable.testing.virtual.lens import ImpossibleScene, Points, VirtualCamera
from loomtable.testing.virtual.light import Occluder
from loomtable.testing.virtual.pip_layouts import LAYOUTS
from loomtable.vision.arrays import Float32Array

IVORY: Colour = (236, 230, 214)
BLACK: Colour = (18, 18, 20)

_FACES: dict[int, tuple[int, int]] = {1: (0, 1), 2: (1, 1), 3: (2, 1), 4: (2, -1), 5: (1, -1), 6: (0, -1)}
"""For each value the axis (0, 1, 2) and direction in which its face looks, in the die's own right-handed axes."""
_FAR = 9.0


@dataclass(frozen=True)
class PlacedDie:
    """A die of edge ``size_mm`` that shows ``value``, its middle over ``x``, ``y`` mm, turned by ``turn`` degrees.

    Raises:
        ImpossibleScene: the value is not 1 to 6, or a size does not make a die.
    """

    value: int
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    size_mm: float = 16.0
    body: Colour = IVORY
    pips: Colour = BLACK
    edge_mm: float = 0.9
    """Radius of its edges: 0.2 a sharp casino die, 2 a soft one."""
    corner: float = 0.55
    """How far its corners are ground off: 0 not at all, 1 until the edges begin to go as well."""
    pip: float = 0.2
    """Diameter of a pip, as a share of the edge length."""
    spread: float = 0.265
    """Distance of the outer pips from the middle lines of a face, as a share of the edge length."""
    pip_depth: float = 0.3
    """Depth of a pip, as a share of its diameter."""
    gloss: float = 0.8
    """0 dull, 1 polished."""

    def __post_init__(self) -> None:
        if not 1 <= self.value <= self.faces:
            raise ImpossibleScene(f"a die of {self.faces} faces shows 1 to {self.faces}, not {self.value}")
        for what, given, least, most in (
            ("edge length", self.size_mm, 4.0, 60.0),
            ("edge radius", self.edge_mm, 0.05, self.size_mm * 0.4),
            ("corner rounding", self.corner, 0.0, 1.0),
            ("pip diameter", self.pip, 0.05, 0.3),
            ("pip spread", self.spread, 0.15, 0.35),
            ("pip depth", self.pip_depth, 0.05, 0.5),
        ):
            if not least <= given <= most:
                raise ImpossibleScene(f"a die's {what} is {least:g} to {most:g}, not {given:g}")

    @property
    def faces(self) -> int:
        """How many it has."""
        return len(_FACES)

    @property
    def drilled(self) -> bool:
        """Whether its pips are drilled; a die with printed sides is smooth."""
        return True

    def printed(self, at: Float32Array) -> tuple[Float32Array, Float32Array] | None:
        """Print on own points (N, 3): its colour (N, 3) in white light, and how much of it covers each (N,)."""
        return None

    @property
    def half(self) -> float:
        """Half its edge, mm."""
        return self.size_mm / 2

    @property
    def reach(self) -> float:
        """Half the edge of the box about it, mm."""
        return self.half

    @property
    def ball(self) -> float:
        """Radius of the ball that cuts its corners, mm."""
        return self.half * (math.sqrt(3) - self.corner * (math.sqrt(3) - 1.31))

    @property
    def centre(self) -> Points:
        """Its middle, shape (3,), right-handed mm."""
        return np.array([self.x, -self.y, self.half])

    @cached_property
    def axes(self) -> Points:
        """The rotation (3, 3) from the die's own axes to the right-handed table's: own @ axes.T + centre."""
        axis, sign = _FACES[self.value]
        lying = np.zeros((3, 3))
        lying[2, axis] = sign
        lying[0, (axis + 1) % 3] = 1
        lying[1, (axis + 2) % 3] = sign
        angle = -math.radians(self.turn)
        cos, sin = math.cos(angle), math.sin(angle)
        return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ lying

    @property
    def occluder(self) -> Occluder:
        """The die as light meets it."""
        x, y, z = self.centre
        return Occluder((x, y, z), self.half - 0.1, self.ball, -math.radians(self.turn))

    def towards(self, value: int) -> tuple[int, int]:
        """The axis (0, 1, 2) and direction in which the face of a value looks, in the die's own axes."""
        return _FACES[value]

    def facing(self, direction: Points) -> int:
        """The value of the face that looks most nearly along a right-handed table direction (3,)."""
        own = direction @ self.axes
        return max(_FACES, key=lambda value: float(own[_FACES[value][0]] * _FACES[value][1]))

    def outline(self, camera: VirtualCamera) -> Points:
        """The hull (N, 2) px of the die in the picture."""
        hull = cv2.convexHull(camera.project(self._skin() * [1, -1, 1]).astype(np.float32))
        return np.asarray(hull[:, 0], np.float64)

    def top_face(self, camera: VirtualCamera) -> Points:
        """The four corners (4, 2) px of the face that lies up, as if they were not rounded."""
        angle = -math.radians(self.turn)
        cos, sin = math.cos(angle), math.sin(angle)
        corners = self.half * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) @ np.array([[cos, sin], [-sin, cos]])
        above = np.column_stack([corners + self.centre[:2], np.full(4, self.size_mm)])
        return camera.project(above * [1, -1, 1])

    def _skin(self) -> Points:
        """Points (N, 3) all over its surface, right-handed mm: along many rays from the middle, by halving."""
        grid = np.linspace(-1, 1, 17)
        u, v = (side.ravel() for side in np.meshgrid(grid, grid))
        sides = [np.column_stack([u, v, np.full(len(u), sign)]) for sign in (-1, 1)]
        ways = np.concatenate([np.roll(side, axis, axis=1) for axis in range(3) for side in sides])
        low, high = np.zeros(len(ways)), np.full(len(ways), self.size_mm)
        for _ in range(18):
            middle = (low + high) / 2
            outside = self.solid((ways * middle[:, None]).astype(np.float32)) > 0
            low, high = np.where(outside, low, middle), np.where(outside, middle, high)
        skin: Points = (ways * high[:, None]) @ self.axes.T + self.centre
        return skin

    def solid(self, at: Float32Array) -> Float32Array:
        """Distance (N,) in mm from the undrilled body to own points (N, 3), or less; negative inside."""
        x, y, z = (np.abs(at[:, axis]) - np.float32(self.half - self.edge_mm) for axis in range(3))
        box = _length(np.maximum(x, 0), np.maximum(y, 0), np.maximum(z, 0))
        box += np.minimum(np.maximum(np.maximum(x, y), z), 0)
        box -= np.float32(self.edge_mm)
        ball = _length(at[:, 0], at[:, 1], at[:, 2]) - np.float32(self.ball)
        return _cut(box, ball, 0.35)


def _length(x: Float32Array, y: Float32Array, z: Float32Array) -> Float32Array:
    """The lengths (N,) of vectors, column by column: NumPy is slow along rows of three."""
    return np.asarray(np.sqrt(x * x + y * y + z * z), np.float32)


def _cut(solid: Float32Array, other: Float32Array, smooth: float) -> Float32Array:
    """The intersection of two fields, its edge rounded over ``smooth`` mm."""
    near = np.maximum(smooth - np.abs(solid - other), 0) / np.float32(smooth)
    return np.asarray(np.maximum(solid, other) + near * near * np.float32(smooth / 4), np.float32)


def _pip_table(die: PlacedDie) -> Float32Array:
    """For each pip its place on each face, mm: (6, 6, 2); faces by axis, the positive before the negative."""
    table = np.full((6, 6, 2), _FAR * die.size_mm, np.float32)
    for value, (axis, sign) in _FACES.items():
        places = np.array(LAYOUTS[value], np.float32) * np.float32(die.spread * die.size_mm)
        table[: len(places), axis * 2 + (sign < 0)] = places
    return table


def distance_to_pips(die: PlacedDie, at: Float32Array) -> Float32Array:
    """Distance (N,) in mm from own points (N, 3) to the ball that drilled the nearest pip; negative inside it."""
    x, y, z = np.abs(at[:, 0]), np.abs(at[:, 1]), np.abs(at[:, 2])
    axis = np.where(y > x, np.where(z > y, 2, 1), np.where(z > x, 2, 0))
    rows = np.arange(len(at))
    height, across, along = at[rows, axis], at[rows, (axis + 1) % 3], at[rows, (axis + 2) % 3]
    face = axis * 2 + (height < 0)
    nearest = np.full(len(at), np.inf, np.float32)
    for pip in _pip_table(die):
        u, v = across - pip[face, 0], along - pip[face, 1]
        np.minimum(nearest, u * u + v * v, out=nearest)
    radius = die.pip * die.size_mm / 2
    deep = die.pip_depth * 2 * radius
    ball = (radius**2 + deep**2) / (2 * deep)
    above = np.abs(height) - np.float32(die.half - deep + ball)
    return np.asarray(np.sqrt(nearest + above * above) - np.float32(ball), np.float32)


def distance(die: PlacedDie, at: Float32Array) -> Float32Array:
    """Distance (N,) in mm from the drilled die to own points (N, 3); negative inside."""
    solid = die.solid(at)
    if not die.drilled:
        return solid
    near = np.flatnonzero(solid < die.pip * die.size_mm)
    solid[near] = _cut(solid[near], -distance_to_pips(die, at[near]), 0.12)
    return solid


def trace(die: PlacedDie, camera: VirtualCamera, rays: Points) -> tuple[npt.NDArray[np.intp], Float32Array]:
    """Which of the ``rays`` (N, 3) from the camera meet the die, as indices (M,), and where, own mm (M, 3)."""
    origin, ways = (camera.position - die.centre) @ die.axes, rays @ die.axes
    ways = np.where(np.abs(ways) < 1e-9, 1e-9, ways)
    middle, span = -origin / ways, die.reach / np.abs(ways)
    near, far = np.maximum.reduce((middle - span).T), np.minimum.reduce((middle + span).T)
    inside = np.flatnonzero((far > near) & (near > 0))
    start = (origin + ways[inside] * near[inside, None]).astype(np.float32)
    way, room = ways[inside].astype(np.float32), (far - near)[inside].astype(np.float32)
    gone = np.zeros(len(inside), np.float32)
    met = np.zeros(len(inside), bool)
    walking = np.arange(len(inside))
    for _ in range(48):
        step = distance(die, start[walking] + way[walking] * gone[walking, None])
        gone[walking] += step
        met[walking[step < 0.02]] = True
        walking = walking[(step >= 0.02) & (gone[walking] < room[walking])]
        if not len(walking):
            break
    return inside[met], np.asarray(start[met] + way[met] * gone[met, None], np.float32)


def normals(die: PlacedDie, at: Float32Array) -> Float32Array:
    """Unit vectors (N, 3) out of the surface at own points (N, 3)."""
    step = np.float32(0.06)
    out = np.zeros_like(at)
    for corner in np.array([[1, -1, -1], [-1, -1, 1], [-1, 1, -1], [1, 1, 1]], np.float32):
        out += corner * distance(die, at + corner * step)[:, None]
    length = _length(out[:, 0], out[:, 1], out[:, 2])
    return np.asarray(out / np.maximum(length, 1e-6)[:, None], np.float32)
