"""What the chronicle's pages are made of besides type: drawings, dice as they lay, cards side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.palette import INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import lens, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Face as Face_
from loomtable.printkit.draw.type import width_of
from loomtable.table.pages.art import FACE_SIZE, draw_face
from loomtable.table.screens import Picture
from loomtable.table.screens.art import art_drawing

_CORNER = 2.0
_EDGE = Colour.hex("8A7A5C")
_GAP = 0.14
"""Between dice, as a share of their size."""
DICE_APART = 1 + _GAP
"""From die to die, in sizes of a die."""
_NAME = 8.8
"""Size of a name above dice, in points."""
_QUIET = INK.towards(WHITE, 0.38)


def pen_on(canvas: Any) -> Pen:
    """A pen whose millimetres are those of the canvas as it lies."""
    canvas.scale(mm, mm)
    return Pen(canvas, Style.COLOUR)


class _Drawn(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A drawing in the middle of the column, or at its left; sizes in mm."""

    def __init__(self, width: float, height: float, *, centred: bool = True) -> None:
        super().__init__()
        self.size = (width, height)
        self._centred = centred
        self._left = 0.0

    def wrap(self, avail_width: float, avail_height: float) -> tuple[float, float]:
        self._left = max(0.0, (avail_width - self.size[0] * mm) / 2) if self._centred else 0.0
        return avail_width, self.size[1] * mm

    def draw(self) -> None:
        self.canv.saveState()
        self.canv.translate(self._left, 0)
        self.drawn(pen_on(self.canv))
        self.canv.restoreState()

    def drawn(self, pen: Pen) -> None:
        raise NotImplementedError


class Framed(_Drawn):
    """A picture with rounded corners and a fine frame, as wide or as high as there is room."""

    def __init__(self, picture: Picture, name: str, width: float, height: float, theme: Theme) -> None:
        self._scale = min(width / picture.width, height / picture.height)
        super().__init__(picture.width * self._scale, picture.height * self._scale)
        self._picture, self._name, self._theme = picture, name, theme

    def drawn(self, pen: Pen) -> None:
        frame = rounded(0, 0, *self.size, _CORNER)
        with pen.clipped(frame), pen.at(0, 0, scale=self._scale):
            pen.place(self._name, (0, 0, self._picture.width, self._picture.height), self._picture.draw)
        pen.stroke(frame, self._theme.warm, 0.5)


class CardStrip(_Drawn):
    """Cards side by side; ``width_mm`` is how wide they are."""

    GAP = 3.0

    def __init__(self, cards: Sequence[ComponentId], height: float, *, centred: bool = True) -> None:
        self._cards = [(card.short, art_drawing("card", card.short)) for card in cards]
        self._scales = [height / picture.height for _, picture in self._cards]
        wide = sum(picture.width * scale for (_, picture), scale in zip(self._cards, self._scales, strict=True))
        self.width_mm = wide + self.GAP * (len(cards) - 1)
        super().__init__(self.width_mm, height, centred=centred)

    def drawn(self, pen: Pen) -> None:
        x = 0.0
        for (code, picture), scale in zip(self._cards, self._scales, strict=True):
            outline = rounded(0, 0, picture.width, picture.height, 3)
            with pen.at(x, 0, scale=scale):
                with pen.clipped(outline):
                    pen.place(f"card-{code}", (0, 0, picture.width, picture.height), picture.draw)
                pen.stroke(outline, _EDGE, 0.25)
            x += picture.width * scale + self.GAP


class Dice(Flowable):  # type: ignore[misc]
    """Casts as they lay, ``size`` mm a die: side by side, each with its name above if there are several."""

    _LABEL = 3.9
    """Room for a name above the dice (mm)."""

    def __init__(self, casts: Sequence[tuple[str, Sequence[tuple[Die, Face]]]], size: float) -> None:
        super().__init__()
        self._casts, self._size = casts, size
        self._places: list[tuple[float, float, str, Sequence[tuple[Die, Face]]]] = []
        self._height = 0.0

    def wrap(self, avail_width: float, avail_height: float) -> tuple[float, float]:
        step, room = self._size * DICE_APART, avail_width / mm
        label = self._LABEL if any(name for name, _ in self._casts) else 0.0
        self._places, x, y, widest = [], 0.0, 0.0, 0.0
        for name, faces in self._casts:
            across = max(1, min(len(faces), int((room + self._size * _GAP) / step)))
            wide = max(across * step, width_of(name, Face_.LABEL, _NAME) + 2)
            if x and x + wide > room:
                x, y = 0.0, y + label + step
            for row in range(0, len(faces), across):
                self._places.append((x, y, "" if row else name, faces[row : row + across]))
                y += 0 if row + across >= len(faces) else step + (0 if row else label)
            x += wide + 0.55 * self._size
            widest = max(widest, x)
        self._height = y + label + step
        return min(widest, room) * mm, self._height * mm

    def draw(self) -> None:
        self.canv.saveState()
        pen, step = pen_on(self.canv), self._size * DICE_APART
        label = self._LABEL if any(name for name, _ in self._casts) else 0.0
        for x, y, name, faces in self._places:
            top = self._height - y
            if name:
                pen.text(x, top - 2.9, name, Face_.LABEL, _NAME, _QUIET)
            for at, (die, face) in enumerate(faces):
                with pen.at(x + at * step, top - label - self._size, scale=self._size / FACE_SIZE):
                    box = (0, 0, FACE_SIZE, FACE_SIZE)
                    pen.place(f"face-{die.value}-{face}", box, partial(_draw_face, die, face))
        self.canv.restoreState()


def _draw_face(die: Die, face: Face, pen: Pen) -> None:
    draw_face(pen, die, face)


class Emblem(_Drawn):
    """The game's sign between two fine lines."""

    def __init__(self, theme: Theme, radius: float = 5.0, reach: float = 30.0) -> None:
        super().__init__(2 * reach, 2 * radius)
        self._theme, self._radius, self._reach = theme, radius, reach

    def drawn(self, pen: Pen) -> None:
        theme, radius, reach = self._theme, self._radius, self._reach
        with pen.at(reach, radius, scale=radius / 10):
            theme.emblem(pen, theme.deep, theme.pale)
        for side in (-1, 1):
            long = reach - radius - 3
            pen.solid(lens(reach + side * (radius + 3 + long / 2), radius, long, 0.5), theme.warm)


class Rule(_Drawn):
    """A small ornament between what happened and what happened next."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(24, 2)
        self._theme = theme

    def drawn(self, pen: Pen) -> None:
        for at, size in ((4, 0.7), (12, 1.2), (20, 0.7)):
            pen.solid(rect(at - size / 2, 1 - size / 2, size, size), self._theme.warm)
