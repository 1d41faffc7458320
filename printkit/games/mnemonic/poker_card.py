"""The poker deck: 52 cards in four woven suits and two jokers, with what each suit stands for in Mnemonic.

A panel carries the pips or the court and is the same turned half round; below it stand the card's name and its
code, as on all our cards. Large indices stand at the edge in both upper corners, and on its head in the lower left
one, so that a hand fanned to either side or held the other way up shows what it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.poker import CARDS, CardSuit, PokerCard
from loomtable.engine.mnemonic.state import MEANINGS
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.card_back import POKER_BACK
from loomtable.printkit.components.layout import (
    FACE_HEIGHT,
    FACE_WIDTH,
    LEGEND_MIDDLE,
    LEGEND_WIDTH,
    WINDOW_Y,
    FaceRoom,
    centred,
    draw_code_plate,
    draw_flourish,
    draw_short_code,
    draw_title_row,
)
from loomtable.printkit.draw.art import MOTIF_HEIGHT
from loomtable.printkit.draw.courts import COURT_HEIGHT, COURT_WIDTH, draw_court, draw_joker
from loomtable.printkit.draw.palette import CREAM, INK, Colour
from loomtable.printkit.draw.path import rect, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.pips import PIP_COLOURS, draw_pip
from loomtable.printkit.draw.type import Font, fit_line, fit_lines
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

_PIP = 10.0
_ACE = 34.0
_COLUMN = 11.0
"""From one column of pips to the next, mm."""
_ROWS = 17.8
"""From the middle of the panel to the outermost row of pips, mm."""
_INDEX_X, _INDEX_Y = 6.1, 78.4
"""The middle of the index in the upper left corner, and its baseline: all of it is at most 10 mm from the edge."""
_INDEX_WIDTH = 6.4
"""How much of the legend's width (mm) the index in the lower corner takes."""
PANEL_X, PANEL_WIDTH = 10.4, FACE_WIDTH - 20.8
_JOKERS: Mapping[int, tuple[Colour, str]] = {53: (PIP_COLOURS[CardSuit.HEARTS][0], "red"), 54: (INK, "black")}

Spot = tuple[float, float]
_SIDES = {
    4: (1.0,), 5: (1.0,), 6: (1.0, 0.0), 7: (1.0, 0.0), 8: (1.0, 0.0), 9: (1.0, 1 / 3), 10: (1.0, 1 / 3)
}  # fmt: skip
"""For each count, the heights of the pips in the two outer columns, upper half; 1 is the outermost row."""
_MIDDLES = {
    2: (1.0, -1.0),
    3: (1.0, 0.0, -1.0),
    5: (0.0,),
    7: (0.5,),
    8: (0.5, -0.5),
    9: (0.0,),
    10: (2 / 3, -2 / 3),
}


def pip_places(count: int) -> list[Spot]:
    """Where the pips of a card stand about the panel's middle, in columns and rows: x is -1, 0 or 1, y -1 to 1."""
    sides = [(x, y) for height in _SIDES.get(count, ()) for x in (-1.0, 1.0) for y in {height, -height}]
    return sorted(sides) + [(0.0, y) for y in _MIDDLES.get(count, ())]


def draw_poker_front(pen: Pen, card: PokerCard, size: CardSize) -> None:
    """Draw the face of a poker card. The origin is the lower left corner of the trim, in mm."""
    deep, light = _inks(card)
    with centred(pen, size) as room:
        with pen.at(PANEL_X, WINDOW_Y + room.spare):
            _draw_panel(pen, card, deep, light)
        for x in (0.0, FACE_WIDTH - 2 * _INDEX_X):
            with pen.at(x, room.spare):
                _draw_index(pen, card, deep)
        _draw_legend(pen, room, card, deep)
        with pen.at(2 * _INDEX_X, FACE_HEIGHT, turn=180):
            _draw_index(pen, card, deep, short=True)
        draw_code_plate(pen, ComponentId(Kind.POKER, card.number), deep)


def _inks(card: PokerCard) -> tuple[Colour, Colour]:
    if card.suit is not None:
        return PIP_COLOURS[card.suit]
    return _JOKERS[card.number][0], CREAM


