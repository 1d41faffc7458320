"""Where the virtual camera stands, and where things of the table fall in its picture.

The table is a plane measured in millimetres: x runs to the right, y towards the person at the near edge (down the
picture of an upright camera), z up from the table; the origin is the middle of the table. Pixels run to the right
and down. Angles are degrees, and turns run clockwise as the camera sees them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from loomtable.engine.kernel.errors import BadInput

Points = npt.NDArray[np.float64]

_FLIP = np.diag([1.0, -1.0, 1.0])
"""Table (x, y towards the viewer, z up) is left-handed; solid things are turned in (x, -y, z), which is not."""


class ImpossibleScene(BadInput):
    """A scene or a camera that cannot be photographed; the message says what is out of range."""


@dataclass(frozen=True)
class VirtualCamera:
    """A webcam on a stand over the table, looking at ``aim``.

    Raises:
        ImpossibleScene: a tilt, field of view, height or frame size outside what is described here.
    """

    height: float = 430.0
    """Millimetres from the table to the lens, measured straight up."""
    tilt: float = 12.0
    """0 looks straight down; 48 looks from the near edge across the table, and 75, the most, is a phone that leans
    against a mug."""
    roll: float = 0.0
    """How far the camera is turned clockwise about its own axis."""
    field_of_view: float = 62.0
    """Horizontal, 20 to 100."""
    aim: tuple[float, float] = (0.0, 0.0)
    """The point of the table (mm) that falls in the middle of the picture."""
    frame: tuple[int, int] = (1280, 720)
    """Width and height of the picture in pixels."""
    exposure: float = 0.0
    """Stops above or below what automatic exposure would choose."""
    blur: float = 0.75
    """The lens: sigma of its blur in pixels."""
    motion: float = 0.0
    """Length in pixels by which the picture was shaken along its rows while it was taken."""
    vignetting: float = 0.3
    """The share of light that is lost in the corners."""
    noise: float = 1.0
    """Shot and read noise; 0 none, 1 a lit room, 3 a dim one."""
    warmth: float = 0.15
    """White balance: -1 clearly blue, 0 neutral, 1 clearly orange."""
    sharpening: float = 0.6
    """The amount by which the camera's own processor sharpens."""
    jpeg_quality: int = 88
    """1 to 100; webcams send JPEG frames."""

    def __post_init__(self) -> None:
        for what, value, least, most in (
            ("tilt", self.tilt, 0.0, 75.0),
            ("field of view", self.field_of_view, 20.0, 100.0),
            ("height", self.height, 50.0, 5000.0),
            ("frame width", float(self.frame[0]), 64.0, 8000.0),
            ("frame height", float(self.frame[1]), 64.0, 8000.0),
            ("JPEG quality", float(self.jpeg_quality), 1.0, 100.0),
        ):
            if not least <= value <= most:
                raise ImpossibleScene(f"a virtual camera's {what} is {least:g} to {most:g}, not {value:g}")
        corner = math.degrees(math.atan(math.hypot(*self.frame) / 2 / self.focal_length))
        if self.tilt > 48 and self.tilt + corner > 88:
            raise ImpossibleScene(
                f"a virtual camera tilted by {self.tilt:g} sees over the table's far edge with a field of view of"
                f" {self.field_of_view:g}; narrow it"
            )

    @cached_property
    def position(self) -> Points:
        """The lens, shape (3,), in right-handed millimetres (x, -y, z)."""
        back = self.height * math.tan(math.radians(self.tilt))
        return np.array([self.aim[0], -(self.aim[1] + back), self.height])

    @cached_property
    def axes(self) -> Points:
        """Rows are the camera's right, down and forward as unit vectors, right-handed table axes, shape (3, 3)."""
        tilt, roll = math.radians(self.tilt), math.radians(self.roll)
        forward = np.array([0.0, math.sin(tilt), -math.cos(tilt)])
        right = np.array([1.0, 0.0, 0.0])
        down = np.cross(forward, right)
        return np.stack(
            [
                math.cos(roll) * right + math.sin(roll) * down,
                math.cos(roll) * down - math.sin(roll) * right,
                forward,
            ]
        )

    @cached_property
    def focal_length(self) -> float:
        """In pixels."""
        return self.frame[0] / 2 / math.tan(math.radians(self.field_of_view) / 2)

    @cached_property
    def homography(self) -> Points:
        """The matrix (3, 3) from table millimetres (x, y, 1) to pixels."""
        inner = np.diag([self.focal_length, self.focal_length, 1.0])
        inner[:2, 2] = (np.array(self.frame) - 1) / 2
        outer = np.column_stack([self.axes[:, 0], -self.axes[:, 1], -self.axes @ self.position])
        found: Points = inner @ outer
        found /= found[2, 2]
        return found

    @property
    def pixels_per_mm(self) -> float:
        """The scale in the middle of the picture, across the direction of the tilt."""
        return self.focal_length * math.cos(math.radians(self.tilt)) / self.height

    def project(self, places: npt.ArrayLike) -> Points:
        """The pixels (N, 2) on which table places (N, 2) or (N, 3) in millimetres fall."""
        there = np.atleast_2d(np.asarray(places, np.float64))
        if there.shape[1] == 2:
            there = np.column_stack([there, np.zeros(len(there))])
        turned = (there @ _FLIP - self.position) @ self.axes.T
        middle = (np.array(self.frame) - 1) / 2
        pixels: Points = self.focal_length * turned[:, :2] / turned[:, 2:] + middle
        return pixels

    def place(self, pixels: npt.ArrayLike) -> Points:
        """The table places (N, 2) in millimetres that fall on pixels (N, 2)."""
        at = np.atleast_2d(np.asarray(pixels, np.float64))
        there = np.column_stack([at, np.ones(len(at))]) @ np.linalg.inv(self.homography).T
        places: Points = there[:, :2] / there[:, 2:]
        return places

    def rays(self, pixels: Points) -> Points:
        """Unit vectors (N, 3), right-handed, from the lens through pixels (N, 2)."""
        flat = (pixels - (np.array(self.frame) - 1) / 2) / self.focal_length
        along = np.column_stack([flat, np.ones(len(flat))]) @ self.axes
        rays: Points = along / np.linalg.norm(along, axis=1, keepdims=True)
        return rays

    def shows(self, pixels: Points, margin: float = 8.0) -> bool:
        """Whether all of these pixels (N, 2) lie inside the picture, ``margin`` pixels from its border."""
        most = np.array(self.frame) - 1 - margin
        return bool(np.all(pixels >= margin) and np.all(pixels <= most))


def rotated(points: npt.ArrayLike, turn: float) -> Points:
    """Table points (N, 2) in mm, turned clockwise (as seen) about the origin by ``turn`` degrees."""
    angle = math.radians(turn)
    matrix = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    result: Points = np.atleast_2d(np.asarray(points, np.float64)) @ matrix.T
    return result
