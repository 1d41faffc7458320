"""The grid of squares in a picture of a map, found by how regularly its lines come again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

Profile = npt.NDArray[np.float64]
"""How much each column of pixels, or each row, stands out as a line through a picture."""
LEAST_SQUARE = 16.0
"""Pixels: nothing smaller is printed, or can be told from a texture."""
_BLOCK = 8
"""Pixels: JPEG and its kin store a picture in blocks of this size, and its colours in blocks of twice that."""
MISSING = 1 / 30
"""Of a square at the edge, which counts as whole all the same."""
_FEWEST, _LONGEST = 4, 400
"""Lines of a grid that is measured, and pixels from one to the next."""
_FAINT = 14.0
"""Steps of grey: a line counts for no more than that, so that walls and furniture do not outweigh faint lines."""
_SURE, _SURE_START = 7.0, 5.0
"""Standard deviations by which a grid's lines stand out."""
_ALIKE = 0.015
"""By how much a grid may seem wider than high."""
_OTHER_EDGE, _THICKEST = 0.7, 0.1
"""How strong the second edge of a thick line is beside the first, and how wide a line is, in squares."""
_STRAIGHT = 2.5
"""Pixels by which the lines of one half of a picture may be beside those of the other: more, and it is turned."""
_MARGIN_LINES, _MARGIN_PLAIN = 0.2, 0.8
"""A margin has fewer lines than that, in parts of what squares have, and so much of it is of one grey."""
_HEXAGONS, _OTHER_WAY, _SMALL = 0.01, 2.0, 700
"""How like itself a picture of hexagons is when moved by one, and how much more so than 30 degrees beside."""


@dataclass(frozen=True)
class Squares:
    """Squares of ``side`` pixels, so many across and down; the first begins at ``left`` and ``top``.

    ``doubt`` is why it may be no grid of squares. ``margin`` is how many columns and rows were no part of it.
    """

    side: float
    left: float = 0
    top: float = 0
    across: int = 0
    down: int = 0
    doubt: str = ""
    margin: tuple[int, int] = (0, 0)

    def filling(self, width: float, height: float) -> Squares:
        """The same with all whole squares of a picture of so many pixels."""
        across, down = ((w - at) / self.side + MISSING for w, at in ((width, self.left), (height, self.top)))
        return replace(self, across=int(across), down=int(down))

    def part(self, right: int, down: int, across: int, high: int) -> Squares:
        """So many of these squares across and down, from one that is further ``right`` and ``down``."""
        left, top = self.left + right * self.side, self.top + down * self.side
        return replace(self, left=left, top=top, across=across, down=high)


def measured_grid(image: Image.Image, told: float | None = None) -> Squares:
    """The grid of a picture, by the period of its lines, without margins; side 0 where there is none at all.

    Squares of a side that is ``told`` (pixels) begin at the edge, unless lines clearly say otherwise.
    """
    grey = np.asarray(image.convert("L"), np.float32)
    profiles = _profile(grey, 1), _profile(grey, 0)
    if told:
        starts = [_start(profile, told) for profile in profiles]
        fits = [abs(len(p) / told - round(len(p) / told)) < MISSING for p in profiles]
        left, top = (
            0.0 if fit or clear < _SURE_START else at for fit, (at, clear) in zip(fits, starts, strict=True)
        )
        return _without_margins(grey, Squares(told, left, top).filling(image.width, image.height))
    (wide, clear), (high, clear_down) = map(_period, profiles)
    doubt = "it is of hexagons, and a combat map has squares" if _has_hexagons(grey) else ""
    if not wide or not high:
        return Squares(0, doubt=doubt or "there is none")
    alike = abs(wide / high - 1) <= _ALIKE
    side = round(float(np.average([wide, high], weights=grey.shape[::-1])) if alike else wide, 2)
    halves = [[_profile(half, 1 - axis) for half in np.array_split(grey, 2, axis=axis)] for axis in (0, 1)]
    moved = np.array([_start(first, side)[0] - _start(other, side)[0] for first, other in halves])
    if not alike or min(clear, clear_down) < _SURE:
        doubt = doubt or "its lines are not clear"
    elif side == 2 * _BLOCK or any(_fainter_than_blocks(profile, side) for profile in profiles):
        doubt = doubt or "it may be the blocks in which the picture is stored"
    elif np.abs((moved + side / 2) % side - side / 2).max() > _STRAIGHT:
        doubt = doubt or "its lines are not straight up; turn the picture first"
    left, top = (_start(profile, side)[0] for profile in profiles)
    return _without_margins(grey, Squares(side, left, top, doubt=doubt).filling(image.width, image.height))


def _profile(grey: npt.NDArray[np.float32], axis: int) -> Profile:
    """The lines down a picture (axis 1), or those across it (0)."""
    step = np.minimum(np.abs(np.diff(grey, axis=axis)), _FAINT).mean(axis=1 - axis, dtype=np.float64)
    joined = np.append(step, 0) + np.append(0, step)
    joined[[0, -1]] = 0  # half a step alone is no line
    wide = np.convolve(np.pad(joined, 4, "edge"), np.ones(9) / 9, "valid")  # what a line stands out from
    return np.asarray(np.maximum(joined - wide, 0))


