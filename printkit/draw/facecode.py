"""A side of a Weave die or a coin token: its symbol, and round it the ring that a camera reads.

The ring is a loom seen from above: a dark rim with stitches, and pegs that stand in from it where its word has a
dark cell. Rim and pegs stay dark in every style; what is light stays clear of ink.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.ring_codes import (
    CELLS,
    CELLS_INSIDE,
    RIM_INSIDE,
    SYMBOL_RADIUS,
    WORDS,
    RingMark,
    cells,
)
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import Path, Point, arc, circle, lens, on_circle, polyline
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.suits import SUIT_COLOURS, draw_suit

_STEP = 360 / CELLS
_RING_DARKER = 0.5
"""How far towards black ink the ring goes: a camera that burns out white paper must still see it dark."""
_SYMBOL_DARKER = 0.2
_PEG_ROUND = 0.055
"""How far a peg's inner corners are rounded, in parts of the radius."""

SIDE_COLOURS: Mapping[Face, tuple[Colour, Colour]] = {
    **dict(SUIT_COLOURS.items()),
    "weave": (Colour.hex("6A4512"), Colour.hex("E8C983")),
    "strike": (Colour.hex("33283C"), Colour.hex("D8A79C")),
    "heads": (Colour.hex("7A3B1D"), Colour.hex("EBC487")),
    "tails": (Colour.hex("24405A"), Colour.hex("A9C8CF")),
}
"""Each side's deep colour and its light one."""

_MIDDLES: Mapping[Face, tuple[float, float, float]] = {
    "flames": (0.0, 0.0, 9.95),
    "brooks": (0.5, 0.03, 12.48),
    "gales": (1.51, -1.94, 11.25),
    "stones": (0.14, -2.8, 11.02),
    "weave": (0.0, 0.0, 9.87),
    "strike": (-0.42, 0.03, 10.04),
    "heads": (0.0, 0.0, 10.0),
    "tails": (0.0, 0.0, 10.0),
}
"""Middle and radius of the smallest circle round each symbol, where the symbol is drawn 20 mm high."""


def draw_side(pen: Pen, mark: RingMark, x: float, y: float, radius: float) -> None:
    """Draw a side's ring, ``radius`` mm from its middle (x, y) to the rim's outer edge, with the symbol in it.

    The ground must be light, and stay so as far as ``CLEAR_OUTSIDE`` radii.
    """
    deep, light = SIDE_COLOURS[mark.face]
    with pen.at(x, y):
        _draw_warp(pen, WORDS[mark], radius, light)
        ink = INK if pen.style is Style.LOW_INK else deep.towards(INK, _RING_DARKER)
        pen.solid(circle(0, 0, radius) + circle(0, 0, radius * RIM_INSIDE), ink, even_odd=True)
        pen.solid(pegs(WORDS[mark], radius), ink)
        if pen.style is not Style.LOW_INK:
            # Fine stitches along the rim: too fine for a camera, and not so light that they could open the rim.
            for at in range(2 * CELLS):
                angle = 90 - (at + 0.5) * _STEP / 2
                place = on_circle(0, 0, radius * (1 + RIM_INSIDE) / 2, angle)
                stitch = lens(*place, radius * 0.085, radius * 0.022, angle + 90)
                pen.fill_background(stitch, deep.towards(light, 0.25))
        inside = SYMBOL_RADIUS * radius
        pen.place(
            f"symbol-{mark.face}-{radius:.2f}",
            (-inside - 0.1, -inside - 0.1, 2 * inside + 0.2, 2 * inside + 0.2),
            lambda inner: draw_symbol(inner, mark.face, inside, deep.towards(INK, _SYMBOL_DARKER), light),
        )


def draw_symbol(pen: Pen, face: Face, radius: float, deep: Colour, light: Colour) -> None:
    """Draw a symbol about the origin so that it just fills a circle of ``radius`` mm."""
    middle_x, middle_y, reach = _MIDDLES[face]
    size = 20 * radius / reach
    x, y = -middle_x * size / 20, -middle_y * size / 20
    if face in Die.COIN.faces:
        with pen.at(x, y, scale=size / 20):
            art_named("coins", str(face)).draw(pen, {"deep": deep, "light": light})
    else:
        draw_suit(pen, str(face), x, y, size, deep, light)


def pegs(word: int, radius: float) -> Path:
    """The dark cells of a word about the origin, those that touch grown together."""
    path = Path()
    for start, length in _runs(cells(word)):
        path += _peg(radius, start, length)
    return path


def _runs(dark: tuple[bool, ...]) -> list[tuple[int, int]]:
    """First cell and length of every run of dark cells, clockwise; no word is of one colour."""
    firsts = [at for at in range(CELLS) if dark[at] and not dark[at - 1]]
    runs = []
    for first in firsts:
        length = next(n for n in range(1, CELLS) if not dark[(first + n) % CELLS])
        runs.append((first, length))
    return runs


def _peg(radius: float, start: int, length: int) -> Path:
    """A run of dark cells: from within the rim to the cells' inner end, its inner corners rounded."""
    outer, inner = radius * (RIM_INSIDE + 0.02), radius * CELLS_INSIDE
    left = 90 - (start - 0.5) * _STEP
    right = left - length * _STEP
    soft = radius * _PEG_ROUND
    slack = math.degrees(soft / inner)
    path = Path().move(*on_circle(0, 0, outer, left))
    path.steps += arc(0, 0, outer, left, right).steps[1:]
    path.line(*on_circle(0, 0, inner + soft, right))
    path.curve(*_twice(on_circle(0, 0, inner, right)), *on_circle(0, 0, inner, right + slack))
    path.steps += arc(0, 0, inner, right + slack, left - slack).steps[1:]
    path.curve(*_twice(on_circle(0, 0, inner, left)), *on_circle(0, 0, inner + soft, left))
    return path.close()


def _twice(point: Point) -> tuple[float, float, float, float]:
    return (*point, *point)


def _draw_warp(pen: Pen, word: int, radius: float, light: Colour) -> None:
    """A pale thread in every open cell, from the rim to the symbol's ground."""
    for at, dark in enumerate(cells(word)):
        if not dark:
            angle = 90 - at * _STEP
            thread = polyline(
                on_circle(0, 0, radius * (RIM_INSIDE - 0.03), angle),
                on_circle(0, 0, radius * (CELLS_INSIDE + 0.03), angle),
            )
            pen.stroke(thread, light.towards(Colour(1, 1, 1), 0.25), radius * 0.035, tone=True)
