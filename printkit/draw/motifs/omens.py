"""Omens in the sky: the raven, the comet."""

from __future__ import annotations

from loomtable.printkit.draw.motifs.registry import motif
from loomtable.printkit.draw.motifs.scenery import (
    bough,
    c,
    cloud,
    furrows,
    halo,
    height_at,
    hill,
    leaf,
    pine,
    rays,
    sky,
    stars,
)
from loomtable.printkit.draw.palette import Colour, steps
from loomtable.printkit.draw.path import blob, circle, lens, on_circle, polygon, polyline, rect, ribbon, svg_path
from loomtable.printkit.draw.pen import Pen


@motif("raven", deep="23222F", accent="A8432F")
def raven(pen: Pen) -> None:
    """A raven on a dead bough before a great pale moon."""
    sky(pen, steps(c("3A4358"), c("A9A79C"), 7), bottom=8)
    halo(pen, 29, 27, [(21.5, c("77808A")), (19.4, c("9A9E9B")), (17.2, c("F0E6CC"))])
    for x, y, r in ((22, 33, 2.6), (35.5, 36, 1.8), (38, 20.5, 2.6), (24, 18, 1.6), (33.5, 15, 1.2)):
        pen.fill(circle(x, y, r), c("E2D5B4"), tone=True)
    cloud(pen, 7, 36, 17, c("B9BBB4"), c("F0E9D6"))
    cloud(pen, 48.5, 40, 16, c("B9BBB4"), c("F0E9D6"), flip=True)
    far = hill(pen, [8, 10, 8, 6, 8, 11, 9], c("4A4D5C"))
    for at, x in enumerate((1, 4, 7.5, 11, 40, 44, 47.5, 51, 54.5)):
        pine(pen, x, height_at(far, x) - 1, (7.4, 9.4, 7, 5.4, 5.6, 7.4, 9.8, 8, 10)[at], c("34354A"))
    hill(pen, [5, 4, 3.4, 3, 3.6, 4.6, 5.4], c("20202C"))
    _dead_bough(pen)
    _raven_body(pen)


def _dead_bough(pen: Pen) -> None:
    bark, light = c("1D1B26"), c("8A7F78")
    bough(
        pen,
        [(57, 5), (49, 9.6), (39, 11.6), (29, 10.8), (18, 12.2), (9, 15.6), (3, 16.2)],
        [6, 4.2, 2.8, 2.0, 1.4, 0.9, 0.1],
        bark,
    )
    bough(pen, [(17, 12.4), (12, 11), (8, 7.6), (5.4, 7)], [1.1, 0.8, 0.1], bark)
    bough(pen, [(44, 11), (46, 16), (50, 19.6), (50.6, 24)], [1.7, 1.1, 0.1], bark)
    bough(pen, [(49, 18.4), (52.6, 19.6), (55, 23)], [0.8, 0.6, 0.2], bark)
    for x, y, length, turn in (
        (50.0, 9.4, 5.0, -26.0),
        (45, 10.4, 5, -16),
        (39, 11.4, 4.6, -4),
        (33, 11, 4, 4),
        (27, 10.9, 3, -2),
        (22, 11.5, 3, -10),
        (49, 7.6, 4, -34),
        (52, 6.2, 4, -34),
        (43, 9.6, 3, -16),
    ):
        pen.solid(lens(x, y, length, 0.26, turn), light)
    for x, y, turn in ((3.4, 16.2, 150), (5.6, 7, 200), (50.6, 23.6, 80), (10, 15.2, 60)):
        pen.fill(leaf(x, y, 3.2, turn), c("A8432F"))
        pen.solid(lens(*on_circle(x, y, 1.6, turn), 2.4, 0.12, turn), c("E9B58C"))


def _raven_body(pen: Pen) -> None:
    black, sheen = c("16161F"), c("7C86A2")
    body = blob(
        (15.2, 32.6),
        (17.4, 34.7),
        (20.6, 36.6),
        (24.2, 36.9),
        (27.2, 35.2),
        (29.2, 32),
        (32.6, 28.4),
        (37, 24),
        (41, 19.4),
        (46.4, 12.6),
        (48.6, 8.6),
        (46.2, 8.8),
        (43, 10.9),
        (42.9, 9.2),
        (40.6, 11.4),
        (37.8, 13.2),
        (33.6, 14.2),
        (28, 14.8),
        (23.4, 17.6),
        (20.6, 22),
        (20, 26),
        (20.4, 29.6),
        (19.6, 31.4),
        (17.4, 32),
    )
    pen.fill(body, black)
    beak = svg_path(
        "M20.2 35.2 C16.6 36 13.4 34.2 11.8 31.2 C12.8 31.8 14 32.1 15.4 32.2 C17 31.6 18.8 31.4 20 31.6 Z"
    )
    pen.fill(beak, black)
    pen.solid(ribbon([(13.2, 32.6), (16, 33.2), (19.4, 33.2)], [0, 0.3, 0.1]), sheen)
    pen.solid(circle(22.3, 34.1, 0.95), c("D9A441"))
    pen.solid(circle(22.2, 34.15, 0.5), black)
    pen.solid(lens(18, 34.9, 3, 0.26, 18), sheen)
    _plumage(pen, sheen)
    for x in (28.6, 32.0):
        pen.stroke(polyline((x, 15), (x - 0.5, 11.8)), black, 0.9)
        for toe in (-2.0, -0.6, 1.2):
            pen.fill(
                ribbon([(x - 0.5, 12), (x - 0.5 + toe * 0.7, 12.0), (x - 0.5 + toe, 10.7)], [0.6, 0.6, 0]), black
            )


