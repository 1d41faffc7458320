"""Rules in short, set in columns: headings with rule ids, text, and tables; on reference cards and screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loomtable.engine.kernel.reference import Block
from loomtable.engine.kernel.wording import how_many
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.palette import INK, WHITE
from loomtable.printkit.draw.path import lens, rect
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.rich import LEADING, set_words
from loomtable.printkit.draw.type import POINT, Face, check_glyphs, sizes, width_of
from loomtable.printkit.errors import TextTooLong

_STEP = 0.25
_AIR = 0.16
"""Least space between blocks (mm), in type sizes."""
_DESCENDER = 0.29
"""How far under a heading its rule stands, in type sizes: clear of the letters that reach below the line."""
_MOST_AIR = 1.0
"""Most space between blocks (mm), in type sizes: as much as lets a column end at the foot."""
_FIGURES = 9
"""Longer cells (in characters) than these are words."""
_PAD = 1.6
"""Between a table's columns (mm)."""


class _TooWide(Exception):
    """A table has no room in its column at this size."""


@dataclass(frozen=True)
class _Set:
    """A block as it is set at one size: its height, its lines of text, and its table's columns and cells."""

    block: Block
    height: float
    lines: tuple[str, ...]
    starts: tuple[float, ...]
    cells: tuple[tuple[tuple[str, ...], ...], ...]


def draw_blocks(
    pen: Pen, theme: Theme, boxes: Sequence[Box], blocks: Sequence[Block], points: float, least: float, card: str
) -> float:
    """Set blocks into columns of one width one after another, as large as they fit; returns the size in points.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: they do not fit even at ``least`` points; the message names ``card``.
    """
    for size in sizes(points, least, _STEP):
        placed = _placed(boxes, blocks, size, card)
        if placed is not None:
            for box, column in zip(boxes, placed, strict=False):
                _draw_column(pen, theme, box, column, size)
            return size
    raise TextTooLong(
        f"{card}: the rules do not fit {how_many(len(boxes), 'column', 'columns')}, even at {least:g} points"
    )


def _placed(boxes: Sequence[Box], blocks: Sequence[Block], size: float, card: str) -> list[list[_Set]] | None:
    """The blocks in their columns, as evenly as their order allows; ``None`` where they do not fit."""
    try:
        fitted = [_fit(block, boxes[0][2], size, card) for block in blocks]
    except (_TooWide, TextTooLong):
        return None
    full = boxes[0][3]
    for share in range(20, 101, 2):
        columns = _dealt(fitted, full * share / 100, size * _AIR)
        if len(columns) <= len(boxes) and all(_tall(column, size) <= full for column in columns):
            return columns
    return None


def _tall(column: Sequence[_Set], size: float) -> float:
    return sum(laid.height for laid in column) + size * _AIR * (len(column) - 1)


def _dealt(fitted: Sequence[_Set], limit: float, air: float) -> list[list[_Set]]:
    """Columns one after another, each begun where the one before has grown past ``limit``."""
    columns: list[list[_Set]] = [[]]
    used = 0.0
    for laid in fitted:
        if columns[-1] and used + laid.height > limit:
            columns.append([])
            used = 0.0
        columns[-1].append(laid)
        used += laid.height + air
    return columns


def _fit(block: Block, width: float, size: float, card: str) -> _Set:
    step = size * POINT * LEADING
    for words, face in ((block.title, Face.TITLE), (block.rules, Face.LABEL)):
        check_glyphs(words, face, card)
    lines = _lines(block.text, Face.TEXT, width, size, card) if block.text else ()
    starts, cells = _table(block, width, size, card)
    rows = sum(max(len(cell) for cell in row) * step + 0.5 for row in cells)
    heading = (size + 2.5) * POINT * 1.3 + 0.9 if block.title else 0.0
    return _Set(block, heading + len(lines) * step + rows + (0.8 if cells else 0), lines, starts, cells)


def _lines(words: str, face: Face, width: float, size: float, card: str) -> tuple[str, ...]:
    return tuple(line.words for line in set_words(words, face, (width, 1e6), size, size, card).lines)


def _table(
    block: Block, width: float, size: float, card: str
) -> tuple[tuple[float, ...], tuple[tuple[tuple[str, ...], ...], ...]]:
    """Where columns begin, and every cell's lines.

    In a table of figures the columns share what is to spare; in others the widest takes what is left, and wraps.
    """
    if not block.table:
        return (), ()
    count = len(block.table[0])
    natural = [
        max(width_of(row[at], _face(block, number, at), size) for number, row in enumerate(block.table)) + _PAD
        for at in range(count)
    ]
    if count > 2 and all(len(cell) <= _FIGURES for row in block.table for cell in row[1:]):
        natural[1:] = [max(natural[1:])] * (count - 1)
        spare = (width - sum(natural)) / count
        natural = [column + spare for column in natural]
        if spare < 0:
            raise _TooWide
    else:
        widest = natural.index(max(natural))
        natural[widest] = width - sum(natural) + natural[widest]
        if natural[widest] < width * 0.2:
            raise _TooWide
    starts = tuple(sum(natural[:at]) for at in range(count))
    cells = tuple(
        tuple(
            _lines(cell, _face(block, number, at), natural[at] - _PAD * 0.4, size, card) if cell else ("",)
            for at, cell in enumerate(row)
        )
        for number, row in enumerate(block.table)
    )
    return starts, cells


def _face(block: Block, row: int, column: int) -> Face:
    head = row == 0 and not block.bare
    return Face.LABEL_BOLD if head or column == 0 else Face.TEXT


def _draw_column(pen: Pen, theme: Theme, box: Box, column: Sequence[_Set], size: float) -> None:
    left, foot, width, height = box
    spare = (height - sum(laid.height for laid in column)) / max(len(column) - 1, 1)
    y = foot + height
    for laid in column:
        _draw_block(pen, theme, left, y, width, laid, size)
        y -= laid.height + min(spare, size * _MOST_AIR)


def _draw_block(pen: Pen, theme: Theme, x: float, top: float, width: float, laid: _Set, size: float) -> None:
    step, block, y = size * POINT * LEADING, laid.block, top
    if block.title:
        y -= (size + 2.5) * POINT
        pen.text(x, y + 0.3, block.title, Face.TITLE, size + 2.5, theme.deep, spacing=0.1)
        pen.text(
            x + width, y + 0.3, block.rules, Face.LABEL, min(max(size - 3, 6), 6.5), theme.warm, align="right"
        )
        rule = y + 0.3 - (size + 2.5) * POINT * _DESCENDER
        pen.solid(lens(x + width / 2, rule, width, 0.25), theme.warm)
        y -= (size + 2.5) * POINT * 0.3 + 0.9
    for line in laid.lines:
        pen.text(x, y - size * POINT * 0.78, line, Face.TEXT, size, INK)
        y -= step
    y -= 0.6 if laid.cells else 0
    for number, row in enumerate(laid.cells):
        tall = max(len(cell) for cell in row) * step + 0.5
        if number % 2 == (0 if block.bare else 1):
            pen.fill_background(rect(x - 0.6, y - tall + 0.3, width + 1.2, tall), theme.pale.towards(WHITE, 0.35))
        for at, cell in enumerate(row):
            colour = theme.deep if at == 0 or (number == 0 and not block.bare) else INK
            for place, words in enumerate(cell):
                base = y - size * POINT * 0.8 - place * step
                pen.text(x + laid.starts[at], base, words, _face(block, number, at), size, colour)
        y -= tall
