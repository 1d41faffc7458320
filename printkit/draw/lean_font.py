"""Fonts without their hints: instructions for coarse screens, more than half of a font, which print nothing."""

from __future__ import annotations

import io
from pathlib import Path

from fontTools.ttLib import TTFont

_KEPT = ("head", "hhea", "maxp", "OS/2", "hmtx", "cmap", "loca", "glyf", "name", "post")
_NAMES_KEPT = range(1, 7)
"""Family, style, id, full name, version and PostScript name; the rest are texts that no printer reads."""


def without_hints(path: Path) -> io.BytesIO:
    """The TrueType font in a file, with the same outlines and widths, without what only screens need.

    Raises:
        OSError: the file cannot be read.
        fontTools.ttLib.TTLibError: it is no font.
    """
    font = TTFont(path, lazy=True, recalcBBoxes=False, recalcTimestamp=False)
    for table in list(font.keys()):
        if table not in _KEPT and table != "GlyphOrder":
            del font[table]
    outlines = font["glyf"]
    for name in outlines.keys():  # noqa: SIM118 - a font's table is no dict
        outlines.glyphs[name].trim(remove_hinting=True)
    font["name"].names = [name for name in font["name"].names if name.nameID in _NAMES_KEPT]
    lean = io.BytesIO()
    font.save(lean, reorderTables=None)
    lean.seek(0)
    return lean
