"""The court cards: Jacks, Queens and Kings, each a double-headed figure in the dress of its suit, and two Jokers.

Turned half round, a court is the same.
"""

from __future__ import annotations

from collections.abc import Callable

from loomtable.engine.kernel.poker import CardSuit
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import CREAM
from loomtable.printkit.draw.path import Path, polygon
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.pips import PIP_COLOURS, draw_pip

COURT_WIDTH, COURT_HEIGHT = 33.0, 50.0
"""The panel that a court fills, in mm; its middle is the origin."""
_SLOPE = 0.2
"""How steeply the sash between the two halves rises."""
_FACING_LEFT = ("hearts-q", "diamonds-j", "diamonds-k", "spades-q", "clubs-j", "clubs-k")
"""Their pips stand on the other side."""


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
    deep, light = PIP_COLOURS[suit]
    inks = {"deep": deep, "light": light, "pale": light.towards(CREAM, 0.55)}
    box = (-COURT_WIDTH / 2, -COURT_HEIGHT / 2, COURT_WIDTH, COURT_HEIGHT)
    pen.place(f"court-ground-{suit}", box, lambda inner: art_named("frames", "court").draw(inner, inks))
    for turn in (0, 180):
        with pen.at(0, 0, turn=turn), pen.clipped(_upper_half()):
            pen.place(f"court-half-{name}", box, half)
    art_named("frames", "court-sash").draw(pen, inks)


def _upper_half() -> Path:
    width, height, rise = COURT_WIDTH / 2, COURT_HEIGHT / 2, _SLOPE * COURT_WIDTH / 2
    return polygon((-width, -rise), (width, rise), (width, height), (-width, height))
