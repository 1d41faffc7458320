"""How the printed things of Mnemonic look: colours, emblem, and the picture of the quick start."""

from __future__ import annotations

from collections.abc import Callable

from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.mnemonic.almanac import weaving_dice
from loomtable.printkit.components.quick_start_art import draw_cloth, draw_laid
from loomtable.printkit.components.sheet_style import PARCHMENT, Theme, emblem_named
from loomtable.printkit.draw.courts import COURT_HEIGHT, COURT_WIDTH, draw_court
from loomtable.printkit.draw.palette import WHITE, Colour
from loomtable.printkit.draw.path import circle, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.pips import PIP_COLOURS, draw_pip
from loomtable.printkit.draw.type import Font
from loomtable.printkit.games.mnemonic.weaving_dice_emblems import draw_emblem


def _scene(pen: Pen, theme: Theme) -> None:
    """A fan of the deck, and the Lantern that was picked from the weaving dice."""
    draw_cloth(pen, theme)
    courts = ((CardSuit.HEARTS, "K", 17.0, 41.0, 15.0), (CardSuit.SPADES, "Q", 29.5, 45.0, 3.0))
    for suit, rank, x, y, turn in courts:
        draw_laid(pen, x, y, turn, 0.74, (COURT_WIDTH, COURT_HEIGHT), _court(suit, rank))
    draw_laid(pen, 43.5, 43.5, -9.0, 0.74, (COURT_WIDTH, COURT_HEIGHT), _four_of_clubs)
    emblem = weaving_dice()["lantern"]
    pen.fill_background(circle(49.5, 17.5, 14.2), theme.deep)
    pen.fill_background(circle(49.5, 17.5, 13.5), theme.pale.towards(WHITE, 0.3))
    pen.stroke(circle(49.5, 17.5, 13.9), theme.deep, 0.6)
    with pen.at(49.5, 17.5, scale=0.56):
        draw_emblem(pen, emblem.key, theme.deep, theme.pale.towards(WHITE, 0.3))


def _court(suit: CardSuit, rank: str) -> Callable[[Pen], None]:
    def draw(pen: Pen) -> None:
        with pen.at(COURT_WIDTH / 2, COURT_HEIGHT / 2):
            draw_court(pen, suit, rank)

    return draw


def _four_of_clubs(pen: Pen) -> None:
    deep, light = PIP_COLOURS[CardSuit.CLUBS]
    pen.fill_background(rect(0, 0, COURT_WIDTH, COURT_HEIGHT), PARCHMENT.towards(light, 0.25))
    for x, y in ((0.3, 0.76), (0.7, 0.76), (0.3, 0.24), (0.7, 0.24)):
        draw_pip(pen, CardSuit.CLUBS, COURT_WIDTH * x, COURT_HEIGHT * y, 11.0, turned=y < 0.5)
    pen.text(4.4, COURT_HEIGHT - 9.0, "4", Font.CODE, 22, deep, align="middle")


THEME = Theme(
    "mnemonic",
    "Mnemonic",
    Colour.hex("443760"),
    Colour.hex("9C5A6C"),
    Colour.hex("E6DFEE"),
    emblem_named("mnemonic"),
    _scene,
)
