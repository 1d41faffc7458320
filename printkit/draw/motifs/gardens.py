"""Places to drink and to rest: the well, the walled garden."""

from __future__ import annotations

import math
from random import Random

from loomtable.printkit.draw.motifs.registry import WIDTH, motif
from loomtable.printkit.draw.motifs.scenery import (
    bough,
    c,
    cloud,
    crescent,
    cypress,
    furrows,
    grass,
    halo,
    height_at,
    hill,
    leaf,
    sky,
    stars,
)
from loomtable.printkit.draw.palette import steps
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


@motif("well", deep="1F3A44", accent="B9772E")
def well(pen: Pen) -> None:
    """A roofed well at dusk; what shines in it is not only the moon."""
    sky(pen, steps(c("234654"), c("9CC0A4"), 8), bottom=12)
    halo(pen, 27.5, 23, [(22, c("4C7F80")), (18.4, c("6C9C8E")), (14.6, c("94BB9C")), (10.6, c("C6D9AC"))])
    stars(pen, 33, 22, c("F3EBC4"), area=(1, 30, 53, 19), clear_of=(44, 42, 5.4))
    crescent(pen, 47.6, 42, 3.2, c("F6EDC8"))
    far = hill(pen, [15, 18, 15, 12.4, 12, 13, 17, 19, 16], c("3B6A6A"))
    furrows(pen, far, c("7FA898"), 2, 1.5, 3, 0.22)
    for x, tall in ((2, 12), (5.6, 15.4), (9, 11), (48, 11), (51.4, 15), (54.6, 12)):
        cypress(pen, x, height_at(far, x) - 3, tall, c("1F3F44"), c("5F8C84"))
    near = hill(pen, [9, 8, 7, 6.4, 6.4, 7, 8, 9.6], c("234C48"))
    furrows(pen, near, c("6FA088"), 6, 1.35, 21, 0.28)
    _well_house(pen)
    for x, tall, lean in (
        (1, 6, 0.3),
        (6, 4.6, 0.4),
        (12, 3.6, -0.3),
        (43, 3.6, 0.3),
        (49, 4.8, -0.4),
        (54, 6.4, -0.3),
    ):
        grass(pen, x, -0.6, tall, c("12292C"), lean, 6)


def _well_house(pen: Pen) -> None:
    wood, light, roof = c("3A2A26"), c("C99A68"), c("7A3B2C")
    _shaft(pen)
    for side in (1, -1):
        x = 27.5 + side * 10.4
        pen.fill(rect(x - 0.9, 13.4, 1.8, 20), wood)
        pen.solid(lens(x - 0.3, 24, 13, 0.32, 90), light)
        pen.fill(ribbon([(x, 27), (x - side * 2.4, 30), (x - side * 4.6, 33)], [1.0, 0.9, 0.9]), wood)
    pen.fill(rounded(15, 25.2, 26.6, 1.7, 0.8), wood)
    pen.solid(lens(28, 26.3, 20, 0.28), light)
    pen.stroke(polyline((41.4, 26), (43.6, 26), (43.6, 22.8), (45.6, 22.8)), wood, 0.8)
    for at in range(5):
        pen.fill(rounded(25.0 + at * 1.0, 24.9, 0.8, 2.3, 0.35), c("D9B678"))
    pen.stroke(polyline((27.6, 25), (27.6, 21.6)), c("D9B678"), 0.42)
    bucket = polygon((25, 20), (30.2, 20), (29.5, 15.8), (25.7, 15.8))
    pen.stroke(Path().move(25.2, 20).curve(25.4, 22.6, 29.8, 22.6, 30, 20), wood, 0.4)
    pen.fill(bucket, wood)
    pen.solid(lens(27.6, 19.1, 4.6, 0.3), light)
    pen.solid(lens(27.6, 17.0, 3.6, 0.26), light)
    shape = svg_path(
        "M27.5 43.8 C23 39.4 18 35.4 11.4 32.6 L12.4 30.6 L42.6 30.6 L43.6 32.6 C37 35.4 32 39.4 27.5 43.8 Z"
    )
    pen.fill(shape, roof)
    with pen.clipped(shape):
        for row in range(7):
            for at in range(18):
                x, y = 10 + at * 2.1 + (row % 2) * 1.05, 32.0 + row * 1.8
                pen.solid(
                    ribbon([(x - 1, y + 0.9), (x - 0.5, y), (x + 0.5, y), (x + 1, y + 0.9)], [0.1, 0.3, 0.3, 0.1]),
                    c("C9805C"),
                )
    pen.fill(ribbon([(27.5, 44.4), (22.6, 39.7), (17.6, 35.9), (10.2, 32.6)], [1.0, 1.1, 0.9]), wood)
    pen.fill(ribbon([(27.5, 44.4), (32.4, 39.7), (37.4, 35.9), (44.8, 32.6)], [1.0, 1.1, 0.9]), wood)
    pen.fill(circle(27.5, 44.8, 0.9), wood)


