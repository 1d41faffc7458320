"""Work in hand: the loom, the forge."""

from __future__ import annotations

import math
from random import Random

from loomtable.printkit.draw.motifs.registry import WIDTH, motif
from loomtable.printkit.draw.motifs.scenery import (
    EDGE,
    beams,
    c,
    halo,
    pool_of_light,
)
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import (
    Path,
    blob,
    circle,
    ellipse,
    lens,
    on_circle,
    polygon,
    polyline,
    rect,
    ribbon,
    round_arch,
    rounded,
    star,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen


@motif("loom", deep="3A2A3C", accent="B0482F")
def loom(pen: Pen) -> None:
    """A loom whose cloth grows upward while its warp runs off into the rays of a rising sun."""
    pen.fill(rect(-EDGE, -EDGE, WIDTH + 2, 52), c("F0D6A0"), tone=True)
    beams(pen, 27.5, 24, 46, 22, c("E8BC7C"), start=4, end=364)
    halo(pen, 27.5, 24, [(19.6, c("E2A060")), (17.6, c("F4D9A0")), (16.2, c("DE8850"))])
    _warp_and_cloth(pen)
    _loom_frame(pen)
    pen.fill(polygon((-1, -1), (-1, 5.6), (56, 5.6), (56, -1)), c("4A3140"))
    for at, (x, y) in enumerate(
        ((4, 3.9), (14, 2.4), (22, 4.2), (33, 3), (42, 4.2), (51, 2.6), (8, 1.2), (28, 1), (46, 1))
    ):
        pen.solid(lens(x, y, 9 - at % 3 * 2, 0.32), c("A8705C"))
    _ball(pen, 6.2, 7.7, 3.2, c("B0482F"), c("EDB08A"))
    _ball(pen, 49.6, 7.2, 2.7, c("2F5560"), c("9CC0B8"))
    _ball(pen, 45.2, 6.4, 1.9, c("C9902F"), c("F6E0A4"))
    pen.solid(ribbon([(8.6, 5.8), (12, 4.2), (16, 5.2), (20, 3.8)], [0.3, 0.3]), c("E0795A"))


def _warp_and_cloth(pen: Pen) -> None:
    left, right, fell, top, foot = 15.0, 40.0, 23.0, 40.6, 8.6
    pen.fill(rect(left - 0.4, foot, right - left + 0.8, top - foot), c("FAF0D8"))
    for at in range(26):
        x = left + (right - left) * at / 25
        pen.stroke(polyline((x, foot), (x, top)), c("8C6A52"), 0.16)
    pen.fill(rect(left - 0.5, fell, right - left + 1, top - fell), c("B0482F"))
    width = right - left
    for low, height, colour in (
        (fell, 0.9, "2F5560"),
        (fell + 4.4, 0.7, "F3DDA8"),
        (fell + 12.4, 0.7, "F3DDA8"),
        (fell + 5.1, 7.3, "2F5560"),
    ):
        pen.fill(rect(left - 0.5, low, width + 1, height), c(colour))
    for at in range(6):
        x = left + width * (at + 0.5) / 6
        y = fell + 8.75
        pen.solid(polygon((x - 1.8, y), (x, y + 2.9), (x + 1.8, y), (x, y - 2.9)), c("F3DDA8"))
        pen.solid(polygon((x - 0.9, y), (x, y + 1.5), (x + 0.9, y), (x, y - 1.5)), c("B0482F"))
        for dy in (2.9, -2.9) if at < 5 else ():
            pen.solid(
                polygon(
                    (x + 2.08, y + dy - 0.5), (x + 2.58, y + dy), (x + 2.08, y + dy + 0.5), (x + 1.58, y + dy)
                ),
                c("E2A060"),
            )
    for at in range(12):
        x = left + width * (at + 0.5) / 12
        pen.solid(polygon((x - 0.9, fell + 1.5), (x, fell + 3.8), (x + 0.9, fell + 1.5)), c("F3DDA8"))
        pen.solid(polygon((x - 0.9, fell + 13.7), (x, fell + 16), (x + 0.9, fell + 13.7)), c("F3DDA8"))
    shuttle = lens(30.6, 20.4, 13, 2.6, 7)
    pen.fill(shuttle, c("5B3A34"))
    pen.fill(lens(30.6, 20.4, 6.4, 1.1, 7), c("E9C58C"))
    pen.solid(ribbon([(37, 21.2), (39.6, 22.6), (40.8, 22.4)], [0.3, 0.3]), c("2F5560"))


def _loom_frame(pen: Pen) -> None:
    wood, light = c("4A2C30"), c("C98A62")
    for side in (False, True):
        post = polygon((9.4, 3.6), (13.2, 3.6), (12.6, 46), (10, 46))
        knob = blob((10, 45.6), (9.4, 47), (10.4, 48.6), (11.3, 49.6), (12.2, 48.6), (13.2, 47), (12.6, 45.6))
        foot = svg_path("M6.4 3.4 C7 5.8 9 6 9.4 8.4 L13.2 8.4 C13.6 6 15.4 5.8 16 3.4 Z")
        for part in (post, knob, foot):
            pen.fill(part.mirrored(27.5) if side else part, wood)
        for y in (14.0, 22.0, 30.0, 38.0):
            mark = lens(10.8, y, 5.6, 0.3, 90)
            pen.solid(mark.mirrored(27.5).shifted(-0.8, 0) if side else mark, light)
    for y, tall in ((40.2, 3.4), (7.6, 2.6)):
        pen.fill(rounded(7.4, y, 40.2, tall, tall / 2), wood)
        pen.solid(lens(27.5, y + tall * 0.68, 34, 0.34), light)
        for x in (11.3, 43.7):
            pen.solid(circle(x, y + tall / 2, 0.5), light)
    pen.fill(rounded(8.6, 17.0, 37.8, 1.2, 0.6), wood)
    pen.solid(lens(27.5, 17.8, 30, 0.2), light)


def _ball(pen: Pen, x: float, y: float, radius: float, colour: Colour, line: Colour) -> None:
    pen.fill(circle(x, y, radius), colour)
    for at in range(4):
        bend = radius * (0.55 - at * 0.36)
        pen.solid(
            ribbon(
                [
                    on_circle(x, y, radius * 0.9, 150 - at * 6),
                    (x + bend * 0.4, y + bend),
                    on_circle(x, y, radius * 0.9, 20 - at * 14),
                ],
                [0, radius * 0.1, 0],
            ),
            line,
        )


@motif("forge", deep="33202A", accent="C24A22")
def forge(pen: Pen) -> None:
    """Hammer and glowing blade on the anvil, before the mouth of the furnace."""
    pen.fill(rect(-EDGE, -EDGE, WIDTH + 2, 52), c("3A2630"))
    _masonry(pen)
    _furnace(pen)
    pen.fill(rect(-1, -1, 57, 7.6), c("241620"))
    pool_of_light(pen, 27.5, 5.2, 26, 3.4, [c("5A2A22"), c("8A3A22"), c("B8521F")])
    _anvil(pen)
    _sparks(pen, 33.5, 25.4)


def _masonry(pen: Pen) -> None:
    dice = Random(18)
    for row in range(13):
        y = 5 + row * 3.7
        x = -3.0 + (row % 2) * 3
        while x < WIDTH + 2:
            width = 4.6 + dice.random() * 3.2
            near = math.hypot(x + width / 2 - 27.5, y + 1.8 - 21) / 34
            colour = c("7A3E30").towards(c("33202A"), min(1.0, near * 1.1))
            pen.fill(rounded(x, y, width - 0.5, 3.2, 0.6), colour)
            if dice.random() > 0.35:
                pen.solid(
                    lens(x + width * 0.4, y + 2.5, width * 0.55, 0.22),
                    c("C97A54").towards(c("5A3A40"), min(1.0, near)),
                )
            x += width


def _furnace(pen: Pen) -> None:
    def mouth(grow: float) -> Path:
        return round_arch(27.5, 5, 16.1 + grow, 24, 17 + grow)

    pen.fill(mouth(4), c("1F1219"))
    for at in range(17):
        angle = at * 180 / 16
        inner, outer = on_circle(27.5, 24.4, 16.8, angle), on_circle(27.5, 24.4, 19.8, angle)
        pen.stroke(polyline((inner[0], inner[1]), outer), c("8A4A36"), 0.3)
    pen.fill(mouth(0.6), c("6B1F1A"))
    with pen.clipped(mouth(0)):
        for rx, ry, colour in (
            (18, 36, "A8301C"),
            (15.4, 31, "CE4E1E"),
            (12.6, 26, "E8802A"),
            (9.4, 20.6, "F6B344"),
            (5.8, 15, "FDE08A"),
        ):
            pen.fill(ellipse(27.5, 5, rx, ry), c(colour), tone=True)
        for x, tall, lean, colour in (
            (15.4, 17, 1.4, "F6B344"),
            (20, 24, -1.6, "FDE08A"),
            (35.4, 23, 1.8, "FDE08A"),
            (40, 15, -1.2, "F6B344"),
            (29.6, 30, 1.2, "FDEDB4"),
            (25.2, 27, -1.4, "FDEDB4"),
        ):
            flame = (
                Path().move(x + lean, tall + 6).curve(x + lean * 0.2, tall, x + 2.4, tall - 3, x + 1.7, tall - 8)
            )
            flame.curve(x + 1, tall - 12, x - 1, tall - 12, x - 1.7, tall - 8).curve(
                x - 2.2, tall - 3.6, x - lean * 0.4, tall, x + lean, tall + 6
            )
            pen.fill(flame.close(), c(colour))


def _anvil(pen: Pen) -> None:
    iron, light, hot = c("150D14"), c("E0925A"), c("FBC650")
    pen.fill(polygon((20, 1.4), (35, 1.4), (33.4, 9), (21.6, 9)), c("3A2018"))
    for x in (23, 26, 29, 32):
        pen.solid(lens(x, 5.2, 6, 0.34, 90), c("8A4A30"))
    pen.stroke(polyline((20.8, 5.6), (34.2, 5.6)), iron, 0.9, butt=True)
    body = svg_path(
        "M19.4 8.8 L35.6 8.8 C35.6 11 32 11.2 31.4 13 C31 15 33 16.4 37.4 16.8 L40.8 16.8 L40.8 20.4 L18.4 20.4 "
        "C14.6 20.2 11.2 19 9 16.9 C13 15.6 16.6 16.4 20 16.2 C23.2 15.6 24 14 23.6 13 "
        "C23 11.2 19.4 11 19.4 8.8 Z"
    )
    pen.fill(body, iron)
    pen.solid(lens(29, 19.7, 22, 0.36), light)
    pen.solid(ribbon([(11, 17.4), (15, 18.9), (18.6, 19.4)], [0, 0.4, 0]), light)
    pen.solid(ribbon([(24.6, 11.4), (25.2, 13.2), (24.2, 15.4)], [0, 0.4, 0]), light)
    blade = polygon((13.6, 21.4), (36.6, 20.4), (47.6, 20.4), (47.6, 22.2), (36.6, 22.2), (15.6, 22.6))
    pen.fill(blade, hot)
    pen.fill(polygon((40, 20.2), (48.6, 20.2), (48.6, 22.4), (40, 22.4)), c("5A2A22"))
    pen.solid(lens(26, 21.7, 19, 0.36, -2), c("FFF6D0"))
    with pen.at(33.2, 25.2, turn=-31):
        pen.fill(rounded(-0.8, 2.6, 1.6, 20, 0.7), c("6B3B22"))
        pen.solid(lens(-0.3, 12, 16, 0.3, 90), c("E0A868"))
        pen.fill(
            polygon((-5.0, -2.0), (-4.4, -2.6), (4.4, -2.6), (5.0, -2.0), (5, 2), (4, 3), (-4, 3), (-5, 2)), iron
        )
        pen.solid(lens(0, 2.1, 8, 0.36), light)
        pen.solid(lens(-4.2, 0, 3.2, 0.36, 90), light)


def _sparks(pen: Pen, x: float, y: float) -> None:
    dice = Random(77)
    for _ in range(34):
        angle, reach = dice.random() * 200 - 10, 4.6 + dice.random() * 17
        px, py = on_circle(x - 3, y - 3, reach, angle)
        pen.solid(
            lens(px, py, 0.7 + 1.6 * dice.random(), 0.3, angle),
            c("FFE9A0") if dice.random() > 0.4 else c("F79A32"),
        )
    for _ in range(5):
        px, py = on_circle(x - 3, y - 3, 8 + dice.random() * 12, dice.random() * 180)
        pen.solid(star(px, py, 1.1, 0.2), c("FFF3C4"))
