"""Pictures of the weaving dice, cut as in lino, about the origin within a circle of 20 mm.

A die that nobody drew, of a table's own file, gets a rosette that follows from its name.
"""

from __future__ import annotations

import hashlib

from loomtable.printkit.draw.art import art_named, art_names
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import circle, lens, on_circle
from loomtable.printkit.draw.pen import Pen


def draw_emblem(pen: Pen, key: str, deep: Colour, light: Colour) -> None:
    """The picture of the die of this key."""
    if key in art_names("weaving-dice"):
        art_named("weaving-dice", key).draw(pen, {"deep": deep, "light": light})
    else:
        _rosette(pen, key, deep, light)


def _rosette(pen: Pen, key: str, deep: Colour, light: Colour) -> None:
    chance = hashlib.sha256(key.encode()).digest()
    petals, folds = 5 + chance[0] % 6, 2 + chance[1] % 3
    for ring in range(folds):
        radius = 17 - ring * 5
        for at in range(petals):
            angle = at * 360 / petals + ring * 180 / petals
            wide = 3.4 + chance[2 + ring] % 3
            petal = lens(*on_circle(0, 0, radius * 0.55, angle), radius * 0.85, wide, angle)
            pen.fill(petal, deep, even_odd=True)
    pen.solid(circle(0, 0, 1.6), deep if pen.style is Style.LOW_INK else light)
