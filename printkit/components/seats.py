"""What stands before each of those at the table: name tents, numbers for turns, markers, each with an emblem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.flats import Flat, FlatPage, flat_pages
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import circle, lens, polyline, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

_INKS = {
    "star": "8E2430 F4C9BE", "moon": "22416E C3D4EA", "leaf": "2F5A2C CFE0B4", "key": "7A5200 F5DE98",
    "shell": "5E3670 E2CBE8", "sun": "A04A12 F8D6AE", "anchor": "1D5C60 C2DEDA", "bell": "6A4512 E8D2A6",
    "tower": "3F4650 D2D6DB", "acorn": "4F5636 DADBB4", "crown": "7C2A5C EEC9DF", "heart": "9C1626 F6D2CC",
}  # fmt: skip
SEATS: Mapping[str, tuple[Colour, Colour]] = {
    emblem: (Colour.hex(inks[:6]), Colour.hex(inks[7:])) for emblem, inks in _INKS.items()
}
"""The emblems by which people are told apart, with a deep and a light ink."""
NAME_TENT, TURN_TENT = (95.0, 62.0), (36.0, 40.0)
"""Width and height of one side of a tent (mm)."""
NAMES, TURNS = 8, 12
MARKER = CardSize("seat-marker", 25.0, 25.0, 12.5)
HERO_MARKER = CardSize("marker", 30.0, 46.0, 3.0)
HERO_TAG = 14.0
"""Width of the black of a hero marker's tag, mm: a 1080p camera reads it from 96 cm."""
HERO_TAG_X, HERO_TAG_Y = (HERO_MARKER.width - HERO_TAG) / 2, 4.6
"""Its lower left corner, mm."""
MARKERS_EACH = 3
FIRST = CardSize("first-player", 45.0, 45.0, 22.5)


def draw_emblem(pen: Pen, emblem: str, x: float, y: float, size: float) -> None:
    """An emblem about (x, y), in its deep ink."""
    deep = INK if pen.style is Style.LOW_INK else SEATS[emblem][0]
    with pen.at(x, y, scale=size / 20):
        art_named("emblems", emblem).draw(pen, {"deep": deep}, outlined=False)


def _tent(name: str, size: tuple[float, float], draw: Callable[[Pen], None]) -> Flat:
    """A strip of two sides, which stands when it is folded across the middle."""
    width, height = size

    def both(pen: Pen) -> None:
        draw(pen)
        with pen.at(width, 2 * height, turn=180):
            draw(pen)

    return Flat(name, width, 2 * height, both, rect(0, 0, width, 2 * height), (((0, height), (width, height)),))


def _draw_name(pen: Pen, emblem: str) -> None:
    width, height = NAME_TENT
    deep, light = SEATS[emblem]
    pen.fill_background(rect(0, 0, width, height), light.towards(WHITE, 0.35))
    pen.fill_background(rect(4, 4, width - 8, height - 8), WHITE)
    pen.stroke(rect(4, 4, width - 8, height - 8), deep, 0.5)
    pen.stroke(rect(4.9, 4.9, width - 9.8, height - 9.8), deep, 0.15)
    draw_emblem(pen, emblem, 18, height / 2 + 3, 18)
    for side in (-1, 1):
        pen.solid(lens(18, height / 2 + 3 + side * 14, 14, 0.6), deep)
    for y, said in ((height / 2 + 2, "name"), (14.0, "who plays, and how to speak of them")):
        pen.stroke(polyline((32, y), (width - 9, y)), deep, 0.25)
        pen.text(32, y - 3.3, said, Font.LABEL, 7, deep)


def _draw_turn(pen: Pen, number: int, emblem: str) -> None:
    width, height = TURN_TENT
    deep, light = SEATS[emblem]
    pen.fill_background(rect(0, 0, width, height), light)
    pen.fill_background(rect(2.5, 2.5, width - 5, 11), WHITE)
    pen.stroke(polyline((4.5, 5.2), (width - 4.5, 5.2)), deep, 0.25)
    ink = INK if pen.style is Style.LOW_INK else deep
    pen.text(width / 2, 18, str(number), Font.CODE, 52, ink, align="middle")


def name_tents(options: RenderOptions) -> list[FlatPage]:
    """A tent for each of the first emblems."""
    emblems = list(SEATS)[:NAMES]
    tents = [_tent(f"the name tent {emblem}", NAME_TENT, partial(_draw_name, emblem=emblem)) for emblem in emblems]
    return flat_pages(
        tents, options, "Name tents", "Cut along the full lines, fold the dashed ones, write on both sides."
    )


def turn_tents(options: RenderOptions) -> list[FlatPage]:
    """A small tent for each number."""
    tents = [
        _tent(f"the tent {number}", TURN_TENT, partial(_draw_turn, number=number, emblem=emblem))
        for number, emblem in enumerate(list(SEATS)[:TURNS], start=1)
    ]
    steps = "Cut along the full lines, fold the dashed ones, and hang them over a screen in the order of turns."
    return flat_pages(tents, options, "Numbers for turns", steps)


def _draw_marker(pen: Pen, emblem: str, done: bool) -> None:
    deep, light = SEATS[emblem]
    middle = MARKER.width / 2
    pen.fill_background(circle(middle, middle, middle + BLEED), WHITE if done else light)
    pen.stroke(circle(middle, middle, middle - 1.4), deep, 0.3 if done else 0.8)
    draw_emblem(pen, emblem, middle, middle, 9.0 if done else 14.5)


def _draw_first(pen: Pen) -> None:
    middle = FIRST.width / 2
    deep, light = SEATS["sun"]
    pen.fill_background(circle(middle, middle, middle + BLEED), light)
    pen.stroke(circle(middle, middle, middle - 1.8), deep, 0.7)
    draw_emblem(pen, "sun", middle, middle + 4.5, 18)
    pen.text(middle, 9.2, "You begin", Font.TITLE, 11, deep, align="middle")


def markers(options: RenderOptions) -> list[PrintedCard]:
    """Three of each emblem, and the one for who begins."""
    markers = [
        PrintedCard(
            None,
            f"{emblem.capitalize()} marker",
            partial(_draw_marker, emblem=emblem, done=False),
            partial(_draw_marker, emblem=emblem, done=True),
            MARKER,
            copies=MARKERS_EACH,
        )
        for emblem in list(SEATS)[:NAMES]
    ]
    return [*markers, PrintedCard(None, "First player", _draw_first, _draw_first, FIRST)]
