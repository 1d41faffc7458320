"""The picture of a quick start, in a window of 66 x 72 mm, and what such pictures share."""

from __future__ import annotations

from collections.abc import Callable

from loomtable.printkit.components.sheet_style import PARCHMENT, Theme
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import polyline, rect, rounded
from loomtable.printkit.draw.pen import Pen

WIDTH, HEIGHT = 66.0, 72.0


def draw_art(pen: Pen, theme: Theme) -> None:
    """The game's picture, its lower left corner at the origin."""
    window = rounded(0, 0, WIDTH, HEIGHT, 3.0)
    pen.fill_background(window, theme.pale)
    with pen.clipped(window):
        theme.scene(pen, theme)
    pen.stroke(window, theme.deep, 0.8)
    pen.stroke(rounded(1.1, 1.1, WIDTH - 2.2, HEIGHT - 2.2, 2.2), theme.warm, 0.2)


def draw_laid(
    pen: Pen, x: float, y: float, turn: float, scale: float, box: tuple[float, float], draw: Callable[[Pen], None]
) -> None:
    """A picture of ``box`` mm as a card lying about (x, y), turned."""
    width, height = box
    with pen.at(x, y, turn=turn, scale=scale), pen.at(-width / 2, -height / 2):
        card = rounded(-2.4, -2.4, width + 4.8, height + 4.8, 3)
        pen.fill_background(card, PARCHMENT)
        with pen.clipped(rect(0, 0, width, height)):
            draw(pen)
        pen.stroke(rect(0, 0, width, height), Colour.hex("2A2633"), 0.4)
        pen.stroke(card, Colour.hex("2A2633"), 0.35)


def draw_cloth(pen: Pen, theme: Theme) -> None:
    """The table's cloth: a plain weave of pale threads."""
    if pen.style is Style.LOW_INK:
        return
    for at in range(0, 75, 3):
        pen.stroke(polyline((at, 0), (at, HEIGHT)), theme.deep.towards(theme.pale, 0.82), 0.5, tone=True)
        pen.stroke(polyline((0, at), (WIDTH, at)), theme.warm.towards(theme.pale, 0.8), 0.5, tone=True)
