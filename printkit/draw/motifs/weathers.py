"""Fair weather and foul: the bridge, the storm."""

from __future__ import annotations

from random import Random

from loomtable.printkit.draw.motifs.registry import WIDTH, motif
from loomtable.printkit.draw.motifs.scenery import (
    bird,
    bough,
    c,
    cloud,
    furrows,
    grass,
    halo,
    hill,
    mountain,
    pine,
    sky,
    water,
)
from loomtable.printkit.draw.palette import steps
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
    rounded,
)
from loomtable.printkit.draw.pen import Pen


@motif("bridge", deep="2B4450", accent="B8622F")
def bridge(pen: Pen) -> None:
    """A single stone arch closes to a circle with its own reflection."""
    line = 17.0
    sky(pen, steps(c("E3B98A"), c("F6E6C4"), 6), bottom=line)
    halo(pen, 27.5, 30.5, [(10.5, c("F3CF96")), (7.8, c("F7DFAE")), (5.4, c("E2804A"))])
    mountain(pen, 9, line, 23, 34, c("7E9394"), c("9DAFA8"), c("F8F0DC"))
    mountain(pen, 47, line, 26, 36, c("72888C"), c("94A8A4"), c("F8F0DC"))
    cloud(pen, 42, 28, 16, c("F8EFDA"), c("C9A57C"), flip=True)
    cloud(pen, 12, 25.5, 14, c("F8EFDA"), c("C9A57C"))
    for x, y, span in ((20, 41.6, 3), (23.4, 43.4, 2.4), (33, 40.6, 2.6)):
        bird(pen, x, y, span, c("2B4450"), 4)
    water(pen, line, 0, steps(c("9FB9AE"), c("2F5562"), 6), c("DCE8D4"), 17, gap=1.7)
    _reflection(pen, line)
    _arch(pen, line)
    _banks(pen, line)


def _arch(pen: Pen, line: float) -> None:
    stone, dark, light = c("C7A987"), c("4A4A4E"), c("F1E0C0")
    deck = (
        Path()
        .move(-1, line + 8.2)
        .curve(10, line + 11, 18, line + 17.6, 27.5, line + 17.9)
        .curve(37, line + 17.6, 45, line + 11, 56, line + 8.2)
    )
    deck.line(56, line - 0.2).line(41, line - 0.2).curve(41, line + 7.7, 35, line + 13.6, 27.5, line + 13.6).curve(
        20, line + 13.6, 14, line + 7.7, 14, line - 0.2
    ).line(-1, line - 0.2).close()
    pen.fill(deck, stone)
    with pen.clipped(deck):
        pen.fill(deck, c("7F6A58"), tone=True)
        dice = Random(6)
        for row in range(9):
            x = -2.0 - (row % 2) * 1.9
            while x < WIDTH + 2:
                width = 3.0 + dice.random() * 1.9
                shade = stone.towards(c("AC8C6C"), dice.random())
                pen.fill(rounded(x, line - 0.2 + row * 2.3, width - 0.3, 2.0, 0.35), shade)
                x += width
    for at in range(25):
        start, end = at * 7.2, at * 7.2 + 6.6
        ring = [
            on_circle(27.5, line - 0.1, radius, turn)
            for radius, turn in ((13.7, start), (16.3, start), (16.3, end), (13.7, end))
        ]
        pen.fill(polygon(*ring), light if at % 2 else c("E0C9A4"))
    pen.stroke(
        Path()
        .move(14, line)
        .curve(14, line + 7.6, 20, line + 13.6, 27.5, line + 13.6)
        .curve(35, line + 13.6, 41, line + 7.6, 41, line),
        dark,
        0.45,
    )
    pen.fill(
        ribbon(
            [
                (-1, line + 8.6),
                (10, line + 11.6),
                (18.6, line + 16.6),
                (27.5, line + 18.4),
                (36.4, line + 16.6),
                (45, line + 11.6),
                (56, line + 8.6),
            ],
            [1.1, 1.1],
        ),
        dark,
    )
    pen.solid(
        ribbon(
            [(2, line + 9.8), (11, line + 12.4), (19, line + 17.1), (27.5, line + 18.7), (36, line + 17.1)],
            [0, 0.36, 0],
        ),
        light,
    )
    pen.fill(polygon((26, line + 18.4), (26.2, line + 21), (28.8, line + 21), (29, line + 18.4)), dark)
    pen.fill(polygon((25.6, line + 21), (29.4, line + 21), (27.5, line + 23.4)), dark)
    pen.fill(circle(27.5, line + 19.8, 0.55), c("F6C667"))


