"""The ring mat of Spellwoven: Engaged, Nearby and Distant round the fight, with the corner tags of a map.

A ring is as far from a line in the middle, not from a point: so the three fill a sheet of A4 or Letter.
"""

from __future__ import annotations

import math

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.tags import map_tags
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import Path, arc, lens, on_circle, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import draw_corner_tags
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.pieces import LargeDrawing

RING_MAT = ComponentId(Kind.MAP, 35)
WIDTH, HEIGHT = 260.0, 184.0
"""Of the whole mat, mm."""
TAG, TAG_INSET = 13.0, 2.6
"""Width of the black of a tag, and how far it is from the edge, mm."""
REACH = {Proximity.ENGAGED: 32.0, Proximity.NEARBY: 60.0, Proximity.DISTANT: 88.0}
"""How far (mm) each ring goes from the line in the middle of the mat."""
HALF_LINE = (WIDTH - HEIGHT) / 2
"""From the mat's middle to either end of that line, mm."""
_FRAME, _DEEP, _GOLD = Colour.hex("E9DDCB"), Colour.hex("5E2430"), Colour.hex("8A6A2C")
_GROUNDS = {
    Proximity.ENGAGED: Colour.hex("F2D6C9"),
    Proximity.NEARBY: Colour.hex("F4E6CD"),
    Proximity.DISTANT: Colour.hex("E4E8DC"),
}


def ring_at(x: float, y: float) -> tuple[Proximity | None, float]:
    """The ring at a place of the mat, and how far the nearest border is (mm); ``None`` outside of all three."""
    away = math.hypot(max(abs(x - WIDTH / 2) - HALF_LINE, 0.0), y - HEIGHT / 2)
    ring = next((ring for ring, reach in REACH.items() if away < reach), None)
    return ring, min(abs(away - reach) for reach in REACH.values())


def draw_ring_mat(pen: Pen) -> None:
    """The whole mat, its lower left corner at the origin."""
    pen.fill_background(rect(0, 0, WIDTH, HEIGHT), _FRAME)
    pen.stroke(rect(0.4, 0.4, WIDTH - 0.8, HEIGHT - 0.8), _DEEP, 0.5)
    for ring, reach in reversed(REACH.items()):
        pen.fill_background(_outline(reach), _GROUNDS[ring])
        pen.stroke(_outline(reach), _DEEP, 0.9)
        pen.stroke(_outline(reach - 1.4), _GOLD, 0.25)
        _draw_stitches(pen, reach - 3.2)
        for turn in (0, 180):
            with pen.at(WIDTH / 2, HEIGHT / 2, turn=turn):
                pen.text(0, -reach + 6.6, ring.label, Font.TITLE, 19, _DEEP, align="middle")
    _draw_words(pen)
    draw_corner_tags(pen, map_tags(RING_MAT), (WIDTH, HEIGHT), TAG, TAG_INSET, _DEEP)


def _outline(reach: float) -> Path:
    """All that is ``reach`` mm from the line in the middle."""
    x, y = WIDTH / 2, HEIGHT / 2
    path = arc(x + HALF_LINE, y, reach, 90, -90)
    path.steps += [("l", ((x - HALF_LINE, y - reach),)), *arc(x - HALF_LINE, y, reach, 270, 90).steps[1:]]
    return path.close()


def _draw_stitches(pen: Pen, reach: float) -> None:
    """A twisted cord along the inside of a ring; not over its name, which is in the middle of both long sides."""
    if pen.style is Style.LOW_INK:
        return
    x, y = WIDTH / 2, HEIGHT / 2
    colour = _GOLD.towards(_FRAME, 0.35)
    for side in (1, -1):
        count = round(math.pi * reach / 5)
        for at in range(count + 1):
            angle = 90 - side * 180 * at / count
            pen.solid(lens(*on_circle(x + side * HALF_LINE, y, reach, angle), 2.6, 0.6, angle + 130), colour)
        for at in (-18, -13, 13, 18):
            for up in (1, -1):
                pen.solid(lens(x + at * side * 1.7, y + up * reach, 2.6, 0.6, 40), colour)


def _draw_words(pen: Pen) -> None:
    x, y = WIDTH / 2, HEIGHT / 2
    for turn in (0, 180):
        with pen.at(x, y, turn=turn):
            for side in (-1, 1):
                pen.solid(lens(side * 22, 0, 30, 0.9), _GOLD)
            pen.text(0, 3.0, "the fight", Font.TEXT_ITALIC, 11, _DEEP, align="middle")


def mat(options: RenderOptions) -> list[LargeDrawing]:
    """The mat, to be tiled on small paper."""
    return [LargeDrawing(RING_MAT, "Ring mat", WIDTH, HEIGHT, draw_ring_mat)]
