"""Where code and tag stand on our printed cards: from either in a picture follow the other, and the whole card."""

from __future__ import annotations

import math
from collections.abc import Mapping

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

_Box = tuple[float, float, float, float]
"""Of what is printed on a card, mm: left and top, from the card's upper left corner, width and height."""
_CARD: _Box = (0.0, 0.0, FACE_WIDTH, FACE_HEIGHT)
_LEFT, _TOP = CODE_X + (PLATE - SYMBOL) / 2, FACE_HEIGHT - CODE_Y - (PLATE + SYMBOL) / 2
_CODE: _Box = (_LEFT, _TOP, SYMBOL, SYMBOL)
_TAG: _Box = (FACE_WIDTH - MARGIN - TAG_EDGE - TAG, MARGIN + TAG_EDGE, TAG, TAG)
_BOTH = (Kind.STORY, Kind.CHALLENGE, Kind.ANSWER)
"""Cards that can carry a code and a tag."""
MIDDLE = (FACE_WIDTH / 2 - _LEFT) / SYMBOL, (FACE_HEIGHT / 2 - _TOP) / SYMBOL
"""The middle of a card, in its code's own measure (0 to 1 across it)."""


def code_corners() -> Float64Array:
    """The corners of the code, (4, 2) mm from its card's upper left corner, in the order of a ``Quad``."""
    return _corners(_CODE)[:, :2]


def on_card(seen: SeenCard, point: Point) -> bool:
    """Whether a point of the picture (px) lies on the card whose code was seen."""
    outline = np.array(card_outline(seen), np.float32)
    return bool(cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), False) >= 0)


def code_by_tag(card: ComponentId, tag: Quad) -> Quad:
    """Where the code of a card lies (px) whose corner tag was seen; of cards with tags elsewhere the tag."""
    return _rectangle(tag, _TAG, _CODE) if card.kind in _BOTH else tag


def tag_by_code(seen: SeenCard) -> Quad | None:
    """Where the tag of a card would stand (px) whose code was seen; nothing for cards without one there."""
    return _rectangle(seen.quad, _CODE, _TAG) if seen.card.kind in _BOTH else None


def code_of_outline(card: Quad) -> Quad:
    """Where the code would lie (px) on a card whose outline was seen: ordinary playing cards bear none."""
    return _rectangle(card, _CARD, _CODE)


def card_outline(seen: SeenCard) -> Quad:
    """The four corners of the whole card in the picture, px: top left, top right, bottom right, bottom left.

    A code covers a twelfth of its card, far too little to tell how the card shrinks with distance; its edges'
    mean directions carry well enough for drawing and for telling neighbours apart.
    """
    return _rectangle(seen.quad, *_printed(seen.card.kind))


def on_table(cards: Mapping[ComponentId, SeenCard], flat: Float64Array | None) -> dict[ComponentId, Float32Array]:
    """The outlines of cards as they lie, (4, 2) mm from straight above.

    ``flat`` lays the picture flat (``CameraPose.flat``); without it all of it counts as seen from straight above.
    """
    plane = np.eye(3) if flat is None else flat
    seen = {card: cv2.perspectiveTransform(np.array([one.quad]), plane)[0] for card, one in cards.items()}
    printed = {card: _printed(card.kind) for card in cards}
    areas = {card: abs(cv2.contourArea(quad.astype(np.float32))) for card, quad in seen.items()}
    scales = [math.sqrt(areas[card] / (wide * high)) for card, ((_, _, wide, high), _) in printed.items()]
    per_mm = float(np.median(scales)) if scales else 1.0
    outlines = {card: _rectangle(seen[card].tolist(), *boxes) for card, boxes in printed.items()}
    return {card: np.array(outline, np.float32) / np.float32(per_mm) for card, outline in outlines.items()}


def _printed(kind: Kind) -> tuple[_Box, _Box]:
    """The code or tag of a card or a hero marker, and the whole of it."""
    if kind is not Kind.MARKER:
        return _CODE, _CARD
    wide, high = HERO_MARKER.width, HERO_MARKER.height
    return (HERO_TAG_X, high - HERO_TAG_Y - HERO_TAG, HERO_TAG, HERO_TAG), (0.0, 0.0, wide, high)


def _corners(box: _Box) -> Float64Array:
    """Shape (4, 3), in homogeneous coordinates."""
    left, top, wide, high = box
    return np.array([(left + x * wide, top + y * high, 1.0) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))])


def _rectangle(quad: Quad, seen: _Box, wanted: _Box) -> Quad:
    """Where one part of a card lies when another was seen as a quad: along the mean directions of its edges."""
    affine = np.linalg.lstsq(_corners(seen), np.array(quad), rcond=None)[0]
    a, b, c, d = (_corners(wanted) @ affine).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


TAGGED = TaggedCards(MIDDLE, on_card, code_by_tag, tag_by_code)
"""Cards as they are printed with ``--tags``, for cameras that look for codes and tags."""
