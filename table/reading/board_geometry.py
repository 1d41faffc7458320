"""Where tags stand on the printed maps, figures and tapestry cards, in the measures of the readers of ``vision``.

Drawings are measured from their lower left corner, y upwards; what is read is measured from the upper left one, y
downwards.
"""

from __future__ import annotations

from functools import cache

import shapely

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.tags import map_tags
from loomtable.engine.storm_weavers.combat_map import CombatMap
from loomtable.engine.storm_weavers.squares import Square, square_at
from loomtable.engine.woven.cards import COLUMNS, ROWS
from loomtable.engine.woven.region_map import RegionKey, RegionMap
from loomtable.printkit.components import figure
from loomtable.printkit.draw.tags import TAG_MODULES
from loomtable.printkit.games.storm_weavers import combat_map as combat
from loomtable.printkit.games.woven import tapestry_card
from loomtable.printkit.games.woven.region_map import sheet_size
from loomtable.printkit.games.woven.region_map_legend import FRAME
from loomtable.printkit.games.woven.region_map_plan import TAG, TAG_PLATE, MapPlan
from loomtable.vision.board import CardTags, FigurePrint, TaggedSheet
from loomtable.vision.quads import Point, Quad

UNCLEAR = 1.5
"""Millimetres: a figure whose middle is nearer to a border could as well stand beyond it."""
BASE_CARD = 1.5
"""Height of a standee's base and of a token, mm: card, and what it is glued to."""

TAPESTRY_TAGS = CardTags(
    tapestry_card.CELL, COLUMNS, ROWS, tapestry_card.TAG, tapestry_card.TAG_INSET + tapestry_card.TAG / 2
)
"""The tags of tapestry cards."""


def _square(left: float, top: float, side: float) -> Quad:
    return (left, top), (left + side, top), (left + side, top + side), (left, top + side)


def combat_sheet(plan: CombatMap) -> TaggedSheet:
    """A combat map with its frame; one without a number carries no tags and cannot be found."""
    width, height = combat.map_size(plan)
    near, side = combat.TAG_INSET, combat.TAG
    right, foot = width - near - side, height - near - side
    return _sheet(plan.number, width, height, ((near, near), (right, near), (right, foot), (near, foot)), side)


def region_sheet(ground: RegionMap) -> TaggedSheet:
    """A region map with frame and legend; one without a number carries no tags and cannot be found."""
    width, height = sheet_size(ground)
    inside = (TAG_PLATE - TAG) / 2
    corners = tuple(
        (FRAME + x + inside, FRAME + ground.size[1] - y - TAG_PLATE + inside)
        for x, y in MapPlan(ground, ground.size[0]).tag_corners
    )
    return _sheet(ground.number, width, height, corners, TAG)


def _sheet(number: int, width: float, height: float, corners: tuple[Point, ...], side: float) -> TaggedSheet:
    component = ComponentId(Kind.MAP, number or 1)
    tags = map_tags(component) if number else ()
    return TaggedSheet(
        component, width, height, {tag: _square(*at, side) for tag, at in zip(tags, corners, strict=bool(tags))}
    )


def square_of(plan: CombatMap, place: Point) -> tuple[Square | None, float]:
    """The square at a place of a combat map (mm), ``None`` beside all of them, and how far its lines are (mm)."""
    column, across = divmod((place[0] - combat.FRAME) / combat.SQUARE, 1)
    row, down = divmod((place[1] - combat.FRAME) / combat.SQUARE, 1)
    room = combat.SQUARE * min(across, 1 - across, down, 1 - down)
    if not (0 <= column < plan.width and 0 <= row < plan.height):
        return None, room
    return square_at(int(column), int(row)), room


def square_middle(plan: CombatMap, column: int, row: int) -> Point:
    """The middle of a square, mm on the map."""
    return combat.FRAME + (column + 0.5) * combat.SQUARE, combat.FRAME + (row + 0.5) * combat.SQUARE


@cache
def _outlines(ground: RegionMap) -> tuple[tuple[RegionKey, shapely.Polygon], ...]:
    return tuple(MapPlan(ground, ground.size[0]).polygons.items())


def region_of(ground: RegionMap, place: Point) -> tuple[RegionKey | None, float]:
    """The region at a place of a region map's sheet (mm), and how far (mm) the nearest border is."""
    point = shapely.Point(place[0] - FRAME, ground.size[1] - (place[1] - FRAME))
    for key, outline in _outlines(ground):
        if outline.contains(point):
            return key, float(outline.exterior.distance(point))
    return None, min(float(outline.exterior.distance(point)) for _, outline in _outlines(ground))


def region_middle(ground: RegionMap, region: RegionKey) -> Point:
    """A place well inside a region, mm on its sheet."""
    point = dict(_outlines(ground))[region].representative_point()
    return FRAME + point.x, FRAME + ground.size[1] - point.y


def _print(name: str, left: float, low: float, side: float, base_middle: Point, tags: int = 1) -> FigurePrint:
    """A print whose tag's lower left corner is (left, low), as drawn."""
    across, up = base_middle[0] - left - side / 2, base_middle[1] - low - side / 2
    return FigurePrint(name, side, (across, -up), figure.BASE, BASE_CARD, tags)


def _prints() -> tuple[FigurePrint, ...]:
    flap = (figure.FLAP - figure.FLAP_TAG) / 2
    side, edge = figure.TOKEN_TAG, figure.TOKEN_TAG / TAG_MODULES
    left, half = figure.BASE - 1.6 - side - edge, figure.BASE / 2
    return (
        _print("standee", flap + 0.2, flap, figure.FLAP_TAG, (half, figure.FLAP), tags=2),
        # On its two sides a token's tag stands 2.15 mm higher or lower: the middle between them serves both.
        _print("token", left, (4.9 + 1.8 + edge) / 2, side, (half, half)),
    )


FIGURE_PRINTS = _prints()
"""The ways in which figures are printed: standing, or flat."""
