"""AprilTags of the family 36h11 as vector shapes: what a camera finds from four times as far as a QR code.

A tag is 8 x 8 modules: six of pattern within a black border. It needs a white module around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from loomtable.engine.kernel.package_data import shipped
from loomtable.printkit.draw.palette import BLACK, WHITE, Colour
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen, Run, runs_of
from loomtable.printkit.errors import UnknownPrintName

TAG_MODULES = 8
TAG_QUIET = 1
"""Modules of white that a tag needs on every side."""
TAGS = 587
"""How many tags the family has."""


def tag_modules(number: int) -> tuple[tuple[bool, ...], ...]:
    """The 8 x 8 modules of a tag, top row first; dark is ``True``.

    Raises:
        UnknownPrintName: the family has no such tag.
    """
    if not 0 <= number < TAGS:
        raise UnknownPrintName(f"there is no AprilTag {number}; the family 36h11 has 0 to {TAGS - 1}")
    inner = f"{int(_codes()[number], 16):036b}"
    rows = ["1" * TAG_MODULES, *(f"1{inner[at : at + 6]}1" for at in range(0, 36, 6)), "1" * TAG_MODULES]
    return tuple(tuple(module == "1" for module in row) for row in rows)


@cache
def _codes() -> list[str]:
    """The family as a file, for OpenCV, which knows it too, needs as much memory as a thousand printed pages."""
    return [code for line in shipped("tags-36h11.txt")[0].splitlines() if line[0] != "#" for code in line.split()]


def draw_tag(pen: Pen, number: int, x: float, y: float, width: float) -> None:
    """Draw tag ``number``, ``width`` mm wide without its white edge; (x, y) is its own lower left corner.

    Raises:
        UnknownPrintName: the family has no such tag.
    """
    module = width / TAG_MODULES
    edge = module * TAG_QUIET
    pen.fill_background(rect(x - edge, y - edge, width + 2 * edge, width + 2 * edge), WHITE)
    with pen.at(x, y, scale=module):
        pen.fill_modules(_runs(number), BLACK)


def draw_corner_tags(
    pen: Pen, numbers: Sequence[int], sheet: tuple[float, float], width: float, inset: float, line: Colour
) -> None:
    """A tag in each corner of a sheet of this width and height, ``inset`` mm from the edges, with a line round it.

    Raises:
        UnknownPrintName: the family has no such tag.
    """
    right, top = sheet[0] - inset - width, sheet[1] - inset - width
    module = width / TAG_MODULES
    for number, (x, y) in zip(numbers, ((inset, top), (right, top), (right, inset), (inset, inset)), strict=True):
        pen.stroke(rect(x - module, y - module, width + 2 * module, width + 2 * module), line, 0.3)
        draw_tag(pen, number, x, y, width)


@lru_cache(maxsize=TAGS)
def _runs(number: int) -> tuple[Run, ...]:
    return tuple(runs_of(tag_modules(number)))
