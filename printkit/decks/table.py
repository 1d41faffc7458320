"""Cards as people have them: tables, JSON, YAML, XML and lists such as ``4 Otter`` become headings and cards."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, repeat, zip_longest
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError
from loomtable.engine.kernel.installation import install_line
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.printkit.decks.encodings import text_of_file
from loomtable.printkit.errors import DeckInvalid
from loomtable.printkit.import_sum import ImportSum

MOST_CARDS = 20_000
_MOST_CELLS = 12_000_000
"""Of a spreadsheet, empty ones too, where they say how they would look."""
_MOST_EXCEL = 200_000_000
"""Bytes of a spreadsheet's sheets and texts, unpacked: its longest sheet, a million lines, has a tenth of it."""
_DAMAGED = (EOFError, TypeError, SyntaxError, BadZipFile, zlib.error)
"""What openpyxl raises for damaged workbooks, beside the usual."""
_YAML, _JSON, _CSV, _EXCEL = (".yaml", ".yml"), (".json",), (".csv", ".tsv"), (".xlsx", ".xlsm")
_LISTS, _XML = (".txt", ".dec"), (".xml", ".cod", ".dek")
_KINDS = (*_CSV, *_EXCEL, *_JSON, *_LISTS, *_XML)

NAMES = ("name", "title", "card", "cardname", "cardtitle")
"""Headings of the column that names the cards, as ``folded`` gives them."""
_LISTED = re.compile(r"(?:SB:\s*)?(\d+)\s*[xX]?\s+(\S.*?)(?:\s+\((\w+)\)(?:\s.*)?)?")
"""A line of a deck list: how many, the name, and perhaps the set and a number in it."""
_BLANK_AFTER_QUOTES = re.compile(r'((?:^|(?<=[,;\t ]))"(?:[^"]|"")*") +(?=[,;\t\r\n]|$)', re.MULTILINE)

_NUMBERS = ("CatID", "Annotation")
"""What MTGO writes of each card, for itself alone."""

Report = Callable[[LoomtableError], None]
"""Told what keeps a card from being printed."""


def refuse(error: LoomtableError) -> None:
    """The ``Report`` that stops at the first."""
    raise error


@dataclass(frozen=True)
class Table:
    """The columns of a file by their headings, and its cards, each with a value for each column.

    Lines and columns that are empty all through are left out. ``lost`` names what of the file is no card,
    ``said`` are the kinds of places to look at, with what is said of each.
    """

    file: str
    headings: Sequence[str]
    cards: Sequence[Sequence[object]]
    lost: tuple[str, ...] = ()
    said: tuple[tuple[str, str], ...] = ()


class Formula(str):
    """A formula of a spreadsheet that nobody ever calculated, so nobody knows what it says."""


def folded(heading: str) -> str:
    """A heading as it is compared: ``Card_Title`` is ``cardtitle``."""
    return re.sub(r"[\s_-]+", "", heading.casefold())


def is_deck(path: Path) -> bool:
    """Whether a file is a deck of one's own: a table, or a YAML file of cards that is none of ours.

    Raises:
        FileUnreadable: it cannot be read.
    """
    kind = path.suffix.lower()
    try:
        plain = _deck_list(path) if kind in _LISTS else _plain(path) if kind in _YAML else None
    except DeckInvalid:
        return False
    if kind not in _YAML:
        return kind in _KINDS
    return isinstance(plain, list) or (isinstance(plain, dict) and "cards" in plain and "licence" not in plain)


def read_table(path: Path, report: Report = refuse) -> Table:
    """The table in a file; ``report`` is told of lines that do not fit it, which are left out.

    Raises:
        FileUnreadable: it cannot be read.
        DeckInvalid: it is no table; the message names the file.
    """
    kind = path.suffix.lower()
    if kind in (*_YAML, *_JSON, *_XML):
        table = _structured(path, report)
    elif kind in _EXCEL:
        table = _excel(path, report)
    elif kind in _CSV:
        text, *said = text_of_file(path)
        table = _csv(path.name, text, report, said=said)
    elif kind in _LISTS:
        table = _deck_list(path)
    else:
        takes = ", ".join((*_KINDS, *_YAML))
        raise DeckInvalid(f"{path.name}: is no table of cards; save it as one of {takes}")
    filled = [card for card in table.cards if any(value not in (None, "") for value in card)]
    if len(filled) > MOST_CARDS:
        raise DeckInvalid(f"{path.name}: holds more than {MOST_CARDS} cards, the most of one deck")
    kept = [
        at
        for at, heading in enumerate(table.headings)
        if heading or any(card[at] not in (None, "") for card in filled)
    ]
    cards = [[card[at] for at in kept] for card in filled]
    return replace(table, headings=[table.headings[at] for at in kept], cards=cards)


