"""The table's plane in a picture, as a printed mat gives it: pictures rectified, and readings brought back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tray import Box, TrayReading


@dataclass(frozen=True, eq=False)
class Plane:
    """A flat part of the table, seen in a picture."""

    homography: Float64Array
    """(3, 3): from pixels of the picture to pixels of the view from above."""
    size: tuple[int, int]
    """Width and height of the view from above, pixels."""
    pixels_per_mm: float | None = None
    """Scale of the view from above, where it is known."""

    def rectified(self, picture: BgrImage) -> BgrImage:
        """The picture as seen from straight above; what the picture does not show is the colour of its border."""
        flat = cv2.warpPerspective(
            picture, self.homography, self.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(flat, np.uint8)

    def back(self, tray: TrayReading) -> TrayReading:
        """A reading of the view from above, with its places in pixels of the picture; the view has no camera."""
        dice = tuple(
            replace(
                die,
                box=self._box(die.box),
                polygon=self._points(die.polygon),
                sides=tuple(self._points(side) for side in die.sides),
            )
            for die in tray.dice
        )
        return replace(tray, dice=dice, camera=None)

    def _points(self, points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        if not points:
            return ()
        given = np.array([points], np.float64)
        there = cv2.perspectiveTransform(given, np.linalg.inv(self.homography))[0]
        return tuple((float(x), float(y)) for x, y in there)

    def _box(self, box: Box) -> Box:
        x0, y0, x1, y1 = box
        corners = np.array(self._points(((x0, y0), (x1, y0), (x1, y1), (x0, y1))))
        (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        return left, top, right, bottom
