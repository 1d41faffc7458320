"""On the water and under it: the ferry, the anchor."""

from __future__ import annotations

import math

from loomtable.printkit.draw.motifs.registry import WIDTH, motif
from loomtable.printkit.draw.motifs.scenery import (
    EDGE,
    below,
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
    pine,
    sky,
    water,
)
from loomtable.printkit.draw.palette import Colour, steps
from loomtable.printkit.draw.path import (
    Path,
    Point,
    blob,
    circle,
    lens,
    on_circle,
    polygon,
    polyline,
    rect,
    ribbon,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen


@motif("ferry", deep="2C2A44", accent="C2572E")
def ferry(pen: Pen) -> None:
    """A ferryman poles his long boat across a still river, into a setting sun."""
    x, horizon = 33.0, 22.0
    sky(pen, steps(c("6E4A63"), c("F0BE78"), 7), bottom=horizon)
    halo(pen, x, 25.5, [(19, c("DD8A5C")), (15.4, c("E9A062")), (12, c("F4BE6C")), (8.6, c("FBE3A0"))])
    cloud(pen, 11, 38, 20, c("8A5A68"), c("F2C48C"))
    cloud(pen, 46, 42, 15, c("8A5A68"), c("F2C48C"), flip=True)
    for bx, by, span, tilt in ((27.6, 36.4, 3.4, 8), (23.4, 34.6, 2.6, 4), (31.4, 38.4, 2.4, 12)):
        bird(pen, bx, by, span, c("3A2F4A"), tilt)
    far = hill(pen, [26, 28.5, 27, 24, 22.6, 22.4, 23.4, 26.4, 28], c("8A5A68"))
    furrows(pen, far, c("C08676"), 2, 1.4, 2, 0.2)
    near = hill(pen, [24, 24.6, 24.2, 22.4, 21, 21, 21, 22.4, 24.4], c("5B4058"))
    for tx, tall in ((1, 5), (3.4, 6.6), (6, 5), (9, 4), (50, 4.6), (52.4, 6.2), (54.6, 5)):
        pine(pen, tx, height_at(near, tx) - 0.6, tall, c("47334E"))
    water(pen, horizon, 0, steps(c("C9826A"), c("3A3454"), 7), c("F0C38C"), 9, gap=1.7)
    glitter(pen, x, horizon, 3, 12, c("FBE0A0"), 4)
    _boat(pen)
    _reeds(pen)


def _boat(pen: Pen) -> None:
    dark, light = c("1E1B30"), c("C9826A")
    pen.fill(lens(27, 8.4, 40, 2.6), c("2A2540"), tone=True)
    hull = svg_path(
        "M7.2 15.6 C8 11.4 12 8.4 20 8.1 L32 8.1 C41 8.3 46 11.2 48.4 17.4 C49.2 19 47.8 19.6 47 18.2 "
        "C45 14.4 41 12.4 34 12.0 L20 12 C14 12.1 10.4 13.2 7.2 15.6"
    )
    pen.fill(hull.close(), dark)
    pen.solid(ribbon([(10, 13.0), (18, 10.9), (30, 10.8), (40, 11.7), (46, 15.4)], [0, 0.35, 0.35, 0]), light)
    pen.solid(ribbon([(14, 10.6), (22, 9.5), (32, 9.5), (38, 10.1)], [0, 0.25, 0]), light)
    robe = blob(
        (17.2, 11.4),
        (17, 15),
        (17.9, 19.4),
        (19.2, 22.2),
        (20.6, 23.4),
        (22.2, 22.6),
        (23.2, 20),
        (24.2, 15.6),
        (25.2, 11.4),
    )
    pen.fill(robe, dark)
    hood = blob((18.4, 22.2), (18.2, 24.4), (19.4, 26.6), (21.4, 27), (23, 25.6), (23.1, 23.6), (22.2, 22.2))
    pen.fill(hood, dark)
    pen.fill(blob((21.4, 25.8), (22.9, 24.8), (22.6, 23.2), (21.4, 23.2)), c("C9826A"))
    for points in (
        [(18.4, 20), (18.2, 16), (18.6, 12.4)],
        [(20.2, 21), (20.4, 16.4), (20.6, 12.4)],
        [(22.2, 20), (22.8, 16), (23.4, 12.4)],
    ):
        pen.solid(ribbon(points, [0, 0.34, 0]), light)
    pen.fill(polygon((14.4, 32.6), (15, 32.6), (19.4, 3.8), (18.8, 3.8)), dark)
    pen.fill(ribbon([(21.6, 21.6), (19.4, 20.4), (17, 19.4)], [2.2, 1.6, 1.0]), dark)
    pen.fill(ribbon([(21, 19.8), (20, 17.2), (17.6, 16)], [1.8, 1.4, 0.9]), dark)
    pen.stroke(polyline((40.6, 12.4), (40.6, 19.4)), dark, 0.35)
    pen.fill(circle(40.6, 17.6, 2.1), c("E9A062"), tone=True)
    pen.fill(polygon((39.6, 19.2), (41.6, 19.2), (41.3, 16.2), (39.9, 16.2)), c("FBE3A0"))
    pen.fill(polygon((39.2, 19.1), (42, 19.1), (40.6, 20.6)), dark)
    pen.fill(lens(19.2, 4.0, 5, 0.34), c("FBE0A0"))


def _reeds(pen: Pen) -> None:
    dark = c("17152A")
    for x, tall, lean in (
        (1.5, 17, 1.5),
        (4, 13, -1),
        (6.2, 9.6, 1.4),
        (52.8, 15, -1.6),
        (50.4, 10.4, 1.0),
        (54.6, 18, -0.6),
    ):
        pen.solid(ribbon([(x, -1), (x + lean * 0.3, tall * 0.5), (x + lean, tall)], [0.5, 0.4, 0.2]), dark)
        pen.fill(
            ribbon(
                [(x + lean * 0.86, tall - 1.6), (x + lean * 0.96, tall + 0.6), (x + lean * 1.1, tall + 2.6)],
                [0.9, 1.2, 0.7],
            ),
            c("4A2F38"),
        )
        pen.solid(lens(x + lean * 1.12, tall + 3.6, 2, 0.2, 86), dark)
    for x, tall, lean in ((0, 9, 0.4), (3, 8, 0.3), (7, 5.4, 0.4), (53, 9, -0.3), (49.6, 6, -0.4)):
        grass(pen, x, -1, tall, dark, lean)


@motif("anchor", deep="123F4E", accent="C2703A")
def anchor(pen: Pen) -> None:
    """An anchor, its rope adrift, among fish and weed on the floor of the sea."""
    pen.fill(rect(-EDGE, -EDGE, WIDTH + 2 * EDGE, 52), c("8CC3B8"), tone=True)
    for level, colour in zip((46, 41.5, 36, 29.5, 22, 14), steps(c("5FA9A8"), c("14485C"), 6), strict=True):
        crest = [(x, level + 0.9 * math.sin(x / 4.2 + level)) for x in range(-2, 62, 3)]
        pen.fill(below(crest), colour, tone=True)
    for left, right in ((4, 9), (14, 17), (24, 32), (38, 41), (46, 53)):
        middle, spread = (left + right) / 2 - 27.5, (right - left) / 2
        shaft = polygon(
            (27.5 + middle * 0.5 - spread * 0.4, 51),
            (27.5 + middle * 0.5 + spread * 0.4, 51),
            (27.5 + middle * 1.45 + spread, -1),
            (27.5 + middle * 1.45 - spread, -1),
        )
        with pen.clipped(shaft):
            for level, colour in zip(
                (51, 40, 28, 16), (c("A9D6C4"), c("67AFAC"), c("3F8C97"), c("236676")), strict=True
            ):
                pen.fill(rect(-1, -1, 58, level + 1), colour, tone=True)
    for at in range(9):
        pen.solid(
            ribbon([(at * 7 - 3, 47.4), (at * 7 - 1, 48.6), (at * 7 + 1, 47.6), (at * 7 + 3, 48.4)], [0, 0.45, 0]),
            c("F1F0DA"),
        )
    bed = hill(pen, [8.5, 7, 5.4, 4.4, 4.6, 5.6, 7.4, 9.6], c("0E3444"))
    furrows(pen, bed, c("4B93A0"), 4, 1.4, 6, 0.28)
    _anchor_iron(pen, 27.5, 3.4)
    for x, tall, lean, tone in (
        (3, 30, 2, "0F4A4E"),
        (7, 21, -2, "176058"),
        (50, 24, -2, "176058"),
        (53.4, 33, -1.4, "0F4A4E"),
        (46.6, 13, 2, "0F4A4E"),
        (11, 11, 1.4, "0F4A4E"),
    ):
        _kelp(pen, x, 3, tall, lean, c(tone))
    for x, y, size, turn, flip in (
        (11.5, 38.4, 1.0, 8, False),
        (16.6, 34.6, 0.7, 4, False),
        (8.6, 33.6, 0.6, 0, False),
        (43.4, 38.4, 0.9, -6, True),
        (36.4, 22.4, 0.7, 8, True),
    ):
        _fish(pen, x, y, size, turn, flip)
    for x, y, radius in (
        (36.4, 33.4, 0.55),
        (37.6, 35.8, 0.8),
        (36.6, 38.6, 0.45),
        (20.4, 38.4, 0.5),
        (19.6, 41, 0.75),
    ):
        pen.stroke(circle(x, y, radius), c("E4F1E0"), 0.22)


def _anchor_iron(pen: Pen, x: float, y: float) -> None:
    iron, light, rust = c("0B2532"), c("6FB0B4"), c("C2703A")
    shank = polygon((x - 1.0, y + 31), (x + 1.0, y + 31), (x + 1.7, y + 1.4), (x - 1.7, y + 1.4))
    arms = Path().move(x, y - 1.8).curve(x + 7, y - 0.4, x + 12.4, y + 4, x + 14.4, y + 11.8)
    arms.line(x + 16.6, y + 9.6).line(x + 15.8, y + 17.4).line(x + 9.2, y + 13.2).line(x + 12, y + 12.4)
    arms.curve(x + 10, y + 7.4, x + 6, y + 3.6, x, y + 2.9)
    left = Path().move(x, y + 2.9).curve(x - 6, y + 3.6, x - 10, y + 7.4, x - 12, y + 12.4).line(x - 9.2, y + 13.2)
    left.line(x - 15.8, y + 17.4).line(x - 16.6, y + 9.6).line(x - 14.4, y + 11.8).curve(
        x - 12.4, y + 4, x - 7, y - 0.4, x, y - 1.6
    )
    pen.fill(Path(arms.steps + left.steps[1:]).close(), iron)
    pen.fill(shank, iron)
    pen.fill(circle(x, y + 34.2, 3.6) + circle(x, y + 34.2, 2.1), iron, even_odd=True)
    stock = (
        Path()
        .move(x - 9.6, y + 27.6)
        .curve(x - 5, y + 28.8, x + 5, y + 28.8, x + 9.6, y + 27.6)
        .line(x + 9.6, y + 26)
    )
    stock.curve(x + 5, y + 25.8, x - 5, y + 25.8, x - 9.6, y + 26).close()
    pen.fill(stock, iron)
    for side in (1, -1):
        pen.fill(circle(x + side * 9.8, y + 26.8, 1.5), iron)
        pen.solid(
            ribbon(
                [
                    (x + side * 1.6, y - 0.4),
                    (x + side * 7.6, y + 1.9),
                    (x + side * 12, y + 7.0),
                    (x + side * 13.2, y + 11),
                ],
                [0, 0.46, 0],
            ),
            light,
        )
        pen.solid(lens(x + side * 13.6, y + 13.9, 4, 0.4, 90 + side * -44), rust)
    pen.solid(lens(x - 0.3, y + 15, 19, 0.34, 90), light)
    pen.solid(lens(x, y + 27.6, 14, 0.3), rust)
    rope = [
        (x + 1.6, y + 48),
        (x + 5.6, y + 43.6),
        (x + 3.4, y + 39.4),
        (x - 1.8, y + 37.2),
        (x - 2.7, y + 34.2),
        (x + 0.5, y + 32.5),
    ]
    _rope(pen, rope)
    for low in (22.4, 16.4):
        _rope(pen, [(x - 2.4, y + low - 1.4), (x, y + low - 0.2), (x + 2.4, y + low + 1.4)])
    _rope(
        pen,
        [
            (x + 2.2, y + 12.6),
            (x + 5.6, y + 11.4),
            (x + 6.6, y + 8.0),
            (x + 10.4, y + 5.2),
            (x + 13.4, y + 1.4),
            (x + 19, y + 1.2),
            (x + 23.4, y + 2.8),
        ],
    )
    _rope(pen, [(x - 2.4, y + 10.4), (x, y + 11.6), (x + 2.6, y + 12.6)])


def _rope(pen: Pen, points: list[Point]) -> None:
    """A laid rope, its strands marked by slanting cuts."""
    pen.fill(ribbon(points, [1.75, 1.75], 8), c("5A3A24"))
    pen.fill(ribbon(points, [1.3, 1.3], 8), c("D9B072"))
    _twist(pen, points, tuple(range(len(points) - 1)))


def _twist(pen: Pen, rope: list[Point], parts: tuple[int, ...]) -> None:
    for at in parts:
        (ax, ay), (bx, by) = rope[at], rope[at + 1]
        turn = math.degrees(math.atan2(by - ay, bx - ax)) + 40
        for share in (0.2, 0.5, 0.8):
            pen.solid(lens(ax + (bx - ax) * share, ay + (by - ay) * share, 1.2, 0.2, turn), c("7A5330"))


def _kelp(pen: Pen, x: float, y: float, tall: float, lean: float, colour: Colour) -> None:
    stem = [(x + lean * math.sin(at * 1.25), y + tall * at / 6) for at in range(7)]
    pen.fill(ribbon(stem, [0.7, 0.5, 0.2]), colour)
    for at in range(1, 13):
        place = at / 2
        low = min(int(place), 5)
        (ax, ay), (bx, by) = stem[low], stem[low + 1]
        lx, ly = ax + (bx - ax) * (place - low), ay + (by - ay) * (place - low)
        side = 1 if at % 2 else -1
        size = 4.4 - at * 0.16
        pen.fill(leaf(lx, ly, size, 90 - side * 46, 0.24), colour)
        pen.solid(
            lens(*on_circle(lx, ly, size * 0.5, 90 - side * 46), size * 0.6, 0.14, 90 - side * 46), c("6FB08E")
        )


def _fish(pen: Pen, x: float, y: float, size: float, turn: float, flip: bool) -> None:
    with pen.at(x, y, turn=turn + (180 if flip else 0), scale=size):
        body = svg_path("M3.4 0 C2 1.9 -1 1.7 -2.6 0.3 L-4.4 1.7 C-4 0.5 -4 -0.5 -4.4 -1.7")
        pen.fill(body.line(-2.6, -0.3).curve(-1, -1.7, 2, -1.9, 3.4, 0).close(), c("E9B98A"))
        pen.solid(lens(-0.4, 0, 4, 0.3), c("C2703A"))
        for dx in (-0.6, 0.4):
            pen.solid(ribbon([(dx, 1.0), (dx + 0.4, 0), (dx, -1.0)], [0, 0.24, 0]), c("C2703A"))
        pen.solid(circle(2.0, 0.35 if not flip else -0.35, 0.26), c("0B2532"))
