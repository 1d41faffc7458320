"""Card backs: a woven ground without a border, and a medallion.

There is no frame near the trim, so a back that lands a millimetre or two beside its front looks no worse; turned
half round it is the same, so nobody can tell which way up a card lies.
"""

from __future__ import annotations

from collections.abc import Callable

from printkit.draw.palette import CREAM, Colour
from printkit.draw.path import arc, circle, ellipse, lens, on_circle, ribbon, star
from printkit.draw.pen import Pen
from printkit.draw.suits import draw_weave
from printkit.draw.weaving import Band, Lattice, draw_lattice
from printkit.sheet.papers import BLEED, CardSize

_STORY_DEEP, _STORY_PALE = Colour.hex("24405A"), Colour.hex("C9D6D6")
_STORY_WARM, _STORY_LIGHT = Colour.hex("A8712F"), Colour.hex("F3E2BC")
_CHALLENGE_DEEP, _CHALLENGE_PALE = Colour.hex("6E2A32"), Colour.hex("EBC9B4")
_CHALLENGE_WARM, _CHALLENGE_LIGHT = Colour.hex("9A6A2E"), Colour.hex("F6E7C4")


def draw_story_back(pen: Pen, size: CardSize) -> None:
    """Draw the back of every Story card: two moons about a star on blue and gold weaving. Origin as for fronts."""
    _stamped(pen, "story-back", size, _story)


def draw_challenge_back(pen: Pen, size: CardSize) -> None:
    """Draw the back of every Challenge card: a knot on red and green weaving. Origin as for fronts."""
    _stamped(pen, "challenge-back", size, _challenge)


def _stamped(pen: Pen, name: str, size: CardSize, draw: Callable[[Pen, CardSize], None]) -> None:
    box = (-BLEED, -BLEED, size.width + 2 * BLEED, size.height + 2 * BLEED)
    pen.stamp(name, box, lambda inner: draw(inner, size))


def _story(pen: Pen, size: CardSize) -> None:
    rising = Band(4.3, _STORY_PALE, _STORY_DEEP, _STORY_DEEP.towards(_STORY_PALE, 0.35))
    falling = Band(4.3, _STORY_LIGHT, _STORY_WARM, _STORY_WARM.towards(_STORY_LIGHT, 0.3))
    lattice = Lattice(size.width, size.height, 7, 10)
    draw_lattice(pen, lattice, BLEED, rising, falling)
    for _, _, (x, y) in lattice.pairs(BLEED, 0.5):
        pen.carve(star(x, y, 1.15, 0.42, 4), _STORY_DEEP)
    x, y = size.width / 2, size.height / 2
    _medallion(pen, x, y, _STORY_DEEP, _STORY_WARM)
    for turn in (0, 180):
        with pen.at(x, y, turn=turn):
            moon = ribbon([on_circle(0, 0, 9.3, angle) for angle in range(104, 257, 19)], [0, 1.6, 2.9, 1.6, 0])
            pen.fill(moon, _STORY_DEEP)
            pen.carve(ribbon([on_circle(0, 0, 9.6, angle) for angle in range(130, 231, 20)], [0, 0.45, 0]), CREAM)
            for angle, reach in ((90, 11.4), (60, 10.6), (120, 10.6)):
                pen.carve(star(*on_circle(0, 0, reach, angle), 0.9, 0.3), _STORY_WARM)
    pen.fill(star(x, y, 7.2, 2.4, 8, 90), _STORY_WARM)
    pen.fill(star(x, y, 5.0, 1.8, 8, 112.5), _STORY_DEEP)
    pen.fill(circle(x, y, 1.7), CREAM)
    pen.carve(circle(x, y, 0.8), _STORY_WARM)


def _challenge(pen: Pen, size: CardSize) -> None:
    rising = Band(4.3, _CHALLENGE_PALE, _CHALLENGE_DEEP, _CHALLENGE_DEEP.towards(_CHALLENGE_PALE, 0.35))
    falling = Band(4.3, _CHALLENGE_LIGHT, _CHALLENGE_WARM, _CHALLENGE_WARM.towards(_CHALLENGE_LIGHT, 0.3))
    lattice = Lattice(size.width, size.height, 7, 10)
    draw_lattice(pen, lattice, BLEED, rising, falling)
    for _, _, (x, y) in lattice.pairs(BLEED, 0.5):
        pen.carve(ellipse(x, y, 0.75, 0.95), _CHALLENGE_DEEP)
    x, y = size.width / 2, size.height / 2
    _medallion(pen, x, y, _CHALLENGE_DEEP, _CHALLENGE_WARM)
    draw_weave(pen, x, y, 17, _CHALLENGE_DEEP, CREAM)


def _medallion(pen: Pen, x: float, y: float, deep: Colour, warm: Colour) -> None:
    """A round plate with a twisted rim, in the middle of a back."""
    pen.fill(circle(x, y, 16.6), deep)
    pen.plate(circle(x, y, 16.0), CREAM)
    for at in range(40):
        pen.carve(lens(*on_circle(x, y, 14.7, at * 9), 1.9, 0.6, at * 9 + 50), deep if at % 2 else warm)
    pen.stroke(arc(x, y, 13.4, 0, 360), deep, 0.3)
    pen.stroke(arc(x, y, 15.6, 0, 360), warm, 0.2)
