"""QR codes as vector shapes."""

from __future__ import annotations

from functools import lru_cache

import qrcode
from qrcode.constants import ERROR_CORRECT_H
from qrcode.util import MODE_ALPHA_NUM, QRData

from engine.kernel.components import ComponentId
from printkit.draw.palette import BLACK, WHITE
from printkit.draw.path import Path, rect
from printkit.draw.pen import Pen

SYMBOL = 20.0
"""Width of the symbol in mm, without its quiet zone."""
MODULES = 21
QUIET = 4
"""Modules of white around the symbol (ISO/IEC 18004)."""
MODULE = SYMBOL / MODULES
PLATE = SYMBOL + 2 * QUIET * MODULE
"""Width in mm of the white plate: the symbol with its quiet zone, 27.6 mm."""


@lru_cache(maxsize=512)
def modules(code: str) -> tuple[tuple[bool, ...], ...]:
    """The 21 x 21 modules, top row first; version 1, error correction H, alphanumeric."""
    symbol = qrcode.QRCode(version=1, error_correction=ERROR_CORRECT_H, border=0)
    symbol.add_data(QRData(code, mode=MODE_ALPHA_NUM))
    symbol.make(fit=False)
    return tuple(tuple(bool(module) for module in row) for row in symbol.get_matrix())


def draw_code(pen: Pen, card: ComponentId, x: float, y: float) -> None:
    """The card's code on its white plate; (x, y) is the plate's lower left corner.

    All modules are one path, made of the outlines of connected rows, so that no hairline can open between them.
    """
    pen.plate(rect(x, y, PLATE, PLATE), WHITE)
    pen.solid(_symbol(card.code).shifted(x + QUIET * MODULE, y + QUIET * MODULE), BLACK)


@lru_cache(maxsize=512)
def _symbol(code: str) -> Path:
    """One outline for the symbol: the dark region's boundary, edge by edge, dark always on the left."""
    dark = modules(code)
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row in range(MODULES):
        for column in range(MODULES):
            if dark[row][column]:
                for start, end in _boundary(dark, row, column):
                    edges.setdefault(start, []).append(end)
    path = Path()
    while edges:
        corners = _loop(edges)
        path.move(*_place(corners[0]))
        for corner in corners[1:]:
            path.line(*_place(corner))
        path.close()
    return path


def _boundary(
    dark: tuple[tuple[bool, ...], ...], row: int, column: int
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    def light(r: int, c: int) -> bool:
        return not (0 <= r < MODULES and 0 <= c < MODULES and dark[r][c])

    left, right, top, bottom = column, column + 1, MODULES - row, MODULES - row - 1
    sides = [
        (light(row + 1, column), ((left, bottom), (right, bottom))),
        (light(row, column + 1), ((right, bottom), (right, top))),
        (light(row - 1, column), ((right, top), (left, top))),
        (light(row, column - 1), ((left, top), (left, bottom))),
    ]
    return [edge for open_side, edge in sides if open_side]


def _loop(edges: dict[tuple[int, int], list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Take one closed loop out of ``edges``, without the corners on straight stretches."""
    start = next(iter(edges))
    corners = [start]
    here = start
    while True:
        ends = edges[here]
        following = ends.pop()
        if not ends:
            del edges[here]
        if len(corners) > 1 and _straight(corners[-2], corners[-1], following):
            corners[-1] = following
        else:
            corners.append(following)
        here = following
        if here == start:
            return corners[:-1]


def _straight(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    return (a[0] == b[0] == c[0]) or (a[1] == b[1] == c[1])


def _place(corner: tuple[int, int]) -> tuple[float, float]:
    return corner[0] * MODULE, corner[1] * MODULE
