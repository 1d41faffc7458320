"""Outlines of cards laid on the edges that are seen: a code tells about where its card lies, not to a pixel.

They are drawn, and tell how the table lies; no card is told by them.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

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
LIGHT = 90
"""Of the grey levels in a code, in percent, that which is its paper."""
LEAST_STEP = 7.0
"""Grey levels by which the two sides of an edge differ at least; below, the edge stays where it is expected."""
MOST_TINTED = 30.0
"""Grey levels by which paper may differ from the code's."""
LONG_WAY = 0.25
"""What a shift by the whole reach costs, in parts of the step found there."""
RIM = 0.12
"""How far from a side, and past its ends, glass is looked for, in parts of its length; set by hand."""
GLASS = 0.5, 12.0, 0.9
"""How light glass is at most, of a card; its spread in grey levels; and along what part of a side. Set by hand."""


def on_edges(picture: BgrImage, card: SeenCard) -> tuple[Point, ...]:
    """The four corners of a card, px, with each side moved onto the strongest long edge near it.

    A side near which there is none stays. Where the result is no likely card, the whole outline does.
    """
    outline = card_outline(card)
    corners = np.array(outline)
    ends = np.array([(start, end) for start, end, _ in _sides(_smooth(picture), corners, card)])
    # In homogeneous coordinates the line through two points is their cross product, and so is where lines meet.
    lines = np.cross(*np.insert(ends, 2, 1.0, axis=2).swapaxes(0, 1))
    met = np.cross(np.roll(lines, 1, axis=0), lines)
    if (abs(met[:, 2]) < 1e-6).any():  # two sides are parallel
        return outline
    found = met[:, :2] / met[:, 2:]
    was, now = (abs(cv2.contourArea(shape.astype(np.float32))) for shape in (corners, found))
    if not 0.75 * was < now < 1.2 * was:
        return outline
    return tuple((float(x), float(y)) for x, y in found)


def flat_prints(picture: BgrImage, cards: Iterable[SeenCard] = ()) -> tuple[FlatPrint, ...]:
    """What cards that lie in a picture, and a dice mat, tell of how the table lies."""
    prints: list[FlatPrint] = []
    for card in cards:
        if card.card.kind in TAGGED_ONLY:
            prints.append(flat_rectangle(card.quad, 1.0, 1.0, sized=False))
            continue
        prints.append(flat_rectangle(card.quad, SYMBOL, SYMBOL))
        if (outline := on_edges(picture, card)) != card_outline(card):
            prints.append(flat_rectangle(outline, FACE_WIDTH, FACE_HEIGHT))
    mat = find_mat(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    if mat is not None:
        wide, high = mat.mat.width, mat.mat.height
        seen = mat.pixels(np.array([(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)])).tolist()
        prints.append(flat_rectangle([(float(x), float(y)) for x, y in seen], wide, high))
    return tuple(prints)


def is_edged(picture: BgrImage, card: SeenCard) -> bool:
    """Whether a card that was just laid, so that it is on top, has its edges in their printed places.

    A picture of a card on a screen has not: it is larger, or cut off, or dark glass lies along two opposite sides.
    Paper on paper shows none, and may be one; so may what is out of the picture.
    """
    if card.card.kind in TAGGED_ONLY:
        return True
    corners, grey = np.array(card_outline(card)), _smooth(picture)
    out = np.any((corners < 0) | (corners >= grey.shape[::-1]), axis=1)
    sides = _sides(grey, corners, card)
    top, right, foot, left = (_on_glass(grey, start, end) for start, end, _ in sides)
    if (left and right) or (top and foot):
        return False
    return all(there or out[at] or out[(at + 1) % 4] for at, (*_, there) in enumerate(sides))


def _smooth(picture: BgrImage) -> GrayImage:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3), 0), np.uint8)


def _sides(
    grey: GrayImage, corners: Float64Array, card: SeenCard
) -> list[tuple[Float64Array, Float64Array, bool]]:
    """What ``_moved`` says of each side, of the top first."""
    left, top, wide, high = cv2.boundingRect(np.array(card.quad, np.float32))
    code = grey[max(top, 0) : max(top + high, 0), max(left, 0) : max(left + wide, 0)]
    paper = float(np.percentile(code, LIGHT)) if code.size else 255.0
    ends = np.roll(corners, -1, axis=0)
    size = float(np.linalg.norm(corners - ends, axis=1).max())
    return [_moved(grey, start, end, size, paper) for start, end in zip(corners, ends, strict=True)]


def _beside(
    grey: GrayImage, start: Float64Array, end: Float64Array, parts: Float64Array, offsets: NDArray[np.number]
) -> tuple[Float64Array, GrayImage]:
    """The way out across a side, and what is seen there: by parts of its length, and by pixels out from it."""
    along = end - start
    across = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-6)
    where = (start + parts[:, None, None] * along + offsets[None, :, None] * across).astype(np.float32)
    seen = cv2.remap(grey, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return across, np.asarray(seen, np.uint8)


def _on_glass(grey: GrayImage, start: Float64Array, end: Float64Array) -> bool:
    """Whether beyond a side lies dark glass that ends beside it, in a line that is longer than the side."""
    side, (darkest, spread, most) = float(np.linalg.norm(end - start)), GLASS
    band, parts = max(2, round(BAND * side)), np.linspace(-RIM, 1 + RIM, SAMPLES)
    seen = _beside(grey, start, end, parts, np.arange(-2 * band, RIM * side))[1]
    card, beyond = seen[:, :band], seen[:, 3 * band :]
    level = np.median(beyond[:, : 2 * band], axis=0).min()
    dark = (beyond < level + spread).mean(axis=0)
    return bool(level < darkest * np.median(card) and dark[: 2 * band].max() > most and dark.min() < 1 - most)


def _moved(
    grey: GrayImage, start: Float64Array, end: Float64Array, size: float, paper: float
) -> tuple[Float64Array, Float64Array, bool]:
    """A side's two ends, moved across it onto an edge: paper on this side, not on the other; and whether
    there is one, or paper where it would be."""
    reach, band = max(4, round(REACH * size)), max(2, round(BAND * size))
    parts = np.linspace(*MIDDLE_PART, SAMPLES)
    across, seen = _beside(grey, start, end, parts, np.arange(-reach - band, reach + band + 1))
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
