"""Faces of dice and coins as they lie: for the pages, a chronicle and a quick start; not for a camera."""

from __future__ import annotations

from loomtable.engine.kernel.dice import Die, Face
from loomtable.printkit.components.plain_dice import draw_pips
from loomtable.printkit.draw.facecode import SIDE_COLOURS, draw_symbol
from loomtable.printkit.draw.palette import CREAM, INK, WHITE
from loomtable.printkit.draw.path import Path, circle, on_circle, polygon, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font

FACE_SIZE = 20.0
"""Width and height of a drawn face (mm)."""
_MIDDLE = FACE_SIZE / 2
_SHADE = INK.towards(WHITE, 0.45)


def draw_face(pen: Pen, die: Die, face: Face) -> None:
    """A die or a coin as it lies, in a square of ``FACE_SIZE`` mm."""
    body = _body(die)
    symbolic = die in (Die.WEAVE, Die.COIN)
    deep, light = SIDE_COLOURS[face] if symbolic else (_SHADE, CREAM)
    pen.fill_background(body, light.towards(WHITE, 0.72 if symbolic else 0.4))
    pen.stroke(body, deep, 0.7)
    if die is Die.D4:  # the edge towards whoever looks at it
        pen.stroke(Path().move(9.2, 19.2).line(15, 1), deep, 0.4)
    if symbolic:
        with pen.at(_MIDDLE, _MIDDLE):
            draw_symbol(pen, face, 6.9, deep, light)
    elif die is Die.D6:
        draw_pips(pen, int(face), _MIDDLE, _MIDDLE, 0.95 * FACE_SIZE)
    else:
        _number(pen, die, int(face))


def _body(die: Die) -> Path:
    match die:
        case Die.D6 | Die.WEAVE:
            return rounded(0.8, 0.8, 18.4, 18.4, 3.4)
        case Die.COIN:
            return circle(_MIDDLE, _MIDDLE, 9.4)
        case Die.D4:
            return polygon((9.2, 19.2), (0.6, 3), (15, 1), (19.4, 5.4))
        case Die.D8:
            return polygon((10, 19.4), (1.2, 3.4), (18.8, 3.4))
        case Die.D10 | Die.D100:
            return polygon((10, 19.6), (1, 8.4), (10, 0.6), (19, 8.4))
        case Die.D12:
            return polygon(*(on_circle(_MIDDLE, 9.4, 9.6, 90 + 72 * at) for at in range(5)))
        case Die.D20:
            return polygon(*(on_circle(_MIDDLE, 10, 9.6, 90 + 60 * at) for at in range(6)))


def _number(pen: Pen, die: Die, face: int) -> None:
    """The number, 0 for a d10's 10, a little below the middle where the die is narrow at its top."""
    text = f"{face:02d}" if die is Die.D100 else str(face % 10 if die is Die.D10 else face)
    points = 27 if len(text) == 1 else 22
    lift = {Die.D4: -2.6, Die.D8: -1.2, Die.D10: 0.2}.get(die, 0.0)
    middle = _MIDDLE - (1.6 if die is Die.D4 else 0.0)
    size = points * 25.4 / 72
    foot = _MIDDLE - 0.33 * size + lift
    pen.text(middle, foot, text, Font.LABEL_BOLD, points, INK, align="middle")
    if face in (6, 9):  # told apart as on real dice, by a line under it
        half = 0.24 * size
        pen.stroke(Path().move(middle - half, foot - 1.1).line(middle + half, foot - 1.1), INK, 0.6)
