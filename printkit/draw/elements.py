"""The four elements of Woven: a light symbol cut into a dark plate, told apart by both their shapes.

Air is three gusts on a round plate, Fire a flame on a jagged one, Earth a cut stone on a square one, Water three
waves on a wavy one. All are known again whichever way up a card lies. A thread is a small cross stitch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import (
    Path,
    blob,
    circle,
    on_circle,
    polyline,
    ribbon,
    rounded,
    star,
)
from loomtable.printkit.draw.pen import Pen

ELEMENT_COLOURS: Mapping[str, tuple[Colour, Colour]] = {
    "air": (Colour.hex("5A4B8C"), Colour.hex("D9D0EC")),
    "fire": (Colour.hex("A3301C"), Colour.hex("F6C877")),
    "earth": (Colour.hex("45602C"), Colour.hex("D5DCA4")),
    "water": (Colour.hex("1D5878"), Colour.hex("AEDBE0")),
}
"""Each element's deep colour and its light one."""
THREAD_COLOUR = Colour.hex("7A4A21")
_REACH = 10.6
"""Every symbol stays within this radius where it is drawn 20 mm wide."""


def draw_element(pen: Pen, element: str, x: float, y: float, size: float) -> None:
    """Draw an element's symbol, ``size`` mm across, about (x, y); kept once in a file for each size."""
    with pen.at(x, y, scale=size / 20):
        pen.place(
            f"element-{element}-{size:g}",
            (-_REACH, -_REACH, 2 * _REACH, 2 * _REACH),
            lambda inner: _draw(inner, element, size),
        )


def _draw(pen: Pen, element: str, size: float) -> None:
    deep, light = ELEMENT_COLOURS[element]
    plate, inner, symbol = _PLATES[element], _INNER[element], art_named("elements", element)
    low = pen.style is Style.LOW_INK
    if low and size >= 6:
        line = 20 / size
        pen.fill_background(plate(10))
        pen.stroke(plate(9.8), INK, 0.35 * line)
        pen.stroke(plate(8.8), INK, 0.13 * line)
        symbol.draw(pen)
        return
    pen.solid(plate(10), deep)
    if not low:
        pen.stroke(inner, light.towards(deep, 0.45), 0.3)
    symbol.draw(pen, {"light": light}, outlined=False)


def _round(radius: float) -> Path:
    return circle(0, 0, radius)


def _jagged(radius: float) -> Path:
    return star(0, 0, radius * 1.05, radius * 0.86, 12)


def _square(radius: float) -> Path:
    half = radius * 0.86
    return rounded(-half, -half, 2 * half, 2 * half, radius * 0.16)


def _wavy(radius: float) -> Path:
    ring = [on_circle(0, 0, radius * (0.95 + 0.055 * math.cos(math.radians(at * 45))), at * 5) for at in range(72)]
    return blob(*ring[::2])


_PLATES: Mapping[str, Callable[[float], Path]] = {
    "air": _round,
    "fire": _jagged,
    "earth": _square,
    "water": _wavy,
}
_INNER: Mapping[str, Path] = {
    "air": circle(0, 0, 9.0),
    "fire": circle(0, 0, 8.0),
    "earth": rounded(-7.7, -7.7, 15.4, 15.4, 1.0),
    "water": circle(0, 0, 8.5),
}


def draw_thread(pen: Pen, x: float, y: float, size: float, colour: Colour = THREAD_COLOUR) -> None:
    """A thread as patterns show it: a cross stitch ``size`` mm wide about (x, y), one strand over the other.

    A file keeps it once for each colour.
    """
    with pen.at(x, y, scale=size / 10):
        name = f"thread-{round(colour.red * 255):02x}{round(colour.green * 255):02x}{round(colour.blue * 255):02x}"
        pen.place(name, (-6, -6, 12, 12), lambda inner: _stitch(inner, colour))


def _stitch(pen: Pen, colour: Colour) -> None:
    reach, width = 4.6, 2.0
    under = ribbon([(-reach, -reach), (0, 0), (reach, reach)], [width * 0.7, width, width * 0.7], 2)
    over = ribbon([(-reach, reach), (0, 0), (reach, -reach)], [width * 0.7, width, width * 0.7], 2)
    edge = ribbon([(-reach * 0.45, reach * 0.45), (0, 0), (reach * 0.45, -reach * 0.45)], [width * 1.7] * 3, 2)
    pen.solid(under, colour)
    pen.fill_background(edge)
    pen.solid(over, colour)


def draw_thread_box(pen: Pen, x: float, y: float, size: float, colour: Colour = THREAD_COLOUR) -> None:
    """The empty box that takes a thread: ``size`` mm wide about (x, y), stitched all round."""
    half = size / 2
    pen.fill_background(rounded(x - half, y - half, size, size, size * 0.28), WHITE)
    pen.stroke(rounded(x - half, y - half, size, size, size * 0.28), colour, 0.5)
    inner = half * 0.8
    for at in range(-3, 4):
        along = at * inner * 0.24
        for ends in (
            ((along - 0.3, inner), (along + 0.3, inner)),
            ((along - 0.3, -inner), (along + 0.3, -inner)),
            ((inner, along - 0.3), (inner, along + 0.3)),
            ((-inner, along - 0.3), (-inner, along + 0.3)),
        ):
            pen.stroke(polyline(*[(x + px, y + py) for px, py in ends]), colour, 0.25)
