"""No two printed things share a tag, and each tag leads back to what carries it."""

from __future__ import annotations

from loomtable.engine.kernel.components import ANSWER_CARDS, MARKERS, ComponentId, Kind
from loomtable.engine.kernel.errors import UnknownComponent
from loomtable.engine.kernel.mats import MATS
from loomtable.engine.kernel.tags import (
    MOST_CARDS,
    MOST_FIGURES,
    MOST_MAPS,
    MOST_TAPESTRY,
    map_tags,
    tag_of,
    tagged,
)
from tests.short import raises


def test_every_tag_belongs_to_one_thing() -> None:
    singles = [ComponentId(Kind.FIGURE, n) for n in range(1, MOST_FIGURES + 1)]
    singles += [ComponentId(Kind.TAPESTRY, n, side) for n in range(1, MOST_TAPESTRY + 1) for side in "AB"]
    cards = (Kind.STORY, Kind.CHALLENGE, Kind.SPELL)
    singles += [ComponentId(kind, n) for kind in cards for n in range(1, MOST_CARDS + 1)]
    singles += [ComponentId(Kind.ANSWER, n) for n in range(1, ANSWER_CARDS + 1)]
    singles += [ComponentId(Kind.MARKER, n) for n in range(1, MARKERS + 1)]
    maps = [ComponentId(Kind.MAP, n) for n in range(1, MOST_MAPS + 1)]
    taken = [tag_of(one) for one in singles] + [tag for one in maps for tag in map_tags(one)]
    taken += [tag for mat in MATS.values() for tag in mat.tags]
    assert len(set(taken)) == len(taken)
    assert all(0 <= tag < 587 for tag in taken)
    for one in singles:
        assert tagged(tag_of(one)) == (one, 0)
    for one in maps:
        assert [tagged(tag) for tag in map_tags(one)] == [(one, corner) for corner in range(4)]


def test_other_tags_stand_on_nothing_of_ours() -> None:
    assert [tagged(tag) for tag in (0, 180, 360, 375, 393, 540, 560)] == [None] * 7


def test_what_has_no_tag_says_so() -> None:
    raises(UnknownComponent, "no tag is kept for QH", tag_of, ComponentId.parse("QH"))
    raises(UnknownComponent, "no tag is kept for S60", tag_of, ComponentId(Kind.STORY, MOST_CARDS + 1))
    raises(UnknownComponent, "maps 1 to 35 have some", map_tags, ComponentId(Kind.MAP, 36))