def _plumage(pen: Pen, sheen: Colour) -> None:
    """Throat hackles, rows of coverts, then long pinions."""
    for at, (x, y) in enumerate(
        (
            (21.2, 30.4),
            (21.0, 28),
            (21.4, 25.4),
            (22.2, 22.8),
            (23, 30.6),
            (22.8, 28),
            (23.2, 25.2),
            (24, 22.2),
            (24.4, 19.6),
        )
    ):
        pen.solid(lens(x, y, 1.9, 0.3, -78 - at * 2), sheen)
    for row in range(4):
        for at in range(4 - row // 2):
            x, y = 26.6 + row * 1.9 + at * 1.7, 31.2 - row * 2.9 - at * 1.9
            scale = [on_circle(x, y, 1.15, turn) for turn in (195, 255, 318)]
            pen.solid(ribbon(scale, [0, 0.34, 0]), sheen)
    for at in range(5):
        start = (27.2 + at * 0.9, 21.6 - at * 1.25)
        end = (43.8 - at * 1.7, 12.9 - at * 0.1)
        middle = ((start[0] + end[0]) / 2 + 1.0, (start[1] + end[1]) / 2 + 1.1)
        pen.solid(ribbon([start, middle, end], [0.1, 0.36, 0]), sheen)
    pen.solid(ribbon([(27, 23.4), (34, 22.4), (40, 18), (44.6, 12.4)], [0, 0.5, 0.4, 0]), sheen)
    pen.solid(ribbon([(22.6, 36), (26, 35), (28.4, 31.8), (33, 27)], [0, 0.3, 0.36, 0]), sheen)


@motif("comet", deep="1F1D45", accent="C4662E")
def comet(pen: Pen) -> None:
    """A comet sweeps its tail over a walled town in the hills."""
    sky(pen, steps(c("161640"), c("7B5A86"), 8), bottom=9)
    stars(pen, 12, 44, c("F3E3B4"), area=(1, 18, 53, 31), clear_of=(40, 37, 7))
    head = (41.0, 36.0)
    for reach, colour, width in (
        (46, c("4A3F78"), 9.5),
        (43, c("8A5C86"), 7),
        (39, c("D98A55"), 4.6),
        (33, c("F3C46A"), 2.7),
        (25, c("FFF0C0"), 1.2),
    ):
        share = reach / 46
        tail = [
            head,
            (head[0] - 14 * share, head[1] + 2.8 * share),
            (head[0] - 29 * share, head[1] + 1.6 * share),
            (head[0] - 47 * share, head[1] - 6.5 * share),
        ]
        pen.fill(ribbon(tail, [width * 0.9, width, width * 0.7, 0]), colour)
    for dy, reach in ((3.6, 30), (-3.6, 34), (5.2, 20), (-5.4, 24)):
        pen.solid(
            ribbon(
                [
                    (head[0] - 3, head[1] + dy * 0.7),
                    (head[0] - reach * 0.5, head[1] + dy + 2),
                    (head[0] - reach, head[1] + dy * 1.3),
                ],
                [0, 0.4, 0],
            ),
            c("F3C46A"),
        )
    rays(pen, *head, 3.4, 8.4, 16, 0.7, c("F9DE95"), turn=6)
    halo(pen, *head, [(5.2, c("D98A55")), (4.3, c("F3C46A")), (3.3, c("FFF3CE"))])
    far = hill(pen, [12, 15, 12, 10.5, 13, 16, 13.4], c("45366A"))
    furrows(pen, far, c("8A6A92"), 2, 1.6, 8, 0.24)
    _town(pen)
    near = hill(pen, [9, 7, 5, 4.4, 5, 6.4, 6.6], c("1A1736"))
    furrows(pen, near, c("584A80"), 3, 1.5, 14, 0.26)
    for x, height in ((4, 9), (7.4, 7), (50, 10), (53, 7.4), (46.6, 6)):
        pine(pen, x, height_at(near, x) - 1, height, c("13112B"), c("584A80"))


def _town(pen: Pen) -> None:
    dark, light = c("241E4A"), c("F2BC5A")
    wall = polygon((14, 4), (14, 10), (18, 10.6), (38, 10.6), (43, 9.6), (43, 4))
    for x, width, height in (
        (16, 3.4, 14),
        (20.4, 4.6, 12.6),
        (25.6, 3.2, 20),
        (29.6, 5, 13.4),
        (35, 3, 16.4),
        (38.6, 3.4, 12),
    ):
        pen.fill(
            polygon(
                (x, 6),
                (x, height),
                (x - 0.5, height),
                (x + width / 2, height + width * (1.5 if width < 3.5 else 0.8)),
                (x + width + 0.5, height),
                (x + width, height),
                (x + width, 6),
            ),
            dark,
        )
        pen.solid(lens(x + width * 0.22, height + width * 0.4, width * 0.9, 0.18, 58), c("8A6A92"))
        sill = height - 2 if height > 14 else height - 0.3
        pen.fill(rect(x + width / 2 - 0.35, sill, 0.7, 1.1), light)
    pen.fill(wall, c("2C2556"))
    for x in range(14, 43, 2):
        pen.fill(rect(x, 9.4 if x < 16 or x > 40 else 10.4, 1, 1), c("2C2556"))
    pen.fill(svg_path("M26 4 L26 7.4 C26 9.4 29 9.4 29 7.4 L29 4 Z"), light)
