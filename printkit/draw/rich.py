"""Setting texts of any script, with bold and italic words and icons in them, into a box.

A paragraph is cut into runs of one face and one direction; each is shaped by itself, so that a line is as wide as
its runs are together, wherever it is broken. Lengths are in type sizes until the size is found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, groupby

from loomtable.printkit.draw.bidi import in_visual_order, levels_of
from loomtable.printkit.draw.breaking import parts_of, smallest_parts_of
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.script_fonts import Shaped
from loomtable.printkit.draw.type import POINT, Face, composed, face_name, has_letters, sizes, width_of
from loomtable.printkit.draw.typefaces import ICON_PLACE, SetFace, Typefaces
from loomtable.printkit.draw.wrapping import LEADING, does_not_fit, fill_lines, wrapped

ICON = 0.9
"""How high an icon is, in type sizes."""
_ICON_WIDTH, _ICON_MIDDLE = 1.05, 0.35
_TOP, _BOTTOM = 0.7, 0.2
"""How far type is taken to reach up and down at least."""
_TALL, _DEEP, _BETWEEN = 0.85, 0.3, 0.2
"""Type that reaches farther than that gets lines farther apart, with so much between them."""


@dataclass(frozen=True)
class Span:
    """Words of one look, or an icon."""

    words: str
    bold: bool = False
    italic: bool = False
    icon: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether these are words without any emphasis."""
        return not (self.bold or self.italic or self.icon)

    def saying(self, words: str) -> Span:
        """Other words of the same look."""
        return replace(self, words=words)


@dataclass(frozen=True)
class _Run:
    """What stands together: shaped letters of one face, or an icon."""

    level: int
    shaped: Shaped
    font: str = ""
    icon: str = ""


@dataclass(frozen=True)
class _Part:
    """What stays on one line, in the order in which it is read; ``space`` stands before it within a line.

    ``smaller`` is what it may be broken into where it alone is wider than its box.
    """

    runs: tuple[_Run, ...]
    space: tuple[_Run, ...]
    smaller: tuple[_Part, ...] = ()

    @property
    def width(self) -> float:
        """In type sizes."""
        return sum(run.shaped.width for run in self.runs)

    @property
    def gap(self) -> float:
        """The space's width, in type sizes."""
        return sum(run.shaped.width for run in self.space)


@dataclass(frozen=True)
class Line:
    """A line from left to right: strings of one font and icons, with where they begin; and its whole width."""

    strings: tuple[tuple[float, str, str], ...]
    icons: tuple[tuple[float, str], ...]
    width: float
    rtl: bool


@dataclass(frozen=True)
class SetText:
    """A text as it is set: its lines, and in type sizes their distance and how far the ink reaches up and down."""

    lines: tuple[Line, ...]
    points: float
    leading: float
    top: float
    bottom: float


DrawIcon = Callable[[Pen, str, float, float, float], None]
"""Draws the icon of a name about (x, y), so high."""


def set_text(
    spans: Sequence[Span],
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
    if isinstance(faces.face, Face) and all(span.is_plain for span in spans):
        words = "".join(span.words for span in spans)
        if has_letters(faces.face, words):
            return _set_plainly(words, faces.face, box, points, least, card)
    paragraphs = [_parts(paragraph, faces, card) for paragraph in _paragraphs(spans)]
    shapes = [run.shaped for _, parts in paragraphs for part in parts for run in part.runs]
    top = max([_TOP, *(shape.top for shape in shapes)])
    bottom = max([_BOTTOM, *(shape.bottom for shape in shapes)])
    is_tall = top > _TALL or bottom > _DEEP
    leading = max(LEADING, top + bottom + _BETWEEN) if is_tall else LEADING
    width, height = box
    for size in sizes(points, least):
        lines = _broken(paragraphs, width / (size * POINT))
        if lines is not None and top + bottom + (len(lines) - 1) * leading <= height / (size * POINT) + 1e-9:
            return SetText(tuple(lines), size, leading, top, bottom)
    raise does_not_fit("".join(span.words or "*" for span in spans), box, least, card)


def _set_plainly(
    words: str, face: Face, box: tuple[float, float], points: float, least: float, card: str
) -> SetText:
    """Words in a face of ours, letter by letter: what nearly all texts are, and quickly set."""
    plain = wrapped(words, face, box, points, least, card)
    lines = tuple(
        Line(((0.0, face_name(face), composed(line)),), (), width_of(line, face, 1.0) / POINT, False)
        for line in plain.lines
    )
    return SetText(lines, plain.points, LEADING, _TOP, _BOTTOM)


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


def _paragraphs(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """The spans of each paragraph; a line break begins a new one."""
    paragraph: list[Span] = []
    for span in spans:
        first, *others = span.words.splitlines() or [""]
        if span.words.endswith("\n"):
            others.append("")
        paragraph.append(span.saying(composed(first)))
        for words in others:
            yield paragraph
            paragraph = [span.saying(composed(words))]
    yield paragraph


def _parts(paragraph: list[Span], faces: Typefaces, card: str) -> tuple[bool, list[_Part]]:
    """Whether a paragraph runs from right to left, and what it is made of."""
    words = "".join(span.words or ICON_PLACE for span in paragraph if span.words or span.icon)
    words = re.sub(r"\s", " ", words)
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
        smaller = tuple(_Part(runs(at, at + len(piece)), ()) for at, piece in zip(starts, small, strict=True))
        return _Part(runs(first, first + len(piece)), space, smaller if len(small) > 1 else ())

    made: list[_Part] = []
    for word in re.finditer(r"\S+", words):
        at = word.start()
        # However many spaces there are, one is set.
        space = runs(at - 1, at) if made else ()
        for piece in parts_of(word[0]):
            made.append(part(at, piece, space))
            at += len(piece)
            space = ()
    return base == 1, made


def _run(words: str, places: list[int], levels: list[int], chosen: list[SetFace], looks: list[Span]) -> _Run:
    first, level = places[0], levels[places[0]]
    if looks[first].icon:
        shaped = Shaped("", _ICON_WIDTH, _ICON_MIDDLE + ICON / 2, ICON / 2 - _ICON_MIDDLE)
        return _Run(level, shaped, icon=looks[first].icon)
    face = chosen[first]
    return _Run(level, face.shape(words[first : places[-1] + 1], rtl=level % 2 == 1), face.name)


def _broken(paragraphs: list[tuple[bool, list[_Part]]], room: float) -> list[Line] | None:
    """Lines no wider than ``room`` (in type sizes), or ``None`` where something unbreakable is wider."""
    lines: list[Line] = []
    for rtl, parts in paragraphs:
        fitting = chain.from_iterable(_that_fit(part, room) for part in parts)
        filled = fill_lines(fitting, room, lambda part: part.width, lambda part: part.gap)
        if filled is None:
            return None
        lines += [_line(line, rtl) for line in filled]
    return lines


def _that_fit(part: _Part, room: float) -> Iterable[_Part]:
    """The part itself, or where it is too wide what it may be broken into."""
    if part.width <= room or not part.smaller:
        return (part,)
    return (replace(part.smaller[0], space=part.space), *part.smaller[1:])


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
