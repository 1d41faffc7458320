"""Tables of cards as people have them: CSV, Excel, JSON and YAML files become headings and cards."""

from __future__ import annotations

import csv
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError
from loomtable.engine.kernel.wording import listed
from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.printkit.decks.encodings import text_of_file
from loomtable.printkit.errors import DeckInvalid

MOST_CARDS = 20_000
_MOST_CELLS = 12_000_000
"""Of a spreadsheet, empty ones too, where they say how they would look."""
_MOST_EXCEL = 200_000_000
"""Bytes of a spreadsheet's sheets and texts, unpacked: its longest sheet, a million lines, has a tenth of it."""
_YAML, _JSON, _CSV, _EXCEL = (".yaml", ".yml"), (".json",), (".csv", ".tsv"), (".xlsx", ".xlsm")

Report = Callable[[LoomtableError], None]
"""Told what keeps a card from being printed."""


def refuse(error: LoomtableError) -> None:
    """The ``Report`` that stops at the first."""
    raise error


@dataclass(frozen=True)
class Table:
    """The columns of a file by their headings, and its cards, each with a value for each column.

    Lines and columns that are empty all through are left out. ``remarks`` say what of the file is no card.
    """

    file: str
    headings: Sequence[str]
    cards: Sequence[Sequence[object]]
    remarks: tuple[str, ...] = ()


def is_deck(path: Path) -> bool:
    """Whether a file is a deck of one's own: a table, or a YAML file of cards that is none of ours.

    Raises:
        FileUnreadable: it cannot be read.
    """
    if path.suffix.lower() not in _YAML:
        return path.suffix.lower() in (*_CSV, *_EXCEL, *_JSON)
    try:
        plain = _plain(path)
    except DeckInvalid:
        return False
    return isinstance(plain, list) or (isinstance(plain, dict) and "cards" in plain and "licence" not in plain)


def read_table(path: Path, report: Report = refuse) -> Table:
    """The table in a file; ``report`` is told of lines that do not fit it, which are left out.

    Raises:
        FileUnreadable: it cannot be read.
        DeckInvalid: it is no table; the message names the file.
    """
    kind = path.suffix.lower()
    if kind in (*_YAML, *_JSON):
        table = _structured(path)
    elif kind in _EXCEL:
        table = _excel(path)
    else:
        table = _csv(path, report)
    filled = [card for card in table.cards if any(value not in (None, "") for value in card)]
    if len(filled) > MOST_CARDS:
        raise DeckInvalid(f"{path.name}: holds more than {MOST_CARDS} cards, the most of one deck")
    kept = [
        at
        for at, heading in enumerate(table.headings)
        if heading or any(card[at] not in (None, "") for card in filled)
    ]
    cards = [[card[at] for at in kept] for card in filled]
    return Table(path.name, [table.headings[at] for at in kept], cards, table.remarks)


def _csv(path: Path, report: Report) -> Table:
    text = text_of_file(path)
    first, _, rest = text.partition("\n")
    if first.strip().lower() in ("sep=;", "sep=,", "sep=\t"):  # a line of Excel's
        text, first = rest, rest.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    cards: list[list[str]] = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        headings = [name.strip() for name in next(reader, [])]
        for line in reader:
            fields = [value.strip() for value in line]
            while len(fields) > len(headings) and not fields[-1]:
                fields.pop()
            if len(fields) == len(headings):
                cards.append(fields)
            elif any(fields):
                report(
                    DeckInvalid(
                        f"{path.name} line {reader.line_num}: this card does not have the {len(headings)} fields "
                        "of line 1; put text that holds a comma between quotation marks"
                    )
                )
    except csv.Error as error:
        raise DeckInvalid(f"{path.name}: is not good CSV ({error}); save it as 'CSV UTF-8'") from None
    return Table(path.name, headings, cards)


def _excel(path: Path) -> Table:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise DeckInvalid(
            f"{path.name}: for Excel files, install loomtable[decks]; or save it as 'CSV UTF-8'"
        ) from None
    try:
        with path.open("rb") as file:
            with zipfile.ZipFile(file) as packed:
                large = sum(part.file_size for part in packed.infolist() if part.filename.endswith(".xml"))
            if large > _MOST_EXCEL:
                raise DeckInvalid(f"{path.name}: is too large; copy the cards to a new sheet")
            book = load_workbook(file, read_only=True, data_only=True)
            sheet, *others = (sheet for sheet in book.worksheets if sheet.sheet_state == "visible")
            sheet.reset_dimensions()  # what the file says of them makes every line as wide as its widest
            lines, cells = [], 0
            for line in sheet.iter_rows(values_only=True):
                cells += len(line)
                if line.count(None) < len(line):
                    lines.append([_value(value) for value in line])
                if cells > _MOST_CELLS or len(lines) > MOST_CARDS + 1:
                    break
    except FileNotFoundError:
        raise FileUnreadable(f"{path}: there is no such file") from None
    except (
        OSError,
        EOFError,
        RuntimeError,
        ValueError,
        LookupError,
        TypeError,
        SyntaxError,
        zipfile.BadZipFile,
        zlib.error,
    ):
        raise DeckInvalid(f"{path.name}: is no Excel file that can be read; save it as 'CSV UTF-8'") from None
    width = max(map(len, lines), default=0)
    if max(cells, width * len(lines)) > _MOST_CELLS:
        raise DeckInvalid(f"{path.name}: is too large; delete what is far below the cards, or far to their right")
    head, *cards = ([*line, *[None] * (width - len(line))] for line in lines or [[]])
    headings = [str(value if value is not None else "") for value in head]
    names = listed(repr(other.title) for other in others)
    remarks = (f"{path.name}: only the sheet {sheet.title!r} is printed, not {names}",) if others else ()
    return Table(path.name, headings, cards, remarks)


def _value(value: object) -> object:
    """A cell of a spreadsheet, dates as text."""
    if isinstance(value, date):
        return value.isoformat().removesuffix("T00:00:00")
    return value.strip() if isinstance(value, str) else value


def _structured(path: Path) -> Table:
    """A list of cards, or the one list of cards that a file has."""
    plain = _plain(path)
    remarks: tuple[str, ...] = ()
    if isinstance(plain, dict):
        lists = [name for name, value in plain.items() if isinstance(value, list)]
        found = "cards" if "cards" in lists else lists[0] if len(lists) == 1 else None
        if found is None:
            has = f"has {listed(map(str, lists))}" if lists else "has no list"
            raise DeckInvalid(f"{path.name}: name the list of cards 'cards'; the file {has}")
        others = [str(name) for name in plain if name != found]
        if others:
            remarks = (f"{path.name}: only the list {str(found)!r} is printed, not {listed(others)}",)
        plain = plain[found]
    if not isinstance(plain, list):
        raise DeckInvalid(f"{path.name}: holds no list of cards")
    cards = [card if isinstance(card, dict) else {"name": card} for card in plain]
    keys = list(dict.fromkeys(key for card in cards for key in card))
    return Table(
        path.name, [str(key).strip() for key in keys], [[card.get(key) for key in keys] for card in cards], remarks
    )


def _plain(path: Path) -> Any:
    """What a YAML or JSON file says.

    Raises:
        FileUnreadable, DeckInvalid: it cannot be read; the message holds the line.
    """
    text = text_of_file(path)
    if path.suffix.lower() in _YAML:
        return parse_yaml(text, Any, path.name, DeckInvalid)[0]
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise DeckInvalid(f"{path.name} line {error.lineno}: is not good JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise DeckInvalid(f"{path.name}: is not good JSON: {error}") from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at]))
        raise ValueError(f"{twice!r} stands twice")
    return found
