"""What court figures wear on their heads and hold in their hands; where it stands, ``courts_parts`` says."""

from __future__ import annotations

from collections.abc import Mapping

from loomtable.printkit.draw.courts_parts import LINE, Dye, Part, cut_in, shape, strands
from loomtable.printkit.draw.palette import CREAM, Colour, Style
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
    smooth,
    star,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen


def pointed_crown(pen: Pen, dye: Dye) -> None:
    """A king's: five points with pearls."""
    points = [(-4.9, 18.0), (-5.9, 23.0), (-3.6, 20.7), (-2.6, 24.0), (-1.2, 21.1), (0, 24.8)]
    path = polygon(*points, *[(-x, y) for x, y in points[-2::-1]])
    shape(pen, path, dye.gold, dye)
    for x, y in ((-5.9, 23.2), (-2.6, 24.2), (0, 25.0), (2.6, 24.2), (5.9, 23.2)):
        shape(pen, circle(x, y, 0.6), CREAM, dye, 0.18)
    _band(pen, dye, dye.deep)


def arched_crown(pen: Pen, dye: Dye) -> None:
    """A king's: two hoops over a cap."""
    cap = svg_path("M-4.7 18.4 C-6.4 23.6 -1.6 23.6 0 22.6 C1.6 23.6 6.4 23.6 4.7 18.4 Z")
    shape(pen, cap, dye.deep, dye)
    for side in (-1, 1):
        hoop = [(side * 4.7, 18.4), (side * 5.2, 21.2), (side * 3.0, 23.2), (0, 22.6)]
        pen.fill(ribbon(hoop, [1.0, 1.2, 1.0]), dye.gold)
        pen.stroke(ribbon(hoop, [1.0, 1.2, 1.0]), dye.dark, 0.18)
    shape(pen, star(0, 24.0, 1.5, 0.65, 4), dye.gold, dye, 0.2)
    _band(pen, dye, dye.gold)


def leaf_crown(pen: Pen, dye: Dye) -> None:
    """Leaves that stand up all round."""
    for x, lean, high in ((-4.4, 22, 4.6), (4.4, -22, 4.6), (-2.3, 10, 5.4), (2.3, -10, 5.4), (0, 0, 6.0)):
        leaf = lens(x - lean * 0.03, 18.4 + high / 2, high, 2.2, 90 + lean)
        shape(pen, leaf, dye.gold, dye)
        pen.solid(lens(x - lean * 0.03, 18.2 + high / 2, high * 0.7, 0.3, 90 + lean), dye.dark)
    _band(pen, dye, dye.deep)


def walled_crown(pen: Pen, dye: Dye) -> None:
    """Battlements."""
    path = Path().move(-5.0, 18.0).line(-5.6, 23.4)
    for x in (-3.4, -1.1, 1.2, 3.5):
        path.line(x - 0.1, 23.4).line(x - 0.1, 21.6).line(x + (0.0 if x > 3 else 1.0) + 0.1, 21.6)
        path.line(x + (0.0 if x > 3 else 1.0) + 0.1, 23.4)
    shape(pen, path.line(5.6, 23.4).line(5.0, 18.0).close(), dye.gold, dye)
    for x in (-2.6, 0, 2.6):
        pen.solid(rect(x - 0.35, 19.7, 0.7, 1.3), dye.dark)
    _band(pen, dye, dye.deep)


def diadem(pen: Pen, dye: Dye) -> None:
    """A queen's: one tall leaf and two low ones, set with a stone."""
    for x, lean, high in ((-2.9, 24, 3.4), (2.9, -24, 3.4), (0, 0, 5.2)):
        shape(pen, lens(x - lean * 0.03, 18.6 + high / 2, high, 2.6, 90 + lean), dye.gold, dye)
    shape(pen, circle(0, 20.4, 0.75), dye.deep, dye, 0.2)
    _band(pen, dye, dye.gold)


def veil(pen: Pen, dye: Dye) -> None:
    """Cloth from a circlet down both sides."""
    for side in (-1, 1):
        fall = blob(
            (0, 21.0), (side * 4.4, 20.0), (side * 6.3, 16.0), (side * 7.0, 10.0), (side * 9.0, 5.0),
            (side * 6.6, 4.6), (side * 4.4, 9.0), (side * 4.3, 15.0), (side * 2.8, 18.4),
        )  # fmt: skip
        shape(pen, fall, CREAM, dye)
        strands(pen, [[(side * 5.2, 17.0), (side * 5.8, 11.0), (side * 7.2, 6.4)]], dye.deep, 0.4)
    shape(pen, star(0, 21.0, 1.9, 0.8, 6), dye.gold, dye, 0.2)
    _band(pen, dye, dye.gold)


