"""What stands on the faces: numerals in many typefaces and layouts of pips, as tiles of signed distance.

A tile is a square over [-1, 1] × [-1, 1] of a face's own measure (the circle that fits the face has radius 1 for
pips; a numeral's height is 2). Its values are distances to the edge of the paint, inside positive, so that a
renderer can thicken, thin and engrave a mark as it likes.
"""

from __future__ import annotations

import os
import site
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from loomtable.engine.kernel.package_data import package_file

TILE = 64
"""Pixels on a side of a tile."""
SPAN = 0.5
"""Distance, in the tile's measure, at which a value is clipped (0 and 255)."""
_DRAWN = 4
"""Tiles are drawn this many times larger and reduced."""
NUMERALS = tuple(str(n) for n in range(21)) + tuple(f"{n}0" for n in range(10) if n != 1 and n != 2)
"""Strings that are drawn in each typeface; "10" and "20" serve both the d20 and the d100."""
TURNABLE = ("6", "9", "60", "90", "16", "19")
"""Strings that read as another one upside down, and carry a mark on most dice."""
PIP_STYLES, _WESTERN = 16, 10
"""Layouts of pips; the first ten are those of the west."""
Tiles = NDArray[np.uint8]


@dataclass(frozen=True)
class Atlas:
    """All tiles, and where each mark's lies."""

    tiles: Tiles
    """(n, TILE, TILE) 0 to 255, 128 on the paint's edge."""
    places: dict[tuple[str, int, str], int]
    """("pips", style, "1".."6") or ("plain" | "bar" | "dot", typeface number, numeral) → tile."""
    typefaces: int


def typeface_files() -> list[Path]:
    """TrueType files of ours and of the installed font packages, one or two of each family, in a fixed order."""
    ours, given = str(package_file("templates", "fonts")), os.environ.get("LOOMTABLE_FONTS", "")
    places = [*site.getsitepackages(), ours, "/usr/share/fonts/truetype", given]
    by_folder: dict[Path, list[Path]] = {}
    for place in filter(None, places):
        for file in sorted(Path(place).rglob("*.[to]tf")):
            name = file.name.lower()
            if "font" in str(file).lower() and "italic" not in name and "icon" not in name:
                by_folder.setdefault(file.parent, []).append(file)
    chosen: list[Path] = []
    for files in by_folder.values():
        bold = [file for file in files if "bold" in file.name.lower() or "black" in file.name.lower()]
        plain = [file for file in files if file not in bold]
        chosen += plain[:1] + bold[:1]
    return [file for file in chosen if _has_numerals(file)]


def _has_numerals(file: Path) -> bool:
    try:
        font = ImageFont.truetype(str(file), 40)
        masks = [font.getmask(text) for text in ("1", "8", "5")]
    except OSError:
        return False
    sizes = {mask.getbbox() for mask in masks}
    return None not in sizes and len(sizes) > 1 and bytes(masks[1]) != bytes(masks[2])


@lru_cache(maxsize=1)
def atlas(most_typefaces: int = 47) -> Atlas:
    """Every mark in every style, drawn once a process; 47 typefaces nearly fill the 2,048 tiles of any OpenGL."""
    tiles: list[Tiles] = []
    places: dict[tuple[str, int, str], int] = {}
    for style in range(PIP_STYLES):
        for value in range(1, 7):
            places["pips", style, str(value)] = len(tiles)
            tiles.append(_tile(_pips(value, style)))
    files = typeface_files()
    files = [files[k] for k in np.linspace(0, len(files) - 1, min(len(files), most_typefaces)).astype(int)]
    for number, file in enumerate(files):
        font = ImageFont.truetype(str(file), TILE * _DRAWN)
        for text in NUMERALS:
            for mark in ("plain", "bar", "dot") if text in TURNABLE else ("plain",):
                places[mark, number, text] = len(tiles)
                tiles.append(_tile(_numeral(text, font, mark)))
    return Atlas(np.stack(tiles), places, len(files))


def _tile(drawn: Tiles) -> Tiles:
    """The signed distance field of a large drawing (255 painted, 0 bare), reduced to a tile."""
    inside = cv2.distanceTransform(drawn, cv2.DIST_L2, 5)
    outside = cv2.distanceTransform(255 - drawn, cv2.DIST_L2, 5)
    far = (inside - outside) / (drawn.shape[0] / 2)
    small = np.asarray(cv2.resize(far, (TILE, TILE), interpolation=cv2.INTER_AREA))
    return np.asarray(np.clip(128 + small / SPAN * 127, 0, 255).astype(np.uint8))


