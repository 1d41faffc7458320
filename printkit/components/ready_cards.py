"""Cards for every game: empty ones with codes of their own, and small ones for the states that somebody is in."""

from __future__ import annotations

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.package_data import package_file
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.decks.own import ready_cards
from loomtable.printkit.decks.table import read_table
from loomtable.printkit.sheet.pieces import PrintedCard

BLANKS, FIRST_BLANK = 18, 901
"""How many empty cards there are, and the number of the first: high, so that it is none of your own deck's."""
EMPTY_CONDITIONS = 6


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
