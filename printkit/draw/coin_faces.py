"""The two sides of a coin token: a face in profile under a woven band, and a shuttle with its thread.

Both are drawn about the origin within a circle of 10 mm, solid in every style, as codes are: they are small.
"""

from __future__ import annotations

import math

from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import Path, blob, circle, lens, on_circle, polygon, ribbon
from loomtable.printkit.draw.pen import Pen


def draw_heads(pen: Pen, deep: Colour, light: Colour) -> None:
    """The weaver's head, looking left, hair bound up in a knot."""
    ink = INK if pen.style is Style.LOW_INK else deep
    head = Path().move(-1.2, 8.6).curve(-4.6, 8.2, -6.2, 5.6, -6.0, 3.0)
    head.curve(-6.0, 2.2, -6.4, 1.4, -7.0, 0.3).curve(-7.5, -0.6, -7.6, -1.0, -6.6, -1.2)
    head.curve(-6.2, -1.3, -6.2, -1.7, -6.4, -2.2).curve(-6.6, -2.6, -6.4, -2.9, -6.0, -3.1)
    head.curve(-6.5, -3.5, -6.3, -4.0, -5.9, -4.3).curve(-6.1, -6.0, -4.6, -6.6, -2.6, -6.0)
    head.curve(-2.0, -7.2, -2.4, -8.4, -3.4, -9.3).curve(0.0, -10.3, 4.0, -9.6, 6.2, -7.4)
    head.curve(4.2, -6.4, 3.4, -4.6, 4.0, -2.6).curve(5.4, -0.6, 5.6, 2.4, 4.4, 5.0)
    head.curve(3.2, 7.6, 1.2, 8.8, -1.2, 8.6).close()
    pen.solid(head, ink)
    pen.solid(blob((4.0, 6.6), (6.6, 7.0), (8.4, 4.9), (8.2, 2.2), (6.0, 1.0), (4.2, 2.6)), ink)
    pen.fill_background(lens(-4.5, 1.0, 2.0, 0.8, 8), light)
    pen.fill_background(ribbon([(-5.9, 4.2), (-2.2, 5.6), (1.6, 4.6), (4.6, 2.0)], [0.5, 1.3, 1.3, 0.5]), light)
    pen.fill_background(ribbon([(4.6, 5.4), (6.4, 5.6), (7.2, 4.2), (6.2, 2.8)], [0, 0.8, 0.7, 0]), light)
    pen.fill_background(ribbon([(-0.4, 2.6), (1.2, 1.2), (1.4, -0.8), (0.4, -2.4)], [0, 0.9, 0.9, 0]), light)


def draw_tails(pen: Pen, deep: Colour, light: Colour) -> None:
    """A shuttle laid aslant, and the thread that it draws in waves to both sides."""
    ink = INK if pen.style is Style.LOW_INK else deep
    for side in (1, -1):
        wave = [(side * (-8.6 + at * 0.85), side * (1.3 + 5.6 * math.sin(math.pi * at / 9))) for at in range(10)]
        pen.solid(ribbon([(x, y + side * 0.4) for x, y in wave], [0, 1.5, 1.7, 1.2, 0], 3), ink)
    shuttle = Path().move(*on_circle(0, 0, 9.9, 225)).curve(-6.0, 0.6, 0.6, 6.0, *on_circle(0, 0, 9.9, 45))
    shuttle.curve(6.0, -0.6, -0.6, -6.0, *on_circle(0, 0, 9.9, 225)).close()
    pen.solid(shuttle, ink)
    eye = polygon(*[(x, y) for x, y in ((-3.3, -1.5), (1.5, 3.3), (3.3, 1.5), (-1.5, -3.3))])
    pen.fill_background(eye, light)
    for at in (-1.5, 0.0, 1.5):
        pen.solid(lens(at, at, 3.4, 0.8, -45), ink)
    for place in (5.4, -5.4):
        pen.fill_background(circle(place, place, 0.62), light)
