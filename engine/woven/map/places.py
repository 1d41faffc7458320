"""Where homes and cities of a map that is made lie: tried out and moved until no start is better off than
another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import msgspec

from loomtable.engine.woven.map.chance import MapChance
from loomtable.engine.woven.map.fairness import Fairness, WayTable
from loomtable.engine.woven.regions import Point, RegionKey, RegionMap, Terrain

Places = tuple[RegionKey, ...]
Worth = Callable[[Places], float]
"""How bad these places are; less is better."""

HOME_RING, CITY_RING = 0.72, 0.42
"""Homes and cities are first tried on a ring at this share of the way from the middle to the edge of the map."""
_TURNS = 3
"""Turns of the ring that are tried."""
_NEARBY = 6
"""So many regions around a place are tried instead of it."""
_APART = 0.5
"""What a mana of distance between places is worth against fairness: they should not crowd."""


def settled(land: RegionMap, homes: int, cities: int, chance: MapChance) -> RegionMap | None:
    """The land with homes and cities on it; ``None`` if none that were tried are fair to everyone."""
    table = WayTable(land)
    if not table.fairness((), ()).fair:
        return None  # one of the facing edges is better off, wherever homes and cities lie
    plains = [
        region.key for region in land.regions if region.terrain is Terrain.PLAINS and region.key != table.middle
    ]
    nearby = _nearby(land, plains)

    def home_worth(places: Places) -> float:
        found = table.fairness(places, ())
        apart = min(ways.nearest_rival for ways in found.homes) + min(ways.middle for ways in found.homes) / 2
        return _unfairness(found) - _APART * apart

    all_homes = _best(land, homes, HOME_RING, nearby, home_worth, chance)
    if all_homes is None or not table.fairness(all_homes, ()).fair:
        return None
    nearby = _nearby(land, [key for key in plains if key not in all_homes])

    def city_worth(places: Places) -> float:
        between = min(table.from_region(place)[other] for place in places for other in places if place != other)
        return _unfairness(table.fairness(all_homes, places)) - _APART * between

    all_cities = _best(land, cities, CITY_RING, nearby, city_worth, chance)
    if all_cities is None or not table.fairness(all_homes, all_cities).fair:
        return None
    return msgspec.structs.replace(land, homes=all_homes, cities=all_cities)


def _unfairness(found: Fairness) -> float:
    """Above all no spread may be more than tolerated, and nobody crowded; then spreads should be small."""
    excesses = [spread.excess for spread in found.spreads()]
    crowded = sum(ways.crowded for ways in found.homes)
    return sum(excesses) + 10 * (crowded + sum(max(0.0, excess - 1) for excess in excesses))


def _nearby(land: RegionMap, keys: Sequence[RegionKey]) -> Mapping[RegionKey, Places]:
    """For each region the nearest others of these, as the crow flies."""
    centres = {key: land.centre(key) for key in keys}
    return {
        key: tuple(sorted(centres, key=lambda other: math.dist(centres[key], centres[other]))[1 : _NEARBY + 1])
        for key in keys
    }


def _best(
    land: RegionMap,
    count: int,
    ring: float,
    nearby: Mapping[RegionKey, Places],
    worth: Worth,
    chance: MapChance,
) -> Places | None:
    """The best of several rings of places, each improved step by step; ``None`` if the land has no room."""
    start = chance.between(0, math.tau)
    rings = [
        _ring(land, count, ring, start + turn * math.tau / (count * _TURNS), list(nearby))
        for turn in range(_TURNS)
    ]
    improved = [_improved(places, nearby, worth) for places in rings if places]
    return min(improved, key=worth) if improved else None


def _ring(land: RegionMap, count: int, share: float, start: float, keys: Sequence[RegionKey]) -> Places:
    """Regions spread round the middle of the map; none if there are too few."""
    width, height = land.size
    places: list[RegionKey] = []
    for number in range(count if count <= len(keys) else 0):
        angle = start + number * math.tau / count
        at: Point = (
            width / 2 * (1 + share * math.cos(angle)),
            height / 2 * (1 + share * math.sin(angle)),
        )
        free = [key for key in keys if key not in places]
        places.append(min(free, key=lambda key: math.dist(land.centre(key), at)))
    return tuple(places)


def _improved(places: Places, nearby: Mapping[RegionKey, Places], worth: Worth) -> Places:
    """Move one place at a time to a region nearby, as long as that helps."""
    best = worth(places)
    while True:
        tries = [
            (*places[:number], other, *places[number + 1 :])
            for number, place in enumerate(places)
            for other in nearby[place]
            if other not in places
        ]
        found = min(tries, key=worth, default=places)
        value = worth(found)
        if value >= best:
            return places
        best, places = value, found
