"""Figures as linocuts: dark silhouettes with light cuts, on their feet at the origin, at most 23 x 33 mm."""

from __future__ import annotations

from loomtable.printkit.draw.art import Art
from loomtable.printkit.draw.pen import Pen

FIGURE_WIDTH, FIGURE_HEIGHT = 23.0, 33.0
"""The room of a figure in mm: half its width on each side of the origin, all of its height above."""


def draw_figure(pen: Pen, figure: Art, *, mirrored: bool = False) -> None:
    """Draw a figure on its feet at the origin, or its mirror image; kept once in a file for each."""

    def draw(inner: Pen) -> None:
        if mirrored:
            with inner.mirrored(0):
                figure.draw(inner)
        else:
            figure.draw(inner)

    box = (-FIGURE_WIDTH / 2 - 1, -1.0, FIGURE_WIDTH + 2, FIGURE_HEIGHT + 2)
    pen.place(f"figure-{figure.name}{'-mirrored' if mirrored else ''}", box, draw)
