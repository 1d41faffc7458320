"""Journeys: the red thread and the dawn."""

from __future__ import annotations

from random import Random

from loomtable.printkit.draw.motifs.registry import motif
from loomtable.printkit.draw.motifs.scenery import (
    bird,
    c,
    cloud,
    furrows,
    glitter,
    grass,
    halo,
    height_at,
    hill,
    leaf,
    mountain,
    pine,
    rays,
    sky,
    spray,
    water,
)
from loomtable.printkit.draw.palette import Colour, steps
from loomtable.printkit.draw.path import Path, circle, ellipse, lens, on_circle, polygon, rect, ribbon, svg_path
from loomtable.printkit.draw.pen import Pen

RED = c("C23B2E")


@motif("red-thread", deep="3C4657", accent="C23B2E")
def red_thread(pen: Pen) -> None:
    """Through a country without colour one red thread runs, from the spindle to a far tower."""
    sky(pen, steps(c("A9B3B8"), c("F3EBD8"), 7), bottom=24)
    halo(pen, 39, 38, [(8.4, c("E9E2D0")), (6.2, c("F8F1DE"))])
    cloud(pen, 12, 42, 19, c("8D9AA4"), c("F3EBD8"))
    cloud(pen, 49, 44, 13, c("8D9AA4"), c("F3EBD8"), flip=True)
    for x, height, width in ((8, 13, 24), (26, 9, 20), (50, 12, 24)):
        mountain(pen, x, 27, height, width, c("9AA6AE"), c("B9C1C4"), c("F6F0E0"))
    far = hill(pen, [28, 29, 28, 30, 33, 34, 31, 28, 27], c("8794A0"))
    furrows(pen, far, c("C4CBCB"), 3, 1.4, 3, 0.22)
    _tower(pen, 37.6, 33.4)
    second = hill(pen, [25, 23, 22, 24, 26.4, 27, 25, 23, 24], c("6B7987"))
    furrows(pen, second, c("AEB9BE"), 4, 1.5, 6, 0.24)
    for x, tall in ((3, 6), (6, 8), (9, 6.4), (47, 6), (50, 8), (53, 6.6)):
        pine(pen, x, height_at(second, x) - 0.8, tall, c("52606F"), c("9AA6AE"))
    third = hill(pen, [14, 16, 18, 17.4, 15, 16, 18.4, 19, 17], c("52606F"))
    furrows(pen, third, c("9AA6AE"), 5, 1.5, 9, 0.26)
    for x, tall in ((44, 8), (48, 11), (52, 8.6)):
        pine(pen, x, height_at(third, x) - 1, tall, c("333D4B"), c("7E8B98"))
    near = hill(pen, [9, 8, 6.6, 7, 8.6, 8, 6.4, 5.4, 6], c("333D4B"))
    furrows(pen, near, c("7E8B98"), 4, 1.5, 12, 0.28)
    _thread(pen)
    _spindle(pen, 12.4, 7.6)
    for x, tall, lean in ((1, 6, 0.3), (4, 4, 0.3), (52, 5, -0.3), (55, 7, -0.3)):
        grass(pen, x, -0.8, tall, c("1F2733"), lean, 6)


def _thread(pen: Pen) -> None:
    """One line from the tower's door to the spindle, broader as it comes nearer."""
    way = [
        (37.6, 33.6),
        (36.2, 31.8),
        (39.6, 30.2),
        (36, 28.2),
        (28.6, 26.4),
        (27.4, 24),
        (36, 22.4),
        (40, 20.2),
        (32, 18),
        (21, 16.4),
        (17.6, 13.8),
        (25, 12),
        (36.6, 10.6),
        (41.4, 7.8),
        (34.6, 4.6),
        (24, 4.6),
        (14.6, 7.4),
    ]
    widths = [0.25, 0.34, 0.5, 0.7, 0.95, 1.25]
    pen.fill_background(ribbon(way, [width + 0.4 for width in widths], 8), c("F3EBD8"))
    pen.solid(ribbon(way, widths, 8), RED)


