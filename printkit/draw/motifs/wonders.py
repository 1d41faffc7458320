"""Wonders met abroad: the mirror, the stag."""

from __future__ import annotations

from random import Random

from loomtable.printkit.draw.motifs.registry import motif
from loomtable.printkit.draw.motifs.scenery import (
    bird,
    c,
    cloud,
    cypress,
    furrows,
    halo,
    height_at,
    hill,
    leaf,
    pine,
    rays,
    sky,
    spray,
    stars,
)
from loomtable.printkit.draw.palette import steps
from loomtable.printkit.draw.path import blob, circle, ellipse, lens, on_circle, rect, ribbon, svg_path
from loomtable.printkit.draw.pen import Pen


@motif("mirror", deep="274050", accent="A86A2E")
def mirror(pen: Pen) -> None:
    """By day in the meadow, a looking-glass that shows the same meadow by night."""
    sky(pen, steps(c("8FBFC0"), c("F3E6C0"), 6), bottom=16)
    halo(pen, 46.6, 38, [(7.6, c("F6E3A4")), (5.6, c("F6D98A")), (4.0, c("F0B04A"))])
    cloud(pen, 8, 40, 16, c("FBF4E0"), c("A9BDB0"))
    cloud(pen, 49, 31.6, 13, c("FBF4E0"), c("A9BDB0"), flip=True)
    for x, y, span in ((6, 33, 2.6), (9.4, 34.6, 2)):
        bird(pen, x, y, span, c("274050"))
    far = hill(pen, [17, 20, 17, 15, 16, 19, 21, 18], c("9DBB93"))
    furrows(pen, far, c("D5DDAE"), 2, 1.4, 4, 0.22)
    middle = hill(pen, [13, 14, 12, 10, 11, 13, 15], c("6F9C76"))
    furrows(pen, middle, c("B9CC96"), 3, 1.5, 5, 0.26)
    for x, tall in ((2.4, 11), (6, 14), (9.6, 9), (50, 10), (53, 13)):
        cypress(pen, x, height_at(middle, x) - 1, tall, c("2F5C50"), c("8FB58C"))
    near = hill(pen, [7, 6.4, 5, 4, 4, 5, 6.6, 7.6], c("3F6F5A"))
    furrows(pen, near, c("8FB58C"), 4, 1.4, 6, 0.26)
    _glass(pen, 27.5, 25.6)
    _meadow_flowers(pen)


def _glass(pen: Pen, x: float, y: float) -> None:
    wood, gold, light = c("4A2C26"), c("C4903C"), c("FBE6AE")
    pen.fill(ellipse(x, 3.6, 14, 1.5), c("2C5244"), tone=True)
    for side in (1, -1):
        pen.fill(
            ribbon(
                [(x + side * 1.5, 6.4), (x + side * 5, 5.6), (x + side * 8, 3.2), (x + side * 11.4, 3.4)],
                [2.4, 1.8, 1.3, 0.5],
            ),
            wood,
        )
        pen.solid(ribbon([(x + side * 2, 6.9), (x + side * 5, 6.0), (x + side * 8, 3.7)], [0, 0.34, 0]), gold)
    pen.fill(
        blob((x - 1.4, 2.6), (x - 1, 5), (x - 1.9, 7), (x + 1.9, 7), (x + 1, 5), (x + 1.4, 2.6)),
        wood,
    )
    pen.fill(ellipse(x, y, 15.4, 20.2), wood)
    pen.fill(ellipse(x, y, 14.6, 19.4), gold)
    pen.fill(ellipse(x, y, 12.4, 17.0), wood)
    for at in range(40):
        px, py = x + 13.5 * on_circle(0, 0, 1, at * 9)[0], y + 18.2 * on_circle(0, 0, 1, at * 9)[1]
        pen.solid(lens(px, py, 1.8, 0.5, at * 9 + 45), light if at % 2 else c("8A5A24"))
    glass = ellipse(x, y, 11.8, 16.4)
    with pen.clipped(glass):
        _night_in_the_glass(pen, x, y)
    pen.solid(ribbon([(x - 9, y + 5), (x - 7.6, y + 9.6), (x - 4.4, y + 13)], [0, 0.7, 0]), c("DCE6EE"))
    pen.solid(ribbon([(x - 7.4, y + 3.4), (x - 6.6, y + 6.8), (x - 5, y + 9.4)], [0, 0.4, 0]), c("DCE6EE"))
    finial = blob(
        (x - 3.8, y + 19.4),
        (x - 2.6, y + 21),
        (x - 1, y + 20.8),
        (x, y + 22.8),
        (x + 1, y + 20.8),
        (x + 2.6, y + 21),
        (x + 3.8, y + 19.4),
    )
    pen.fill(finial, gold)
    pen.solid(circle(x, y + 20.4, 0.8), c("A8323A"))


