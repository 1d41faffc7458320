"""Rivers of a map that is made: they run along borders from the mountains to water or the edge of the map."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

from loomtable.engine.woven.map.chance import MapChance
from loomtable.engine.woven.regions import Border, Point, RegionMap, Terrain

UPHILL = 3.0
"""How much farther a border seems to a river for each unit that it would have to climb."""
LEAST_BORDERS = 4
"""A river is at least so many borders long."""
BORDERS_FOR_EACH_BRIDGE = 4
"""A river gets one bridge for so many borders."""


@dataclass(frozen=True)
class _RiverGround:
    """What a river may run along: for each corner the corners that borders lead to, and what each costs."""

    ways: dict[int, dict[int, float]]
    sources: tuple[int, ...]
    """Corners of mountains, the highest first."""
    mouths: frozenset[int]
    """Corners where a river may end."""


def _ground(region_map: RegionMap, heights: Sequence[float]) -> _RiverGround:
    """Borders between two regions of land; a river does not run along a shore."""
    height_of = dict(zip(region_map.by_key, heights, strict=True))
    around: dict[int, list[str]] = {}
    for region in region_map.regions:
        for corner in region.corners:
            around.setdefault(corner, []).append(region.key)
    height = {corner: sum(height_of[key] for key in keys) / len(keys) for corner, keys in around.items()}
    terrains = {corner: {region_map.by_key[key].terrain for key in keys} for corner, keys in around.items()}
    rim = {corner for border, sides in region_map.sides_of.items() if len(sides) == 1 for corner in border}
    mouths = frozenset(c for c in around if c in rim or Terrain.WATER in terrains[c])
    ways: dict[int, dict[int, float]] = {corner: {} for corner in around}
    for border, sides in region_map.sides_of.items():
        if len(sides) == 2 and all(region_map.by_key[key].terrain is not Terrain.WATER for key in sides):
            one, other = border
            length = math.dist(region_map.corners[one], region_map.corners[other])
            for start, end in ((one, other), (other, one)):
                ways[start][end] = length * (1 + UPHILL * max(0.0, height[end] - height[start]))
    sources = [c for c in around if Terrain.MOUNTAINS in terrains[c] and c not in mouths]
    return _RiverGround(ways, tuple(sorted(sources, key=lambda c: -height[c])), mouths)


def rivers_of(
    region_map: RegionMap, heights: Sequence[float], count: int, chance: MapChance
) -> list[tuple[int, ...]]:
    """The courses of up to ``count`` rivers; fewer where the land has no room for more.

    A river may join an earlier one, once and at its end; otherwise no two rivers share a corner.
    """
    ground = _ground(region_map, heights)
    apart = math.hypot(*region_map.size) / (2 + count)
    courses: list[tuple[int, ...]] = []
    joined: set[int] = set()
    for source in ground.sources:
        if len(courses) == count:
            break
        at = region_map.corners[source]
        if any(math.dist(at, region_map.corners[course[0]]) < apart for course in courses):
            continue
        taken = {corner for course in courses for corner in course}
        if source in taken:
            continue
        joints = {c for number, course in enumerate(courses) if number not in joined for c in course[2:-1]}
        course = _course(ground, source, taken, joints, chance)
        if course:
            joined |= {number for number, other in enumerate(courses) if course[-1] in other}
            courses.append(course)
    return courses


def _course(
    ground: _RiverGround, source: int, taken: set[int], joints: set[int], chance: MapChance
) -> tuple[int, ...] | None:
    """An easy way from the source to some mouth that is neither too near nor needlessly far."""
    costs: dict[int, float] = {}
    before: dict[int, int] = {}
    waiting = [(0.0, source, source)]
    while waiting:
        cost, corner, came = heapq.heappop(waiting)
        if corner in costs:
            continue
        costs[corner], before[corner] = cost, came
        if corner != source and (corner in ground.mouths or corner in taken):
            continue  # a river ends where it meets the edge, a shore or another river
        for end, way in ground.ways[corner].items():
            if end not in costs and (end not in taken or end in joints):
                heapq.heappush(waiting, (cost + way, end, corner))
    ends = [c for c in costs if c in ground.mouths or c in joints]
    courses = [_back(end, source, before) for end in sorted(ends, key=lambda c: costs[c])]
    long_enough = [course for course in courses if len(course) > LEAST_BORDERS]
    return chance.pick(long_enough[: max(1, len(long_enough) // 3)]) if long_enough else None


def _back(end: int, source: int, before: dict[int, int]) -> tuple[int, ...]:
    course = [end]
    while course[-1] != source:
        course.append(before[course[-1]])
    return tuple(course[::-1])


def bridges_of(region_map: RegionMap) -> tuple[tuple[str, str], ...]:
    """A few bridges over each river, where the ground on both banks is easiest, and not close together."""
    bridges: list[tuple[str, str]] = []
    for river in region_map.rivers:
        borders = river.borders()[1:]
        wanted = round(len(borders) / BORDERS_FOR_EACH_BRIDGE)
        places: list[Point] = []
        for border in sorted(borders, key=lambda b: _effort(region_map, b)):
            middle = _middle(region_map, border)
            if len(places) < wanted and all(math.dist(middle, other) > _apart(region_map) for other in places):
                places.append(middle)
                one, other = region_map.sides_of[border]
                bridges.append((one, other))
    return tuple(bridges)


def _effort(region_map: RegionMap, border: Border) -> tuple[int, float]:
    """Easy ground first, then long borders, on which a bridge is easily seen."""
    cost = sum(region_map.by_key[key].terrain.cost for key in region_map.sides_of[border])
    return cost, -_length(region_map, border)


def _apart(region_map: RegionMap) -> float:
    width, height = region_map.size
    return 2 * math.sqrt(width * height / len(region_map.regions))


def _ends(region_map: RegionMap, border: Border) -> list[Point]:
    return [region_map.corners[at] for at in sorted(border)]


def _length(region_map: RegionMap, border: Border) -> float:
    one, other = _ends(region_map, border)
    return math.dist(one, other)


def _middle(region_map: RegionMap, border: Border) -> Point:
    (x1, y1), (x2, y2) = _ends(region_map, border)
    return (x1 + x2) / 2, (y1 + y2) / 2
