"""Which column of a table is which field of a card: in any case, and in the usual words of other tools."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.wording import listed
from loomtable.printkit.decks.table import NAMES, Table, folded
from loomtable.printkit.decks.template import Template, TextBox
from loomtable.printkit.errors import DeckInvalid
from loomtable.printkit.import_sum import ImportSum

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


def columns_for(
    table: Table, template: Template, faults: list[LoomtableError], counted: ImportSum, *, chosen: bool
) -> dict[str, int]:
    """The place of each field's column, for those that a template shows; what it does not show is ``counted``.

    ``faults`` are columns that are missing or named twice, and words that would not be printed: much of a table
    may be left out only where its template is ``chosen``.

    Raises:
        DeckInvalid: most of the columns and words would be left out, and nothing else is wrong.
    """
    headings = [folded(heading) for heading in table.headings]
    wanted = list(dict.fromkeys((*OWN_FIELDS, *template.fields)))
    places = _places(table, wanted, faults.append)
    others = [at for at, _ in enumerate(headings) if at not in places.values()]
    missing = [field for field in wanted if field not in places]
    for at in others:
        for field in get_close_matches(headings[at], missing, 1, _NEAR):
            missing.remove(field)
            meant = f"is {field!r} meant? Rename the column, so that nothing is left out by a slip"
            faults.append(DeckInvalid(f"{table.file}, column {table.headings[at]!r}: {meant}"))
    for field in missing:
        if field in template.required:
            has = f"it has {listed(map(repr, filter(None, table.headings)))}" if table.headings else "it has none"
            remedy = "; rename the one that is meant" * bool(table.headings)
            faults.append(DeckInvalid(f"{table.file}: there is no column {field!r}; {has}{remedy}"))
    bodies = [box.field for box in template.boxes if isinstance(box, TextBox) and box.field not in ("", "name")]
    wordy = [at for at in others if any(_words(card[at]) >= _SENTENCE for card in table.cards)]
    lacking = {
        number: max(wordy, key=lambda at: _words(card[at]))
        for number, card in enumerate(table.cards, start=1)
        if not any(field in places and _words(card[places[field]]) for field in bodies)
        and any(_words(card[at]) for at in wordy)
    }
    if bodies and 2 * len(lacking) > len(table.cards) and not chosen:
        longest = max(others, key=[*lacking.values()].count)
        some = "every card" if len(lacking) == len(table.cards) else f"{len(lacking)} of {len(table.cards)} cards"
        meant = f"is {table.headings[longest]!r} the {bodies[-1]}? Rename that column"
        why = f"{some} would print without a text; {meant}, or choose a --template"
        faults.append(DeckInvalid(f"{table.file}: {why}"))
    renamed = [
        f"{table.headings[at]!r} is printed as {field}"
        for field, at in places.items()
        if folded(table.headings[at]) != folded(field)
    ]
    counted.said += [(0, "", listed(renamed))] * bool(renamed)
    for at, longest in lacking.items() if bodies else ():
        where = f"card {at} prints without a text; its words are in {table.headings[longest]!r}"
        counted.said.append((at, "blank card", where))
    names = listed(repr(table.headings[at]) if table.headings[at] else "one without a name" for at in others)
    refused = f"since the template {template.template!r} does not show {names}; choose one with --template"
    shown = len(headings) - len(others)
    words = [sum(map(_words, column)) for column in zip(*table.cards, strict=True)]
    # A few columns may hold nearly all that is to be read.
    enough = chosen or faults or 2 * sum(words[at] for at in others) <= sum(words)
    counted.count(shown, len(headings), "column", "columns", "" if enough else refused)
    counted.lost += [f"the column{'s' * (len(others) > 1)} {names}"] * bool(others)
    return places


def _words(value: object) -> int:
    return len(str(value if value is not None else "").split())


def shown_by(table: Table, template: Template) -> int:
    """How many columns with anything in them a template shows; none, if it must have one that is not there."""
    places = _places(table, template.fields, lambda _: None)
    filled = {field for field, at in places.items() if any(card[at] not in (None, "") for card in table.cards)}
    return len(filled) if filled.issuperset(template.required) else 0


def _places(table: Table, wanted: list[str], report: Callable[[LoomtableError], None]) -> dict[str, int]:
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
