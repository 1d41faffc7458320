"""The pips of our poker deck: hearts, diamonds, spades and clubs, each a piece of basket weave in a dark edge.

The silhouettes are the familiar ones; in colour the four suits also differ in their inks.
"""

from __future__ import annotations

from collections.abc import Mapping

from loomtable.engine.kernel.poker import CardSuit
from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import Path, lens, svg_path
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
_REACH = 10.5
_MESH = 2.5


def draw_pip(pen: Pen, suit: CardSuit, x: float, y: float, size: float, *, turned: bool = False) -> None:
    """Draw a suit's pip, ``size`` mm high, about (x, y), or upside down; kept once in a file for each size."""
    with pen.at(x, y, turn=180 if turned else 0, scale=size / 20):
        pen.place(
            f"pip-{suit}-{size:g}",
            (-_REACH, -_REACH, 2 * _REACH, 2 * _REACH),
            lambda inner: _draw(inner, suit, size),
        )


def _draw(pen: Pen, suit: CardSuit, size: float) -> None:
    deep, light = PIP_COLOURS[suit]
    shape = _SHAPES[suit]
    low = pen.style is Style.LOW_INK
    if size < _LEAST_WOVEN:
        pen.solid(shape, deep)
        return
    share, x, y = _INNER[suit]
    inner = _BODIES[suit].scaled(share).shifted(x, y)
    if low:
        pen.fill_background(shape)
        pen.stroke(shape, INK, 0.25 * 20 / size)
    else:
        pen.solid(shape, deep)
    with pen.clipped(inner):
        for path in _basket():
            if low:
                pen.solid(path, INK)
            else:
                pen.fill_background(path, light)


def _basket() -> list[Path]:
    """Basket weave: pairs of splints, lying and standing by turns."""
    paths = []
    for row in range(-4, 5):
        for column in range(-4, 5):
            x, y = column * _MESH, row * _MESH
            for away in (-0.58, 0.58):
                if (row + column) % 2:
                    paths.append(lens(x + away, y, 2.5, 0.62, 90))
                else:
                    paths.append(lens(x, y + away, 2.5, 0.62))
    return paths


_INNER: Mapping[CardSuit, tuple[float, float, float]] = {
    CardSuit.HEARTS: (0.8, 0.0, 0.3),
    CardSuit.DIAMONDS: (0.76, 0.0, 0.0),
    CardSuit.SPADES: (0.78, 0.0, 0.1),
    CardSuit.CLUBS: (0.8, 0.0, 0.6),
}
"""How much smaller the woven part is than the body, and where its middle lies."""


_FOOT = svg_path("M0.9 -4.6 C1.1 -7.4 2.2 -9.0 4.0 -9.9 L-4.0 -9.9 C-2.2 -9.0 -1.1 -7.4 -0.9 -4.6 Z")
_BODIES: Mapping[CardSuit, Path] = {
    CardSuit.HEARTS: svg_path(
        "M0 -9.6 C-2.4 -6.2 -9.6 -2.2 -9.6 4.0 C-9.6 7.4 -7.2 9.6 -4.6 9.6 C-2.4 9.6 -0.7 8.2 0 6.2 "
        "C0.7 8.2 2.4 9.6 4.6 9.6 C7.2 9.6 9.6 7.4 9.6 4.0 C9.6 -2.2 2.4 -6.2 0 -9.6 Z"
    ),
    CardSuit.DIAMONDS: svg_path(
        "M0 10 C1.6 6.2 4.6 2.6 7.8 0 C4.6 -2.6 1.6 -6.2 0 -10 C-1.6 -6.2 -4.6 -2.6 -7.8 0 "
        "C-4.6 2.6 -1.6 6.2 0 10 Z"
    ),
    CardSuit.SPADES: svg_path(
        "M0 10 C2.2 6.6 9.4 3.4 9.4 -2.4 C9.4 -5.4 7.2 -7.0 5.0 -7.0 C3.0 -7.0 1.4 -6.0 0 -3.8 "
        "C-1.4 -6.0 -3.0 -7.0 -5.0 -7.0 C-7.2 -7.0 -9.4 -5.4 -9.4 -2.4 C-9.4 3.4 -2.2 6.6 0 10 Z"
    ),
    CardSuit.CLUBS: svg_path(
        "M-1.7 0.8 C-3.6 2.0 -4.4 3.6 -4.4 5.4 C-4.4 8.0 -2.4 10 0 10 C2.4 10 4.4 8.0 4.4 5.4 "
        "C4.4 3.6 3.6 2.0 1.7 0.8 C3.0 1.7 4.2 1.9 5.2 1.9 C7.8 1.9 9.8 -0.1 9.8 -2.5 "
        "C9.8 -5.0 7.8 -7.0 5.2 -7.0 C2.8 -7.0 0.9 -5.3 0 -2.8 C-0.9 -5.3 -2.8 -7.0 -5.2 -7.0 "
        "C-7.8 -7.0 -9.8 -5.0 -9.8 -2.5 C-9.8 -0.1 -7.8 1.9 -5.2 1.9 C-4.2 1.9 -3.0 1.7 -1.7 0.8 Z"
    ),
}
_SHAPES: Mapping[CardSuit, Path] = {
    **_BODIES,
    CardSuit.SPADES: _BODIES[CardSuit.SPADES] + _FOOT,
    CardSuit.CLUBS: _BODIES[CardSuit.CLUBS] + _FOOT,
}
