"""The signs of the four suits by their shape and their ink: a second cue for what the network says of a suit.

A sign is cut out upright, brought to one size about the middle of its ink, and correlated with drawn signs, broad
and narrow, sharp and blurred. How much better it fits one suit is what counts. Numbers here are set by hand.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage
from loomtable.vision.poker.corners import SUITS, Points

_SIDE = 24
"""Pixels along the side of a sign that was brought to its size."""
_SPREAD = 5.0
"""Root mean square distance of its ink from its middle, px."""
_CUT = 48
"""Pixels along the side of the place that is looked at."""
_REACH = 0.62
"""Half of that side, in distances of the rank from its sign."""
_HALF = 0.44
"""Half of a sign's height at most, in the same measure: what is above that is the rank, which may touch it."""
_INK, _STRONG_INK, _OFF_MIDDLE = 0.45, 0.5, 0.3
"""Shares of the darkest from which a place is ink, and tells its colour; and of the side a sign may be off."""
_BROAD, _BLURS = (0.72, 0.85, 1.0, 1.15), (1.5, 4.0, 6.5, 9.0)
"""Breadths of the drawn signs, in that of the first drawing, and blurs, in 1/28 of half a sign's height."""


def suit_outlines(suit: str, fat: float) -> list[Points]:
    """Outlines (N, 2) of a suit's sign in a square from -1 to 1, y downwards; ``fat`` is 0 to 1."""
    t = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    if suit == "diamonds":
        wide, curve = 0.65 + 0.2 * fat, 0.8 + 0.35 * fat
        x, y = np.cos(t), np.sin(t)
        grow = (np.abs(x) ** curve + np.abs(y) ** curve) ** (-1 / curve)
        return [np.column_stack([x * grow * wide, y * grow])]
    if suit in ("hearts", "spades"):
        x = np.sin(t) ** 3
        y = -(13 * np.cos(t) - (4.5 + 1.5 * fat) * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
        heart = np.column_stack([x * (0.85 + 0.15 * fat), (y - y.min()) / np.ptp(y) * 2 - 1])
        if suit == "hearts":
            return [heart]
        return [heart * [1, -1] * [1, 0.85] - [0, 0.15], _stem(fat)]
    radius, apart = 0.39 + 0.11 * fat, 0.46 + 0.07 * fat
    ball = np.column_stack([np.cos(t), np.sin(t)]) * radius
    places = np.array([[0, -1 + radius], [-apart, 0.12], [apart, 0.12]])
    joint = np.array([[-0.15, -0.4], [0.15, -0.4], [0.2, 0.4], [-0.2, 0.4]])
    return [*(ball + place for place in places), joint, _stem(fat)]


def _stem(fat: float) -> Points:
    foot, waist = 0.2 + 0.3 * fat, 0.06 + 0.08 * fat
    return np.array([[-waist, 0], [waist, 0], [waist, 0.6], [foot, 1], [-foot, 1], [-waist, 0.6]])


def suit_fits(picture: BgrImage, rank: Points, sign: Points) -> tuple[Float32Array, float]:
    """What stands at ``sign`` (2,) px, where ``rank`` is above it: its likeness to the suits (4,) in the order
    of ``SUITS``; and how black its ink is, about 1 for black and below 0.6 for red.

    Zeros where there is no blob of a sign's size.
    """
    down = sign - rank
    right = np.array([down[1], -down[0]])
    corner, across, below = (sign + _REACH * (a * right + b * down) for a, b in ((-1, -1), (1, -1), (-1, 1)))
    there = np.array([[0, 0], [_CUT, 0], [0, _CUT]], np.float32) - np.float32(0.5)
    warp = cv2.getAffineTransform(np.array([corner, across, below], np.float32), there)
    size, edge = (_CUT, _CUT), cv2.BORDER_REPLICATE
    cut = np.asarray(cv2.warpAffine(picture, warp, size, flags=cv2.INTER_CUBIC, borderMode=edge), np.uint8)
    dark = cut.min(axis=2).astype(np.float32)
    white = float(np.quantile(dark, 0.85))
    middle = slice(_CUT // 3, 2 * _CUT // 3)
    black = float(np.quantile(dark[middle, middle], 0.08))
    ink = np.clip((white - dark) / max(white - black, 10.0), 0, 1).astype(np.float32)
    ink[: round(_CUT * (0.5 - _HALF / _REACH / 2))] = 0
    mark = _brought_to_size(ink)
    if mark is None:
        return np.zeros(4, np.float32), 0.0
    return _likeness(mark), _blackness(cut)


def _blackness(sign: BgrImage) -> float:
    """How much red light the ink in the middle takes away, to how much green and blue."""
    colour = sign.reshape(-1, 3).astype(np.float32)
    white = np.quantile(colour, 0.85, axis=0)
    taken = (1 - colour / np.maximum(white, 30)).reshape(_CUT, _CUT, 3)
    inner = taken[_CUT // 4 : -_CUT // 4, _CUT // 4 : -_CUT // 4].reshape(-1, 3)
    other = inner[:, :2].max(axis=1)
    ink = other > _STRONG_INK * np.quantile(other, 0.95)
    return float((inner[ink, 2] * other[ink]).sum() / max(float((other[ink] ** 2).sum()), 1e-6))


def _brought_to_size(ink: Float32Array) -> Float32Array | None:
    """The blob nearest to the middle, alone, about the middle of its ink (_SIDE, _SIDE)."""
    mask = (ink > _INK).astype(np.uint8)
    count, labels, boxes, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count < 2:
        return None
    middle = (np.array(ink.shape[::-1]) - 1) / 2
    away = np.linalg.norm(middles[1:] - middle, axis=1) - 0.02 * np.sqrt(boxes[1:, 4])
    at = 1 + int(away.argmin())
    if away[at - 1] > _OFF_MIDDLE * ink.shape[1]:
        return None
    own = labels == at
    near = cv2.dilate(own.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    beside = cv2.dilate(((mask > 0) & ~own).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    alone = (ink * (near & (own | ~beside))).astype(np.float32)
    ys, xs = np.nonzero(own)
    x, y = middles[at]
    scale = _SPREAD / max(float(np.sqrt(((xs - x) ** 2 + (ys - y) ** 2).mean())), 0.5)
    half = (_SIDE - 1) / 2
    warp = np.array([[scale, 0, half - scale * x], [0, scale, half - scale * y]])
    return np.asarray(cv2.warpAffine(alone, warp, (_SIDE, _SIDE), flags=cv2.INTER_LINEAR), np.float32)


def _likeness(mark: Float32Array) -> Float32Array:
    drawn, whose = _drawn_signs()
    moved = np.stack([np.roll(mark, (y, x), (0, 1)).ravel() for y in (-1, 0, 1) for x in (-1, 0, 1)])
    level = moved - moved.mean(axis=1, keepdims=True)
    level /= np.maximum(np.linalg.norm(level, axis=1, keepdims=True), 1e-6)
    fits = (level @ drawn.T).max(axis=0)
    return np.array([fits[whose == suit].max() for suit in range(4)], np.float32)


@lru_cache(maxsize=1)
def _drawn_signs() -> tuple[Float32Array, npt.NDArray[np.int64]]:
    """Drawn signs (N, _SIDE * _SIDE) as unit vectors of no mean, and whose each is."""
    drawn, whose = [], []
    for at, suit in enumerate(SUITS[:4]):
        for fat in (0.0, 0.5, 1.0):
            for broad in _BROAD:
                sheet = np.zeros((96, 96), np.float32)
                for outline in suit_outlines(suit, fat):
                    points = outline * [28 * broad, 28] + 47.5
                    cv2.fillPoly(sheet, [np.round(points * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
                for blur in _BLURS:
                    soft = cv2.GaussianBlur(sheet, (0, 0), blur)
                    mark = _brought_to_size(np.asarray(soft / soft.max(), np.float32))
                    if mark is not None:
                        level = mark.ravel() - mark.mean()
                        drawn.append(level / np.linalg.norm(level))
                        whose.append(at)
    return np.array(drawn, np.float32), np.array(whose, np.int64)
