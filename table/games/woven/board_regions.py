"""A region map of Woven on the table, held against the contest in the record."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import shapely

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.regions import RegionKey, RegionMap
from loomtable.engine.woven.state import Contest
from loomtable.printkit.games.woven.counter import CounterFace
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.games.woven.region_map_art import TAG, TAG_PLATE
from loomtable.printkit.games.woven.region_map_legend import FRAME, sheet_size
from loomtable.printkit.games.woven.region_map_plan import MapPlan
from loomtable.table.games.woven.counters import COUNTERS, counted, seats
from loomtable.table.reading.board import SURELY, Board, Counters
from loomtable.table.reading.board_geometry import UNCLEAR, tagged_map
from loomtable.vision.board.counters import counters_on_sheet
from loomtable.vision.board.maps import SeenSheet, TaggedSheet
from loomtable.vision.quads import Point
from loomtable.vision.table_looks import TableLook


def region_sheet(ground: RegionMap) -> TaggedSheet:
    """A region map with frame and legend; one without a number carries no tags and cannot be found."""
    width, height = sheet_size(ground)
    inside = (TAG_PLATE - TAG) / 2
    corners = tuple(
        (FRAME + x + inside, FRAME + ground.size[1] - y - TAG_PLATE + inside)
        for x, y in MapPlan(ground, ground.size[0]).tag_corners
    )
    return tagged_map(ground.number, width, height, corners, TAG)


@cache
def outlines(ground: RegionMap) -> tuple[tuple[RegionKey, shapely.Polygon], ...]:
    """Each region of a map, mm on the ground."""
    return tuple(MapPlan(ground, ground.size[0]).polygons.items())


def region_of(ground: RegionMap, place: Point) -> tuple[RegionKey | None, float]:
    """The region at a place of a region map's sheet (mm), and how far (mm) the nearest border is."""
    point = shapely.Point(place[0] - FRAME, ground.size[1] - (place[1] - FRAME))
    for key, outline in outlines(ground):
        if outline.contains(point):
            return key, float(outline.exterior.distance(point))
    return None, min(float(outline.exterior.distance(point)) for _, outline in outlines(ground))


def _named_region(ground: RegionMap, place: Point) -> tuple[str | None, float]:
    key, room = region_of(ground, place)
    return (ground.region(key).name if key is not None else None), room


def region_board(session: Session[Contest]) -> Board:
    """The region map of the contest, with mages and tendrils.

    Raises:
        IllegalAction: no contest was set up.
    """
    contest = session.state
    if not contest.mages:
        raise IllegalAction("no contest is set up, so there is nothing to hold the table against")
    ground, cast = contest.ground, seats(contest)
    names = {region.key: region.name for region in ground.regions}
    called = {mage.number: f"{mage.name} Mage" for mage in MAGES}
    return Board(
        region_sheet(ground),
        partial(_named_region, ground),
        {player: names[mage.place] if mage.on_map else "" for player, mage in contest.mages.items()},
        cast,
        called,
        {player: f"{player} ({called[number]})" for number, player in cast.items()},
        margin=15.0,
        counters=partial(_tendrils, contest),
    )


def _tendrils(contest: Contest, sheet: SeenSheet, look: TableLook) -> Counters:
    """The tendrils on a region map, beside those in the record."""
    ground = contest.ground
    record = {
        (player, ground.region(key).name): count
        for player, mage in contest.mages.items()
        for key, count in mage.tendrils.items()
    }
    seen = counters_on_sheet(sheet, look, COUNTERS)

    def field_at(place: Point) -> tuple[str | None, float]:
        field, room = _named_region(ground, place)
        return field, room - SURELY * sheet.position_error(sheet.pixels(np.array([place]))[0])

    return counted(CounterFace.TENDRIL, seen, field_at, sheet.pixels, record, seats(contest), UNCLEAR)