def _draw_panel(pen: Pen, card: PokerCard, deep: Colour, light: Colour) -> None:
    pen.fill_background(rect(0, 0, PANEL_WIDTH, MOTIF_HEIGHT), CREAM.towards(light, 0.22))
    with pen.at(PANEL_WIDTH / 2, MOTIF_HEIGHT / 2):
        if card.suit is None:
            box = (-COURT_WIDTH / 2, -COURT_HEIGHT / 2, COURT_WIDTH, COURT_HEIGHT)
            pen.place(f"joker-{card.number}", box, lambda inner: draw_joker(inner, red=card.number == 53))
        elif card.face:
            suit, rank = card.suit, card.rank
            box = (-COURT_WIDTH / 2, -COURT_HEIGHT / 2, COURT_WIDTH, COURT_HEIGHT)
            pen.place(f"court-{suit}-{rank}", box, lambda inner: draw_court(inner, suit, rank))
        elif card.rank == "A":
            draw_pip(pen, card.suit, 0, 0, _ACE)
        else:
            for x, y in pip_places(int(card.rank)):
                draw_pip(pen, card.suit, x * _COLUMN, y * _ROWS, _PIP, turned=y < 0)
    pen.stroke(rect(0.15, 0.15, PANEL_WIDTH - 0.3, MOTIF_HEIGHT - 0.3), deep, 0.3)
    pen.stroke(rect(0.9, 0.9, PANEL_WIDTH - 1.8, MOTIF_HEIGHT - 1.8), deep, 0.15)


def _draw_index(pen: Pen, card: PokerCard, deep: Colour, *, short: bool = False) -> None:
    """The large index of the upper left corner; ``short``: a joker's without its word."""
    if card.suit is None:
        pen.solid(star(_INDEX_X, _INDEX_Y + 2.4, 3.6, 1.5, 5), deep)
        for at, letter in enumerate("" if short else "JOKER"):
            pen.text(_INDEX_X, _INDEX_Y - 5.6 - at * 4.5, letter, Font.TITLE, 11, deep, align="middle")
        return
    spacing = -0.5 if len(card.rank) > 1 else 0.0
    points = 20 if len(card.rank) > 1 else 25
    pen.text(_INDEX_X + spacing / 2, _INDEX_Y, card.rank, Font.CODE, points, deep, align="middle", spacing=spacing)
    draw_pip(pen, card.suit, _INDEX_X, _INDEX_Y - 4.8, 6.6)


def _draw_legend(pen: Pen, room: FaceRoom, card: PokerCard, deep: Colour) -> None:
    """The card's name in words, what its suit stands for, and the short code, in the column beside the code."""
    called = f"poker card {card.short} ({card.name})"
    rank, suit = card.name.split(" of ") if card.suit else ("Joker", _JOKERS[card.number][1])
    if room.has_title_row:
        draw_title_row(pen, room, card.name, INK, deep, called)
    else:
        points = fit_line(rank, Font.TITLE, LEGEND_WIDTH, 17, room.least(10), called)
        pen.text(LEGEND_MIDDLE, 26.0, rank, Font.TITLE, points, INK, align="middle")
        points = fit_line(f"of {suit}" if card.suit else suit, Font.TITLE, LEGEND_WIDTH, 11, room.least(8), called)
        pen.text(LEGEND_MIDDLE, 21.4, f"of {suit}" if card.suit else suit, Font.TITLE, points, INK, align="middle")
    draw_flourish(pen, 19.0, deep)
    stands = MEANINGS[card.suit] if card.suit else "any suit"
    middle = LEGEND_MIDDLE + _INDEX_WIDTH / 2
    lines, points = fit_lines(
        stands, Font.TEXT_ITALIC, LEGEND_WIDTH - _INDEX_WIDTH, room.least(8.5), room.least(6), 2, called
    )
    for at, line in enumerate(lines):
        pen.text(
            middle, 11.6 - (at - (len(lines) - 1) / 2) * 3.2, line, Font.TEXT_ITALIC, points, INK, align="middle"
        )
    draw_short_code(pen, room, ComponentId(Kind.POKER, card.number), "CARD", deep, middle, "middle")


def poker_cards(options: RenderOptions) -> list[PrintedCard]:
    """The 54 cards."""
    front = partial(draw_poker_front, size=options.card_size)
    back = partial(POKER_BACK.draw, size=options.card_size)
    cards = ((ComponentId(Kind.POKER, number), PokerCard(number)) for number in CARDS)
    return [PrintedCard(code, card.name, partial(front, card=card), back) for code, card in cards]
