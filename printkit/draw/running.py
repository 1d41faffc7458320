"""Running text: paragraphs of several faces and what stands between them, in columns broken where it is no harm.

Booklets, chronicles and seasons are set by it. Lengths are in mm, sizes of type in points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby

from loomtable.printkit.draw.palette import INK, Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import fill_lines
from loomtable.printkit.draw.type import (
    POINT,
    Font,
    check_glyphs,
    composed,
    has_letter,
    has_letters,
    typographic,
    width_of,
)
from loomtable.printkit.errors import TextTooLong

Run = tuple[str, Font]
"""Words in one face. A no-break space keeps the words beside it on one line, at the end the next run's too."""
NO_BREAK = "\u00a0"
_BASE = 0.336
"""From the middle of a line down to its baseline, in sizes of type."""
_OTHERS = (Font.TEXT, Font.LABEL)
"""Faces that are asked for a letter which a text's own does not have."""


@dataclass(frozen=True)
class Part:
    """What stands in a column, ``height`` mm high: drawn from its upper left corner (x, y) down.

    ``space`` is left above it, except at the head of a column. What is ``tied`` to the next part stays with it.
    ``width`` matters only to what stands beside it.
    """

    height: float
    draw: Callable[[Pen, float, float], None]
    space: float = 0.0
    tied: bool = False
    width: float = 0.0


@dataclass(frozen=True)
class Manner:
    """How a paragraph is set: its size, and in sizes of it the step from line to line; ``bold`` is of bold words.

    ``align`` is ``left``, ``middle`` or ``right``. ``together`` lines stay together at its beginning and its end.
    ``instead`` stands for a letter that no face has; without it, that is an error.
    """

    points: float
    leading: float = 1.2
    colour: Colour = INK
    bold: Colour = INK
    align: str = "left"
    space: float = 0.0
    together: int = 2
    instead: str = ""

    @property
    def step(self) -> float:
        """From line to line, mm."""
        return self.points * POINT * self.leading


def paragraph(runs: Iterable[Run], width: float, manner: Manner, called: str) -> list[Part]:
    """A paragraph as lines, ``width`` mm wide.

    Raises:
        GlyphMissing, TextTooLong: a word cannot be set; the message names ``called``.
    """
    words, wide = list(_words(runs, manner, called)), partial(_wide, points=manner.points)
    lines = fill_lines(words, width, wide, lambda word: wide([(" ", word[0][1])]))
    if lines is None:
        widest = "".join(said for said, _ in max(words, key=wide))
        raise TextTooLong(f"{called}: {widest!r} is wider than its column")
    drawn = (partial(_draw_line, runs=_joined(line), width=width, manner=manner) for line in lines if line)
    return kept_together(
        [Part(manner.step, draw) for draw in drawn], manner.together, manner.together, manner.space
    )


def kept_together(parts: Sequence[Part], first: int, last: int, space: float = 0.0) -> list[Part]:
    """The same parts, never parted among the ``first`` and the ``last`` so many; with ``space`` above them."""
    cuts = range(first, len(parts) - last + 1)
    tied = [replace(part, tied=part.tied or at not in cuts) for at, part in enumerate(parts[:-1], start=1)]
    return [replace(part, space=part.space if at else space) for at, part in enumerate([*tied, *parts[-1:]])]


def _words(runs: Iterable[Run], manner: Manner, called: str) -> Iterator[list[Run]]:
    """Words, each in pieces of one face; what a no-break space joins is one of them."""
    held: list[Run] = []
    before = ""
    for said, face in runs:
        for word in re.findall(r"[^ \n\t]+", typographic(composed(said))):
            held += _pieces(before + word.rstrip(NO_BREAK).replace(NO_BREAK, " "), face, manner.instead, called)
            before = " " if word.endswith(NO_BREAK) else ""
            if not before:
                yield held
                held = []
    if held:
        yield held


@lru_cache(maxsize=8192)
def _pieces(word: str, face: Font, instead: str, called: str) -> tuple[Run, ...]:
    """A word in its face; if that lacks letters, these in another one, or ``instead`` of them."""
    if has_letters(face, word):
        return ((word, face),)
    if not instead:
        check_glyphs(word, face, called)
    faces = {sign: next((tried for tried in (face, *_OTHERS) if has_letter(tried, sign)), None) for sign in word}
    alike = [(other, "".join(letters)) for other, letters in groupby(word, faces.__getitem__)]
    return tuple((said, other) if other else (instead * len(said), Font.TEXT) for other, said in alike)


def _wide(word: Iterable[Run], points: float) -> float:
    return sum(width_of(said, face, points) for said, face in word)


def _joined(line: Sequence[Sequence[Run]]) -> list[Run]:
    """Words of one face that follow each other as one run; the space before each belongs to its face."""
    pieces = [
        (f" {said}" if at and not number else said, face)
        for at, word in enumerate(line)
        for number, (said, face) in enumerate(word)
    ]
    return [("".join(said for said, _ in alike), face) for face, alike in groupby(pieces, key=lambda run: run[1])]


def _draw_line(pen: Pen, x: float, y: float, runs: Sequence[Run], width: float, manner: Manner) -> None:
    x += {"left": 0.0, "middle": 0.5, "right": 1.0}[manner.align] * (width - _wide(runs, manner.points))
    base = manner.step / 2 + manner.points * POINT * _BASE
    for said, face in runs:
        colour = manner.bold if face is Font.LABEL_BOLD else manner.colour
        pen.text(x, y - base, said, face, manner.points, colour)
        x += width_of(said, face, manner.points)


# Parts of parts


def height_of(parts: Sequence[Part]) -> float:
    """What parts take in a column, from its head on."""
    return sum(part.height + part.space for part in parts) - (parts[0].space if parts else 0.0)


def draw_parts(pen: Pen, x: float, y: float, parts: Sequence[Part]) -> None:
    """Draw parts below each other, the first one's upper left corner at (x, y)."""
    for at, part in enumerate(parts):
        y -= part.space if at else 0.0
        part.draw(pen, x, y)
        y -= part.height


def stacked(parts: Sequence[Part], space: float = 0.0) -> Part:
    """Parts below each other as one, which is never parted."""
    return Part(height_of(parts), partial(draw_parts, parts=parts), space)


def beside(*cells: tuple[float, Part], space: float = 0.0, middle: bool = True) -> Part:
    """Parts side by side, each so far to the right: in the middle of the highest, or at its head."""
    tall = max(part.height for _, part in cells)

    def draw(pen: Pen, x: float, y: float) -> None:
        for right, part in cells:
            part.draw(pen, x + right, y - (tall - part.height) / 2 if middle else y)

    return Part(tall, draw, space, width=max(right + part.width for right, part in cells))


def columns_of(parts: Iterable[Part], height: float) -> list[list[Part]]:
    """Parts in columns of ``height`` mm, one after another; what is tied is parted only if a column is too low."""
    columns: list[list[Part]] = [[]]
    left = height
    for together in _tied(parts, height):
        used = height_of(together) + (together[0].space if columns[-1] else 0.0)
        if columns[-1] and used > left + 1e-6:
            columns.append([])
            left, used = height, height_of(together)
        columns[-1] += together
        left -= used
    return columns


def _tied(parts: Iterable[Part], height: float) -> Iterator[list[Part]]:
    together: list[Part] = []
    for part in parts:
        if together and height_of([*together, part]) > height:
            yield together
            together = []
        together.append(part)
        if not part.tied:
            yield together
            together = []
    if together:
        yield together
