"""Where everything on a drawn region map stands: hand-drawn borders, rivers, labels, and room for the art.

Geometry only, in mm on the printed map; nothing here draws. The same map is always drawn the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from loomtable.engine.woven.regions import Border, Point, RegionKey, RegionMap, River
from loomtable.printkit.draw.land import boxes_within
from loomtable.printkit.draw.type import POINT, Font, check_glyphs, width_of
from loomtable.printkit.errors import TextTooLong
from loomtable.printkit.games.woven.region_map_art import TAG_PLATE

Numbers = npt.NDArray[np.float64]
_WOBBLE = 0.045
"""How far a border strays from the straight line, as a share of its length."""
_STEP = 1.1
"""Distance of the points of a hand-drawn border (mm)."""
_STRAY = 0.05
"""How far (mm) an outline may pass from a border's points, to be drawn with fewer."""
LABEL_FACE = Font.TEXT_ITALIC
LABEL_POINTS, LEAST_LABEL_POINTS = 8.5, 6.5
MARK_HEIGHT = 8.0
"""Room above a label for the mark of a city or a home (mm)."""
RIVER_ROOM = 1.7
"""From the middle of a river to anything else (mm)."""
BORDER_ROOM = 1.2
RIVER_POINTS = 6.4
_PLACES_APART, _FEW_PLACES = 0.9, 40
"""How close (mm) places for a name are looked at; in a room with fewer places none is left out."""


@dataclass(frozen=True)
class Label:
    """A region's name: its middle, its baseline, its size in points; and the foot of the mark above it, if any."""

    words: str
    x: float
    baseline: float
    points: float
    mark: Point | None
    box: BaseGeometry
    """What it covers, its mark included."""


@dataclass(frozen=True)
class RiverName:
    """A river's name beside one of its borders: its middle, its turn in degrees."""

    words: str
    x: float
    y: float
    turn: float
    box: BaseGeometry


