"""Finding dice in a picture, at the scale at which they are neither too small nor too large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.dice.calibration import Found
from loomtable.vision.dice.network import Network
from loomtable.vision.pictures import Picture

Floats = npt.NDArray[np.float32]
Box = tuple[float, float, float, float]

LONG_SIDE = 640
"""Pictures are brought to this length for the first look."""
CLOSER = 1280
"""The length for a closer look, where dice are small or missing."""
FURTHER = 320
"""The length for a look from further off, for dice that fill the picture."""
FURTHEST = 160
"""The length at which a die that fills a third of the picture is as large as the ones that are known best."""
MANY = 8
"""Where so many dice are found, none of them fills a third of the picture."""
ENLARGED = 4.0
"""A picture is enlarged at most so many times: beyond that nothing is gained."""
SMALL = 26.0
"""Dice under this many pixels across, in the view that was searched, are worth a closer look."""
LARGE = 120.0
"""Where dice are this wide, one that is missing will not be found by looking closer."""
CROPPED = 150
"""Pixels: no camera's picture is so small; one that is was cut out round a die."""
PART = 0.42
"""What lies within a die and is this much smaller is a part of it."""
MOST = 60
"""So many dice at most are looked at in one picture."""
FAINT = 6
"""So many of the sightings that are not hot enough to be dice are looked at as well, in case a die is missing."""
_GRID = 32
_GREY = 114


@dataclass(frozen=True)
class Sighting:
    """Something that looks like a die."""

    box: Box
    """x0, y0, x1, y1 in pixels of the picture; parts may lie outside it."""
    heat: float
    """How like a die it looks, 0 to 1; not a probability."""

    @property
    def side(self) -> float:
        """The larger side of its box in pixels."""
        return max(self.box[2] - self.box[0], self.box[3] - self.box[1])


def find_dice(network: Network, picture: Picture, levels: Found, expected: int | None = None) -> list[Sighting]:
    """Everything that may be a die, the surest first, each once; at most ``MOST``.

    Args:
        network: the detector.
        picture: (height, width, 3) blue green red, 8 bits.
        levels: heat from which something is a die, and from which it may be one.
        expected: how many were asked for; where fewer are found, a closer look is taken.
    """
    # The look from further off costs a quarter, and only it knows dice that fill the picture.
    near, far = (_view(network, picture, length, levels.perhaps) for length in (LONG_SIDE, FURTHER))
    known = [*near, *far, *_crop(picture, levels)]
    seen = merged(known, levels.found)
    if sum(s.heat >= levels.found for s in seen) < MANY and max(picture.shape[:2]) > CROPPED:
        large = _large(_view(network, picture, FURTHEST, levels.found), known, picture)
        seen = merged([*known, *large], levels.found)
    sure = [s for s in seen if s.heat >= levels.found]
    scale = _scale(picture, LONG_SIDE)
    usual = float(np.median([s.side for s in sure])) * scale if sure else 0.0
    few = expected is not None and len(sure) < expected and usual < LARGE
    if (few or usual < SMALL) and _scale(picture, CLOSER) > 1.2 * scale:
        seen = merged([*seen, *_view(network, picture, CLOSER, levels.perhaps)], levels.found)
    rest = [s for s in seen if s.heat < levels.found][:FAINT]
    return [s for s in seen if s.heat >= levels.found][: MOST - FAINT] + rest


def _large(found: Sequence[Sighting], known: Sequence[Sighting], picture: Picture) -> list[Sighting]:
    """Those found from furthest off that are large, and no group of dice: hardly anything in them is as clear."""
    least = 0.18 * max(picture.shape[:2])
    # None is hot enough to rule out what lies within it: each of the parts counts, once.
    each_once = merged(known, found=1.0)

    def clearer_within(whole: Sighting) -> int:
        return sum(s.heat > whole.heat and _mostly_within(s.box, whole.box) for s in each_once)

    return [s for s in found if s.side >= least and clearer_within(s) < 2]


