"""Cards for every game: empty ones with codes of their own, and small ones for the states that somebody is in."""

from __future__ import annotations

from functools import cache

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.package_data import package_file, shipped
from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.decks.drawing import OURS
from loomtable.printkit.decks.own import ready_cards
from loomtable.printkit.decks.table import read_table
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.sheet.pieces import PrintedCard

BLANKS, FIRST_BLANK = 18, 901
"""How many empty cards there are, and the number of the first: high, so that it is none of your own deck's."""
EMPTY_CONDITIONS = 4


class _PicturesFile(msgspec.Struct, forbid_unknown_fields=True):
    licence: str
    pictures: dict[str, str]


def parse_pictures(text: str, name: str) -> dict[str, str]:
    """The drawing in ``templates/art`` that shows each thing and each foe, in a file called ``name``.

    Raises:
        ContentInvalid: it does not hold together.
        UnknownMotif: there is no such drawing.
    """
    drawn = parse_yaml(text, _PicturesFile, name)[0].pictures
    for drawing in drawn.values():
        art_named(*drawing.partition("/")[::2], name)
    return drawn


@cache
def picture_for(game: str, name: str) -> dict[str, str]:
    """The field of a card that shows a thing of a game's, by its name or the last word of it; or no field."""
    drawn = parse_pictures(*shipped(game, "pictures.yaml"))
    found = drawn.get(name) or drawn.get(name.split()[-1])
    return {"picture": f"{OURS}{found}"} if found else {}


def blanks(options: RenderOptions) -> list[PrintedCard]:
    """Empty cards with codes of their own."""
    codes = [ComponentId(Kind.HOME, FIRST_BLANK + at).short for at in range(BLANKS)]
    return ready_cards("blank", [{"name": f"Blank card {code}", "code": code} for code in codes], "blank cards")


def conditions(options: RenderOptions) -> list[PrintedCard]:
    """A card for each state that ships, and empty ones."""
    table = read_table(package_file("templates", "decks", "ready", "conditions.json"))
    known = [dict(zip(table.headings, map(str, card), strict=True)) for card in table.cards]
    empty = [{"name": "", "blank": "yes"}] * EMPTY_CONDITIONS
    return ready_cards("condition", [*known, *empty], "condition cards")
