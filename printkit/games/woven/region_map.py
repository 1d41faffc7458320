"""The region map of Woven: a hand-tinted land with its forests, peaks, lakes and rivers, drawn from a map file."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from loomtable.engine.woven.regions import RegionKey, RegionMap, Terrain
from loomtable.printkit.draw.land import draw_thing, rings_of, scattered
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import Path, Point, circle, polygon, polyline, rect, ribbon
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import POINT, Font
from loomtable.printkit.games.woven.region_map_art import (
    GROUND,
    RIM,
    RIVER,
    RIVER_EDGE,
    draw_home,
)
from loomtable.printkit.games.woven.region_map_plan import (
    LABEL_FACE,
    RIVER_POINTS,
    MapPlan,
)

_NAME = Colour.hex("33261A")
_WATER_NAME = Colour.hex("23566B")
_BORDER = Colour.hex("8C7350")
_TINT = 3.4
"""Width of the deeper wash along a border, half of which is seen (mm)."""


def draw_region_map(pen: Pen, region_map: RegionMap, width: float) -> None:
    """Draw the map ``width`` mm wide, its lower left corner at the origin, without frame, title or legend.

    Its height follows from its proportions.

    Raises:
        GlyphMissing: a name has a character that the font lacks.
        TextTooLong: a name does not fit its region.
    """
    plan = MapPlan(region_map, width)
    with pen.clipped(rect(0, 0, plan.width, plan.height)):
        _draw_ground(pen, plan)
        _draw_borders(pen, plan)
        for region in region_map.regions:
            _ART[region.terrain](pen, plan, region.key)
        _draw_rivers(pen, plan)
        _draw_marks(pen, plan)
        for region in plan.map.regions:
            label = plan.labels[region.key]
            colour = _WATER_NAME if region.terrain is Terrain.WATER else _NAME
            pen.text(label.x, label.baseline, label.words, LABEL_FACE, label.points, colour, align="middle")


def _draw_ground(pen: Pen, plan: MapPlan) -> None:
    """Each region's wash, and a deeper one along the inside of its border, as maps were tinted by hand."""
    for region in plan.map.regions:
        outline = polygon(*plan.outlines[region.key]).traced()
        pen.fill_background(outline, GROUND[region.terrain])
        with pen.clipped(outline):
            for share, width in ((0.45, _TINT * 1.7), (1.0, _TINT * 0.8)):
                colour = GROUND[region.terrain].towards(RIM[region.terrain], share)
                pen.stroke(outline, colour, width, tone=True)


def _draw_borders(pen: Pen, plan: MapPlan) -> None:
    """A dotted line between lands; a firm line with ripples along each shore."""
    for border, sides in plan.map.sides_of.items():
        if len(sides) == 1 or border in plan.map.river_borders:
            continue
        terrains = {plan.map.by_key[key].terrain for key in sides}
        line = plan.border_lines[border]
        if terrains == {Terrain.WATER}:
            dashes = [polyline(*line[at : at + 2]) for at in range(0, len(line) - 1, 3)]
            pen.stroke(sum(dashes, Path()), RIVER_EDGE, 0.3)
        elif Terrain.WATER in terrains:
            pen.stroke(polyline(*plan.fewer_points[border]), RIVER_EDGE, 0.5)
        else:
            pen.stroke(polyline(*plan.fewer_points[border]), _BORDER, 0.35)

    for corner in _crossings(plan):
        pen.solid(circle(*corner, 0.85), _BORDER)


def _crossings(plan: MapPlan) -> list[Point]:
    """Where four or more regions meet on land: a knot shows that those opposite one another are not adjacent."""
    borders = [border for border, sides in plan.map.sides_of.items() if len(sides) == 2]
    meeting = Counter(corner for border in borders for corner in border)
    wet = {c for river in plan.map.rivers for c in river.course} | {
        c for region in plan.map.regions if region.terrain is Terrain.WATER for c in region.corners
    }
    return [plan.corners[corner] for corner, count in meeting.items() if count > 3 and corner not in wet]


def _draw_water(pen: Pen, plan: MapPlan, key: RegionKey) -> None:
    shore = plan.polygons[key]
    for inset, width in ((0.9, 0.2), (1.9, 0.14)):
        for ring in rings_of(shore.buffer(-inset).simplify(0.05)):
            pen.stroke(polygon(*ring), RIVER_EDGE.towards(GROUND[Terrain.WATER], 0.35), width)
    room = plan.room_for_art(key, 2.6)
    for x, y in scattered(room, _chance(plan, key), 4.6, (-1.9, 0, 1.9, 0.6)):
        draw_thing(pen, "wave", x, y)


