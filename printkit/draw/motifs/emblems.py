"""Emblems of rank and pretence: the broken crown, the mask."""

from __future__ import annotations

from loomtable.printkit.draw.motifs.registry import WIDTH, motif
from loomtable.printkit.draw.motifs.scenery import (
    EDGE,
    beams,
    c,
    crescent,
    halo,
    leaf,
    rays,
    spray,
    stars,
)
from loomtable.printkit.draw.path import (
    Path,
    Point,
    blob,
    circle,
    ellipse,
    lens,
    on_circle,
    polygon,
    rect,
    ribbon,
    smooth,
    star,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen


@motif("broken-crown", deep="4A1626", accent="B8862F")
def broken_crown(pen: Pen) -> None:
    """A crown split in two on its cushion, briars already growing through it."""
    pen.fill(rect(-EDGE, -EDGE, WIDTH + 2, 52), c("6E1F2E"), tone=True)
    beams(pen, 27.5, 24, 48, 20, c("7E2A35"), start=4.5, end=364.5)
    halo(pen, 27.5, 26, [(20.4, c("C9963F")), (19.8, c("8F3438")), (17.4, c("A8453E")), (14, c("C2604A"))])
    _briar(pen, behind=True)
    _cushion(pen)
    with pen.at(18.4, 14.0, turn=9, scale=0.9):
        _half_crown(pen)
    with pen.at(37.6, 13.4, turn=-15, scale=0.9), pen.mirrored(0):
        _half_crown(pen)
    _shards(pen)
    _briar(pen, behind=False)


def _half_crown(pen: Pen) -> None:
    """The left half, its lower left corner about (-8, 0), its break on the right."""
    gold, dark, light = c("D9A441"), c("5A2C1C"), c("FBE7A8")
    back = blob((-9.2, 4.6), (-4, 6.6), (2, 7.4), (8.4, 7.6), (8.4, 3), (-8.6, 1.4))
    pen.fill(back, c("8A5A24"))
    body = svg_path(
        "M-8.4 0.4 C-4 -1.4 2 -2.2 7.4 -2.2 L6.2 0.2 L8.6 2.4 L6.6 4.8 L9.2 7.6 L7.0 10.2 L8.2 12.8 L6.6 16.2 "
        "C4.4 11.4 3 9.4 1.6 8 C1.4 11 0.8 15 -2.2 19.4 C-4 15 -4.6 11.4 -5.4 8.6 C-6.8 11 -8.8 13.4 -11.8 15.2 "
        "C-11.2 10 -9.6 5 -8.4 0.4 Z"
    )
    pen.fill(body, gold)
    pen.stroke(body, dark, 0.4)
    pen.solid(ribbon([(-8.0, 2.0), (-3, 0.2), (2, -0.5), (6.2, -0.6)], [0.2, 0.34, 0.34, 0.2]), dark)
    pen.solid(ribbon([(-8.8, 5.4), (-3, 3.7), (2, 3.1), (6.4, 3.0)], [0.2, 0.34, 0.34, 0.2]), dark)
    for x, y, colour in ((-6.2, 3.0, "2F5C6B"), (-1.6, 1.7, "A8323A"), (3.2, 1.3, "2F5C6B")):
        pen.fill(ellipse(x, y, 1.0, 0.85), c(colour))
        pen.solid(lens(x - 0.2, y + 0.3, 0.9, 0.24, 10), c("F6EBD0"))
    for x, y, turn, length in ((-2.1, 13, 92, 8), (-9.4, 9.8, 118, 6), (4.9, 10.4, 66, 5)):
        pen.solid(lens(x, y, length, 0.5, turn), light)
    for x, y, radius in ((-2.2, 20.2, 1.35), (-12.4, 15.9, 1.2), (6.7, 17.0, 1.0)):
        pen.fill(circle(x, y, radius), c("F3EAD6"))
        pen.stroke(circle(x, y, radius), dark, 0.34)
        pen.solid(lens(x - 0.3, y + 0.4, 0.9, 0.26, 40), c("C9963F"))
    pen.solid(lens(-2.2, 7.1, 2.0, 0.9, 90), c("A8323A"))


def _cushion(pen: Pen) -> None:
    dark, light = c("2F2547"), c("8A74A8")
    shape = blob(
        (1.6, 2.6),
        (7, 3.2),
        (17, 1.2),
        (27.5, 0.6),
        (38, 1.2),
        (48, 3.2),
        (53.4, 2.6),
        (51.8, 7.4),
        (53.0, 12.6),
        (47.4, 12.4),
        (38, 15.4),
        (27.5, 16.2),
        (17, 15.4),
        (7.6, 12.4),
        (2, 12.6),
        (3.2, 7.4),
    )
    pen.fill(rect(-1, -1, 57, 5), c("3A0F1C"))
    pen.fill(shape, dark)
    pen.stroke(shape, c("C9963F"), 0.42)
    for points in (
        [(4.2, 7.6), (15, 5.6), (27.5, 4.9), (40, 5.6), (50.8, 7.6)],
        [(6, 4.6), (16, 2.8), (27.5, 2.3), (39, 2.8), (49, 4.6)],
    ):
        pen.solid(ribbon(points, [0, 0.3, 0.36, 0.3, 0]), light)
    for x, y, turn, length in (
        (6.4, 10.7, -32, 5),
        (10.4, 9.3, -16, 4),
        (48.6, 10.7, 32, 5),
        (44.6, 9.3, 16, 4),
        (21, 7.9, -5, 6),
        (34, 7.9, 5, 6),
        (27.5, 10, 0, 6),
        (27.5, 13, 0, 8),
    ):
        pen.solid(lens(x, y, length, 0.34, turn), light)
    for side in (1, -1):
        for y in (2.9, 12.7):
            x = 27.5 + side * 25.8
            pen.fill(circle(x, y, 1.1), c("C9963F"))
            for spread in (-0.9, -0.3, 0.3, 0.9):
                pen.solid(
                    ribbon([(x, y - 0.6), (x + spread, y - 2.2), (x + spread * 1.3, y - 3.8)], [0.4, 0.34, 0]),
                    c("C9963F"),
                )


def _shards(pen: Pen) -> None:
    for x, y, size, turn in (
        (28.0, 29.6, 1.3, 20),
        (30.4, 24.6, 1.0, 75),
        (26.4, 34.6, 0.9, 130),
        (28.6, 20.4, 0.8, 10),
        (31, 33.4, 0.7, 50),
    ):
        with pen.at(x, y, turn=turn, scale=size):
            pen.fill(polygon((-1.2, -0.6), (0.4, 1.3), (1.3, -0.2), (0.2, -1.0)), c("F3C95C"))
            pen.solid(lens(-0.1, 0.2, 1.4, 0.3, 45), c("FFF3C8"))
    pen.fill(star(28.2, 39.6, 2.4, 0.5), c("FBE7A8"))


def _briar(pen: Pen, behind: bool) -> None:
    stem, light = c("26331F"), c("92A66A")
    runs: tuple[list[Point], ...]
    if behind:
        runs = (
            [(3, -1), (2, 12), (6, 24), (3.4, 34), (9, 43), (18, 46.4)],
            [(52, -1), (53, 12), (49, 24), (51.6, 34), (46, 43), (37, 46.4)],
        )
    else:
        runs = (
            [(-1, 9), (6, 8.6), (12, 12.6), (17, 20.4), (23.4, 23.4), (26.4, 20.6), (24.4, 18)],
            [(56, 8), (49, 9), (44, 13), (39.6, 20.6), (33.6, 24.4)],
        )
    for run in runs:
        pen.fill(ribbon(run, [0.9, 0.8, 0.6, 0.3]), stem)
        for at in range(len(run) - 1):
            (ax, ay), (bx, by) = run[at], run[at + 1]
            for share, side in ((0.3, 1), (0.75, -1)):
                x, y = ax + (bx - ax) * share, ay + (by - ay) * share
                turn = 60 * side + (90 if abs(by - ay) > abs(bx - ax) else 0)
                pen.fill(leaf(x, y, 1.5, turn + 20, 0.22), stem)
                size = 3.6 if behind else 3.0
                pen.fill(leaf(x, y, size, turn - 30 * side), c("3D5230"))
                pen.solid(
                    lens(*on_circle(x, y, size / 2, turn - 30 * side), size * 0.6, 0.14, turn - 30 * side), light
                )
    roses = (
        ((9, 43, 2.4), (46, 43, 2.4), (4.6, 25, 1.9), (50.4, 25, 1.9))
        if behind
        else ((23.6, 19, 2.1), (6.4, 8.8, 2.2), (48.6, 9.2, 2.2))
    )
    for x, y, size in roses:
        _rose(pen, x, y, size)


def _rose(pen: Pen, x: float, y: float, size: float) -> None:
    for at in range(5):
        pen.fill(circle(*on_circle(x, y, size * 0.55, 90 + at * 72), size * 0.6), c("D9564A"))
    pen.fill(circle(x, y, size * 0.6), c("E9846E"))
    for turn in (20, 140, 260):
        pen.solid(
            ribbon(
                [
                    on_circle(x, y, size * 0.42, turn),
                    on_circle(x, y, size * 0.46, turn + 55),
                    on_circle(x, y, size * 0.36, turn + 110),
                ],
                [0, size * 0.15, 0],
            ),
            c("7A1C26"),
        )
        pen.solid(
            ribbon(
                [
                    on_circle(x, y, size * 0.86, turn + 30),
                    on_circle(x, y, size * 0.9, turn + 70),
                    on_circle(x, y, size * 0.8, turn + 105),
                ],
                [0, size * 0.12, 0],
            ),
            c("7A1C26"),
        )
    pen.solid(circle(x, y, size * 0.16), c("7A1C26"))


@motif("mask", deep="3A1E3F", accent="A8702A")
def mask(pen: Pen) -> None:
    """A mask, half sun and half moon, its ribbons loose among laurel."""
    pen.fill(rect(-EDGE, -EDGE, 28.5, 52), c("EBC987"))
    pen.fill(rect(27.5, -EDGE, 29, 52), c("2A2450"))
    with pen.clipped(rect(-1, -1, 28.5, 52)):
        beams(pen, 27.5, 26, 50, 26, c("F4DCA8"))
    with pen.clipped(rect(27.5, -1, 29, 52)):
        halo(pen, 27.5, 26, [(27, c("332D60")), (22.6, c("40396F")), (18, c("4D4680"))])
        stars(pen, 44, 22, c("F0E2B4"), area=(30, 2, 24, 46), clear_of=(27.5, 26, 15))
    with pen.clipped(rect(-1, -1, 28.5, 52)):
        halo(pen, 27.5, 26, [(21, c("E2A04E")), (18.4, c("F1C570"))])
        rays(pen, 27.5, 26, 20.4, 27.5, 32, 1.7, c("C2622F"))
    _ribbons(pen)
    _face(pen)
    for side in (False, True):
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            tint, vein = ("59507E", "B4A8CC") if side else ("6B6A34", "EAD9A0")
            spray(pen, [(24, 2.6), (16, 3.4), (9, 7), (4.6, 13.4)], 4.4, 7, c(tint), c(vein), 0.6)
    pen.fill(circle(27.5, 2.8, 1.3), c("B8432F"))


def _face(pen: Pen) -> None:
    right = smooth(
        [
            (27.5, 40.2),
            (31.6, 40.6),
            (36.4, 39.6),
            (40.4, 36),
            (42, 30.4),
            (41.6, 24.4),
            (39.4, 18.8),
            (36, 14),
            (32, 10.6),
            (29.6, 9.6),
            (27.5, 9.3),
        ]
    )
    outline = Path(right.steps).line(27.5, 39.6).close()
    gold, night = c("F3E2BC"), c("221C44")
    pen.fill(outline.mirrored(27.5), gold)
    pen.fill(outline, night)
    for moon in (False, True):
        with pen.at(0, 0) if moon else pen.mirrored(27.5):
            _features(pen, moon)
    pen.stroke(outline, c("C9963F"), 0.7)
    pen.stroke(outline.mirrored(27.5), c("8A4A2A"), 0.7)
    crest = star(27.5, 37.0, 2.6, 1.0, 8)
    pen.fill(circle(27.5, 37.0, 3.0), c("B8432F"))
    pen.fill(crest, c("F6D27A"))


def _features(pen: Pen, moon: bool) -> None:
    """One half of the face, drawn on the right and mirrored for the left."""
    ink = c("C9B8E0") if moon else c("8A4A2A")
    eye = svg_path("M30.4 27.4 C32 30.8 36.4 31.6 39.6 28.9 C37.6 26.0 33 25.2 30.4 27.4 Z")
    pen.fill(eye, c("E2A04E") if moon else c("3A1E3F"))
    lid = ribbon([(29.6, 28.2), (32.4, 31.8), (36.6, 32.4), (40.6, 30.2)], [0.2, 0.7, 0.6, 0])
    pen.solid(lid, ink)
    pen.solid(ribbon([(30.0, 32.6), (32.6, 35.6), (37, 36), (40.2, 33.4)], [0.1, 0.5, 0.4, 0]), ink)
    pen.solid(
        ribbon(
            [(28.9, 31.6), (29.2, 27), (29.4, 23.4), (30.6, 21.2), (29.4, 20.1), (27.5, 19.7)],
            [0, 0.5, 0.5, 0.6, 0.4, 0.3],
        ),
        ink,
    )
    pen.fill(
        svg_path("M27.5 17 C28.2 17.7 29.2 17.5 32.6 16.2 C30.8 14.2 29 13.5 27.5 13.5 Z"),
        c("A8323A"),
    )
    pen.solid(ribbon([(27.5, 15.9), (29.6, 16.1), (32.6, 16.2)], [0.3, 0.26, 0]), c("4A1626"))
    if moon:
        crescent(pen, 37.4, 22.6, 1.7, c("F0E2B4"))
        for x, y, size in ((40.6, 26.2, 0.9), (34.6, 19.6, 0.8), (37.4, 18.6, 0.5), (33, 23, 0.5)):
            pen.solid(star(x, y, size, size * 0.24), c("F0E2B4"))
    else:
        pen.fill(circle(36.6, 22.3, 1.5), c("D9763F"))
        rays(pen, 36.6, 22.3, 1.9, 3.3, 12, 0.5, c("D9763F"))


def _ribbons(pen: Pen) -> None:
    for side, colour, edge in ((False, "B8432F", "F1C08A"), (True, "8A3A5C", "E0A8C0")):
        with pen.at(0, 0) if side else pen.mirrored(27.5):
            pen.fill(
                ribbon(
                    [(41, 31), (46, 34.4), (49, 31), (46.4, 26.4), (49.6, 21.6), (54.6, 22.8), (57, 18)],
                    [1.6, 2.6, 2.4, 1.4, 2.4, 2.8, 2.0],
                ),
                c(colour),
            )
            pen.solid(ribbon([(43, 32.4), (46.4, 34.6), (48.6, 31.4), (46.8, 27)], [0, 0.5, 0.4, 0]), c(edge))
            pen.solid(ribbon([(47.4, 24), (50, 21.4), (54, 22.6), (56, 20)], [0, 0.4, 0.5, 0]), c(edge))
            pen.fill(
                ribbon(
                    [(41, 30), (44, 27.4), (44.4, 22.4), (48.4, 18), (46.8, 13.6), (49.4, 10)],
                    [1.4, 2.0, 2.2, 1.4, 2.2, 0],
                ),
                c(colour),
            )
            pen.solid(ribbon([(43.6, 27.4), (44.6, 22.6), (47.8, 18.4)], [0, 0.4, 0]), c(edge))