def _tower(pen: Pen, x: float, y: float) -> None:
    dark = c("4A5766")
    pen.fill(polygon((x - 1.7, y - 1), (x + 1.7, y - 1), (x + 1.4, y + 7), (x - 1.4, y + 7)), dark)
    pen.fill(polygon((x - 2.1, y + 7), (x + 2.1, y + 7), (x + 2.1, y + 8), (x - 2.1, y + 8)), dark)
    pen.fill(polygon((x - 2.1, y + 8), (x + 2.1, y + 8), (x, y + 12.4)), RED)
    pen.solid(lens(x - 0.8, y + 3, 6, 0.3, 89), c("9AA6AE"))
    pen.fill(rect(x - 0.4, y + 4.6, 0.8, 1.4), c("F9DE95"))
    pen.fill(rect(x - 0.45, y - 0.6, 0.9, 1.7), RED)


def _spindle(pen: Pen, x: float, y: float) -> None:
    """A drop spindle leaning in the grass, wound thick with the thread."""
    wood, light = c("D9B88A"), c("7A5638")
    with pen.at(x, y, turn=24):
        pen.fill(ribbon([(0, -9), (0, 0), (0, 11)], [0.5, 1.5, 0.5]), wood)
        pen.fill(ellipse(0, -4.8, 4.2, 1.2), wood)
        pen.solid(lens(0, -4.6, 6.4, 0.3), light)
        cop = svg_path("M-0.9 7.6 C-3.4 4.4 -4.4 0 -3.6 -3.8 L3.6 -3.8 C4.4 0 3.4 4.4 0.9 7.6 Z")
        pen.fill(cop, RED)
        with pen.clipped(cop):
            for at in range(11):
                level = -4 + at * 1.15
                pen.solid(
                    ribbon([(-4.4, level - 0.7), (0, level + 0.4), (4.4, level + 0.2)], [0, 0.36, 0]),
                    c("F0907A") if at % 2 else c("7A1C1E"),
                )
        pen.solid(lens(-0.2, 9.4, 2.6, 0.2, 90), light)


@motif("dawn", deep="4A3350", accent="C9602F")
def dawn(pen: Pen) -> None:
    """The sun comes up at the head of a valley, and everything is awake."""
    x, y = 27.5, 24.5
    sky(pen, steps(c("8FB0B8"), c("FBE3B4"), 6), bottom=20)
    _sunbeams(pen, x, y)
    halo(pen, x, y, [(15.4, c("F9C97E")), (12.8, c("F6AE5C")), (10.2, c("FBD98A")), (7.6, c("FFF2C8"))])
    cloud(pen, 9, 36.4, 17, c("F6E0C4"), c("D98A6A"))
    cloud(pen, 46.6, 39.4, 18, c("F6E0C4"), c("D98A6A"), flip=True)
    cloud(pen, 43, 31, 10, c("F6E0C4"), c("D98A6A"))
    for bx, by, span, tilt in ((20, 42, 3.4, 6), (24, 44, 2.6, 0), (16.6, 44.4, 2.4, 4), (33, 45, 2.2, -6)):
        bird(pen, bx, by, span, c("4A3350"), tilt)
    _valley(pen)
    _foreground(pen)


def _sunbeams(pen: Pen, x: float, y: float) -> None:
    for at in range(15):
        angle = 6 + at * 12
        wedge = polygon((x, y), on_circle(x, y, 48, angle - 2.6), on_circle(x, y, 48, angle + 2.6))
        pen.fill(wedge, c("FBEBC0") if at % 2 else c("F6D49A"), tone=True)
    rays(pen, x, y, 16.2, 25, 48, 0.8, c("E9945A"))