def _start(profile: Profile, side: float) -> tuple[float, float]:
    """The phase at which lines ``side`` apart stand out most, and by how many standard deviations."""
    spread = float(profile.std())
    count = int(len(profile) / side)
    if not spread or count < 1:
        return 0.0, 0.0
    phases = np.arange(0, side, 0.5)
    teeth = np.rint(phases[:, None] + side * np.arange(count)).astype(int)
    strength = np.where(teeth < len(profile), profile[np.minimum(teeth, len(profile) - 1)], 0).mean(axis=1)
    best = int(strength.argmax())
    edges = np.arange(-int(2 * side * _THICKEST), int(2 * side * _THICKEST) + 1)
    edges = edges[strength[(best + edges) % len(phases)] >= _OTHER_EDGE * strength[best]]
    start = (float(phases[best]) + float(edges.min() + edges.max()) / 4) % side  # a thick line has two edges
    start = 0.0 if min(start, side - start) < 1 else start
    return start, float((strength[best] - profile.mean()) / spread * np.sqrt(count))


def _period(profile: Profile) -> tuple[float, float]:
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


def _on_lines(profile: Profile, side: float, start: float) -> npt.NDArray[np.intp]:
    """The pixels of each line of a grid, as wide as it may be."""
    reach = max(1, int(side * _THICKEST))
    lines = np.rint(np.arange(start, len(profile), side)).astype(int)[:, None] + np.arange(-reach, reach + 1)
    return np.asarray(np.clip(lines, 0, len(profile) - 1))


def _fainter_than_blocks(profile: Profile, side: float) -> bool:
    """Whether the blocks in which a picture is stored stand out more than the lines of a grid."""
    lines = _on_lines(profile, side, _start(profile, side)[0])
    beside = np.ones(len(profile))
    beside[lines] = 0
    phases = np.arange(len(profile)) % _BLOCK
    blocks = np.bincount(phases, profile * beside) / np.maximum(np.bincount(phases, beside), 1)
    return bool(blocks.max() > profile[lines].max(axis=1).mean())


def _without_margins(grey: npt.NDArray[np.float32], grid: Squares) -> Squares:
    """The grid without outer columns and rows through which none of its lines run, of one grey but for a title."""
    for axis in (1, 0):
        start, first = (grid.top, grid.left) if axis else (grid.left, grid.top)
        ends = np.rint(first + grid.side * np.arange((grid.across if axis else grid.down) + 1)).astype(int)
        strips = [grey[:, at:end] if axis else grey[at:end] for at, end in pairwise(ends)]
        profiles = [_profile(strip, 1 - axis) for strip in strips]
        lines = [float(profile[_on_lines(profile, grid.side, start)].mean()) for profile in profiles]
        plain = [float((np.abs(strip - np.median(strip)) < _FAINT).mean()) for strip in strips]
        usual = float(np.median(lines)) if lines else 0.0
        inside = [
            at
            for at, (line, part) in enumerate(zip(lines, plain, strict=True))
            if line >= _MARGIN_LINES * usual or part < _MARGIN_PLAIN
        ]
        if inside and usual:
            kept, lost = inside[-1] - inside[0] + 1, len(strips) - (inside[-1] - inside[0] + 1)
            grid = grid.part(inside[0], 0, kept, grid.down) if axis else grid.part(0, inside[0], grid.across, kept)
            grid = replace(grid, margin=(lost, 0) if axis else (grid.margin[0], lost))
    return grid


def _has_hexagons(grey: npt.NDArray[np.float32]) -> bool:
    """Whether a picture is like itself moved by one hexagon, in three directions 60 degrees apart."""
    scale = min(1.0, _SMALL / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    edges = np.abs(np.diff(small, axis=0))[:, :-1] + np.abs(np.diff(small, axis=1))[:-1]
    edges = np.minimum(edges, _FAINT)
    edges -= cv2.blur(edges, (31, 31))
    high, wide = edges.shape
    moved = np.fft.irfft2(np.abs(np.fft.rfft2(edges, (2 * high, 2 * wide))) ** 2)
    alike = cv2.dilate(moved / max(moved[0, 0], 1e-9), np.ones((3, 3)))
    far = np.arange(10, max(min(high, wide) / 3, 11), 0.5)
    ways = [
        alike[np.rint(far * np.sin(turn)).astype(int), np.rint(far * np.cos(turn)).astype(int)]
        for turn in np.radians(np.arange(0, 180, 30))
    ]
    upright, turned = np.min(ways[::2], axis=0), np.min(ways[1::2], axis=0)
    best = int(np.maximum(upright, turned).argmax())
    less, more = sorted((upright[best], turned[best]))
    return bool(more > max(_HEXAGONS, _OTHER_WAY * less, np.minimum(ways[0], ways[3]).max()))