class MapPlan:
    """The places of everything on one map, printed ``width`` mm wide."""

    def __init__(self, region_map: RegionMap, width: float) -> None:
        self.map = region_map
        self.scale = width / region_map.size[0]
        self.width, self.height = width, region_map.size[1] * self.scale
        self.corners = [(x * self.scale, y * self.scale) for x, y in region_map.corners]

    @cached_property
    def border_lines(self) -> Mapping[Border, tuple[Point, ...]]:
        """Each border as a hand draws it, from its lower numbered corner; straight on the edge of the map."""
        return {
            border: self._by_hand(*sorted(border), straight=len(sides) == 1)
            for border, sides in self.map.sides_of.items()
        }

    def _by_hand(self, start: int, end: int, *, straight: bool) -> tuple[Point, ...]:
        (ax, ay), (bx, by) = self.corners[start], self.corners[end]
        length = math.hypot(bx - ax, by - ay)
        if straight:
            return (ax, ay), (bx, by)
        chance = Random(f"{self.map.key}/{start}/{end}")
        swings = [(chance.random() * 2 - 1) * share for share in (1.0, 0.8, 0.45, 0.25)]
        count = max(3, round(length / _STEP))
        line = []
        for at in range(count + 1):
            t = at / count
            away = _WOBBLE * length * sum(s * math.sin(math.pi * (k + 1) * t) for k, s in enumerate(swings))
            nx, ny = -(by - ay) / length, (bx - ax) / length
            line.append((ax + (bx - ax) * t + nx * away, ay + (by - ay) * t + ny * away))
        return tuple(line)

    @cached_property
    def outlines(self) -> Mapping[RegionKey, tuple[Point, ...]]:
        """Each region's outline as a hand draws it, anticlockwise; neighbours share the points of their border."""
        return {
            region.key: tuple(self._along([*region.corners, region.corners[0]], self.fewer_points))
            for region in self.map.regions
        }

    @cached_property
    def fewer_points(self) -> Mapping[Border, tuple[Point, ...]]:
        """Each border with only those points that its shape needs."""
        lines = shapely.simplify([shapely.LineString(line) for line in self.border_lines.values()], _STRAY)
        return {
            border: tuple((x, y) for x, y in line.coords)
            for border, line in zip(self.border_lines, lines, strict=True)
        }

    def _along(self, course: Sequence[int], lines: Mapping[Border, tuple[Point, ...]]) -> Iterator[Point]:
        """The hand-drawn line along these corners, without its last point."""
        for start, end in pairwise(course):
            line = lines[frozenset((start, end))]
            yield from (line if start < end else line[::-1])[:-1]

    @cached_property
    def polygons(self) -> Mapping[RegionKey, shapely.Polygon]:
        """Each region's outline as a shape to reckon with."""
        return {key: shapely.Polygon(outline) for key, outline in self.outlines.items()}

    def river_line(self, river: River) -> list[Point]:
        """The river from source to mouth; its bends are rounder than the borders' corners."""
        points = [*self._along(river.course, self.border_lines), self.corners[river.course[-1]]]
        for _ in range(2):
            inner = [
                ((ax + 2 * bx + cx) / 4, (ay + 2 * by + cy) / 4)
                for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False)
            ]
            points = [points[0], *inner, points[-1]]
        return [*points[:-1:2], points[-1]]

    @cached_property
    def river_bed(self) -> BaseGeometry:
        """What the rivers and their banks cover."""
        lines = [shapely.LineString(self.river_line(river)) for river in self.map.rivers]
        return shapely.union_all([line.buffer(RIVER_ROOM) for line in lines])

    @cached_property
    def _wide_bed(self) -> BaseGeometry:
        """What no label touches: the rivers, their banks and a little more."""
        return self.river_bed.buffer(0.3)

    @cached_property
    def tag_corners(self) -> tuple[Point, ...]:
        """The lower left corner of each tag's plate, from the upper left one clockwise; none on maps without."""
        if not self.map.number:
            return ()
        right, top = self.width - TAG_PLATE, self.height - TAG_PLATE
        return (0.0, top), (right, top), (right, 0.0), (0.0, 0.0)

    @cached_property
    def tag_plates(self) -> BaseGeometry:
        """What the plates of the tags cover."""
        return shapely.union_all([shapely.box(x, y, x + TAG_PLATE, y + TAG_PLATE) for x, y in self.tag_corners])

    @cached_property
    def bridge_spots(self) -> list[tuple[Point, float]]:
        """The middle of each bridge, and its direction in degrees: across the river."""
        rivers = shapely.MultiLineString([self.river_line(river) for river in self.map.rivers])
        spots = []
        for one, other in self.map.bridges:
            border = max(self.map.shared_borders(one, other), key=lambda b: len(self.border_lines[b]))
            line = self.border_lines[border]
            half = line[len(line) // 2]
            on_river = shapely.shortest_line(rivers, shapely.Point(half)).coords[0]
            (ax, ay), (bx, by) = line[len(line) // 2 - 1], line[min(len(line) // 2 + 1, len(line) - 1)]
            spots.append(((on_river[0], on_river[1]), math.degrees(math.atan2(by - ay, bx - ax)) + 90))
        return spots

    @cached_property
    def labels(self) -> Mapping[RegionKey, Label]:
        """Each region's name where there is most room for it.

        Raises:
            GlyphMissing: the font lacks a character of a name.
            TextTooLong: a name is far too long for its region.
        """
        return {region.key: self._label(region.key) for region in self.map.regions}

    def _label(self, key: RegionKey) -> Label:
        region = self.map.by_key[key]
        check_glyphs(region.name, LABEL_FACE, f"the region {key}")
        marked = key in self.map.cities or key in self.map.homes
        room: BaseGeometry = self.polygons[key].buffer(-BORDER_ROOM)
        room = room.difference(_near(room, self._wide_bed)).difference(self.tag_plates)
        points = LABEL_POINTS
        while points >= LEAST_LABEL_POINTS:
            wide = width_of(region.name, LABEL_FACE, points) + 0.6
            high = points * POINT * 0.95 + (MARK_HEIGHT if marked else 0)
            middle = _roomiest(room, wide, high)
            if middle is not None:
                foot = middle[1] - high / 2
                mark = (middle[0], middle[1] + high / 2 - MARK_HEIGHT + 0.5) if marked else None
                return Label(
                    region.name,
                    middle[0],
                    foot + points * POINT * 0.25,
                    points,
                    mark,
                    shapely.box(middle[0] - wide / 2, foot, middle[0] + wide / 2, foot + high),
                )
            points -= 0.5
        raise TextTooLong(
            f"the region {key} of the map {self.map.key} is too small for its name {region.name!r}; print the map "
            "larger or shorten the name"
        )

    @cached_property
    def river_names(self) -> list[RiverName]:
        """Each river's name beside it, clear of the regions' names; left out where there is no room."""
        taken = [label.box for label in self.labels.values()]
        taken += [shapely.Point(spot).buffer(3.6) for spot, _ in self.bridge_spots]
        taken += [self.tag_plates] if self.map.number else []
        names: list[RiverName] = []
        for river in self.map.rivers:
            check_glyphs(river.name, Font.TEXT_ITALIC, f"the river {river.name}")
            name = self._name_beside(river, taken)
            if name is not None:
                names.append(name)
                taken.append(name.box)
        return names

    def _name_beside(self, river: River, taken: Sequence[BaseGeometry]) -> RiverName | None:
        """The river's name where it touches nothing, lies flat, and the river beside it is straight."""
        course = np.array(self.river_line(river))
        line = shapely.LineString(course)
        wide = width_of(river.name, Font.TEXT_ITALIC, RIVER_POINTS, 0.25)
        high = RIVER_POINTS * POINT * 0.8
        starts = np.arange(2.0, line.length - 1 - wide, 1.5)
        ones, others = (
            shapely.get_coordinates(shapely.line_interpolate_point(line, at)) for at in (starts, starts + wide)
        )
        lengths = np.concatenate([[0.0], np.hypot(*np.diff(course, axis=0).T).cumsum()])
        bends = np.array([
            _bend(course[(lengths > start) & (lengths < start + wide)], one, other)
            for start, one, other in zip(starts, ones, others, strict=True)
        ])  # fmt: skip
        run = others - ones
        turns = (np.arctan2(run[:, 1], run[:, 0]) + np.pi / 2) % np.pi - np.pi / 2
        away = np.outer([1.0, -1.0], 1.15 + high / 2 + bends * 0.6)
        xs = (ones + others)[:, 0] / 2 - away * np.sin(turns)
        ys = (ones + others)[:, 1] / 2 + away * np.cos(turns)
        boxes = _turned_boxes(xs, ys, turns, wide, high)
        beds = shapely.union_all([self.river_bed.buffer(-0.75), *taken])
        sheet = shapely.box(1, 1, self.width - 1, self.height - 1)
        shapely.prepare(beds)
        free = shapely.contains(sheet, boxes) & ~shapely.intersects(beds, boxes)
        if not free.any():
            return None
        crooked = np.where(free, bends + np.abs(turns) / (np.pi / 2), np.inf)
        side, at = divmod(int(crooked.T.argmin()), 2)[::-1]
        return RiverName(
            river.name, float(xs[side, at]), float(ys[side, at]), math.degrees(turns[at]), boxes[side, at]
        )

    def room_for_art(self, key: RegionKey, rim: float) -> BaseGeometry:
        """The part of a region in which art may stand: clear of rim, label, rivers, their names and bridges."""
        room = self.polygons[key].buffer(-rim)
        clear = shapely.union(self.labels[key].box.buffer(0.5), _near(room, self._kept_clear))
        return room.difference(clear)

    @cached_property
    def _kept_clear(self) -> BaseGeometry:
        """What no art covers, whatever the region: rivers, their names, bridges, tags."""
        bridges = [shapely.Point(spot).buffer(3.5) for spot, _ in self.bridge_spots]
        names = [name.box.buffer(0.3) for name in self.river_names]
        return shapely.union_all([self.river_bed, self.tag_plates, *bridges, *names])


def _bend(points: Numbers, one: Numbers, other: Numbers) -> float:
    """How far (mm) a stretch of river between two places strays from the straight line between them."""
    if not len(points):
        return 0.0
    return float(shapely.distance(shapely.points(points), shapely.LineString([one, other])).max())


def _turned_boxes(xs: Numbers, ys: Numbers, turns: Numbers, wide: float, high: float) -> npt.NDArray[np.object_]:
    """Boxes of one size about these middles, turned by so many radians."""
    cos, sin = np.cos(turns)[..., None], np.sin(turns)[..., None]
    right, up = np.array([-wide, wide, wide, -wide]) / 2, np.array([-high, -high, high, high]) / 2
    corners = np.stack([xs[..., None] + right * cos - up * sin, ys[..., None] + right * sin + up * cos], axis=-1)
    return np.asarray(shapely.polygons(corners))


def _near(room: BaseGeometry, shape: BaseGeometry) -> BaseGeometry:
    """The part of a shape about a room: quicker to take away than the whole shape, with the same outcome."""
    if room.is_empty:
        return room
    left, foot, right, top = room.bounds
    return shapely.clip_by_rect(shape, left - 1, foot - 1, right + 1, top + 1)


def _roomiest(room: BaseGeometry, wide: float, high: float) -> Point | None:
    """The middle of the box of this size that lies in the room, farthest from its rim; ``None`` if none does.

    Every second place across and up is looked at first, and then those about the best of them; in a room where
    few boxes lie, all places are.
    """
    if room.is_empty:
        return None
    left, foot, right, top = room.bounds
    across, up = _steps(left + wide / 2, right - wide / 2), _steps(foot + high / 2, top - high / 2)
    shapely.prepare(room)
    best, tried = _best_box(room, across[::2], up[::2], wide, high)
    if tried < _FEW_PLACES:
        return _best_box(room, across, up, wide, high)[0]
    assert best is not None
    near = 1.5 * _PLACES_APART
    across, up = across[np.abs(across - best[0]) < near], up[np.abs(up - best[1]) < near]
    return _best_box(room, across, up, wide, high)[0]


def _best_box(
    room: BaseGeometry, across: Numbers, up: Numbers, wide: float, high: float
) -> tuple[Point | None, int]:
    """Of all boxes about these places that lie in the room, the middle of the best; and how many there are."""
    xs, ys = (grid.ravel() for grid in np.meshgrid(across, up, indexing="ij"))
    xs, ys, boxes = boxes_within(room, xs, ys, (-wide / 2, -high / 2, wide / 2, high / 2))
    if not len(xs):
        return None, 0
    middle = room.centroid
    off_middle = np.hypot(xs - middle.x, ys - middle.y)
    best = int((shapely.distance(room.boundary, boxes) - 0.12 * off_middle).argmax())
    return (float(xs[best]), float(ys[best])), len(xs)


def _steps(low: float, high: float) -> Numbers:
    count = max(2, math.ceil((high - low) / _PLACES_APART))
    return np.linspace(low, high, count) if high >= low else np.zeros(0)
