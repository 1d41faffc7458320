"""What stands in the way on a combat map, seen from above: walls, pillars, benches, water.

Each function fills a box (left, bottom, width, height in mm); a map names obstacles in its legend by these words.
Any other word is drawn as a hatched block with the word on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import WHITE, Colour
from loomtable.printkit.draw.path import (
    blob,
    ellipse,
    lens,
    polyline,
    rect,
    ribbon,
    rounded,
    smooth,
)
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.type import POINT, Face, fit_lines

_STONE, _SHADE, _DARK = Colour.hex("8D8478"), Colour.hex("6E665C"), Colour.hex("3E3931")
_WOOD, _PLANK, _BARK = Colour.hex("B88A57"), Colour.hex("A27544"), Colour.hex("5F4125")
_WATER, _WAVE = Colour.hex("7FA7B5"), Colour.hex("4F7C8D")
_BRONZE, _SHINE = Colour.hex("A9803D"), Colour.hex("E2C27C")
_FIRE, _EMBER = Colour.hex("D9772E"), Colour.hex("F4C95D")
_LEAF, _SHADOW = Colour.hex("6F8B57"), Colour.hex("48603A")


def draw_wall(pen: Pen, box: Box) -> None:
    """Courses of dressed stone."""
    x, y, width, height = box
    pen.fill(rect(x, y, width, height), _SHADE)
    rows = max(2, round(height / 8.4))
    high = height / rows
    for row in range(rows):
        blocks = max(1, round(width / 12.5))
        wide = width / blocks
        shift = wide / 2 if row % 2 else 0.0
        for block in range(blocks + bool(row % 2)):
            left = max(x, x + block * wide - shift)
            right = min(x + width, x + (block + 1) * wide - shift)
            if right - left > 1.4:
                tone = _STONE.towards(WHITE, 0.06 * ((row * 3 + block * 5) % 4))
                pen.fill(rounded(left + 0.5, y + row * high + 0.5, right - left - 1, high - 1, 0.9), tone)


def draw_water(pen: Pen, box: Box) -> None:
    """Water between stone rims."""
    x, y, width, height = box
    pen.fill(rounded(x + 1.2, y + 1.2, width - 2.4, height - 2.4, 2.4), _STONE)
    pen.fill(rounded(x + 3.4, y + 3.4, width - 6.8, height - 6.8, 1.6), _WATER)
    with pen.clipped(rounded(x + 3.4, y + 3.4, width - 6.8, height - 6.8, 1.6)):
        for row in range(int(height / 5)):
            level = y + 6 + row * 5
            start = x + 1 + (row % 2) * 3.5
            points = [
                (start + step * 3.5, level + (0.9 if step % 2 else -0.3)) for step in range(int(width / 3.5) + 1)
            ]
            if len(points) > 2:
                pen.stroke(smooth(points), _WAVE, 0.45)


def draw_bench(pen: Pen, box: Box) -> None:
    """Planks along the longer side."""
    x, y, width, height = box
    pen.fill(rounded(x + 2, y + 2, width - 4, height - 4, 1.4), _BARK)
    along = width >= height
    across = height if along else width
    planks = max(2, round((across - 5) / 6))
    wide = (across - 5.4) / planks
    for plank in range(planks):
        at = 2.7 + plank * wide
        left, bottom = (x + 2.7, y + at) if along else (x + at, y + 2.7)
        size = (width - 5.4, wide - 0.5) if along else (wide - 0.5, height - 5.4)
        pen.fill(rounded(left, bottom, *size, 0.5), _WOOD if plank % 2 else _PLANK)
        grain = (left + size[0] / 2, bottom + size[1] / 2)
        pen.solid(lens(*grain, max(size) * 0.5, 0.3, 0 if along else 90), _BARK)


def draw_crate(pen: Pen, box: Box) -> None:
    """A wooden crate with crossed slats."""
    x, y, width, height = box
    draw_bench(pen, box)
    for ends in (
        ((x + 3, y + 3), (x + width - 3, y + height - 3)),
        ((x + 3, y + height - 3), (x + width - 3, y + 3)),
    ):
        pen.stroke(polyline(*ends), _BARK, 2.0)
        pen.stroke(polyline(*ends), _WOOD, 1.2)


def draw_tree(pen: Pen, box: Box) -> None:
    """Crowns of leaves, one for every square."""
    x, y, width, height = box
    size = min(width, height)
    for column in range(round(width / size)):
        for row in range(round(height / size)):
            _draw_art(pen, "crown", (x + column * size, y + row * size, size, size))


def draw_rock(pen: Pen, box: Box) -> None:
    """A boulder."""
    x, y, width, height = box
    middle_x, middle_y = x + width / 2, y + height / 2
    reach = [0.43, 0.36, 0.45, 0.4, 0.34, 0.44, 0.38, 0.41]
    points = [
        (middle_x + width * r * math.cos(k * math.pi / 4), middle_y + height * r * math.sin(k * math.pi / 4))
        for k, r in enumerate(reach)
    ]
    pen.fill(blob(*points), _SHADE)
    inner = [(middle_x + (px - middle_x) * 0.7 - 0.8, middle_y + (py - middle_y) * 0.7 + 1) for px, py in points]
    pen.fill(blob(*inner), _STONE)
    pen.solid(ribbon([inner[1], (middle_x, middle_y), inner[5]], [0, 0.7, 0]), _DARK)


def draw_pit(pen: Pen, box: Box) -> None:
    """A hole with a broken edge."""
    x, y, width, height = box
    for share, tone in ((0.46, _SHADE), (0.4, _DARK.towards(_SHADE, 0.4)), (0.32, _DARK)):
        pen.fill(ellipse(x + width / 2, y + height / 2, width * share, height * share), tone)


def _draw_art(pen: Pen, name: str, box: Box) -> None:
    """The picture of this name in the middle of a box, as large as it fits."""
    art = art_named("obstacles", name)
    x, y, width, height = box
    with pen.at(x + width / 2, y + height / 2, scale=min(width, height) / art.box[2]):
        art.draw(pen)


def _art(name: str) -> Callable[[Pen, Box], None]:
    return lambda pen, box: _draw_art(pen, name, box)


def draw_unknown(pen: Pen, box: Box, word: str, called: str) -> None:
    """A hatched block with its name on it, for whatever has no picture of its own.

    Raises:
        TextTooLong, GlyphMissing: the word cannot be set; ``called`` says on what.
    """
    x, y, width, height = box
    pen.fill(rounded(x + 1.5, y + 1.5, width - 3, height - 3, 2), _STONE.towards(WHITE, 0.35))
    with pen.clipped(rounded(x + 1.5, y + 1.5, width - 3, height - 3, 2)):
        for hatch in range(int((width + height) / 3.2)):
            at = x + hatch * 3.2
            pen.stroke(polyline((at, y), (at - height, y + height)), _STONE, 0.35)
    lines, points = fit_lines(word, Face.LABEL_BOLD, width - 6, 9, 6, 2, called)
    step = points * POINT * 1.15
    high = step * len(lines) + 1.6
    pen.fill_background(rounded(x + 2.6, y + (height - high) / 2, width - 5.2, high, 1), WHITE)
    for number, line in enumerate(lines):
        baseline = y + height / 2 + step * (len(lines) / 2 - number - 0.8)
        pen.text(x + width / 2, baseline, line, Face.LABEL_BOLD, points, _DARK, align="middle")


OBSTACLES: dict[str, Callable[[Pen, Box], None]] = {
    "wall": draw_wall,
    "parapet": draw_wall,
    "pillar": _art("pillar"),
    "column": _art("pillar"),
    "post": _art("pillar"),
    "trough": draw_water,
    "water": draw_water,
    "brine": draw_water,
    "well": draw_pit,
    "pit": draw_pit,
    "brazier": _art("brazier"),
    "fire": _art("brazier"),
    "bench": draw_bench,
    "table": draw_bench,
    "crate": draw_crate,
    "bell": _art("bell"),
    "lamp": _art("lamp"),
    "tree": draw_tree,
    "rock": draw_rock,
}
"""The words that have a picture."""