def _csv(name: str, text: str, report: Report, *lost: str, said: Sequence[str] = ()) -> Table:
    first, _, rest = text.partition("\n")
    if re.fullmatch(r'"?sep=[,;\t]"?', first.strip().lower()):  # a line of Excel's
        text = rest
    text = _BLANK_AFTER_QUOTES.sub(r"\1", text)
    heads = "".join(text.split("\n", 2)[:2])  # the first line may be a title
    delimiter = max(",;\t", key=heads.count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
        lines = [(reader.line_num, [value.strip() for value in line]) for line in reader if any(line)]
    except csv.Error as error:
        raise DeckInvalid(f"{name}: is not good CSV ({error}); save it as 'CSV UTF-8'") from None
    return _table(name, lines, report, *lost, said=said)


def _deck_list(path: Path) -> Table:
    """A list of cards by their names: ``4 Otter``, ``4x Otter (SET) 12``; headings and comments are no cards."""
    text, *said = text_of_file(path)
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    found = [listed.groups() for line in lines if (listed := _LISTED.fullmatch(line))]
    others = len(lines) - len(found)
    if others > len(found):
        raise DeckInvalid(f"{path.name}: is no table, nor a list of cards such as '4 Otter'; save it as .csv")
    lost = (how_many(others, "line that is not a card", "lines that are not cards"),) * bool(others)
    return Table(path.name, ["copies", "name", "set"], found, lost, tuple(("encoding", one) for one in said))


def _table(
    file: str, lines: Sequence[tuple[int, list[Any]]], report: Report, *lost: str, said: Sequence[str] = ()
) -> Table:
    """The table in numbered lines, the first of which has the headings, or the second below a title."""
    heads = [[folded(str(value)) for value in line if value not in (None, "")] for _, line in lines[:2]]
    if len(heads) == 2 and len(heads[0]) == 1 < len(heads[1]) and any(name in heads[1] for name in NAMES):
        lost, lines = (*lost, "line 1, which is a title"), lines[1:]
    (_, head), *rest = lines or [(1, [])]
    headings = [str(value if value is not None else "").strip() for value in head]
    cards, looked = [], [("encoding", one) for one in said]
    for number, line in rest:
        if any(value not in (None, "") for value in line[len(headings) :]):
            says = f"has more than the {len(headings)} fields of the headings"
            remedy = "put text that holds a comma between quotation marks"
            report(DeckInvalid(f"{file} line {number}: this card {says}; {remedy}"))
            continue
        if len(line) < len(headings):
            looked.append(("short line", f"line {number} ends before the last column; what is missing is empty"))
        cards.append([*line[: len(headings)], *[None] * (len(headings) - len(line))])
    return Table(file, headings, cards, lost, tuple(looked))


def _excel(path: Path, report: Report) -> Table:
    try:
        from openpyxl import load_workbook
    except ImportError:
        why = f"{path.name}: save it as 'CSV UTF-8', or install what reads Excel: {install_line('decks')}"
        raise DeckInvalid(why) from None
    try:
        with path.open("rb") as file:
            with ZipFile(file) as packed:
                parts = [part for part in packed.infolist() if part.filename.endswith(".xml")]
                if sum(part.file_size for part in parts) > _MOST_EXCEL:
                    raise DeckInvalid(f"{path.name}: is too large; copy the cards to a new sheet")
                shown = sum("/media/" in part.filename for part in packed.infolist())
                made = any(b"<f" in packed.read(part) for part in parts if "/worksheets/" in part.filename)
            book = load_workbook(file, read_only=True, data_only=True)
            visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            sheet = _sheet_of_cards(visible)
            formulas: Iterator[tuple[Any, ...]] = repeat(())
            if made:
                same = load_workbook(file, read_only=True)[sheet.title]
                same.reset_dimensions()
                formulas = same.iter_rows(values_only=True)
            cells, lines = 0, list[tuple[int, list[object]]]()
            for number, line in enumerate(sheet.iter_rows(values_only=True), start=1):
                values = [*map(_value, line, chain(next(formulas), repeat(None)))]
                cells += len(line)
                if values.count(None) < len(values):
                    lines.append((number, values))
                if cells > _MOST_CELLS or len(lines) > MOST_CARDS + 2:
                    break
    except FileNotFoundError:
        raise FileUnreadable(f"{path}: there is no such file") from None
    except (OSError, RuntimeError, ValueError, LookupError, *_DAMAGED):
        raise DeckInvalid(f"{path.name}: is no Excel file that can be read; save it as 'CSV UTF-8'") from None
    width = max((len(line) for _, line in lines), default=0)
    if max(cells, width * len(lines)) > _MOST_CELLS:
        raise DeckInvalid(f"{path.name}: is too large; delete what is far below the cards, or far to their right")
    lost = [f"the sheet {other.title!r}" for other in book.worksheets if other is not sheet]
    lost += [how_many(shown, "picture in the file", "pictures in the file")] * bool(shown)
    full = [(number, [*line, *[None] * (width - len(line))]) for number, line in lines]
    return _table(path.name, full, report, *lost)


def _sheet_of_cards(visible: Sequence[Any]) -> Any:
    """The first sheet that names cards above them, or else the first that has more than one line."""
    heads = []
    for sheet in visible:
        sheet.reset_dimensions()  # what the file says of them makes every line as wide as its widest
        heads.append([*sheet.iter_rows(max_row=2, values_only=True)])
    named = ({folded(str(value)) for line in lines for value in line} & {*NAMES} for lines in heads)
    likely = (*zip(named, visible, strict=True), *zip((len(lines) > 1 for lines in heads), visible, strict=True))
    return next((sheet for is_likely, sheet in likely if is_likely), visible[0])


def _value(value: object, formula: object) -> object:
    """A cell of a spreadsheet, dates as text."""
    if value is None and str(formula).startswith("="):
        return Formula(formula)
    if isinstance(value, date):
        return value.isoformat().removesuffix("T00:00:00")
    return value.strip() if isinstance(value, str) else value


def _structured(path: Path, report: Report) -> Table:
    """A list of cards, or the one list that a file has; columns; cards by their names; or CSV in JSON."""
    plain, lost = _xml(path) if path.suffix.lower() in _XML else (_plain(path), ())
    if isinstance(plain, dict) and isinstance(plain.get("csv"), str):  # a project of CardPen's
        return _csv(
            path.name, plain["csv"], report, f"{how_many(len(plain) - 1, 'setting', 'settings')} beside 'csv'"
        )
    if isinstance(plain, dict):
        lists = [name for name, value in plain.items() if isinstance(value, list)]
        found = "cards" if "cards" in lists else lists[0] if len(lists) == 1 else None
        if found == "ObjectStates":
            things = [*_things_in(plain[found])]
            cards = [_simulated(thing) for thing in things if str(thing.get("Name")).startswith("Card")]
            plain = [card for card in cards if card["name"]]
            sums = ImportSum(path.name, DeckInvalid)
            sums.count(len(plain), len(cards), "card", "cards", "the others have no name; write their Nickname")
            no_name, no_card = len(cards) - len(plain), len(things) - len(cards)
            lost = (how_many(no_name, "card without a name", "cards without a name"),) * bool(no_name)
            lost += (how_many(no_card, "thing that is not a card", "things that are not cards"),) * bool(no_card)
        elif found is not None:
            others = [str(name) for name in plain if name != found]
            lost = (f"{listed(others)} beside the list {str(found)!r}",) * bool(others)
            plain = plain[found]
        elif lists and len(lists) == len(plain) and {*map(folded, map(str, lists))} & {*NAMES}:
            plain = [dict(zip(plain, values, strict=True)) for values in zip_longest(*plain.values())]
        elif plain and all(isinstance(card, dict) for card in plain.values()):
            plain = [{"name": name} | card for name, card in plain.items()]
        else:
            has = f"has {listed(map(str, lists))}" if lists else "has no list"
            raise DeckInvalid(f"{path.name}: name the list of cards 'cards'; the file {has}")
    if not isinstance(plain, list):
        raise DeckInvalid(f"{path.name}: holds no list of cards")
    cards = [card if isinstance(card, dict) else {"name": card} for card in plain]
    keys = list(dict.fromkeys(key for card in cards for key in card))
    return Table(
        path.name, [str(key).strip() for key in keys], [[card.get(key) for key in keys] for card in cards], lost
    )


def _things_in(things: list[Any]) -> Iterator[dict[str, Any]]:
    """Whatever is in a save of Tabletop Simulator's, also in its decks and bags."""
    for thing in (thing for thing in things if isinstance(thing, dict)):
        inside = thing.get("ContainedObjects")
        yield from _things_in(inside) if isinstance(inside, list) else (thing,)


def _simulated(card: dict[str, Any]) -> dict[str, Any]:
    pictures = {"CustomDeck": "its pictures"} if card.get("CustomDeck") else {}
    return {"name": card.get("Nickname"), "text": card.get("Description"), **pictures}


def _xml(path: Path) -> tuple[Any, tuple[str, ...]]:
    """The cards in an XML file, such as a deck list of Cockatrice or MTGO, and what stands beside them.

    A card is an element that names itself and nothing within it; where there are several kinds, the likeliest is.
    """
    text, *_ = text_of_file(path)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # entities can fill any memory, or name other files
        raise DeckInvalid(f"{path.name}: has a <!DOCTYPE>, which is not read; delete it, or save the deck as .csv")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise DeckInvalid(f"{path.name}: is not good XML ({error}); export the deck again") from None
    for part in root.iter():
        part.tag = part.tag.rpartition("}")[2]  # after its namespace
    above = {child: parent for parent in root.iter() for child in parent}
    named = [part for part in root.iter() if {*NAMES[:2]} & {*map(folded, (*part.keys(), *(c.tag for c in part)))}]
    holding = {root}
    for part in named:
        while (part := above.get(part, root)) not in holding:
            holding.add(part)
    inner = [part for part in named if part not in holding]
    kinds = Counter(part.tag for part in inner)
    kind = max(kinds, key=lambda tag: (tag.casefold() in ("card", "cards"), kinds[tag]), default="")
    found = [part for part in inner if part.tag == kind]
    cards = [_card_of(part, above[part]) for part in found]
    known = {root, *(above[part] for part in found if {*above[part].keys()} <= {"name"})}
    for card in found:
        known.update(card.iter())
    others = [part for part in root.iter() if part not in known]
    beside = Counter(part.tag for part in others if part.keys() or (part.text or "").strip())
    lost = [how_many(number, f"element {tag!r}", f"elements {tag!r}") for tag, number in beside.items()]
    lost += [tag for tag in _NUMBERS if any(tag in card for card in cards)]
    return [{k: v for k, v in card.items() if k not in _NUMBERS} for card in cards], tuple(lost)


def _card_of(element: ElementTree.Element, place: ElementTree.Element) -> dict[str, Any]:
    """What an element says, and those in it, and where it is; what several of one kind say is a list."""
    said: dict[str, list[str]] = {place.tag: [place.attrib["name"]]} if "name" in place.attrib else {}
    counts = element.tag == "card" and place.tag == "zone"  # as Cockatrice does
    for part in element.iter():
        for key, value in part.items():
            name = "copies" if counts and key == "number" else key
            said.setdefault(name if part is element else f"{part.tag} {key}", []).append(value)
        if text := (part.text or "").strip():
            said.setdefault(part.tag, []).append(text)
    return {key: values[0] if len(values) == 1 else values for key, values in said.items()}


def _plain(path: Path) -> Any:
    """What a YAML or JSON file says.

    Raises:
        FileUnreadable, DeckInvalid: it cannot be read; the message holds the line.
    """
    text, *_ = text_of_file(path)
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
