"""Journals: ruled pages with a margin, empty or with what a session's story says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loomtable.printkit.components.sheet_style import EDGE, HEADING, DrawnSheet, Side, draw_panel, small
from loomtable.printkit.draw.path import lens, polyline
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import Font

LINE = 7.6
"""From line to line (mm), for handwriting."""
MARGIN = 15.0
"""Width of the margin in which scenes, episodes or rounds are numbered (mm)."""
_LEAST_HEIGHT = 258.0
_POINTS = 10.5
_WIDTH = 197.0 - 2 * EDGE - MARGIN - 8.0


@dataclass(frozen=True)
class Entry:
    """Something that happened, and the number that stands beside it in the margin."""

    mark: str
    words: str


def lines_a_side(height: float = _LEAST_HEIGHT) -> int:
    """How many ruled lines one side holds on the lowest paper."""
    return int((height - 2 * EDGE - HEADING - 12.0) / LINE)


def journal_sheets(heading: str, margin: str, entries: Sequence[Entry]) -> list[DrawnSheet]:
    """As many two-sided sheets as the entries take; one, empty, where there are none.

    Raises:
        GlyphMissing: the font lacks a character of an entry; the message names the journal.
    """
    written = [line for entry in entries for line in _broken(heading, entry)]
    full = lines_a_side()
    sides = [written[at : at + full] for at in range(0, len(written), full)] or [[]]
    if len(sides) % 2:
        sides.append([])
    count = len(sides) // 2

    def sheet(number: int) -> DrawnSheet:
        front, back = sides[2 * number], sides[2 * number + 1]
        page = f"{heading}, {number + 1} of {count}" if count > 1 else heading
        return DrawnSheet(
            page, heading, lambda side: _side(side, margin, front), lambda side: _side(side, margin, back), heading
        )

    return [sheet(number) for number in range(count)]


def _broken(heading: str, entry: Entry) -> list[Entry]:
    """An entry as ruled lines take it; words with line breaks in them become several lines."""
    words = " ".join(entry.words.split())
    lines = set_words(words, Font.TEXT_ITALIC, (_WIDTH, 10_000.0), _POINTS, _POINTS, heading).lines
    return [Entry(entry.mark if at == 0 else "", line.words) for at, line in enumerate(lines)]


def _side(side: Side, margin: str, written: Sequence[Entry]) -> None:
    form, pen, theme = side.form, side.pen, side.theme
    left, foot, wide, high = side.left, side.foot, side.width, side.box[3]
    draw_panel(pen, theme, left, foot, wide, high, "")
    top = foot + high - 9.5
    small(side, left + MARGIN / 2 + 1, foot + high - 7.4, margin, align="middle")
    small(side, left + MARGIN + 5, foot + high - 7.4, "What happened")
    pen.stroke(polyline((left + MARGIN + 2.6, foot + 3), (left + MARGIN + 2.6, foot + high - 5)), theme.warm, 0.3)
    count = int((top - foot - 3) / LINE)
    for at in range(count):
        y = top - (at + 1) * LINE
        pen.solid(lens(left + wide / 2, y, wide - 6, 0.14), theme.deep)
        line = written[at] if at < len(written) else Entry("", "")
        form.write(
            f"mark.{at + 1}",
            f"{margin}, line {at + 1}",
            (left + 3, y + 0.4, MARGIN - 1.6, LINE - 1),
            line.mark,
            middle=True,
        )
        form.write(
            f"line.{at + 1}",
            f"What happened, line {at + 1}",
            (left + MARGIN + 4, y + 0.4, wide - MARGIN - 8, LINE - 1),
            line.words,
            points=_POINTS,
        )
    assert len(written) <= count, "a journal's side holds fewer lines than were set on it"