def _pips(value: int, style: int) -> Tiles:
    """A layout of pips: styles differ in size and spread; some have a large one, rings or a slim six.

    In the east a two may stand straight and near the middle, a one is large, and all pips may keep well away from
    the edges.
    """
    rng = np.random.default_rng([style, 5])
    size = TILE * _DRAWN
    eastern = style >= _WESTERN
    many = PIP_STYLES - _WESTERN if eastern else _WESTERN
    radius = float(np.interp(style % _WESTERN, [0, many - 1], [0.135, 0.25]))
    spread = float(rng.uniform(0.36, 0.56) if eastern else rng.uniform(0.47, 0.62))
    slim = 1.0 if style % 3 else float(rng.uniform(0.72, 0.9))
    nearer = float(rng.uniform(0.6, 0.95))
    if eastern:
        radius = min(radius, 0.42 * spread)  # the three in a row of a six do not touch
        if value in (2, 3):
            spread *= nearer
            radius = min(radius, 0.58 * spread)
    if value == 1 and (style in (3, 7) or eastern):
        radius *= float(rng.uniform(1.2, 2.1)) if eastern else 1.7
    canvas = np.zeros((size, size), np.uint8)
    straight = eastern and value == 2 and style % 3 != 0
    for x, y in [(0.0, -1.0), (0.0, 1.0)] if straight else pip_places(value):
        squeeze = slim if value == 6 else 1.0
        at = (np.array([x * squeeze, y]) * spread + 1) / 2 * size
        centre = (round(float(at[0]) * 16), round(float(at[1]) * 16))
        cv2.circle(canvas, centre, round(radius * size / 2 * 16), 255, -1, cv2.LINE_AA, 4)
        if style in (4, 8):
            cv2.circle(canvas, centre, round(radius * 0.45 * size / 2 * 16), 0, -1, cv2.LINE_AA, 4)
    return np.where(canvas > 127, 255, 0).astype(np.uint8)


def pip_places(value: int) -> list[tuple[float, float]]:
    """Where the pips of a value lie, each coordinate -1, 0 or 1."""
    diagonal = [(-1.0, -1.0), (1.0, 1.0)]
    return {
        1: [(0.0, 0.0)],
        2: diagonal,
        3: [(0.0, 0.0), *diagonal],
        4: [*diagonal, (-1.0, 1.0), (1.0, -1.0)],
        5: [(0.0, 0.0), *diagonal, (-1.0, 1.0), (1.0, -1.0)],
        6: [*diagonal, (-1.0, 1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0)],
    }[value]


def _numeral(text: str, font: ImageFont.FreeTypeFont, mark: str) -> Tiles:
    """A numeral 1.5 units high in the middle of its tile, narrowed where it would be too wide."""
    size = TILE * _DRAWN
    mask = font.getmask(text, mode="L")
    glyph: Tiles = np.frombuffer(bytes(mask), np.uint8).reshape(mask.size[1], mask.size[0])
    box = mask.getbbox() or (0, 0, *mask.size)
    glyph = glyph[box[1] : box[3], box[0] : box[2]]
    high = 0.75 * size
    wide = min(glyph.shape[1] * high / glyph.shape[0], 0.86 * size)
    glyph = np.asarray(cv2.resize(glyph, (max(int(wide), 4), int(high)), interpolation=cv2.INTER_AREA), np.uint8)
    canvas = Image.new("L", (size, size), 0)
    left, top = (size - glyph.shape[1]) // 2, (size - glyph.shape[0]) // 2
    canvas.paste(Image.fromarray(glyph), (left, top))
    pen = ImageDraw.Draw(canvas)
    stroke = 0.055 * size
    if mark == "bar":
        foot = top + glyph.shape[0] + 0.045 * size
        pen.rectangle((left + 0.1 * glyph.shape[1], foot, left + 0.9 * glyph.shape[1], foot + stroke), fill=255)
    elif mark == "dot":
        x, y = min(left + glyph.shape[1] + 0.07 * size, 0.95 * size), top + glyph.shape[0] - 0.04 * size
        pen.ellipse((x - stroke, y - stroke, x + stroke, y + stroke), fill=255)
    return np.where(np.asarray(canvas) > 127, 255, 0).astype(np.uint8)
