"""Maps that other tools drew, Universal VTT files and pictures with a grid, as combat maps."""

from __future__ import annotations

import base64
import io
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import shapely
import yaml
from PIL import Image

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import read_text
from loomtable.engine.kernel.serialization import from_json, validation_message
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.storm_weavers.combat_map import NUMBERS, CombatMap, Wall, combat_map, map_names
from loomtable.engine.storm_weavers.movement import WALL, Ground, first_paths
from loomtable.engine.storm_weavers.squares import MOST_COLUMNS, MOST_ROWS, Square, column_and_row, square_at
from loomtable.printkit.decks.pictures import opened_picture
from loomtable.printkit.draw.svg import drawn_as_svg
from loomtable.printkit.games.storm_weavers.combat_map import draw_frame, map_size
from loomtable.table.games.storm_weavers.picture_grid import LEAST_SQUARE, Squares, measured_grid, measured_start

UNIVERSAL_VTT = (".dd2vtt", ".uvtt", ".df2vtt")
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".gif")
_MOST_BYTES, _FAR = 300_000_000, 1e6
_MOST_PIXELS = 295
"""Across a square: 300 dpi."""
_ENEMIES = 3
_ENOUGH = 1 / 6
"""Of the map: a space inside of it that is played in."""
_DOOR = 0.05
"""Walls end this far (squares) beside a door."""
_UNEVEN = 0.03
"""By how much a square may be wider than high."""
_Line = Sequence[tuple[float, float]]
"""Its points, in squares."""


class _Point(msgspec.Struct, frozen=True):
    x: float
    y: float


class _Resolution(msgspec.Struct):
    map_size: _Point
    map_origin: _Point = _Point(0, 0)


class _Portal(msgspec.Struct):
    bounds: list[_Point] = []


class _UniversalVtt(msgspec.Struct):
    resolution: _Resolution
    image: str
    line_of_sight: list[list[_Point]] = []
    objects_line_of_sight: list[list[_Point]] = []
    portals: list[_Portal] = []
    lights: list[Any] = []


