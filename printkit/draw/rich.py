"""Setting texts into a box, in type that shrinks until they fit: any script, bold and italic words, icons.

A paragraph is cut into runs of one face and one direction; each is shaped by itself, so that a line is as wide as
its runs are together, wherever it is broken. Lengths are in type sizes until the size is found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple, TypeVar

from loomtable.printkit.draw.bidi import in_visual_order, levels_of
from loomtable.printkit.draw.breaking import parts_of, smallest_parts_of
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.script_fonts import Shaped
from loomtable.printkit.draw.type import (
    POINT,
    Font,
    check_glyphs,
    composed,
    face_name,
    has_letters,
    largest,
    width_of,
)
from loomtable.printkit.draw.typefaces import ICON_PLACE, SetFace, Typefaces
from loomtable.printkit.errors import TextTooLong

LEADING = 1.22
"""From line to line, in type sizes."""
ICON = 0.9
"""How high an icon is, in type sizes."""
_ICON_WIDTH, _ICON_MIDDLE = 1.05, 0.35
_TOP, _BOTTOM = 0.7, 0.2
"""How far type is taken to reach up and down at least."""
_TALL, _DEEP, _BETWEEN = 0.85, 0.3, 0.2
"""Type that reaches farther than that gets lines farther apart, with so much between them."""

T = TypeVar("T")


@dataclass(frozen=True)
class Styled:
    """Words of one look, or an icon."""

    words: str
    bold: bool = False
    italic: bool = False
    icon: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether these are words without any emphasis."""
        return not (self.bold or self.italic or self.icon)

    def saying(self, words: str) -> Styled:
        """Other words of the same look."""
        return replace(self, words=words)


@dataclass(frozen=True)
class _Run:
    """What stands together: shaped letters of one face, or an icon."""

    level: int
    shaped: Shaped
    font: str = ""
    icon: str = ""


class _Part(NamedTuple):
    """What stays on one line, in the order in which it is read; ``space`` stands before it within a line.

    Both are so wide, in type sizes. ``smaller`` is what it may be broken into where it is wider than its box.
    """

    runs: tuple[_Run, ...]
    space: tuple[_Run, ...]
    width: float
    gap: float
    smaller: tuple[_Part, ...]


_WORD = re.compile(r"(?:\S|[\u00a0\u202f])+")
"""What stands between spaces, but for those at which no line is broken."""
_WIDTH, _GAP = attrgetter("width"), attrgetter("gap")
_Parts = tuple[bool, list[_Part]]
"""Whether a paragraph or a line runs from right to left, and its parts."""


@dataclass(frozen=True)
class Line:
    """A line from left to right: strings of one font and icons, with where they begin; and its whole width."""

    strings: tuple[tuple[float, str, str], ...]
    icons: tuple[tuple[float, str], ...]
    width: float
    rtl: bool

    @property
    def words(self) -> str:
        """Its words, where they are in a face of ours."""
        return "".join(codes for _, _, codes in self.strings)


@dataclass(frozen=True)
class SetText:
    """A text as it is set: its lines, and in type sizes their distance and how far the ink reaches up and down."""

    lines: tuple[Line, ...]
    points: float
    leading: float
    top: float
    bottom: float

    @property
    def step(self) -> float:
        """From line to line, in mm."""
        return self.points * POINT * self.leading

    @property
    def height(self) -> float:
        """What all lines take, in mm."""
        return len(self.lines) * self.step

    def draw(self, pen: Pen, x: float, y: float, colour: Colour, *, middle: bool = False) -> None:
        """Draw the lines, the first one's baseline at ``y``; they begin, or (``middle``) are centred, at ``x``."""
        for at, line in enumerate(self.lines):
            start = x - line.width * self.points * POINT / 2 if middle else x
            draw_line(pen, line, start, y - at * self.step, self.points, colour)


DrawIcon = Callable[[Pen, str, float, float, float], None]
"""Draws the icon of a name about (x, y), so high."""


