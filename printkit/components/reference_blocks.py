"""Rules in short, set in columns: headings with rule ids, text, and tables; on reference cards and screens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from loomtable.engine.kernel.reference import Block
from loomtable.engine.kernel.wording import how_many
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.palette import INK, WHITE, Colour
from loomtable.printkit.draw.path import lens, rect
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.rich import LEADING
from loomtable.printkit.draw.running import (
    Manner,
    Part,
    beside,
    columns_of,
    draw_parts,
    height_of,
    paragraph,
    stacked,
)
from loomtable.printkit.draw.type import POINT, Font, check_glyphs, largest, width_of
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
_RAISED = 0.16
"""How far words stand above the middle of their line, in type sizes: close under their heading."""
_PAD = 1.6
"""Between a table's columns (mm)."""


def draw_blocks(
    pen: Pen, theme: Theme, boxes: Sequence[Box], blocks: Sequence[Block], points: float, least: float, card: str
) -> float:
    """Set blocks into columns of one width one after another, as large as they fit; returns the size in points.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: they do not fit even at ``least`` points; the message names ``card``.
    """
    placed = largest(points, least, lambda size: _placed(theme, boxes, blocks, size, card), _STEP)
    if placed is None:
        why = f"{card}: the rules do not fit {how_many(len(boxes), 'column', 'columns')}, even at {least:g} points"
        raise TextTooLong(why)
    size, columns = placed
    for (left, foot, _, height), column in zip(boxes, columns, strict=False):
        spare = (height - sum(part.height for part in column)) / max(len(column) - 1, 1)
        spread = [replace(part, space=min(spare, size * _MOST_AIR)) for part in column]
        draw_parts(pen, left, foot + height, spread)
    return size


def _placed(
    theme: Theme, boxes: Sequence[Box], blocks: Sequence[Block], size: float, card: str
) -> tuple[float, list[list[Part]]] | None:
    """The size, and the blocks in columns as evenly as their order allows; ``None`` where they do not fit."""
    _, _, width, full = boxes[0]
    try:
        parts = [_block(theme, block, width, size, card) for block in blocks]
    except TextTooLong:
        return None
    for share in range(20, 101, 2):
        columns = columns_of(parts, full * share / 100)
        if len(columns) <= len(boxes) and all(height_of(column) <= full for column in columns):
            return size, columns
    return None


def _block(theme: Theme, block: Block, width: float, size: float, card: str) -> Part:
    for words, face in ((block.title, Font.TITLE), (block.rules, Font.LABEL)):
        check_glyphs(words, face, card)
    lines = paragraph([(block.text, Font.TEXT)], width, Manner(size, LEADING, together=1), card)
    rows = list(_rows(theme, block, width, size, card)) if block.table else []
    step = size * POINT * LEADING
    heading = (size + 2.5) * POINT * 1.3 + 0.9 if block.title else 0.0

    def draw(pen: Pen, x: float, y: float) -> None:
        if block.title:
            large, small = size + 2.5, min(max(size - 3, 6), 6.5)
            base = y - large * POINT + 0.3
            pen.text(x, base, block.title, Font.TITLE, large, theme.deep, spacing=0.1)
            pen.text(x + width, base, block.rules, Font.LABEL, small, theme.warm, align="right")
            pen.solid(lens(x + width / 2, base - large * POINT * _DESCENDER, width, 0.25), theme.warm)
        draw_parts(pen, x, y - heading + size * POINT * _RAISED, lines)
        draw_parts(pen, x, y - heading - len(lines) * step - 0.6, rows)

    return Part(heading + len(lines) * step + height_of(rows) + (0.8 if rows else 0), draw, size * _AIR)


def _rows(theme: Theme, block: Block, width: float, size: float, card: str) -> Iterator[Part]:
    """The rows of a block's table, every other one on a ground."""
    widths = _widths(block, width, size, card)
    for number, row in enumerate(block.table):
        cells: list[tuple[float, Part]] = []
        for at, words in enumerate(row):
            colour = theme.deep if at == 0 or (number == 0 and not block.bare) else INK
            manner = Manner(size, LEADING, colour, bold=colour, together=1)
            lines = paragraph([(words, _face(block, number, at))], widths[at] - _PAD * 0.4, manner, card)
            cells.append((sum(widths[:at]), stacked(lines or [Part(manner.step, lambda *_: None)])))
        striped = number % 2 == (0 if block.bare else 1)
        ground = theme.pale.towards(WHITE, 0.35) if striped else None
        yield _row(beside(*cells, middle=False), ground, width, size)


def _row(cells: Part, ground: Colour | None, width: float, size: float) -> Part:
    tall = cells.height + 0.5

    def draw(pen: Pen, x: float, y: float) -> None:
        if ground is not None:
            pen.fill_background(rect(x - 0.6, y - tall + 0.3, width + 1.2, tall), ground)
        cells.draw(pen, x, y + size * POINT * _RAISED)

    return Part(tall, draw)


def _widths(block: Block, width: float, size: float, card: str) -> list[float]:
    """How wide columns are.

    In a table of figures the columns share what is to spare; in others the widest takes what is left, and wraps.
    """
    count = len(block.table[0])
    natural = [
        max(width_of(row[at], _face(block, number, at), size) for number, row in enumerate(block.table)) + _PAD
        for at in range(count)
    ]
    if count > 2 and all(len(cell) <= _FIGURES for row in block.table for cell in row[1:]):
        natural[1:] = [max(natural[1:])] * (count - 1)
        spare = (width - sum(natural)) / count
        if spare < 0:
            raise TextTooLong(f"{card}: a table is wider than its column")
        return [column + spare for column in natural]
    widest = natural.index(max(natural))
    natural[widest] = width - sum(natural) + natural[widest]
    if natural[widest] < width * 0.2:
        raise TextTooLong(f"{card}: a table is wider than its column")
    return natural


def _face(block: Block, row: int, column: int) -> Font:
    head = row == 0 and not block.bare
    return Font.LABEL_BOLD if head or column == 0 else Font.TEXT
