"""Places on a sheet where somebody writes, counts or ticks: empty, filled in, or as fields on a screen.

A sheet draws each place once, with what the game says stands there; whether that is printed, left empty or laid
down as a field is the form's business. All lengths are in mm, sizes of type in points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from loomtable.printkit.draw.fields import PEN_INK, SetLine, TextField, TickField, add_field, tick_mark
from loomtable.printkit.draw.palette import INK, WHITE, Colour
from loomtable.printkit.draw.path import polyline, rounded
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.rich import LEADING, set_words
from loomtable.printkit.draw.type import POINT, Font, check_glyphs, fit_line, width_of

LEAST_BOX = 5.0
"""Smaller boxes (mm) are hard to hit with a pencil."""
_LEAST_POINTS = 5.0
_TICK_LINE = 0.3
_BASE = 0.3
"""From the foot of a single line's place to its baseline, in heights of the place."""


@dataclass(frozen=True)
class Form:
    """A sheet that is being drawn.

    ``called`` names it in errors; ``prefix`` begins the names of its fields, so that several sheets fit one file.
    """

    pen: Pen
    called: str
    prefix: str = ""
    fillable: bool = False
    line: Colour = INK

    def write(
        self,
        name: str,
        label: str,
        box: Box,
        value: object = "",
        *,
        points: float = 11.0,
        face: Font = Font.TEXT_ITALIC,
        middle: bool = False,
    ) -> None:
        """A place for one line; a value that is too long is set smaller.

        Raises:
            GlyphMissing, TextTooLong: it cannot be set; the message names the sheet and the field.
        """
        words = str(value).strip() if value is not None else ""
        _, _, width, height = box
        size = points
        if words:
            size = fit_line(words, face, width - 0.8, points, _LEAST_POINTS, f"{self.called}, {label}")
        shift = (width - width_of(words, face, size)) / 2 if middle else 0.4
        set_line = SetLine(shift, height * _BASE + (height * 0.4 - size * POINT * 0.62) / 2, words)
        self._lay(
            TextField(self._named(name), label, words, (set_line,) if words else (), face, size), box, middle
        )

    def paragraph(
        self, name: str, label: str, box: Box, value: str = "", *, points: float = 9.0, least: float = 5.0
    ) -> None:
        """A place for several lines, from the top.

        Raises:
            GlyphMissing, TextTooLong: the value cannot be set; the message names the sheet and the field.
        """
        _, _, width, height = box
        face, size = Font.TEXT_ITALIC, points
        lines: tuple[str, ...] = ()
        if value.strip():
            text = set_words(value, face, (width - 0.8, height), points, least, f"{self.called}, {label}")
            lines, size = tuple(line.words for line in text.lines), text.points
        step = size * POINT * LEADING
        top = height - size * POINT * 0.86
        placed = tuple(SetLine(0.4, top - at * step, line) for at, line in enumerate(lines) if line)
        self._lay(TextField(self._named(name), label, value, placed, face, size, several=True), box, False)

    def _lay(self, field: TextField, box: Box, middle: bool) -> None:
        if self.fillable:
            centred = TextField(**{**field.__dict__, "centred": middle})
            add_field(self.pen, centred, box)
            return
        for line in field.lines:
            self.pen.text(box[0] + line.x, box[1] + line.y, line.words, field.face, field.points, PEN_INK)

    def tick(
        self,
        name: str,
        label: str,
        x: float,
        y: float,
        size: float,
        ticked: bool,
        *,
        round_: bool = False,
        sign: Callable[[], None] | None = None,
    ) -> None:
        """A box (or a ring) to tick, its lower left corner at (x, y); ``sign`` draws what stands pale in it."""
        corner = size / 2 if round_ else size * 0.14
        self._frame(x, y, size, size, corner, _TICK_LINE)
        if sign:
            sign()
            self._frame(x, y, size, size, corner, _TICK_LINE, ground=False)
        self.mark(name, label, x, y, size, ticked)

    def mark(self, name: str, label: str, x: float, y: float, size: float, ticked: bool) -> None:
        """What stands in a box that is drawn already: a cross, or nothing."""
        if self.fillable:
            add_field(self.pen, TickField(self._named(name), label, ticked), (x, y, size, size))
        elif ticked:
            self.pen.solid(tick_mark(x, y, size), PEN_INK)

    def ticks(
        self,
        name: str,
        label: str,
        spots: Sequence[tuple[float, float]],
        size: float,
        ticked: int,
        *,
        round_: bool = False,
    ) -> None:
        """A track: a box at each spot, the first ``ticked`` of them ticked."""
        for at, (x, y) in enumerate(spots, start=1):
            self.tick(f"{name}.{at}", f"{label} {at}", x, y, size, at <= ticked, round_=round_)

    def number(
        self, name: str, label: str, box: Box, value: object = None, *, points: float = 14.0, ring: bool = False
    ) -> None:
        """A frame for a number, in the middle of it."""
        x, y, width, height = box
        self._frame(x, y, width, height, width / 2 if ring else 1.2, 0.35)
        inset = width * 0.16 if ring else 0.4
        inner = (x + inset, y + height * 0.1, width - 2 * inset, height * 0.8)
        self.write(name, label, inner, value, points=points, face=Font.CODE, middle=True)

    def _frame(
        self, x: float, y: float, width: float, height: float, corner: float, line: float, *, ground: bool = True
    ) -> None:
        """A white frame with round corners, or its line alone; kept once in the file for each size."""
        outline = rounded(0, 0, width, height, corner)

        def draw(pen: Pen) -> None:
            if ground:
                pen.fill_background(outline, WHITE)
            pen.stroke(outline, self.line, line)

        ink = "".join(f"{round(part * 255):02x}" for part in self.line)
        name = f"frame-{width:.2f}-{height:.2f}-{corner:.2f}-{line:.2f}-{ink}{'' if ground else '-line'}"
        with self.pen.at(x, y):
            self.pen.place(name, (-line, -line, width + 2 * line, height + 2 * line), draw)

    def ruled(
        self, name: str, tooltip: str, box: Box, value: object = "", *, label: str = "", points: float = 11.0
    ) -> None:
        """A line to write on, with a small label at its left end above it or nothing."""
        x, y, width, height = box
        self.pen.stroke(polyline((x, y + 0.6), (x + width, y + 0.6)), self.line, 0.22)
        room = x
        if label:
            check_glyphs(label, Font.LABEL, self.called)
            self.pen.text(x, y + 1.7, label, Font.LABEL, 7.5, self.line)
            room += width_of(label, Font.LABEL, 7.5) + 1.6
        self.write(name, tooltip, (room, y + 0.9, x + width - room, height - 1.1), value, points=points)

    def _named(self, name: str) -> str:
        return f"{self.prefix}.{name}" if self.prefix else name


def row_of(x: float, y: float, count: int, step: float) -> list[tuple[float, float]]:
    """Spots side by side."""
    return [(x + at * step, y) for at in range(count)]


def rows_of(x: float, top: float, count: int, across: int, step: float) -> Iterator[tuple[float, float]]:
    """Spots row by row from the top left one, whose lower left corner is (x, top)."""
    for at in range(count):
        yield x + at % across * step, top - at // across * step
