"""The region map: regions with terrain, rivers along their borders, cities and home places (WO-2, WO-5).

``loomtable.engine.woven.region_map`` reads and writes such maps, ``loomtable.engine.woven.map.maker`` makes
them. The regions are polygons over shared corners: two regions are adjacent when they share a border, and a
border is two corners that follow one another in both. All lengths are millimetres on the printed map, x to the
right, y upwards.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import msgspec

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.wording import nearest

RegionKey: TypeAlias = str
"""The name of a region as it is typed: ``"hollow-fen"``."""
Point: TypeAlias = tuple[float, float]
"""x and y in mm."""
Border: TypeAlias = frozenset[int]
"""The two corners between which a border runs."""
StepRule: TypeAlias = Callable[[RegionKey, RegionKey], bool]
"""Whether a step from one region into an adjacent one is allowed."""

RIVER_COST = 3
"""What crossing a river adds, in mana (WO-5)."""


class Terrain(StrEnum):
    """What a region is (WO-5)."""

    PLAINS = "plains"
    FOREST = "forest"
    MOUNTAINS = "mountains"
    WATER = "water"

    @property
    def cost(self) -> int:
        """Mana to move into it (WO-5)."""
        return _COSTS[self]


_COSTS = {Terrain.PLAINS: 1, Terrain.FOREST: 2, Terrain.MOUNTAINS: 3, Terrain.WATER: 5}


class MapEdge(StrEnum):
    """An edge of the map, where a player sits in a game of two (WO-2)."""

    SOUTH = "south"
    NORTH = "north"
    WEST = "west"
    EAST = "east"


class Region(msgspec.Struct, frozen=True):
    """A location: its corners are numbers into the map's, anticlockwise."""

    key: RegionKey
    name: str
    terrain: Terrain
    corners: tuple[int, ...]

    def borders(self) -> tuple[Border, ...]:
        """Its borders all round, those on the edge of the map included."""
        return tuple(frozenset(side) for side in pairwise((*self.corners, self.corners[0])))


class River(msgspec.Struct, frozen=True):
    """A river: the corners along which it flows, from its source to its mouth."""

    name: str
    course: tuple[int, ...]

    def borders(self) -> tuple[Border, ...]:
        """The borders along which it runs, in the order of its flow."""
        return tuple(frozenset(step) for step in pairwise(self.course))


