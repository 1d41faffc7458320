"""How the printed things of Woven look: colours, emblem, and the picture of the quick start."""

from __future__ import annotations

from loomtable.engine.woven.cards import CardSide, tapestry_card
from loomtable.printkit.components.quick_start_art import WIDTH, draw_cloth, draw_laid
from loomtable.printkit.components.sheet_style import Theme, emblem_named
from loomtable.printkit.draw.elements import draw_element, draw_thread
from loomtable.printkit.draw.palette import WHITE, Colour
from loomtable.printkit.draw.path import rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.games.woven.tapestry_card import TAPESTRY, cell_middle, draw_cells


def _scene(pen: Pen, theme: Theme) -> None:
    """The tapestry card of the example with its first thread, and the pattern that it completes."""
    draw_cloth(pen, theme)
    draw_laid(pen, WIDTH / 2, 25.0, 0.0, 0.6, (TAPESTRY.width, TAPESTRY.height), _tapestry)
    with pen.at(35.0, 57.5, turn=-4, scale=1.15):
        _pattern(pen, theme)


def _tapestry(pen: Pen) -> None:
    draw_cells(pen, tapestry_card(19), CardSide.A)
    draw_thread(pen, *cell_middle(0, 0), 11)


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
