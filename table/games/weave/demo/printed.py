"""Cards and dice as they are printed, as pictures beside the demo's page and before its virtual camera."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.ring_codes import DICE_NUMBERS, RingMark
from loomtable.printkit.games.weave.weave_die import EDGE, draw_weave_side
from loomtable.printkit.raster import Picture, card_faces, picture_of
from loomtable.testing.virtual.printed_die import PrintedDie
from loomtable.vision.pictures import write_picture

SIDE_DPI = 254
CARD_DPI = 110


def weave_side(number: int, face: Face) -> Picture:
    """A side of Weave die ``number`` (RGB)."""
    mark = RingMark(Die.WEAVE, number, face)
    return picture_of(lambda pen: draw_weave_side(pen, mark, EDGE), EDGE, EDGE, SIDE_DPI)


@cache
def weave_sides(number: int) -> tuple[Picture, ...]:
    """The six sides of Weave die ``number`` (RGB), in the order of its faces."""
    return tuple(weave_side(number, face) for face in Die.WEAVE.faces)


def paper_die(number: int, value: int) -> PrintedDie:
    """Weave die ``number``, folded from paper; ``value`` 1 to 6 is the place of its face among all faces."""
    return PrintedDie(
        value,
        size_mm=EDGE,
        body=(240, 238, 232),
        edge_mm=0.35,
        corner=0.0,
        gloss=0.05,
        sides=weave_sides((number - 1) % DICE_NUMBERS + 1),
        side_mm=EDGE,
        corner_mm=0.1,
    )


def card_picture(card: ComponentId, home: Path) -> str:
    """The front of a card beside the page; written where it is not there yet. Returns the name of the file."""
    name = f"card-{card.short}.jpg"
    if not (home / name).exists():
        _write(home / name, card_faces(f"{card.kind}-cards", CARD_DPI, only=[card])[card])
    return name


def die_picture(die: Die, face: Face, home: Path) -> str:
    """A face of a Weave die beside the page, likewise."""
    name = f"{die.value}-{face}.png"
    if not (home / name).exists():
        _write(home / name, weave_sides(1)[Die.WEAVE.faces.index(face)])
    return name


def _write(path: Path, picture: Picture) -> None:
    write_picture(path, np.ascontiguousarray(picture[:, :, ::-1]))
