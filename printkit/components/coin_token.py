"""Coin tokens of 25 mm: a head on one side, a shuttle on the other, each in a ring that a camera reads."""

from __future__ import annotations

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.ring_codes import RingMark
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.facecode import SIDE_COLOURS, draw_side
from loomtable.printkit.draw.palette import WHITE, Style
from loomtable.printkit.draw.path import lens, on_circle, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

COIN = CardSize("coin", 25.0, 25.0, 12.5)
RING_RADIUS = 10.0
"""Outer radius of the ring in mm."""
COINS = 6
_BEADS = 60


def draw_coin_side(pen: Pen, face: Face) -> None:
    """One side of a coin, on a square of 25 mm whose lower left corner is the origin."""
    box = (-BLEED, -BLEED, COIN.width + 2 * BLEED, COIN.height + 2 * BLEED)
    pen.place(f"coin-{face}", box, lambda inner: _draw_side(inner, face))


def _draw_side(pen: Pen, face: Face) -> None:
    deep, light = SIDE_COLOURS[face]
    side, middle = COIN.width, COIN.width / 2
    pen.fill_background(rect(-BLEED, -BLEED, side + 2 * BLEED, side + 2 * BLEED), light.towards(WHITE, 0.8))
    draw_side(pen, RingMark(Die.COIN, 1, face), middle, middle, RING_RADIUS)
    if pen.style is Style.LOW_INK:
        return
    for at in range(_BEADS):
        angle = at * 360 / _BEADS
        x, y = on_circle(middle, middle, 11.75, angle)
        pen.fill_background(lens(x, y, 1.0, 0.34, angle + 90 + (35 if at % 2 else -35)), light.towards(deep, 0.12))


def coins(options: RenderOptions) -> list[PrintedCard]:
    """Both sides of each coin."""
    heads, tails = Die.COIN.faces
    return [
        PrintedCard(
            None,
            "Coin token",
            front=lambda pen: draw_coin_side(pen, heads),
            back=lambda pen: draw_coin_side(pen, tails),
            size=COIN,
            copies=COINS,
        )
    ]
