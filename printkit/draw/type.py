"""Type: the fonts that travel with Loomtable, measuring, and fitting words into boxes.

Sizes of type are in points, everything else in millimetres. A character that a font lacks and a text that does not
fit are errors that name the card: neither an empty box nor a word cut off ever reaches the paper.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import combinations, pairwise
from pathlib import Path as FilePath
from typing import Any, TypeVar

from loomtable.engine.kernel.installation import again
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.wording import how_many
from loomtable.printkit.draw.script_fonts import can_shape, script_font
from loomtable.printkit.errors import FontMissing, GlyphMissing, TextTooLong

T = TypeVar("T")


class Font(StrEnum):
    """The faces in use; each value is the name of the font's file."""

    TITLE = "Marcellus-Regular"
    TEXT = "Spectral-Regular"
    TEXT_ITALIC = "Spectral-Italic"
    CODE = "Spectral-Medium"
    LABEL = "AlegreyaSans-Medium"
    LABEL_BOLD = "AlegreyaSans-Bold"


class Emphasis(StrEnum):
    """Faces for words that stand out within a text; opened only where they are used."""

    TEXT_BOLD = "Spectral-Bold"
    TEXT_BOLD_ITALIC = "Spectral-BoldItalic"
    LABEL_ITALIC = "AlegreyaSans-MediumItalic"
    LABEL_BOLD_ITALIC = "AlegreyaSans-BoldItalic"


@dataclass(frozen=True)
class OwnFace:
    """A font of one's own: a TrueType file. ``value`` is what it is called in messages and files."""

    value: str
    path: FilePath


HouseFace = Font | Emphasis
AnyFace = HouseFace | OwnFace
_PRINTED_TABLES = {"GlyphOrder", "head", "hhea", "maxp", "hmtx", "cmap", "loca", "glyf", "name", "OS/2", "post"}
"""What a PDF and reportlab ask of a font (ISO 32000-1, 9.9)."""
_POSTSCRIPT_NAME = 6
POINT = 25.4 / 72
"""Millimetres in a point, in which type is measured."""
_OPENING = re.compile(r"""(?<![^\s(\[—–“‘"'])["'](?=:?\w|["'“‘…])""")
_MINUS = re.compile(r"(?<![\w-])-(?=\d)")


def own_face(path: FilePath) -> OwnFace:
    """The font in a file.

    Raises:
        FontMissing: it cannot be read, or is no font that can be used: without HarfBuzz, a TrueType font.
    """
    try:
        made = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise FontMissing(f"{path}: cannot be read as a font ({error.strerror})") from None
    face = OwnFace(f"{path.stem}-{made}", path)
    if can_shape():
        script_font(path)
    else:
        _font(face)
    return face


def font_file(face: HouseFace) -> FilePath:
    """The file of a face of ours; ``FileUnreadable`` where it is missing."""
    return package_file("templates", "fonts", face.value.split("-")[0], f"{face.value}.ttf")


@cache
def _font(face: AnyFace) -> Any:
    from fontTools.ttLib import TTLibError
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    if isinstance(face, OwnFace):
        try:
            font = TTFont(face.value, str(face.path), asciiReadable=False)
        except (OSError, TTFError, struct.error) as error:
            raise FontMissing(f"{face.path}: cannot be used as a TrueType font ({error})") from None
        pdfmetrics.registerFont(font)
        return font
    try:
        font = TTFont(face.value, strip_hinting(font_file(face)), asciiReadable=False)
    except (OSError, TTFError, TTLibError) as error:
        raise FontMissing(f"the font {face.value} cannot be read ({error}); {again()}") from error
    pdfmetrics.registerFont(font)
    return font


def strip_hinting(path: FilePath) -> io.BytesIO:
    """A TrueType font's outlines and widths, without ligatures and without hints for coarse screens.

    Raises:
        OSError, TTLibError: the file is no TrueType font.
    """
    from fontTools.ttLib import TTFont

    file = io.BytesIO()
    with TTFont(path, recalcBBoxes=False, recalcTimestamp=False) as font:
        for glyph in font["glyf"].glyphs.values():
            glyph.trim(remove_hinting=True)
        for table in set(font.keys()) - _PRINTED_TABLES:
            del font[table]
        font["name"].names = [name for name in font["name"].names if name.nameID == _POSTSCRIPT_NAME]
        font.save(file)
    file.seek(0)
    return file


def face_name(face: AnyFace) -> str:
    """The name under which reportlab knows the face, registered on first use."""
    return str(_font(face).fontName)


def width_of(words: str, face: AnyFace, points: float, spacing: float = 0.0) -> float:
    """The width in mm of a line of type; ``spacing`` mm stand between the letters."""
    return _width(words, face) * points * POINT + spacing * max(len(words) - 1, 0)


