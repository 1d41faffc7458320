"""Finding playing cards: light, four-cornered, about 2.5 inches by 3.5. Numbers here are set by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import GrayImage
from loomtable.vision.pictures import BgrImage
from loomtable.vision.poker.corners import CARD

Points = npt.NDArray[np.float64]

_LONGEST = 1280
"""Cards are looked for in a picture of this length at most; their corners are good to a pixel of that."""
_LEVELS = (70, 90, 110, 130, 150, 170, 190, 210)
"""Greys at which light is told from dark; a table has its own, and its shadows others."""
_LEAST_SHARE, _MOST_SHARE = 0.002, 0.6
"""Of the picture's area."""
_RATIO = CARD[1] / CARD[0]
_MOST_RATIO = 2.1
"""Of a card's long side to its short one as it is seen, from upright or obliquely."""
_LEAST_SIDE = 22.0
"""Pixels of a card's short side: smaller ones cannot be read."""
MOST_CARDS = 54
"""A deck with its jokers: no more are kept. As made."""
_CONVEX, _HEAP_CONVEX = 0.86, 0.8
"""Area of a patch in that of its convex hull, at least: of a card, and of cards over one another."""
_HEAP_SHARE = (0.01, 0.35)
"""Of the picture's area that cards over one another cover."""
_OPPOSITE = 1.45
"""Of one side of a card to the opposite one, at most."""
_BETWEEN_CORNERS = (0.12, 0.88)
"""The part of a side that is not rounded."""
_OFF_SIDE, _OFF_SIDE_SHARE = 2.5, 0.04
"""How far from a side its points may be: px, and in its length."""
_SIDE_SEEN = 0.4
"""Points on a side for each pixel of its length, at least."""
_COMMON = 0.34
"""Share of the smaller of two outlines that lies in the other, from which they are of one thing."""


@dataclass(frozen=True)
class CardOutline:
    """Something that is shaped like a card."""

    quad: Points
    """Corners (4, 2) px, clockwise; the first two are the ends of a short side."""
    ratio: float
    """Its long side to its short one, as it is seen."""
    score: float
    """How well its outline fits straight lines, 0 to 1."""


def find_cards(picture: BgrImage) -> tuple[tuple[CardOutline, ...], tuple[Points, ...]]:
    """Cards in a picture (BGR), and outlines of light patches that could be several cards over one another."""
    scale = min(1.0, _LONGEST / max(picture.shape[:2]))
    small = picture if scale == 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    light = np.ascontiguousarray(small.min(axis=2))
    found: list[CardOutline] = []
    heaps: list[Points] = []
    for outline in _outlines(light):
        card = _card(outline, light.shape)
        if card is not None:
            found.append(card)
        elif _heap_like(outline, light.shape):
            heaps.append(np.asarray(cv2.convexHull(outline), np.float64).reshape(-1, 2))
    found.sort(key=lambda other: -other.score)
    kept: list[CardOutline] = []
    for card in found:
        if len(kept) < MOST_CARDS and all(_are_apart(card.quad, other.quad) for other in kept):
            kept.append(card)
    left: list[Points] = []
    for heap in sorted(heaps, key=lambda other: -cv2.contourArea(other.astype(np.float32))):
        if all(_are_apart(heap, other.quad) for other in kept) and all(_are_apart(heap, other) for other in left):
            left.append(heap)
    up = 1 / scale
    return (
        tuple(CardOutline((card.quad + 0.5) * up - 0.5, card.ratio, card.score) for card in kept),
        tuple((heap + 0.5) * up - 0.5 for heap in left),
    )


def _outlines(light: GrayImage) -> Iterator[npt.NDArray[np.int32]]:
    """Outlines of light patches, at several levels; small gaps in a card's white edge are closed."""
    calm = cv2.GaussianBlur(light, (0, 0), 1.0)
    kernel = np.ones((3, 3), np.uint8)
    for level in _LEVELS:
        mask = (calm > level).astype(np.uint8)
        for cleared in (mask, cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel, iterations=2)):
            found, _ = cv2.findContours(cleared, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            yield from (np.asarray(contour, np.int32) for contour in found if len(contour) > 3 * _LEAST_SIDE)


def _card(outline: npt.NDArray[np.int32], size: tuple[int, ...]) -> CardOutline | None:
    area = cv2.contourArea(outline)
    if not _LEAST_SHARE < area / (size[0] * size[1]) < _MOST_SHARE:
        return None
    hull = cv2.convexHull(outline)
    full = cv2.contourArea(hull)
    if area < _CONVEX * full:
        return None
    rough = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)
    if len(rough) != 4:
        return None
    quad, off = _straightened(np.asarray(rough, np.float64).reshape(4, 2), outline)
    if quad is None:
        return None
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if first > second:
        quad, first, second = np.roll(quad, -1, axis=0), second, first
    if first < _LEAST_SIDE or not 1.0 <= second / first < _MOST_RATIO:
        return None
    if max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]) > _OPPOSITE:
        return None
    margin = 1.5
    if quad.min() < margin or np.any(quad > np.array(size[1::-1]) - 1 - margin):
        return None
    fill = area / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    unlike = 0.05 * off + 0.1 * abs(second / first - _RATIO)
    return CardOutline(quad, float(second / first), float(min(fill, 1 / fill) - unlike))


def _straightened(rough: Points, outline: npt.NDArray[np.int32]) -> tuple[Points | None, float]:
    """The quadrangle between straight lines through the sides, past rounded corners; and how rough they are."""
    if cv2.contourArea(rough.astype(np.float32), oriented=True) < 0:
        rough = rough[::-1]
    points = outline.reshape(-1, 2).astype(np.float64)
    lines, roughness = [], 0.0
    start, end = _BETWEEN_CORNERS
    for at in range(4):
        a, b = rough[at], rough[(at + 1) % 4]
        length = float(np.linalg.norm(b - a))
        along = (points - a) @ (b - a) / length**2
        away = np.abs((points - a) @ np.array([-(b - a)[1], (b - a)[0]])) / length
        near = points[(along > start) & (along < end) & (away < max(_OFF_SIDE, _OFF_SIDE_SHARE * length))]
        if len(near) < _SIDE_SEEN * length:
            return None, 0.0
        vx, vy, x, y = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        roughness = max(roughness, float(np.abs((near - [x, y]) @ np.array([-vy, vx])).mean()))
        lines.append(np.array([-vy, vx, vy * x - vx * y]))
    corners = [np.cross(lines[at - 1], lines[at]) for at in range(4)]
    if any(abs(corner[2]) < 1e-6 for corner in corners):
        return None, 0.0
    return np.array([corner[:2] / corner[2] for corner in corners]), roughness


def _heap_like(outline: npt.NDArray[np.int32], size: tuple[int, ...]) -> bool:
    """Whether a light patch could be cards that overlap: nearly convex, and no larger than a few of them."""
    area = cv2.contourArea(outline)
    if not _HEAP_SHARE[0] < area / (size[0] * size[1]) < _HEAP_SHARE[1]:
        return False
    return bool(area > _HEAP_CONVEX * cv2.contourArea(cv2.convexHull(outline)))


def _are_apart(outline: Points, other: Points) -> bool:
    """Whether two outlines are of two things: less than a third of the smaller one lies in the other."""
    a, b = outline.astype(np.float32), other.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(a, b)
    return bool(common < _COMMON * min(cv2.contourArea(a), cv2.contourArea(b)))
