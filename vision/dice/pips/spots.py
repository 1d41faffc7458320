"""Pip candidates: every small, plain, elliptical spot of a picture, in any colour.

A pip is sought as what a morphological top hat or black hat leaves over: something smaller than the window that is
lighter (or darker) than all that lies round it. That holds for light ink on a dark die upon a white table, where a
local threshold would see the table only. Blue, green and red are searched apart, because gold on black and red on
yellow each show in one or two of them; a pyramid keeps the window at one size, so that large pips cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float64Array
from loomtable.vision.pictures import BgrImage

WINDOW = 15
"""Side of the hats' window in pixels at each pyramid level; wider spots are left to the next level."""
LEVELS = 4
CONTRAST_FLOOR = 16
"""Grey levels (of 255) by which ink must differ from the body in some channel."""
MOST_PIPS = 500

# All limits below were set by hand.
_BOX_FILLED = 0.45
"""Share of its box that a spot fills, at least."""
_FILLS_ELLIPSE = 0.86
"""Share of its ellipse that a spot fills, at least."""
_LEAST_ASPECT_RATIO = 0.28
_MOTTLED, _LARGE_SPOT = 0.4, 30
"""Distance of colours within a spot, in its contrast, from which it is of many colours; and the diameter (px) from
which that says that it is no pip."""
_LEAST_CONTRAST = 1.3 * CONTRAST_FLOOR
_LEAST_UNIFORMITY = 0.45
_SAME_SIZE, _SAME_PLACE = 2.2, 0.4
"""Of two detections of one spot: the larger diameter in smaller ones, and their distance in larger ones, at
most."""
_LEAST_DIE = 16
"""Diameter (px) from which a spot may be a whole die."""
_PIP_OF_DIE, _PIP_CONTRAST, _PIP_UNIFORMITY = 0.32, 0.3, 0.6
"""A pip on it: its diameter in the die's, at most; its contrast in the die's and its uniformity, at least."""
_ON_DIE, _IN_MIDDLE = 0.8, 0.3
"""How far from the die's middle a pip lies, in half diameters: anywhere on it, and in its very middle."""

_RING = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], axis=1)


@dataclass(frozen=True)
class Pips:
    """Candidates as columns, best first; positions in pixels of the picture that was searched."""

    centre: Float64Array
    """(n, 2): x, y."""
    spread: Float64Array
    """(n, 2, 2): covariance of the spot's pixels; a filled ellipse has semi-axes of twice its roots."""
    ink: Float64Array
    """(n, 3): colour inside, blue green red, 0 to 255."""
    body: Float64Array
    """(n, 3): colour of the ring round it."""
    uniformity: Float64Array
    """(n,): 1 for a ring of one colour, 0 for a ring as uneven as ink differs from body."""
    roundness: Float64Array
    """(n,): how well an ellipse fills the spot, 1 is best."""
    wholes: Float64Array
    """(m, 3): x, y and diameter of spots that hold pips themselves, so that they look like whole dice."""

    def __len__(self) -> int:
        return len(self.centre)

    @cached_property
    def diameter(self) -> Float64Array:
        """(n,): geometric mean diameter in pixels."""
        determinant: Float64Array = np.linalg.det(self.spread)
        return np.asarray(4 * np.maximum(determinant, 1e-6) ** 0.25)

    @cached_property
    def contrast(self) -> Float64Array:
        """(n,): distance between ink and body colour, 0 to 441."""
        return np.asarray(np.linalg.norm(self.ink - self.body, axis=1))

    @cached_property
    def looks(self) -> list[tuple[float, float, float]]:
        """(n) uniformity, roundness and contrast as plain numbers, which are quicker a few at a time."""
        return list(zip(self.uniformity.tolist(), self.roundness.tolist(), self.contrast.tolist(), strict=True))

    def take(self, rows: npt.NDArray[np.intp]) -> Pips:
        """The candidates of ``rows`` only."""
        return Pips(
            self.centre[rows],
            self.spread[rows],
            self.ink[rows],
            self.body[rows],
            self.uniformity[rows],
            self.roundness[rows],
            self.wholes,
        )


def find_pips(picture: BgrImage, levels: int = LEVELS) -> Pips:
    """All pip candidates of a picture, at most ``MOST_PIPS``, each spot once; ``levels`` is how many sizes are
    sought."""
    smooth = np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)
    found: list[Float64Array] = []
    level = smooth
    for step in range(levels):
        if min(level.shape[:2]) < 2 * WINDOW:
            break
        found.append(_spots(_channels(level, coarse=step > 0), 2.0**step))
        level = np.asarray(cv2.pyrDown(level), np.uint8)
    spots = np.concatenate(found) if found else np.zeros((0, 6))
    return _without_dice(_each_once(_coloured(spots, smooth)))


