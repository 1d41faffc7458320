"""Where indices may stand: a rank and the sign under it, wherever they are seen and however they are turned.

No outline of a card is needed, so that cards which overlap, lie on white ground or are partly out of the picture
can be read as well. Dark or red blobs on lighter ground are paired; each pair says where the upper and the lower
blob of a corner would be, and the network says whether it is one. Numbers here are set by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import GrayImage
from loomtable.vision.pictures import BgrImage
from loomtable.vision.poker.corners import CARD, RANK_AT, SIGN_AT, Points

_LONGEST = 1280
"""Blobs are looked for in a picture of about this length; a smaller one is enlarged, twice at most."""
_GROUNDS = (19, 45)
"""Sides of the squares (px) that a blob must be narrower than to stand out from its ground."""
_INKS = (0.8, 0.62)
"""Shares of the ground's light below which a place is ink: small ones are pale, large ones run into others."""
_LEAST_GROUND, _LEAST_AREA = 50, 8
"""Grey level of ground on which ink is looked for; and pixels of a blob of it."""
_LEAST_SPREAD, _MOST_SPREAD = 1.8, 26.0
"""Of a blob, px: the root of the mean square distance of its ink from its middle."""
_NEAR, _FAR = 0.95, 2.5
"""How far apart the middles of a rank and its sign are, in the sum of their spreads."""
_LEAST_RATIO, _MOST_RATIO = 0.75, 2.7
"""Of the spread of a rank to that of its sign."""
_BESIDE, _BESIDE_RATIO = 1.35, 0.55
"""Of the two figures of a ten: their distance in the sum of their spreads, at most; the spread of the smaller."""
_ONE_INK = 0.25
"""How much more red one of two blobs of one index may be."""
_CORNERS = ((0, 0, 0, 0), (0, -1, 0, -1), (0.6, 0.6, 0.6, 0.6), (0, -0.6, 0, -1.4), (0.6, -0.6, 0.6, 0.6))
"""How rank and sign (x, y, x, y mm) stand in some decks, from where they stand in most."""
_MOST_BLOBS, _MOST_PAIRS = 1200, 1000
"""Whatever the picture, no more is looked at. Bound by time."""


@dataclass(frozen=True)
class _Blobs:
    middle: Points
    """(N, 2) px."""
    spread: npt.NDArray[np.float64]
    red: npt.NDArray[np.float64]
    ground: npt.NDArray[np.float64]
    """How light the ground is on which each stands."""


def index_places(picture: BgrImage) -> tuple[Points, Points]:
    """Pairs of blobs in a picture (BGR) that may be a rank and its sign: their middles (N, 2) px, those on the
    lightest ground first.
    """
    scale = float(np.clip(_LONGEST / max(picture.shape[:2]), 0.1, 2.0))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    light = np.ascontiguousarray(scaled.min(axis=2))
    pairs = [np.zeros((0, 5))]
    for side in _GROUNDS:
        kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (side, side))
        ground = np.asarray(cv2.morphologyEx(light, cv2.MORPH_CLOSE, kernel), np.uint8)
        pairs += [_pairs(_blobs(scaled, light, ground, ink)) for ink in _INKS]
    rank, sign = _each_once(np.concatenate(pairs))
    return (rank + 0.5) / scale - 0.5, (sign + 0.5) / scale - 0.5


def places_in(outlines: Sequence[Points]) -> tuple[Points, Points]:
    """Where rank and sign stand (N, 2) px in all corners of things that are shaped like cards: in each corner as
    most decks have them, and further up and down.
    """
    card = np.array([[0, 0], [CARD[0], 0], CARD, [0, CARD[1]]], np.float32)
    places = np.array([(*RANK_AT, *SIGN_AT)]) + np.array(_CORNERS)
    found = [np.zeros((0, 2, 2))]
    for quad in outlines:
        for turn in range(4):
            warp = cv2.getPerspectiveTransform(card, np.roll(quad, -turn, axis=0).astype(np.float32))
            there = cv2.perspectiveTransform(places.reshape(1, -1, 2), warp)
            found.append(np.asarray(there, np.float64).reshape(-1, 2, 2))
    every = np.concatenate(found)
    return every[:, 0], every[:, 1]


