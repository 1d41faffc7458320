"""The ring mat of Spellwoven on the table: who stands in which ring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.printkit.games.spellwoven.figures import FOES, HEROES
from loomtable.printkit.games.spellwoven.ring_mat import HEIGHT, RING_MAT, TAG, TAG_INSET, WIDTH, ring_at
from loomtable.table.reading.board import BoardLook, standing, tags_of_figures
from loomtable.table.reading.board_geometry import FIGURE_PRINTS, tagged_map
from loomtable.vision.board import figures_on, find_sheet
from loomtable.vision.board.maps import tag_advice
from loomtable.vision.quads import Point
from loomtable.vision.tags import SeenTag

_RIGHT, _FOOT = WIDTH - TAG_INSET - TAG, HEIGHT - TAG_INSET - TAG
MAT_SHEET = tagged_map(
    RING_MAT.number,
    WIDTH,
    HEIGHT,
    ((TAG_INSET, TAG_INSET), (_RIGHT, TAG_INSET), (_RIGHT, _FOOT), (TAG_INSET, _FOOT)),
    TAG,
)
"""The mat as a camera finds it."""


def ring_of(place: Point) -> tuple[str | None, float]:
    """The ring at a place of the mat (mm), ``None`` outside of all, and how far (mm) the nearest border is."""
    ring, room = ring_at(place[0], place[1])
    return (ring.label if ring else None), room


def look_at_rings(
    tags: Sequence[SeenTag], size: tuple[int, ...], book: Mapping[int, Proximity] | None = None
) -> BoardLook:
    """The figures on the ring mat, each with its ring, or a doubt where it stands on a border.

    Args:
        tags: everything that ``find_tags`` found in a picture.
        size: the picture's shape: height, width, and so on.
        book: where the book has whom, by the number of their figure; those that are not on the mat are told too.
    """
    advice = tag_advice(tags)
    notes = (advice,) if advice else ()
    search = find_sheet(tags, [MAT_SHEET], size)
    if search.sheet is None:
        return BoardLook(reason=search.reason, notes=notes)
    seen = figures_on(search.sheet, tags_of_figures(tags), FIGURE_PRINTS)
    called = {figure.number: figure.called for figure in (*HEROES, *FOES)}
    book = book or {}
    standings = [
        standing(
            called.get(number, f"Figure {number}"),
            [one for one in seen if one.number == number],
            book[number].label if number in book else "",
            ring_of,
        )
        for number in sorted({*book, *(one.number for one in seen)})
    ]
    return BoardLook(tuple(standings), search.sheet.outline, notes=notes)
