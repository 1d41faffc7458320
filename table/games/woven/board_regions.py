"""A region map of Woven on the table, held against the contest in the book."""

from __future__ import annotations

from collections import Counter
from functools import cache

import shapely

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.gestures import Offer
from loomtable.engine.kernel.offered import refusal
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import listed
from loomtable.engine.woven.region_map import RegionKey, RegionMap
from loomtable.engine.woven.state import Contest
from loomtable.printkit.games.woven.counter import CounterFace
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.games.woven.region_map import sheet_size
from loomtable.printkit.games.woven.region_map_legend import FRAME
from loomtable.printkit.games.woven.region_map_plan import TAG, TAG_PLATE, MapPlan
from loomtable.table.games.woven.counters import COUNTERS
from loomtable.table.reading.board import Board, BoardLook, look_at_board
from loomtable.table.reading.board_geometry import UNCLEAR, tagged_map
from loomtable.vision.board import TaggedSheet, counters_on_sheet, find_sheet
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Point
from loomtable.vision.tags import find_tags


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


def seats(contest: Contest) -> dict[int, str]:
    """Which mage's figure is whose, by the players' colours."""
    numbers = {mage.name.casefold(): mage.number for mage in MAGES}
    return {numbers[mage.colour]: name for name, mage in contest.mages.items()}


def region_board(session: Session[Contest]) -> Board:
    """The region map of the contest. Tendrils carry no tag; where the book has them is told.

    Raises:
        IllegalAction: no contest was set up.
    """
    contest = session.state
    if not contest.mages:
        raise IllegalAction("no contest is set up, so there is nothing to hold the table against")
    ground, cast = contest.ground, seats(contest)
    names = {region.key: region.name for region in ground.regions}
    called = {mage.number: f"{mage.name} Mage" for mage in MAGES}

    def whose(place: Point) -> tuple[str | None, float]:
        key, room = region_of(ground, place)
        return (names[key] if key is not None else None), room

    return Board(
        region_sheet(ground),
        whose,
        {player: names[mage.place] if mage.on_map else "" for player, mage in contest.mages.items()},
        cast,
        called,
        {player: f"{player} ({called[number]})" for number, player in cast.items()},
        tuple(_tendrils(contest)),
        margin=15.0,
    )


def look_at_regions(session: Session[Contest], picture: BgrImage) -> BoardLook:
    """Hold the mages on a region map against the contest, and offer a move made by hand.

    Raises:
        IllegalAction: no contest was set up.
    """
    return look_at_board(session, region_board(session), picture)


def placed_tendril(session: Session[Contest], who: str, picture: BgrImage) -> Offer | None:
    """A tendril counter that was put on the map or moved, as a step of the game; nothing without one."""
    contest = session.state
    mage, ground = contest.mage(who), contest.ground
    sheet = region_sheet(ground)
    figure = next((number for number, name in seats(contest).items() if name == who), 0)
    search = find_sheet(find_tags(picture, among=tuple(sheet.tags), quick=True), [sheet], picture.shape)
    if search.sheet is None:
        return None
    counters = counters_on_sheet(search.sheet, picture, COUNTERS)
    mine = [one for one in counters if (one.figure, one.kind) == (figure, CounterFace.TENDRIL)]
    where = [region_of(ground, one.place) for one in mine]
    there = Counter(key for key, _ in where if key is not None)
    more, fewer = there - Counter(mage.tendrils), Counter(mage.tendrils) - there
    if not more:
        return None
    to, start = next(iter(more)), next(iter(fewer), "")
    if start:
        says = f"{who} moves a tendril from {ground.region(start).name} to {ground.region(to).name}"
        action = Action("move-tendril", {"who": who, "start": start, "to": to})
    else:
        says, action = (
            f"{who} creates a tendril in {ground.region(to).name}",
            Action("create-tendril", {"who": who}),
        )
    unclear = any(one.doubt for one in mine) or any(room < UNCLEAR for _, room in where)
    reason = "push the counters to the middle of their regions" if unclear else ""
    if more.total() > 1 or fewer.total() > 1:
        reason = "move one tendril at a time"
    elif not start and to != mage.place:
        reason = f"a tendril begins where {who} is"
    return Offer(says, action, reason=reason or refusal(session, action), about=says)


def _tendrils(contest: Contest) -> list[str]:
    """Where the book has tendrils, for people to look at: they carry no tag."""
    region = contest.ground.region
    told = []
    for name, mage in contest.mages.items():
        if mage.tendrils:
            places = [
                f"{region(key).name}{f' ({count})' if count > 1 else ''}" for key, count in mage.tendrils.items()
            ]
            told.append(
                f"tendrils carry no tag: see that {name}'s are in {listed(places)}, where the book has them"
            )
    return told
