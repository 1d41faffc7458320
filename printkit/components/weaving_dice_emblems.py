"""Pictures of the thirteen weaving dice, cut as in lino, about the origin within a circle of 20 mm.

A die that nobody drew, of a table's own file, gets a rosette that follows from its name.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass

from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import (
    Path,
    Point,
    blob,
    circle,
    ellipse,
    lens,
    on_circle,
    polygon,
    ribbon,
    rounded,
    star,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen


@dataclass(frozen=True)
class Cutter:
    """Cuts dark bodies and light marks."""

    pen: Pen
    deep: Colour
    light: Colour

    def body(self, path: Path) -> None:
        """A dark shape; an outline in the low-ink style."""
        self.pen.fill(path, self.deep, even_odd=True)

    def mark(self, path: Path) -> None:
        """A light mark on a dark body; dark where bodies are outlines."""
        self.pen.solid(path, self.deep if self.pen.style is Style.LOW_INK else self.light)

    def line(self, path: Path) -> None:
        """A dark mark on the ground."""
        self.pen.solid(path, self.deep)


def draw_emblem(pen: Pen, key: str, deep: Colour, light: Colour) -> None:
    """The picture of the die of this key."""
    cutter = Cutter(pen, deep, light)
    drawn = EMBLEMS.get(key)
    if drawn:
        drawn(cutter)
    else:
        _rosette(cutter, key)


def _rosette(c: Cutter, key: str) -> None:
    chance = hashlib.sha256(key.encode()).digest()
    petals, folds = 5 + chance[0] % 6, 2 + chance[1] % 3
    for ring in range(folds):
        radius = 17 - ring * 5
        for at in range(petals):
            angle = at * 360 / petals + ring * 180 / petals
            c.body(lens(*on_circle(0, 0, radius * 0.55, angle), radius * 0.85, 3.4 + chance[2 + ring] % 3, angle))
    c.mark(circle(0, 0, 1.6))


def _salt(c: Cutter) -> None:
    for x, y, size, turn in ((-4, -3, 11, 12), (8, -8, 7, -20), (5, 8, 6, 30), (-11, 9, 4.4, 5), (13, 3, 3.4, 40)):
        half = size / 2
        with c.pen.at(x, y, turn=turn):
            c.body(
                polygon(
                    (-half, -half * 0.6),
                    (0, -half * 1.15),
                    (half, -half * 0.6),
                    (half, half * 0.6),
                    (0, half * 1.15),
                    (-half, half * 0.6),
                )
            )
            for end in ((-half * 0.8, half * 0.5), (half * 0.8, half * 0.5), (0, -half)):
                c.mark(ribbon([(0, 0), end], [size * 0.09, size * 0.03]))
    for x, y in ((-14, -12), (-8, 15), (15, 13), (0, -16), (16, -14)):
        c.line(star(x, y, 1.8, 0.6))


def _lantern(c: Cutter) -> None:
    c.body(arc_band(0, 12, 5.2, 0, 180, 1.3))
    c.body(polygon((-4, 11), (4, 11), (8, 7), (-8, 7)))
    c.body(rounded(-7, -11, 14, 17, 1.5) + rounded(-5, -9.4, 10, 14, 1))
    flame = svg_path("M0 2.6 C3.4 -1.4 3.4 -6.4 0 -7.8 C-3.4 -6.4 -3 -2.6 0 2.6 Z")
    c.body(flame)
    c.mark(lens(0, -4.8, 3.6, 1.2, 90))
    c.body(rounded(-9, -14, 18, 3, 1))
    for angle in range(-30, 220, 25):
        if not 60 < angle < 120:
            c.line(lens(*on_circle(0, -2, 16.4, angle), 5, 0.9, angle))


def _moth(c: Cutter) -> None:
    for side in (1, -1):
        upper = svg_path("M0 3 C5 12 14 15 19 11 C19 4 14 -1 1 -2 Z")
        lower = svg_path("M1 -2 C9 -2 14 -6 13 -11 C9 -14 3 -10 0 -6 Z")
        for wing in (upper, lower):
            c.body(wing if side == 1 else wing.mirrored(0))
        for mark in (
            lens(10, 7.6, 12, 1.3, 30),
            lens(11.5, 4, 10, 1.0, 15),
            circle(13.4, 9.6, 1.3),
            circle(8.6, -8, 1.4),
            lens(6.6, -5.4, 7, 0.9, -38),
        ):
            c.mark(mark if side == 1 else mark.mirrored(0))
        feeler = ribbon([(0.6, 7), (2.6, 12), (6.4, 15.4)], [0.9, 0.7, 0.1])
        c.line(feeler if side == 1 else feeler.mirrored(0))
    c.body(ellipse(0, -2, 2.1, 10))
    for y in (-9, -6.4, -3.8, -1.2):
        c.mark(lens(0, y, 2.8, 0.7))


def _bell(c: Cutter) -> None:
    bell = svg_path("M-2 13 C-9 11 -7 -2 -13 -9 L13 -9 C7 -2 9 11 2 13 Z")
    c.body(bell)
    c.body(circle(0, 15, 2.6) + circle(0, 15, 1.2))
    c.body(circle(0, -11.6, 2.8))
    c.mark(ribbon([(-9.6, -5.6), (0, -6.8), (9.6, -5.6)], [0.5, 0.9, 0.5]))
    c.mark(ribbon([(-4.6, 9), (-5.4, 3), (-7, -2.4)], [0.2, 1.3, 0.2]))
    for side in (1, -1):
        for reach in (15.4, 18.4):
            c.line(ribbon([on_circle(0, -2, reach, 90 - side * angle) for angle in (72, 88, 104)], [0, 1, 0]))


def _ink(c: Cutter) -> None:
    c.body(svg_path("M-9 -14 C-13 -8 -10 -3 -4 -1 L-4 2 L4 2 L4 -1 C10 -3 13 -8 9 -14 Z"))
    c.body(rounded(-5.4, 1.6, 10.8, 2.6, 1))
    c.mark(ribbon([(-7.4, -11), (-8, -7.6), (-4.6, -4)], [0.2, 1.2, 0.2]))
    quill = svg_path("M0.5 3 C1 8 4 14 13 18 C13 11 9 6 2.2 5.6 Z")
    c.body(quill)
    c.mark(ribbon([(1.4, 4.4), (5.4, 9.6), (11.6, 16.6)], [0.5, 0.6, 0.1]))
    for at in range(4):
        c.mark(lens(5 + at * 1.9, 8.2 + at * 2.2, 3.2, 0.5, 5))
    for x, y, size in ((-14, 6, 2), (-11, 12, 1.1), (15, -2, 1.5), (-16, -3, 0.9)):
        c.body(ellipse(x, y, size, size * 1.2))


def _honey(c: Cutter) -> None:
    for column, row in ((0, 0), (0, 1), (0, -1), (1, 0), (1, 1), (-1, 0), (-1, 1)):
        x, y = column * 8.4, row * 9.7 - (abs(column) % 2) * 4.85
        c.body(polygon(*(on_circle(x, y, 5.3, at * 60) for at in range(6))))
        if (column, row) in ((0, 0), (1, 1), (-1, 0)):
            c.mark(ellipse(x, y - 0.4, 2.6, 3.2))
        else:
            c.mark(lens(x - 1, y + 1.6, 4.6, 0.9, 30))
    c.body(svg_path("M0 -14 C1.2 -16 2.4 -17 2.4 -18.4 C2.4 -20 -2.4 -20 -2.4 -18.4 C-2.4 -17 -1.2 -16 0 -14 Z"))


def _rust(c: Cutter) -> None:
    teeth = [
        on_circle(0, 0, radius, tooth * 36 + offset)
        for tooth in range(10)
        for radius, offset in ((11.6, -10), (15.6, -7), (15.6, 7), (11.6, 10))
    ]
    c.body(polygon(*teeth) + circle(0, 0, 5))
    for at, (x, y) in enumerate(
        ((6.6, 5.4), (-8.4, 3.2), (-4.4, -8.6), (8.4, -4.6), (2, 9.6), (-9.6, -3.2), (5.6, -9.4))
    ):
        c.mark(blob(*[on_circle(x, y, 0.8 + (at * 7 + part * 5) % 4 * 0.35, part * 60) for part in range(6)]))
    c.mark(ribbon([(-3, 12.6), (-1.6, 8.4), (-3.4, 6)], [0.9, 0.6, 0.1]))


def _tide(c: Cutter) -> None:
    for row, y in enumerate((9.5, 3.2, -3.2, -9.6)):
        wave = [(-18 + at * 1.5, y + 2.4 * math.sin(math.radians(at * 45 + row * 80))) for at in range(25)]
        c.body(ribbon(wave, [0, 4.2, 4.6, 4.2, 0], 2))
        c.mark(ribbon([(x, v + 0.4) for x, v in wave[4:21]], [0, 0.9, 0.9, 0], 2))
    c.body(ribbon([on_circle(0, 16, 3.4, angle) for angle in range(30, 211, 30)], [0, 1.8, 2.2, 1.8, 0]))


def _snow(c: Cutter) -> None:
    for at in range(6):
        with c.pen.at(0, 0, turn=at * 60):
            c.line(ribbon([(0, 0), (0, 9), (0, 18)], [1.7, 1.5, 0.4]))
            for y, reach in ((7, 3.6), (11.4, 4.6), (15, 2.6)):
                for side in (1, -1):
                    c.line(ribbon([(0, y), (side * reach, y + reach * 0.8)], [1.2, 0.3]))
    c.body(polygon(*(on_circle(0, 0, 3.4, 30 + at * 60) for at in range(6))))
    c.mark(star(0, 0, 2.2, 0.9, 6))


def _bread(c: Cutter) -> None:
    c.body(blob((-17, -6), (-15, 2), (-8, 7), (0, 8.4), (8, 7), (15, 2), (17, -6), (9, -9.4), (-9, -9.4)))
    for x in (-9.4, -3.2, 3.2, 9.4):
        c.mark(lens(x, 1.4 - abs(x) * 0.18, 9.4, 1.8, 66))
    for side in (1, -1):
        stalk: list[Point] = [(side * 2, 10), (side * 4.6, 14), (side * 9, 17)]
        c.line(ribbon(stalk, [0.8, 0.7, 0.3]))
        for at in range(4):
            x, y = side * (4 + at * 1.5), 12.6 + at * 1.4
            for lean in (70, -10):
                c.line(
                    lens(
                        x + side * math.cos(math.radians(lean)) * 1.7,
                        y + math.sin(math.radians(lean)) * 1.5,
                        3.2,
                        1.2,
                        side * lean if side == 1 else 180 - lean,
                    )
                )
    c.line(lens(0, -13, 30, 0.9))


def _thread(c: Cutter) -> None:
    c.body(rounded(-10, 9, 20, 4, 1.6))
    c.body(rounded(-10, -13, 20, 4, 1.6))
    c.body(rounded(-7, -9.4, 14, 19, 1.4))
    for at in range(8):
        y = -8 + at * 2.3
        c.mark(ribbon([(-7, y - 0.7), (0, y - 0.3), (7, y + 0.7)], [0.2, 0.9, 0.2]))
    c.line(ribbon([(7, 7), (13, 7.4), (15.6, 1), (12, -4), (15, -10), (18, -13)], [0.6, 1.1, 1.1, 1.0, 0.9, 0]))
    c.line(ribbon([(-16, 14), (-12, -2), (-15, -15)], [0.2, 1.1, 0.1]))
    c.mark(lens(0, 11, 14, 0.7))


def _echo(c: Cutter) -> None:
    for ring, radius in enumerate((4.6, 8.2, 11.8, 15.4, 19)):
        span = 150 - ring * 16
        for middle in (0, 180):
            way = [on_circle(0, 0, radius, middle - span / 2 + span * at / 8) for at in range(9)]
            c.body(ribbon(way, [0, 2.3 - ring * 0.3, 2.3 - ring * 0.3, 0], 3))
    c.body(circle(0, 0, 2.2))
    c.mark(circle(0.5, 0.5, 0.7))


def _root(c: Cutter) -> None:
    c.body(ribbon([(0.5, 18), (-0.6, 10), (0.4, 2), (-0.6, -6), (0.6, -18)], [3.6, 5.4, 4.4, 2.6, 0]))
    for side, start, ways in (
        (1, 6, ((6, 3), (12, -1), (17, -9))),
        (-1, 4, ((-6, 0), (-12, -3), (-16, -12))),
        (1, -2, ((4, -6), (8, -12), (9, -18))),
        (-1, -5, ((-4, -9), (-7, -14), (-6, -18))),
    ):
        c.body(ribbon([(side * 0.5, start), *ways], [2.8, 2.1, 1.3, 0]))
    for x, y, turn in ((10.6, 0.6, -150), (-12.4, -2.8, -60), (14.6, -4.6, -30), (6.8, -10.2, -140)):
        c.line(ribbon([(x, y), on_circle(x, y, 4.6, turn)], [0.9, 0]))
    for side in (1, -1):
        leaf = lens(side * 5.6, 16.4, 10, 3.6, side * 24)
        c.body(leaf)
        c.mark(lens(side * 5.6, 16.4, 7.6, 0.6, side * 24))
    c.mark(ribbon([(-0.6, 12), (-0.4, 5), (0, -2)], [0.2, 1, 0.1]))


def arc_band(x: float, y: float, radius: float, start: float, end: float, width: float) -> Path:
    """A band along an arc."""
    return ribbon([on_circle(x, y, radius, start + (end - start) * at / 8) for at in range(9)], [width, width], 3)


EMBLEMS: dict[str, Callable[[Cutter], None]] = {
    "salt": _salt,
    "lantern": _lantern,
    "moth": _moth,
    "bell": _bell,
    "ink": _ink,
    "honey": _honey,
    "rust": _rust,
    "tide": _tide,
    "snow": _snow,
    "bread": _bread,
    "thread": _thread,
    "echo": _echo,
    "root": _root,
}
"""The dice that have a picture of their own."""
