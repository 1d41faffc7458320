"""The four elements of Woven: a light symbol cut into a dark plate, told apart by both their shapes.

Air is three gusts on a round plate, Fire a flame on a jagged one, Earth a cut stone on a square one, Water three
waves on a wavy one. All are known again whichever way up a card lies. A thread is a small cross stitch.
"""

from __future__ import annotations

from collections.abc import Mapping

from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen

ELEMENT_COLOURS: Mapping[str, tuple[Colour, Colour]] = {
    "air": (Colour.hex("5A4B8C"), Colour.hex("D9D0EC")),
    "fire": (Colour.hex("A3301C"), Colour.hex("F6C877")),
    "earth": (Colour.hex("45602C"), Colour.hex("D5DCA4")),
    "water": (Colour.hex("1D5878"), Colour.hex("AEDBE0")),
}
"""Each element's deep colour and its light one."""
THREAD_COLOUR = Colour.hex("7A4A21")
_LEAST_OUTLINED = 6.0
"""Smaller symbols (mm) are printed solid even in the low-ink style."""


def draw_element(pen: Pen, element: str, x: float, y: float, size: float) -> None:
    """Draw an element's symbol, ``size`` mm across, about (x, y); kept once in a file, and once for small ones."""
    deep, light = ELEMENT_COLOURS[element]
    inks = {"deep": deep, "light": light, "rim": light.towards(deep, 0.45)}
    art, large = art_named("elements", element), size >= _LEAST_OUTLINED
    with pen.at(x, y, scale=size / 20):
        name = f"element-{element}{'' if large else '-small'}"
        pen.place(name, art.box, lambda inner: art.draw(inner, inks, outlined=large))


def draw_thread(pen: Pen, x: float, y: float, size: float, colour: Colour = THREAD_COLOUR) -> None:
    """A thread as patterns show it: a cross stitch ``size`` mm wide about (x, y), one strand over the other.

    A file keeps it once for each colour.
    """
    thread = art_named("elements", "thread")
    with pen.at(x, y, scale=size / 10):
        name = f"thread-{round(colour.red * 255):02x}{round(colour.green * 255):02x}{round(colour.blue * 255):02x}"
        pen.place(name, thread.box, lambda inner: thread.draw(inner, {"deep": colour}))


def draw_thread_box(pen: Pen) -> None:
    """The empty box that takes a thread: 12.6 mm wide about the origin, stitched all round, kept once."""
    box = art_named("elements", "thread-box")
    pen.place("thread-box", box.box, box.draw)