def _reflection(pen: Pen, line: float) -> None:
    shade = c("5E7C80")
    ring = (
        Path()
        .move(-1, line)
        .line(-1, line - 6.6)
        .curve(10, line - 9, 18, line - 14.6, 27.5, line - 15)
        .curve(37, line - 14.6, 45, line - 9, 56, line - 6.6)
        .line(56, line)
    )
    ring.line(41, line).curve(41, line - 6.4, 35, line - 11.4, 27.5, line - 11.4).curve(
        20, line - 11.4, 14, line - 6.4, 14, line
    ).close()
    pen.fill(ring, shade, tone=True)
    dice = Random(3)
    for at in range(30):
        x, y = dice.random() * 55, line - 1.4 - dice.random() * 14
        pen.solid(lens(x, y, 3 + dice.random() * 5, 0.3), c("9FB9AE") if at % 3 else c("E8EFD9"))
    for at, length in enumerate((7, 5, 6, 3.6, 4)):
        pen.fill(lens(27.5 + (at % 2) * 0.8, line - 1.4 - at * 1.9, length, 0.7), c("E2804A"))


def _banks(pen: Pen, line: float) -> None:
    dark, light = c("22363E"), c("7FA08C")
    for side in (False, True):

        def place(path: Path, mirror: bool = side) -> Path:
            return path.mirrored(27.5) if mirror else path

        pen.fill(
            place(
                blob(
                    (-3, 10),
                    (-3, line + 7),
                    (3, line + 5.2),
                    (7.6, line + 1.6),
                    (11.4, line - 2.4),
                    (8, line - 5),
                    (4, line - 7),
                    (-1, line - 9),
                )
            ),
            dark,
        )
        for x, y, length, turn in (
            (3, line + 2.8, 3.4, -30),
            (6.4, line - 0.4, 3, -44),
            (2.4, line - 1.6, 3.6, -24),
            (6, line - 3.6, 3, -10),
        ):
            pen.solid(place(lens(x, y, length, 0.34, turn)), light)
    for x, tall in ((2.2, 12.0), (5.6, 8.0)):
        pine(pen, x, line + 3.4, tall, dark, light)
    bough(pen, [(52.4, line + 2), (52.2, line + 7), (50.6, line + 11.6), (51.4, line + 16)], [1.5, 1, 0.4], dark)
    for x, y, size in (
        (50.4, line + 15.4, 3.4),
        (53.2, line + 13.4, 3),
        (49, line + 12.4, 2.4),
        (52.6, line + 17.2, 2.6),
    ):
        pen.fill(ellipse(x, y, size, size * 0.72), c("B8622F"))
        pen.solid(lens(x - 0.4, y + size * 0.3, size * 1.1, 0.3, 14), c("EBB072"))
        pen.solid(lens(x + 0.5, y - size * 0.1, size * 0.8, 0.24, 10), c("EBB072"))
    for x, tall, lean in ((1.0, 5.0, 0.3), (5, 4, 0.4), (54, 5.4, -0.3), (50, 4, -0.4)):
        grass(pen, x, -1, tall, dark, lean, 6)


@motif("storm", deep="262C3E", accent="B88A2C")
def storm(pen: Pen) -> None:
    """Scrolled thunderheads, one fork of lightning, and a bent tree on the heath."""
    sky(pen, steps(c("39435C"), c("B9A98A"), 8), bottom=8)
    _thunderheads(pen)
    dice = Random(31)
    for at in range(58):
        x, y = dice.random() * 62, 9 + dice.random() * 19
        pen.solid(lens(x, y, 2.4 + dice.random() * 2.8, 0.15, 66), c("E9E2CC") if at % 2 else c("4A5670"))
    far = hill(pen, [9, 11, 9.4, 8, 8.4, 10.6, 13, 11], c("4E5468"))
    furrows(pen, far, c("9A9686"), 2, 1.4, 9, 0.22)
    near = hill(pen, [6, 6.6, 8.2, 8.6, 7, 5, 4.2, 5.2, 6], c("1D2233"))
    furrows(pen, near, c("6B7182"), 4, 1.5, 11, 0.28)
    _bent_tree(pen)
    _cottage(pen)


def _lightning(pen: Pen) -> None:
    """One stroke to the heath with three side branches, each segment a little thinner than the one above."""
    main = [
        (35.2, 38),
        (31.0, 30.6),
        (34.2, 28.4),
        (29.6, 23.0),
        (32.0, 21.4),
        (27.4, 15.8),
        (29.2, 14.4),
        (26.6, 8.4),
    ]
    branches = (
        ([(34.2, 28.4), (38.4, 25.4), (37.8, 23.6), (42.0, 20.0), (41.6, 18.6), (44.2, 15.6)], 0.8),
        ([(29.6, 23.0), (25.2, 20.8), (25.6, 19.2), (22.4, 17.0)], 0.7),
        ([(27.4, 15.8), (24.6, 13.6), (24.8, 12.4), (23.2, 10.8)], 0.55),
    )
    for grow, colour in ((1.5, "C9BC9A"), (0.55, "F6CF57"), (0.0, "FFF9DC")):
        shade = grow > 1
        for way, width in ((main, 1.15), *branches):
            stroke = _jagged(way, width + grow)
            if shade:
                pen.fill(stroke, c(colour), tone=True)
            else:
                pen.solid(stroke, c(colour))