def _draw_forest(pen: Pen, plan: MapPlan, key: RegionKey) -> None:
    chance = _chance(plan, key)
    room = plan.room_for_art(key, 0.9)
    for x, y in scattered(room, chance, _apart(pen, 2.75), (-1.3, 0, 1.3, 3.1)):
        kind = "fir" if chance.random() < 0.3 else "tree-1" if chance.random() < 0.5 else "tree-2"
        draw_thing(pen, kind, x, y, scale=0.92 + 0.2 * chance.random())


def _draw_mountains(pen: Pen, plan: MapPlan, key: RegionKey) -> None:
    chance = _chance(plan, key)
    room = plan.room_for_art(key, 0.8)
    peaks = scattered(room, chance, _apart(pen, 5.4), (-3.6, 0, 3.6, 5.6))
    for x, y in peaks:
        draw_thing(
            pen, "mountain-1" if chance.random() < 0.5 else "mountain-2", x, y, scale=0.86 + 0.2 * chance.random()
        )
    if peaks:
        room = _without(room, peaks, (-4, 0, 4, 6))
    for x, y in scattered(room, chance, _apart(pen, 3.6), (-1.9, 0, 1.9, 1.5)):
        draw_thing(pen, "hillock", x, y, scale=0.9)


def _draw_plains(pen: Pen, plan: MapPlan, key: RegionKey) -> None:
    chance = _chance(plan, key)
    room = plan.room_for_art(key, 1.8)
    fields = scattered(room, chance, _apart(pen, 9.0), (-2.0, 0, 2.0, 1.9))
    for x, y in fields:
        draw_thing(pen, "field", x, y)
    if fields:
        room = _without(room, fields, (-2.4, 0, 2.4, 2.2))
    for x, y in scattered(room, chance, _apart(pen, 4.2), (-0.9, 0, 0.9, 1.1)):
        draw_thing(pen, "bush" if chance.random() < 0.22 else "tuft", x, y, scale=1.1)


def _without(room: BaseGeometry, feet: list[Point], box: tuple[float, float, float, float]) -> BaseGeometry:
    """The room without what things of this box (left, below, right, above their foot) cover."""
    xs, ys = np.array(feet).T
    covered = shapely.box(xs + box[0], ys + box[1], xs + box[2], ys + box[3])
    return room.difference(shapely.union_all(covered))


_ART = {
    Terrain.PLAINS: _draw_plains,
    Terrain.FOREST: _draw_forest,
    Terrain.MOUNTAINS: _draw_mountains,
    Terrain.WATER: _draw_water,
}


def _apart(pen: Pen, gap: float) -> float:
    """Fewer things stand on a map that should take little ink."""
    return gap * 1.3 if pen.style is Style.LOW_INK else gap


def _chance(plan: MapPlan, key: RegionKey) -> Random:
    return Random(f"{plan.map.key}/{key}")


def _draw_rivers(pen: Pen, plan: MapPlan) -> None:
    """Each river swells from its source to its mouth; a bridge lies over it."""
    courses = [plan.river_line(river) for river in plan.map.rivers]
    for grow, colour in ((0.45, RIVER_EDGE), (0.0, RIVER)):
        for course in courses:
            bed = ribbon(course, [0.8 + grow, 1.2 + grow, 1.5 + grow, 1.8 + grow], parts=2)
            if pen.style is Style.LOW_INK and grow:
                pen.solid(bed, colour)
            else:
                pen.fill_background(bed, colour)
    for (x, y), turn in plan.bridge_spots:
        draw_thing(pen, "bridge", x, y, turn=turn)
    for name in plan.river_names:
        with pen.at(name.x, name.y, turn=name.turn):
            drop = -RIVER_POINTS * POINT * 0.24
            pen.text(
                0, drop, name.words, Font.TEXT_ITALIC, RIVER_POINTS, _WATER_NAME, align="middle", spacing=0.25
            )


def _draw_marks(pen: Pen, plan: MapPlan) -> None:
    """Cities, and homes with their numbers."""
    for city in plan.map.cities:
        mark = plan.labels[city].mark
        if mark:
            draw_thing(pen, "city", *mark)
    for number, home in enumerate(plan.map.homes, start=1):
        mark = plan.labels[home].mark
        if mark:
            draw_home(pen, number, *mark)
