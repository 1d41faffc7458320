"""How many cards are in a picture that is too blurred for their codes: their shapes stay when print goes."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.advice import BLURRED, measure_quality
from loomtable.vision.pictures import BgrImage

_WIDE, _LEVELS, _FLAT, _GAP = 640, 16, 10.0, 9
"""Pixels across the picture that is searched; thresholds for each of its planes, and the range below which one is
flat; pixels between edges that are one thing. Set by hand."""
_SMALLEST, _LARGEST, _ALIKE = 0.004, 0.2, 2.5
"""A card's share of the picture, and how much larger or smaller than most it may be. Set by hand."""
_LEAST_ASPECT, _MOST_ASPECT, _FULL, _SOLID = 1.15, 1.85, 0.76, 0.93
"""How long a card seems beside its width, and how much of the rectangle round it and of its hull it fills. Set by
hand."""
_Blob = tuple[float, float, float]
"""Area and middle."""


def blurred_cards(picture: BgrImage) -> int:
    """About how many cards are in a blurred picture (BGR, uint8); none where codes can be read in it."""
    quality = measure_quality(picture)
    if picture.ndim != 3 or max(quality.blur_along, quality.blur_across) <= BLURRED:
        return 0
    scale = _WIDE / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    colours = cv2.cvtColor(cv2.GaussianBlur(small, (5, 5), 0), cv2.COLOR_BGR2LAB)
    planes = [plane.astype(np.float32) for plane in cv2.split(colours)]
    edges = sum(cv2.magnitude(cv2.Sobel(p, cv2.CV_32F, 1, 0), cv2.Sobel(p, cv2.CV_32F, 0, 1)) for p in planes)
    gap = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_GAP, _GAP))
    found: list[_Blob] = []
    for plane in (*planes, cv2.morphologyEx(np.asarray(edges, np.float32), cv2.MORPH_CLOSE, gap)):
        low, high = np.percentile(plane, (2, 98))
        for level in np.linspace(low, high, _LEVELS)[1:-1] if high - low >= _FLAT else ():
            found += [blob for mask in (plane > level, plane <= level) for blob in like_cards(mask)]
    kept: list[_Blob] = []
    for blob in sorted(found, reverse=True):
        if all(math.dist(blob[1:], other[1:]) > 0.6 * math.sqrt(other[0]) for other in kept):
            kept.append(blob)
    usual = float(np.median([area for area, _, _ in kept])) if kept else 0.0
    return sum(usual / _ALIKE < area < usual * _ALIKE for area, _, _ in kept)


def like_cards(mask: npt.NDArray[np.bool_]) -> list[_Blob]:
    """What has the shape of a card in a mask (height, width), and is in the picture as a whole."""
    found, (high, wide) = list[_Blob](), mask.shape
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    for contour in cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        area, (left, top, across, down) = cv2.contourArea(contour), cv2.boundingRect(contour)
        if _SMALLEST < area / mask.size < _LARGEST and min(left, top, wide - left - across, high - top - down) > 1:
            (x, y), sides, _ = cv2.minAreaRect(contour)
            if _LEAST_ASPECT < max(sides) / min(sides) < _MOST_ASPECT and area >= _FULL * math.prod(sides):
                found += [(area, x, y)] * (area >= _SOLID * cv2.contourArea(cv2.convexHull(contour)))
    return found
