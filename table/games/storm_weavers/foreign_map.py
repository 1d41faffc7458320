"""Maps that other tools drew, Universal VTT files and pictures with a grid, as combat maps."""

from __future__ import annotations

import base64
import io
import json
import math
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import shapely
import yaml
from PIL import Image

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import read_text
from loomtable.engine.kernel.serialization import from_json, validation_message
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.storm_weavers.combat_map import NUMBERS, CombatMap, Wall, combat_map, map_names
from loomtable.engine.storm_weavers.movement import WALL, Ground, first_paths
from loomtable.engine.storm_weavers.squares import MOST_COLUMNS, MOST_ROWS, Square, column_and_row, square_at
from loomtable.printkit.decks.pictures import opened_picture
from loomtable.printkit.draw.svg import drawn_as_svg
from loomtable.printkit.games.storm_weavers.combat_map import draw_frame, map_size
from loomtable.printkit.import_sum import ImportSum, printable
from loomtable.table.games.storm_weavers.picture_grid import LEAST_SQUARE, MISSING, Squares, measured_grid

UNIVERSAL_VTT = (".dd2vtt", ".uvtt", ".df2vtt")
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".gif")
_MOST_BYTES, _FAR = 300_000_000, 1e6
_MOST_PIXELS = 295
"""Across a square: 300 dpi."""
_ENEMIES = 3
_ENOUGH = 1 / 6
"""Of the map: a space inside of it that is played in."""
_DOOR, _THICK = 0.05, 0.45
"""Walls end this far (squares) beside a door, and on both sides of it: some tools draw a wall as two lines."""
_UNEVEN = 0.03
"""By how much a square may be wider than high."""
_Line = list[tuple[float, float]]
"""Its points, in squares."""
Part = tuple[int, int, int, int]
"""Of a map: how many squares across and down, and how many are left of it and above."""


class _Point(msgspec.Struct, frozen=True):
    x: float
    y: float


class _Resolution(msgspec.Struct):
    map_size: _Point
    map_origin: _Point | None = None


class _Portal(msgspec.Struct):
    bounds: list[_Point] | None = None
    position: _Point | None = None
    rotation: float | None = None


class _UniversalVtt(msgspec.Struct):
    resolution: _Resolution
    image: str
    line_of_sight: list[list[_Point]] | None = None
    objects_line_of_sight: list[list[_Point]] | None = None
    portals: list[_Portal] | None = None
    lights: list[Any] | None = None