def _crop(picture: Picture, levels: Found) -> list[Sighting]:
    """A picture no larger than a die is seen in others, and about square, is a crop of one."""
    height, width = picture.shape[:2]
    if max(height, width) > CROPPED or max(height, width) > 1.6 * min(height, width) or min(height, width) < 12:
        return []
    middle, half = (width / 2, height / 2), 0.47 * min(height, width)
    box = (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
    return [Sighting(box, max(levels.found, 0.5))]


def merged(sightings: Sequence[Sighting], found: float) -> list[Sighting]:
    """Each die once, hottest first: the hottest of what overlaps, and no pips or numerals of a die beside it.

    ``found`` is the heat from which a sighting is a die and may rule out what lies within it.
    """
    dice = [s for s in sightings if s.heat >= found]
    whole = [s for s in sightings if not any(_part_of(s, die) for die in dice)]
    kept: list[Sighting] = []
    for sighting in sorted(whole, key=lambda s: -s.heat):
        if not any(_same(sighting.box, other.box) for other in kept):
            kept.append(sighting)
    return kept


def _mostly_within(small: Box, large: Box) -> bool:
    return _shared(small, large) > 0.75 * _area(small)


def _part_of(small: Sighting, die: Sighting) -> bool:
    """Whether a sighting is a pip or numeral of a die: much smaller, and within it."""
    return _mostly_within(small.box, die.box) and small.side < PART * die.side and small.heat < 2 * die.heat


def overlap(one: Box, other: Box) -> float:
    """Common area over the area of both together, 0 to 1."""
    shared = _shared(one, other)
    return shared / max(_area(one) + _area(other) - shared, 1e-6)


def _same(one: Box, other: Box) -> bool:
    """Whether two boxes are one die's: they overlap much, or one lies within the other."""
    shared = _shared(one, other)
    smaller = min(_area(one), _area(other))
    return shared > 0.45 * (_area(one) + _area(other) - shared) or shared > 0.75 * smaller


def _shared(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def _scale(picture: Picture, long_side: int) -> float:
    height, width = picture.shape[:2]
    return float(min(long_side / max(height, width), ENLARGED))


def _view(network: Network, picture: Picture, long_side: int, least: float) -> list[Sighting]:
    """The sightings at one scale, each once."""
    height, width = picture.shape[:2]
    scale = _scale(picture, long_side)
    wide, high = max(round(width * scale), 1), max(round(height * scale), 1)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    view = cv2.resize(picture, (wide, high), interpolation=how) if (wide, high) != (width, height) else picture
    # Half a die's breadth of grey all round, where a die may fill the picture; else only up to the grid.
    margin = _GRID if long_side <= FURTHER else 0
    board = np.full((_on_grid(high + 2 * margin), _on_grid(wide + 2 * margin), 3), _GREY, np.uint8)
    board[margin : margin + high, margin : margin + wide] = view
    given = network.run(np.ascontiguousarray(board.transpose(2, 0, 1)[None], np.float32) / np.float32(255))
    boxes, heats = _peaks(given, board.shape[0], least)
    boxes = np.asarray((boxes - margin) / np.array([wide / width, high / height] * 2), np.float32)
    return [
        Sighting((x0, y0, x1, y1), heat)
        for (x0, y0, x1, y1), heat in zip(boxes.tolist(), heats.tolist(), strict=True)
        if min(x1 - x0, y1 - y0) > 2
    ]


def _on_grid(length: int) -> int:
    return -(-length // _GRID) * _GRID


def _peaks(given: dict[str, Floats], height: int, least: float) -> tuple[Floats, Floats]:
    """Boxes (n, 4) in pixels of the network's input, and their heat (n,): the hottest 200 cells of the map."""
    heat, size, offset = given["heat"][0, 0], given["size"][0], given["offset"][0]
    stride = height / heat.shape[0]
    crest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    y, x = np.nonzero((heat >= crest) & (heat >= least))
    hottest = np.argsort(-heat[y, x])[:200]
    y, x = y[hottest], x[hottest]
    centre = (np.stack([x, y], axis=1) + offset[:, y, x].T) * stride
    half = np.maximum(size[:, y, x].T, 1) / 2
    return np.concatenate([centre - half, centre + half], axis=1).astype(np.float32), heat[y, x]
