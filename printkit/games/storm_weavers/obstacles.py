"""What stands in the way on a combat map, seen from above: walls, pillars, benches, water.

A map names obstacles in its legend by these words. ``OBSTACLES`` fill a box (left, bottom, width, height in mm);
``AREAS`` are drawn over all squares that touch. Any other word is drawn as a hatched block with the word on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import shapely
import shapely.affinity
from shapely.geometry.base import BaseGeometry

from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.land import draw_thing, rings_of, scattered
from loomtable.printkit.draw.palette import WHITE, Colour
from loomtable.printkit.draw.path import (
    Path,
    Point,
    blob,
    circle,
    ellipse,
    lens,
    polygon,
    polyline,
    rounded,
)
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.type import POINT, Font, fit_lines

_STONE, _SHADE, _DARK = Colour.hex("8D8478"), Colour.hex("6E665C"), Colour.hex("3E3931")
_RUBBLE = Colour.hex("A89F91")
_WOOD, _PLANK, _BARK = Colour.hex("B88A57"), Colour.hex("A27544"), Colour.hex("5F4125")
_WATER = Colour.hex("9CC0CB")
_GLOOM, _BANK = Colour.hex("B3AA97"), Colour.hex("D9CDA8")
_COPING = 5.2
"""How deep the dressed stones of a wall are, mm."""


def _merged(boxes: Sequence[Box]) -> BaseGeometry:
    return shapely.union_all([shapely.box(x, y, x + width, y + height) for x, y, width, height in boxes])


def _path(shape: BaseGeometry) -> Path:
    return sum((polygon(*ring) for ring in rings_of(shape)), Path())


def draw_wall(pen: Pen, boxes: Sequence[Box], land: BaseGeometry, chance: Random) -> None:
    """Dressed stones along every edge, rubble between them."""
    shape = _merged(boxes).normalize()
    shade = shapely.affinity.translate(shape, 1.3, -1.3).difference(shape).intersection(land)
    if not shade.is_empty:
        pen.fill(_path(shade), _GLOOM, tone=True, even_odd=True)
    pen.fill(_path(shape), _RUBBLE, even_odd=True)
    for x, y in scattered(shape.buffer(-_COPING, join_style="mitre"), chance, 4.9, (-2.3, -1.8, 2.3, 1.8)):
        with pen.at(
            round(x, 2), round(y, 2), turn=chance.choice((-30, -10, 10, 30)), scale=chance.choice((0.8, 1.1))
        ):
            _draw_rubble(pen, chance.randrange(4))
    for ring in rings_of(shapely.simplify(shape, 0.01)):
        for start, end in pairwise([*ring, ring[0]]):
            middle = shapely.Point((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            if land.boundary.distance(middle) > 0.1:
                _draw_coping(pen, start, end, chance)
    pen.stroke(_path(shape), _DARK, 0.5)


def _draw_rubble(pen: Pen, kind: int) -> None:
    """A stone in a wall, in one of four shades."""
    tone = _RUBBLE.towards(WHITE, 0.1 + 0.08 * kind)
    pen.place(f"rubble-{kind}", (-2.2, -1.8, 4.4, 3.6), lambda inner: inner.fill(ellipse(0, 0, 2.0, 1.5), tone))


def _draw_coping(pen: Pen, start: Point, end: Point, chance: Random) -> None:
    """A row of dressed stones on the right of the line from ``start`` to ``end``."""
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    count = max(1, round(length / 8.5))
    cuts = [0.0, *((at + chance.uniform(-0.18, 0.18)) / count * length for at in range(1, count)), length]
    turn = math.degrees(math.atan2(along[1], along[0]))
    for near, far in pairwise(cuts):
        tone = _SHADE.towards(_STONE, chance.choice((0.3, 0.6, 0.9, 1.2)))
        stone = rounded(near + 0.25, -_COPING + 0.3, far - near - 0.5, _COPING - 0.6, 0.8)
        pen.fill(stone.turned(turn).shifted(*start), tone)


def draw_water(pen: Pen, box: Box) -> None:
    """Water between stone rims."""
    x, y, width, height = box
    pen.fill(rounded(x + 1.2, y + 1.2, width - 2.4, height - 2.4, 2.4), _STONE)
    pen.fill(rounded(x + 3.4, y + 3.4, width - 6.8, height - 6.8, 1.6), _WATER)
    for column in range(round(width / 8) - 1):
        for row in range(round(height / 5) - 1):
            draw_thing(pen, "wave", x + 7.5 + column * 8, y + 6 + row * 5, scale=1.3)


def _lake(water: Colour, rim: Colour, edge: Colour) -> Area:
    """Water with a shore drawn by hand, ripples along it and waves; it goes on beyond the edge of the map."""

    def draw(pen: Pen, boxes: Sequence[Box], land: BaseGeometry, chance: Random) -> None:
        beyond = land.buffer(9, join_style="mitre").difference(land)
        wet = _merged(boxes)
        wet = wet.union(wet.buffer(8, join_style="mitre", cap_style="flat").intersection(beyond))
        for ring in rings_of(wet.buffer(-3.4).buffer(2.6).segmentize(5.5)):
            points = [(x + chance.uniform(-0.6, 0.6), y + chance.uniform(-0.6, 0.6)) for x, y in _apart(ring, 4.0)]
            shore, inside = blob(*points), shapely.Polygon(points)
            with pen.clipped(_path(land)):
                pen.stroke(shore, _BANK, 2.6, tone=True)
                pen.fill_background(shore, water)
                with pen.clipped(shore):
                    for share, wide in ((0.45, 6.5), (0.9, 3.0)):
                        pen.stroke(shore, water.towards(rim, share), wide, tone=True)
                for inset, wide in ((1.3, 0.25), (2.8, 0.18)):
                    for line in rings_of(inside.buffer(-inset).simplify(0.1)):
                        pen.stroke(blob(*_apart(line, 3.0)), edge.towards(water, 0.4), wide)
                for x, y in scattered(inside.buffer(-3.6).intersection(land), chance, 7.0, (-2.6, 0, 2.6, 1.0)):
                    draw_thing(pen, "wave", x, y, scale=1.3)
                pen.stroke(shore, edge, 0.55)

    return draw


def _apart(ring: Sequence[Point], gap: float) -> list[Point]:
    """Those points of a ring that are not too near to the last one."""
    kept = [ring[0]]
    for point in ring[1:]:
        if math.dist(point, kept[-1]) >= gap and math.dist(point, ring[0]) >= gap / 2:
            kept.append(point)
    return kept if len(kept) > 2 else list(ring)


def draw_bench(pen: Pen, box: Box) -> None:
    """Planks along the longer side."""
    x, y, width, height = box
    pen.fill(rounded(x + 2, y + 2, width - 4, height - 4, 1.4), _BARK)
    along = width >= height
    across = height if along else width
    planks = max(2, round((across - 5) / 6))
    wide = (across - 5.4) / planks
    for plank in range(planks):
        at = 2.7 + plank * wide
        left, bottom = (x + 2.7, y + at) if along else (x + at, y + 2.7)
        size = (width - 5.4, wide - 0.5) if along else (wide - 0.5, height - 5.4)
        pen.fill(rounded(left, bottom, *size, 0.5), _WOOD if plank % 2 else _PLANK)
        grain = (left + size[0] / 2, bottom + size[1] / 2)
        pen.solid(lens(*grain, max(size) * 0.5, 0.3, 0 if along else 90), _BARK)


def draw_tree(pen: Pen, boxes: Sequence[Box], land: BaseGeometry, chance: Random) -> None:
    """Crowns of leaves, one for each square, and smaller ones where two squares meet; bushes at their feet."""
    crowns: list[tuple[float, float, float]] = []
    for x, y, width, height in boxes:
        middle = (x + width / 2 + chance.uniform(-1, 1), y + height / 2 + chance.uniform(-1, 1))
        crowns.append((*middle, chance.uniform(0.84, 0.96)))
        for other in boxes:
            if math.dist((x, y), other[:2]) < 1.2 * width and (x, y) < other[:2]:
                between = ((x + other[0] + width) / 2, (y + other[1] + height) / 2)
                crowns.append((*between, chance.uniform(0.5, 0.62)))
    with pen.clipped(_path(land)):
        for x, y, scale in crowns:
            pen.fill(circle(x + 1.6, y - 1.6, 11.2 * scale), _GLOOM, tone=True)
        for x, y, width, height in boxes:
            for _ in range(3):
                at = x + chance.choice((0.12, 0.88)) * width, y + chance.choice((0.04, 0.82)) * height
                draw_thing(pen, "bush", *at, scale=chance.uniform(1.6, 2.4))
        for x, y, scale in sorted(crowns, key=lambda crown: crown[2]):
            draw_thing(pen, "crown", x, y, scale=scale, turn=chance.randrange(0, 360, 15), kind="obstacles")


def draw_rock(pen: Pen, boxes: Sequence[Box], land: BaseGeometry, chance: Random) -> None:
    """Boulders, a large one on each square and small ones about it."""
    with pen.clipped(_path(land)):
        for x, y, width, _ in boxes:
            for px, py, scale in ((0.2, 0.2, 0.3), (0.8, 0.24, 0.25), (0.5, 0.5, 1.0), (0.24, 0.82, 0.3)):
                across, up = px + chance.uniform(-0.04, 0.04), py + chance.uniform(-0.04, 0.04)
                turn = chance.choice((-30, -15, 0, 15, 30))
                size = scale * chance.uniform(0.9, 1.05)
                place = x + across * width, y + up * width
                draw_thing(pen, "boulder", *place, scale=size, turn=turn, kind="obstacles")


def _art(name: str) -> Callable[[Pen, Box], None]:
    """Draws a picture as large as a box is wide or high, so often as the box is long."""

    def draw(pen: Pen, box: Box) -> None:
        x, y, width, height = box
        side = min(width, height)
        for column in range(round(width / side)):
            for row in range(round(height / side)):
                place = x + (column + 0.5) * side, y + (row + 0.5) * side
                scale = side / art_named("obstacles", name).box[2]
                draw_thing(pen, name, *place, scale=scale, kind="obstacles")

    return draw


def draw_unknown(pen: Pen, box: Box, word: str, called: str) -> None:
    """A hatched block with its name on it, for whatever has no picture of its own.

    Raises:
        TextTooLong, GlyphMissing: the word cannot be set; ``called`` says on what.
    """
    x, y, width, height = box
    pen.fill(rounded(x + 1.5, y + 1.5, width - 3, height - 3, 2), _STONE.towards(WHITE, 0.35))
    with pen.clipped(rounded(x + 1.5, y + 1.5, width - 3, height - 3, 2)):
        for hatch in range(int((width + height) / 3.2)):
            at = x + hatch * 3.2
            pen.stroke(polyline((at, y), (at - height, y + height)), _STONE, 0.35)
    lines, points = fit_lines(word, Font.LABEL_BOLD, width - 6, 9, 6, 2, called)
    step = points * POINT * 1.15
    high = step * len(lines) + 1.6
    pen.fill_background(rounded(x + 2.6, y + (height - high) / 2, width - 5.2, high, 1), WHITE)
    for number, line in enumerate(lines):
        baseline = y + height / 2 + step * (len(lines) / 2 - number - 0.8)
        pen.text(x + width / 2, baseline, line, Font.LABEL_BOLD, points, _DARK, align="middle")


Area = Callable[[Pen, Sequence[Box], BaseGeometry, Random], None]
"""Draws a thing over all of its squares; the land is the map's, beyond which nothing is drawn."""
AREAS: dict[str, Area] = {
    "wall": draw_wall,
    "parapet": draw_wall,
    "water": _lake(Colour.hex("BFD8DC"), Colour.hex("94BCC6"), Colour.hex("3F7187")),
    "brine": _lake(Colour.hex("C7D6CB"), Colour.hex("97B5A6"), Colour.hex("48705F")),
    "tree": draw_tree,
    "rock": draw_rock,
}
OBSTACLES: dict[str, Callable[[Pen, Box], None]] = {
    "pillar": _art("pillar"),
    "column": _art("pillar"),
    "post": _art("pillar"),
    "trough": draw_water,
    "well": _art("pit"),
    "pit": _art("pit"),
    "brazier": _art("brazier"),
    "fire": _art("brazier"),
    "bench": draw_bench,
    "table": draw_bench,
    "crate": _art("crate"),
    "bell": _art("bell"),
    "lamp": _art("lamp"),
}
"""The words that have a picture."""
