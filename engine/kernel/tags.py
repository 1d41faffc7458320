"""Which AprilTag 36h11 stands on what: one register, so that no two printed things share a number.

| tags | on |
| --- | --- |
| 1 to 99 | figures: figure 12 carries tag 12 |
| 100 to 139, 140 to 179 | tapestry cards, side A and side B |
| 181 to 239 | Story cards printed with tags: S1 carries 181 |
| 241 to 299 | Challenge cards printed with tags: C1 carries 241 |
| 301 to 359 | spell cards printed with tags: P1 carries 301 |
| 361 to 374 | answer cards: the card A carries 361 |
| 381 to 392 | hero markers: R1 carries 381 |
| 400 to 539 | maps, four each: at their upper left, upper right, lower right and lower left |
| 560 to 571 | dice mats (``loomtable.engine.kernel.mats``) |
"""

from __future__ import annotations

from loomtable.engine.kernel.components import ANSWER_CARDS, MARKERS, ComponentId, Kind
from loomtable.engine.kernel.errors import UnknownComponent

MOST_FIGURES, MOST_TAPESTRY, MOST_MAPS, MOST_CARDS = 99, 39, 35, 59
_TAPESTRY = {"A": 100, "B": 140}
_CARDS = {
    Kind.STORY: (180, MOST_CARDS),
    Kind.CHALLENGE: (240, MOST_CARDS),
    Kind.SPELL: (300, MOST_CARDS),
    Kind.ANSWER: (360, ANSWER_CARDS),
    Kind.MARKER: (380, MARKERS),
}
"""Per kind the number below its first tag, and how many have one."""
_MAPS = 400


def tag_of(component: ComponentId) -> int:
    """The tag of a figure, of one side of a tapestry card, of a card, or of a hero marker.

    Raises:
        UnknownComponent: this kind carries no tag of its own, or its numbers have run out.
    """
    if component.kind is Kind.FIGURE and component.number <= MOST_FIGURES:
        return component.number
    if component.kind is Kind.TAPESTRY and component.number <= MOST_TAPESTRY:
        return _TAPESTRY[component.side] + component.number
    before, most = _CARDS.get(component.kind, (0, 0))
    if component.number <= most:
        return before + component.number
    raise UnknownComponent(f"no tag is kept for {component.short}")


def map_tags(component: ComponentId) -> tuple[int, int, int, int]:
    """The tags of a map at its upper left, upper right, lower right and lower left.

    Raises:
        UnknownComponent: this is no map, or one whose number is past those that have tags.
    """
    if component.kind is not Kind.MAP or component.number > MOST_MAPS:
        raise UnknownComponent(f"no tags are kept for {component.short}; maps 1 to {MOST_MAPS} have some")
    first = _MAPS + 4 * (component.number - 1)
    return first, first + 1, first + 2, first + 3


def tagged(tag: int) -> tuple[ComponentId, int] | None:
    """What a tag stands on, and for a map which of its corners (0 to 3, else 0); nothing for other tags."""
    if 1 <= tag <= MOST_FIGURES:
        return ComponentId(Kind.FIGURE, tag), 0
    for side, first in _TAPESTRY.items():
        if 1 <= tag - first <= MOST_TAPESTRY:
            return ComponentId(Kind.TAPESTRY, tag - first, side), 0
    for kind, (before, most) in _CARDS.items():
        if 1 <= tag - before <= most:
            return ComponentId(kind, tag - before), 0
    if _MAPS <= tag < _MAPS + 4 * MOST_MAPS:
        number, corner = divmod(tag - _MAPS, 4)
        return ComponentId(Kind.MAP, number + 1), corner
    return None
