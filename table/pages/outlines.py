"""Type as outlines: a picture in a file of its own sees no fonts of the page, so its words are drawn."""

from __future__ import annotations

import importlib
import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from loomtable.printkit.draw.svg import FAMILIES
from loomtable.printkit.draw.type import Face

PACKAGES = {
    "Marcellus": "fontpkg_marcellus",
    "Spectral": "fontpkg_spectral",
    "AlegreyaSans": "fontpkg_alegreya_sans",
}
"""Where each family of fonts is installed."""

_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
_FACES = {(family, weight, style): face for face, (family, _, weight, style) in FAMILIES.items()}


def font_file(face: Face) -> Path:
    """The file of a face."""
    package = importlib.import_module(PACKAGES[face.value.split("-")[0]])
    return Path(package.ROOT) / "files" / f"{face.value}.ttf"


def without_fonts(svg: str) -> str:
    """A drawing of ``loomtable.printkit.draw.svg`` with its words as outlines, so that it needs no font."""
    return _TEXT.sub(_as_path, svg)


def _as_path(found: re.Match[str]) -> str:
    look = dict(_ATTRIBUTE.findall(found[1]))
    family = look["font-family"].split(",")[0]
    face = _FACES[family, int(look.get("font-weight", 400)), look.get("font-style", "normal")]
    steps = _outlined(unescape(found[2]), face, float(look["font-size"]), float(look.get("letter-spacing", 0)))
    # Words are turned upright where they stand in a sheet whose y grows upwards; outlines have theirs upwards.
    return f'<path transform="{look["transform"]} scale(1 -1)" fill="{look["fill"]}" d="{steps}"/>'


@cache
def open_font(face: Face) -> tuple[Any, dict[int, str], float]:
    """A face's glyphs, which are read as they are drawn; the name of each letter's glyph; the units of an em."""
    font = TTFont(font_file(face), lazy=True)
    return font.getGlyphSet(), font.getBestCmap(), float(font["head"].unitsPerEm)


@cache
def _outlined(words: str, face: Face, size: float, spacing: float) -> str:
    """The outlines of a line of type that begins at the origin, y upwards."""
    glyphs, letters, units = open_font(face)
    scale = size / units
    pen = SVGPathPen(glyphs, ntos=lambda value: f"{value:.2f}".rstrip("0").rstrip("."))
    x = 0.0
    for character in words:
        glyph = glyphs[letters.get(ord(character), ".notdef")]
        glyph.draw(TransformPen(pen, (scale, 0, 0, scale, x, 0)))
        x += glyph.width * scale + spacing
    return str(pen.getCommands())
