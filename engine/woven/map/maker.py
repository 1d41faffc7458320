"""Making region maps from a seed: land, rivers, cities and homes, tried until it is fair (WO-1, WO-2, WO-5).

``make_map("7", MapSize.MEDIUM, homes=5)`` gives the same map every time. Each seed stands for a row of tries; the
first try whose map is fair to every home and to both facing edges is the one that is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.woven.map.chance import MapChance
from loomtable.engine.woven.map.land import regions_of, scatter, terrain_of
from loomtable.engine.woven.map.names import land_name, region_names, river_names
from loomtable.engine.woven.map.places import settled
from loomtable.engine.woven.map.rivers import bridges_of, rivers_of
from loomtable.engine.woven.region_map import LICENCE
from loomtable.engine.woven.regions import Point, Region, RegionMap, River, Terrain
from loomtable.engine.woven.regions_check import check_region_map

MOST_TRIES = 400
LEAST_HOMES, MOST_HOMES = 2, 5
"""There are five home cards, and as many players at most (WO-1)."""


class MapSize(StrEnum):
    """How large a map is."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


class LandPlan(msgspec.Struct, frozen=True):
    """What a map of one size holds. The regions that are none of these are plains."""

    size: Point
    regions: int
    forest: int
    mountains: int
    water: int
    rivers: int
    cities: int


# A medium map has as many regions of each terrain as the map of the game's playtests, which had no water; ours
# takes four of its plains for lakes. The others keep these shares. With its title and legend a small or medium map
# fills a sheet of A4, a large one of A3.
PLANS: Mapping[MapSize, LandPlan] = {
    MapSize.SMALL: LandPlan((276.0, 166.0), 46, forest=13, mountains=7, water=3, rivers=2, cities=4),
    MapSize.MEDIUM: LandPlan((276.0, 166.0), 78, forest=22, mountains=12, water=4, rivers=3, cities=4),
    MapSize.LARGE: LandPlan((398.0, 250.0), 130, forest=37, mountains=20, water=7, rivers=5, cities=4),
}


def make_map(seed: str, size: MapSize = MapSize.MEDIUM, homes: int = 5, *, title: str = "") -> RegionMap:
    """The region map of this seed, with so many homes; ``title`` instead of a name from our lists.

    Raises:
        ContentInvalid: too few or too many homes, or none of the tries was fair.
    """
    if not LEAST_HOMES <= homes <= MOST_HOMES:
        raise ContentInvalid(f"a map has {LEAST_HOMES} to {MOST_HOMES} homes, not {homes}")
    if title and not _slug(title)[:1].isalpha():
        raise ContentInvalid(f"{title[:40]!r} is no title for a map: it must begin with a letter from A to Z")
    for number in range(MOST_TRIES):
        tried = _try(MapChance(f"{seed}/{size}/{homes}/{number}"), PLANS[size], homes)
        if tried is not None:
            named = title or tried.title
            made = msgspec.structs.replace(tried, key=_slug(named), title=named, seed=seed)
            check_region_map(made)
            return made
    raise ContentInvalid(
        f"none of {MOST_TRIES} maps of the seed {seed[:40]!r} with {homes} homes was fair; try another seed"
    )


def _try(chance: MapChance, plan: LandPlan, homes: int) -> RegionMap | None:
    """One map; ``None`` if the land has no room for its rivers, or no homes and cities on it are fair."""
    sites = scatter(chance, plan.regions, plan.size)
    land = regions_of(sites, plan.size)
    if land is None:
        return None
    corners, cells = land
    counts = {Terrain.WATER: plan.water, Terrain.MOUNTAINS: plan.mountains, Terrain.FOREST: plan.forest}
    terrains, heights = terrain_of(sites, counts, chance, plan.size)
    names = region_names(terrains, chance)
    title = land_name(chance)
    bare = RegionMap(
        key=_slug(title),
        title=title,
        licence=LICENCE,
        size=plan.size,
        corners=tuple(corners),
        regions=tuple(
            Region(_slug(name), name, terrain, cell)
            for name, terrain, cell in zip(names, terrains, cells, strict=True)
        ),
    )
    courses = rivers_of(bare, heights, plan.rivers, chance)
    if len(courses) < plan.rivers:
        return None
    called = river_names(len(courses), chance)
    wet = msgspec.structs.replace(
        bare, rivers=tuple(River(name, course) for name, course in zip(called, courses, strict=True))
    )
    bridged = msgspec.structs.replace(wet, bridges=bridges_of(wet))
    return settled(bridged, homes, plan.cities, chance)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