def _channels(level: BgrImage, coarse: bool) -> list[npt.NDArray[np.uint8]]:
    """Blue, green and red; and two hues, in which a white glare over coloured ink vanishes.

    Cameras and JPEG keep hues at half the resolution only, so the finest level has none.
    """
    channels = [np.asarray(channel, np.uint8) for channel in cv2.split(level)]
    if coarse:
        for hue in cv2.split(cv2.cvtColor(level, cv2.COLOR_BGR2YCrCb))[1:]:
            channels.append(np.asarray(cv2.convertScaleAbs(hue, alpha=2.0, beta=-128.0), np.uint8))
    return channels


def _spots(channels: Sequence[npt.NDArray[np.uint8]], unit: float) -> Float64Array:
    """(n, 6): x, y, cov xx, cov xy, cov yy, roundness of elliptical spots in channels, in full-size pixels."""
    # One below the other with a bare row between: one search of many rows is quicker than many.
    rows = channels[0].shape[0] + 1
    mask = np.zeros((2 * rows * len(channels), channels[0].shape[1]), bool)
    square = cv2.getStructuringElement(cv2.MORPH_RECT, (WINDOW, WINDOW))
    for place, channel in enumerate(channels):
        for side, hat in enumerate((cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT)):
            height = cv2.morphologyEx(channel, hat, square)
            local_max = np.asarray(cv2.dilate(height, square), np.uint8)
            # The half-height contour: where the spot's edge lies however blurred it is.
            first = (2 * place + side) * rows
            np.greater(height, np.maximum(local_max >> 1, CONTRAST_FLOOR - 1), out=mask[first : first + rows - 1])
    count, labels = cv2.connectedComponents(mask.view(np.uint8), connectivity=4, ltype=cv2.CV_32S)
    flat = np.flatnonzero(mask)
    owner = np.asarray(labels, np.int32).ravel()[flat]
    down, across = np.divmod(flat, mask.shape[1])
    # OpenCV's own statistics take twice as long: only one pixel in ten belongs to a spot.
    area = np.bincount(owner, minlength=count)
    left, right, top, bottom = np.zeros((4, count), np.int64)
    left += mask.shape[1]
    np.minimum.at(left, owner, across)
    np.maximum.at(right, owner, across)
    # Pixels come row by row, and of several that are written to one place the last stays.
    top[owner[::-1]], bottom[owner] = down[::-1], down
    width, tall = right - left + 1, bottom - top + 1
    smallest = 4 if unit == 1 else 6
    keep = (np.minimum(width, tall) >= 3) & (np.maximum(width, tall) >= smallest)
    keep &= (np.maximum(width, tall) <= WINDOW + 1) & (area >= _BOX_FILLED * width * tall)
    kept = np.flatnonzero(keep)
    if not len(kept):
        return np.zeros((0, 6))
    renumber = np.full(count, -1, np.int32)
    renumber[kept] = np.arange(len(kept), dtype=np.int32)
    owner = renumber[owner]
    within, owner = owner >= 0, owner[owner >= 0]
    y, x = (down[within] % rows).astype(np.float64), across[within].astype(np.float64)
    size = area[kept].astype(np.float64)

    def mean(values: Float64Array) -> Float64Array:
        return np.asarray(np.bincount(owner, values, len(kept)) / size)

    cx, cy = mean(x), mean(y)
    # Each pixel is a square, not a point: its own variance of 1/12 belongs to the spot.
    xx, xy, yy = mean(x * x) - cx * cx + 1 / 12, mean(x * y) - cx * cy, mean(y * y) - cy * cy + 1 / 12
    root = np.sqrt(np.maximum(xx * yy - xy * xy, 1e-9))
    fill = size / (4 * np.pi * root)
    aspect_ratio_squared = ((xx + yy) / 2 - np.hypot((xx - yy) / 2, xy)) / (
        (xx + yy) / 2 + np.hypot((xx - yy) / 2, xy)
    )
    good = (fill > _FILLS_ELLIPSE) & (aspect_ratio_squared > _LEAST_ASPECT_RATIO**2)
    centre = (np.stack([cx, cy], axis=1) + 0.5) * unit - 0.5
    return np.column_stack([centre, np.stack([xx, xy, yy], axis=1) * unit * unit, fill])[good]


