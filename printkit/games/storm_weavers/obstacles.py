"""What stands in the way on a combat map, seen from above: walls, pillars, benches, water.

Each function fills a box (left, bottom, width, height in mm); a map names obstacles in its legend by these words.
Any other word is drawn as a hatched block with the word on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from loomtable.printkit.draw.palette import WHITE, Colour
from loomtable.printkit.draw.path import (
    arc,
    blob,
    circle,
    ellipse,
    lens,
    on_circle,
    polyline,
    rect,
    ribbon,
    rounded,
    smooth,
    star,
)
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.type import Face, fit_lines

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


def draw_pillar(pen: Pen, box: Box) -> None:
    """A round pillar on a square base."""
    x, y, width, height = box
    size, middle_x, middle_y = min(width, height), x + width / 2, y + height / 2
    half = size * 0.42
    pen.fill(rounded(middle_x - half, middle_y - half, 2 * half, 2 * half, 1.2), _SHADE)
    pen.fill(circle(middle_x, middle_y, size * 0.37), _STONE)
    for turn in range(0, 360, 30):
        px, py = on_circle(middle_x, middle_y, size * 0.315, turn)
        pen.solid(lens(px, py, size * 0.1, size * 0.025, turn), _DARK)
    pen.stroke(circle(middle_x, middle_y, size * 0.24), _DARK, 0.35)
    pen.fill(circle(middle_x, middle_y, size * 0.2), _STONE.towards(WHITE, 0.3))


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


def draw_brazier(pen: Pen, box: Box) -> None:
    """A bowl of fire on three feet."""
    x, y, width, height = box
    size, middle_x, middle_y = min(width, height), x + width / 2, y + height / 2
    for turn in (90, 210, 330):
        fx, fy = on_circle(middle_x, middle_y, size * 0.38, turn)
        pen.fill(circle(fx, fy, size * 0.075), _DARK)
    pen.fill(circle(middle_x, middle_y, size * 0.36), _DARK)
    pen.fill(circle(middle_x, middle_y, size * 0.3), _FIRE)
    pen.fill(star(middle_x, middle_y, size * 0.29, size * 0.14, 9, 75), _EMBER)
    pen.fill(star(middle_x, middle_y, size * 0.15, size * 0.07, 7, 60), WHITE)


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


def draw_bell(pen: Pen, box: Box) -> None:
    """A great bell seen from above: rim, shoulder, crown and clapper strap."""
    x, y, width, height = box
    size, middle_x, middle_y = min(width, height), x + width / 2, y + height / 2
    pen.fill(circle(middle_x, middle_y, size * 0.46), _DARK)
    for share, colour in ((0.44, _BRONZE), (0.36, _BRONZE.towards(_DARK, 0.35)), (0.33, _BRONZE), (0.2, _SHINE)):
        pen.fill(circle(middle_x, middle_y, size * share), colour)
    for turn in range(0, 360, 20):
        px, py = on_circle(middle_x, middle_y, size * 0.4, turn)
        pen.solid(lens(px, py, size * 0.045, size * 0.016, turn + 90), _DARK)
    pen.stroke(arc(middle_x, middle_y, size * 0.28, 110, 205), _SHINE, size * 0.016)
    beam = size * 0.07
    pen.fill(rounded(middle_x - size * 0.48, middle_y - beam / 2, size * 0.96, beam, beam / 3), _BARK)
    pen.fill(circle(middle_x, middle_y, beam * 0.8), _DARK)


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
            _draw_crown(pen, x + (column + 0.5) * size, y + (row + 0.5) * size, size)


def _draw_crown(pen: Pen, middle_x: float, middle_y: float, size: float) -> None:
    for ring, (reach, radius) in enumerate(((0.29, 0.16), (0.16, 0.15), (0.0, 0.16))):
        for turn in range(0, 360, 45 if ring == 0 else 72):
            px, py = on_circle(middle_x, middle_y, size * reach, turn + ring * 20)
            pen.fill(circle(px, py, size * radius), _LEAF.towards(_SHADOW, 0.6 - 0.3 * ring))
    for turn in range(0, 360, 40):
        pen.solid(lens(*on_circle(middle_x, middle_y, size * 0.26, turn), size * 0.09, 0.5, turn), _SHADOW)


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


def draw_lamp(pen: Pen, box: Box) -> None:
    """A great lamp seen from above: a brass rim with struts, the flame's place in the middle."""
    x, y, width, height = box
    size, middle_x, middle_y = min(width, height), x + width / 2, y + height / 2
    pen.fill(circle(middle_x, middle_y, size * 0.45), _DARK)
    pen.fill(circle(middle_x, middle_y, size * 0.42), _BRONZE)
    pen.fill(circle(middle_x, middle_y, size * 0.35), _SHADE)
    for turn in range(0, 360, 60):
        px, py = on_circle(middle_x, middle_y, size * 0.27, turn)
        pen.solid(lens(px, py, size * 0.2, size * 0.035, turn), _SHINE)
    pen.fill(circle(middle_x, middle_y, size * 0.15), _BRONZE)
    pen.fill(star(middle_x, middle_y, size * 0.12, size * 0.06, 6), _DARK)


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
    lines, points = fit_lines(word, Face.LABEL_BOLD, width - 6, 9, 5, 2, called)
    step = points * 25.4 / 72 * 1.15
    high = step * len(lines) + 1.6
    pen.fill_background(rounded(x + 2.6, y + (height - high) / 2, width - 5.2, high, 1), WHITE)
    for number, line in enumerate(lines):
        baseline = y + height / 2 + step * (len(lines) / 2 - number - 0.8)
        pen.text(x + width / 2, baseline, line, Face.LABEL_BOLD, points, _DARK, align="middle")


OBSTACLES: dict[str, Callable[[Pen, Box], None]] = {
    "wall": draw_wall,
    "parapet": draw_wall,
    "pillar": draw_pillar,
    "column": draw_pillar,
    "trough": draw_water,
    "water": draw_water,
    "well": draw_pit,
    "pit": draw_pit,
    "brazier": draw_brazier,
    "fire": draw_brazier,
    "bench": draw_bench,
    "table": draw_bench,
    "crate": draw_crate,
    "bell": draw_bell,
    "lamp": draw_lamp,
    "tree": draw_tree,
    "rock": draw_rock,
}
"""The words that have a picture."""