def _night_in_the_glass(pen: Pen, x: float, y: float) -> None:
    for level, colour in zip((45, 39, 33.6, 28.6, 24, 20), steps(c("141A3C"), c("4F5A92"), 6), strict=True):
        pen.fill(rect(x - 13, 5, 26, level - 5), colour, tone=level < 45)
    stars(pen, 19, 20, c("F3E7BE"), area=(x - 11, y - 6, 22, 22), clear_of=(x + 3.6, y + 7, 5.4))
    halo(pen, x + 3.6, y + 7, [(5.2, c("38427A")), (4.2, c("59649C")), (3.2, c("F6ECCB"))])
    far = hill(pen, [20, 18, 16, 17, 18.4, 17, 19.4, 20, 19], c("2F3C6E"))
    furrows(pen, far, c("6674A8"), 2, 1.3, 4, 0.2)
    near = hill(pen, [12, 13, 14, 15, 13, 12.4, 13.6, 15, 14], c("1F2A52"))
    furrows(pen, near, c("56649C"), 4, 1.4, 5, 0.22)
    for dx, tall in ((-8.6, 11), (-5.6, 8.4), (8, 9.4)):
        cypress(pen, x + dx, 13.2, tall, c("12193A"), c("56649C"))


def _meadow_flowers(pen: Pen) -> None:
    for x, tall, colour in (
        (3.6, 6.4, "D9763F"),
        (7.4, 4.6, "F6E3A4"),
        (12, 3.6, "D9763F"),
        (43.6, 3.8, "F6E3A4"),
        (48, 5, "D9763F"),
        (52, 6.6, "F6E3A4"),
        (10, 6, "B8432F"),
        (46, 6.4, "B8432F"),
    ):
        pen.solid(ribbon([(x, -1), (x + 0.5, tall * 0.5), (x, tall)], [0.3, 0.2]), c("22443A"))
        pen.fill(leaf(x + 0.3, tall * 0.3, 2, 50), c("22443A"))
        for at in range(5):
            pen.fill(leaf(x, tall, 1.25, 90 + at * 72, 0.4), c(colour))
        pen.solid(circle(x, tall, 0.34), c("4A2C26"))


@motif("stag", deep="2A3B34", accent="B5652B")
def stag(pen: Pen) -> None:
    """A stag looks out of the wood, the low sun caught in its antlers."""
    sky(pen, steps(c("C9D0A8"), c("F6E6B8"), 6), bottom=14)
    halo(pen, 27.5, 36.5, [(15, c("F3DC9C")), (12.2, c("F3C97A")), (9.4, c("EDA553")), (6.8, c("E07F3A"))])
    rays(pen, 27.5, 36.5, 15.6, 22, 36, 0.7, c("E7A850"))
    far = hill(pen, [19, 21, 18, 15, 15, 18, 21, 19], c("A3B08A"))
    for x, tall in ((1, 14), (5, 18), (9.6, 13), (13.4, 10), (41.6, 10), (45.4, 13), (50, 18), (54, 14)):
        pine(pen, x, height_at(far, x) - 4, tall, c("7F9678"), c("B9C59C"))
    for x, tall in ((-1, 24), (3.6, 19), (8, 14), (47, 14), (51.4, 19), (56, 24)):
        pine(pen, x, 7, tall, c("4A6A58"), c("8CA886"))
    ground = hill(pen, [9, 7.4, 6, 5, 5, 6, 7.4, 9], c("2A3B34"))
    furrows(pen, ground, c("7F9678"), 3, 1.5, 7, 0.28)
    for side in (False, True):
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            _antler(pen)
    _stag_head(pen)
    _ferns(pen)


def _antler(pen: Pen) -> None:
    horn, light = c("3A2418"), c("C99A6A")
    beam = [(30.2, 27.6), (33, 30.4), (38.4, 33), (41.6, 37), (41, 42.4), (37.6, 46.8)]
    pen.fill(ribbon(beam, [2.0, 1.7, 1.5, 1.4, 1.1, 0.1]), horn)
    for points, width in (
        ([(31.8, 29.4), (33.2, 32.6), (32.6, 36.4)], 1.2),
        ([(37, 32.2), (42, 31.2), (45.6, 33.2)], 1.1),
        ([(41, 35.6), (45.4, 36.6), (48.4, 40.4)], 1.1),
        ([(41.5, 39.6), (45, 42.4), (46, 46.4)], 1.0),
        ([(39.4, 34.4), (37, 37.4), (36.8, 40.4)], 1.0),
    ):
        pen.fill(ribbon(points, [width * 1.2, width, 0]), horn)
    pen.solid(
        ribbon(
            [(31, 28), (33.4, 30), (38.4, 32.4), (41.3, 36.6), (41, 41.6), (38.6, 45.2)], [0, 0.4, 0.36, 0.36, 0]
        ),
        light,
    )


