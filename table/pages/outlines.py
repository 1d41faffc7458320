"""Type as outlines: a picture in a file of its own sees no fonts of the page, so its words are drawn."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from loomtable.printkit.draw.svg import FAMILIES
from loomtable.printkit.draw.type import Font, font_file

_EM = 200
"""Units of an em in which outlines are written: no word of a card is larger than that in pixels."""

_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
_FACES = {(family, weight, style): face for face, (family, _, weight, style) in FAMILIES.items()}


def without_fonts(svg: str) -> str:
    """A drawing of ``loomtable.printkit.draw.svg`` with its words as outlines, so that it needs no font.

    Each letter of a face is drawn once, and used wherever it stands.
    """
    letters: dict[tuple[Font, str], str] = {}
    drawn = _TEXT.sub(lambda found: _as_outlines(found, letters), svg)
    kept = "".join(f'<path id="{name}" d="{_outline(face, glyph)}"/>' for (face, glyph), name in letters.items())
    return drawn.replace("</svg>", f"<defs>{kept}</defs></svg>") if kept else drawn


def _as_outlines(found: re.Match[str], letters: dict[tuple[Font, str], str]) -> str:
    look = dict(_ATTRIBUTE.findall(found[1]))
    family = look["font-family"].split(",")[0]
    face = _FACES[family, int(look.get("font-weight", 400)), look.get("font-style", "normal")]
    glyphs, names, units = open_font(face)
    scale = float(look["font-size"]) / _EM
    spacing = float(look.get("letter-spacing", 0)) / scale
    used, x = [], 0.0
    for character in unescape(found[2]):
        glyph = names.get(ord(character), ".notdef")
        if _outline(face, glyph):
            name = letters.setdefault((face, glyph), f"l{len(letters)}")
            used.append(f'<use href="#{name}" x="{x:.0f}"/>')
        x += glyphs[glyph].width * _EM / units + spacing
    # Words are turned upright where they stand in a sheet whose y grows upwards; outlines have theirs upwards.
    place = f'transform="{look["transform"]} scale({scale:.6f} {-scale:.6f})"'
    return f'<g {place} fill="{look["fill"]}">{"".join(used)}</g>'


@cache
def open_font(face: Font) -> tuple[Any, dict[int, str], float]:
    """A face's glyphs, which are read as they are drawn; the name of each letter's glyph; the units of an em."""
    font = TTFont(font_file(face), lazy=True)
    return font.getGlyphSet(), font.getBestCmap(), float(font["head"].unitsPerEm)


@cache
def _outline(face: Font, glyph: str) -> str:
    """The outline of a glyph, y upwards."""
    glyphs, _, units = open_font(face)
    pen = SVGPathPen(glyphs, ntos=lambda value: f"{value:.0f}")
    glyphs[glyph].draw(TransformPen(pen, (_EM / units, 0, 0, _EM / units, 0, 0)))
    return str(pen.getCommands())