def foreign_map(
    path: Path,
    name: str,
    title: str,
    side: float | None = None,
    squares: tuple[int, int] | None = None,
    part: Part | None = None,
) -> tuple[str, bytes, list[str], list[str]]:
    """A combat map made of a Universal VTT file or a picture: its file, its picture (JPEG), remarks, and its sum.

    A picture has squares of ``side`` pixels, or so many ``squares``, or as its grid is measured. A ``part`` of it
    is taken, or all.

    Raises:
        ContentInvalid, DeckInvalid, TextTooLong: bad input; the message names the file and the field.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise ContentInvalid(f"{path.name}: has more than {_MOST_BYTES // 1_000_000} MB; export it smaller")
    counted, remarks = ImportSum(path.name), list[str]()
    lines, doors, dots = list[_Line](), list[_Line](), 0
    if path.suffix.lower() in UNIVERSAL_VTT:
        given = _read(path)
        origin = given.resolution.map_origin or _Point(0, 0)
        image, grid = _picture_of(given, path, origin)
        drawn = _lines([*(given.line_of_sight or []), *(given.objects_line_of_sight or [])], origin)
        lines = [line for line in drawn if len({*line}) > 1]
        dots = len(drawn) - len(lines)
        doors = [_door(portal, lines, origin) for portal in given.portals or []]
        counted.lose(len(given.lights or []), "light", "lights")
    else:
        image = _flat(opened_picture(path, "map").image)
        grid = _even(image, *squares, path.name) if squares else _told_or_measured(image, side, path.name)
        remarks = [f"Squares of {grid.side:.4g} pixels, from {grid.left:.0f} right and {grid.top:.0f} down"]
    sides = (("column", image.width, grid.left), ("row", image.height, grid.top))
    for (kind, whole, first), margin in zip(sides, grid.margin, strict=True):
        cut = sum(MISSING < edge / grid.side % 1 < 1 - MISSING for edge in (first, whole - first))
        counted.lose(margin or cut, kind, f"{kind}s", "of margin" if margin else "narrower than a square")
    outside = "outside the picture"
    if part:
        across, down, right, below = part
        if right + across > grid.across or below + down > grid.down:
            has = f"the map has {grid.across} x {grid.down}"
            raise ContentInvalid(f"{path.name}: {has}, so there are no {across} x {down} squares there")
        outside, grid = "outside the part", grid.part(right, below, across, down)
        lines, doors = ([[(x - right, y - below) for x, y in line] for line in every] for every in (lines, doors))
    columns, rows = grid.across, grid.down
    if not (1 <= columns <= MOST_COLUMNS and 1 <= rows <= MOST_ROWS):
        most = f"a combat map has 1 to {MOST_COLUMNS} each way, so take a part of it, such as --part"
        example = f"{min(columns, MOST_COLUMNS)}x{min(rows, MOST_ROWS)}"
        raise ContentInvalid(f"{path.name}: has {columns} x {rows} squares; {most} {example}")
    if grid.side < LEAST_SQUARE:
        small = f"squares of {grid.side:.3g} pixels are too small to print; save it larger"
        raise ContentInvalid(f"{path.name}: {small}")
    area = shapely.box(0, 0, columns, rows)
    inside, near = (
        [line for line in every if not line or shapely.LineString(line).intersects(area)]
        for every in (lines, doors)
    )
    walls, shut = barred(columns, rows, inside, near)
    plan = _with_starts(name, title, columns, rows, walls)
    drawn_as_svg(lambda pen: draw_frame(pen, plan), *map_size(plan))  # a title too long is said now
    every = (len(inside), len(near)) if part else (len(lines), len(doors))
    counted.came = [f"{columns} x {rows} squares"]
    remedy = "export the map again with all of it, or delete those from the file"
    counted.count(len(inside), every[0], "drawn wall", "drawn walls", f"the others are {outside}; {remedy}", dots)
    others = f"the others are outside or cannot be opened; {remedy}"
    counted.count(len(near) - len(shut), every[1], "door or window", "doors and windows", others)
    counted.lose(len(lines) - len(inside), "drawn wall", "drawn walls", outside)
    counted.lose(dots, "drawn wall", "drawn walls", "without a length")
    counted.lose(len(doors) - len(near), "door or window", "doors and windows", outside)
    counted.lose(len(shut), "door or window", "doors and windows", f"that cannot be opened, {listed(shut)}")
    remarks.insert(0, f"{columns} x {rows} squares, {how_many(len(plan.walls), 'wall', 'walls')} between them")
    if rock := len(plan.obstacles):
        remarks.append(f"{how_many(rock, 'square has', 'squares have')} no way to the rest and count as wall")
    there = "".join(f"; {number} on {square}" for number, square in plan.enemies.items())
    remarks.append(f"Thymin starts on {plan.thymin}{there}")
    if not plan.number:
        remarks.append("No tags, so no camera finds it: your other maps have all numbers")
    sums = counted.sums()
    return _written(plan, path.name, sums), _cut(image, grid), remarks, sums


def _read(path: Path) -> _UniversalVtt:
    try:
        return from_json(read_text(path), _UniversalVtt)
    except msgspec.ValidationError as error:
        why, field = validation_message(error)
        trouble = f"{', ' * bool(field)}{'.'.join(map(str, field))}: {why}"
    except (msgspec.DecodeError, RecursionError) as error:
        trouble = f": is damaged or no Universal VTT file ({error})" if path.stat().st_size else ": is empty"
    raise ContentInvalid(f"{path.name}{trouble}; export the map again")


def _picture_of(given: _UniversalVtt, path: Path, origin: _Point) -> tuple[Image.Image, Squares]:
    size, name = given.resolution.map_size, path.name
    if not (0 < size.x < _FAR and 0 < size.y < _FAR):
        raise ContentInvalid(f"{name}, map_size: cannot be {size.x:g} x {size.y:g}; export the map again")
    if not given.image:
        raise ContentInvalid(f"{name}, image: there is no picture; export the map with its picture")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "image"
        if given.image.lower().endswith(PICTURES):
            file = _beside(path, given.image)
        else:
            try:
                written = "".join((given.image.partition("base64,")[2] or given.image).split())
                file.write_bytes(base64.b64decode(written, validate=True))
            except ValueError:
                raise ContentInvalid(f"{name}, image: is damaged; export the map again") from None
        image = _flat(opened_picture(file, name).image)
    side = _even(image, size.x, size.y, name).side
    return image, Squares(side, -origin.x % 1 * side, -origin.y % 1 * side).filling(image.width, image.height)


def _beside(path: Path, image: str) -> Path:
    """The picture of a map that names a file: in the map's folder or below, or of that name there."""
    parts, folder = Path(image.replace("\\", "/")), path.parent.resolve()
    for file in (folder / parts, folder / parts.name):
        if folder in file.resolve().parents and file.is_file():
            return file
    raise ContentInvalid(f"{path.name}, image: there is no {parts.name[:60]!r} beside the map; put it there")