def _shaft(pen: Pen) -> None:
    """The stone ring, light rising out of it."""
    dark, stone = c("24333A"), c("A9AFA0")
    pen.fill(polygon((18, 13.4), (37, 13.4), (34, 29), (21, 29)), c("DCE8B8"), tone=True)
    pen.fill(polygon((20.6, 13.4), (34.4, 13.4), (31.4, 31), (23.6, 31)), c("EFF2CB"), tone=True)
    pen.fill(ellipse(27.5, 13.6, 12.6, 3.0), dark)
    pen.fill(ellipse(27.5, 13.4, 10.6, 2.1), c("F9F3C4"))
    drum = svg_path("M14.9 13.6 C14.9 9.4 40.1 9.4 40.1 13.6 L38.9 3.6 C38.9 0.4 16.1 0.4 16.1 3.6 Z")
    pen.fill(drum, dark)
    with pen.clipped(drum):
        dice = Random(12)
        for row in range(4):
            y = 9.0 - row * 2.75
            for at in range(-5, 6):
                x = 27.5 + 12.6 * math.sin((at + (row % 2) * 0.5) * 0.31)
                width = max(0.9, 3.5 * math.cos((at + (row % 2) * 0.5) * 0.31) - 0.5)
                sag = -1.2 * math.cos((x - 27.5) / 12.6 * 1.5) + 0.5
                tint = stone.towards(c("4E6064"), min(1.0, abs(x - 24) / 14 + 0.18 * dice.random()))
                pen.fill(rounded(x - width / 2, y + sag, width, 2.3, 0.6), tint)
                if dice.random() > 0.4:
                    pen.solid(lens(x - width * 0.1, y + sag + 1.7, width * 0.6, 0.24), c("EDEBD2"))
    rim = svg_path("M14.3 13.8 C14.3 9.2 40.7 9.2 40.7 13.8 L40.4 12.2 C40 7.8 15 7.8 14.6 12.2 Z")
    pen.fill(rim, c("C9CBB4"))
    for at in range(-4, 5):
        x = 27.5 + at * 2.9
        y = 10.3 + abs(at) ** 2 * 0.1
        pen.stroke(polyline((x, y - 1.5), (x + at * 0.04, y - 0.05)), dark, 0.26)
    for x, y, radius in (
        (24, 26, 0.4),
        (30.6, 29, 0.5),
        (33.2, 22, 0.36),
        (22.6, 20.4, 0.34),
        (32, 17, 0.3),
        (22, 30, 0.3),
    ):
        pen.solid(star(x, y, radius * 2.4, radius * 0.6), c("FFFBE0"))


@motif("walled-garden", deep="2F4B3A", accent="B8503C")
def walled_garden(pen: Pen) -> None:
    """Through the arch in an old wall, a path, a fountain and a fruiting tree."""
    sky(pen, steps(c("9CC4BC"), c("F6E8C4"), 6), bottom=24)
    cloud(pen, 10, 42, 16, c("FBF5E2"), c("A9C0B0"))
    cloud(pen, 46, 43.6, 14, c("FBF5E2"), c("A9C0B0"), flip=True)
    halo(pen, 27.5, 33, [(17, c("F3E6B4")), (14, c("F3D998")), (11, c("F6CE80"))])
    for x, tall in ((3, 19), (7.4, 23), (12, 17), (43, 17), (47.6, 23), (52, 19)):
        cypress(pen, x, 22, tall, c("3C6B54"), c("8FB68C"))
    for x, y, radius in ((19, 36, 4.6), (36, 36.4, 4.4)):
        _round_tree(pen, x, y, radius)
    _wall(pen)
    _garden_through_arch(pen)
    _climbing_roses(pen)
    lawn = hill(pen, [6.4, 5.6, 4.4, 3.4, 3.4, 4.4, 5.6, 6.4], c("2F4B3A"))
    furrows(pen, lawn, c("7FA878"), 2, 1.5, 5, 0.28)
    pen.fill(
        svg_path("M20 -1 C21 2 22.6 3.6 23 5.6 L32 5.6 C32.4 3.6 34 2 35 -1 Z"),
        c("E7CFA0"),
    )
    for x, y, length in ((27.5, 0.8, 8), (26, 2.4, 5), (29.4, 3.6, 4)):
        pen.solid(lens(x, y, length, 0.3), c("A8845A"))


def _round_tree(pen: Pen, x: float, y: float, radius: float) -> None:
    for dx, dy, share in ((-0.6, -0.2, 0.7), (0.6, -0.25, 0.7), (0, 0.3, 0.85)):
        pen.fill(circle(x + dx * radius, y + dy * radius, radius * share), c("55865F"))
    dice = Random(int(x))
    for _ in range(16):
        px, py = on_circle(x, y, radius * 1.05 * math.sqrt(dice.random()), dice.random() * 360)
        pen.solid(lens(px, py, 1.1, 0.3, 30 + dice.random() * 90), c("A8C98E"))
    for _ in range(5):
        px, py = on_circle(x, y, radius * 0.85 * math.sqrt(dice.random()), dice.random() * 360)
        pen.solid(circle(px, py, 0.5), c("D9602F"))


