"""The number of a d4 that is a pyramid: no face of it lies up, and each face that is seen carries three numerals.

Makers put the number that counts near the corner that points up, or at the lower edge; either way it is the one
of its face that stands upright while that corner is up. So the marks on the die are found, the OCR model reads
each at every turn, and three of them are looked for that lie as the numerals of one face must: a third of a turn
apart, each pointing away from the middle between them (numerals at the corners) or towards it (at the edges).
The upright one of the three counts.

A d4 in the shape of a barrel has one numeral on top, and no such three: it is read like any other die. Numbers
here are set by hand while looking at the photographs of ``ucffool-d4`` (``models/README.md``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.dice.crops import cut
from loomtable.vision.dice.numerals import CROP_SIDE, MIN_LOG_PROBABILITY, Place, digit_probabilities
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage

REGIONS = (1.3, 1.8, 2.5)
"""Sides of what is searched for marks, in the die's, in turn: many a box goes round a part of a d4."""
SURE = 0.5
"""Score from which a number is read surely."""
WORKING_SIDE = 200
"""Side to which it is brought, px."""
MARK_LENGTHS, MIN_MARK_WIDTH, BLOT_WIDTH, BLOT_FILLED = (16, 60), 4, 10, 0.92
"""How long, and how wide, a numeral may be there, px; and from which width on, and how full, it is a blot."""
MARK_AREAS = (60, 1800)
"""Its area, square px."""
SAME_MARK, SAME_LENGTH, APART = 0.35, (0.7, 1.4), 0.5
"""In lengths: within which, and how long, two marks are one; and within which two numerals are."""
CROP_LENGTHS = 1.45
"""Side of the OCR model's crop, in lengths of the mark."""
MAX_MARKS, MAX_READ_MARKS = 24, 9
"""So many marks are read, and so many that are likely numerals are compared. Bound by time."""
MIN_READ = 0.4
"""Probability of its likeliest number from which a mark is a numeral."""
TURN_STEP, FINE_STEP = 30, 10
"""Degrees between two turns that are read, and between two that are compared."""
MAX_LEAN = 60
"""Degrees from upright up to which the numeral that counts may lean: at that angle its neighbour is as upright."""
SPREAD, LEAN_SPREAD = 30.0, 25.0
"""Degrees by which numerals may lie elsewhere than on one face, and by which all may point beside its middle."""
MAX_LENGTH_RATIO, MAX_RADIUS, MIN_RADIUS = 2.2, 2.6, 0.25
"""How unlike in length three numerals of one face may be, and how far from the middle between them, in lengths."""
SMOOTHING = np.array([0.5, 0.8, 1.0, 0.8, 0.5]) / 3.6
"""Weights of neighbouring turns."""
NUMBERS = 4
"""On a d4. By definition."""
_DISTINCT = np.array([[[len({a, b, c}) == 3 for c in range(4)] for b in range(4)] for a in range(4)])
_LEANS = np.arange(-MAX_LEAN, MAX_LEAN + 1, FINE_STEP)


@dataclass(frozen=True, eq=False)
class _Mark:
    """Something on the die that is likely a numeral."""

    x: float
    y: float
    length: float
    """In pixels of the picture, as its place is."""
    read: float
    """Probability of its likeliest number, however it is turned."""
    leaning: Float64Array
    """(4, 36): probability of each number where it leans clockwise by 0, 10, 20 ... degrees."""


def read_d4(ocr: Network, picture: BgrImage, place: Place) -> Float32Array | None:
    """What a d4 shows.

    Args:
        ocr: the OCR model.
        picture: (height, width, 3) blue green red, 8 bits.
        place: middle and side of the die.

    Returns:
        (4,) log-probabilities of 1 to 4, which need not add up to one; nothing where no three numerals of one face
        are seen.
    """
    scores = np.zeros(NUMBERS)
    marks: list[_Mark] = []
    for region in REGIONS:
        marks = _apart([*marks, *_numerals(ocr, picture, _marks(picture, place, region))])
        for three in permutations(marks, 3):
            scores = np.maximum(scores, _scores_of(three))
        if scores.max() > SURE:
            break
    if not scores.any():
        return None
    return np.log(np.clip(scores, math.exp(MIN_LOG_PROBABILITY), 1)).astype(np.float32)


