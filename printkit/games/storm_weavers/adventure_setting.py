"""Setting an adventure in columns: each paragraph under its number, with boxes of Health in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from loomtable.printkit.draw.palette import INK
from loomtable.printkit.draw.path import lens, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.running import NO_BREAK, Manner, Part, beside, kept_together, paragraph
from loomtable.printkit.draw.type import Font, width_of
from loomtable.printkit.games.storm_weavers.adventure_words import SetPassage
from loomtable.printkit.games.storm_weavers.theme import THEME

TOGETHER = 3
"""So many lines of a paragraph at least stand together in a column."""
_TYPE = Manner(9.4, together=1)
_NUMBER, _RISE = 15.0, 6.4
"""Size of a paragraph's number, and its height with its rule (mm)."""
_GAP, _INDENT, _BOX, _STEP = 3.4, 3.2, 2.5, 3.4
_TURN_TO = re.compile(r"\b(turn) (to)( |$)", re.IGNORECASE)


def parts_of(number: int, passages: Iterable[SetPassage], width: float, called: str) -> list[Part]:
    """A paragraph as parts of a column ``width`` mm wide; ``turn to 57`` stands on one line.

    Raises:
        GlyphMissing, TextTooLong: a word cannot be set; the message names ``called``.
    """
    parts = [Part(_RISE, partial(_draw_number, number=str(number), width=width))]
    for passage in passages:
        indent = _INDENT if passage.mark else 0.0
        runs = [(_TURN_TO.sub(rf"\1{NO_BREAK}\2{NO_BREAK}", said), face) for said, face in passage.runs]
        lines = paragraph(runs, width - indent, _TYPE, called)
        if passage.mark:
            lines = [replace(beside((indent, line)), tied=line.tied) for line in lines]
            lines[0] = beside((0.0, lines[0]), (0.7, Part(_TYPE.step, _draw_mark)))
        across = max(1, int((width - indent) / _STEP))
        for start in range(0, passage.boxes, across):
            lines[-1] = replace(lines[-1], tied=True)
            draw = partial(_draw_boxes, count=min(across, passage.boxes - start))
            lines.append(beside((indent, Part(_TYPE.step, draw))))
        parts += lines
    return kept_together(parts, TOGETHER + 1, TOGETHER, _GAP)


def _draw_number(pen: Pen, x: float, y: float, number: str, width: float) -> None:
    wide = width_of(number, Font.TITLE, _NUMBER)
    pen.text(x, y - 4.4, number, Font.TITLE, _NUMBER, INK)
    pen.solid(lens(x + (width + wide + 3) / 2, y - 2.6, width - wide - 3, 0.5), THEME.warm)


def _draw_mark(pen: Pen, x: float, y: float) -> None:
    pen.solid(rect(x, y - _TYPE.step * 0.78 + 0.75, 1.1, 1.1), THEME.warm)


def _draw_boxes(pen: Pen, x: float, y: float, count: int) -> None:
    for at in range(count):
        pen.stroke(rounded(x + at * _STEP, y - _TYPE.step + 0.9, _BOX, _BOX, 0.4), INK, 0.22)
