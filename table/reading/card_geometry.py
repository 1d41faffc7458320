"""Where code and tag stand on our printed cards: from either in a picture follow the other, and the whole card."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.components.layout import CODE_X, CODE_Y, FACE_HEIGHT, FACE_WIDTH, MARGIN, TAG, TAG_EDGE
from loomtable.printkit.components.seats import HERO_MARKER, HERO_TAG, HERO_TAG_X, HERO_TAG_Y
from loomtable.printkit.draw.codes import PLATE, SYMBOL
from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.card_tags import TaggedCards
from loomtable.vision.cards import SeenCard
from loomtable.vision.quads import Point, Quad

_LEFT = CODE_X + (PLATE - SYMBOL) / 2
_TOP = FACE_HEIGHT - CODE_Y - (PLATE + SYMBOL) / 2
"""The code's upper left corner, mm from the card's."""
_TAG_LEFT, _TAG_TOP = FACE_WIDTH - MARGIN - TAG_EDGE - TAG, MARGIN + TAG_EDGE
"""The same of its tag."""
_BOTH = (Kind.STORY, Kind.CHALLENGE, Kind.ANSWER)
"""Cards that can carry a code and a tag."""
MIDDLE = (FACE_WIDTH / 2 - _LEFT) / SYMBOL, (FACE_HEIGHT / 2 - _TOP) / SYMBOL
"""The middle of a card, in its code's own measure (0 to 1 across it)."""


def code_corners() -> tuple[Point, Point, Point, Point]:
    """The corners of the code on its card, in mm from the card's upper left corner, in the order of a ``Quad``."""
    right, foot = _LEFT + SYMBOL, _TOP + SYMBOL
    return (_LEFT, _TOP), (right, _TOP), (right, foot), (_LEFT, foot)


def on_card(seen: SeenCard, point: Point) -> bool:
    """Whether a point of the picture (px) lies on the card whose code was seen."""
    outline = np.array(card_outline(seen), np.float32)
    return bool(cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), False) >= 0)


def code_by_tag(card: ComponentId, tag: Quad) -> Quad:
    """Where the code of a card lies (px) whose corner tag was seen; of cards with tags elsewhere the tag."""
    if card.kind not in _BOTH:
        return tag
    return _rectangle(tag, (_TAG_LEFT, _TAG_TOP, TAG), _LEFT, _TOP, _LEFT + SYMBOL, _TOP + SYMBOL)


def tag_by_code(seen: SeenCard) -> Quad | None:
    """Where the tag of a card would stand (px) whose code was seen; nothing for cards without one there."""
    if seen.card.kind not in _BOTH:
        return None
    square = (_LEFT, _TOP, SYMBOL)
    return _rectangle(seen.quad, square, _TAG_LEFT, _TAG_TOP, _TAG_LEFT + TAG, _TAG_TOP + TAG)


def code_of_outline(card: Quad) -> Quad:
    """Where the code would lie (px) on a card whose outline was seen: ordinary playing cards bear none."""
    whole = np.array([(0, 0), (FACE_WIDTH, 0), (FACE_WIDTH, FACE_HEIGHT), (0, FACE_HEIGHT)], np.float32)
    warp = cv2.getPerspectiveTransform(whole, np.array(card, np.float32))
    a, b, c, d = cv2.perspectiveTransform(np.array([code_corners()], np.float32), warp)[0].tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def card_outline(seen: SeenCard) -> Quad:
    """The four corners of the whole card in the picture, px: top left, top right, bottom right, bottom left.

    A code covers a twelfth of its card, far too little to tell how the card shrinks with distance; its edges'
    mean directions carry well enough for drawing and for telling neighbours apart.
    """
    wide, high, *square = _printed(seen.card.kind)
    return _rectangle(seen.quad, square, 0, 0, wide, high)


def on_table(cards: Mapping[ComponentId, SeenCard], flat: Float64Array | None) -> dict[ComponentId, Float32Array]:
    """The outlines of cards as they lie, (4, 2) mm from straight above.

    ``flat`` lays the picture flat (``CameraPose.flat``); without it all of it counts as seen from straight above.
    """
    plane = np.eye(3) if flat is None else flat
    printed = {card: _printed(card.kind) for card in cards}
    seen = {card: cv2.perspectiveTransform(np.array([one.quad]), plane)[0] for card, one in cards.items()}
    scales = [math.sqrt(abs(cv2.contourArea(seen[card].astype(np.float32)))) / printed[card][4] for card in cards]
    per_mm = float(np.median(scales)) if scales else 1.0
    outlines = {card: _rectangle(seen[card].tolist(), one[2:], 0, 0, *one[:2]) for card, one in printed.items()}
    return {card: np.array(outline, np.float32) / np.float32(per_mm) for card, outline in outlines.items()}


def _printed(kind: Kind) -> tuple[float, ...]:
    """Of a card or a hero marker, mm: width, height, left and top of its code or tag, and that one's side."""
    if kind is not Kind.MARKER:
        return FACE_WIDTH, FACE_HEIGHT, _LEFT, _TOP, SYMBOL
    wide, high = HERO_MARKER.width, HERO_MARKER.height
    return wide, high, HERO_TAG_X, high - HERO_TAG_Y - HERO_TAG, HERO_TAG


def _rectangle(
    quad: Sequence[Point], square: Sequence[float], left: float, top: float, right: float, foot: float
) -> Quad:
    """The corners of an upright rectangle of a card (mm) whose code, a ``square``, was seen as a quad."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    across = ((bx - ax + cx - dx) / 2, (by - ay + cy - dy) / 2)
    down = ((dx - ax + cx - bx) / 2, (dy - ay + cy - by) / 2)
    middle = ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)

    def place(x: float, y: float) -> Point:
        u, v = (x - square[0]) / square[2] - 0.5, (y - square[1]) / square[2] - 0.5
        return middle[0] + u * across[0] + v * down[0], middle[1] + u * across[1] + v * down[1]

    return place(left, top), place(right, top), place(right, foot), place(left, foot)


TAGGED = TaggedCards(MIDDLE, on_card, code_by_tag, tag_by_code)
"""Cards as they are printed with ``--tags``, for cameras that look for codes and tags."""
