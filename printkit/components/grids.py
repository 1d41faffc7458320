"""Grids to draw on: hexagons with their numbers, and squares at the scale of figures."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import product

from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import Path, on_circle, polygon
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import PrintedPage

Cell = tuple[int, int, float, float]
HEX = 20.0
"""From side to side of a hexagon (mm)."""
SQUARE = 25.0
"""Side of a square (mm): the base of a figure."""
_GROUND, _LINE, _NUMBER = Colour.hex("F4F1E6"), Colour.hex("9AA39A"), Colour.hex("6A746C")


def hexagons(width: float, height: float) -> list[Cell]:
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


def squares(width: float, height: float) -> list[Cell]:
    """Column, row and middle of as many squares as fit into width x height mm, in its middle."""
    columns, rows = int(width / SQUARE), int(height / SQUARE)
    left, top = (width - columns * SQUARE) / 2, (height + rows * SQUARE) / 2
    places = product(range(columns), range(rows))
    return [(x + 1, y + 1, left + (x + 0.5) * SQUARE, top - (y + 0.5) * SQUARE) for x, y in places]


def _grid(
    name: str, cells: Callable[[float, float], list[Cell]], corners: int, high: float, options: RenderOptions
) -> list[PrintedPage]:
    """A page of cells with so many corners, ``high`` mm from foot to top."""
    turn, radius = (0, high / math.sqrt(3)) if corners == 6 else (45, high / math.sqrt(2))
    area = page_area(options.paper, landscape=True)

    def draw(pen: Pen) -> None:
        placed, lines = cells(area.width, area.height), Path()
        for _, _, x, y in placed:
            lines += polygon(*(on_circle(x, y, radius, turn + 360 / corners * at) for at in range(corners)))
        pen.fill_background(lines, _GROUND)
        pen.stroke(lines, _LINE, 0.3)
        for column, row, x, y in placed:
            pen.text(x, y + high / 2 - 3.4, f"{column:02}{row:02}", Font.LABEL, 6, _NUMBER, align="middle")

    return [PrintedPage(None, name, draw, landscape=True)]


hex_grid = partial(_grid, "A grid of hexagons", hexagons, 6, HEX)
square_grid = partial(_grid, "A grid of squares", squares, 4, SQUARE)
