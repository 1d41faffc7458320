"""The Challenge card: its suit large on a ground of the suit's own pattern, its level, and its code."""

from __future__ import annotations

from functools import partial

from loomtable.engine.weave.cards.decks import ChallengeCard, challenge_deck
from loomtable.engine.weave.suits import Suit
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.card_back import CHALLENGE_BACK
from loomtable.printkit.components.layout import (
    LEGEND_TOP,
    LEGEND_WIDTH,
    MARGIN,
    WINDOW_X,
    WINDOW_Y,
    FaceRoom,
    centred,
    draw_code_plate,
    draw_corner_tag,
    draw_short_code,
    draw_title_row,
    draw_window_frame,
    window_arch,
)
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named
from loomtable.printkit.draw.palette import CREAM, INK
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.suits import SUIT_COLOURS, draw_suit
from loomtable.printkit.draw.type import Font, fit_line
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

_RINGS = ("cord", "beads", "stars")
"""What goes round the picture."""


def draw_challenge_front(pen: Pen, card: ChallengeCard, size: CardSize, *, tagged: bool = False) -> None:
    """Draw the face of a Challenge card. The origin is the lower left corner of the trim, in mm.

    ``tagged`` sets an AprilTag into the picture's corner.
    The three cards of a suit and level differ in ring and ground of their picture; a file has each once.
    """
    deep, _ = SUIT_COLOURS[card.suit]
    with centred(pen, size) as room:
        with pen.at(WINDOW_X, WINDOW_Y + room.spare):
            ring, box = card.id.number % len(_RINGS), (0, 0, MOTIF_WIDTH, MOTIF_HEIGHT)
            pen.place(f"window-{card.suit}-{ring}", box, lambda inner: _window(inner, card.suit, ring))
        _legend(pen, room, card)
        draw_code_plate(pen, card.id, deep)
        if tagged:
            draw_corner_tag(pen, card.id, deep, WINDOW_X + MOTIF_WIDTH, WINDOW_Y + MOTIF_HEIGHT + room.spare)
        draw_short_code(pen, room, card.id, "CHALLENGE", deep, MARGIN + 0.2, "left")


def _window(pen: Pen, suit: Suit, ring: int) -> None:
    deep, light = SUIT_COLOURS[suit]
    with pen.clipped(window_arch()):
        pen.fill(rect(0, 0, MOTIF_WIDTH, MOTIF_HEIGHT), light.towards(CREAM, 0.45), tone=True)
        middle = MOTIF_WIDTH / 2, MOTIF_HEIGHT / 2
        with pen.at(*middle, scale=1 + 0.45 * ring), pen.at(-middle[0], -middle[1]):
            art_named("patterns", suit).draw(pen, {"deep": deep.towards(light, 0.5).towards(CREAM, 0.15)})
        with pen.at(MOTIF_WIDTH / 2, 24.4):
            art_named("frames", _RINGS[ring]).draw(pen, {"deep": deep, "light": light})
            draw_suit(pen, suit, 0, 0, 25, deep, light)
    draw_window_frame(pen, deep, light)


def _legend(pen: Pen, room: FaceRoom, card: ChallengeCard) -> None:
    """The level as a figure and as that many suit symbols, the suit's name, and the sort of effort it takes."""
    deep, light = SUIT_COLOURS[card.suit]
    called = f"Challenge card {card.id.short} ({card.name})"
    pen.text(MARGIN - 0.4, LEGEND_TOP - 10.9, str(card.level), Font.CODE, 46, deep)
    for at in range(card.level):
        row, column = divmod(at, 2)
        draw_suit(pen, card.suit, MARGIN + 15.2 + column * 6.9, LEGEND_TOP - 2.7 - row * 6.1, 5.0, deep, light)
    if room.has_title_row:
        draw_title_row(pen, room, card.suit.label, INK, deep, called)
    else:
        points = fit_line(card.suit.label, Font.TITLE, LEGEND_WIDTH, 14, room.least(9), called)
        pen.text(MARGIN, 14.2, card.suit.label, Font.TITLE, points, INK)
    points = fit_line(card.suit.means, Font.TEXT_ITALIC, LEGEND_WIDTH, room.least(10), room.least(7), called)
    pen.text(MARGIN + 0.1, 9.8, card.suit.means, Font.TEXT_ITALIC, points, INK)


def challenge_cards(options: RenderOptions) -> list[PrintedCard]:
    """The 36 Challenges."""
    front = partial(draw_challenge_front, size=options.card_size, tagged=options.tags)
    back = partial(CHALLENGE_BACK.draw, size=options.card_size)
    return [PrintedCard(card.id, card.name, partial(front, card=card), back) for card in challenge_deck()]
