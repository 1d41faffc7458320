"""Fonts as they go into a file: the characters in use, without all that only screens and font menus need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from struct import pack, unpack, unpack_from

from reportlab.pdfbase.ttfonts import TTFont, TTFontMaker

_KEPT = ("head", "hhea", "maxp", "hmtx", "cmap", "loca", "glyf")
"""What a PDF asks of a font (ISO 32000-1, 9.9). Names, and hints for coarse screens, print nothing."""
_INSTRUCTED, _MORE = 0x0100, 0x0020
_WORDS, _SCALED, _SCALED_TWICE, _TURNED = 0x0001, 0x0008, 0x0040, 0x0080


def lean_font(name: str, path: Path) -> TTFont:
    """The TrueType font in a file, of which only lean subsets are embedded.

    Raises:
        OSError: the file cannot be read.
        reportlab.pdfbase.ttfonts.TTFError: it is no TrueType font.
    """
    font = TTFont(name, str(path), asciiReadable=False)
    whole: Callable[[Sequence[int]], bytes] = font.face.makeSubset
    font.face.makeSubset = lambda subset: lean(whole(subset))
    return font


def lean(font: bytes) -> bytes:
    """A TrueType font with the same outlines and widths, and nothing else."""
    tables = {}
    for at in range(12, 12 + 16 * unpack_from(">H", font, 4)[0], 16):
        tag, start, length = font[at : at + 4].decode("ascii"), *unpack_from(">LL", font, at + 8)
        tables[tag] = font[start : start + length]
    head, places, outlines = tables["head"], tables["loca"], tables["glyf"]
    is_long = unpack_from(">H", head, 50)[0]
    size, step = ("L", 1) if is_long else ("H", 2)
    starts = [at * step for at in unpack(f">{len(places) // (4 if is_long else 2)}{size}", places)]
    glyphs = [_without_hints(outlines[start:end]) for start, end in pairwise(starts)]
    tables["glyf"] = b"".join(glyphs)
    ends = [0]
    for glyph in glyphs:
        ends.append(ends[-1] + len(glyph))
    tables["loca"] = pack(f">{len(ends)}{size}", *(at // step for at in ends))
    made = TTFontMaker()
    for tag in _KEPT:
        made.add(tag, tables[tag])
    written: bytes = made.makeStream()
    return written


def _without_hints(glyph: bytes) -> bytes:
    """An outline, or a glyph put together from others, without its instructions; of even length."""
    if not glyph:
        return glyph
    contours = unpack_from(">h", glyph)[0]
    if contours >= 0:
        at = 10 + 2 * contours
        glyph = glyph[:at] + b"\0\0" + glyph[at + 2 + unpack_from(">H", glyph, at)[0] :]
    else:
        at, flags = 10, _MORE
        while flags & _MORE:
            flags = unpack_from(">H", glyph, at)[0]
            glyph = glyph[:at] + pack(">H", flags & ~_INSTRUCTED) + glyph[at + 2 :]
            at += 8 if flags & _WORDS else 6
            at += 2 if flags & _SCALED else 4 if flags & _SCALED_TWICE else 8 if flags & _TURNED else 0
        glyph = glyph[:at]
    return glyph + b"\0" * (len(glyph) % 2)