def _stag_head(pen: Pen) -> None:
    dark, coat, pale = c("3A2418"), c("8A5230"), c("E7C79A")
    neck = blob((24.6, 16), (21.6, 12), (17.6, 6), (14.6, -2), (40.4, -2), (37.4, 6), (33.4, 12), (30.4, 16))
    pen.fill(neck, dark)
    pen.fill(blob((25, 12), (22.4, 6.4), (21, -2), (34, -2), (32.6, 6.4), (30, 12)), coat)
    for row in range(4):
        for at in range(-3 - row // 2, 4 + row // 2):
            x, y = 27.5 + at * 1.8 + (row % 2) * 0.9, 9.4 - row * 2.9
            pen.solid(lens(x, y, 2.6, 0.4, 90 - at * 9), pale if abs(at) < 3 else c("8A5230"))
    for side in (False, True):
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            ear = svg_path("M31.4 24.6 C34.6 27.8 39.6 28.6 42.6 27.0 C40.4 23.4 36 21.2 31.8 22.2 Z")
            pen.fill(ear, dark)
            pen.fill(
                svg_path("M33.4 24.2 C35.8 26.2 38.6 26.8 40.6 26.4 C38.6 24.2 36 22.8 33.4 23 Z"),
                c("C98A68"),
            )
    head = blob(
        (27.5, 28.6),
        (30.6, 27.9),
        (32.4, 25.6),
        (32.6, 22.6),
        (31.6, 19),
        (30.9, 15.4),
        (31, 12.6),
        (29.8, 10.2),
        (27.5, 9.4),
        (25.2, 10.2),
        (24, 12.6),
        (24.1, 15.4),
        (23.4, 19),
        (22.4, 22.6),
        (22.6, 25.6),
        (24.4, 27.9),
    )
    pen.fill(head, coat)
    pen.stroke(head, dark, 0.4)
    blaze = blob(
        (27.5, 26.6), (28.9, 23), (29.1, 18), (29.9, 13.6), (27.5, 12.2), (25.1, 13.6), (25.9, 18), (26.1, 23)
    )
    pen.fill(blaze, c("A86B40"))
    nose = blob((25.2, 12.8), (27.5, 13.4), (29.8, 12.8), (29.2, 11), (27.5, 10.3), (25.8, 11))
    pen.fill(nose, dark)
    pen.solid(lens(27.5, 12.7, 2.2, 0.3), pale)
    for to in (1, -1):
        x = 27.5 + to * 3.4
        pen.fill(lens(x, 21.6, 2.7, 1.5, to * 24), c("1A120E"))
        pen.solid(circle(x - 0.2, 22.0, 0.3), c("F6E6C8"))
        pen.solid(ribbon([(x - to * 1.6, 22.3), (x, 23.3), (x + to * 1.6, 23.2)], [0, 0.36, 0]), pale)
        pen.solid(
            ribbon([(27.5 + to * 2.1, 18.6), (27.5 + to * 2.4, 15.6), (27.5 + to * 2.9, 13.6)], [0, 0.3, 0]),
            dark,
        )
        pen.solid(circle(27.5 + to * 1.1, 11.9, 0.26), pale)
        for at in range(3):
            pen.solid(lens(27.5 + to * (1.2 + at * 0.9), 25.4 + at * -0.3, 1.9, 0.3, 90 - to * 14), pale)
    pen.solid(lens(27.5, 22, 6, 0.4, 90), pale)


def _ferns(pen: Pen) -> None:
    dice = Random(4)
    for side in (False, True):
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            for root, tip, tint in (
                ((14, -1), (3, 10.4), "1B2823"),
                ((15, -1), (11.6, 11.4), "22332B"),
                ((10, -1), (-1, 4), "22332B"),
            ):
                bend = (root[0] + (tip[0] - root[0]) * 0.35, root[1] + (tip[1] - root[1]) * 0.72)
                spray(pen, [root, bend, tip], 3.2 + dice.random() * 0.4, 9, c(tint), c("7F9678"), 0.5)
