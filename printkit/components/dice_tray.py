"""A tray for dice that folds up from one sheet: a calm floor to read dice on, and woven walls."""

from __future__ import annotations

from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.flats import draw_lines
from loomtable.printkit.components.sheet_themes import theme_for
from loomtable.printkit.draw.palette import WHITE, Colour, Style
from loomtable.printkit.draw.path import polyline, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import POINT, Font
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import PrintedPage

WALL = 28.0
"""Height of the walls (mm)."""
_FLOOR, _RISING, _FALLING = Colour.hex("C9D5D2"), Colour.hex("B9CBC9"), Colour.hex("D6DBCB")
_STEPS = "Cut this line, fold the walls up, and glue this square behind the long wall."


def draw_tray(pen: Pen, width: float, height: float) -> None:
    """The tray laid flat, width x height mm."""
    deep = theme_for("table").deep
    pen.fill_background(rect(0, 0, width, height), WHITE)
    inner = (WALL, WALL, width - 2 * WALL, height - 2 * WALL)
    if pen.style is not Style.LOW_INK:
        walls = rect(WALL, 0, inner[2], height) + rect(0, WALL, WALL, inner[3])
        walls += rect(width - WALL, WALL, WALL, inner[3])
        with pen.clipped(walls):
            lattice = Lattice(width, height, round(width / 9), round(height / 9))
            draw_lattice(pen, lattice, 0, Band(4.3, _RISING, deep, deep), Band(4.3, _FALLING, deep, deep))
    pen.fill_background(rect(*inner), _FLOOR)
    pen.stroke(rect(WALL + 4, WALL + 4, inner[2] - 8, inner[3] - 8), deep.towards(_FLOOR, 0.6), 0.4)
    cuts = [rect(0, 0, width, height)]
    for x in (0.0, width - WALL):
        for y, foot in ((0.0, WALL), (height - WALL, height - WALL)):
            cuts.append(polyline((x, foot), (x + WALL, foot)))
            steps = set_words(_STEPS, Font.TEXT, (WALL - 5, WALL - 5), 9, 6, "the dice tray")
            steps.draw(pen, x + WALL / 2, y + WALL - 4 - steps.points * POINT * 0.6, deep, middle=True)
    folds = [((x, 0.0), (x, height)) for x in (WALL, width - WALL)]
    folds += [((WALL, y), (width - WALL, y)) for y in (WALL, height - WALL)]
    draw_lines(pen, cuts, folds)


def tray(options: RenderOptions) -> list[PrintedPage]:
    """The net of the tray, on one page."""
    area = page_area(options.paper, landscape=True)
    return [PrintedPage(None, "Dice tray", lambda pen: draw_tray(pen, area.width, area.height), landscape=True)]
