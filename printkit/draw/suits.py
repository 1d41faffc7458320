"""The symbols of the Weave: four suits, the weave and the strike. Each has a silhouette of its own.

Every symbol is drawn into a square of the given size about (x, y): ``colour`` for the body, ``light`` for the
marks cut into it. They are told apart by shape alone: flames rise to points, brooks lie in three waves, gales wind
into one round spiral, stones are piled; the weave is a knot and the strike a bolt.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from loomtable.engine.weave.suits import Suit
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import (
    Path,
    Point,
    blob,
    lens,
    on_circle,
    polygon,
    polyline,
    rect,
    ribbon,
    rounded,
    svg_path,
)
from loomtable.printkit.draw.pen import OUTLINE, Pen

SUIT_COLOURS: dict[Suit, tuple[Colour, Colour]] = {
    Suit.FLAMES: (Colour.hex("A8321F"), Colour.hex("F3B65C")),
    Suit.BROOKS: (Colour.hex("1F5673"), Colour.hex("9CCBD2")),
    Suit.GALES: (Colour.hex("5B4A86"), Colour.hex("C9BCE3")),
    Suit.STONES: (Colour.hex("4F5636"), Colour.hex("C6C492")),
}
"""Each suit's deep colour and its light one."""


_LEAST_OUTLINED = 12.0
"""Smaller symbols (mm) are printed solid even in the low-ink style."""


def draw_suit(pen: Pen, suit: Suit, x: float, y: float, size: float, colour: Colour, light: Colour) -> None:
    """Draw a suit's symbol, ``size`` mm high, about (x, y)."""
    with pen.at(x, y, scale=size / 20):
        _SUITS[suit](_Cutter(pen, size, colour, light))


def draw_weave(pen: Pen, x: float, y: float, size: float, colour: Colour, light: Colour) -> None:
    """The weave: two strands knotted through each other, ``size`` mm high, about (x, y)."""
    with pen.at(x, y, scale=size / 20):
        _weave(_Cutter(pen, size, colour, light))


def draw_strike(pen: Pen, x: float, y: float, size: float, colour: Colour, light: Colour) -> None:
    """The strike: a bolt through a broken ring, ``size`` mm high, about (x, y)."""
    with pen.at(x, y, scale=size / 20):
        _strike(_Cutter(pen, size, colour, light))


@dataclass(frozen=True)
class _Cutter:
    """Draws bodies and the marks cut into them, in whichever way the style and the size ask for."""

    pen: Pen
    size: float
    colour: Colour
    light: Colour

    @property
    def _lines(self) -> bool:
        """Whether bodies are outlines: in the low-ink style, unless they are too small for that."""
        return self.pen.style is Style.LOW_INK and self.size >= _LEAST_OUTLINED

    def body(self, path: Path, *, even_odd: bool = False) -> None:
        if self._lines:
            self.pen.fill(path, self.colour, even_odd=even_odd)
        else:
            self.pen.solid(path, self.colour, even_odd=even_odd)

    def mark(self, path: Path) -> None:
        if self._lines:
            self.pen.solid(path, self.colour)
        else:
            self.pen.fill_background(path, self.light)

    def bridge(self, x: float, y: float, width: float) -> None:
        """An upright strand of ``width`` that passes over another at (x, y), with ground showing beside it."""
        left, foot, tall = x - width / 2, y - width / 2 - 0.6, width + 1.2
        self.pen.fill_background(rect(left - 0.55, foot + 0.1, width + 1.1, tall - 0.2), self.light)
        if not self._lines:
            self.pen.solid(rect(left, foot, width, tall), self.colour)
            return
        for edge in (left, left + width):
            self.pen.stroke(polyline((edge, foot), (edge, foot + tall)), self.colour, OUTLINE, butt=True)


def _strike(cutter: _Cutter) -> None:
    for start, end in ((-42, 48), (138, 228)):
        half_ring = [on_circle(0, 0, 8, start + (end - start) * at / 5) for at in range(6)]
        cutter.body(ribbon(half_ring, [0, 2, 2, 0]))
    cutter.body(polygon((1.4, 10), (-5.2, -1.2), (-0.8, -0.4), (-2.2, -10), (5.2, 2.4), (0.9, 1.2)))
    cutter.mark(polygon((0.2, 6), (-3.2, 0), (0.2, 0.8)))


