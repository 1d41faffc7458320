"""The tapestry cards: 33 cards of 2 x 3 cells with two sides, as data that people write (WO-1).

The file is ``templates/woven/tapestry-cards.yaml``; ``docs/woven-data.md`` describes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import TypeAlias

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ContentInvalid, UnknownComponent
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.kernel.yamlfile import Titled, YamlLines, parse_yaml

ROWS, COLUMNS = 2, 3
"""Cells of a card that lies as it is printed."""


class Element(StrEnum):
    """One of the four elements."""

    AIR = "air"
    FIRE = "fire"
    EARTH = "earth"
    WATER = "water"

    @property
    def letter(self) -> str:
        """How it stands in the file of cards: ``A``, ``F``, ``E``, ``W``."""
        return self.value[0].upper()


Cell: TypeAlias = Element | None
"""What is printed in a cell: an element's symbol, or ``None`` for an empty box that takes a thread."""

Face: TypeAlias = tuple[tuple[Cell, ...], ...]
"""Two rows of three cells; the first row is the upper one."""


class CardSide(StrEnum):
    """A side of a tapestry card."""

    A = "A"
    B = "B"


class TapestryCard(msgspec.Struct, frozen=True):
    """A tapestry card; ``number`` is 1 to 33."""

    number: int
    a: Face
    b: Face
    name: str = ""
    """What people call it, if it has a name."""

    def face(self, side: CardSide) -> Face:
        """What is printed on a side."""
        return self.a if side is CardSide.A else self.b

    def component(self, side: CardSide) -> ComponentId:
        """The printed thing: ``T12A``."""
        return ComponentId(Kind.TAPESTRY, self.number, side.value)


BOX_MARK = "."
_CELLS: dict[str, Cell] = {BOX_MARK: None, **{element.letter: element for element in Element}}


class _CardEntry(msgspec.Struct, forbid_unknown_fields=True):
    card: int
    a: list[str]
    b: list[str]
    name: str = ""


class _CardFile(Titled, frozen=True):
    cards: list[_CardEntry]


def parse_cards(text: str, name: str) -> dict[int, TapestryCard]:
    """Read and check a file of tapestry cards; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line.
    """
    file, lines = parse_yaml(text, _CardFile, name)
    cards: dict[int, TapestryCard] = {}
    for place, entry in enumerate(file.cards):
        where = lines.place("cards", place)
        if not 1 <= entry.card <= 999:
            raise ContentInvalid(f"{where}: cards are numbered 1 to 999, not {entry.card}")
        if entry.card in cards:
            raise ContentInvalid(f"{where}: card {entry.card} stands twice")
        if entry.name and entry.name in {known.name for known in cards.values()}:
            raise ContentInvalid(f"{where}: {entry.name!r} is the name of another card too")
        sides = (_face(entry.a, lines, place, "a"), _face(entry.b, lines, place, "b"))
        card = TapestryCard(entry.card, *sides, entry.name)
        _check_elements(card, where)
        cards[entry.card] = card
    if not cards:
        raise ContentInvalid(f"{lines.place('cards')}: there is no card")
    return cards


def _face(rows: list[str], lines: YamlLines, place: int, side: str) -> Face:
    where = lines.place("cards", place, side)
    if len(rows) != ROWS:
        raise ContentInvalid(f"{where}: a side has {ROWS} rows of {COLUMNS} cells, not {len(rows)}")
    return tuple(_row(row, where) for row in rows)


def _row(row: str, where: str) -> tuple[Cell, ...]:
    marks = row.split()
    if len(marks) != COLUMNS:
        raise ContentInvalid(
            f"{where}: the row {row[:40]!r} has {how_many(len(marks), 'cell', 'cells')}, not {COLUMNS}"
        )
    for mark in marks:
        if mark not in _CELLS:
            raise ContentInvalid(f"{where}: {mark[:20]!r} is no cell; cells are {' '.join(_CELLS)}")
    return tuple(_CELLS[mark] for mark in marks)


def _check_elements(card: TapestryCard, where: str) -> None:
    """Every card carries each element once over both sides (WO-1)."""
    printed = [cell for face in (card.a, card.b) for row in face for cell in row if cell is not None]
    for element in Element:
        if printed.count(element) != 1:
            raise ContentInvalid(
                f"{where}: card {card.number} carries {element} {printed.count(element)} times over both sides; "
                "every card carries each element once"
            )


@cache
def tapestry_cards() -> Mapping[int, TapestryCard]:
    """The installed tapestry cards, by number."""
    return parse_cards(*shipped("woven", "tapestry-cards.yaml"))


def tapestry_card(number: int) -> TapestryCard:
    """The installed card of this number.

    Raises:
        UnknownComponent: there is none.
    """
    cards = tapestry_cards()
    if number not in cards:
        raise UnknownComponent(f"there is no tapestry card {number}; they are numbered 1 to {max(cards)}")
    return cards[number]