def _lines(lines: list[list[_Point]], origin: _Point) -> list[_Line]:
    """Lines measured from the first whole square."""
    left, top = origin.x + -origin.x % 1, origin.y + -origin.y % 1
    return [[(point.x - left, point.y - top) for point in line] for line in lines]


def _door(portal: _Portal, walls: Sequence[_Line], origin: _Point) -> _Line:
    """A door from one of its sides to the other, a square wide or more: its bounds, or its place as it is turned.

    A place is turned as the wall through it is, if there is one. A door without a place is nothing.
    """
    ends, place = _lines([portal.bounds or [], [portal.position] if portal.position else []], origin)
    if len({*ends}) > 1:
        (x, y), (to_x, to_y) = ends[0], ends[-1]
        turn, half = math.atan2(to_y - y, to_x - x), max(math.dist(ends[0], ends[-1]), 1.0) / 2
        x, y = (x + to_x) / 2, (y + to_y) / 2
    elif middle := (*place, *ends)[:1]:
        sides = [side for wall in walls for side in pairwise(wall)]
        near = [side for side in sides if shapely.LineString(side).distance(shapely.Point(middle)) < _THICK]
        turns = [math.atan2(end[1] - start[1], end[0] - start[0]) for start, end in near]
        told = portal.rotation or 0.0
        turn, half = min(turns, key=lambda turn: abs(math.sin(turn - told)), default=told), 0.5
        [(x, y)] = middle
    else:
        return []
    right, down = math.cos(turn) * half, math.sin(turn) * half
    return [(x - right, y - down), (x + right, y + down)]


def _flat(image: Image.Image) -> Image.Image:
    """The picture in RGB, white where it is clear."""
    if image.mode != "RGBA":
        return image.convert("RGB")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def _even(image: Image.Image, across: float, down: float, name: str) -> Squares:
    """So many squares over a whole picture, which are as wide as they are high."""
    wide, high = image.width / across, image.height / down
    if abs(wide / high - 1) > _UNEVEN:
        found = f"{across:g} x {down:g} squares would be {wide:.4g} pixels wide and {high:.4g} high"
        raise ContentInvalid(f"{name}: {found}; count them again")
    return Squares(wide).filling(image.width, image.height)


def _told_or_measured(image: Image.Image, side: float | None, name: str) -> Squares:
    grid = measured_grid(image, side)
    if grid.doubt:
        told = "say how many pixels wide a square is (--grid 70), or count them (--squares 24x18)"
        raise ContentInvalid(f"{name}: no grid can be made out for sure: {grid.doubt}; {told}")
    return grid


