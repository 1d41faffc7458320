"""Setting an adventure in columns: numbered paragraphs in order, broken where that does not hurt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import lens, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import fill_lines
from loomtable.printkit.draw.type import POINT, Face, check_glyphs, typographic, width_of
from loomtable.printkit.errors import TextTooLong
from loomtable.printkit.games.storm_weavers.adventure_words import Passage, Run

POINTS = 9.4
"""Size of the text."""
STEP = POINTS * POINT * 1.2
"""From line to line (mm)."""
TOGETHER = 3
"""So many lines of a paragraph at least stand together in a column."""
_NUMBER, _GAP, _INDENT, _BOX = 15.0, 3.4, 3.2, 2.5
_RISE = 6.4
"""Height of a paragraph's number with its rule (mm)."""


@dataclass(frozen=True)
class Line:
    """One line of type, with what stands before it, and boxes of Health in place of words."""

    runs: tuple[Run, ...] = ()
    indent: float = 0.0
    mark: str = ""
    boxes: int = 0
    heading: str = ""

    @property
    def height(self) -> float:
        """How far it moves down the column, mm."""
        return _RISE if self.heading else STEP


Column = list[Line]


def lines_of(number: int, passages: Iterable[Passage], width: float, called: str) -> list[Line]:
    """A paragraph as lines of a column ``width`` mm wide.

    Raises:
        GlyphMissing, TextTooLong: a word cannot be set; the message names ``called``.
    """
    lines = [Line(heading=str(number))]
    for passage in passages:
        indent = _INDENT if passage.mark else 0.0
        broken = _broken(passage.runs, width - indent, called)
        lines += [Line(tuple(runs), indent, "" if at else passage.mark) for at, runs in enumerate(broken)]
        if passage.boxes:
            across = max(1, int((width - indent) / (_BOX + 0.9)))
            for start in range(0, passage.boxes, across):
                lines.append(Line(indent=indent, boxes=min(across, passage.boxes - start)))
    return lines


def _broken(runs: Sequence[Run], width: float, called: str) -> list[list[Run]]:
    """Words of several faces in lines; ``turn to 57`` is never parted."""
    words = [(word, face) for said, face in runs for word in typographic(said).split()]
    for word, face in words:
        check_glyphs(word, face, called)
    bound = list(_bound(words))
    lines = fill_lines(bound, width, _width, lambda together: width_of(" ", together[0][1], POINTS))
    if lines is None:
        raise TextTooLong(f"{called}: {max(bound, key=_width)[0][0]!r} is wider than a column")
    return [[run for together in line for run in together] for line in lines]


def _width(words: Sequence[Run]) -> float:
    spaces = sum(width_of(" ", face, POINTS) for _, face in words[1:])
    return spaces + sum(width_of(word, face, POINTS) for word, face in words)


def _bound(words: list[Run]) -> Iterator[list[Run]]:
    """Each word by itself, but ``turn to 57`` together."""
    at = 0
    while at < len(words):
        together = 3 if [word.lower() for word, _ in words[at : at + 2]] == ["turn", "to"] else 1
        yield words[at : at + together]
        at += together


def columns_of(paragraphs: Iterable[list[Line]], height: float) -> list[Column]:
    """Paragraphs in columns of ``height`` mm; numbers keep to their text, and few lines are left alone."""
    columns: list[Column] = [[]]
    left = height
    for lines in paragraphs:
        rest = lines
        while rest:
            space = _GAP if columns[-1] and rest is lines else 0.0
            taken = _fitting(rest, left - space, whole=rest is lines)
            if not taken:
                columns.append([])
                left = height
                continue
            if space:
                columns[-1].append(Line())
            columns[-1] += rest[:taken]
            left -= space + sum(line.height for line in rest[:taken])
            rest = rest[taken:]
            if rest:
                columns.append([])
                left = height
    return columns


def _fitting(lines: list[Line], room: float, *, whole: bool) -> int:
    """How many of these lines go into this room: all, or so many that enough are left on both sides."""
    used, count = 0.0, 0
    for line in lines:
        used += line.height
        if used > room + 1e-6:
            break
        count += 1
    if count == len(lines):
        return count
    count = min(count, len(lines) - TOGETHER)
    while count > 0 and (lines[count].boxes or lines[count - 1].heading):
        count -= 1
    return count if count >= (TOGETHER + 1 if whole else TOGETHER) else 0


def draw_column(pen: Pen, column: Column, x: float, top: float, width: float, ink: Colour, warm: Colour) -> None:
    """A column of lines, its upper left corner at (x, top)."""
    y = top
    for line in column:
        if line.heading:
            _draw_number(pen, line.heading, x, y, width, ink, warm)
        elif line.boxes:
            for at in range(line.boxes):
                box = rounded(x + line.indent + at * (_BOX + 0.9), y - STEP + 0.9, _BOX, _BOX, 0.4)
                pen.stroke(box, ink, 0.22)
        elif line.runs:
            _draw_words(pen, line, x, y, ink, warm)
        y -= line.height if line.runs or line.boxes or line.heading else _GAP


def _draw_number(pen: Pen, number: str, x: float, y: float, width: float, ink: Colour, warm: Colour) -> None:
    wide = width_of(number, Face.TITLE, _NUMBER)
    pen.text(x, y - 4.4, number, Face.TITLE, _NUMBER, ink)
    pen.solid(lens(x + (width + wide + 3) / 2, y - 2.6, width - wide - 3, 0.5), warm)


def _draw_words(pen: Pen, line: Line, x: float, y: float, ink: Colour, warm: Colour) -> None:
    base = y - STEP * 0.78
    if line.mark:
        pen.solid(rect(x + 0.7, base + 0.75, 1.1, 1.1), warm)
    at = x + line.indent
    for said, face in _joined(line.runs):
        pen.text(at, base, said, face, POINTS, ink)
        at += width_of(said, face, POINTS)


def _joined(words: Sequence[Run]) -> Iterator[Run]:
    """Words of one face that follow each other as one run; the space before each belongs to its face."""
    for at, (face, alike) in enumerate(groupby(words, key=lambda run: run[1])):
        said = " ".join(word for word, _ in alike)
        yield (f" {said}" if at else said), face
