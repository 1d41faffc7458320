"""Plain dice: stickers for 16 mm dice with pips, and paper nets for a d6 with pips and a d10 with numerals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.plain_dice_net import Net, cube, draw_net, trapezohedron, unfolded
from loomtable.printkit.draw.palette import INK, Colour
from loomtable.printkit.draw.path import Path, Point, circle, polygon, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font, width_of
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard, PrintedPage

STICKER = CardSize("die-sticker", 14.0, 14.0, 1.6)
"""For a die of 16 mm: a millimetre of the die shows all round."""
D6_EDGE = 18.0
"""Edge of a paper d6 in mm."""
D10_RADIUS = 17.0
"""Radius of a paper d10's girdle in mm."""
DICE_OF_STICKERS = 4

PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (1, -1), (-1, -1)),
    5: ((-1, 1), (1, 1), (1, -1), (-1, -1), (0, 0)),
    6: ((-1, 1), (1, 1), (1, -1), (-1, -1), (-1, 0), (1, 0)),
}
_PIP, _SPREAD = 0.105, 0.262
"""Radius of a pip and distance of the outer pips from the middle lines, in parts of the die's edge."""

D10_NUMBERS = (1, 7, 5, 9, 3, 8, 2, 4, 0, 6)
"""The numeral of every face of ``trapezohedron``: opposite faces sum to nine, odd ones share a pole."""
_GROUND = Colour.hex("FBF7EC")


def draw_pips(pen: Pen, value: int, x: float, y: float, edge: float) -> None:
    """The pips of a side of a die of ``edge`` mm about (x, y)."""
    path = Path()
    for u, v in PIPS[value]:
        path += circle(x + u * _SPREAD * edge, y + v * _SPREAD * edge, _PIP * edge)
    pen.solid(path, INK)


def stickers(options: RenderOptions) -> list[PrintedCard]:
    """The six sides of each die."""
    return [_sticker(die, value) for die in range(1, DICE_OF_STICKERS + 1) for value in PIPS]


def _sticker(die: int, value: int) -> PrintedCard:
    def draw(pen: Pen) -> None:
        side = STICKER.width
        pen.fill_background(rect(-BLEED, -BLEED, side + 2 * BLEED, side + 2 * BLEED), _GROUND)
        draw_pips(pen, value, side / 2, side / 2, 16.0)

    return PrintedCard(None, f"d6 {die}, {value}", front=draw, size=STICKER, outlined=True)


def draw_paper_d6(pen: Pen, net: Net, edge: float) -> None:
    """The net of a d6, its lower left corner at the origin."""
    left, bottom, _, _ = net.box

    def draw_face(at: int) -> None:
        pen.fill_background(polygon(*net.faces[at]), _GROUND)
        draw_pips(pen, at + 1, *_middle(net.faces[at]), edge)

    with pen.at(-left, -bottom):
        draw_net(pen, net, draw_face)


def draw_paper_d10(pen: Pen, net: Net, radius: float) -> None:
    """The net of a d10, its lower left corner at the origin. Numerals stand with their heads to the pole."""
    box = (-1.0, -1.0, net.box[2] + 2, net.box[3] + 2)
    pen.place(f"paper-d10-{radius:g}", box, lambda inner: _draw_d10(inner, net, radius))


def _draw_d10(pen: Pen, net: Net, radius: float) -> None:
    left, bottom, _, _ = net.box

    def draw_face(at: int) -> None:
        kite = net.faces[at]
        pen.fill_background(polygon(*kite), _GROUND)
        draw_numeral(pen, D10_NUMBERS[at], kite, radius)

    with pen.at(-left, -bottom):
        draw_net(pen, net, draw_face)


def draw_numeral(pen: Pen, number: int, kite: Sequence[Point], radius: float, ink: Colour = INK) -> None:
    """A numeral in a kite (pole first), a bar under 6 and 9, which are each other upside down."""
    pole, foot = kite[0], kite[2]
    turn = math.degrees(math.atan2(pole[1] - foot[1], pole[0] - foot[0])) - 90
    share = 0.6
    x, y = pole[0] + (foot[0] - pole[0]) * share, pole[1] + (foot[1] - pole[1]) * share
    points = 1.85 * radius
    high = 0.225 * points
    with pen.at(x, y, turn=turn):
        pen.text(0, -high / 2, str(number), Font.LABEL_BOLD, points, ink, align="middle")
        if number in (6, 9):
            half = width_of(str(number), Font.LABEL_BOLD, points) * 0.46
            pen.solid(rect(-half, -high / 2 - 0.055 * radius - 0.07 * radius, 2 * half, 0.07 * radius), ink)


def _middle(face: tuple[Point, ...]) -> Point:
    return sum(x for x, _ in face) / len(face), sum(y for _, y in face) / len(face)


def net_pages(options: RenderOptions) -> list[PrintedPage]:
    """The nets of two d6 and four d10, on one page."""
    d6, d10 = unfolded(cube(D6_EDGE)), unfolded(trapezohedron(D10_RADIUS))
    area = page_area(options.paper)

    def draw(pen: Pen) -> None:
        pen.text(0, area.height - 5, "Dice to fold", Font.TITLE, 16, INK)
        steps = "Cut along the full lines, score and fold the dashed ones backwards, glue the flaps inside."
        pen.text(0, area.height - 10.5, steps, Font.TEXT, 9, INK)
        pen.text(0, area.height - 15, "On the d10 the 0 counts as ten.", Font.TEXT, 9, INK)
        room = area.height - 20
        for column in range(2):
            with pen.at(area.width * (1 + 2 * column) / 4 - d6.box[2] / 2, room - d6.box[3]):
                draw_paper_d6(pen, d6, D6_EDGE)
        rows = (room - d6.box[3]) / 2
        for at in range(4):
            row, column = divmod(at, 2)
            x = area.width * (1 + 2 * column) / 4 - d10.box[2] / 2
            with pen.at(x, (1 - row) * rows + (rows - d10.box[3]) / 2):
                draw_paper_d10(pen, d10, D10_RADIUS)

    return [PrintedPage(None, "Dice to fold", draw)]
