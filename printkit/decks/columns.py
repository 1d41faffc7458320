"""Which column of a table is which field of a card: in any case, and in the usual words of other tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from loomtable.engine.kernel.wording import listed
from loomtable.printkit.decks.table import NAMES, Report, Table, folded
from loomtable.printkit.decks.template import Template, TextBox
from loomtable.printkit.errors import DeckInvalid

OWN_FIELDS = ("name", "copies", "language")
_OTHER_WORDS = {
    "name": (*NAMES[1:], "question"),
    "text": ("description", "rules", "rulestext", "cardtext", "effect", "body", "bodytext", "contents", "content"),
    "copies": ("qty", "quantity", "count", "numberofcopies", "duplication", "duplicates"),
    "language": ("lang",),
    "picture": ("image", "art", "artwork", "illustration", "photo"),
}
"""What squib, nanDECK, CardMaker and people call the fields, the likeliest first."""
_NEAR = 0.75
"""How like a field's name a heading is (difflib's ratio) that is probably meant for it: ``txet``, not ``cost``."""
_SENTENCE = 3
"""Words that make a cell a text."""


@dataclass(frozen=True)
class Columns:
    """The place of each field's column. ``remarks`` say what is printed as what, and what is not shown."""

    places: dict[str, int]
    remarks: tuple[str, ...]


def columns_for(table: Table, template: Template, report: Report) -> Columns:
    """The columns that a template shows; ``report`` is told of those that are missing or named twice."""
    headings = [folded(heading) for heading in table.headings]
    wanted = list(dict.fromkeys((*OWN_FIELDS, *template.fields)))
    places = _places(table, wanted, report)
    others = [at for at, _ in enumerate(headings) if at not in places.values()]
    missing = [field for field in wanted if field not in places]
    for at in others:
        for field in get_close_matches(headings[at], missing, 1, _NEAR):
            missing.remove(field)
            report(
                DeckInvalid(
                    f"{table.file}, column {table.headings[at]!r}: is {field!r} meant? Rename the column, "
                    "so that nothing is left out by a slip"
                )
            )
    for field in missing:
        if field in template.required:
            has = f"it has {listed(map(repr, filter(None, table.headings)))}" if table.headings else "it has none"
            report(DeckInvalid(f"{table.file}: there is no column {field!r}; {has}"))
    bodies = [box.field for box in template.boxes if isinstance(box, TextBox) and box.field not in ("", "name")]
    if bodies and not any(field in places for field in bodies):
        longest = max(others, key=lambda at: _words(table, at), default=None)
        if longest is not None and _words(table, longest) >= _SENTENCE:
            meant = f"is {table.headings[longest]!r} the {bodies[-1]}? Rename that column"
            report(DeckInvalid(f"{table.file}: every card would print without a text; {meant}"))
    return Columns(places, tuple(_remarks(table, template, places, others)))


def shown_by(table: Table, template: Template) -> int:
    """How many columns with anything in them a template shows; none, if it must have one that is not there."""
    places = _places(table, template.fields, lambda _: None)
    filled = {field for field, at in places.items() if any(card[at] not in (None, "") for card in table.cards)}
    return len(filled) if filled.issuperset(template.required) else 0


def _words(table: Table, at: int) -> int:
    """The most words that a card has in a column."""
    return max((len(str(card[at] or "").split()) for card in table.cards), default=0)


def _places(table: Table, wanted: list[str], report: Callable[[DeckInvalid], None]) -> dict[str, int]:
    """Where each field is, by its own name or else by another word for it."""
    headings = [folded(heading) for heading in table.headings]
    places: dict[str, int] = {}
    for field in wanted:
        if headings.count(folded(field)) > 1:
            report(DeckInvalid(f"{table.file}: there are several columns {field!r}; each needs a name of its own"))
        if folded(field) in headings:
            places[field] = headings.index(folded(field))
    taken = set(places.values())
    for field in wanted:
        # A card may well be named by a field that is shown under its own name.
        free = [heading for at, heading in enumerate(headings) if field == "name" or at not in taken]
        words = [word for word in _OTHER_WORDS.get(field, ()) if word in free]
        if field not in places and words:
            places[field] = headings.index(words[0])
    return places


def _remarks(table: Table, template: Template, places: dict[str, int], others: list[int]) -> list[str]:
    renamed = [
        f"{table.headings[at]!r} is printed as {field}"
        for field, at in places.items()
        if folded(table.headings[at]) != folded(field)
    ]
    names = [repr(table.headings[at]) if table.headings[at] else "a column without a name" for at in others]
    remarks = [f"{table.file}: {listed(renamed)}"] if renamed else []
    if names:
        some = f"{len(table.headings) - len(others)} of {len(table.headings)} columns"
        shows = f"the template {template.template!r} shows {some}; it does not show {listed(names)}"
        remarks.append(f"{table.file}: {shows}")
    return remarks