def _flames(cutter: _Cutter) -> None:
    body = svg_path(
        "M0.6 10 C1.4 6.6 4.6 5.2 5 1.6 C5.9 2.6 6.3 4.2 6.1 5.8 C8.4 3.2 9.2 -0.6 8.2 -3.8 "
        "C7.2 -7.6 3.8 -10 0 -10 C-4 -10 -7.4 -7.6 -8.2 -3.8 C-8.8 -0.8 -7.6 1.8 -6 4.2 "
        "C-5.9 2.4 -5.2 1.2 -4.2 0.4 C-4.2 4.4 -1 6.4 0.6 10 Z"
    )
    cutter.body(body)
    inner = svg_path(
        "M0.4 2.8 C0.6 0.4 3.8 -1.2 3.6 -4.4 C3.4 -6.9 1.8 -8.2 0 -8.2 C-2 -8.2 -3.6 -6.8 -3.6 -4.6 "
        "C-3.6 -2.8 -2.5 -1.8 -1.9 -0.6 C-1.6 -1.7 -1.2 -2.2 -0.6 -2.6"
    )
    cutter.mark(inner.curve(-0.6, -0.6, 0.2, 0.8, 0.4, 2.8).close())
    cutter.body(
        svg_path(
            "M0.3 -3.4 C0.6 -4.6 1.7 -5 1.5 -6.3 C1.3 -7.5 -1.3 -7.5 -1.5 -6.3 C-1.6 -5.2 -0.2 -4.8 0.3 -3.4 Z"
        )
    )
    for points in ([(-7, -3), (-6.4, -5.8), (-4.4, -8)], [(7, -2.4), (6.5, -5.4), (4.6, -7.8)]):
        cutter.mark(ribbon(points, [0, 0.7, 0]))


def _brooks(cutter: _Cutter) -> None:
    for y, shift in ((6.3, 0.0), (0.0, 40.0), (-6.3, 0.0)):
        wave = [(-10 + at * 20 / 24, y + 1.9 * math.sin(math.radians(at * 26 + shift))) for at in range(25)]
        cutter.body(ribbon(wave, [0, 3.4, 4.0, 4.0, 3.4, 0], 2))
        cutter.mark(ribbon([(px, py + 0.3) for px, py in wave[4:21]], [0, 0.9, 0.9, 0], 2))


def _gales(cutter: _Cutter) -> None:
    spiral = _spiral(8.6, 0.9, 720, 30)
    tail = [(10.2, -9.6), (5.8, -10.0), (1.4, -9.6), (-2.6, -8.5)]
    cutter.body(ribbon([*tail, *spiral], [0, 1.6, 2.5, 2.7, 2.6, 2.3, 1.9, 1.4, 0], 3))
    cutter.mark(ribbon(spiral[1:22], [0, 0.6, 0.5, 0], 3))
    cutter.body(lens(7.2, -6.7, 5.4, 1.5, 10))


def _spiral(outer: float, inner: float, sweep: float, count: int) -> list[Point]:
    """Points on a spiral that winds clockwise from the lower left to the middle."""
    start = -128.0
    return [
        on_circle(0, 0, outer + (inner - outer) * at / count, start - sweep * at / count)
        for at in range(count + 1)
    ]


def _stones(cutter: _Cutter) -> None:
    stones = (
        [
            (-9.4, -8.2),
            (-9.8, -5.6),
            (-7.4, -3.6),
            (-2, -3),
            (4.6, -3.2),
            (8.8, -4.2),
            (9.9, -6.8),
            (8.6, -9.4),
            (2, -9.9),
            (-6, -9.8),
        ],
        [(-6.6, -0.4), (-5.6, 1.8), (-1.6, 3.1), (3.6, 2.7), (6.9, 0.6), (6.5, -1.6), (2.6, -2.4), (-3.8, -2.3)],
        [(-3.6, 5), (-2.6, 7.2), (0.2, 8.2), (3.2, 7.2), (4.1, 5.1), (2.2, 3.6), (-1.8, 3.7)],
    )
    for stone in stones:
        cutter.body(blob(*stone))
    for points in (
        [(-8, -5.4), (-4, -4.3), (2, -4.3)],
        [(-5, 0.6), (-1.8, 2), (2, 1.9)],
        [(-2.2, 6.2), (-0.2, 7.3), (1.6, 6.9)],
        [(4, -7.4), (6.6, -7.2), (8.2, -6)],
        [(2.6, -1.2), (4.4, -0.8), (5.6, 0.2)],
    ):
        cutter.mark(ribbon(points, [0, 0.85, 0]))


_SUITS: dict[Suit, Callable[[_Cutter], None]] = {
    Suit.FLAMES: _flames,
    Suit.BROOKS: _brooks,
    Suit.GALES: _gales,
    Suit.STONES: _stones,
}


def _weave(cutter: _Cutter) -> None:
    """Two long loops crossed at right angles; each passes over and under the other in turn."""
    half, long, width = 3.5, 9.9, 2.5

    def loop(grow: float) -> Path:
        return rounded(-half - grow, -long - grow, 2 * (half + grow), 2 * (long + grow), half + grow)

    for turn in (45, -45):
        with cutter.pen.at(0, 0, turn=turn):
            cutter.body(loop(0) + loop(-width), even_odd=True)
    for turn in (45, -45):
        with cutter.pen.at(0, 0, turn=turn):
            for side in (1, -1):
                cutter.bridge(side * (half - width / 2), side * turn / 45 * (half - width / 2), width)
