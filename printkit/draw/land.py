"""What drawn maps are filled with: trees, mountains, grass, waves, towns and bridges, and where they may stand.

Each thing stands with its foot on the origin; a file holds its drawing once (``Pen.place``).
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.path import Point
from loomtable.printkit.draw.pen import Pen

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from shapely.geometry.base import BaseGeometry

    Numbers = npt.NDArray[np.float64]

_ROWS_CLOSER = 1.35


def draw_thing(
    pen: Pen, name: str, x: float, y: float, *, scale: float = 1.0, turn: float = 0.0, kind: str = "map"
) -> None:
    """Draw one of the things with its foot (a bridge or an obstacle with its middle) at (x, y), once in a file."""
    thing = art_named(kind, name)
    with pen.at(round(x, 2), round(y, 2), scale=round(scale, 2), turn=turn):
        pen.place(f"{kind}-{name}", thing.box, thing.draw)


def rings_of(shape: BaseGeometry) -> list[list[Point]]:
    """The outlines of a shape and of the holes in it, without their last points."""
    import shapely

    parts = [part for part in getattr(shape, "geoms", [shape]) if isinstance(part, shapely.Polygon)]
    lines = [line for part in parts if not part.is_empty for line in (part.exterior, *part.interiors)]
    return [[(x, y) for x, y in line.coords[:-1]] for line in lines]


def boxes_within(
    room: BaseGeometry, xs: Numbers, ys: Numbers, box: tuple[float, float, float, float]
) -> tuple[Numbers, Numbers, npt.NDArray[np.object_]]:
    """Those places about which a box (left, below, right, above) lies wholly in the room, and their boxes.

    Most places fall out by two opposite corners already, which costs far less than a box.
    """
    import shapely

    left, foot, right, top = box
    for across, up in ((left, foot), (right, top)):
        kept = shapely.intersects_xy(room, xs + across, ys + up)
        xs, ys = xs[kept], ys[kept]
    boxes = shapely.box(xs + left, ys + foot, xs + right, ys + top)
    inside = shapely.contains(room, boxes)
    return xs[inside], ys[inside], boxes[inside]


def scattered(
    room: BaseGeometry, chance: Random, gap: float, box: tuple[float, float, float, float]
) -> list[Point]:
    """Feet for things of this box (left, below, right, above their foot), ``gap`` mm apart, the farthest first.

    Every box lies wholly in the room. Rows stand closer than columns, because near things hide part of far ones.
    """
    import numpy as np
    import shapely

    if room.is_empty:
        return []
    left, foot, right, top = room.bounds
    count = round((right - left) * (top - foot) / gap**2 * 9) + 9
    tries = np.array([chance.random() for _ in range(2 * count)]).reshape(-1, 2)
    xs, ys = (tries * (right - left, top - foot) + (left, foot)).T
    shapely.prepare(room)
    xs, ys, _ = boxes_within(room, xs, ys, box)
    waiting = xs + 1j * _ROWS_CLOSER * ys
    found: list[Point] = []
    while len(waiting):
        place = complex(waiting[0])
        found.append((place.real, place.imag / _ROWS_CLOSER))
        waiting = waiting[np.abs(waiting - place) >= gap]
    return sorted(found, key=lambda at: -at[1])
