"""Outlines of cards laid on the edges that are seen: a code tells about where its card lies, not to a pixel.

They are drawn, and tell how the table lies; no card is told by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from loomtable.engine.kernel.components import Kind
from loomtable.printkit.components.layout import FACE_HEIGHT, FACE_WIDTH
from loomtable.printkit.draw.codes import SYMBOL
from loomtable.table.reading.card_geometry import card_outline
from loomtable.vision.arrays import Float64Array, GrayImage
from loomtable.vision.cards import SeenCard
from loomtable.vision.pictures import BgrImage
from loomtable.vision.plane_pose import FlatPrint, flat_rectangle
from loomtable.vision.printed.mat import find_mat
from loomtable.vision.quads import Point

TAGGED_ONLY = (Kind.TAPESTRY, Kind.MARKER)
"""Cards that bear no code: what is seen of them is a tag."""
REACH = 0.09
"""How far from where it is expected an edge is looked for, in parts of the outline's height; set by hand."""
BAND = 0.012
"""How wide the strips on both sides of an edge are, in the same parts: wider than a printed line."""
SAMPLES = 48
MIDDLE_PART = (0.08, 0.92)
"""The part of a side that is looked at: corners are round."""
PLAIN = ((0.08, 0.42), (0.68, 0.94))
"""The part of a card beside its code: from left to right, from top to bottom."""
LEAST_STEP = 7.0
"""Grey levels by which the two sides of an edge differ at least; below, the edge stays where it is expected."""
LIGHT = 90
"""Of the grey levels in a code, in percent, that which is its paper."""
MOST_TINTED = 30.0
"""Grey levels by which paper may differ from that beside the code."""
LONG_WAY = 0.25
"""What a shift by the whole reach costs, in parts of the step found there."""


def on_edges(picture: BgrImage, outline: Sequence[Point]) -> tuple[Point, ...]:
    """The outline of four corners, in order, with each side moved onto the strongest long edge near it.

    A side near which there is none stays. Where the result is no likely card, the whole outline does.
    """
    corners = np.array(outline, np.float64)
    grey = _smooth(picture)
    ends = np.array([(start, end) for start, end, _ in _sides(grey, corners, _paper(grey, corners))])
    # In homogeneous coordinates the line through two points is their cross product, and so is where lines meet.
    lines = np.cross(*np.insert(ends, 2, 1.0, axis=2).swapaxes(0, 1))
    met = np.cross(np.roll(lines, 1, axis=0), lines)
    if (abs(met[:, 2]) < 1e-6).any():  # two sides are parallel
        return tuple(outline)
    found = met[:, :2] / met[:, 2:]
    was, now = (abs(cv2.contourArea(shape.astype(np.float32))) for shape in (corners, found))
    if not 0.75 * was < now < 1.2 * was or np.linalg.norm(found - corners, axis=1).max() > 2.5 * REACH * _size(
        corners
    ):
        return tuple(outline)
    return tuple((float(x), float(y)) for x, y in found)


def flat_prints(picture: BgrImage, cards: Iterable[SeenCard] = ()) -> tuple[FlatPrint, ...]:
    """What cards that lie in a picture, and a dice mat, tell of how the table lies."""
    prints: list[FlatPrint] = []
    for card in cards:
        if card.card.kind in TAGGED_ONLY:
            prints.append(flat_rectangle(card.quad, 1.0, 1.0, sized=False))
            continue
        prints.append(flat_rectangle(card.quad, SYMBOL, SYMBOL))
        expected = card_outline(card)
        if (outline := on_edges(picture, expected)) != expected:
            prints.append(flat_rectangle(outline, FACE_WIDTH, FACE_HEIGHT))
    mat = find_mat(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    if mat is not None:
        wide, high = mat.mat.width, mat.mat.height
        seen = mat.pixels(np.array([(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)])).tolist()
        prints.append(flat_rectangle([(float(x), float(y)) for x, y in seen], wide, high))
    return tuple(prints)


def is_edged(picture: BgrImage, card: SeenCard) -> bool:
    """Whether a card that was just laid, so that it is on top, has its edges in their printed places.

    A picture of a card on a screen has not: it is larger, or cut off. Paper on paper shows none, and may be one;
    so may what is out of the picture.
    """
    if card.card.kind in TAGGED_ONLY:
        return True
    corners, grey = np.array(card_outline(card), np.float64), _smooth(picture)
    left, top, wide, high = cv2.boundingRect(np.array(card.quad, np.float32))
    code = grey[max(top, 0) : max(top + high, 0), max(left, 0) : max(left + wide, 0)]
    out = np.any((corners < 0) | (corners >= grey.shape[::-1]), axis=1)
    paper = float(np.percentile(code, LIGHT)) if code.size else 255.0
    sides = _sides(grey, corners, paper)
    return all(there or out[at] or out[(at + 1) % 4] for at, (*_, there) in enumerate(sides))


def _smooth(picture: BgrImage) -> GrayImage:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3), 0), np.uint8)


def _size(corners: Float64Array) -> float:
    """The longest side, px."""
    return float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).max())


def _sides(grey: GrayImage, corners: Float64Array, paper: float) -> list[tuple[Float64Array, Float64Array, bool]]:
    return [_moved(grey, corners[at], corners[(at + 1) % 4], _size(corners), paper) for at in range(4)]


def _paper(grey: GrayImage, corners: Float64Array) -> float:
    """How light the card's own ground is: that beside the code, where little is printed."""
    top_left, top_right, _, bottom_left = corners
    right, down = np.meshgrid(np.linspace(*PLAIN[0], 24), np.linspace(*PLAIN[1], 24))
    places = top_left + right[..., None] * (top_right - top_left) + down[..., None] * (bottom_left - top_left)
    where = places.astype(np.float32)
    return float(np.percentile(cv2.remap(grey, where[..., 0], where[..., 1], cv2.INTER_LINEAR), 70))


def _moved(
    grey: GrayImage, start: Float64Array, end: Float64Array, size: float, paper: float
) -> tuple[Float64Array, Float64Array, bool]:
    """A side's two ends, moved across it onto an edge: paper on this side, not on the other; and whether
    there is one, or paper where it would be."""
    along = end - start
    across = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-6)
    reach, band = max(4, round(REACH * size)), max(2, round(BAND * size))
    parts = np.linspace(*MIDDLE_PART, SAMPLES)
    offsets = np.arange(-reach - band, reach + band + 1)
    where = (start + parts[:, None, None] * along + offsets[None, :, None] * across).astype(np.float32)
    seen = cv2.remap(grey, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # How unlike paper each strip along the side is; of a place across, those just before it and just beyond it.
    strips = np.abs(np.lib.stride_tricks.sliding_window_view(seen, band, axis=1).mean(axis=-1) - paper)
    before = strips[:, : 2 * reach + 1]
    steps = strips[:, band + 1 :] - before
    shifts = np.arange(-reach, reach + 1)
    first, last = np.meshgrid(shifts, shifts, indexing="ij")
    rows = np.rint(first[..., None] * (1 - parts) + last[..., None] * parts).astype(int) + reach
    strength = steps[np.arange(SAMPLES), rows].mean(axis=-1)
    worth = strength * (1 - LONG_WAY * (np.abs(first) + np.abs(last)) / (2 * reach))
    best = np.unravel_index(int(worth.argmax()), worth.shape)
    if strength[best] < LEAST_STEP:
        return start, end, bool(np.median(before[:, reach]) < MOST_TINTED)
    return start + across * first[best], end + across * last[best], True
