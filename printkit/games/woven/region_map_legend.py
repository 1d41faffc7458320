"""The sheet of a region map: its frame and tags, and below it the title and a legend with what each step costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.tags import map_tags
from loomtable.engine.woven.region_map import map_names, region_map
from loomtable.engine.woven.regions import RIVER_COST, RegionMap, Terrain
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.land import draw_thing
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.path import rect, ribbon, rounded, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import draw_tag
from loomtable.printkit.draw.type import Font, fit_line
from loomtable.printkit.games.woven.region_map_art import (
    GROUND,
    INK,
    PARCHMENT,
    RIM,
    RIVER,
    RIVER_EDGE,
    TAG,
    TAG_PLATE,
    draw_home,
)
from loomtable.printkit.sheet.pieces import LargeDrawing

FRAME = 3.0
"""Width of the frame on each side (mm)."""
FOOT = 16.0
"""Height of the strip with title and legend below the frame (mm)."""
LEAST_SCALE = 0.94
"""Nothing is measured on a region map: it may be this much smaller where that saves a page."""
_BAR = 10.0
"""Length of one bar of the frame (mm)."""
_ITEM, _ITEMS = 22.5, 8
_SWATCH_WIDTH, _SWATCH_HEIGHT = 17.0, 8.4
_COMPASS = 14.0


def draw_frame(pen: Pen, width: float, height: float) -> None:
    """A frame of alternating bars, as maps have it, with a star at each corner; width x height mm outside."""
    ring = rect(0, 0, width, height) + rect(FRAME, FRAME, width - 2 * FRAME, height - 2 * FRAME)
    pen.fill_background(ring, PARCHMENT, even_odd=True)
    inner = FRAME - 0.8
    for length, upright in ((width, False), (height, True)):
        count = round((length - 2 * FRAME) / (2 * _BAR)) * 2 + 1
        step = (length - 2 * FRAME) / count
        for at in range(0, count, 2):
            start = FRAME + at * step
            for near in (0.8, (height if not upright else width) - inner):
                bar = rect(near, start, inner - 0.8, step) if upright else rect(start, near, step, inner - 0.8)
                pen.fill(bar, INK, tone=True)
    for inset, line in ((0.2, 0.4), (0.8, 0.15), (inner, 0.15), (FRAME - 0.1, 0.45)):
        pen.stroke(rect(inset, inset, width - 2 * inset, height - 2 * inset), INK, line)
    for x in (FRAME / 2, width - FRAME / 2):
        for y in (FRAME / 2, height - FRAME / 2):
            pen.fill_background(
                rect(x - FRAME / 2 + 0.2, y - FRAME / 2 + 0.2, FRAME - 0.4, FRAME - 0.4), PARCHMENT
            )
            pen.stroke(rect(x - FRAME / 2 + 0.2, y - FRAME / 2 + 0.2, FRAME - 0.4, FRAME - 0.4), INK, 0.3)
            pen.solid(star(x, y, 1.15, 0.45, 4), INK)


def draw_legend(pen: Pen, region_map: RegionMap, width: float) -> None:
    """The compass, the title, and what each sign means; the strip's lower left corner is the origin.

    Raises:
        GlyphMissing: the title has a character that the font lacks.
        TextTooLong: the title does not fit beside the legend.
    """
    x, y = _COMPASS / 2, FOOT / 2 - 1.6
    draw_thing(pen, "compass", x, y)
    pen.text(x, y + 5.8, "N", Font.TITLE, 7.5, INK, align="middle")
    room = width - _COMPASS - _ITEM * _ITEMS - 4
    points = fit_line(region_map.title, Font.TITLE, room, 20, 9, f"the map {region_map.key}")
    pen.text(_COMPASS + 1.5, 7.4, region_map.title, Font.TITLE, points, INK)
    count = f"{len(region_map.regions)} regions · a map for Woven"
    small = fit_line(count, Font.TEXT_ITALIC, room, 8, 6, f"the map {region_map.key}")
    pen.text(_COMPASS + 1.6, 2.9, count, Font.TEXT_ITALIC, small, INK)
    for at, (name, cost, draw) in enumerate(_items()):
        with pen.at(width - (_ITEMS - at) * _ITEM + (_ITEM - _SWATCH_WIDTH), 0):
            outline = rounded(0, 6.2, _SWATCH_WIDTH, _SWATCH_HEIGHT, 1.2)
            with pen.clipped(outline):
                draw(pen)
            pen.stroke(outline, INK, 0.25)
            pen.text(_SWATCH_WIDTH / 2, 3.2, name, Font.TITLE, 8, INK, align="middle")
            pen.text(_SWATCH_WIDTH / 2, 0.5, cost, Font.LABEL, 7, INK, align="middle")


_ON = {
    "plains": "field 5 9.6, tuft 9.6 11.6, tuft 12 8.6, tuft 14 11, tuft 2.8 12.4, tuft 8.2 8, bush 13.6 12.3",
    "forest": "tree-1 3 11, fir 7 11, tree-2 10 11, tree-1 13.6 11, fir 4.9 7.4, tree-2 8.6 7.6, tree-1 12 7.3",
    "mountains": "mountain-1 5.4 8.4, mountain-2 11.8 7.6",
    "water": "wave 4.4 11.8, wave 9.6 12.2, wave 13.2 10.2, wave 7.2 9.8, wave 3.6 8.2, wave 11.4 7.8",
}
"""What the legend shows of each terrain, and where (mm)."""


def _items() -> list[tuple[str, str, Callable[[Pen], None]]]:
    terrains = ((name, f"{Terrain(name).cost} mana", partial(_ground, of=name, on=_ON[name])) for name in _ON)
    return [
        *((name.capitalize(), cost, draw) for name, cost, draw in terrains),
        ("River", f"{RIVER_COST} mana more", _river),
        ("Bridge", "nothing more", _bridge),
        ("City", "", partial(_ground, on=f"city {_SWATCH_WIDTH / 2} 7.2")),
        ("Home", "by its number", _home),
    ]


def _ground(pen: Pen, of: str = "plains", on: str = "") -> None:
    """The ground of a terrain, and things on it."""
    ground, terrain = rect(0, 6.2, _SWATCH_WIDTH, _SWATCH_HEIGHT), Terrain(of)
    pen.fill_background(ground, GROUND[terrain])
    pen.stroke(ground, RIM[terrain], 2.4, tone=True)
    for name, x, y in (thing.split() for thing in on.split(", ") if thing):
        draw_thing(pen, name, float(x), float(y))


def _river(pen: Pen) -> None:
    _ground(pen)
    course = [(-1.0, 9.0), (4.0, 10.9), (9.0, 9.4), (13.0, 11.0), (18.0, 10.0)]
    for grow, colour in ((0.45, RIVER_EDGE), (0.0, RIVER)):
        bed = ribbon(course, [1.3 + grow, 1.7 + grow])
        if pen.style is Style.LOW_INK and grow:
            pen.solid(bed, colour)
        else:
            pen.fill_background(bed, colour)


def _bridge(pen: Pen) -> None:
    _river(pen)
    draw_thing(pen, "bridge", 8.9, 9.6, turn=90)


def _home(pen: Pen) -> None:
    _ground(pen)
    draw_home(pen, 1, _SWATCH_WIDTH / 2, 7.1)


def sheet_size(region_map: RegionMap) -> tuple[float, float]:
    """Width and height in mm of the map at true scale with its frame, title and legend."""
    width, height = region_map.size
    return width + 2 * FRAME, height + 2 * FRAME + FOOT


def draw_region_sheet(pen: Pen, region_map: RegionMap) -> None:
    """Draw the map at true scale with its frame, title and legend, the lower left corner at the origin.

    Raises:
        GlyphMissing: the title or a name has a character that the font lacks.
        TextTooLong: the title does not fit beside the legend, or a name its region.
    """
    from loomtable.printkit.games.woven.region_map import draw_region_map  # it needs NumPy and Shapely

    width, height = region_map.size
    with pen.at(FRAME, FOOT + FRAME):
        draw_region_map(pen, region_map, width)
        _draw_tags(pen, region_map)
    with pen.at(0, FOOT):
        draw_frame(pen, width + 2 * FRAME, height + 2 * FRAME)
    draw_legend(pen, region_map, width + 2 * FRAME)


def region_sheet(region_map: RegionMap) -> LargeDrawing:
    """The map with frame, title and legend as something to print: one page, or tiles where the paper is small."""
    return LargeDrawing(
        ComponentId(Kind.MAP, region_map.number) if region_map.number else None,
        region_map.title,
        *sheet_size(region_map),
        lambda pen: draw_region_sheet(pen, region_map),
        least_scale=LEAST_SCALE,
    )


def region_sheets(options: RenderOptions) -> list[LargeDrawing]:
    """Every installed map."""
    return [region_sheet(region_map(name)) for name in map_names()]


def _draw_tags(pen: Pen, region_map: RegionMap) -> None:
    """A tag in each corner of a numbered map, on a plate joined to the frame: a camera finds the map by them."""
    from loomtable.printkit.games.woven.region_map_plan import MapPlan

    if not region_map.number:
        return
    tags = map_tags(ComponentId(Kind.MAP, region_map.number))
    for tag, (x, y) in zip(tags, MapPlan(region_map, region_map.size[0]).tag_corners, strict=True):
        pen.fill_background(rect(x, y, TAG_PLATE, TAG_PLATE), PARCHMENT)
        pen.stroke(rect(x, y, TAG_PLATE, TAG_PLATE), INK, 0.3)
        draw_tag(pen, tag, x + (TAG_PLATE - TAG) / 2, y + (TAG_PLATE - TAG) / 2, TAG)
