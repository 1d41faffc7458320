"""Small things that decide: the key, the hourglass."""

from __future__ import annotations

from loomtable.printkit.draw.motifs.registry import WIDTH, motif
from loomtable.printkit.draw.motifs.scenery import (
    EDGE,
    beams,
    c,
    crescent,
    cypress,
    furrows,
    halo,
    hill,
    leaf,
    rays,
    sky,
    spray,
    stars,
)
from loomtable.printkit.draw.palette import steps
from loomtable.printkit.draw.path import (
    Path,
    blob,
    circle,
    lens,
    on_circle,
    polygon,
    rect,
    ribbon,
    rounded,
    smooth,
    star,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen


@motif("key", deep="3B2447", accent="B07A24")
def key(pen: Pen) -> None:
    """An ornate key before a keyhole that opens on a lit garden."""
    pen.fill(rect(-EDGE, -EDGE, WIDTH + 2, 52), c("3B2447"))
    _door_pattern(pen)
    _keyhole(pen)
    _ornate_key(pen)


def _door_pattern(pen: Pen) -> None:
    line = c("6A4A78")
    for side in (False, True):
        for root, lift in (((2, -1), 0.0), ((1, 24), 0.0)):
            x, y = root
            vine = [
                (x, y),
                (x + 6, y + 5 + lift),
                (x + 8.4, y + 11),
                (x + 5, y + 15.6),
                (x + 1.6, y + 13.2),
                (x + 3.4, y + 10.6),
            ]
            path = ribbon(vine, [0.7, 0.8, 0.6, 0.2])
            pen.fill(path.mirrored(27.5) if side else path, line)
            for lx, ly, size, turn in (
                (x + 6, y + 5, 4.4, 0),
                (x + 8, y + 9.6, 4, 62),
                (x + 2.8, y + 2.6, 3.6, 96),
                (x + 7, y + 14, 3.6, 70),
                (x + 3.4, y + 15.4, 3.2, 140),
                (x + 8.4, y + 11, 3.6, -14),
            ):
                shape = leaf(lx, ly, size, turn)
                vein = lens(*on_circle(lx, ly, size * 0.5, turn), size * 0.6, 0.14, turn)
                pen.fill(shape.mirrored(27.5) if side else shape, line)
                pen.solid(vein.mirrored(27.5) if side else vein, c("A98AB0"))


def _keyhole(pen: Pen) -> None:
    def hole(grow: float) -> Path:
        path = Path().move(18.6 - grow, -2).curve(20.4 - grow, 8, 21.6 - grow, 13, 21.8 - grow * 0.7, 17.6)
        path.curve(16.6 - grow, 20, 13.4 - grow, 25.4, 13.4 - grow, 31).curve(
            13.4 - grow, 39, 19.7 - grow * 0.6, 45.2 + grow, 27.5, 45.2 + grow
        )
        path.curve(35.3 + grow * 0.6, 45.2 + grow, 41.6 + grow, 39, 41.6 + grow, 31).curve(
            41.6 + grow, 25.4, 38.4 + grow, 20, 33.2 + grow * 0.7, 17.6
        )
        return path.curve(33.4 + grow, 13, 34.6 + grow, 8, 36.4 + grow, -2).close()

    pen.fill(hole(3.4), c("23132E"))
    pen.fill(hole(2.5), c("B88A3E"))
    pen.fill(hole(1.4), c("5A3A24"))
    pen.fill(hole(0.9), c("E9C978"))
    with pen.clipped(hole(0)):
        sky(pen, steps(c("F3C98A"), c("FDF1CF"), 6), top=46, bottom=14)
        halo(pen, 27.5, 30, [(12.6, c("FBE4AC")), (9.6, c("FCEFC8")), (6.8, c("F6B65C"))])
        rays(pen, 27.5, 30, 7.4, 13.4, 28, 0.9, c("EFA64E"))
        far = hill(pen, [15, 15, 16, 17, 16, 15, 17, 16, 15], c("A8B583"))
        furrows(pen, far, c("DDE0B4"), 2, 1.3, 2, 0.2)
        hill(pen, [13, 12, 13, 12.4, 11.4, 12, 13, 12, 12], c("6F8F6A"))
        pen.fill(
            svg_path("M22.6 -1 C24 5 30 7 27.4 12.2 L28.2 12.2 C32.4 7.4 30.6 4 33.4 -1 Z"),
            c("F6E7BE"),
        )
        for x, tall in ((17, 9), (20, 12), (35.6, 12), (38.6, 9)):
            cypress(pen, x, 11.4, tall, c("2F5A4C"), c("8FB08A"))
        hill(pen, [4, 4, 5, 7, 5.4, 2, -1, 2, 5.4, 7, 5, 4], c("3F6B52"))


def _ornate_key(pen: Pen) -> None:
    gold, dark, light = c("C9962F"), c("4A2A1C"), c("FBE9B0")
    with pen.at(29.6, 25, turn=-38):
        for grow, colour in ((0.5, dark), (0.0, gold)):
            shank = rect(-1.0 - grow, -17.6 - grow, 2.0 + 2 * grow, 25 + 2 * grow)
            pen.fill(shank, colour)
            for y, half, tall in ((6.4, 2.3, 1.3), (3.6, 1.7, 0.9), (-13.4, 1.7, 0.9)):
                pen.fill(rounded(-half - grow, y - grow, 2 * (half + grow), tall + 2 * grow, 0.5), colour)
            bit = polygon(
                (0.6, -17.4 - grow),
                (7.2 + grow, -17.4 - grow),
                (7.2 + grow, -14.6 + grow),
                (5.4, -14.6 + grow),
                (5.4, -13.2 - grow),
                (7.2 + grow, -13.2 - grow),
                (7.2 + grow, -9.8 + grow),
                (0.6, -9.8 + grow),
            )
            pen.fill(bit, colour)
            for dx, dy in ((-3.3, 11.4), (3.3, 11.4), (0, 16.4)):
                pen.fill(circle(dx, dy, 3.7 + grow) + circle(dx, dy, 2.1 - grow), colour, even_odd=True)
            pen.fill(circle(0, 12.9, 1.6 + grow), colour)
        pen.solid(rect(3.4, -16.0, 1.0, 2.2), dark)
        pen.solid(rect(3.0, -12.2, 2.4, 0.9), dark)
        pen.solid(lens(-0.35, -4, 18, 0.42, 90), light)
        pen.solid(lens(3.6, -10.4, 4.6, 0.24), light)
        for dx, dy in ((-3.3, 11.4), (3.3, 11.4), (0, 16.4)):
            pen.solid(
                ribbon(
                    [on_circle(dx, dy, 2.9, 190), on_circle(dx, dy, 2.95, 140), on_circle(dx, dy, 2.9, 80)],
                    [0, 0.42, 0],
                ),
                light,
            )
        pen.solid(circle(0, 12.9, 0.9), c("A8323A"))
        pen.solid(lens(-0.25, 13.2, 0.8, 0.2, 40), light)


@motif("hourglass", deep="2B2F4E", accent="B5782C")
def hourglass(pen: Pen) -> None:
    """An hourglass with day in its upper bulb and night in its lower one."""
    x = 27.5
    pen.fill(rect(-EDGE, -EDGE, WIDTH + 2, 52), c("E9D3A6"), tone=True)
    beams(pen, x, 25, 46, 28, c("F1E0BC"), start=3, end=363)
    halo(pen, x, 25, [(22.6, c("C98E58")), (21.8, c("EBCB92")), (19.8, c("D9A468")), (19.4, c("F3DDB0"))])
    for at in range(24):
        tip = on_circle(x, 25, 20.8, at * 15)
        pen.solid(star(*tip, 0.75, 0.3, 4, at * 15) if at % 2 else circle(*tip, 0.3), c("8A4F34"))
    upper = smooth(
        [
            (17.4, 42),
            (17.2, 37),
            (19.4, 32),
            (24, 28),
            (26.7, 25),
            (28.3, 25),
            (31, 28),
            (35.6, 32),
            (37.8, 37),
            (37.6, 42),
        ]
    )
    upper.line(17.4, 42).close()
    lower = upper.mapped(lambda px, py: (px, 50 - py))
    _day_bulb(pen, upper)
    _night_bulb(pen, lower)
    for bulb in (upper, lower):
        pen.stroke(bulb, c("2B2F4E"), 0.55)
    for path in ([(18.9, 40), (18.8, 36.6), (20.6, 33)], [(18.9, 10.4), (18.9, 13.4), (20.4, 16.6)]):
        pen.solid(ribbon(path, [0, 0.6, 0]), c("FFFFFF"))
    _stand(pen)
    for side in (False, True):
        vine = [(3.4, 3), (5.8, 9), (4.4, 15), (7, 20)]
        with pen.mirrored(27.5) if side else pen.at(0, 0):
            spray(pen, vine, 4.0, 6, c("5F7050"), c("D9DDB4"))
            spray(pen, [(3.2, 47), (5.6, 42), (4.6, 36), (6.8, 31.6)], 3.6, 5, c("5F7050"), c("D9DDB4"))


def _day_bulb(pen: Pen, bulb: Path) -> None:
    with pen.clipped(bulb):
        for level, colour in ((52, "9CC3C4"), (39, "BBD3C4"), (36, "E3DFBF")):
            pen.fill(rect(10, 20, 36, level - 20), c(colour), tone=True)
        halo(pen, 30.8, 38, [(4.2, c("F6E3A8")), (2.5, c("E9A23C"))])
        rays(pen, 30.8, 38, 3.0, 5.6, 16, 0.6, c("E9A23C"))
        pen.fill(
            blob(
                (14, 33),
                (19, 35.4),
                (23, 34.2),
                (27.5, 31.4),
                (32, 33.8),
                (36, 34.6),
                (42, 33),
                (42, 20),
                (14, 20),
            ),
            c("D98E3C"),
        )
        for y, width in ((32.6, 9), (31.0, 7), (29.4, 5), (27.8, 3)):
            pen.solid(lens(27.5, y - 0.9, width, 0.26), c("F9DC9A"))
        cypress(pen, 20.4, 34.6, 4.2, c("4B6B4C"))
        cypress(pen, 22.4, 34.2, 3.2, c("4B6B4C"))


def _night_bulb(pen: Pen, bulb: Path) -> None:
    with pen.clipped(bulb):
        for level, colour in ((28, "1E2544"), (19, "2B3560"), (14.6, "414C7C")):
            pen.fill(rect(10, 4, 36, level - 4), c(colour), tone=level < 28)
        stars(pen, 8, 12, c("F3E4B0"), area=(19, 12, 17, 9), clear_of=(23.2, 15.6, 3))
        crescent(pen, 23.4, 15.4, 2.0, c("F3E4B0"))
        pen.fill(
            blob(
                (12, 8.4), (19, 9.2), (24, 11.4), (27.5, 14.8), (31, 11.4), (36, 9.2), (43, 8.4), (43, 2), (12, 2)
            ),
            c("D98E3C"),
        )
        for x, y, turn, length in (
            (24.6, 10.6, 38, 4),
            (30.4, 10.6, -38, 4),
            (22, 9.0, 16, 4),
            (33, 9.0, -16, 4),
            (27.5, 9.4, 0, 4),
        ):
            pen.solid(lens(x, y, length, 0.28, turn), c("F9DC9A"))
    pen.fill(ribbon([(27.5, 27), (27.5, 22), (27.5, 14.4)], [0.55, 0.4, 0.55]), c("E9B55C"))


def _stand(pen: Pen) -> None:
    wood, light = c("4A2B2C"), c("D49A66")
    for side in (False, True):
        post = blob(
            (13.2, 6),
            (13.6, 10),
            (12.5, 14),
            (13.4, 18),
            (12.6, 22),
            (13.8, 25),
            (12.6, 28),
            (13.4, 32),
            (12.5, 36),
            (13.6, 40),
            (13.2, 44),
            (15.4, 44),
            (15, 40),
            (16.1, 36),
            (15.2, 32),
            (16, 28),
            (14.8, 25),
            (16, 22),
            (15.2, 18),
            (16.1, 14),
            (15, 10),
            (15.4, 6),
        )
        pen.fill(post.mirrored(27.5) if side else post, wood)
        for y in (14.0, 22.0, 28.0, 36.0):
            mark = lens(13.7, y, 3, 0.34, 90)
            pen.solid(mark.mirrored(27.5).shifted(-0.9, 0) if side else mark, light)
    for y, half in ((42.0, 16.4), (5.4, 16.4)):
        pen.fill(rounded(27.5 - half, y, 2 * half, 2.6, 1.2), wood)
        pen.solid(lens(27.5, y + 1.8, 2 * half - 5, 0.36), light)
    for y in (44.4, 3.2):
        pen.fill(rounded(14, y, 27, 2.4, 1.1), wood)
        pen.solid(lens(27.5, y + 1.6, 21, 0.3), light)
