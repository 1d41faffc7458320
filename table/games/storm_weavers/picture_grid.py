"""The grid of squares in a picture of a map, found by how regularly its lines come again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

LEAST_SQUARE = 16.0
"""Pixels: nothing smaller is printed, or can be told from a texture."""
_FEWEST, _LONGEST = 4, 400
"""Lines of a grid that is measured, and pixels from one to the next."""
_FAINT = 14.0
"""Steps of grey: a line counts for no more than that, so that walls and furniture do not outweigh faint lines."""
_SURE, _SURE_START = 7.0, 5.0
"""Standard deviations by which a grid's lines stand out."""
_ALIKE = 0.015
"""By how much a grid may seem wider than high."""


@dataclass(frozen=True)
class Squares:
    """Squares of ``side`` pixels; the first whole one begins at ``left`` and ``top``."""

    side: float
    left: float
    top: float
    sure: bool = True

    def squares(self, width: float, height: float) -> tuple[int, int]:
        """How many whole squares a picture of so many pixels holds across and down; a thirtieth may be missing."""
        return int((width - self.left) / self.side + 1 / 30), int((height - self.top) / self.side + 1 / 30)


def measured_grid(image: Image.Image) -> Squares:
    """The grid of a picture, by the period of its lines; side 0 where there is none at all."""
    across, down = _profiles(image)
    (wide, clear), (high, clear_down) = _period(across), _period(down)
    if not wide or not high:
        return Squares(0, 0, 0, sure=False)
    alike = abs(wide / high - 1) <= _ALIKE
    side = (wide * len(across) + high * len(down)) / (len(across) + len(down)) if alike else wide
    sure = alike and min(clear, clear_down) >= _SURE
    return Squares(round(side, 2), _start(across, side)[0], _start(down, side)[0], sure)


def measured_start(image: Image.Image, side: float) -> tuple[float, float]:
    """Where the first whole square of ``side`` pixels begins: at the edge, unless lines clearly say otherwise."""
    starts = []
    for profile in _profiles(image):
        start, clear = _start(profile, side)
        fits = abs(len(profile) / side - round(len(profile) / side)) < 1 / 30
        starts.append(0.0 if fits or clear < _SURE_START else start)
    return starts[0], starts[1]


def _profiles(image: Image.Image) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How much each column of pixels, and each row, stands out as a line through the picture."""
    grey = np.asarray(image.convert("L"), np.float32)
    found = []
    for axis in (1, 0):
        step = np.minimum(np.abs(np.diff(grey, axis=axis)), _FAINT).mean(axis=1 - axis, dtype=np.float64)
        joined = np.append(step, 0) + np.append(0, step)
        joined[[0, -1]] = 0  # half a step alone is no line
        wide = np.convolve(np.pad(joined, 4, "edge"), np.ones(9) / 9, "valid")  # what a line stands out from
        found.append(np.maximum(joined - wide, 0))
    return found[0], found[1]


def _start(profile: npt.NDArray[np.float64], side: float) -> tuple[float, float]:
    """The phase at which lines ``side`` apart stand out most, and by how many standard deviations."""
    spread = float(profile.std())
    count = int(len(profile) / side)
    if not spread or count < 1:
        return 0.0, 0.0
    phases = np.arange(0, side, 0.5)
    teeth = np.rint(phases[:, None] + side * np.arange(count)).astype(int)
    strength = np.where(teeth < len(profile), profile[np.minimum(teeth, len(profile) - 1)], 0).mean(axis=1)
    best = int(strength.argmax())
    start = 0.0 if side - phases[best] < 1 else float(phases[best])
    return start, float((strength[best] - profile.mean()) / spread * np.sqrt(count))


def _period(profile: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The period whose lines stand out most, and by how many standard deviations."""
    longest = min(len(profile) / _FEWEST, _LONGEST)
    best = max(
        ((_start(profile, side)[1], side) for side in np.arange(LEAST_SQUARE, longest, 0.25)), default=(0.0, 0.0)
    )
    finer = np.arange(best[1] - 0.25, best[1] + 0.26, 0.02) if best[0] else ()
    clear, side = max(((_start(profile, side)[1], side) for side in finer), default=best)
    whole = float(round(side))  # as most tools draw them; halves of a pixel blur where the best lies
    if abs(whole - side) < 0.2 and _start(profile, whole)[1] > 0.9 * clear:
        side = whole
    return float(side), clear
