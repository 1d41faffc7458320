"""Whether a region map holds together: its regions share the sheet, its rivers run along borders (WO-5)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from loomtable.engine.woven.regions import Border, Point, Region, RegionKey, RegionMap, River, Terrain

LEAST_SIZE, MOST_SIZE = 40.0, 5000.0
"""Of a map's width and height, in mm."""
AREA_TOLERANCE = 1e-6
"""By how much of the sheet the regions together may miss it."""
_KEY = re.compile(r"[a-z][a-z0-9-]*")


class MapTrouble(Exception):
    """What does not hold together, in words; ``path`` leads to it through the map's fields."""

    def __init__(self, why: str, *path: str | int) -> None:
        super().__init__(why)
        self.path = path


def check_region_map(region_map: RegionMap) -> None:
    """Make sure that a map holds together.

    Raises:
        MapTrouble: it does not; the first thing that is wrong.
    """
    if not _KEY.fullmatch(region_map.key):
        raise MapTrouble(
            f"{region_map.key[:40]!r} is no name for a map: small letters, digits, hyphens", "region_map"
        )
    if not all(LEAST_SIZE <= length <= MOST_SIZE for length in region_map.size):
        raise MapTrouble(f"width and height of a map are from {LEAST_SIZE:g} to {MOST_SIZE:g} mm", "size")
    _check_corners(region_map)
    _check_names(region_map)
    for place, region in enumerate(region_map.regions):
        _check_outline(region_map, region, place)
    _check_borders(region_map)
    for place, river in enumerate(region_map.rivers):
        _check_river(region_map, river, place)
    _check_bridges(region_map)
    _check_places(region_map)


def _check_corners(region_map: RegionMap) -> None:
    width, height = region_map.size
    seen: dict[Point, int] = {}
    for place, corner in enumerate(region_map.corners):
        x, y = corner
        if not (0 <= x <= width and 0 <= y <= height):
            raise MapTrouble(f"corner {place} is outside the map of {width:g} x {height:g} mm", "corners", place)
        if corner in seen:
            raise MapTrouble(f"corner {place} is the same point as corner {seen[corner]}", "corners", place)
        seen[corner] = place


def _check_names(region_map: RegionMap) -> None:
    if len(region_map.regions) < 2:
        raise MapTrouble("a map needs at least two regions", "regions")
    for field in ("key", "name"):
        seen: set[str] = set()
        for place, region in enumerate(region_map.regions):
            word: str = getattr(region, field)
            if word in seen:
                raise MapTrouble(f"two regions have the {field} {word!r}", "regions", place)
            seen.add(word)
    for place, region in enumerate(region_map.regions):
        if not _KEY.fullmatch(region.key):
            raise MapTrouble(
                f"{region.key[:40]!r} is no key for a region: small letters, digits and hyphens", "regions", place
            )
        if not region.name.strip() or not region.name.isprintable():
            raise MapTrouble(f"the region {region.key} needs a name", "regions", place)


def _check_outline(region_map: RegionMap, region: Region, place: int) -> None:
    corners = region.corners
    for number in corners:
        if not 0 <= number < len(region_map.corners):
            raise MapTrouble(f"{region.name} has the corner {number}, which there is not", "regions", place)
    if len(corners) < 3 or len(set(corners)) != len(corners):
        raise MapTrouble(f"{region.name} needs at least three corners, each of them once", "regions", place)
    outline = [region_map.corners[at] for at in corners]
    sides = list(pairwise([*outline, outline[0]]))
    for (first, one), (second, other) in combinations(enumerate(sides), 2):
        if (second - first) % len(sides) not in (1, len(sides) - 1) and _cross(one, other):
            raise MapTrouble(f"the outline of {region.name} crosses itself", "regions", place)
    if area_of(outline) <= 0:
        raise MapTrouble(f"the corners of {region.name} do not stand anticlockwise", "regions", place)


