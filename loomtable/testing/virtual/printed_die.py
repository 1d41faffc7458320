"""A die with printed sides: stickers on a plastic die, or a cube folded from paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from loomtable.testing.virtual.colour import linear
from loomtable.testing.virtual.lens import ImpossibleScene
from loomtable.testing.virtual.placed_die import PlacedDie
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage

_TEXELS_PER_MM = 9.0


@dataclass(frozen=True, eq=False)
class PrintedDie(PlacedDie):
    """A die whose values 1 to 6 are ``sides``, RGB pictures (height, width, 3), each as read with its head up.

    Raises:
        ImpossibleScene: there are not six sides, or they do not fit on the die.
    """

    sides: tuple[BgrImage, ...] = ()
    side_mm: float = 14.0
    """Edge of a printed side; on a paper die that of the die."""
    corner_mm: float = 1.6
    """To which the corners of a side are rounded."""
    askew: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),) * 6
    """How each side was stuck on: turned clockwise (degrees), and off the middle to the right and down (mm)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.sides) != 6 or len(self.askew) != 6:
            raise ImpossibleScene(f"a printed die has six sides, not {len(self.sides)}")
        if not 1.0 <= self.side_mm <= self.size_mm:
            raise ImpossibleScene(f"a side of {self.side_mm:g} mm does not fit on a die of {self.size_mm:g} mm")

    __eq__ = object.__eq__
    __hash__ = object.__hash__
    """What is kept of a drawn die hangs on its sides too, and pictures cannot be compared by value."""

    @property
    def drilled(self) -> bool:
        """A printed die is smooth."""
        return False

    @cached_property
    def _texels(self) -> tuple[Float32Array, ...]:
        count = max(8, round(self.side_mm * _TEXELS_PER_MM))
        return tuple(
            cv2.resize(linear(side), (count, count), interpolation=cv2.INTER_AREA).astype(np.float32)
            for side in self.sides
        )

    def printed(self, at: Float32Array) -> tuple[Float32Array, Float32Array]:
        """The print at own points (N, 3): colour (N, 3) in white light, cover (N,)."""
        colour, cover = np.zeros((len(at), 3), np.float32), np.zeros(len(at), np.float32)
        axes = np.abs(at).argmax(axis=1)
        for value in range(1, 7):
            axis, sign = self.towards(value)
            here = np.flatnonzero((axes == axis) & (at[:, axis] * sign > 0))
            if len(here):
                x, y = sign * at[here, (axis + 1) % 3], -at[here, (axis + 2) % 3]
                colour[here], cover[here] = self._print_of(value, x, y)
        return colour, cover

    def _print_of(self, value: int, x: Float32Array, y: Float32Array) -> tuple[Float32Array, Float32Array]:
        """Colour and cover at places (N,) of a side, mm to the right of and below its die's middle."""
        turn, right, down = self.askew[value - 1]
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        u, v = (x - right) * cos + (y - down) * sin, (y - down) * cos - (x - right) * sin
        texels = self._texels[value - 1]
        per_mm = texels.shape[0] / self.side_mm
        colour = looked_up(texels, u * per_mm + texels.shape[1] / 2 - 0.5, v * per_mm + texels.shape[0] / 2 - 0.5)
        inner = self.side_mm / 2 - self.corner_mm
        beyond = np.hypot(np.maximum(np.abs(u) - inner, 0), np.maximum(np.abs(v) - inner, 0))
        cover = np.clip((self.corner_mm - beyond) / 0.1 + 0.5, 0, 1)
        return colour, np.asarray(cover, np.float32)


_ROW = 4096
"""OpenCV looks up at most 32,767 rows or columns at once, so long lists are folded."""


def looked_up(texels: Float32Array, x: Float32Array, y: Float32Array) -> Float32Array:
    """The texels' colour (N, 3) at places (N,), between them by degrees."""
    rows = -(-len(x) // _ROW)
    folded = [np.resize(np.asarray(side, np.float32), (rows, _ROW)) for side in (x, y)]
    colours = cv2.remap(texels, folded[0], folded[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours.reshape(-1, 3)[: len(x)], np.float32)
