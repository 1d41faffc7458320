"""QR codes as vector shapes."""

from __future__ import annotations

from functools import lru_cache

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.draw.palette import BLACK, WHITE
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen, Run, runs_of
from loomtable.printkit.draw.qr import ErrorCorrection, Modules, qr_modules

SYMBOL = 20.0
"""Width of the symbol in mm, without its quiet zone."""
MODULES = 21
QUIET = 4
"""Modules of white around the symbol (ISO/IEC 18004)."""
MODULE = SYMBOL / MODULES
PLATE = SYMBOL + 2 * QUIET * MODULE
"""Width in mm of the white plate: the symbol with its quiet zone, 27.6 mm."""


def modules(code: str) -> Modules:
    """The 21 x 21 modules, top row first; version 1, error correction H, alphanumeric.

    Raises:
        ValueError: the code is too long for that.
    """
    return qr_modules(code, ErrorCorrection.H, version=1)


def draw_code(pen: Pen, card: ComponentId, x: float, y: float) -> None:
    """The card's code on its white plate; (x, y) is the plate's lower left corner."""
    pen.fill_background(rect(x, y, PLATE, PLATE), WHITE)
    with pen.at(x + QUIET * MODULE, y + QUIET * MODULE, scale=MODULE):
        pen.fill_modules(_runs(card.code), BLACK)


@lru_cache(maxsize=512)
def _runs(code: str) -> tuple[Run, ...]:
    return tuple(runs_of(modules(code)))
