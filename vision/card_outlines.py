"""How many cards are in a picture that is too blurred for their codes: their shapes stay when print goes."""

from __future__ import annotations

import cv2
import numpy as np

from loomtable.vision.advice import BLURRED, measure_quality
from loomtable.vision.pictures import BgrImage

_WIDE = 640
"""Pixels across the picture that is searched: a card of 60 remains, and blur of several pixels is gone."""
_LEVELS, _FLAT, _GAP = 16, 10.0, 9
"""Thresholds for each plane; its range below which it is flat; pixels between edges that are one thing."""
_SMALLEST, _LARGEST = 0.004, 0.2
"""A card's share of the picture."""
_LEAST_ASPECT, _MOST_ASPECT = 1.15, 1.85
"""Of a card as it is seen from above or from the side; poker cards have 1.4."""
_FULL, _SOLID = 0.76, 0.93
"""How much a card fills the rectangle around it, and its own hull."""
_ALIKE = 2.5
"""How much larger or smaller than most a card may be."""


def blurred_cards(picture: BgrImage) -> int:
    """About how many cards are in a blurred picture (BGR, uint8); none where codes can be read in it."""
    quality = measure_quality(picture)
    if picture.ndim != 3 or max(quality.blur_along, quality.blur_across) <= BLURRED:
        return 0
    scale = _WIDE / max(picture.shape[:2])
    small = cv2.GaussianBlur(
        cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), (5, 5), 0
    )
    planes = [plane.astype(np.float32) for plane in cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB))]
    edges = sum(cv2.magnitude(cv2.Sobel(p, cv2.CV_32F, 1, 0), cv2.Sobel(p, cv2.CV_32F, 0, 1)) for p in planes)
    round_gap = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_GAP, _GAP))
    found: list[tuple[float, float, float]] = []
    for plane in (*planes, cv2.morphologyEx(np.asarray(edges, np.float32), cv2.MORPH_CLOSE, round_gap)):
        low, high = np.percentile(plane, (2, 98))
        for level in np.linspace(low, high, _LEVELS)[1:-1] if high - low >= _FLAT else ():
            for mask in (plane > level, plane <= level):
                closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
                found += _cards_in(np.asarray(closed, np.uint8))
    kept: list[tuple[float, float, float]] = []
    for area, x, y in sorted(found, reverse=True):
        if all((x - other_x) ** 2 + (y - other_y) ** 2 > 0.35 * other for other, other_x, other_y in kept):
            kept.append((area, x, y))
    usual = float(np.median([area for area, _, _ in kept])) if kept else 0.0
    return sum(usual / _ALIKE < area < usual * _ALIKE for area, _, _ in kept)


def _cards_in(mask: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[tuple[float, float, float]]:
    """Area and middle of what has the shape of a card, and is in the picture as a whole."""
    found, (high, wide) = [], mask.shape
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        area, (left, top, across, down) = cv2.contourArea(contour), cv2.boundingRect(contour)
        (x, y), sides, _ = cv2.minAreaRect(contour)
        inside = left > 1 and top > 1 and left + across < wide - 1 and top + down < high - 1
        aspect = max(sides) / max(min(sides), 1.0)
        if (
            inside
            and _SMALLEST < area / mask.size < _LARGEST
            and _LEAST_ASPECT < aspect < _MOST_ASPECT
            and area >= _FULL * sides[0] * sides[1]
            and area >= _SOLID * cv2.contourArea(cv2.convexHull(contour))
        ):
            found.append((area, x, y))
    return found
