"""Fonts for every script: HarfBuzz joins, stacks and orders the letters, and says where each glyph stands.

What HarfBuzz makes of letters that belong together - an Arabic letter between its neighbours, a Thai one with its
tone - is drawn once more as one glyph of a small font made for the file. So a line is a plain string of
such glyphs, each as wide as it is set, and each says for which letters it stands: words can be found and copied.
TrueType and PostScript outlines and variable fonts are all good.

HarfBuzz and the fallback fonts come with ``loomtable[scripts]``; without them there are none.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from loomtable.printkit.draw.bidi import mirrored
from loomtable.printkit.errors import FontMissing

FALLBACKS = (
    ("fontpkg_noto_serif", "NotoSerif["),
    ("fontpkg_frank_ruhl_libre", "FrankRuhlLibre"),
    ("fontpkg_noto_sans_arabic", "NotoSansArabic"),
    ("fontpkg_noto_sans_thai", "NotoSansThai"),
    ("fontpkg_noto_sans_devanagari", "NotoSansDevanagari"),
    ("noto_cjk_sans_jp_regular", "NotoSansCJKjp"),
)
"""Package and beginning of the file's name, in the order in which they are asked for a letter."""
_ITALIC = ("fontpkg_noto_serif", "NotoSerif-Italic")
_NEEDED = ("uharfbuzz", "bidi", "budoux")
_REGULAR, _BOLD, _SLANT = 400, 700, 0.2
_EMBOLDEN = 0.025
"""By how much (in type sizes) the strokes of a font without bold letters are thickened for them."""


@dataclass(frozen=True)
class Shaped:
    """Words as they are set: the glyphs from left to right; lengths in type sizes, the ink's from the baseline."""

    codes: str
    width: float
    top: float
    bottom: float


def can_shape() -> bool:
    """Whether what sets all scripts is installed: ``loomtable[scripts]``."""
    return all(importlib.util.find_spec(name) for name in _NEEDED)


def fallback_files(*, italic: bool = False) -> tuple[Path, ...]:
    """The fallback fonts that are installed; those for italic letters differ where a script has such."""
    return _installed(italic) if can_shape() else ()


@cache
def _installed(italic: bool) -> tuple[Path, ...]:
    return tuple(
        path
        for package, beginning in ((_ITALIC, *FALLBACKS) if italic else FALLBACKS)
        if (found := importlib.util.find_spec(package))
        for folder in found.submodule_search_locations or ()
        for path in sorted(Path(folder).rglob(f"{beginning}*"))
        if path.suffix in (".otf", ".ttf")
    )


class ScriptFont:
    """A font file in one look: sets words, and is known to reportlab by ``name``."""

    def __init__(self, path: Path, *, bold: bool, slanted: bool, language: str) -> None:
        # Only who sets such scripts waits for these to load.
        import uharfbuzz as harfbuzz
        from reportlab.pdfbase import pdfmetrics

        from loomtable.printkit.draw.made_font import MadeFont

        face = _face(path)
        made = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        self.path = path
        look = "bold-" * bold + "slanted-" * slanted + f"{language}-" * bool(language)
        self.name = f"{path.stem.split('[')[0]}-{look}{made}"
        self._language = language
        self._font = harfbuzz.Font(face)
        # Of a variable font the lightest weight may be the first.
        axes = {axis.tag: axis.default_value for axis in face.axis_infos}
        if "wght" in axes:
            self._font.set_variations(axes | {"wght": _BOLD if bold else _REGULAR})
        elif bold:
            self._font.synthetic_bold = (_EMBOLDEN, _EMBOLDEN, False)
        if slanted:
            self._font.synthetic_slant = _SLANT
        self._printed = MadeFont(self.name, face.upem, self._font.draw_glyph_with_pen)
        pdfmetrics.registerFont(self._printed)
        self._shaped: dict[tuple[str, bool], Shaped] = {}

    def has(self, letter: str) -> bool:
        """Whether the font has a letter."""
        return bool(self._font.get_nominal_glyph(ord(letter)))

    def shape(self, words: str, *, rtl: bool) -> Shaped:
        """Words that run in one direction, given in the order in which they are read."""
        known = self._shaped.get((words, rtl))
        if known is None:
            known = self._shaped[words, rtl] = self._shape(words, rtl)
        return known

    def _shape(self, words: str, rtl: bool) -> Shaped:
        import uharfbuzz as harfbuzz

        units = self._font.face.upem
        buffer = harfbuzz.Buffer()
        buffer.add_str(words)
        buffer.guess_segment_properties()
        buffer.direction = "rtl" if rtl else "ltr"
        if self._language:
            buffer.language = self._language  # a font has several forms of what several languages write
        harfbuzz.shape(self._font, buffer, {})
        set_glyphs = list(zip(buffer.glyph_infos, buffer.glyph_positions, strict=True))
        starts = sorted({info.cluster for info, _ in set_glyphs})
        ends = dict(pairwise([*starts, len(words)]))
        codes, width, top, bottom = "", 0, 0, 0
        for start, together in groupby(set_glyphs, key=lambda glyph: glyph[0].cluster):
            at = 0
            drawn: list[tuple[int, int, int]] = []
            for info, place in together:
                x, y = at + place.x_offset, place.y_offset
                drawn.append((info.codepoint, x, y))
                at += place.x_advance
                ink = self._font.get_glyph_extents(info.codepoint)
                if ink is not None and ink.height:
                    top = max(top, y + ink.y_bearing)
                    bottom = max(bottom, -(y + ink.y_bearing + ink.height))
            meaning = words[start : ends[start]]
            if rtl and len(meaning) == 1:
                meaning = mirrored(meaning)  # what is seen: readers turn brackets round themselves
            codes += self._printed.code_of(tuple(drawn), at, meaning)
            width += at
        return Shaped(codes, width / units, top / units, bottom / units)


def script_font(path: Path, *, bold: bool = False, slanted: bool = False, language: str = "") -> ScriptFont:
    """The font in a file, always the same one: reportlab knows one of each name.

    ``language`` (``zh-Hans``) chooses among the forms in which different languages write one letter.

    Raises:
        FontMissing: it cannot be used.
    """
    return _script_font(path, path.stat().st_mtime_ns, bold, slanted, language)


@cache
def _script_font(path: Path, changed: int, bold: bool, slanted: bool, language: str) -> ScriptFont:
    return ScriptFont(path, bold=bold, slanted=slanted, language=language)


def _face(path: Path) -> Any:
    import uharfbuzz as harfbuzz

    try:
        face = harfbuzz.Face(harfbuzz.Blob.from_file_path(str(path)))
    except (OSError, harfbuzz.HarfBuzzError) as error:
        raise FontMissing(f"{path}: cannot be read as a font ({error})") from None
    if not len(face.unicodes):
        raise FontMissing(f"{path}: cannot be used as a font (it has no letters)")
    return face