def set_text(
    spans: Sequence[Styled],
    faces: Typefaces,
    box: tuple[float, float],
    points: float,
    least: float,
    card: str,
) -> SetText:
    """The lines, at the largest size from ``points`` down to ``least`` at which they fit ``box`` (mm).

    Raises:
        GlyphMissing: no font has a letter; the message names ``card``.
        TextTooLong: they do not fit even at ``least``.
    """
    paragraphs = [_parts(paragraph, faces, card) for paragraph in _paragraphs(spans)]
    shapes = [run.shaped for _, parts in paragraphs for part in parts for run in part.runs]
    top = max([_TOP, *(shape.top for shape in shapes)])
    bottom = max([_BOTTOM, *(shape.bottom for shape in shapes)])
    is_tall = top > _TALL or bottom > _DEEP
    leading = max(LEADING, top + bottom + _BETWEEN) if is_tall else LEADING
    last = max(top + bottom, leading - _BETWEEN)
    width, height = box

    def filled(size: float) -> tuple[float, list[_Parts]] | None:
        lines = _broken(paragraphs, width / (size * POINT))
        fits = lines is not None and (len(lines) - 1) * leading + last <= height / (size * POINT) + 1e-9
        return (size, lines) if lines is not None and fits else None

    if fitted := largest(points, least, filled):
        lines = tuple(_line(parts, rtl) for rtl, parts in fitted[1])
        return SetText(lines, fitted[0], leading, top, bottom)
    words = "".join(span.words or "*" for span in spans)
    shown = words if len(words) <= 60 else words[:57].rstrip() + "..."
    raise TextTooLong(f"{card}: {shown!r} does not fit {width:g} x {height:g} mm, even at {least:g} points")


def set_words(words: str, face: Font, box: tuple[float, float], points: float, least: float, card: str) -> SetText:
    """Plain words in a face of ours; otherwise as ``set_text``.

    Raises:
        GlyphMissing: the face lacks a letter: no other font helps out.
        TextTooLong: they do not fit even at ``least``.
    """
    for word in words.split():
        check_glyphs(word, face, card)
    return set_text([Styled(words)], Typefaces(face), box, points, least, card)


def draw_line(
    pen: Pen, line: Line, x: float, y: float, points: float, colour: Colour, icons: DrawIcon | None = None
) -> None:
    """Draw a line from ``x`` on, with its baseline at ``y``."""
    size = points * POINT
    for at, font, codes in line.strings:
        pen.glyphs(x + at * size, y, codes, font, points, colour)
    for at, name in line.icons:
        assert icons is not None, "whoever sets icons can draw them"
        icons(pen, name, x + (at + _ICON_WIDTH / 2) * size, y + _ICON_MIDDLE * size, ICON * size)


def _paragraphs(spans: Sequence[Styled]) -> Iterator[list[Styled]]:
    """The spans of each paragraph; a line break begins a new one."""
    paragraph: list[Styled] = []
    for span in spans:
        first, *others = span.words.splitlines() or [""]
        if span.words.endswith("\n"):
            others.append("")
        paragraph.append(span.saying(composed(first)))
        for words in others:
            yield paragraph
            paragraph = [span.saying(composed(words))]
    if any(span.words or span.icon for span in paragraph):
        yield paragraph


