"""Pictures on the pages, from the drawings of the printed kit: dice faces, and a motif for each game."""

from __future__ import annotations

import re
from functools import cache

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.system import System
from loomtable.printkit.components.die_faces import FACE_SIZE, draw_face
from loomtable.printkit.draw.svg import drawn_as_svg
from loomtable.table.choices.taking import face_key
from loomtable.table.screens.art import art


def picture(kind: str, name: str) -> str:
    """A picture as an SVG file: every kind of the screens' art, and ``sheet`` ``dice``.

    Raises:
        NoSuchPicture: there is none.
    """
    if kind == "sheet" and name == "dice":
        return dice_sheet()
    return art(kind, name)


@cache
def dice_sheet() -> str:
    """Every face of every die in one file, each under its name (``weave-flames``, ``d6-4``)."""
    symbols = [
        f'<symbol id="{face_key(die, face)}" viewBox="0 0 20 20">{_face(die, face)}</symbol>'
        for die in Die
        for face in die.faces
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


def system_picture(system: System[object]) -> str:
    """The address of the picture of a game."""
    return f"/art/motif/{system.presentation.motif}.svg"


def _face(die: Die, face: Face) -> str:
    """One face in a square of 20 mm, to stand within a symbol."""
    drawn = drawn_as_svg(
        lambda pen: draw_face(pen, die, face), FACE_SIZE, FACE_SIZE, prefix=f"{face_key(die, face)}-"
    )
    return re.sub(r"^<svg[^>]*>|</svg>$", "", drawn)
