"""The cards of a deck of one's own, held against the template that shall show them.

``name`` and the template's fields are shown; ``copies`` says how many of a card, ``code`` which home card it is
(``O6`` to ``O34695``; those before are Woven's).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from loomtable.engine.kernel.components import FIRST_OWN, ComponentId, Kind, most_of
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.printkit.decks.columns import columns_for
from loomtable.printkit.decks.markup import UNDERSTOOD
from loomtable.printkit.decks.table import Formula, Report, Table, refuse
from loomtable.printkit.decks.template import CodeBox, Template, must_be_filled
from loomtable.printkit.draw.type import composed
from loomtable.printkit.errors import DeckInvalid
from loomtable.printkit.import_sum import ImportSum
from loomtable.printkit.picking import MOST_COPIES

MOST_CODES = most_of(Kind.HOME)
_WHOLE = re.compile(r"(\d{1,9})(?:[.,]0+)?", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202d\u202e]")
"""Characters that no card shows: of old teleprinters, and what makes any line run the other way."""
_TINY, _HUGE = 1e-7, 1e21
"""Numbers between these are written without an exponent, as JavaScript does."""
_MARK = re.compile(r"</?([a-z][a-z0-9]*)\b[^<>]*>|^([a-z]\w*) \| ", re.IGNORECASE | re.MULTILINE)
"""A tag of HTML, and what a line of rpg-cards begins with: neither is to be read on a card."""
_RPG_CARDS = {"subtitle": "*", "section": "**", "property": "**", "description": "**", "text": "", "bullet": "• "}
"""How its lines are marked here, or, of a property and a description, their names."""
_FORMULA_ERRORS = ("#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!")


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


def read_rows(
    table: Table,
    template: Template,
    report: Report = refuse,
    counted: ImportSum | None = None,
    *,
    chosen: bool = True,
) -> list[Row]:
    """The cards of a table, held against the template that shall show them, which is ``chosen`` or most likely.

    ``report`` is told all that is wrong; without it the first is raised. A card that has a name is among the rows
    nevertheless, so that drawing finds what else is wrong with it. What is not printed is ``counted``.

    Raises:
        DeckInvalid: it is no such table; the message names file, card and field.
    """
    if not table.cards:
        raise DeckInvalid(f"{table.file}: holds no cards")
    counted = counted or ImportSum(table.file, DeckInvalid)
    lacking: list[LoomtableError] = []
    places = columns_for(table, template, lacking, counted, chosen=chosen)
    for error in lacking:
        report(error)
    if lacking:
        return []
    rows: list[Row] = []
    seen: dict[ComponentId, Row] = {}
    none = 0
    for number, card in enumerate(table.cards, start=1):
        faults: list[LoomtableError] = []
        row = _row(table.file, number, {field: card[at] for field, at in places.items()}, template, faults)
        if row and row.id and seen.setdefault(row.id, row) is not row:
            taken = f"{row.id} is the code of card {seen[row.id].number} already"
            faults.append(DeckInvalid(f"{row.called('code')}: {taken}"))
        for error in faults:
            report(error)
        if row:
            none += row.copies == 0
            rows += [row] if row.copies else []
            marks = sorted({mark for value in row.fields.values() for mark in _MARK.findall(value)})
            for tag, word in ((tag, word) for tag, word in marks if tag not in UNDERSTOOD):
                kind = "HTML tag" if tag else "mark of another tool"
                counted.said.append((number, kind, f"card {number} shows {f'<{tag}>' if tag else word} as it is"))
    counted.count(len(rows), len(table.cards) - none, "card", "cards", aside=none)
    counted.came.insert(0, counted.came.pop())  # before its columns
    counted.said += [(0, kind, words) for kind, words in table.said]
    counted.lose(none, "card", "cards", "with 0 copies")
    counted.lost += table.lost
    return rows


def _row(
    file: str, number: int, values: Mapping[str, object], template: Template, faults: list[LoomtableError]
) -> Row | None:
    """A card; what is wrong with it is put to ``faults``."""
    name = values.get("name")
    card = f"{file}, card {number}" + (f" ({str(name)[:40]})" if name else "")
    fields: dict[str, str] = {}
    for field, value in values.items():
        try:
            fields[field] = _text(value)
        except DeckInvalid as error:
            faults.append(DeckInvalid(f"{card}, field {field!r}: {error}"))
    broken = values.keys() - fields.keys()
    told = {*broken, "name", template.code.field if template.code else ""}
    if "name" not in broken and not fields.get("name"):
        faults.append(DeckInvalid(f"{card}, field 'name': every card needs a name"))
    for box in template.all_boxes:
        if isinstance(box, CodeBox) or not must_be_filled(box) or not box.is_on(fields):
            continue
        if box.field not in told and not fields.get(box.field):
            why = f"is empty, and the template {template.template!r} shows it"
            faults.append(DeckInvalid(f"{card}, field {box.field!r}: {why}"))
    if not fields.get("name"):
        return None
    found = _id(card, fields, template, faults)
    text = fields.get("copies") or "1"
    copies = int(whole[1]) if (whole := _WHOLE.fullmatch(text)) else -1
    if not 0 <= copies <= MOST_COPIES:
        why, copies = f"{text[:20]!r} is not a number from 0 to {MOST_COPIES}", 1
        faults.append(DeckInvalid(f"{card}, field 'copies': {why}"))
    return Row(file, number, fields, found, copies)


def _text(value: object) -> str:
    """What a value says, as it is set: numbers as people write them.

    Raises:
        DeckInvalid: it cannot be set; the message says why.
    """
    if value is None:
        return ""
    if isinstance(value, Formula):
        raise DeckInvalid("is a formula that was never calculated; open the file in your spreadsheet, and save it")
    if isinstance(value, list):
        return "\n".join(filter(None, (_line(_text(line)) for line in value)))
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        kind = "true or false" if isinstance(value, bool) else "no text"
        raise DeckInvalid(f"holds {kind}; write text, between quotation marks")
    text = composed((_number(value) if isinstance(value, float) else str(value)).strip())
    if text in _FORMULA_ERRORS:
        raise DeckInvalid(f"{text} is the error of a formula")
    if control := _CONTROL.search(text):
        raise DeckInvalid(f"holds a control character (U+{ord(control[0]):04X}); delete it")
    return text


def _line(line: str) -> str:
    """One of a list of lines; rpg-cards says of each what it is: ``property | Speed | 30``, ``rule``."""
    kind, *said = (part.strip() for part in line.split(" | "))
    if kind not in _RPG_CARDS or not said:
        return "" if kind in ("rule", "ruler", "fill") else line
    mark = _RPG_CARDS[kind]
    return f"{mark}{said[0]}{mark.strip('• ')} {' '.join(said[1:])}".rstrip()


def _number(value: float) -> str:
    """``0.3`` for what a program computed as 0.30000000000000004: 15 digits at most, as spreadsheets show them.

    Raises:
        DeckInvalid: it is none.
    """
    if not math.isfinite(value):
        raise DeckInvalid(f"holds {value}, which is not a number; write text, between quotation marks")
    short = f"{value:.15g}"
    return f"{Decimal(short):f}" if not value or _TINY <= abs(value) < _HUGE else short.replace("e+", "e")


def _id(card: str, fields: dict[str, str], template: Template, faults: list[LoomtableError]) -> ComponentId | None:
    """The code of a card; what is wrong with it is put to ``faults``."""
    box = template.code
    if box is None or not box.is_on(fields):
        return None
    if not fields.get(box.field):
        why = f"has no code; write one of O{FIRST_OWN} to O{MOST_CODES}, or choose another template"
    else:
        try:
            found = ComponentId.parse(fields[box.field])
            if found.kind is Kind.HOME and found.number >= FIRST_OWN:
                return found
            why = f"{found} is a {found.kind} card of ours; yours are O{FIRST_OWN} to O{MOST_CODES}"
        except LoomtableError as error:
            why = str(error)
    faults.append(DeckInvalid(f"{card}, field {box.field!r}: {why}"))
    return None
