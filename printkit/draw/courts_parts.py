"""The parts of which court figures are made: their inks, hair and beards.

A figure looks out of its half of the card: its waist is the origin, its chin stands at (0, 10.6), the crown of its
head at (0, 19.6); lengths in mm. Hair, beards and headgear come in kinds, so that each court has its own face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import Path, blob, circle, lens, on_circle, ribbon, smooth
from loomtable.printkit.draw.pen import Pen

LINE = 0.28
_GOLD, _SKIN = Colour.hex("D9A441"), Colour.hex("F7E3C8")
BROWN, HOARY = Colour.hex("5A3A22"), Colour.hex("8C8478")
"""The colours of hair."""


@dataclass(frozen=True)
class Dye:
    """The inks of one suit's courts: deep for cloth, light for lining, gold for metal, dark for lines."""

    deep: Colour
    light: Colour
    gold: Colour = _GOLD
    dark: Colour = INK
    skin: Colour = _SKIN
    hair: Colour = BROWN


def shape(pen: Pen, path: Path, colour: Colour, dye: Dye, width: float = LINE) -> None:
    """A part with its contour, as a woodcut has it."""
    pen.fill(path, colour)
    pen.stroke(path, dye.dark, width)


def strands(pen: Pen, lines: list[list[tuple[float, float]]], colour: Colour, width: float = 0.45) -> None:
    """Cuts along hair or folds."""
    for line in lines:
        pen.solid(ribbon(line, [0, width, 0], 3), colour)


def cut_in(pen: Pen, dye: Dye, colour: Colour) -> Colour:
    """Light cuts into a dark part; dark ones where the part is only an outline."""
    return dye.dark if pen.style is Style.LOW_INK else colour


# Hair, behind the head and round it


def short_hair(pen: Pen, dye: Dye) -> None:
    """Cut at the ears."""
    path = smooth([(-4.6, 12.2), (-5.3, 15.4), (-4.4, 18.9), (0, 20.6), (4.4, 18.9), (5.3, 15.4), (4.6, 12.2)])
    shape(pen, Path([*path.steps, ("z", ())]), dye.hair, dye)
    cut = cut_in(pen, dye, dye.gold)
    strands(pen, [[(s * 4.7, 12.9), (s * 4.9, 15.0), (s * 4.3, 17.4)] for s in (-1, 1)], cut)


def long_hair(pen: Pen, dye: Dye) -> None:
    """Loose over both shoulders."""
    for side in (-1, 1):
        fall = blob(
            (0, 20.4), (side * 4.6, 19.0), (side * 5.8, 15.0), (side * 6.0, 10.5), (side * 7.4, 6.6),
            (side * 5.4, 4.4), (side * 3.0, 6.4), (side * 3.2, 11.0), (side * 2.0, 16.0),
        )  # fmt: skip
        shape(pen, fall, dye.hair, dye)
        cut = cut_in(pen, dye, dye.gold)
        for away in (0.0, 1.0):
            x = side * (4.0 + away)
            strands(pen, [[(x, 16.5), (x + side * 0.4, 11.5), (x + side * 0.9, 6.6)]], cut, 0.5)


def braids(pen: Pen, dye: Dye) -> None:
    """Two plaits that hang forward, each woven of three strands."""
    short_hair(pen, dye)
    for side in (-1, 1):
        for at in range(6):
            y = 12.0 - at * 1.75
            x = side * (5.0 + 0.22 * at)
            for lean in (-1, 1):
                shape(
                    pen,
                    lens(x + lean * 0.45, y - 0.4 * (lean > 0), 2.1, 1.15, 90 + lean * 34),
                    dye.hair,
                    dye,
                    0.18,
                )
        shape(pen, lens(side * 6.35, 1.2, 2.4, 1.1, 90), dye.gold, dye, 0.18)


def curls(pen: Pen, dye: Dye) -> None:
    """A bush of ringlets."""
    ring = [on_circle(0, 15.0, 5.6, angle) for angle in range(-38, 219, 26)]
    for x, y in ring:
        shape(pen, circle(x, y - 0.4, 1.75), dye.hair, dye, 0.2)
    for x, y in ring:
        pen.solid(lens(x, y - 0.3, 1.5, 0.42, 40), cut_in(pen, dye, dye.gold))


# Beards


def full_beard(pen: Pen, dye: Dye) -> None:
    """To the breast, in waves."""
    path = blob(
        (-3.7, 14.2), (-4.0, 10.8), (-2.9, 7.4), (0, 4.9), (2.9, 7.4), (4.0, 10.8), (3.7, 14.2), (2.2, 12.7),
        (0, 12.9), (-2.2, 12.7),
    )  # fmt: skip
    shape(pen, path, dye.hair, dye)
    cut = cut_in(pen, dye, dye.gold)
    strands(pen, [[(x, 11.4), (x * 1.05, 9.2), (x * 0.6, 6.8)] for x in (-2.4, -0.9, 0.9, 2.4)], cut)
    pen.solid(lens(0, 12.1, 1.9, 0.5), dye.dark if pen.style is Style.LOW_INK else dye.skin)


def forked_beard(pen: Pen, dye: Dye) -> None:
    """In two points."""
    for side in (-1, 1):
        path = blob(
            (side * 3.7, 14.0), (side * 3.9, 10.6), (side * 2.6, 6.0), (side * 1.2, 8.4), (0, 10.2), (0, 12.8)
        )
        shape(pen, path, dye.hair, dye)
        strands(pen, [[(side * 2.3, 12.0), (side * 2.6, 9.6), (side * 2.4, 7.4)]], cut_in(pen, dye, dye.gold))
    pen.solid(lens(0, 12.1, 1.9, 0.5), dye.dark if pen.style is Style.LOW_INK else dye.skin)


def moustache(pen: Pen, dye: Dye) -> None:
    """Curled at both ends, above a shaven chin."""
    for side in (-1, 1):
        curl = [(side * 0.1, 13.1), (side * 1.6, 12.7), (side * 3.1, 12.9), (side * 3.9, 14.0)]
        pen.solid(ribbon(curl, [0.7, 1.0, 0.7, 0.1]), dye.hair)


def plaited_beard(pen: Pen, dye: Dye) -> None:
    """One plait down the middle."""
    jaw = blob((-3.7, 14.0), (-3.6, 11.4), (-1.4, 9.6), (1.4, 9.6), (3.6, 11.4), (3.7, 14.0), (0, 12.7))
    shape(pen, jaw, dye.hair, dye)
    for at in range(4):
        for lean in (-1, 1):
            shape(pen, lens(lean * 0.5, 9.2 - at * 1.5, 2.0, 1.1, 90 + lean * 32), dye.hair, dye, 0.18)
    pen.solid(lens(0, 12.0, 1.9, 0.5), dye.dark if pen.style is Style.LOW_INK else dye.skin)


Part = Callable[[Pen, Dye], None]
HAIR: Mapping[str, Part] = {"short": short_hair, "long": long_hair, "braids": braids, "curls": curls}
BEARDS: Mapping[str, Part] = {
    "full": full_beard, "forked": forked_beard, "moustache": moustache, "plaited": plaited_beard
}  # fmt: skip