def _wall(pen: Pen) -> None:
    dice = Random(9)
    pen.fill(rect(-1, -1, 57, 28), c("8A5F4C"))
    for row in range(13):
        y, x = 3 + row * 1.95, -2.0 - (row % 2) * 1.6
        while x < WIDTH + 2:
            width = 2.8 + dice.random() * 1.4
            shade = c("C98F6A").towards(c("A86E54"), dice.random())
            pen.fill(rounded(x, y, width - 0.32, 1.62, 0.25), shade)
            x += width
    pen.fill(rect(-1, 27.4, 57, 2.1), c("E3CDA6"))
    for at in range(12):
        pen.stroke(polyline((at * 5 + 1.5, 27.4), (at * 5 + 1.5, 29.5)), c("7A5644"), 0.22)
    pen.fill(rect(-1, 26.6, 57, 0.9), c("6E4A3E"), tone=True)
    for x in (12.6, 42.4):
        pen.fill(circle(x, 31.6, 2.0), c("E3CDA6"))
        pen.fill(rect(x - 1.2, 29.2, 2.4, 0.9), c("C9AC84"))
        pen.solid(lens(x - 0.7, 32.3, 1.9, 0.4, 50), c("A88A66"))


def _garden_through_arch(pen: Pen) -> None:
    def arch(grow: float) -> Path:
        return round_arch(27.5, 3, 8.9 + grow, 18, 8.6 + grow)

    pen.fill(arch(2.6), c("E3CDA6"))
    for at in range(13):
        angle = at * 15
        inner, outer = on_circle(27.5, 17.8, 8.8, angle), on_circle(27.5, 17.8, 11.5, angle)
        pen.stroke(polyline(inner, outer), c("7A5644"), 0.26)
    for y in (6.0, 9.0, 12.0, 15.0):
        for x in (16, 36.4):
            pen.stroke(polyline((x, y), (x + 2.6, y)), c("7A5644"), 0.26)
    pen.fill(arch(0.3), c("5A3E34"))
    with pen.clipped(arch(-0.3)):
        for level, colour in ((30, "FBEFC4"), (22, "F9F3D4"), (18, "F3F0CC")):
            pen.fill(rect(15, 2, 26, level - 2), c(colour), tone=True)
        pen.fill(
            blob((16, 13.4), (21, 15.4), (27, 14), (33, 15.6), (39, 13.4), (39, 2), (16, 2)),
            c("A9C48A"),
        )
        pen.fill(
            svg_path("M21.6 2 C24 7 26.6 9 26.9 12 L28.3 12 C28.6 9 31 7 33.4 2 Z"),
            c("F3E3BA"),
        )
        for side in (1, -1):
            for at, size in enumerate((2.5, 1.9, 1.4)):
                x, y = 27.5 + side * (7.4 - at * 2.0), 6.4 + at * 2.7
                pen.fill(circle(x, y, size), c("4F8060"))
                pen.solid(lens(x - 0.3, y + size * 0.4, size, 0.24, 30), c("A8C98E"))
                pen.solid(lens(x + 0.2, y - size * 0.1, size * 0.8, 0.2, 30), c("A8C98E"))
        pen.fill(rect(27.0, 11.4, 1.0, 5), c("6E4A34"))
        _round_tree(pen, 27.5, 18.4, 3.2)


def _climbing_roses(pen: Pen) -> None:
    dice = Random(23)
    for side in (False, True):
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            for stem in (
                [(4, 3), (6.4, 10), (3.4, 17), (7, 23.4), (12, 27.6), (17.4, 28)],
                [(12.6, 3), (10.6, 9), (13.4, 15), (11, 20.4), (12.8, 24.6)],
            ):
                bough(pen, stem, [0.7, 0.5, 0.2], c("26402F"))
                for at in range(len(stem) - 1):
                    (ax, ay), (bx, by) = stem[at], stem[at + 1]
                    for share in (0.15, 0.45, 0.75):
                        x, y = ax + (bx - ax) * share, ay + (by - ay) * share
                        for _ in range(2):
                            pen.fill(
                                leaf(x, y, 2.0 + dice.random() * 0.9, dice.random() * 360, 0.4),
                                c("3C6B4A") if dice.random() > 0.4 else c("5F8F5C"),
                            )
                for at in range(1, len(stem)):
                    x, y = stem[at]
                    for petal in range(5):
                        pen.fill(circle(*on_circle(x, y, 0.75, 90 + petal * 72), 0.72), c("D9564A"))
                    pen.fill(circle(x, y, 0.62), c("F6D9A4"))