class RegionMap(msgspec.Struct, frozen=True, dict=True):
    """A map. ``corners`` are (x, y) in mm on a sheet of ``size`` (width, height).

    ``homes`` are the places of the home cards, in their order (WO-1); ``cities`` those that the ruling on city
    control counts; ``bridges`` pairs of adjacent regions between which a river is crossed for nothing. ``number``
    is that of the printed sheet, 21 to 40, or 0 where it carries no tags.
    """

    key: str
    title: str
    licence: str
    size: tuple[float, float]
    corners: tuple[Point, ...]
    regions: tuple[Region, ...]
    rivers: tuple[River, ...] = ()
    bridges: tuple[tuple[RegionKey, RegionKey], ...] = ()
    cities: tuple[RegionKey, ...] = ()
    homes: tuple[RegionKey, ...] = ()
    seed: str = ""
    number: int = 0

    @cached_property
    def by_key(self) -> Mapping[RegionKey, Region]:
        """The regions by key."""
        return {region.key: region for region in self.regions}

    @cached_property
    def sides_of(self) -> Mapping[Border, tuple[RegionKey, ...]]:
        """The regions, one or two, on the sides of each border."""
        sides: dict[Border, tuple[RegionKey, ...]] = {}
        for region in self.regions:
            for border in region.borders():
                sides[border] = (*sides.get(border, ()), region.key)
        return sides

    @cached_property
    def river_borders(self) -> frozenset[Border]:
        """The borders along which rivers run."""
        return frozenset(border for river in self.rivers for border in river.borders())

    @cached_property
    def _borders_of(self) -> Mapping[RegionKey, Mapping[RegionKey, tuple[Border, ...]]]:
        """For each region its neighbours, in the order of the file, and the borders that it shares with them."""
        shared: dict[RegionKey, dict[RegionKey, tuple[Border, ...]]] = {key: {} for key in self.by_key}
        for border, sides in self.sides_of.items():
            if len(sides) == 2:
                for one, other in (sides, sides[::-1]):
                    shared[one][other] = (*shared[one].get(other, ()), border)
        return {
            key: {other: around[other] for other in self.by_key if other in around}
            for key, around in shared.items()
        }

    @cached_property
    def _bridged(self) -> frozenset[frozenset[RegionKey]]:
        return frozenset(frozenset(pair) for pair in self.bridges)

    def region(self, key: RegionKey) -> Region:
        """The region of this key.

        Raises:
            IllegalAction: there is none; the message names the nearest one.
        """
        if key not in self.by_key:
            where = f"on the map {self.key}{nearest(key, self.by_key)}"
            raise IllegalAction(f"there is no region {key[:40]!r} {where}")
        return self.by_key[key]

    def outline(self, key: RegionKey) -> tuple[Point, ...]:
        """The region's corners in mm, anticlockwise."""
        return tuple(self.corners[at] for at in self.region(key).corners)

    def centre(self, key: RegionKey) -> Point:
        """The region's centre of gravity in mm."""
        outline = self.outline(key)
        doubled = x = y = 0.0
        for (x1, y1), (x2, y2) in pairwise((*outline, outline[0])):
            cross = x1 * y2 - x2 * y1
            doubled, x, y = doubled + cross, x + (x1 + x2) * cross, y + (y1 + y2) * cross
        return x / (3 * doubled), y / (3 * doubled)

    def neighbours(self, key: RegionKey) -> tuple[RegionKey, ...]:
        """The adjacent regions, in the order of the file."""
        return tuple(self._borders_of[self.region(key).key])

    def shared_borders(self, one: RegionKey, other: RegionKey) -> tuple[Border, ...]:
        """The borders that two regions share; none if they are not adjacent."""
        return self._borders_of[self.region(one).key].get(self.region(other).key, ())

    def adjacent(self, one: RegionKey, other: RegionKey) -> bool:
        """Whether two regions share a border; a corner alone does not count."""
        return bool(self.shared_borders(one, other))

    def bridged(self, one: RegionKey, other: RegionKey) -> bool:
        """Whether a bridge leads from one region to the other."""
        return frozenset((one, other)) in self._bridged

    def river_between(self, one: RegionKey, other: RegionKey) -> bool:
        """Whether a river without a bridge runs along all of the border that they share."""
        shared = self.shared_borders(one, other)
        return bool(shared) and self.river_borders.issuperset(shared) and not self.bridged(one, other)

    def beside_water(self, key: RegionKey) -> bool:
        """Whether a river runs along one of its borders, or an adjacent region is water."""
        return any(border in self.river_borders for border in self.region(key).borders()) or any(
            self.by_key[other].terrain is Terrain.WATER for other in self.neighbours(key)
        )

    def step_cost(self, start: RegionKey, end: RegionKey) -> int:
        """Mana to move from a region into an adjacent one (WO-5).

        Raises:
            IllegalAction: they are not adjacent, or there is no such region.
        """
        if not self.adjacent(start, end):
            raise IllegalAction(f"{self.region(end).name} is not adjacent to {self.region(start).name}")
        return self._step_costs[start][end]

    @cached_property
    def _step_costs(self) -> Mapping[RegionKey, Mapping[RegionKey, int]]:
        return {
            key: {
                other: self.by_key[other].terrain.cost + RIVER_COST * self.river_between(key, other)
                for other in around
            }
            for key, around in self._borders_of.items()
        }

    def costs_from(self, *starts: RegionKey, entering: bool = False) -> Mapping[RegionKey, int]:
        """The least mana with which each region can be reached from the nearest of ``starts``.

        The starts cost 0 or, for somebody ``entering`` the map there, as much as their terrain.

        Raises:
            IllegalAction: a start is no region of this map.
        """
        costs: dict[RegionKey, int] = {}
        waiting = [(self.region(start).terrain.cost if entering else 0, start) for start in starts]
        heapq.heapify(waiting)
        while waiting:
            cost, key = heapq.heappop(waiting)
            if key in costs:
                continue
            costs[key] = cost
            for other, step in self._step_costs[key].items():
                if other not in costs:
                    heapq.heappush(waiting, (cost + step, other))
        return costs

    def within(self, start: RegionKey, steps: int, *, may_step: StepRule | None = None) -> Mapping[RegionKey, int]:
        """The regions that can be reached in at most ``steps`` steps, with the fewest steps; ``start`` takes 0.

        Without ``may_step`` neither terrain nor rivers matter, as for tendrils (WO-7).

        Raises:
            IllegalAction: there is no such region.
        """
        found = {self.region(start).key: 0}
        rim = [start]
        for taken in range(1, steps + 1):
            rim = [
                other
                for key in rim
                for other in self.neighbours(key)
                if other not in found and (may_step is None or may_step(key, other))
                if found.setdefault(other, taken) == taken
            ]
            if not rim:
                break
        return found

    def edge(self, side: MapEdge) -> tuple[RegionKey, ...]:
        """The regions at an edge of the map, from left to right or from below upwards (WO-2)."""
        axis, along = (1, 0) if side in (MapEdge.SOUTH, MapEdge.NORTH) else (0, 1)
        limit = 0.0 if side in (MapEdge.SOUTH, MapEdge.WEST) else self.size[axis]
        found = {
            sides[0]: min(self.corners[at][along] for at in border)
            for border, sides in self.sides_of.items()
            if len(sides) == 1 and all(self.corners[at][axis] == limit for at in border)
        }
        return tuple(sorted(found, key=lambda key: found[key]))
