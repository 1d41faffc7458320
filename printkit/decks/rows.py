"""The table of a deck of one's own: a CSV file with one card a line, or a YAML list. Read strictly.

Fields are the columns, by name. ``name`` and the template's fields are shown; ``copies`` says how many of a card,
``code`` which home card it is (``O1`` to ``O34695``).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind, most_of
from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError
from loomtable.engine.kernel.wording import listed
from loomtable.engine.kernel.yamlfile import parse_yaml, read_text
from loomtable.printkit.decks.template import CodeBox, PictureBox, Template, TextBox
from loomtable.printkit.draw.type import composed
from loomtable.printkit.errors import DeckInvalid
from loomtable.printkit.picking import MOST_COPIES

_YAML, _CSV = (".yaml", ".yml"), (".csv", ".tsv")
OWN_FIELDS = ("name", "copies")
MOST_CARDS = 20_000
MOST_CODES = most_of(Kind.HOME)


@dataclass(frozen=True)
class Row:
    """One card: its fields, all as text, and where it stands in the file."""

    file: str
    number: int
    fields: Mapping[str, str]
    id: ComponentId | None
    copies: int

    @property
    def name(self) -> str:
        """What people call the card."""
        return self.fields["name"]

    def called(self, field: str = "") -> str:
        """``my-cards.csv, card 3 (The Bell), field 'text'``: how errors name it."""
        return f"{self.file}, card {self.number} ({self.name})" + (f", field {field!r}" if field else "")


class _Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: list[dict[str, str | int | float]]


def is_deck(path: Path) -> bool:
    """Whether a file is a deck of one's own: a CSV file, or a YAML file of cards that is none of ours.

    Raises:
        FileUnreadable: it cannot be read.
    """
    if path.suffix.lower() not in _YAML:
        return path.suffix.lower() in _CSV
    try:
        fields, _ = parse_yaml(read_text(path), dict[str, Any], path.name)
    except ContentInvalid:
        return False
    return "cards" in fields and "licence" not in fields


def read_rows(path: Path, template: Template, report: Callable[[DeckInvalid], None] | None = None) -> list[Row]:
    """The cards of a deck file, held against the template that shall show them.

    ``report`` is told what is wrong with single cards, which are left out; without it the first is raised.

    Raises:
        FileUnreadable: it cannot be read.
        DeckInvalid: it is no such table; the message names file, card and field.
    """
    plain = _yaml(path) if path.suffix.lower() in _YAML else _csv(path)
    if not plain:
        raise DeckInvalid(f"{path.name}: holds no cards")
    if len(plain) > MOST_CARDS:
        raise DeckInvalid(f"{path.name}: holds {len(plain)} cards; one deck is at most {MOST_CARDS}")
    plain = [{name: composed(words) for name, words in fields.items()} for fields in plain]
    rows: list[Row] = []
    seen: dict[ComponentId, Row] = {}
    for number, fields in enumerate(plain, start=1):
        try:
            row = _row(path.name, number, fields, template)
            if row.id and seen.setdefault(row.id, row) is not row:
                taken = f"{row.id} is the code of card {seen[row.id].number} already"
                raise DeckInvalid(f"{row.called('code')}: {taken}")
            rows.append(row)
        except DeckInvalid as error:
            if report is None:
                raise
            report(error)
    return rows


def _csv(path: Path) -> list[dict[str, str]]:
    text = read_text(path).removeprefix("\ufeff")
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True)
        names = [name.strip() for name in reader.fieldnames or []]
        if len(set(names)) != len(names) or "" in names:
            raise DeckInvalid(
                f"{path.name}: each column needs a name of its own; the first line has {listed(names)}"
            )
        reader.fieldnames = names
        cards: list[dict[str, str]] = []
        for fields in reader:
            if None in fields or None in fields.values():
                raise DeckInvalid(
                    f"{path.name} line {reader.line_num}: this card does not have the {len(names)} fields of "
                    "line 1; put text that holds a comma between quotation marks"
                )
            cards.append({name: value.strip() for name, value in fields.items()})
        return cards
    except csv.Error as error:
        raise DeckInvalid(f"{path.name}: is not good CSV ({error})") from None


def _yaml(path: Path) -> list[dict[str, str]]:
    deck, _ = parse_yaml(read_text(path), _Deck, path.name, DeckInvalid)
    return [{name: str(value).strip() for name, value in card.items()} for card in deck.cards]


def _row(file: str, number: int, fields: dict[str, str], template: Template) -> Row:
    card = f"{file}, card {number}"
    if not fields.get("name"):
        raise DeckInvalid(f"{card}: has no name; every card needs one in the field 'name'")
    card = f"{card} ({fields['name'][:40]})"
    shown = template.fields
    strangers = [name for name in fields if name not in (*OWN_FIELDS, *shown)]
    if strangers:
        raise DeckInvalid(
            f"{card}, field {strangers[0]!r}: the template {template.template!r} shows no such field; "
            f"it shows {listed(shown)}"
        )
    codes = {box.field for box in template.boxes if isinstance(box, CodeBox)}
    for box in template.boxes:
        if not isinstance(box, TextBox | PictureBox) or not box.field or box.field in codes:
            continue
        if not box.optional and not fields.get(box.field):
            raise DeckInvalid(
                f"{card}, field {box.field!r}: is empty, and the template {template.template!r} shows it"
            )
    return Row(file, number, fields, _id(card, fields, template), _copies(card, fields.get("copies", "")))


def _id(card: str, fields: dict[str, str], template: Template) -> ComponentId | None:
    box = next((box for box in template.boxes if isinstance(box, CodeBox)), None)
    if box is None:
        return None
    text = fields.get(box.field, "")
    if not text:
        raise DeckInvalid(
            f"{card}, field {box.field!r}: has no code; write one of O1 to O{MOST_CODES}, "
            "or choose another template"
        )
    try:
        found = ComponentId.parse(text)
    except LoomtableError as error:
        raise DeckInvalid(f"{card}, field {box.field!r}: {error}") from None
    if found.kind is not Kind.HOME:
        raise DeckInvalid(
            f"{card}, field {box.field!r}: {found} is a {found.kind} card of ours; yours are O1 to O{MOST_CODES}"
        )
    return found


def _copies(card: str, text: str) -> int:
    if not text:
        return 1
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MOST_COPIES:
        raise DeckInvalid(f"{card}, field 'copies': {text[:20]!r} is not a number from 1 to {MOST_COPIES}")
    return int(text)
