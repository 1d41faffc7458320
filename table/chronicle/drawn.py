"""What stands in a chronicle besides type: drawings, dice as they lay, cards side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.wording import listed
from loomtable.engine.systems import card_name
from loomtable.printkit.components.die_faces import FACE_SIZE, draw_face
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.palette import INK, WHITE, Colour
from loomtable.printkit.draw.path import lens, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import fill_lines
from loomtable.printkit.draw.running import Part, beside, stacked
from loomtable.printkit.draw.type import Font, width_of
from loomtable.table.screens import Picture
from loomtable.table.screens.art import art_drawing

DICE_APART = 1.14
"""From die to die, in sizes of a die."""
_CARDS_APART = 3.0
_EDGE, _QUIET = Colour.hex("8A7A5C"), INK.towards(WHITE, 0.38)
_NAME, _ABOVE = 8.8, 3.9
"""Size of a name above dice, in points, and the room that it takes (mm)."""


def picture(name: str, width: float, height: float, theme: Theme, space: float) -> Part:
    """A picture (``motif/loom``) with rounded corners and a fine frame, as wide or as high as there is room."""
    shown = art_drawing(*name.split("/", 1))
    scale = min(width / shown.width, height / shown.height)
    return _framed(shown, f"art-{name}", scale, 2.0 / scale, theme.warm, 0.5, space)


def cards(laid: Sequence[ComponentId], height: float, space: float = 0.0) -> Part:
    """Cards side by side."""
    at, cells = 0.0, []
    for card in laid:
        shown = art_drawing("card", card.short)
        scale = height / shown.height
        cells.append((at, _framed(shown, f"card-{card.short}", scale, 3.0, _EDGE, 0.25 * scale)))
        at += shown.width * scale + _CARDS_APART
    row = beside(*cells, space=space)
    return _described(row, listed([card_name(card) for card in laid]))


def _described(part: Part, words: str) -> Part:
    """A drawing for which a screen reader reads these words."""

    def draw(pen: Pen, x: float, y: float) -> None:
        with pen.described(words):
            part.draw(pen, x, y)

    return replace(part, draw=draw)


def _framed(
    shown: Picture, name: str, scale: float, corner: float, edge: Colour, line: float, space: float = 0.0
) -> Part:
    box = (0, 0, shown.width, shown.height)
    outline = rounded(*box, corner)

    def draw(pen: Pen, x: float, y: float) -> None:
        with pen.at(x, y - shown.height * scale, scale=scale):
            with pen.clipped(outline):
                pen.place(name, box, shown.draw)
            pen.stroke(outline, edge, line / scale)

    return Part(shown.height * scale, draw, space, width=shown.width * scale)


def dice(casts: Sequence[tuple[str, Sequence[tuple[Die, Face]]]], size: float, width: float) -> Part:
    """Casts as they lay, ``size`` mm a die: side by side, each with its name above if there are several."""
    rows = fill_lines(
        (_cast(*cast, size, width) for cast in casts), width, lambda made: made.width, lambda _: 0.55 * size
    )
    assert rows is not None, "a cast is no wider than its room"
    lines = []
    for row in rows:
        starts = [sum(made.width + 0.55 * size for made in row[:at]) for at in range(len(row))]
        lines.append(beside(*zip(starts, row, strict=True), middle=False))
    return stacked(lines)


def _cast(name: str, faces: Sequence[tuple[Die, Face]], size: float, width: float) -> Part:
    step, above = size * DICE_APART, _ABOVE if name else 0.0
    across = max(1, min(len(faces), int((width + step - size) / step)))

    def draw(pen: Pen, x: float, y: float) -> None:
        pen.text(x, y - 2.9, name, Font.LABEL, _NAME, _QUIET)
        for at, (die, face) in enumerate(faces):
            down, right = divmod(at, across)
            with pen.at(x + right * step, y - above - down * step - size, scale=size / FACE_SIZE):
                box = (0, 0, FACE_SIZE, FACE_SIZE)
                pen.place(f"face-{die.value}-{face}", box, partial(draw_face, die=die, face=face))

    wide = min(width, max(across * step, width_of(name, Font.LABEL, _NAME) + 2))
    said = listed([str(face).capitalize() for _, face in faces])
    whole = Part(above + -(-len(faces) // across) * step, draw, width=wide)
    return _described(whole, f"{name}: {said}" if name else said)


def sign(theme: Theme, space: float = 0.0) -> Part:
    """The game's sign between two fine lines."""

    def draw(pen: Pen, x: float, y: float) -> None:
        with pen.at(x + 30, y - 5, scale=0.5):
            theme.emblem(pen, theme.deep, theme.pale)
        for middle in (11, 49):
            pen.solid(lens(x + middle, y - 5, 22, 0.5), theme.warm)

    return Part(10, draw, space, width=60)


def ornament(theme: Theme, space: float = 0.0) -> Part:
    """A small one between what happened and what happened next."""

    def draw(pen: Pen, x: float, y: float) -> None:
        for right, size in ((4, 0.7), (12, 1.2), (20, 0.7)):
            pen.solid(rect(x + right - size / 2, y - 1 - size / 2, size, size), theme.warm)

    return Part(2, draw, space, width=24)
