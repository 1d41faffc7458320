"""The panels of the pages in a terminal: the same blocks, laid out in characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.systems import card_name
from loomtable.table.screens import blocks as b
from loomtable.table.screens.text import TextDrawing

MARKED, FREE = "■", "□"
"""A box of a track, marked and free."""


def drawn(blocks: Iterable[b.Block]) -> RenderableType:
    """Blocks as something that a console prints, wrapped at its width."""
    return Group(*(part for block in blocks for part in _block(block)))


def in_a_line(blocks: Iterable[b.Block]) -> Iterator[Text]:
    """Tracks, ratings and words, each short enough to stand in a row; drawings and all else are left out."""
    for block in blocks:
        match block:
            case b.Group(blocks=inner):
                yield from in_a_line(inner)
            case b.Ratings(rows=rows):
                yield from (_inline(_rating(row)) for row in rows)
            case b.Text(words=words):
                yield _inline(words)
            case b.Track(name=name, marked=marked, length=length):
                yield _inline((name, " ", b.Boxes(marked, length)))
            case _:
                pass


def characters(drawing: TextDrawing) -> Iterator[RenderableType]:
    """A map or a tapestry, never wrapped, and what its marks mean."""
    for row in drawing.rows:
        yield Padding(Text(row, no_wrap=True, overflow="ignore"), (0, 0, 0, 2), expand=False)
    for line in drawing.legend:
        yield Padding(Text(line), (0, 0, 0, 2), expand=False)


def _block(block: b.Block) -> Iterator[RenderableType]:
    match block:
        case b.Text(words=words):
            yield _inline(words)
        case b.Prose(text=text):
            yield from (Text(" ".join(part.split())) for part in text.strip().split("\n\n"))
        case b.Heading(words=words):
            yield Text(_inline(words).plain, "bold")
        case b.Facts(values=values):
            yield _facts({name: value for name, value in values.items() if value != ""})
        case b.Badges(values=values):
            yield _facts(values)
        case b.Track(name=name, marked=marked, length=length, words=words):
            yield _inline((name, " ", b.Boxes(marked, length), " ", words or f"{marked} of {length}"))
        case b.Meters(values=values, most=most):
            yield from (_inline((n, " ", b.Boxes(v, max(v, most)), f" {v}")) for n, v in values.items())
        case b.Group(blocks=inner):
            yield drawn(inner)
        case b.Ratings(rows=rows):
            yield from (_item(_inline(_rating(row))) for row in rows)
        case b.Listing(items=items):
            yield from _listing(items)
        case b.Table(rows=rows, head=head):
            table = Table.grid(padding=(0, 3, 0, 0))
            if head:
                table.add_row(*(Text(word, "bold") for word in head))
            for row in rows:
                table.add_row(*map(_cell, row.cells))
            yield table
        case b.Ladder(seats=seats):
            for number, seat in enumerate(seats, start=1):
                yield _item(_token(seat), ">" if seat.state == "now" else f"{number}.")
        case b.Lanes(lanes=lanes):
            for where, there in lanes.items():
                yield Text(where, "bold")
                yield Text("   ").join(map(_token, there)) if there else Text("nobody")
        case b.Cards(cards=cards):
            yield from (
                _inline((b.Strong(card.short), f" {card_name(card)}") if card else "face down") for card in cards
            )
        case b.Elements(elements=elements):
            yield from map(_element, elements)
        case b.Throws(throws=throws):
            for who, faces, due in throws:
                yield _item(_inline((who, ": ", " ".join(map(str, faces)) or due)))
        case b.Counters(words=words):
            yield Text(words)
        case b.Foldout(title=title, blocks=inner, picture=picture):
            folded = Group(_inline(title), Padding(drawn(inner), (0, 0, 0, 2)))
            yield _beside(picture.text, folded) if picture and picture.text else folded
        case b.Drawing(text=text, words=words):
            yield from characters(text) if text else _listing(words)
        case b.Buttons():
            pass  # the terminal lists what can be done elsewhere
        case _:
            assert_never(block)


def _inline(words: b.Words) -> Text:
    """Words in a row; boxes as characters."""
    match words:
        case CardSuit():
            return Text(b.SUIT_MARKS[words])
        case str() | int():
            return Text(" ".join(str(words).split(" ")))
        case b.Strong(text=text):
            return Text(text, "bold")
        case b.Boxes(marked=marked, length=length):
            return Text(MARKED * marked + FREE * (length - marked) or "none")
        case tuple():
            return Text().join(map(_inline, words))


def _cell(value: b.Words | b.Block) -> RenderableType:
    return _inline(value) if isinstance(value, b.INLINE) else Group(*_block(value))


def _rating(row: b.Rating) -> b.Words:
    symbol: b.Words = (row.symbol, " ") if isinstance(row.symbol, CardSuit) else ""
    return (symbol, row.name, " ", MARKED * row.value, " ", b.Strong(row.words or str(row.value)))


def _token(token: b.Token) -> Text:
    more = " ".join(filter(None, (token.about, token.number)))
    return Text(f"{token.name}: {more}" if more else token.name)


def _item(inside: RenderableType, lead: str = "-") -> Table:
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_row(lead, inside)
    return row


def _listing(items: Iterable[b.Words | b.Block]) -> Iterator[RenderableType]:
    for item in items:
        yield _item(_cell(item))


def _element(element: b.Element) -> Table:
    card = f" {element.card.short}" if element.card else ""
    head = _inline((b.Strong(element.kind), f" {element.name or 'face down'}{card}"))
    return _item(Group(head, Text(element.text)) if element.text else head)


def _beside(picture: TextDrawing, inside: RenderableType) -> Table:
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_row(Text("\n".join(picture.rows)), inside)
    return row


def _facts(values: Mapping[str, b.Words | b.Block]) -> Table:
    """Names and values, a line each."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, value in values.items():
        grid.add_row(Text(name, "dim"), _cell(value))
    return grid
