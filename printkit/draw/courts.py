"""The court cards: Jacks, Queens and Kings, each a double-headed figure in the dress of its suit, and two Jokers.

Turned half round, a court is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from loomtable.engine.kernel.poker import CardSuit
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import CREAM, INK, Colour, Style
from loomtable.printkit.draw.path import Path, lens, polygon, polyline, rect, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.pips import PIP_COLOURS, draw_pip

COURT_WIDTH, COURT_HEIGHT = 33.0, 50.0
"""The panel that a court fills, in mm; its middle is the origin."""
_SLOPE = 0.2
"""How steeply the sash between the two halves rises."""
_FACING_LEFT = ("hearts-q", "diamonds-j", "diamonds-k", "spades-q", "clubs-j", "clubs-k")
"""Their pips stand on the other side."""


_GOLD = Colour.hex("D9A441")


@dataclass(frozen=True)
class CourtInks:
    """The inks of one suit's courts: deep for cloth, light for the ground, gold for metal, dark for lines."""

    deep: Colour
    light: Colour
    gold: Colour = _GOLD
    dark: Colour = INK


def draw_court(pen: Pen, suit: CardSuit, rank: str) -> None:
    """Draw the court of a suit (``rank`` is ``J``, ``Q`` or ``K``) about the origin, in its own panel."""
    name = f"{suit}-{rank.lower()}"

    def half(inner: Pen) -> None:
        art_named("courts", name).draw(inner)
        draw_pip(inner, suit, 12.6 if name in _FACING_LEFT else -12.6, 20.6, 5.6)

    _draw_panel(pen, suit, name, half)


def draw_joker(pen: Pen, *, red: bool) -> None:
    """Draw a joker in the courts' panel about the origin: a fool in a belled cap, turned to both ends."""
    suits = (CardSuit.HEARTS, CardSuit.DIAMONDS) if red else (CardSuit.SPADES, CardSuit.CLUBS)
    name = f"joker-{'red' if red else 'black'}"

    def half(inner: Pen) -> None:
        art_named("courts", name).draw(inner)
        for side, suit in ((-1, suits[0]), (1, suits[1])):
            draw_pip(inner, suit, side * 12.8, 21.0, 5.0)

    _draw_panel(pen, suits[0], name, half)


def _draw_panel(pen: Pen, suit: CardSuit, name: str, half: Callable[[Pen], None]) -> None:
    """The ground of a suit, the same half above and, turned round, below, and the sash where they meet."""
    dye = CourtInks(*PIP_COLOURS[suit])
    box = (-COURT_WIDTH / 2, -COURT_HEIGHT / 2, COURT_WIDTH, COURT_HEIGHT)
    pen.place(f"court-ground-{suit}", box, lambda inner: _draw_ground(inner, dye))
    for turn in (0, 180):
        with pen.at(0, 0, turn=turn), pen.clipped(_upper_half()):
            pen.place(f"court-half-{name}", box, half)
    _draw_sash(pen, dye)
    pen.stroke(rect(-COURT_WIDTH / 2 + 0.2, -COURT_HEIGHT / 2, COURT_WIDTH - 0.4, COURT_HEIGHT), dye.deep, 0.4)


def _draw_ground(pen: Pen, dye: CourtInks) -> None:
    width, height = COURT_WIDTH, COURT_HEIGHT
    pen.fill_background(rect(-width / 2, -height / 2, width, height), dye.light.towards(CREAM, 0.55))
    if pen.style is Style.LOW_INK:
        return
    for row in range(-8, 9):
        for column in range(-5, 6):
            x, y = column * 3.4 + (row % 2) * 1.7, row * 3.1
            if abs(x) < width / 2 - 1 and abs(y) < height / 2 - 1:
                pen.fill_background(star(x, y, 0.55, 0.2, 4), dye.light)


def _upper_half() -> Path:
    width, height, rise = COURT_WIDTH / 2, COURT_HEIGHT / 2, _SLOPE * COURT_WIDTH / 2
    return polygon((-width, -rise), (width, rise), (width, height), (-width, height))


def _draw_sash(pen: Pen, dye: CourtInks) -> None:
    """A woven sash, aslant, where the two halves meet."""
    half, rise, thick = COURT_WIDTH / 2 - 0.2, _SLOPE * COURT_WIDTH / 2, 1.9
    band = polygon((-half, -rise - thick), (half, rise - thick), (half, rise + thick), (-half, -rise + thick))
    pen.fill(band, dye.gold)
    pen.stroke(band, dye.dark, 0.28)
    with pen.clipped(band):
        for at in range(-9, 10):
            x = at * 1.9
            y = x * _SLOPE
            pen.solid(lens(x, y, 4.6, 0.75, 68), dye.deep)
            pen.solid(lens(x + 0.95, y + 0.2, 4.6, 0.55, -46), dye.dark)
    for side in (-1, 1):
        edge = polyline((-half, -rise + side * thick), (half, rise + side * thick))
        pen.stroke(edge, dye.dark, 0.35)