def barred(
    columns: int, rows: int, lines: Sequence[_Line], doors: Sequence[_Line]
) -> tuple[frozenset[Wall], list[str]]:
    """Pairs of adjacent squares between whose middles a line stands unless a door is there; doors that open none.

    A door opens everything within half a square across it.
    """
    passed = [shapely.LineString(door) for door in doors]
    ends = shapely.union_all([door.buffer(_THICK, cap_style="flat") | door.buffer(_DOOR) for door in passed])
    walls = shapely.union_all([shapely.linestrings(line) for line in lines]).difference(ends)
    shapely.prepare(walls)
    bare = _bare("", "", columns, rows)
    squares = [square_at(c, r) for r in range(rows) for c in range(columns)]
    pairs = {frozenset((square, other)) for square in squares for _, other in bare.around(square)}
    between = {pair: shapely.linestrings([_middle(square) for square in pair]) for pair in pairs}
    shut = frozenset(pair for pair, line in between.items() if walls.intersects(line))
    opened = shapely.STRtree([line for pair, line in between.items() if pair not in shut])
    closed = [door for door in passed if not len(opened.query(door, "intersects"))]
    places = [door.centroid.coords[0] for door in closed if not door.is_empty]
    named = [f"one at {square_at(min(int(x), columns - 1), min(int(y), rows - 1))}" for x, y in places]
    return shut, named + ["one without a place"] * (len(closed) - len(named))


def _bare(name: str, title: str, columns: int, rows: int) -> CombatMap:
    return CombatMap(name, title, columns, rows, {}, square_at(0, 0), {})


def _middle(square: Square) -> tuple[float, float]:
    column, row = column_and_row(square)
    return column + 0.5, row + 0.5


def _with_starts(name: str, title: str, columns: int, rows: int, walls: frozenset[Wall]) -> CombatMap:
    """The map with Thymin at one end of the space to play in, enemies at the other, and the rest as wall."""
    unwalled = _bare(name, title, columns, rows)
    walled = msgspec.structs.replace(unwalled, walls=walls)
    left = dict.fromkeys(square_at(c, r) for r in range(rows) for c in range(columns))
    edge = {square for square in left if len(unwalled.around(square)) < 4}
    spaces: list[list[Square]] = []
    while left:
        spaces.append(list(first_paths(Ground(walled), next(iter(left)))))
        for square in spaces[-1]:
            del left[square]
    # What lies around a dungeon may be larger than the dungeon, so what walls close off comes first.
    inside = [space for space in spaces if len(space) >= columns * rows * _ENOUGH and not edge & {*space}]
    space = max(inside or spaces, key=len)
    thymin = list(first_paths(Ground(walled), space[0]))[-1]
    enemies = list(first_paths(Ground(walled), thymin))[:0:-1][:_ENEMIES]
    shut = {square: WALL for other in spaces if other is not space for square in other}
    taken = {combat_map(known).number for known in map_names()}
    return msgspec.structs.replace(
        walled,
        thymin=thymin,
        enemies=dict(enumerate(enemies, start=1)),
        obstacles=shut,
        number=next((number for number in NUMBERS if number not in taken), 0),
        walls=frozenset(wall for wall in walls if not wall & shut.keys()),
        picture=f"{name}.jpg",
    )


def _cut(image: Image.Image, grid: Squares) -> bytes:
    """The squares alone, as a JPEG file of at most 300 dpi."""
    side = min(round(grid.side), _MOST_PIXELS)
    right, bottom = grid.left + grid.across * grid.side, grid.top + grid.down * grid.side
    box = (grid.left, grid.top, min(right, image.width), min(bottom, image.height))
    written = io.BytesIO()
    image.resize((grid.across * side, grid.down * side), Image.Resampling.LANCZOS, box).save(
        written, "JPEG", quality=90
    )
    return written.getvalue()


def _written(plan: CombatMap, source: str, sums: Sequence[str]) -> str:
    """The map's file."""
    marks = dict.fromkeys(plan.obstacles, "#") | {plan.thymin: "T"}
    marks |= {square: str(number) for number, square in plan.enemies.items()}
    head = {
        "map": plan.name,
        "title": plan.title,
        "number": plan.number,
        "licence": "unknown; ask whoever drew it",
        "picture": plan.picture,
        "legend": {"#": WALL},
        "rows": ["".join(marks.get(square_at(c, r), ".") for c in range(plan.width)) for r in range(plan.height)],
    }
    walls = ["-".join(pair) for pair in sorted(sorted(wall, key=_middle) for wall in plan.walls)]
    return (
        f"# Imported from {json.dumps(source)}; docs/adventures.md describes this form.\n"
        + "".join(f"# {printable(line)}\n" for line in sums)
        + yaml.safe_dump(head, sort_keys=False, allow_unicode=True)
        + yaml.safe_dump({"walls": walls}, default_flow_style=None, width=110)
    )
