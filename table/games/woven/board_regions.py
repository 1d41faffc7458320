"""A region map of Woven on the table, held against the contest in the book."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import shapely

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import listed
from loomtable.engine.woven.region_map import RegionKey, RegionMap
from loomtable.engine.woven.state import Contest
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.games.woven.region_map import sheet_size
from loomtable.printkit.games.woven.region_map_legend import FRAME
from loomtable.printkit.games.woven.region_map_plan import TAG, TAG_PLATE, MapPlan
from loomtable.table.reading.board import BESIDE, BoardLook, Offer, Standing, refusal, standing, tags_of_figures
from loomtable.table.reading.board_geometry import FIGURE_PRINTS, tagged_map
from loomtable.vision.board import TaggedSheet, figures_on, find_sheet
from loomtable.vision.board.maps import tag_advice
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


def look_at_regions(
    session: Session[Contest],
    picture: BgrImage,
    *,
    whose_figures: Mapping[int, str] | None = None,
) -> BoardLook:
    """Hold the mages on a region map against the contest, and offer a move made by hand.

    Tendrils carry no tag. They are not looked for; where the book has them is told, so that people can see to it.

    Args:
        picture: (height, width, 3) blue green red, 8 bits.
        whose_figures: which player each mage's figure number belongs to, as ``seats`` gives it.

    Raises:
        IllegalAction: no contest was set up.
    """
    contest = session.state
    if not contest.mages:
        raise IllegalAction("no contest is set up, so there is nothing to hold the table against")
    ground = contest.ground
    names = {region.key: region.name for region in ground.regions}
    tags = find_tags(picture)
    advice = tag_advice(tags)
    notes = (advice,) if advice else ()
    search = find_sheet(tags, [region_sheet(ground)], picture.shape)
    if search.sheet is None:
        return BoardLook(reason=search.reason, notes=notes)

    def whose(place: Point) -> tuple[str | None, float]:
        key, room = region_of(ground, place)
        return (names[key] if key is not None else None), room

    players = seats(contest) if whose_figures is None else dict(whose_figures)
    seen = figures_on(search.sheet, tags_of_figures(tags), FIGURE_PRINTS, margin=15.0)
    called = {mage.number: f"{mage.name} Mage" for mage in MAGES}
    standings: dict[str, Standing] = {}
    for number, player in players.items():
        mage = contest.mage(player)
        mine = [one for one in seen if one.number == number]
        book = names[mage.place] if mage.on_map else ""
        if mine or mage.on_map:
            standings[player] = standing(f"{player} ({called.get(number, number)})", mine, book, whose)
    strangers = [
        standing(called.get(number, f"Figure {number}"), [one for one in seen if one.number == number], "", whose)
        for number in dict.fromkeys(one.number for one in seen if one.number not in players)
    ]
    offer = _offer(session, standings, {name: key for key, name in names.items()})
    every, notes = (*standings.values(), *strangers), (*_tendrils(contest), *notes)
    return BoardLook(every, search.sheet.outline, offer, notes=notes)


def _offer(
    session: Session[Contest], standings: Mapping[str, Standing], regions: Mapping[str, RegionKey]
) -> Offer | None:
    """The move of a mage who stands clearly in another region than in the book, first of whose turn it is."""
    turn = session.state.turn
    moved = [who for who, mage in standings.items() if mage.seen not in ("", BESIDE, mage.book)]
    if not moved:
        return None
    who = turn.mage if turn is not None and turn.mage in moved else moved[0]
    mage = standings[who]
    came = f"from {mage.book} into" if mage.book else "onto the map, into"
    to = regions[mage.seen]
    action = Action("move", {"who": who, "to": to})
    reason = session.refusal(action.name, **action.args)
    return Offer(
        f"{who} moves {came} {mage.seen}", action, reason=reason or refusal(session, action), about=mage.name
    )


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
