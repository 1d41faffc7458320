"""A ten-sided die with printed faces that lies on the table: ten kites, five about each of its two poles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loomtable.testing.virtual.colour import linear
from loomtable.testing.virtual.lens import ImpossibleScene, Points
from loomtable.testing.virtual.placed_die import PlacedDie
from loomtable.testing.virtual.printed_die import looked_up
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage

_SHARP = 6.0
"""Of its edges, per mm: its faces are joined by a smooth maximum."""


@dataclass(frozen=True, eq=False)
class TenSidedDie(PlacedDie):
    """A d10 of ``size_mm`` from face to face; ``value`` 1 to 10 is the place of the upper face among ``sides``.

    Faces 1 to 5 are about the upper pole, anticlockwise as it looks at you, and face ``n + 5`` is opposite ``n``.
    ``sides`` are RGB pictures of ``2 * size_mm`` about the middles of their faces, with the pole at their head.

    Raises:
        ImpossibleScene: there are not ten sides.
    """

    sides: tuple[BgrImage, ...] = ()
    lean: float = 47.7
    """Degrees between the axis through its poles and the normal of a face."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.sides) != self.faces:
            raise ImpossibleScene(f"a ten-sided die has {self.faces} sides, not {len(self.sides)}")

    __eq__ = object.__eq__
    __hash__ = object.__hash__
    """As of a ``PrintedDie``: pictures cannot be compared by value."""

    @property
    def faces(self) -> int:
        """How many it has."""
        return 10

    @property
    def drilled(self) -> bool:
        """A printed die is smooth."""
        return False

    @property
    def reach(self) -> float:
        """Half the edge of the box about it, mm: as far as its poles."""
        return self.half / math.cos(math.radians(self.lean))

    @property
    def ball(self) -> float:
        """Radius of the ball about as large as it, mm."""
        return (self.half + self.reach) / 2

    @cached_property
    def _frames(self) -> Points:
        """What points right, up to the pole, and out of each face, in the die's own axes: (10, 3, 3)."""
        turns, lean = np.radians(72.0 * np.arange(5)), math.radians(self.lean)
        flat = [math.sin(lean) * np.cos(turns), math.sin(lean) * np.sin(turns), np.full(5, math.cos(lean))]
        upper = np.stack(flat, axis=1)
        out = np.concatenate([upper, -upper])
        pole = np.array([[0.0, 0.0, 1.0 if face < 5 else -1.0] for face in range(10)])
        up = pole - (pole * out).sum(axis=1, keepdims=True) * out
        up /= np.linalg.norm(up, axis=1, keepdims=True)
        return np.stack([np.cross(up, out), up, out], axis=1)

    @cached_property
    def axes(self) -> Points:
        """The rotation (3, 3) from the die's own axes to the right-handed table's."""
        cos, sin = math.cos(math.radians(self.turn)), -math.sin(math.radians(self.turn))
        turned: Points = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ self._frames[self.value - 1]
        return turned

    def solid(self, at: Float32Array) -> Float32Array:
        """Distance (N,) in mm to own points (N, 3), or less; negative inside."""
        over = at @ self._frames[:, 2].T.astype(np.float32) - np.float32(self.half)
        most = over.max(axis=1)
        round_ = np.log(np.exp(_SHARP * (over - most[:, None])).sum(axis=1)) / np.float32(_SHARP)
        return np.asarray(most + round_, np.float32)

    @cached_property
    def _texels(self) -> tuple[Float32Array, ...]:
        return tuple(np.asarray(linear(side), np.float32) for side in self.sides)

    def printed(self, at: Float32Array) -> tuple[Float32Array, Float32Array]:
        """The print at own points (N, 3): colour (N, 3) in white light, cover (N,)."""
        frames = self._frames.astype(np.float32)
        nearest = (at @ frames[:, 2].T).argmax(axis=1)
        colour = np.zeros((len(at), 3), np.float32)
        for face, texels in enumerate(self._texels):
            here = np.flatnonzero(nearest == face)
            if len(here):
                right, up = (at[here] @ frames[face, axis] for axis in (0, 1))
                per_mm, middle = texels.shape[0] / (2 * self.size_mm), texels.shape[0] / 2 - 0.5
                colour[here] = looked_up(texels, right * per_mm + middle, middle - up * per_mm)
        return colour, np.ones(len(at), np.float32)


__all__ = ["TenSidedDie"]
