"""The dice mat: where its tags stand, so that whoever prints it and whoever reads it mean the same place.

A mat is measured in millimetres from its upper left corner, x to the right and y down, as it lies before its
reader. In each corner stands an AprilTag of the family 36h11; the tags' numbers say which mat it is and which
corner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Place = tuple[float, float]


@dataclass(frozen=True)
class Mat:
    """One size of mat; ``tags`` are the numbers at the upper left, upper right, lower right and lower left."""

    paper: str
    width: float
    height: float
    tags: tuple[int, int, int, int]
    tag_width: float = 24.0
    """Across the black of a tag (mm)."""
    tag_inset: float = 4.5
    """From the mat's edges to the black of a tag (mm)."""
    border: float = 14.0
    """Width of the woven border; dice are read inside of it, and on it (mm)."""

    def tag_corners(self, corner: int) -> tuple[Place, Place, Place, Place]:
        """Corners of a tag's black, clockwise from its upper left; mat corners 0 to 3 are in the same order."""
        near, far = self.tag_inset, self.tag_inset + self.tag_width
        left = near if corner in (0, 3) else self.width - far
        top = near if corner in (0, 1) else self.height - far
        right, bottom = left + self.tag_width, top + self.tag_width
        return (left, top), (right, top), (right, bottom), (left, bottom)


MATS: Mapping[str, Mat] = {
    mat.paper: mat
    for mat in (
        Mat("A4", 280.0, 186.0, (560, 561, 562, 563)),
        Mat("Letter", 262.0, 190.0, (564, 565, 566, 567)),
        Mat("A3", 400.0, 272.0, (568, 569, 570, 571)),
    )
}
"""The mats by the paper they are printed on, lying on its long edge."""