@lru_cache(maxsize=16_384)
def _width(words: str, face: AnyFace) -> float:
    """The width in type sizes."""
    shape = _font(face).face
    widths, other = shape.charWidths, shape.defaultWidth
    return float(sum([widths.get(ord(character), other) for character in composed(words)])) / 1000


def typographic(words: str) -> str:
    """The words with the quotation marks and the minus that a printer sets: curly ones, and no hyphen for it."""
    words = _OPENING.sub(lambda mark: "“" if mark[0] == '"' else "‘", words)
    words = words.replace('"', "”").replace("'", "’")
    return _MINUS.sub("−", words)


def composed(words: str) -> str:
    """The words with each accent joined to its letter (Unicode's form NFC): only so do fonts set them."""
    return words if words.isascii() else unicodedata.normalize("NFC", words)


def check_glyphs(words: str, face: AnyFace, card: str) -> None:
    """Make sure that the font can print every character.

    Raises:
        GlyphMissing: it cannot; the message names ``card``.
    """
    known = _letters(face)
    words = composed(words)
    if not known.issuperset(words):
        character = next(letter for letter in words if letter not in known)
        shown = f"{character!r} (U+{ord(character):04X})"
        raise GlyphMissing(f"{card}: the font {face.value} has no {shown}, which is in {words!r}")


def has_letter(face: AnyFace, character: str) -> bool:
    """Whether the font can print a character."""
    return character in _letters(face)


def has_letters(face: AnyFace, words: str) -> bool:
    """Whether the font can print words, each letter simply beside the last."""
    return _letters(face).issuperset(composed(words).replace("\n", ""))


@cache
def _letters(face: AnyFace) -> frozenset[str]:
    """Every character that the font can print; accents alone would stand beside their letter."""
    drawn = (chr(code) for code, glyph in _font(face).face.charToGlyph.items() if glyph)
    return frozenset(letter for letter in drawn if not _needs_shaping(letter))


def _needs_shaping(letter: str) -> bool:
    """Whether a letter is not simply set beside the one before it: marks, and scripts from right to left."""
    return unicodedata.category(letter) in ("Mn", "Mc", "Me") or unicodedata.bidirectional(letter) in ("R", "AL")


def largest(points: float, least: float, attempt: Callable[[float], T | None], step: float = 0.5) -> T | None:
    """What ``attempt`` makes of the largest size of type, from ``points`` down to ``least``, that is not ``None``.

    Sizes are halved between: what fits at one is taken to fit at all smaller ones.
    """
    first, last, at, best = 0, int((points - least) / step + 1e-9), 0, None
    while first <= last:
        made = attempt(points - at * step)
        if made is None:
            first = at + 1
        else:
            best, last = made, at - 1
        at = (first + last) // 2
    return best


def fit_line(words: str, face: Font, width: float, points: float, least: float, card: str) -> float:
    """The largest size, from ``points`` down to ``least``, at which the words fit ``width`` mm on one line.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: they do not fit even at ``least``.
    """
    return fit_lines(words, face, width, points, least, 1, card)[1]


def fit_lines(
    words: str, face: Font, width: float, points: float, least: float, most_lines: int, card: str
) -> tuple[list[str], float]:
    """Break the words into at most ``most_lines`` lines of at most ``width`` mm; returns lines and size.

    Of all breaks that fit, the one with the fewest lines and then the most even lengths is taken; type is made
    smaller only where no break fits.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: they do not fit even at ``least`` points.
    """
    check_glyphs(words, face, card)
    parts = words.split()
    if most_lines > 1 and len(parts) > 40:
        raise TextTooLong(f"{card}: the text {words[:40]!r}... has {len(parts)} words; at most 40 are set")

    def broken(size: float) -> tuple[list[str], float] | None:
        counts = range(1, min(most_lines, len(parts)) + 1)
        found = next(filter(None, (_most_even(parts, count, face, size, width) for count in counts)), None)
        return (found, size) if found else None

    if fitted := largest(points, least, broken):
        return fitted
    raise TextTooLong(
        f"{card}: the text {words!r} does not fit {width:.0f} mm on {how_many(most_lines, 'line', 'lines')}, "
        f"even at {least:g} points"
    )


def _most_even(parts: list[str], count: int, face: Font, size: float, width: float) -> list[str] | None:
    best: tuple[float, list[str]] | None = None
    for cuts in combinations(range(1, len(parts)), count - 1):
        edges = [0, *cuts, len(parts)]
        lines = [" ".join(parts[a:b]) for a, b in pairwise(edges)]
        longest = max(width_of(line, face, size) for line in lines)
        if longest <= width and (best is None or longest < best[0]):
            best = (longest, lines)
    return best[1] if best else None