def foreign_map(
    path: Path, name: str, title: str, side: float | None = None, squares: tuple[int, int] | None = None
) -> tuple[str, bytes, list[str]]:
    """A combat map made of a Universal VTT file or a picture: its file, its picture (JPEG), what to say of it.

    A picture has squares of ``side`` pixels, or so many ``squares``, or as its grid is measured.

    Raises:
        ContentInvalid, DeckInvalid, TextTooLong: bad input; the message names the file and the field.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise ContentInvalid(f"{path.name}: has more than {_MOST_BYTES // 1_000_000} MB; export it smaller")
    if path.suffix.lower() in UNIVERSAL_VTT:
        given = _read(path)
        image, grid, remarks = _picture_of(given, path.name)
        lines = _lines([*given.line_of_sight, *given.objects_line_of_sight], given.resolution.map_origin)
        doors = _lines([portal.bounds for portal in given.portals], given.resolution.map_origin)
    else:
        image, lines, doors = _flat(opened_picture(path, "map").image), [], []
        grid = _even(image, *squares, path.name) if squares else _told_or_measured(image, side, path.name)
        remarks = [f"Squares of {grid.side:.4g} pixels, from {grid.left:.0f} right and {grid.top:.0f} down"]
    columns, rows = grid.squares(image.width, image.height)
    if not (1 <= columns <= MOST_COLUMNS and 1 <= rows <= MOST_ROWS):
        most = f"a combat map has 1 to {MOST_COLUMNS} each way, so import a part of it"
        raise ContentInvalid(f"{path.name}: has {columns} x {rows} squares; {most}")
    if grid.side < LEAST_SQUARE:
        small = f"squares of {grid.side:.3g} pixels are too small to print; save it larger"
        raise ContentInvalid(f"{path.name}: {small}")
    plan = _with_starts(name, title, columns, rows, barred(columns, rows, lines, doors))
    drawn_as_svg(lambda pen: draw_frame(pen, plan), *map_size(plan))  # a title too long is said now
    remarks.insert(0, f"{columns} x {rows} squares, {how_many(len(plan.walls), 'wall', 'walls')} between them")
    if shut := len(plan.obstacles):
        remarks.append(f"{how_many(shut, 'square has', 'squares have')} no way to the rest and count as wall")
    there = "".join(f"; {number} on {square}" for number, square in plan.enemies.items())
    remarks.append(f"Thymin starts on {plan.thymin}{there}")
    if not plan.number:
        remarks.append("No tags, so no camera finds it: your other maps have all numbers")
    return _written(plan, path.name), _cut(image, grid, columns, rows), remarks


def _read(path: Path) -> _UniversalVtt:
    try:
        return from_json(read_text(path), _UniversalVtt)
    except msgspec.ValidationError as error:
        why, field = validation_message(error)
        trouble = f"{', ' * bool(field)}{'.'.join(map(str, field))}: {why}"
    except (msgspec.DecodeError, RecursionError) as error:
        trouble = f": is damaged or no Universal VTT file ({error})" if path.stat().st_size else ": is empty"
    raise ContentInvalid(f"{path.name}{trouble}; export the map again")


def _picture_of(given: _UniversalVtt, name: str) -> tuple[Image.Image, Squares, list[str]]:
    size, origin = given.resolution.map_size, given.resolution.map_origin
    if not (0 < size.x < _FAR and 0 < size.y < _FAR):
        raise ContentInvalid(f"{name}, map_size: cannot be {size.x:g} x {size.y:g}; export the map again")
    if not given.image:
        raise ContentInvalid(f"{name}, image: there is no picture; export the map with its picture")
    try:
        raw = base64.b64decode(given.image.partition("base64,")[2] or given.image, validate=True)
    except ValueError:
        raise ContentInvalid(f"{name}, image: is damaged; export the map again") from None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "image"
        file.write_bytes(raw)
        image = _flat(opened_picture(file, name).image)
    side = _even(image, size.x, size.y, name).side
    doors, lights = len(given.portals), len(given.lights)
    remarks = [f"{how_many(doors, 'door or window is', 'doors and windows are')} left open"] * bool(doors)
    remarks += [f"{how_many(lights, 'light is', 'lights are')} left out: fights know no light"] * bool(lights)
    return image, Squares(side, -origin.x % 1 * side, -origin.y % 1 * side), remarks


def _lines(lines: list[list[_Point]], origin: _Point) -> list[_Line]:
    """Lines measured from the first whole square; those of a single point are none."""
    left, top = origin.x + -origin.x % 1, origin.y + -origin.y % 1
    return [[(point.x - left, point.y - top) for point in line] for line in lines if len(line) > 1]


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
    return Squares(wide, 0, 0)


def _told_or_measured(image: Image.Image, side: float | None, name: str) -> Squares:
    if side:
        return Squares(side, *measured_start(image, side))
    grid = measured_grid(image)
    if not grid.sure:
        told = "say how many pixels wide a square is (--grid 70), or count them (--squares 24x18)"
        raise ContentInvalid(f"{name}: no grid can be made out for sure; {told}")
    return grid


def barred(columns: int, rows: int, lines: Sequence[_Line], doors: Sequence[_Line]) -> frozenset[Wall]:
    """Pairs of adjacent squares between whose middles a line stands, unless a door is there."""
    openings = shapely.union_all([shapely.linestrings(door) for door in doors])
    walls = shapely.union_all([shapely.linestrings(line) for line in lines]).difference(openings.buffer(_DOOR))
    shapely.prepare(walls)
    bare = _bare("", "", columns, rows)
    squares = [square_at(c, r) for r in range(rows) for c in range(columns)]
    pairs = {frozenset((square, other)) for square in squares for _, other in bare.around(square)}
    return frozenset(pair for pair in pairs if walls.intersects(shapely.linestrings([_middle(s) for s in pair])))


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


def _cut(image: Image.Image, grid: Squares, columns: int, rows: int) -> bytes:
    """The squares alone, as a JPEG file of at most 300 dpi."""
    side = min(round(grid.side), _MOST_PIXELS)
    right, bottom = grid.left + columns * grid.side, grid.top + rows * grid.side
    box = (grid.left, grid.top, min(right, image.width), min(bottom, image.height))
    written = io.BytesIO()
    image.resize((columns * side, rows * side), Image.Resampling.LANCZOS, box).save(written, "JPEG", quality=90)
    return written.getvalue()


def _written(plan: CombatMap, source: str) -> str:
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
        + yaml.safe_dump(head, sort_keys=False, allow_unicode=True)
        + yaml.safe_dump({"walls": walls}, default_flow_style=None, width=110)
    )