def _parts(paragraph: list[Styled], faces: Typefaces, card: str) -> _Parts:
    """What a paragraph is made of."""
    words = "".join(span.words or ICON_PLACE for span in paragraph if span.words or span.icon)
    face = faces.face
    if isinstance(face, Font) and all(span.is_plain for span in paragraph) and has_letters(face, words):
        return False, [_word(word, face) for word in _WORD.findall(words)]
    words = re.sub(r"[^\S\u00a0\u202f]", " ", words)
    looks = [span for span in paragraph if span.words or span.icon for _ in span.words or ICON_PLACE]
    base, levels = levels_of(words)
    chosen = faces.chosen(words, [(look.bold, look.italic) for look in looks], card)

    def runs(first: int, end: int) -> tuple[_Run, ...]:
        def kind(at: int) -> tuple[int, int, int]:
            return levels[at], id(chosen[at]), at if looks[at].icon else -1

        return tuple(
            _run(words, [*same], levels, chosen, looks) for _, same in groupby(range(first, end), key=kind)
        )

    def part(first: int, piece: str, space: tuple[_Run, ...]) -> _Part:
        small = smallest_parts_of(piece)
        starts = accumulate(map(len, small[:-1]), initial=first)
        smaller = tuple(_part(runs(at, at + len(piece))) for at, piece in zip(starts, small, strict=True))
        return _part(runs(first, first + len(piece)), space, smaller if len(small) > 1 else ())

    made: list[_Part] = []
    for word in _WORD.finditer(words):
        at = word.start()
        # However many spaces there are, one is set.
        space = runs(at - 1, at) if made else ()
        for piece in parts_of(word[0]):
            made.append(part(at, piece, space))
            at += len(piece)
            space = ()
    return base == 1, made


@lru_cache(maxsize=4096)
def _word(word: str, face: Font) -> _Part:
    """A plain word in a face of ours and the space before it: each one run, its letters side by side."""
    word_run, space = (
        (_Run(0, Shaped(letters, width_of(letters, face, 1 / POINT), _TOP, _BOTTOM), face_name(face)),)
        for letters in (word, " ")
    )
    return _part(word_run, space)


def _part(runs: tuple[_Run, ...], space: tuple[_Run, ...] = (), smaller: tuple[_Part, ...] = ()) -> _Part:
    width, gap = (sum([run.shaped.width for run in shaped]) for shaped in (runs, space))
    return _Part(runs, space, width, gap, smaller)


def _run(words: str, places: list[int], levels: list[int], chosen: list[SetFace], looks: list[Styled]) -> _Run:
    first, level = places[0], levels[places[0]]
    if looks[first].icon:
        shaped = Shaped("", _ICON_WIDTH, _ICON_MIDDLE + ICON / 2, ICON / 2 - _ICON_MIDDLE)
        return _Run(level, shaped, icon=looks[first].icon)
    face = chosen[first]
    return _Run(level, face.shape(words[first : places[-1] + 1], rtl=level % 2 == 1), face.name)


def _broken(paragraphs: list[_Parts], room: float) -> list[_Parts] | None:
    """The parts of lines no wider than ``room`` (in type sizes), or ``None`` where one of them alone is wider."""
    lines: list[_Parts] = []
    for rtl, parts in paragraphs:
        if max(map(_WIDTH, parts), default=0.0) > room:
            parts = [fitting for part in parts for fitting in _that_fit(part, room)]
        filled = fill_lines(parts, room, _WIDTH, _GAP)
        if filled is None:
            return None
        lines += [(rtl, line) for line in filled]
    return lines


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


def _that_fit(part: _Part, room: float) -> Iterable[_Part]:
    """The part itself, or where it is too wide what it may be broken into."""
    if part.width <= room or not part.smaller:
        return (part,)
    return (part.smaller[0]._replace(space=part.space, gap=part.gap), *part.smaller[1:])


def _line(parts: list[_Part], rtl: bool) -> Line:
    read = [run for number, part in enumerate(parts) for run in (*(part.space if number else ()), *part.runs)]
    strings: list[tuple[float, str, str]] = []
    icons: list[tuple[float, str]] = []
    at = 0.0
    last = ""
    for run in in_visual_order([(run.level, run) for run in read]):
        if run.icon:
            icons.append((at, run.icon))
        elif strings and run.font == last:
            begin, font, codes = strings[-1]
            strings[-1] = begin, font, codes + run.shaped.codes
        else:
            strings.append((at, run.font, run.shaped.codes))
        last = run.font
        at += run.shaped.width
    return Line(tuple(strings), tuple(icons), at, rtl)
