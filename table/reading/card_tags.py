"""How code and tag stand to one another on our printed cards, for cameras that look for both."""

from __future__ import annotations

from loomtable.engine.kernel.components import Kind
from loomtable.printkit.components.layout import FACE_WIDTH, MARGIN, TAG, TAG_EDGE
from loomtable.table.reading.card_geometry import code_by_tag, on_card, on_code
from loomtable.vision.card_tag_search import TaggedCards
from loomtable.vision.cards import SeenCard
from loomtable.vision.quads import Point, Quad

_LEFT, _TOP = FACE_WIDTH - MARGIN - TAG_EDGE - TAG, MARGIN + TAG_EDGE


def tag_by_code(seen: SeenCard) -> Quad | None:
    """Where the tag of a Story or Challenge card would stand (px) whose code was seen; others have none there."""
    if seen.card.kind not in (Kind.STORY, Kind.CHALLENGE):
        return None
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = seen.quad
    across = ((bx - ax + cx - dx) / 2, (by - ay + cy - dy) / 2)
    down = ((dx - ax + cx - bx) / 2, (dy - ay + cy - by) / 2)
    middle = ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)

    def place(x: float, y: float) -> Point:
        u, v = (value - 0.5 for value in on_code(x, y))
        return middle[0] + u * across[0] + v * down[0], middle[1] + u * across[1] + v * down[1]

    right, foot = _LEFT + TAG, _TOP + TAG
    return place(_LEFT, _TOP), place(right, _TOP), place(right, foot), place(_LEFT, foot)


TAGGED = TaggedCards(on_card, code_by_tag, tag_by_code)
"""Cards as they are printed with ``--tags``."""