def _valley(pen: Pen) -> None:
    low = hill(pen, [19, 19.6, 18.8, 17.6, 17.2, 17.6, 18.8, 19.6, 19], c("D9A08C"))
    furrows(pen, low, c("F3CFAE"), 1, 1.2, 4, 0.2)
    for side in (False, True):
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            for height, foot, reach, tint, line in (
                (12.5, 16, 27, "C08A8A", "E9BFA4"),
                (9.4, 14.6, 23.6, "9A6A7C", "D09A94"),
                (6.6, 13.4, 19.4, "74506C", "B07E88"),
            ):
                shape = (
                    Path()
                    .move(-1, foot + height)
                    .curve(reach * 0.3, foot + height * 1.08, reach * 0.5, foot + height * 0.3, reach, foot - 1.2)
                )
                pen.fill(shape.line(-1, foot - 1.2).close(), c(tint))
                for at in range(6):
                    px = reach * (0.08 + at * 0.13)
                    py = foot + height * (0.94 - at * 0.155)
                    pen.solid(lens(px, py - 0.7 - (at % 3) * 0.5, 3.6, 0.3, -14 - at * 4), c(line))
            for px, tall in ((1.4, 8), (4.4, 10), (7.6, 7.6), (10.6, 5.6)):
                pine(pen, px, 18.4 - px * 0.36, tall, c("54385A"), c("9A6A7C"))
    water(pen, 14.6, 4, steps(c("F3C58C"), c("8A6A84"), 4), c("FDEBC0"), 6, gap=1.6)
    glitter(pen, 27.5, 14.6, 4.4, 9, c("FFF5D6"), 8)
    for side in (False, True):
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            bank = svg_path("M-1 15 C8 15.4 15 13.6 18 11.4 C14 9 20 7 16 3 L16 -1 L-1 -1 Z")
            pen.fill(bank, c("5F7A50"))
            for bx, by, length, turn in (
                (4, 13, 5, 0),
                (10, 12.4, 5, -8),
                (14, 10.9, 3.6, -20),
                (6, 10.6, 5, -4),
                (11, 9.4, 4, -6),
                (3, 8.4, 4, 0),
                (9, 7, 5, 0),
            ):
                pen.solid(lens(bx, by, length, 0.32, turn), c("B9C98A"))


def _foreground(pen: Pen) -> None:
    near = hill(pen, [7, 6.6, 5, 3.4, 3, 3.4, 5, 6.6, 7], c("34452F"))
    furrows(pen, near, c("8CA066"), 2, 1.5, 3, 0.28)
    dice = Random(15)
    for at, (x, tall) in enumerate(
        (
            (2.4, 12),
            (6, 9.4),
            (9.4, 11),
            (13, 7),
            (17, 5.6),
            (38, 5.6),
            (42, 7),
            (45.6, 10.4),
            (49.4, 9),
            (53, 12.4),
        )
    ):
        _poppy(pen, x, tall, dice.random() * 2 - 1, (c("D2452F"), c("F6E3B8"), c("E08A3C"))[at % 3])
    for x, tall in ((0, 6), (4.4, 5), (11, 5), (44, 5), (51, 5), (55, 6)):
        grass(pen, x, -0.6, tall, c("22301F"), 0.2, 6)
    for side in (False, True):
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            spray(pen, [(15, -1), (19, 2.4), (24, 3)], 2.6, 6, c("22301F"), c("8CA066"))


def _poppy(pen: Pen, x: float, tall: float, lean: float, colour: Colour) -> None:
    stem = c("22301F")
    head = (x + lean, tall)
    pen.solid(ribbon([(x, -1), (x - lean * 0.4, tall * 0.5), head], [0.4, 0.3]), stem)
    pen.fill(leaf(x, tall * 0.28, 2.8, 130, 0.26), stem)
    pen.fill(leaf(x, tall * 0.4, 2.4, 42, 0.26), stem)
    for side in (1, -1):
        petal = (
            Path()
            .move(*head)
            .curve(
                head[0] + side * 2.4,
                head[1] - 0.2,
                head[0] + side * 2.6,
                head[1] + 2.0,
                head[0] + side * 1.5,
                head[1] + 2.5,
            )
        )
        pen.fill(petal.curve(head[0] + side * 0.7, head[1] + 2.5, head[0], head[1] + 1.6, *head).close(), colour)
    front = (
        Path()
        .move(head[0] - 1.4, head[1] + 1.9)
        .curve(head[0] - 1.6, head[1] - 0.6, head[0] + 1.6, head[1] - 0.6, head[0] + 1.4, head[1] + 1.9)
    )
    pen.fill(
        front.curve(
            head[0] + 0.6, head[1] + 1.4, head[0] - 0.6, head[1] + 1.4, head[0] - 1.4, head[1] + 1.9
        ).close(),
        colour,
    )
    pen.solid(circle(head[0], head[1] + 0.6, 0.4), stem)
    pen.solid(lens(head[0] - 0.5, head[1] + 1.1, 1.0, 0.18, 70), c("FFF2C8"))
