"""Whether a region map is fair: what the ways from each start cost (WO-2, WO-5).

A start is a home, or in a game of two an edge of the map at which a player sits. For each we reckon the mana to
everything that matters: the other starts, the middle of the map, the cities. A map is fair when no start is much
better or worse off than another in any of these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from loomtable.engine.woven.regions import MapEdge, RegionKey, RegionMap, Terrain

FACING = (MapEdge.SOUTH, MapEdge.NORTH)
"""The edges at which two players sit."""
TOLERATED_MANA = 1.5
TOLERATED_SHARE = 0.15
"""Starts may differ by so much mana, or by this share of the average, whichever is more."""


LEAST_APART = 4.0
"""The nearest rival is at least so much mana away,"""
LEAST_TO_MIDDLE, LEAST_TO_RIVALS = 0.75, 0.55
"""and at least these shares as far as the middle of the map, and as the rivals are on average."""


class Ways(msgspec.Struct, frozen=True):
    """What the ways from one start cost, in mana, moving onto the map included."""

    start: str
    """A region, or an edge of the map."""
    rivals: float
    """To the other starts, on average."""
    nearest_rival: float
    middle: float
    cities: float
    """To the cities, on average; 0 on a map without any."""
    nearest_city: float

    @property
    def crowded(self) -> bool:
        """Whether a rival starts too close by."""
        least = max(LEAST_APART, LEAST_TO_MIDDLE * self.middle, LEAST_TO_RIVALS * self.rivals)
        return self.nearest_rival < least


MEASURES = ("rivals", "nearest_rival", "middle", "cities", "nearest_city")


class Spread(msgspec.Struct, frozen=True):
    """How far starts differ in one measure."""

    measure: str
    least: float
    most: float
    tolerated: float

    @property
    def excess(self) -> float:
        """How many times the tolerated difference it is; more than 1 is unfair."""
        return (self.most - self.least) / self.tolerated


class Fairness(msgspec.Struct, frozen=True):
    """All ways of a map, and how far they differ: among the homes, and between the two facing edges."""

    homes: tuple[Ways, ...]
    edges: tuple[Ways, ...]

    def spreads(self) -> tuple[Spread, ...]:
        """How far the starts differ in each measure."""
        return tuple(
            _spread(measure, [getattr(ways, measure) for ways in starts])
            for starts in (self.homes, self.edges)
            if len(starts) > 1
            for measure in MEASURES
        )

    @property
    def excess(self) -> float:
        """The worst spread in times of what is tolerated."""
        return max((spread.excess for spread in self.spreads()), default=0.0)

    @property
    def fair(self) -> bool:
        """Whether every spread is tolerated and nobody is crowded."""
        return self.excess <= 1 and not any(ways.crowded for ways in self.homes)


def _spread(measure: str, values: Sequence[float]) -> Spread:
    average = sum(values) / len(values)
    return Spread(measure, min(values), max(values), max(TOLERATED_MANA, TOLERATED_SHARE * average))


def middle_of(region_map: RegionMap) -> RegionKey:
    """The region on land whose middle is nearest to the middle of the map."""
    width, height = region_map.size
    dry = [region for region in region_map.regions if region.terrain is not Terrain.WATER]
    return min(dry, key=lambda r: math.dist(region_map.centre(r.key), (width / 2, height / 2))).key


class WayTable:
    """What every way on a map costs, reckoned once, so that homes and cities can be tried out quickly."""

    def __init__(self, region_map: RegionMap) -> None:
        self.middle = middle_of(region_map)
        self._map = region_map
        self._from_region: dict[RegionKey, Mapping[RegionKey, int]] = {}
        self._facing = {edge: region_map.edge(edge) for edge in FACING}
        self._from_edge = {
            edge: region_map.costs_from(*regions, entering=True) for edge, regions in self._facing.items()
        }

    def from_region(self, start: RegionKey) -> Mapping[RegionKey, int]:
        """The least mana to each region for a mage who enters the map at ``start``."""
        if start not in self._from_region:
            self._from_region[start] = self._map.costs_from(start, entering=True)
        return self._from_region[start]

    def fairness(self, homes: Sequence[RegionKey], cities: Sequence[RegionKey]) -> Fairness:
        """What the ways from each of these homes and from each of the two facing edges cost."""
        return Fairness(
            tuple(
                self._ways(home, self.from_region(home), [other for other in homes if other != home], cities)
                for home in homes
            ),
            tuple(
                self._ways(edge.value, self._from_edge[edge], self._facing[other], cities, nearest_only=True)
                for edge, other in (FACING, FACING[::-1])
            ),
        )

    def _ways(
        self,
        start: str,
        costs: Mapping[RegionKey, int],
        others: Sequence[RegionKey],
        cities: Sequence[RegionKey],
        *,
        nearest_only: bool = False,
    ) -> Ways:
        to_rivals = [costs[other] for other in others] or [0]
        to_cities = [costs[city] for city in cities] or [0]
        nearest = min(to_rivals)
        return Ways(
            start,
            rivals=nearest if nearest_only else sum(to_rivals) / len(to_rivals),
            nearest_rival=nearest,
            middle=costs[self.middle],
            cities=sum(to_cities) / len(to_cities),
            nearest_city=min(to_cities),
        )


def fairness(region_map: RegionMap) -> Fairness:
    """What the ways from each home and from each of the two facing edges of a map cost."""
    return WayTable(region_map).fairness(region_map.homes, region_map.cities)
