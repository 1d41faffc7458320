"""A small font made for a file, glyph by glyph; each may stand for several letters, or be drawn of several glyphs.

It reaches behind reportlab's public interface, as ``pdf_objects`` does, and holds for the same versions: reportlab
shows a code only where the font's face knows it, and writes tables of letters in which a code stands for itself.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from reportlab.pdfbase.ttfonts import TTFont, TTFontFace

_FIRST = 0xF0000
"""Where codes begin that no letter has (Unicode's plane 15)."""
_CURVE_ERROR = 0.001
"""How far (in type sizes) a TrueType curve may lie from a PostScript one."""


@dataclass(frozen=True)
class Drawn:
    """What stands under one code: glyphs of the real font, each moved by (x, y), and how wide they are together.

    Lengths are in the font's units. ``meaning`` are the letters that they show.
    """

    glyphs: tuple[tuple[int, int, int], ...]
    width: int
    meaning: str


class MadeFont(TTFont):  # type: ignore[misc]
    """A font to which glyphs are added while pages are drawn; ``draw(glyph, pen)`` draws one of the real font."""

    def __init__(self, name: str, units: int, draw: Callable[[int, Any], None]) -> None:
        self._units, self._draw, self._made_name = units, draw, name
        self._drawn: dict[str, Drawn] = {}
        self._codes: dict[Drawn, str] = {}
        super().__init__(name, self._file([]), asciiReadable=False)

    face: Any

    def code_of(self, glyphs: tuple[tuple[int, int, int], ...], width: int, meaning: str) -> str:
        """The code, one character, for some of the real font's glyphs: each moved by (x, y), so wide together."""
        drawn = Drawn(glyphs, width, meaning)
        code = self._codes.get(drawn)
        if code is None:
            code = self._codes[drawn] = chr(_FIRST + len(self._codes))
            self._drawn[code] = drawn
            self.face.charToGlyph[ord(code)] = 0
            self.face.charWidths[ord(code)] = drawn.width * 1000 / self._units
        return code

    def addObjects(self, doc: Any) -> None:  # noqa: N802 - reportlab's name
        """Write what of the font is in use, with a table that tells readers what its codes mean."""
        parts = [[chr(code) for code in part] for part in self.state[doc].subsets]
        names = [self.getSubsetInternalName(number, doc)[1:] for number in range(len(parts))]
        empty = self.face
        used = sorted({code for part in parts for code in part if code in self._drawn})
        self.face = TTFontFace(self._file(used))
        super().addObjects(doc)
        self.face = empty
        for name, part in zip(names, parts, strict=True):
            table = doc.idToObject[doc.idToObject["BasicFonts"].dict[name].ToUnicode.name]
            table.content = _meanings([self._drawn[code].meaning if code in self._drawn else "" for code in part])

    def _file(self, codes: list[str]) -> io.BytesIO:
        """A TrueType font of these codes."""
        names = {code: f"glyph{number}" for number, code in enumerate(codes)}
        order = [".notdef", *names.values()]
        outlines = {".notdef": TTGlyphPen(None).glyph()} | {
            n: self._outline(self._drawn[c]) for c, n in names.items()
        }
        builder = FontBuilder(self._units, isTTF=True)
        builder.setupGlyphOrder(order)
        builder.setupCharacterMap({ord(code): name for code, name in names.items()})
        builder.setupGlyf(outlines)
        widths = {name: self._drawn[code].width for code, name in names.items()}
        left = {name: getattr(glyph, "xMin", 0) for name, glyph in outlines.items()}
        builder.setupHorizontalMetrics({name: (max(widths.get(name, 0), 0), left[name]) for name in order})
        builder.setupHorizontalHeader(ascent=self._units, descent=-self._units // 4)
        builder.setupNameTable({"psName": self._made_name})
        builder.setupOS2()
        builder.setupPost(keepGlyphNames=False)
        builder.updateHead(created=0, modified=0)
        builder.font.recalcTimestamp = False
        file = io.BytesIO()
        builder.save(file)
        file.seek(0)
        return file

    def _outline(self, drawn: Drawn) -> Any:
        pen = TTGlyphPen(None)
        curves = Cu2QuPen(pen, _CURVE_ERROR * self._units)
        for glyph, x, y in drawn.glyphs:
            self._draw(glyph, TransformPen(curves, (1, 0, 0, 1, x, y)))
        return pen.glyph()


def _meanings(meanings: list[str]) -> str:
    """What each code from 0 on means (a ToUnicode CMap; ISO 32000-1, 9.10.3)."""
    lines = [f"<{code:02X}> <{words.encode('utf-16-be').hex()}>" for code, words in enumerate(meanings) if words]
    blocks = [lines[at : at + 100] for at in range(0, len(lines), 100)]
    said = [line for block in blocks for line in (f"{len(block)} beginbfchar", *block, "endbfchar")]
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
            "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
            "1 begincodespacerange <00> <FF> endcodespacerange",
            *said,
            "endcmap CMapName currentdict /CMap defineresource pop end end",
        ]
    )
