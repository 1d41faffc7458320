"""Breaking longer texts into lines: word by word, in type that shrinks until they fit their box."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import POINT, AnyFace, check_glyphs, sizes, width_of
from loomtable.printkit.errors import TextTooLong

LEADING = 1.22
"""From line to line, in type sizes."""

T = TypeVar("T")


@dataclass(frozen=True)
class SetLines:
    """A text set in lines of one face and size."""

    lines: tuple[str, ...]
    face: AnyFace
    points: float

    @property
    def step(self) -> float:
        """From line to line, in mm."""
        return self.points * POINT * LEADING

    @property
    def height(self) -> float:
        """What all lines take, in mm."""
        return len(self.lines) * self.step

    def draw(self, pen: Pen, x: float, y: float, colour: Colour, *, align: str = "left") -> None:
        """Draw them from the first line's baseline ``y`` on down; ``align`` as for ``Pen.text``."""
        for at, line in enumerate(self.lines):
            pen.text(x, y - at * self.step, line, self.face, self.points, colour, align=align)


def wrapped(
    words: str, face: AnyFace, box: tuple[float, float], points: float, least: float, card: str
) -> SetLines:
    """The lines at the largest size from ``points`` down to ``least`` at which they fit ``box`` (mm).

    A line break in ``words`` starts a new line.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: they do not fit even at ``least``.
    """
    paragraphs = [paragraph.split() for paragraph in words.splitlines()]
    widths = {word: width_of(word, face, 1.0) for paragraph in paragraphs for word in paragraph}
    for word in widths:
        check_glyphs(word, face, card)
    space = width_of(" ", face, 1.0)
    width, height = box
    for size in sizes(points, least):
        filled = [fill_lines(words, width / size, widths.__getitem__, lambda _: space) for words in paragraphs]
        lines = [" ".join(line) for paragraph in filled if paragraph for line in paragraph]
        if None not in filled and len(lines) * size * POINT * LEADING <= height + size * POINT * 0.2:
            return SetLines(tuple(lines), face, size)
    raise does_not_fit(words, box, least, card)


def fill_lines(
    parts: Iterable[T], room: float, width: Callable[[T], float], gap: Callable[[T], float]
) -> list[list[T]] | None:
    """Parts in lines no wider than ``room``, or ``None`` where a single part is wider.

    ``width`` is how wide a part is, ``gap`` how much space stands before it within a line.
    """
    lines: list[list[T]] = [[]]
    used = 0.0
    for part in parts:
        wide, space = width(part), gap(part) if lines[-1] else 0.0
        if wide > room:
            return None
        if used + space + wide > room and lines[-1]:
            lines.append([])
            used = space = 0.0
        used += space + wide
        lines[-1].append(part)
    return lines


def does_not_fit(words: str, box: tuple[float, float], least: float, card: str) -> TextTooLong:
    """The error that a text does not fit its box (mm)."""
    shown = words if len(words) <= 60 else words[:57].rstrip() + "..."
    return TextTooLong(f"{card}: {shown!r} does not fit {box[0]:g} x {box[1]:g} mm, even at {least:g} points")
