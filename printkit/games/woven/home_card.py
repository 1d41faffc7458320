"""The home cards of Woven: where on the region map a mage enters, each with its number and its dwelling."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.card_back import HOME_BACK
from loomtable.printkit.components.layout import (
    LEGEND_MIDDLE,
    LEGEND_WIDTH,
    WINDOW_X,
    WINDOW_Y,
    centred,
    draw_code_plate,
    draw_flourish,
    draw_short_code,
    draw_title_row,
    draw_window_frame,
    window_arch,
)
from loomtable.printkit.draw.art import MOTIF_WIDTH, art_named
from loomtable.printkit.draw.palette import CREAM, INK, Colour
from loomtable.printkit.draw.path import circle, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import Font, fit_line
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

HOMES: Mapping[int, str] = {1: "the Tower", 2: "the Mill", 3: "the Tree", 4: "the Burrow", 5: "the Lamp"}
"""The homes by number, as they are called on their cards; maps show the numbers."""
_DEEP, _GOLD = Colour.hex("4B3A6B"), Colour.hex("E4B94F")


def draw_home_front(pen: Pen, number: int, size: CardSize) -> None:
    """Draw the face of a home card. The origin is the lower left corner of the trim, in mm."""
    home = ComponentId(Kind.HOME, number)
    called = f"home card {home.short} ({HOMES[number]})"
    with centred(pen, size) as room:
        with pen.at(WINDOW_X, WINDOW_Y + room.spare):
            with pen.clipped(window_arch()):
                land, dwelling = (
                    art_named("homes", "land"),
                    art_named("homes", HOMES[number].removeprefix("the ").lower()),
                )
                pen.place("home-land", land.box, land.draw)
                dwelling.draw(pen)
            draw_window_frame(pen, _DEEP, _GOLD)
            _roundel(pen, number)
        top = 25.2
        pen.text(LEGEND_MIDDLE, top, f"Home {number}", Font.TITLE, 15, INK, align="middle")
        draw_flourish(pen, 22.4, _DEEP)
        if room.has_title_row:
            name = HOMES[number]
            draw_title_row(pen, room, name[0].upper() + name[1:], INK, _DEEP, called)
        else:
            points = fit_line(HOMES[number], Font.TEXT_ITALIC, LEGEND_WIDTH, room.least(10), room.least(7), called)
            pen.text(LEGEND_MIDDLE, 18.0, HOMES[number], Font.TEXT_ITALIC, points, INK, align="middle")
        rule = f"Out of the Astral Plane, step in at {number}."
        space = (LEGEND_WIDTH, 11.4 if room.has_title_row else 7.6)
        lines = set_words(rule, Font.TEXT, space, room.least(7), room.least(6), called)
        lines.draw(pen, LEGEND_MIDDLE, 18.6 if room.has_title_row else 13.2, INK, middle=True)
        draw_code_plate(pen, home, _DEEP)
        draw_short_code(pen, room, home, "HOME", _DEEP, LEGEND_MIDDLE, "middle")


def _roundel(pen: Pen, number: int) -> None:
    """The number as maps show it: on a star."""
    x, y = MOTIF_WIDTH - 8.2, 8.2
    pen.fill(circle(x, y, 7.0), _GOLD)
    pen.fill(circle(x, y, 6.3), _DEEP)
    pen.fill(star(x, y, 6.1, 4.5, 8), _GOLD)
    pen.fill(circle(x, y, 4.1), CREAM)
    pen.text(x, y - 2.25, str(number), Font.LABEL_BOLD, 18, INK, align="middle")


def home_cards(options: RenderOptions) -> list[PrintedCard]:
    """The five homes."""
    front = partial(draw_home_front, size=options.card_size)
    back = partial(HOME_BACK.draw, size=options.card_size)
    homes = ((number, ComponentId(Kind.HOME, number)) for number in HOMES)
    return [PrintedCard(home, f"Home {number}", partial(front, number=number), back) for number, home in homes]