def high_comb(pen: Pen, dye: Dye) -> None:
    """A fan of teeth, as weavers beat the weft with."""
    fan = svg_path("M-3.4 18.8 L-5.2 23.2 C-3.0 25.6 3.0 25.6 5.2 23.2 L3.4 18.8 Z")
    shape(pen, fan, dye.gold, dye)
    for at in range(-3, 4):
        pen.stroke(polyline((at * 0.95, 19.3), (at * 1.35, 23.4)), dye.dark, 0.22)
    pen.stroke(smooth([(-4.7, 22.6), (0, 24.2), (4.7, 22.6)]), dye.dark, 0.22)
    _band(pen, dye, dye.deep)


def wreath(pen: Pen, dye: Dye) -> None:
    """Flowers and leaves."""
    for at, angle in enumerate(range(20, 161, 20)):
        x, y = on_circle(0, 14.6, 5.6, angle)
        if at % 2:
            shape(pen, star(x, y, 1.7, 1.0, 6), dye.deep, dye, 0.2)
            pen.fill_background(circle(x, y, 0.5), dye.gold)
        else:
            shape(pen, lens(x, y, 3.0, 1.3, angle + 70), dye.light, dye, 0.2)


def feathered_cap(pen: Pen, dye: Dye) -> None:
    """A flat cap with a feather."""
    pen.fill(ribbon([(2.6, 20.2), (5.6, 23.4), (8.8, 23.6), (10.4, 20.6)], [0.6, 2.0, 2.3, 0.2]), CREAM)
    pen.stroke(ribbon([(2.6, 20.2), (5.6, 23.4), (8.8, 23.6), (10.4, 20.6)], [0.6, 2.0, 2.3, 0.2]), dye.dark, LINE)
    pen.solid(ribbon([(2.8, 20.3), (5.6, 23.4), (8.8, 23.5), (10.0, 21.2)], [0.2, 0.4, 0.1]), dye.deep)
    cap = blob((-6.0, 18.2), (-5.0, 20.8), (0, 21.9), (5.0, 20.8), (6.0, 18.2), (0, 17.4))
    shape(pen, cap, dye.deep, dye)
    shape(pen, circle(3.2, 19.7, 0.9), dye.gold, dye, 0.2)


def hood(pen: Pen, dye: Dye) -> None:
    """A pointed hood."""
    path = blob(
        (-5.6, 11.4), (-5.8, 16.0), (-4.0, 20.2), (0.8, 23.0), (5.0, 24.6), (4.4, 20.6), (5.8, 16.0),
        (5.6, 11.4), (3.9, 12.4), (4.0, 16.4), (0, 19.2), (-4.0, 16.4), (-3.9, 12.4),
    )  # fmt: skip
    shape(pen, path, dye.deep, dye)
    strands(
        pen,
        [[(-4.9, 13.0), (-4.8, 16.4), (-2.6, 19.8)], [(4.9, 13.0), (4.9, 16.4), (3.4, 20.6)]],
        cut_in(pen, dye, dye.light),
    )


def beret(pen: Pen, dye: Dye) -> None:
    """A wide soft cap that hangs to one side."""
    cap = blob((-4.6, 18.0), (-8.2, 19.6), (-7.0, 22.4), (-1.0, 22.8), (4.2, 21.2), (5.0, 18.4), (0, 17.6))
    shape(pen, cap, dye.deep, dye)
    strands(
        pen,
        [[(-5.6, 21.4), (-2.0, 21.6), (2.0, 20.4)], [(-6.6, 20.0), (-3.0, 20.2), (1.6, 19.2)]],
        cut_in(pen, dye, dye.light),
    )
    _band(pen, dye, dye.gold)


def brimmed_hat(pen: Pen, dye: Dye) -> None:
    """A round hat with a brim turned up, and a quill."""
    pen.solid(
        ribbon([(-3.6, 19.0), (-6.4, 22.4), (-7.4, 25.2)], [0.5, 1.5, 0.1]),
        dye.gold if pen.style is not Style.LOW_INK else dye.dark,
    )
    shape(pen, svg_path("M-3.6 19.0 C-3.6 24.4 3.6 24.4 3.6 19.0 Z"), dye.deep, dye)
    brim = blob(
        (-7.0, 19.8), (-4.0, 18.2), (0, 17.6), (4.0, 18.2), (7.0, 19.8), (4.0, 19.9), (0, 19.4), (-4.0, 19.9)
    )
    shape(pen, brim, dye.light, dye)


