"""The ground of a combat map: flagstones, a meadow, or the rock of a mine, each square of it to be counted.

The squares' edges are drawn on every ground, and what is on it leaves room for a square's name.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from random import Random

from loomtable.printkit.draw.land import draw_thing, scattered
from loomtable.printkit.draw.palette import BLACK, Colour, Style
from loomtable.printkit.draw.path import Path, polyline, rect, ribbon, rounded
from loomtable.printkit.draw.pen import Pen

_DASHES = 9
"""On each edge of a square where the ground is not paved."""
_NAME = (9.5, 5.6)
"""Room for a square's name in its lower left corner, mm."""


class Ground(Enum):
    """What people walk on: its colour, that of its joints and marks, and how far apart marks are (mm)."""

    FLAGS = Colour.hex("E9DFC9"), Colour.hex("B9A988"), 0.0
    MEADOW = Colour.hex("E3E7C4"), Colour.hex("A7B080"), 6.4
    ROCK = Colour.hex("DDD8CF"), Colour.hex("A39A8C"), 8.0


_BY_THINGS = {"tree": Ground.MEADOW, "rock": Ground.MEADOW, "bush": Ground.MEADOW, "brine": Ground.ROCK}


def ground_of(kinds: Collection[str]) -> Ground:
    """The ground on which things of these kinds stand: trees grow on meadows, brine lies in mines."""
    return next((ground for kind, ground in _BY_THINGS.items() if kind in kinds), Ground.FLAGS)


def draw_square(
    pen: Pen, ground: Ground, corner: tuple[float, float], side: float, seed: str, *, free: bool
) -> None:
    """One square of the ground, its lower left corner at ``corner``; no marks where something covers it."""
    import shapely

    x, y = corner
    colour, mark, gap = ground.value
    chance = Random(seed)
    pen.fill_background(rect(x, y, side, side), colour.towards(mark, 0.14 * chance.random()))
    if ground is Ground.FLAGS:
        _draw_flags(pen, x, y, side, chance, colour, mark)
    elif free:
        whole = shapely.box(x + 1.6, y + 1.6, x + side - 1.6, y + side - 1.6)
        room = whole.difference(shapely.box(x, y, x + _NAME[0], y + _NAME[1]))
        apart = gap * (1.5 if pen.style is Style.LOW_INK else 1)
        for px, py in scattered(room, chance, apart, (-1.2, 0, 1.2, 1.5)):
            _draw_mark(pen, ground, px, py, chance, mark)
    # Those of its edges beside which the next square is drawn already.
    edge = Path().move(x, y).line(x, y + side).line(x + side, y + side)
    if ground is not Ground.FLAGS:
        starts = [at * side / _DASHES for at in range(_DASHES)]
        edge = sum((polyline((x, y + at), (x, y + at + 1.5)) for at in starts), Path())
        edge += sum((polyline((x + at, y + side), (x + at + 1.5, y + side)) for at in starts), Path())
    pen.stroke(edge, mark.towards(BLACK, 0.3), 0.5, butt=True)


def _draw_mark(pen: Pen, ground: Ground, x: float, y: float, chance: Random, mark: Colour) -> None:
    if ground is Ground.MEADOW:
        draw_thing(pen, "bush" if chance.random() < 0.08 else "tuft", x, y, scale=1.2 + 0.5 * chance.random())
        return
    crack = ribbon([(-1.5, 0), (0, 0.4), (1.5, -0.2)], [0, 0.3, 0])
    turn, scale = chance.choice((20, 65, 110, 145)), chance.choice((0.5, 0.8, 1.1))
    with pen.at(round(x, 2), round(y + 0.7, 2), turn=turn, scale=scale):
        pen.place("crack-in-rock", (-1.8, -0.8, 3.6, 1.6), lambda inner: inner.solid(crack, mark))


def _draw_flags(pen: Pen, x: float, y: float, side: float, chance: Random, colour: Colour, joint: Colour) -> None:
    """A square of flagstones: one, or two to four of different shades, here and there cracked."""
    across, up = (chance.choice((1.0, 1.0, 0.4, 0.5, 0.6)) * side for _ in range(2))
    for left, right in ((0.0, across), (across, side)):
        for foot, top in ((0.0, up), (up, side)):
            if left < right and foot < top:
                size = (right - left - 0.9, top - foot - 0.9)
                flag = rounded(x + left + 0.45, y + foot + 0.45, *size, 1.1).traced()
                pen.fill_background(flag, colour.towards(joint, 0.03 + 0.27 * chance.random()))
                pen.stroke(flag, joint, 0.16)
        up = side - up if 0 < up < side else up
    if chance.random() < 0.3:
        cx, cy = x + side * chance.uniform(0.45, 0.75), y + side * chance.uniform(0.45, 0.75)
        points = [(cx - 3.4, cy + 2.2), (cx - 1, cy + 0.3), (cx + 0.6, cy + 0.8), (cx + 3.2, cy - 1.6)]
        pen.stroke(polyline(*points), joint, 0.22)
