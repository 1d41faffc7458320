"""The pips of our poker deck: hearts, diamonds, spades and clubs, each a piece of basket weave in a dark edge.

The silhouettes are the familiar ones; in colour the four suits also differ in their inks.
"""

from __future__ import annotations

from collections.abc import Mapping

from loomtable.engine.kernel.poker import CardSuit
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen

PIP_COLOURS: Mapping[CardSuit, tuple[Colour, Colour]] = {
    CardSuit.HEARTS: (Colour.hex("9E1F33"), Colour.hex("F3C4B8")),
    CardSuit.DIAMONDS: (Colour.hex("B0541A"), Colour.hex("F6D7A2")),
    CardSuit.SPADES: (Colour.hex("20304F"), Colour.hex("BFCDE3")),
    CardSuit.CLUBS: (Colour.hex("1F4D3D"), Colour.hex("BFDCC4")),
}
"""Each suit's deep colour and its light one."""
_LEAST_WOVEN = 6.5
"""Smaller pips (mm) are solid."""


def draw_pip(pen: Pen, suit: CardSuit, x: float, y: float, size: float, *, turned: bool = False) -> None:
    """Draw a suit's pip, ``size`` mm high, about (x, y), or upside down; kept once in a file."""
    name = suit if size >= _LEAST_WOVEN else f"{suit}-small"
    pip, (deep, light) = art_named("pips", name), PIP_COLOURS[suit]
    with pen.at(x, y, turn=180 if turned else 0, scale=size / 20):
        pen.place(f"pip-{name}", pip.box, lambda inner: pip.draw(inner, {"deep": deep, "light": light}))
