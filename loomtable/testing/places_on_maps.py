"""The middles of the fields of printed maps, where figures stand on a virtual table."""

from __future__ import annotations

from loomtable.engine.storm_weavers.combat_map import CombatMap
from loomtable.engine.woven.regions import RegionKey, RegionMap
from loomtable.printkit.games.storm_weavers import combat_map as printed
from loomtable.printkit.games.woven.region_map_legend import FRAME
from loomtable.table.games.woven.board_regions import outlines
from loomtable.vision.quads import Point


def square_middle(plan: CombatMap, column: int, row: int) -> Point:
    """The middle of a square, mm on the map."""
    return printed.FRAME + (column + 0.5) * printed.SQUARE, printed.FRAME + (row + 0.5) * printed.SQUARE


def region_middle(ground: RegionMap, region: RegionKey) -> Point:
    """A place well inside a region, mm on its sheet."""
    point = dict(outlines(ground))[region].representative_point()
    return FRAME + point.x, FRAME + ground.size[1] - point.y