def _coloured(spots: Float64Array, picture: BgrImage) -> Pips:
    """The spots with the colours inside and round them; those whose surroundings are no plain body are dropped."""
    centre = spots[:, :2]
    spread = spots[:, [2, 3, 3, 4]].reshape(-1, 2, 2)
    values, vectors = np.linalg.eigh(spread)
    axes = vectors * (2 * np.sqrt(np.maximum(values, 0.05)))[:, None, :]
    rim = np.einsum("nij,kj->nki", axes, _RING)
    # Half a pixel of blur lies on each side of the edge, whatever the size.
    outward = rim / np.maximum(np.linalg.norm(rim, axis=2, keepdims=True), 1e-6)
    ring = _sample(picture, centre[:, None, :] + 1.22 * rim + 1.0 * outward)
    inside = _sample(picture, centre[:, None, :] + 0.45 * rim[:, ::2])
    ink, body = np.median(inside, axis=1), np.median(ring, axis=1)
    contrast = np.linalg.norm(ink - body, axis=1)
    # A quarter of the ring may lie on a neighbour, an edge or glare.
    uneven = np.sort(np.linalg.norm(ring - body[:, None, :], axis=2), axis=1)[:, 11]
    uniformity = 1 - uneven / np.maximum(contrast, 1)
    pips = Pips(centre, spread, ink, body, uniformity, spots[:, 5], np.zeros((0, 3)))
    # A large spot of many colours is a die, or part of a picture; a small one may be blurred or in glare.
    mottled = np.sort(np.linalg.norm(inside - ink[:, None, :], axis=2), axis=1)[:, 6] > _MOTTLED * contrast
    mottled &= pips.diameter > _LARGE_SPOT
    return pips.take(np.flatnonzero((contrast > _LEAST_CONTRAST) & (uniformity > _LEAST_UNIFORMITY) & ~mottled))


def _sample(picture: BgrImage, points: Float64Array) -> Float64Array:
    """Colours at ``points`` (..., 2); points outside take the border's colour."""
    height, width = picture.shape[:2]
    x = np.clip(np.rint(points[..., 0]).astype(np.intp), 0, width - 1)
    y = np.clip(np.rint(points[..., 1]).astype(np.intp), 0, height - 1)
    return np.asarray(picture[y, x], np.float64)


def _each_once(pips: Pips) -> Pips:
    """Of spots found in several channels or levels, the one that shows best; best first."""
    worth = pips.contrast * np.clip(pips.uniformity, 0, 1) * np.clip((pips.roundness - 0.8) / 0.2, 0.05, 1)
    order = np.argsort(-worth)
    # Plain numbers: a library's take ten times as long one by one.
    centres, diameters = pips.centre.tolist(), pips.diameter.tolist()
    kept: list[int] = []
    cells: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
    for row in order.tolist():
        (x, y), diameter = centres[row], diameters[row]
        if _is_known(x, y, diameter, cells):
            continue
        cells.setdefault((int(x) >> 5, int(y) >> 5), []).append((x, y, diameter))
        kept.append(row)
        if len(kept) == MOST_PIPS:
            break
    return pips.take(np.array(kept, np.intp))


def _is_known(
    x: float, y: float, diameter: float, cells: Mapping[tuple[int, int], Sequence[tuple[float, float, float]]]
) -> bool:
    """Whether a spot was found before, among those in its cell of 32 pixels or one beside it: x, y and diameter. A
    die seen as a spot is not the pip in its middle."""
    column, line = int(x) >> 5, int(y) >> 5
    for across in (column - 1, column, column + 1):
        for down in (line - 1, line, line + 1):
            for other_x, other_y, other in cells.get((across, down), ()):
                large, small = (diameter, other) if diameter > other else (other, diameter)
                if large < _SAME_SIZE * small and math.hypot(x - other_x, y - other_y) < _SAME_PLACE * large:
                    return True
    return False


def _without_dice(pips: Pips) -> Pips:
    """The candidates without those that are whole dice: they have pips inside, or one pip in their very middle."""
    diameter, contrast = pips.diameter, pips.contrast
    keep = np.ones(len(pips), bool)
    for row in np.flatnonzero(diameter > _LEAST_DIE).tolist():
        inner = np.linalg.solve(pips.spread[row], (pips.centre - pips.centre[row]).T)
        away = np.sqrt(np.maximum(((pips.centre - pips.centre[row]).T * inner).sum(axis=0), 0)) / 2
        small = (diameter < _PIP_OF_DIE * diameter[row]) & (contrast > _PIP_CONTRAST * contrast[row])
        small &= pips.uniformity > _PIP_UNIFORMITY
        inside = small & (away < _ON_DIE)
        if inside.sum() >= 2 or (inside & (away < _IN_MIDDLE)).any():
            keep[row] = False
    gone = np.flatnonzero(~keep)
    return replace(pips.take(np.flatnonzero(keep)), wholes=np.column_stack([pips.centre[gone], diameter[gone]]))