def _jagged(way: list[Point], width: float) -> Path:
    """A band along straight segments, ``width`` mm across at its root and sharp at its end."""
    last = len(way) - 1
    left = [(x - width * (1 - at / last) * 0.62, y) for at, (x, y) in enumerate(way)]
    right = [(x + width * (1 - at / last) * 0.62, y) for at, (x, y) in enumerate(way)]
    return polygon(*left, *reversed(right))


def _thunderheads(pen: Pen) -> None:
    """Three banks of cloud, the lightning springing from between them."""
    _bank(pen, 33.4, "66708A", "B9BFC0", [(2, 5.4), (10.4, 6.2), (20.4, 5.6), (30.6, 6.6), (41, 5.6), (50.6, 6.4)])
    _lightning(pen)
    second = [(-2, 5.6), (6.4, 6.4), (17, 6.8), (27, 5.6), (37, 6.8), (48, 6.2), (57, 5.6)]
    _bank(pen, 40.4, "465068", "98A1AC", second)
    _bank(pen, 47.0, "2B3144", "7A8496", [(2.4, 6), (12.4, 6.6), (23.4, 6.8), (33.4, 5.8), (43.4, 6.8), (53.4, 6)])


def _bank(pen: Pen, level: float, colour: str, line: str, rolls: list[Point]) -> None:
    """A row of scrolls, given by their places and radii, that hang from a mass of cloud at ``level``."""
    pen.fill(rect(-1, level + 0.5, 57, 60 - level), c(colour), tone=True)
    for at, (x, radius) in enumerate(rolls):
        pen.fill(circle(x, level, radius), c(colour))
        side = 1 if at % 2 else -1
        curl = [
            on_circle(x, level, radius * (0.80 - turn / 800), -20 * side - 90 + side * turn)
            for turn in range(-60, 541, 50)
        ]
        pen.solid(ribbon(curl, [0, radius * 0.1, radius * 0.1, radius * 0.08, 0], 4), c(line))


def _bent_tree(pen: Pen) -> None:
    bark = c("12151F")
    bough(pen, [(9.4, 6), (10.4, 11), (13.6, 15.4), (19, 17.6)], [2.4, 1.5, 0.9, 0.4], bark)
    for points in (
        [(11, 12), (15.4, 13), (20.6, 12.6), (23.4, 11.4)],
        [(12.6, 14.4), (15, 18.4), (19.6, 20.6), (23, 20.4)],
        [(16, 16.6), (20, 16), (23.6, 16.4)],
        [(10.4, 10.4), (14, 9.8), (17, 8.9)],
        [(15.4, 18.7), (18, 21.8), (20.6, 22.6)],
        [(19, 17.6), (21.6, 18.6), (24.4, 18)],
    ):
        bough(pen, points, [0.9, 0.5, 0], bark)
    dice = Random(5)
    for _ in range(26):
        x, y = 14 + dice.random() * 12, 10 + dice.random() * 13
        pen.solid(lens(x, y, 1.3 + dice.random() * 0.8, 0.42, -20 + dice.random() * 40), c("B88A2C"))
    for dx in (-2, -0.6, 0.8, 2.2):
        bough(pen, [(9.6, 6.8), (9.6 + dx, 5.4), (9.6 + dx * 1.8, 4.4)], [1.1, 0.6, 0], bark)
    pen.solid(ribbon([(9.2, 7), (10, 10.6), (12.4, 14)], [0, 0.34, 0]), c("6B7182"))


def _cottage(pen: Pen) -> None:
    dark = c("12151F")
    pen.fill(rect(43.4, 3.6, 7.6, 5.2), dark)
    pen.fill(
        blob((42.4, 8.2), (44.8, 11.2), (47.4, 12.6), (50, 11.2), (52.2, 8.2), (47.4, 8.9)),
        c("2E3446"),
    )
    pen.fill(rect(49, 10.6, 1.3, 3), dark)
    for x in (44.8, 46.4, 48, 49.6):
        pen.solid(lens(x, 9.9, 2.2, 0.2, 90 + (47.4 - x) * -10), c("8F98A4"))
    pen.fill(rect(44.9, 5.6, 1.5, 1.7), c("F9D65C"))
    pen.fill(rect(48, 5.6, 1.5, 1.7), c("F9D65C"))
    pen.solid(ribbon([(49.6, 13.8), (51.4, 14.4), (53.6, 13.8), (56, 14.4)], [0.3, 0.7, 0]), c("8F98A4"))