def area_of(outline: Sequence[Point]) -> float:
    """The area in square mm within an outline; negative if it runs clockwise."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*outline, outline[0]])) / 2


def _cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    (a, b), (c, d) = one, other
    return _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0


def _side(a: Point, b: Point, c: Point) -> float:
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return math.copysign(1, turn) if abs(turn) > 1e-9 else 0.0


def _check_borders(region_map: RegionMap) -> None:
    """Every border has a region on either side, or lies on the edge of the map; no part of the sheet is left
    out."""
    one_way: dict[tuple[int, int], Region] = {}
    for place, region in enumerate(region_map.regions):
        if not region_map.neighbours(region.key):
            raise MapTrouble(
                f"{region.name} has no neighbour: it shares no border with any region", "regions", place
            )
        for side in pairwise((*region.corners, region.corners[0])):
            if side in one_way:
                raise MapTrouble(
                    f"{region.name} and {one_way[side].name} are on the same side of the border from corner "
                    f"{side[0]} to corner {side[1]}",
                    "regions",
                    place,
                )
            one_way[side] = region
    for (start, end), region in one_way.items():
        if (end, start) not in one_way and not _on_rim(region_map, start, end):
            raise MapTrouble(
                f"the border of {region.name} from corner {start} to corner {end} is shared with no region and is "
                "not on the edge of the map",
                "regions",
                region_map.regions.index(region),
            )
    width, height = region_map.size
    covered = sum(area_of(region_map.outline(region.key)) for region in region_map.regions)
    if not math.isclose(covered, width * height, rel_tol=AREA_TOLERANCE):
        raise MapTrouble(
            f"the regions cover {covered:.0f} square mm of a sheet of {width * height:.0f}: they overlap or leave "
            "a part out",
            "regions",
        )


def _on_rim(region_map: RegionMap, *corners: int) -> bool:
    """Whether these corners all lie on one and the same edge of the map."""
    points = [region_map.corners[at] for at in corners]
    return any(
        all(point[axis] == limit for point in points) for axis in (0, 1) for limit in (0.0, region_map.size[axis])
    )


def _check_river(region_map: RegionMap, river: River, place: int) -> None:
    def trouble(why: str) -> MapTrouble:
        return MapTrouble(f"the river {river.name} {why}", "rivers", place)

    if not river.name.strip() or not river.name.isprintable():
        raise MapTrouble("a river needs a name", "rivers", place)
    if len(river.course) < 2 or len(set(river.course)) != len(river.course):
        raise trouble("needs a course of at least two corners, each of them once")
    for start, end in pairwise(river.course):
        if len(region_map.sides_of.get(frozenset((start, end)), ())) != 2:
            raise trouble(f"runs from corner {start} to corner {end}, and no two regions share that border")
    for other in region_map.rivers[:place]:
        if set(other.borders()) & set(river.borders()):
            raise trouble(f"runs along the same border as the river {other.name}")
    if not _flows_out(region_map, river):
        raise trouble("ends in the middle of the land; it must reach water, another river or the edge of the map")


def _flows_out(region_map: RegionMap, river: River) -> bool:
    mouth = river.course[-1]
    return (
        _on_rim(region_map, mouth)
        or any(r.terrain is Terrain.WATER and mouth in r.corners for r in region_map.regions)
        or any(mouth in other.course for other in region_map.rivers if other is not river)
    )


def _check_bridges(region_map: RegionMap) -> None:
    seen: set[frozenset[RegionKey]] = set()
    for place, (one, other) in enumerate(region_map.bridges):
        for key in (one, other):
            _check_known(region_map, key, "bridges", place)
        shared: tuple[Border, ...] = region_map.shared_borders(one, other)
        if not shared:
            raise MapTrouble(f"a bridge joins {one} and {other}, which share no border", "bridges", place)
        if not region_map.river_borders.issuperset(shared):
            raise MapTrouble(f"between {one} and {other} is no river to bridge", "bridges", place)
        if frozenset((one, other)) in seen:
            raise MapTrouble(f"the bridge between {one} and {other} stands twice", "bridges", place)
        seen.add(frozenset((one, other)))


def _check_places(region_map: RegionMap) -> None:
    for field, kind, key, place in _places(region_map):
        _check_known(region_map, key, field, place)
        if region_map.by_key[key].terrain is Terrain.WATER:
            raise MapTrouble(f"{key} is water, and so no {kind}", field, place)
    taken: dict[RegionKey, str] = {}
    for field, kind, key, place in _places(region_map):
        if key in taken:
            raise MapTrouble(f"{key} is a {kind} and stands already as a {taken[key]}", field, place)
        taken[key] = kind


def _places(region_map: RegionMap) -> Iterator[tuple[str, str, RegionKey, int]]:
    for field, kind, keys in (("cities", "city", region_map.cities), ("homes", "home", region_map.homes)):
        for place, key in enumerate(keys):
            yield field, kind, key, place


def _check_known(region_map: RegionMap, key: RegionKey, *path: str | int) -> None:
    if key not in region_map.by_key:
        raise MapTrouble(f"there is no region {key[:40]!r}", *path)
