"""The home cards of Woven: where on the region map a mage enters, each with its number and its dwelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.components.card_back import draw_home_back
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
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH
from loomtable.printkit.draw.palette import CREAM, INK, Colour, Style, steps
from loomtable.printkit.draw.path import (
    Path,
    Point,
    blob,
    circle,
    ellipse,
    lens,
    polygon,
    polyline,
    rect,
    ribbon,
    round_arch,
    smooth,
    star,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Face, fit_line
from loomtable.printkit.draw.wrapping import LEADING, wrapped
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

HOMES: Mapping[int, str] = {1: "the Tower", 2: "the Mill", 3: "the Tree", 4: "the Burrow", 5: "the Lamp"}
"""The homes by number, as they are called on their cards; maps show the numbers."""
_DEEP, _GOLD = Colour.hex("4B3A6B"), Colour.hex("E4B94F")
_SKY, _DAWN = Colour.hex("C9C2E0"), Colour.hex("F7E3BE")
_HILLS = (Colour.hex("A9A0C6"), Colour.hex("84A188"), Colour.hex("5E8262"))
_WALL, _ROOF, _DARK = Colour.hex("F1E4C8"), Colour.hex("A4503A"), Colour.hex("3B2C4A")
_WOOD, _LEAF, _WATER = Colour.hex("7A5433"), Colour.hex("6F9160"), Colour.hex("86B4C4")


def draw_home_front(pen: Pen, number: int, size: CardSize) -> None:
    """Draw the face of a home card. The origin is the lower left corner of the trim, in mm."""
    home = ComponentId(Kind.HOME, number)
    called = f"home card {home.short} ({HOMES[number]})"
    with centred(pen, size) as room:
        with pen.at(WINDOW_X, WINDOW_Y + room.spare):
            with pen.clipped(window_arch()):
                pen.place("home-land", (0, 0, MOTIF_WIDTH, MOTIF_HEIGHT), _land)
                _DWELLINGS[number](pen)
            draw_window_frame(pen, _DEEP, _GOLD)
            _roundel(pen, number)
        top = 25.2
        pen.text(LEGEND_MIDDLE, top, f"Home {number}", Face.TITLE, 15, INK, align="middle")
        draw_flourish(pen, 22.4, _DEEP)
        if room.has_title_row:
            name = HOMES[number]
            draw_title_row(pen, room, name[0].upper() + name[1:], INK, _DEEP, called)
        else:
            points = fit_line(HOMES[number], Face.TEXT_ITALIC, LEGEND_WIDTH, room.least(10), room.least(7), called)
            pen.text(LEGEND_MIDDLE, 18.0, HOMES[number], Face.TEXT_ITALIC, points, INK, align="middle")
        rule = f"Out of the Astral Plane, step in at {number}."
        space = (LEGEND_WIDTH, 11.4 if room.has_title_row else 7.6)
        lines, points = wrapped(rule, Face.TEXT, space, room.least(7), room.least(6), called)
        for at, words in enumerate(lines):
            y = (18.6 if room.has_title_row else 13.2) - at * points * LEADING * 25.4 / 72
            pen.text(LEGEND_MIDDLE, y, words, Face.TEXT, points, INK, align="middle")
        draw_code_plate(pen, home, _DEEP)
        draw_short_code(pen, room, home, "HOME", _DEEP, LEGEND_MIDDLE, "middle")


def _roundel(pen: Pen, number: int) -> None:
    """The number as maps show it: on a star."""
    x, y = MOTIF_WIDTH - 8.2, 8.2
    pen.fill(circle(x, y, 7.0), _GOLD)
    pen.fill(circle(x, y, 6.3), _DEEP)
    pen.fill(star(x, y, 6.1, 4.5, 8), _GOLD)
    pen.fill(circle(x, y, 4.1), CREAM)
    pen.text(x, y - 2.25, str(number), Face.LABEL_BOLD, 18, INK, align="middle")


def _land(pen: Pen) -> None:
    """Dawn over three rows of hills."""
    for at, band in enumerate(steps(_DAWN, _SKY, 7)):
        pen.fill(rect(0, 14 + at * 5.2, MOTIF_WIDTH, 5.4), band, tone=True)
    pen.fill(circle(12, 33, 4.2), Colour.hex("FBF0D2"))
    for at in range(12):
        with pen.at(12, 33, turn=at * 30):
            pen.solid(lens(6.4, 0, 2.2, 0.4), _GOLD)
    ridges: tuple[list[Point], ...] = (
        [(-2, 22), (8, 27), (18, 22), (30, 28), (42, 23), (57, 27)],
        [(-2, 17), (10, 19), (24, 16), (40, 20), (57, 16)],
        [(-2, 10), (14, 13), (30, 11), (46, 12), (57, 9)],
    )
    for ridge, colour in zip(ridges, _HILLS, strict=True):
        path = smooth(ridge).line(57, -2).line(-2, -2).close()
        pen.fill(path, colour)
        if pen.style is not Style.LOW_INK:
            for x, y in ridge[1:-1]:
                for away in (-3.2, 0.0, 3.2):
                    pen.fill_background(
                        lens(x + away, y - 2.6 - abs(away) * 0.3, 3.2, 0.4, -18), colour.towards(CREAM, 0.35)
                    )


def _solid(pen: Pen, path: Path, colour: Colour) -> None:
    pen.fill(path, colour)
    pen.stroke(path, _DARK, 0.3)


def _windows(pen: Pen, *places: Point) -> None:
    for x, y in places:
        pen.solid(round_arch(x, y, 0.75, y + 1.6, 0.8), _DARK)
        if pen.style is not Style.LOW_INK:
            pen.fill_background(round_arch(x, y + 0.2, 0.5, y + 1.5, 0.6), _GOLD)


def _tower(pen: Pen) -> None:
    body = polygon((21.6, 8.6), (33.4, 8.6), (31.6, 32.4), (23.4, 32.4))
    _solid(pen, body, _WALL)
    with pen.clipped(body):
        for row in range(10):
            y = 10.4 + row * 2.3
            pen.stroke(polyline((20, y), (36, y)), _WOOD.towards(_WALL, 0.5), 0.2)
            for at in range(4):
                x = 21.6 + at * 3.4 + (row % 2) * 1.7
                pen.stroke(polyline((x, y), (x, y + 2.3)), _WOOD.towards(_WALL, 0.5), 0.2)
    _solid(pen, rect(22.2, 32.0, 10.6, 2.6), _WALL)
    _solid(pen, polygon((20.8, 34.6), (34.2, 34.6), (27.5, 45.6)), _ROOF)
    for x, y, turn in ((24.6, 37.4, 58), (27.5, 38.4, 90), (30.4, 37.4, 122)):
        pen.solid(lens(x, y, 4.0, 0.5, turn), _DARK)
    pen.solid(round_arch(27.5, 8.6, 1.9, 12.2, 1.9), _DARK)
    _windows(pen, (27.5, 18.6), (26.0, 26.2), (29.2, 26.2))


def _mill(pen: Pen) -> None:
    _solid(pen, polygon((19.6, 8.4), (34.4, 8.4), (31.8, 26.4), (22.2, 26.4)), _WALL)
    _solid(pen, svg_path("M21.4 26.4 C22.0 33.0 32.0 33.0 32.6 26.4 Z"), _ROOF)
    pen.solid(round_arch(27, 8.4, 1.9, 12.0, 1.9), _DARK)
    _windows(pen, (23.6, 17.2), (30.4, 17.2))
    for turn in (28, 118, 208, 298):
        with pen.at(27, 28.4, turn=turn):
            _solid(pen, rect(2.4, 0.3, 12.6, 3.4), CREAM)
            for at in range(5):
                pen.stroke(polyline((4.4 + at * 2.3, 0.3), (4.4 + at * 2.3, 3.7)), _WOOD, 0.25)
            pen.stroke(polyline((0, 0), (15.4, 0)), _DARK, 0.7)
    _solid(pen, circle(27, 28.4, 1.4), _GOLD)


def _tree(pen: Pen) -> None:
    trunk = svg_path(
        "M20.6 7.8 C24.4 10.4 24.2 18.0 22.6 27.0 L32.4 27.0 C30.8 18.0 30.6 10.4 34.6 7.8 "
        "C30 9.4 25 9.4 20.6 7.8 Z"
    )
    _solid(pen, trunk, _WOOD)
    crown: list[tuple[float, float, float]] = [
        (17.4, 29.4, 6.6), (37.6, 29.4, 6.6), (22.6, 36.2, 7.2), (32.6, 36.2, 7.2), (27.5, 29.4, 7.6)
    ]  # fmt: skip
    for x, y, radius in crown:
        _solid(pen, circle(x, y, radius), _LEAF)
    for x, y, radius in crown:
        for at in (-1, 0, 1):
            pen.solid(
                lens(x + at * radius * 0.4, y + radius * 0.3 - abs(at), radius * 0.5, 0.5, 20 * at),
                _HILLS[2].towards(_DARK, 0.4),
            )
    pen.solid(round_arch(27.5, 9.0, 2.0, 13.2, 2.0), _DARK)
    _windows(pen, (27.5, 19.4), (22.0, 30.6), (33.0, 30.6))
    for at in range(5):
        pen.stroke(polyline((31.6, 9.6 + at * 2.6), (34.0, 9.6 + at * 2.6)), _DARK, 0.5)
    for x in (31.6, 34.0):
        pen.stroke(polyline((x, 8.4), (x, 22.4)), _DARK, 0.4)


def _burrow(pen: Pen) -> None:
    mound = svg_path("M6.0 7.6 C12 30.0 41.0 31.0 48.0 7.6 Z")
    _solid(pen, mound, _LEAF)
    with pen.clipped(mound):
        for row in range(6):
            for at in range(14):
                pen.solid(
                    lens(7 + at * 3.1 + (row % 2) * 1.5, 10 + row * 3.2, 1.9, 0.5, 80),
                    _HILLS[2].towards(_DARK, 0.3),
                )
    _solid(pen, circle(25.5, 13.4, 6.4), _WALL)
    _solid(pen, circle(25.5, 13.4, 5.0), _ROOF)
    for x in (-3.4, -1.7, 0, 1.7, 3.4):
        half = (24.0 - x * x) ** 0.5
        pen.stroke(polyline((25.5 + x, 13.4 - half), (25.5 + x, 13.4 + half)), _DARK, 0.25)
    pen.solid(circle(28.6, 13.2, 0.6), _GOLD)
    for x in (14.6, 37.0):
        _solid(pen, circle(x, 14.6, 2.3), _GOLD)
        pen.stroke(polyline((x - 2.3, 14.6), (x + 2.3, 14.6)), _DARK, 0.3)
        pen.stroke(polyline((x, 12.3), (x, 16.9)), _DARK, 0.3)
    _solid(pen, polygon((33.2, 24.4), (36.6, 23.2), (36.6, 30.2), (33.2, 30.2)), _WOOD)
    pen.stroke(smooth([(35, 30.6), (36.4, 33.4), (34.4, 36.0), (36.4, 39.4)]), CREAM.towards(_DARK, 0.35), 0.9)


def _lamp(pen: Pen) -> None:
    for row in range(4):
        wave = [(-2 + at * 4.6, 8.4 - row * 2.6 + (0.7 if at % 2 else 0.0)) for at in range(14)]
        pen.fill(smooth(wave).line(58, -2).line(-4, -2).close(), _WATER.towards(_SKY, 0.12 * (row % 2)))
        pen.stroke(smooth(wave), _DEEP, 0.25)
    _solid(
        pen,
        blob((14, 7.0), (17, 10.4), (24, 12.4), (33, 11.8), (39, 9.4), (41, 7.0), (28, 5.6)),
        _HILLS[0],
    )
    body = polygon((23.4, 11.0), (31.8, 11.0), (30.0, 32.0), (25.2, 32.0))
    _solid(pen, body, _WALL)
    with pen.clipped(body):
        for y in (14.0, 21.0, 28.0):
            pen.fill(rect(20, y, 16, 3.5), _ROOF)
    pen.stroke(body, _DARK, 0.3)
    for side in (-1, 1):
        beam = polygon(
            (27.6 + side * 2.4, 34.8),
            (27.6 + side * 27, 41.6),
            (27.6 + side * 27, 30.4),
            (27.6 + side * 2.4, 33.8),
        )
        pen.fill(beam, Colour.hex("FBF0C8"), tone=True)
    _solid(pen, rect(24.2, 31.6, 6.8, 1.3), _ROOF)
    _solid(pen, rect(25.4, 32.9, 4.4, 3.4), _GOLD)
    pen.stroke(polyline((27.6, 32.9), (27.6, 36.3)), _DARK, 0.3)
    _solid(pen, polygon((24.6, 36.3), (30.6, 36.3), (27.6, 40.0)), _ROOF)
    pen.solid(round_arch(27.6, 11.0, 1.2, 13.4, 1.2), _DARK)
    _solid(pen, ellipse(10.4, 6.4, 4.6, 1.3), _WOOD)
    pen.stroke(polyline((10.4, 6.6), (10.4, 12.4)), _DARK, 0.4)
    pen.solid(
        ribbon([(10.8, 12.0), (13.4, 10.0), (13.6, 7.8), (10.8, 7.8)], [0.4, 1.6, 2.2, 0.4]),
        CREAM if pen.style is not Style.LOW_INK else INK,
    )


_DWELLINGS: Mapping[int, Callable[[Pen], None]] = {1: _tower, 2: _mill, 3: _tree, 4: _burrow, 5: _lamp}


def _home_cards(options: RenderOptions) -> list[PrintedCard]:
    front = partial(draw_home_front, size=options.card_size)
    back = partial(draw_home_back, size=options.card_size)
    homes = ((number, ComponentId(Kind.HOME, number)) for number in HOMES)
    return [PrintedCard(home, f"Home {number}", partial(front, number=number), back) for number, home in homes]


PRINTED = (
    Component(
        name="home-cards",
        title="Woven: the home cards",
        description="The five home cards, by the numbers on the region maps",
        system="woven",
        pieces=_home_cards,
        aliases=("homes",),
    ),
)
"""What this file prints."""
