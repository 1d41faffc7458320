"""Who is who and where is where in each playset of Weave: one page to lie on the table, and a card for each."""

from __future__ import annotations

from functools import partial

from loomtable.engine.kernel.reference import Block
from loomtable.engine.weave.cards.playset import Playset, playset
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.reference_blocks import draw_blocks
from loomtable.printkit.components.sheet_style import draw_ground, draw_roundel
from loomtable.printkit.decks.own import ready_cards
from loomtable.printkit.draw.palette import INK
from loomtable.printkit.draw.path import lens
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import Font
from loomtable.printkit.games.weave.theme import THEME
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import PrintedCard, PrintedPage

_EDGE, _GUTTER, _HEAD, _MOOD = 11.0, 9.0, 24.0, 26.0
_POINTS, _LEAST = 14.0, 9.0


def draw_who_is_who(pen: Pen, played: Playset, width: float, height: float) -> None:
    """The page of a playset, width x height mm.

    Raises:
        TextTooLong: it does not fit; the message names the playset.
    """
    draw_ground(pen, THEME, width, height)
    top, room = height - _EDGE, width - 2 * _EDGE
    draw_roundel(pen, THEME, _EDGE + 8, top - 8, 8)
    pen.text(_EDGE + 20, top - 9, played.title, Font.TITLE, 24, THEME.deep, spacing=0.3)
    pen.text(_EDGE + 20, top - 15.5, "who is who, and where is where", Font.TEXT_ITALIC, 12, THEME.warm)
    pen.solid(lens(width / 2, top - 20, room, 0.5), THEME.deep)
    mood = set_words(played.mood, Font.TEXT_ITALIC, (room, _MOOD), 12, 9, f"{played.title}, its mood")
    mood.draw(pen, _EDGE, top - _HEAD - mood.step + 1, INK)
    each, tall = (room - _GUTTER) / 2, height - 2 * _EDGE - _HEAD - _MOOD - 8
    for at, (heading, known) in enumerate((("Who is who", played.people), ("Where is where", played.places))):
        left = _EDGE + at * (each + _GUTTER)
        pen.text(left, _EDGE + tall + 3, heading, Font.TITLE, 16, THEME.warm, spacing=0.2)
        box = (left, _EDGE, each, tall)
        blocks = [Block(entry.name, text=entry.text) for entry in known]
        draw_blocks(pen, THEME, [box], blocks, _POINTS, _LEAST, f"{played.title}, {heading.lower()}")


_PERSON, _PLACE = "24405A", "2F5A2C"


def cards(name: str, options: RenderOptions) -> list[PrintedCard]:
    """A card for each of the people and places of a playset."""
    played = playset(name)
    kinds = ((played.people, _PERSON), (played.places, _PLACE))
    rows = [
        {"name": known.name, "role": played.title, "text": known.text, "colour": colour}
        for those, colour in kinds
        for known in those
    ]
    return ready_cards("written", rows, f"{name}, people and places")


def page(name: str, options: RenderOptions) -> list[PrintedPage]:
    """The people and places of a playset on one page."""
    area = page_area(options.paper)
    played = playset(name)
    draw = partial(draw_who_is_who, played=played, width=area.width, height=area.height)
    return [PrintedPage(None, f"{played.title}, who is who", draw)]
