"""Grids to draw on: hexagons with their numbers, and squares at the scale of figures."""

from __future__ import annotations

import math

from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import Path, on_circle, polygon, polyline, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Face
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import PrintedPage

HEX = 20.0
"""From side to side of a hexagon (mm)."""
SQUARE = 25.0
"""Side of a square (mm): the base of a figure."""
_GROUND, _LINE, _NUMBER = Colour.hex("F4F1E6"), Colour.hex("9AA39A"), Colour.hex("6A746C")


def hexagons(width: float, height: float) -> list[tuple[int, int, float, float]]:
    """Column, row and middle of every hexagon that lies whole within width x height mm, from the top left."""
    corner = HEX / math.sqrt(3)
    columns = int((width - 2 * corner) / (1.5 * corner)) + 1
    left = (width - (1.5 * corner * (columns - 1) + 2 * corner)) / 2 + corner
    rows = int(height / HEX)
    spare = height - rows * HEX
    lowered = HEX / 2
    shift = (spare - lowered) / 2 if spare >= lowered else spare / 2
    return [
        (
            column + 1,
            row + 1,
            left + 1.5 * corner * column,
            height - shift - HEX * (row + 0.5) - column % 2 * lowered,
        )
        for column in range(columns)
        for row in range(rows - (column % 2 if spare < lowered else 0))
    ]


def _hexes(options: RenderOptions) -> list[PrintedPage]:
    area = page_area(options.paper, landscape=True)

    def draw(pen: Pen) -> None:
        lines, corner = Path(), HEX / math.sqrt(3)
        placed = hexagons(area.width, area.height)
        for _, _, x, y in placed:
            lines += polygon(*(on_circle(x, y, corner, 60 * at) for at in range(6)))
        pen.fill_background(lines, _GROUND)
        pen.stroke(lines, _LINE, 0.3)
        for column, row, x, y in placed:
            pen.text(x, y + HEX / 2 - 3.4, f"{column:02}{row:02}", Face.LABEL, 6, _NUMBER, align="middle")

    return [PrintedPage(None, "A grid of hexagons", draw, landscape=True)]


def _squares(options: RenderOptions) -> list[PrintedPage]:
    area = page_area(options.paper, landscape=True)
    columns, rows = int(area.width / SQUARE), int(area.height / SQUARE)
    wide, high = columns * SQUARE, rows * SQUARE

    def draw(pen: Pen) -> None:
        with pen.at((area.width - wide) / 2, (area.height - high) / 2):
            pen.fill_background(rect(0, 0, wide, high), _GROUND)
            lines = Path()
            for at in range(columns + 1):
                lines += polyline((at * SQUARE, 0), (at * SQUARE, high))
            for at in range(rows + 1):
                lines += polyline((0, at * SQUARE), (wide, at * SQUARE))
            pen.stroke(lines, _LINE, 0.3)
            for x in range(columns):
                for y in range(rows):
                    pen.fill_background(rect((x + 0.5) * SQUARE - 0.3, (y + 0.5) * SQUARE - 0.3, 0.6, 0.6), _LINE)

    return [PrintedPage(None, "A grid of squares", draw, landscape=True)]


PRINTED = (
    Component(
        name="hex-grid",
        title="A grid of hexagons",
        description="One page of numbered hexagons, 20 mm from side to side, to draw a land on",
        system="table",
        pieces=_hexes,
        aliases=("grids",),
        has_cards=False,
    ),
    Component(
        name="square-grid",
        title="A grid of squares",
        description="One page of squares of 25 mm, to draw a fight on",
        system="table",
        pieces=_squares,
        aliases=("grids", "blank-map"),
        has_cards=False,
    ),
)
"""What this file prints."""
