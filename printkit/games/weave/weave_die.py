"""Weave dice: stickers for blank 16 mm dice, and cubes that fold up from paper.

Each side bears its symbol in a ring that a camera reads (``printkit/draw/facecode.py``). Dice are numbered 1 to 4,
so that the camera tells them apart; the fifth and sixth are a second 1 and 2, and are read as well.
"""

from __future__ import annotations

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.ring_codes import DICE_NUMBERS, RingMark
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.plain_dice import STICKER
from loomtable.printkit.components.plain_dice_net import Net, cube, draw_net, unfolded
from loomtable.printkit.draw.facecode import SIDE_COLOURS, draw_side
from loomtable.printkit.draw.palette import INK, WHITE, Style
from loomtable.printkit.draw.path import lens, rect, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.papers import BLEED
from loomtable.printkit.sheet.pieces import PrintedCard, PrintedPage

EDGE = 18.0
"""Edge of a paper die in mm."""
DICE = tuple(at % DICE_NUMBERS + 1 for at in range(6))
"""The numbers of the dice of one set."""
RING_SHARE = 0.425
"""Outer radius of the ring, in parts of the side's edge."""


def draw_weave_side(pen: Pen, mark: RingMark, edge: float, bleed: float = 0.0) -> None:
    """One side of a Weave die on a square of ``edge`` mm whose lower left corner is the origin."""
    name = f"weave-die-{mark.number}-{mark.face}-{edge:g}-{bleed:g}"
    box = (-bleed, -bleed, edge + 2 * bleed, edge + 2 * bleed)
    pen.place(name, box, lambda inner: _draw_side(inner, mark, edge, bleed))


def _draw_side(pen: Pen, mark: RingMark, edge: float, bleed: float) -> None:
    deep, light = SIDE_COLOURS[mark.face]
    pen.fill_background(rect(-bleed, -bleed, edge + 2 * bleed, edge + 2 * bleed), light.towards(WHITE, 0.82))
    draw_side(pen, mark, edge / 2, edge / 2, RING_SHARE * edge)
    near, far = 0.085 * edge, 0.915 * edge
    for x, y, turn in ((near, far, 135), (far, near, 135)):
        if pen.style is not Style.LOW_INK:
            pen.fill_background(star(x, y, 0.048 * edge, 0.02 * edge, 4, 45), light.towards(deep, 0.25))
            pen.fill_background(lens(x, y, 0.12 * edge, 0.016 * edge, turn), light.towards(deep, 0.25))
    points = max(6.0, 0.31 * edge)
    colour = INK if pen.style is Style.LOW_INK else light.towards(deep, 0.45)
    for x, y, turn in ((far, far, 0), (near, near, 180)):
        with pen.at(x, y, turn=turn):
            pen.text(0, -0.115 * points, str(mark.number), Font.LABEL_BOLD, points, colour, align="middle")


def stickers(options: RenderOptions) -> list[PrintedCard]:
    """The six sides of each die."""
    return [_sticker(number, face) for number in DICE for face in Die.WEAVE.faces]


def _sticker(number: int, face: Face) -> PrintedCard:
    mark = RingMark(Die.WEAVE, number, face)
    return PrintedCard(
        None,
        f"Weave die {number}, {face}",
        front=lambda pen: draw_weave_side(pen, mark, STICKER.width, BLEED),
        size=STICKER,
        outlined=True,
    )


def draw_paper_die(pen: Pen, number: int, net: Net, edge: float) -> None:
    """The net of one Weave die, its lower left corner at the origin."""
    left, bottom, _, _ = net.box

    def draw_face(at: int) -> None:
        xs, ys = [x for x, _ in net.faces[at]], [y for _, y in net.faces[at]]
        with pen.at(min(xs), min(ys)):
            draw_weave_side(pen, RingMark(Die.WEAVE, number, Die.WEAVE.faces[at]), edge)

    with pen.at(-left, -bottom):
        draw_net(pen, net, draw_face)


def net_pages(options: RenderOptions) -> list[PrintedPage]:
    """The nets of all dice, on one page."""
    net = unfolded(cube(EDGE))
    area = page_area(options.paper)
    _, _, width, height = net.box

    def draw(pen: Pen) -> None:
        pen.text(0, area.height - 5, "Weave dice to fold", Font.TITLE, 16, INK)
        steps = "Cut along the full lines, score and fold the dashed ones backwards, glue the flaps inside."
        pen.text(0, area.height - 10.5, steps, Font.TEXT, 9, INK)
        gap_x, gap_y = (area.width - 2 * width) / 3, (area.height - 16 - 3 * height) / 3
        for at, number in enumerate(DICE):
            row, column = divmod(at, 2)
            x = gap_x + column * (width + gap_x)
            y = area.height - 16 - (row + 1) * (height + gap_y)
            with pen.at(x, y):
                draw_paper_die(pen, number, net, EDGE)

    return [PrintedPage(None, "Weave dice to fold", draw)]
