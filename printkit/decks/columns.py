"""Which column of a table is which field of a card: in any case, and in the usual words of other tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from loomtable.engine.kernel.wording import listed
from loomtable.printkit.decks.table import Report, Table
from loomtable.printkit.decks.template import Template
from loomtable.printkit.errors import DeckInvalid

OWN_FIELDS = ("name", "copies", "language")
_OTHER_WORDS = {
    "name": ("title", "card", "card name", "card title", "question"),
    "text": ("description", "rules", "rules text", "card text", "effect", "body"),
    "copies": ("qty", "quantity", "count", "number of copies", "duplication", "duplicates"),
    "language": ("lang",),
    "picture": ("image", "art", "artwork", "illustration", "photo"),
}
"""What squib, nanDECK, CardMaker and people call the fields, the likeliest first."""
_NEAR = 0.75
"""How like a field's name a heading is (difflib's ratio) that is probably meant for it: ``txet``, not ``cost``."""


@dataclass(frozen=True)
class Columns:
    """The place of each field's column. ``remarks`` say what is printed as what, and what is not shown."""

    places: dict[str, int]
    remarks: tuple[str, ...]


def columns_for(table: Table, template: Template, report: Report) -> Columns:
    """The columns that a template shows; ``report`` is told of those that are missing or named twice."""
    headings = [_folded(heading) for heading in table.headings]
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
    return Columns(places, tuple(_remarks(table, template, places, others)))


def fits(table: Table, template: Template) -> bool:
    """Whether a table has a column, with anything in it, for each field that a template must have."""
    places = _places(table, [*template.required], lambda _: None)
    return all(
        field in places and any(card[places[field]] not in (None, "") for card in table.cards)
        for field in template.required
    )


def _places(table: Table, wanted: list[str], report: Callable[[DeckInvalid], None]) -> dict[str, int]:
    """Where each field is, by its own name or else by another word for it."""
    headings = [_folded(heading) for heading in table.headings]
    places: dict[str, int] = {}
    for field in wanted:
        if headings.count(_folded(field)) > 1:
            report(DeckInvalid(f"{table.file}: there are several columns {field!r}; each needs a name of its own"))
        if _folded(field) in headings:
            places[field] = headings.index(_folded(field))
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
        if _folded(table.headings[at]) != _folded(field)
    ]
    names = [repr(table.headings[at]) if table.headings[at] else "a column without a name" for at in others]
    remarks = [f"{table.file}: {listed(renamed)}"] if renamed else []
    if names:
        remarks.append(f"{table.file}: the template {template.template!r} does not show {listed(names)}")
    return remarks


def _folded(heading: str) -> str:
    return " ".join(heading.casefold().replace("_", " ").replace("-", " ").split())
