"""How the printed things of Woven look: colours, emblem, and the picture of the quick start."""

from __future__ import annotations

from loomtable.engine.woven.cards import CardSide, tapestry_card
from loomtable.printkit.components.quick_start_art import draw_cloth
from loomtable.printkit.components.sheet_style import Theme, emblem_named
from loomtable.printkit.draw.elements import draw_element, draw_thread, draw_thread_box
from loomtable.printkit.draw.palette import WHITE, Colour
from loomtable.printkit.draw.path import circle, polyline, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font


def _scene(pen: Pen, theme: Theme) -> None:
    """The tapestry card of the example with its first thread, and the pattern that it completes."""
    draw_cloth(pen, theme)
    with pen.at(6.2, 7.0, scale=0.69):
        _tapestry(pen, theme)
    with pen.at(35.0, 57.5, turn=-4, scale=1.15):
        _pattern(pen, theme)


_TAPESTRY_CELL = 26.0


def _tapestry(pen: Pen, theme: Theme) -> None:
    cell = _TAPESTRY_CELL
    face = tapestry_card(19).face(CardSide.A)
    ground, strand = Colour.hex("F6EBD3"), Colour.hex("C9A368")
    width, height = cell * len(face[0]), cell * len(face)
    pen.fill_background(rounded(-2, -2, width + 4, height + 4, 2), ground)
    pen.stroke(rounded(-2, -2, width + 4, height + 4, 2), theme.deep, 0.5)
    for row in range(len(face)):
        for away in (-1.6, 0.0, 1.6):
            pen.stroke(
                polyline((-2, (row + 0.5) * cell + away), (width + 2, (row + 0.5) * cell + away)), strand, 1.0
            )
    for column in range(len(face[0])):
        for away in (-1.6, 0.0, 1.6):
            at = (column + 0.5) * cell + away
            pen.stroke(polyline((at, -2), (at, height + 2)), strand, 1.0)
    for row, cells in enumerate(face):
        for column, element in enumerate(cells):
            x, y = (column + 0.5) * cell, (len(face) - row - 0.5) * cell
            pen.fill_background(circle(x, y, 9.6), ground)
            if element is not None:
                draw_element(pen, element, x, y, 15)
                continue
            with pen.at(x, y):
                draw_thread_box(pen)
            if (row, column) == (0, 0):
                draw_thread(pen, x, y, 11)


def _pattern(pen: Pen, theme: Theme) -> None:
    """Haste as it stands on its card: a sign of Air, and a thread beside it."""
    plate = rounded(-11.0, -9.0, 22.0, 18.0, 1.8)
    pen.fill_background(plate, WHITE)
    pen.stroke(plate, theme.deep, 0.4)
    pen.text(0, 4.2, "Haste", Font.TITLE, 10, theme.deep, align="middle")
    face = tapestry_card(19).face(CardSide.A)
    air = face[0][1]
    assert air is not None, "card 19 carries Air in the middle of its upper row"
    for x in (-4.6, 4.6):
        pen.stroke(rect(x - 4.6, -6.6, 9.2, 9.2), theme.deep.towards(WHITE, 0.35), 0.2)
    draw_thread(pen, -4.6, -2.0, 7.0)
    draw_element(pen, air, 4.6, -2.0, 7.8)


THEME = Theme(
    "woven",
    "Woven",
    Colour.hex("2C5245"),
    Colour.hex("A06A2A"),
    Colour.hex("DFEADF"),
    emblem_named("woven"),
    _scene,
)