def _marks(picture: BgrImage, place: Place, region_side: float) -> list[tuple[float, float, float]]:
    """Middle and length of what stands out from the die, the largest first: maximally stable extremal regions."""
    (x, y), side = place
    reach = region_side * side / 2
    left, top = max(int(x - reach), 0), max(int(y - reach), 0)
    region = picture[top : int(y + reach), left : int(x + reach)]
    if min(region.shape[:2]) < MARK_LENGTHS[0]:
        return []
    scale = WORKING_SIDE / max(region.shape[:2])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(region, None, fx=scale, fy=scale, interpolation=how)
    finder = cv2.MSER.create(4, *MARK_AREAS, 0.5, 0.2)
    found: list[tuple[int, float, float, float]] = []
    for channel in (small.min(axis=2), small.max(axis=2), cv2.cvtColor(small, cv2.COLOR_BGR2LAB)[:, :, 2]):
        for points in finder.detectRegions(np.ascontiguousarray(channel))[0]:
            (mx, my), sides, _ = cv2.minAreaRect(np.asarray(points, np.int32))
            length, width = max(sides), min(sides)
            blot = width > BLOT_WIDTH and len(points) > BLOT_FILLED * length * width
            if MARK_LENGTHS[0] <= length <= MARK_LENGTHS[1] and width >= MIN_MARK_WIDTH and not blot:
                found.append((len(points), left + mx / scale, top + my / scale, length / scale))
    kept: list[tuple[float, float, float]] = []
    for _, mx, my, length in sorted(found, reverse=True):
        near = (k for k in kept if math.hypot(mx - k[0], my - k[1]) < SAME_MARK * k[2])
        if not any(SAME_LENGTH[0] < length / k[2] < SAME_LENGTH[1] for k in near):
            kept.append((mx, my, length))
    return kept[:MAX_MARKS]


def _numerals(ocr: Network, picture: BgrImage, marks: Sequence[tuple[float, float, float]]) -> list[_Mark]:
    """Those of the marks that are likely one of the four numbers."""
    if not marks:
        return []
    turns = range(0, 360, TURN_STEP)
    crops = [
        cut(picture, (x, y), CROP_LENGTHS * length, turn, CROP_SIDE) for x, y, length in marks for turn in turns
    ]
    read = digit_probabilities(ocr, crops)[:, 1 : 1 + NUMBERS].reshape(len(marks), len(turns), NUMBERS)
    return [
        _Mark(*mark, float(chances.max()), _leaning(chances))
        for mark, chances in zip(marks, read, strict=True)
        if chances.max() >= MIN_READ
    ]


def _apart(marks: Sequence[_Mark]) -> list[_Mark]:
    """The surest of the marks, one at each place."""
    kept: list[_Mark] = []
    for mark in sorted(marks, key=lambda mark: -mark.read * mark.length**0.3):
        if all(math.hypot(mark.x - k.x, mark.y - k.y) > APART * max(mark.length, k.length) for k in kept):
            kept.append(mark)
    return kept[:MAX_READ_MARKS]


def _leaning(by_turn: Float32Array) -> Float64Array:
    """(4, 36) by how far a numeral leans, from (12, 4) by how far it was turned to be read: the other way."""
    fine = np.arange(0, 360, FINE_STEP)
    turned = np.stack(
        [np.interp(fine, np.arange(0, 361, TURN_STEP), [*column, column[0]]) for column in by_turn.T]
    )
    leaning = np.roll(turned[:, ::-1], 1, axis=1)
    return np.asarray(sum(w * np.roll(leaning, k - 2, axis=1) for k, w in enumerate(SMOOTHING)))


def _scores_of(three: Sequence[_Mark]) -> Float64Array:
    """(4,): how well three marks are the upright numeral of a face and those clockwise and anticlockwise of it, by
    what the upright one is."""
    lengths = [mark.length for mark in three]
    places = np.array([(mark.x, mark.y) for mark in three])
    away = places - places.mean(axis=0)
    radii = np.hypot(*away.T)
    if max(lengths) > MAX_LENGTH_RATIO * min(lengths):
        return np.zeros(NUMBERS)
    if radii.max() > MAX_RADIUS * max(lengths) or radii.min() < MIN_RADIUS * max(lengths):
        return np.zeros(NUMBERS)
    # How each leans against the direction in which it lies from the middle: 0 or 180 degrees for all three.
    leans = _LEANS[:, None] + np.array([0, 120, -120])
    off = np.exp(1j * np.radians(np.degrees(np.arctan2(away[:, 0], -away[:, 1])) - leans)).mean(axis=1)
    spread = -2 * np.log(np.maximum(np.abs(off), 1e-6)) / math.radians(SPREAD) ** 2
    beside = np.degrees(np.arcsin(np.clip(np.abs(np.imag(off)) / np.maximum(np.abs(off), 1e-6), 0, 1)))
    fits = np.exp(-spread / 2 - (beside / LEAN_SPREAD) ** 2 / 2)
    steps = (leans // FINE_STEP) % (360 // FINE_STEP)
    up, right, left = (mark.leaning[:, steps[:, k]] for k, mark in enumerate(three))
    all_three = np.einsum("al,bl,cl->labc", up, right, left) * _DISTINCT
    return np.asarray((np.cbrt(all_three.max(axis=(2, 3))) * fits[:, None]).max(axis=0))