def _blobs(picture: BgrImage, light: GrayImage, ground: GrayImage, ink: float) -> _Blobs:
    """Patches of ink: what is darker than such a share of the light of its ground."""
    mask = ((light < cv2.convertScaleAbs(ground, alpha=ink)) & (ground > _LEAST_GROUND)).astype(np.uint8)
    _, labels, boxes, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    across = np.hypot(boxes[:, 2], boxes[:, 3])
    good = (boxes[:, 4] >= _LEAST_AREA) & (across > 2 * _LEAST_SPREAD) & (across < 4 * _MOST_SPREAD)
    good[0] = False
    ys, xs = np.nonzero(good[labels])
    of, count = labels[ys, xs], len(boxes)
    area = np.maximum(boxes[:, 4], 1)

    def mean(value: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray(np.bincount(of, value, minlength=count) / area, np.float64)

    spread = np.sqrt(mean((xs - middles[of, 0]) ** 2 + (ys - middles[of, 1]) ** 2))
    there = ground[ys, xs].astype(np.float64)
    colour = picture[ys, xs].astype(np.float64)
    red, under = mean((colour[:, 2] - colour[:, :2].mean(axis=1)) / there), mean(there)
    at = np.flatnonzero(good & (spread > _LEAST_SPREAD) & (spread < _MOST_SPREAD))
    at = at[np.argsort(-under[at], kind="stable")][:_MOST_BLOBS]
    return _Blobs(np.asarray(middles, np.float64)[at], spread[at], red[at], under[at])


def _pairs(blobs: _Blobs) -> Points:
    """Rank and sign (N, 5: x, y, x, y, light of the ground) of all pairs that may be an index. A ten has two
    figures, so two blobs side by side may be one rank too.
    """
    away = _distances(blobs.middle, blobs.middle)
    both = blobs.spread[:, None] + blobs.spread[None]
    ratio = blobs.spread[:, None] / blobs.spread[None]
    one_ink = np.abs(blobs.red[:, None] - blobs.red[None]) < _ONE_INK
    beside = (away < _BESIDE * both) & (ratio > _BESIDE_RATIO) & (ratio <= 1 / _BESIDE_RATIO) & one_ink
    left, right = np.nonzero(np.triu(beside, 1))
    middle = np.concatenate([blobs.middle, (blobs.middle[left] + blobs.middle[right]) / 2])
    wide = np.hypot((blobs.spread[left] + blobs.spread[right]) / 2, away[left, right] / 2)
    spread = np.concatenate([blobs.spread, wide])
    red = np.concatenate([blobs.red, (blobs.red[left] + blobs.red[right]) / 2])
    away = _distances(middle, blobs.middle)
    both = spread[:, None] + blobs.spread[None]
    ratio = spread[:, None] / blobs.spread[None]
    fits = (away > _NEAR * both) & (away < _FAR * both) & (ratio > _LEAST_RATIO) & (ratio < _MOST_RATIO)
    rank, sign = np.nonzero(fits & (np.abs(red[:, None] - blobs.red[None]) < _ONE_INK))
    return np.column_stack([middle[rank], blobs.middle[sign], blobs.ground[sign]])


def _distances(some: Points, others: Points) -> npt.NDArray[np.float64]:
    """How far (N, M) each of some points (N, 2) is from each of others (M, 2)."""
    across, down = (np.subtract.outer(some[:, axis], others[:, axis]) for axis in (0, 1))
    return np.asarray(np.sqrt(across * across + down * down))


def _each_once(pairs: Points) -> tuple[Points, Points]:
    """Pairs that several looks found, once; the lightest first."""
    pairs = pairs[np.argsort(-pairs[:, 4], kind="stable")]
    length = np.linalg.norm(pairs[:, 2:4] - pairs[:, :2], axis=1)
    step = np.exp2(np.round(np.log2(np.maximum(length, 1))) - 3)
    alike = np.round(np.column_stack([pairs[:, :4] / step[:, None], step])).astype(np.int64)
    _, first = np.unique(alike, axis=0, return_index=True)
    kept = pairs[np.sort(first)[:_MOST_PAIRS]]
    return kept[:, :2], kept[:, 2:4]