def _band(pen: Pen, dye: Dye, colour: Colour) -> None:
    band = blob((-4.9, 18.9), (0, 17.9), (4.9, 18.9), (4.7, 17.3), (0, 16.4), (-4.7, 17.3))
    shape(pen, band, colour, dye)
    for x in (-3.0, 0.0, 3.0):
        pen.solid(
            lens(x, 17.3 + abs(x) * 0.12, 0.9, 0.55, 90),
            dye.dark if colour == dye.gold else cut_in(pen, dye, dye.gold),
        )


# What they hold, about the hand, which is the origin


def lamp(pen: Pen, dye: Dye) -> None:
    """Hearts: a lamp with a flame."""
    pen.stroke(polyline((0, -4.0), (0, 2.0)), dye.dark, 0.9)
    shape(pen, polygon((-2.2, 2.0), (2.2, 2.0), (1.4, 4.2), (-1.4, 4.2)), dye.gold, dye, 0.22)
    flame = svg_path("M0 9.6 C0.4 7.6 2.1 7.0 1.8 5.4 C1.6 4.2 -1.6 4.2 -1.8 5.4 C-2.0 7.0 -0.4 7.4 0 9.6 Z")
    shape(pen, flame, dye.light, dye, 0.22)
    pen.solid(lens(0, 5.9, 1.9, 0.7, 90), dye.deep)


def mirror(pen: Pen, dye: Dye) -> None:
    """Diamonds: a mirror with rays."""
    pen.stroke(polyline((0, -4.0), (0, 2.6)), dye.dark, 0.9)
    shape(pen, star(0, 6.0, 4.0, 3.0, 12), dye.gold, dye, 0.22)
    shape(pen, ellipse(0, 6.0, 2.3, 2.3), CREAM, dye, 0.22)
    for away in (-0.6, 0.5):
        pen.solid(lens(away, 6.0 + away, 2.4, 0.35, 45), dye.deep)


def shears(pen: Pen, dye: Dye) -> None:
    """Spades: a weaver's shears."""
    for side in (-1, 1):
        shape(
            pen,
            ribbon([(side * 1.5, 2.2), (side * 1.1, 6.0), (side * 0.15, 10.0)], [1.0, 1.5, 0]),
            dye.light,
            dye,
            0.22,
        )
        pen.fill(
            ribbon([(side * 1.5, 2.4), (side * 1.9, -0.8), (side * 0.7, -3.4), (0, -3.8)], [0.9, 0.9, 0.9, 0.9]),
            dye.gold,
        )
        pen.stroke(
            ribbon([(side * 1.5, 2.4), (side * 1.9, -0.8), (side * 0.7, -3.4), (0, -3.8)], [0.9, 0.9, 0.9, 0.9]),
            dye.dark,
            0.2,
        )


def distaff(pen: Pen, dye: Dye) -> None:
    """Clubs: a distaff with its wool, and a leaf."""
    pen.stroke(polyline((0, -4.2), (0, 9.4)), dye.dark, 0.8)
    wool = blob((0, 9.8), (2.1, 8.0), (2.5, 5.4), (1.4, 2.8), (0, 2.0), (-1.4, 2.8), (-2.5, 5.4), (-2.1, 8.0))
    shape(pen, wool, CREAM, dye, 0.22)
    for y in (3.6, 5.0, 6.4, 7.8):
        pen.solid(lens(0, y, 3.4, 0.5, 16), dye.deep)
    shape(pen, lens(1.6, 0.6, 2.8, 1.3, 38), dye.light, dye, 0.2)


HEADGEAR: Mapping[str, Part] = {
    "pointed": pointed_crown, "arched": arched_crown, "leaves": leaf_crown, "walled": walled_crown,
    "diadem": diadem, "veil": veil, "comb": high_comb, "wreath": wreath,
    "feather": feathered_cap, "hood": hood, "beret": beret, "brim": brimmed_hat,
}  # fmt: skip
HELD: Mapping[str, Part] = {"lamp": lamp, "mirror": mirror, "shears": shears, "distaff": distaff}
