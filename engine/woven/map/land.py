"""The land of a map that is made: Voronoi regions over shared corners, and terrain in clumps.

Shapely makes the Voronoi cells; everything is then rounded to tenths of a millimetre, and corners that almost
touch become one, so that no two regions share a border too short to see.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import shapely

from loomtable.engine.woven.map.chance import MapChance
from loomtable.engine.woven.regions import Point, Terrain

Cell = tuple[int, ...]
"""The corners of a region, anticlockwise."""
_CANDIDATES = 10
"""Places that are tried for each region's site; the one farthest from the others is taken."""
_RELAXATIONS = 2
"""Rounds in which each site moves to the middle of its cell: enough to be even, too few to look like a grid."""
SHORTEST_SHARE = 0.2
"""A border shorter than this share of a region's usual width becomes a corner."""


def scatter(chance: MapChance, count: int, size: Point) -> list[Point]:
    """``count`` sites for regions, evenly spread but not in rows (Mitchell's best candidate, then Lloyd)."""
    width, height = size
    sites: list[Point] = []
    for _ in range(count):
        tries = [(chance.between(0, width), chance.between(0, height)) for _ in range(_CANDIDATES)]
        away = np.array(tries)[:, None, :] - np.array(sites or [(-width, -height)])[None, :, :]
        sites.append(tries[int((away**2).sum(axis=2).min(axis=1).argmax())])
    for _ in range(_RELAXATIONS):
        middles = shapely.centroid(_voronoi(sites, size))
        sites = [(float(x), float(y)) for x, y in shapely.get_coordinates(middles)]
    return sites


def _voronoi(sites: Sequence[Point], size: Point) -> list[shapely.Geometry]:
    """The cell of each site, cut off at the edges of the map."""
    sheet = shapely.box(0, 0, *size)
    points = shapely.points(sites)
    cells = shapely.voronoi_polygons(shapely.MultiPoint(sites), extend_to=sheet)
    tree = shapely.STRtree(points)
    owner = {int(tree.query(cell, predicate="contains")[0]): cell for cell in cells.geoms}
    return [owner[at].intersection(sheet) for at in range(len(sites))]


def regions_of(sites: Sequence[Point], size: Point) -> tuple[list[Point], list[Cell]] | None:
    """Corners and cells of a map with these sites.

    ``None`` if joining close corners left a region with fewer than three.
    """
    width, height = size
    usual = math.sqrt(width * height / len(sites))
    outlines = [
        [_rounded(point, size) for point in shapely.get_coordinates(shapely.normalize(cell))[:-1]]
        for cell in _voronoi(sites, size)
    ]
    joined = _join_close(outlines, usual * SHORTEST_SHARE, size)
    numbers: dict[Point, int] = {}
    cells: list[Cell] = []
    for outline in outlines:
        ring = [joined[point] for point in outline]
        ring = [point for before, point in pairwise([ring[-1], *ring]) if point != before]
        if len(set(ring)) != len(ring) or len(ring) < 3:
            return None
        if sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*ring, ring[0]])) < 0:  # its area, doubled
            ring.reverse()
        cells.append(tuple(numbers.setdefault(point, len(numbers)) for point in ring))
    return list(numbers), cells


def _rounded(point: Sequence[float], size: Point) -> Point:
    """To tenths of a millimetre; what is nearly on the edge of the map is on it."""
    x, y = (round(float(value), 1) + 0.0 for value in point)
    return min(max(x, 0.0), size[0]), min(max(y, 0.0), size[1])


def _join_close(outlines: Sequence[Sequence[Point]], shortest: float, size: Point) -> dict[Point, Point]:
    """For each corner the one that stands for it: corners joined by very short borders become one.

    A corner of the sheet stays where it is, one on the edge of the sheet stays on it; others meet in their middle.
    """
    group = {point: {point} for outline in outlines for point in outline}
    borders = {frozenset(side) for outline in outlines for side in pairwise([*outline, outline[0]])}
    for one, other in sorted((min(b), max(b)) for b in borders if len(b) == 2):
        if math.dist(one, other) < shortest and group[one] is not group[other]:
            both = group[one] | group[other]
            group.update(dict.fromkeys(both, both))
    return {point: _middle(together, size) for point, together in group.items()}


def _middle(together: set[Point], size: Point) -> Point:
    def edges(point: Point) -> int:
        return sum(value in (0.0, limit) for value, limit in zip(point, size, strict=True))

    most = max(map(edges, together))
    kept = sorted(point for point in together if edges(point) == most)
    if most:
        return kept[0]
    return _rounded([sum(values) / len(kept) for values in zip(*kept, strict=True)], size)


def noise(chance: MapChance, wavelength: float) -> Callable[[Point], float]:
    """A smooth random field: a sum of waves in all directions, about ``wavelength`` mm long."""
    waves = [
        (
            chance.between(0, math.tau),
            math.tau / (wavelength * chance.between(0.6, 1.7)),
            chance.between(0, math.tau),
        )
        for _ in range(9)
    ]
    return lambda at: sum(
        math.sin((at[0] * math.cos(way) + at[1] * math.sin(way)) * pull + phase) for way, pull, phase in waves
    )


def terrain_of(
    sites: Sequence[Point], counts: Mapping[Terrain, int], chance: MapChance, size: Point
) -> tuple[list[Terrain], list[float]]:
    """The terrain of each region, exactly as many of each as ``counts`` says (the rest is plains), and its height.

    Mountains stand where the land is highest, water where it is lowest, forests where it is dampest.
    """
    height = noise(chance, max(size) * 0.42)
    damp = noise(chance, max(size) * 0.3)
    heights = [height(site) for site in sites]
    by_height = sorted(range(len(sites)), key=lambda at: heights[at])
    terrain = [Terrain.PLAINS] * len(sites)
    water, mountains = counts.get(Terrain.WATER, 0), counts.get(Terrain.MOUNTAINS, 0)
    for at in by_height[:water]:
        terrain[at] = Terrain.WATER
    for at in by_height[len(sites) - mountains :]:
        terrain[at] = Terrain.MOUNTAINS
    dry = [at for at in range(len(sites)) if terrain[at] is Terrain.PLAINS]
    for at in sorted(dry, key=lambda at: damp(sites[at]), reverse=True)[: counts.get(Terrain.FOREST, 0)]:
        terrain[at] = Terrain.FOREST
    return terrain, heights
