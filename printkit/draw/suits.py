"""The symbols of the Weave: four suits, the weave and the strike. Each has a silhouette of its own.

Every symbol is drawn into a square of the given size about (x, y): ``colour`` for the body, ``light`` for the
marks cut into it. They are told apart by shape alone: flames rise to points, brooks lie in three waves, gales wind
into one round spiral, stones are piled; the weave is a knot and the strike a bolt.
"""

from __future__ import annotations

from collections.abc import Mapping

from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen

SUIT_COLOURS: Mapping[str, tuple[Colour, Colour]] = {
    "flames": (Colour.hex("A8321F"), Colour.hex("F3B65C")),
    "brooks": (Colour.hex("1F5673"), Colour.hex("9CCBD2")),
    "gales": (Colour.hex("5B4A86"), Colour.hex("C9BCE3")),
    "stones": (Colour.hex("4F5636"), Colour.hex("C6C492")),
}
"""Each suit's deep colour and its light one."""

_LEAST_OUTLINED = 12.0
"""Smaller symbols (mm) are printed solid even in the low-ink style."""


def draw_suit(pen: Pen, symbol: str, x: float, y: float, size: float, colour: Colour, light: Colour) -> None:
    """Draw a suit, ``weave`` or ``strike``, ``size`` mm high, about (x, y)."""
    with pen.at(x, y, scale=size / 20):
        art_named("suits", symbol).draw(pen, {"deep": colour, "light": light}, outlined=size >= _LEAST_OUTLINED)


def draw_suit_sign(pen: Pen, suit: str, x: float, y: float, size: float) -> None:
    """A suit's symbol in its own colours."""
    deep, light = SUIT_COLOURS[suit]
    large = size >= _LEAST_OUTLINED

    def draw(inner: Pen) -> None:
        with inner.at(0, 0, scale=1 if large else 2):
            draw_suit(inner, suit, 0, 0, 20 if large else 10, deep, light)

    with pen.at(x, y, scale=size / 20):
        pen.place(f"sign-{suit}{'-large' if large else ''}", (-10.5, -10.5, 21, 21), draw)
