"""Hero markers: an emblem, a line for a name, and a tag that a camera reads where cards have small ones."""

from __future__ import annotations

from functools import partial

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.tags import tag_of
from loomtable.engine.weave.cards.markers import EMBLEMS, marker_name, markers
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.seats import HERO_MARKER, HERO_TAG, HERO_TAG_X, HERO_TAG_Y, SEATS, draw_emblem
from loomtable.printkit.draw.palette import WHITE
from loomtable.printkit.draw.path import lens, polyline, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import TAG_MODULES, draw_tag
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.papers import BLEED
from loomtable.printkit.sheet.pieces import PrintedCard

_EMBLEM, _EMBLEM_Y = 14.0, 35.3
_LINE_Y = 22.6
"""The line on which somebody writes the hero's name, mm."""


def draw_marker(pen: Pen, marker: ComponentId) -> None:
    """One side of a marker, both of which are the same. The origin is the lower left corner of the trim, in mm."""
    emblem = EMBLEMS[marker.number - 1]
    deep, light = SEATS[emblem]
    wide, high = HERO_MARKER.width, HERO_MARKER.height
    middle = wide / 2
    pen.fill_background(rect(-BLEED, -BLEED, wide + 2 * BLEED, high + 2 * BLEED), light.towards(WHITE, 0.25))
    pen.stroke(rounded(1.2, 1.2, wide - 2.4, high - 2.4, 2.2), deep, 0.5)
    pen.stroke(rounded(1.9, 1.9, wide - 3.8, high - 3.8, 1.6), deep, 0.15)
    for side in (-1, 1):
        for at in range(3):
            pen.solid(
                lens(middle + side * 11.2, _EMBLEM_Y - 5 + 5 * at, 2.6, 0.8, 90 + side * 30 * (at - 1)), deep
            )
    draw_emblem(pen, emblem, middle, _EMBLEM_Y, _EMBLEM)
    pen.fill_background(rounded(3.4, _LINE_Y - 1.2, wide - 6.8, 5.8, 1.2), WHITE)
    pen.stroke(polyline((4.6, _LINE_Y), (wide - 4.6, _LINE_Y)), deep, 0.2)
    draw_tag(pen, tag_of(marker), HERO_TAG_X, HERO_TAG_Y, HERO_TAG)
    edge = HERO_TAG / TAG_MODULES
    pen.stroke(rect(HERO_TAG_X - edge, HERO_TAG_Y - edge, HERO_TAG + 2 * edge, HERO_TAG + 2 * edge), deep, 0.2)
    with pen.at(4.4, HERO_TAG_Y + HERO_TAG / 2, turn=90):
        pen.text(0, -1.0, marker.short, Font.CODE, 8, deep, align="middle")


def hero_markers(options: RenderOptions) -> list[PrintedCard]:
    """The twelve markers."""

    def printed(marker: ComponentId) -> PrintedCard:
        side = partial(draw_marker, marker=marker)
        return PrintedCard(marker, marker_name(marker), side, side, HERO_MARKER, back_id=marker, outlined=True)

    return [printed(marker) for marker in markers()]
