"""What the panels of a game are made of: a sheet on page, phone, television and terminal, without any HTML.

A panel is a row of blocks. ``GameScreen`` joins panels with a television and pictures; ``Press`` makes a
``Button`` or a ``Shape`` begin something. ``docs/extending.md`` has a whole sheet.

>>> from loomtable.panels import Facts, Panel, Track
>>> Panel("sheet-Ada", "Ada", (Track("Breath", 5, 6), Facts({"Pearls": 2})), whose="Ada").title
'Ada'
"""

from __future__ import annotations

from loomtable.table.screens import GameScreen, Picture
from loomtable.table.screens.blocks import (
    Badges,
    Boxes,
    Button,
    Buttons,
    Cards,
    Drawing,
    Element,
    Elements,
    Facts,
    Foldout,
    Group,
    Heading,
    Ladder,
    Lanes,
    Listing,
    Meters,
    Press,
    Prose,
    Rating,
    Ratings,
    Shape,
    Strong,
    Table,
    TableRow,
    Text,
    Throws,
    Token,
    Track,
)
from loomtable.table.screens.panel import Panel, PersonCard, Television, card_of, may_press
from loomtable.table.screens.text import TextDrawing

__all__ = [
    "Badges",
    "Boxes",
    "Button",
    "Buttons",
    "Cards",
    "Drawing",
    "Element",
    "Elements",
    "Facts",
    "Foldout",
    "GameScreen",
    "Group",
    "Heading",
    "Ladder",
    "Lanes",
    "Listing",
    "Meters",
    "Panel",
    "PersonCard",
    "Picture",
    "Press",
    "Prose",
    "Rating",
    "Ratings",
    "Shape",
    "Strong",
    "Table",
    "TableRow",
    "Television",
    "Text",
    "TextDrawing",
    "Throws",
    "Token",
    "Track",
    "card_of",
    "may_press",
]
