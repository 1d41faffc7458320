"""Cards of the thirteen weaving dice: a picture and what it is in front, what each band brings behind."""

from __future__ import annotations

import math

from loomtable.engine.mnemonic.almanac import WeavingBand, WeavingDie, band_of, weaving_dice
from loomtable.engine.mnemonic.weaving import INJURING
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.plain_dice import draw_pips
from loomtable.printkit.components.sheet_style import PARCHMENT, draw_cord
from loomtable.printkit.draw.palette import INK, WHITE, Colour
from loomtable.printkit.draw.path import circle, lens, polyline, rect, round_arch, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import Font, fit_line
from loomtable.printkit.games.mnemonic.theme import THEME
from loomtable.printkit.games.mnemonic.weaving_dice_emblems import draw_emblem
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

SIZE = CardSize("tarot", 70.0, 120.0)
_EDGE = 7.0
_GROUNDS = ("24405A", "6E2A32", "2C5245", "443760", "7A4A1E", "1F5673", "5E5A2C")
"""The windows' colours, in turn."""


def draw_die_front(pen: Pen, die: WeavingDie, place: int) -> None:
    """The picture in an arched window, the die's name, and what it is; the lower left corner is the origin.

    Raises:
        TextTooLong: a text does not fit; the message names the card.
    """
    called = f"the weaving die {die.name}"
    deep = Colour.hex(_GROUNDS[place % len(_GROUNDS)])
    _ground(pen)
    _window(pen, die, deep, place)
    middle = SIZE.width / 2
    points = fit_line(die.name, Font.TITLE, SIZE.width - 2 * _EDGE - 4, 21, 12, called)
    pen.text(middle, 41.4, die.name, Font.TITLE, points, INK, align="middle", spacing=0.2)
    pen.solid(lens(middle - 12, 37.6, 20, 0.5), deep)
    pen.solid(lens(middle + 12, 37.6, 20, 0.5), deep)
    pen.solid(circle(middle, 37.6, 0.9), THEME.warm)
    box = (SIZE.width - 2 * _EDGE - 4, 24.0)
    text = set_words(die.says, Font.TEXT_ITALIC, box, 11, 7.5, called)
    text.draw(pen, middle, 22.5 + text.height / 2 - 0.8 * text.step, INK, middle=True)


def _ground(pen: Pen) -> None:
    pen.fill_background(rect(-BLEED, -BLEED, SIZE.width + 2 * BLEED, SIZE.height + 2 * BLEED), PARCHMENT)
    draw_cord(pen, THEME, SIZE.width, SIZE.height, 2.2)


def _window(pen: Pen, die: WeavingDie, deep: Colour, place: int) -> None:
    """A gateway with threads hung across it in waves, and the picture on a light disc before them."""
    middle, foot = SIZE.width / 2, 50.0
    arch = round_arch(middle, foot, 26.5, 84.0, 28.0)
    light = deep.towards(WHITE, 0.82)
    pen.fill_background(arch, deep.towards(WHITE, 0.68))
    with pen.clipped(arch):
        for at in range(26):
            x = middle - 27 + at * 2.16
            bend = [(x + 0.9 * math.sin((y + at * 9 + place * 31) / 7), y) for y in range(48, 118, 6)]
            pen.stroke(polyline(*bend), deep.towards(WHITE, 0.4 if at % 2 else 0.54), 0.32)
        pen.fill_background(circle(middle, 79, 22.4), deep)
        pen.fill_background(circle(middle, 79, 21.6), light)
    with pen.at(middle, 79, scale=0.9):
        draw_emblem(pen, die.key, deep, light)
    pen.stroke(arch, deep, 1.0)
    pen.stroke(round_arch(middle, foot + 1.1, 25.4, 84.0, 26.8), deep.towards(WHITE, 0.5), 0.25)


def draw_die_back(pen: Pen, die: WeavingDie) -> None:
    """The four bands with the faces that bring them, and their texts, to be read aloud.

    Raises:
        TextTooLong: a text does not fit; the message names the card and the band.
    """
    _ground(pen)
    theme = THEME
    left, wide, middle = _EDGE, SIZE.width - 2 * _EDGE, SIZE.width / 2
    pen.text(middle, SIZE.height - _EDGE - 5.2, die.name, Font.TITLE, 14, theme.deep, align="middle", spacing=0.2)
    pen.solid(lens(middle, SIZE.height - _EDGE - 7.4, wide, 0.4), theme.warm)
    top = SIZE.height - _EDGE - 9.2
    tall = (top - _EDGE) / len(WeavingBand)
    texts = {
        band: set_words(
            die.text(band), Font.TEXT, (wide, tall - 6.6), 8.5, 6.5, f"the weaving die {die.name}, {band.label}"
        )
        for band in WeavingBand
    }
    size = min(text.points for text in texts.values())
    for at, band in enumerate(WeavingBand):
        y = top - at * tall
        faces = [face for face in range(1, 7) if band_of(face) is band]
        for place, face in enumerate(faces):
            _die(pen, face, left + place * 5.3, y - 4.9, 4.7, theme.deep)
        pen.text(left + len(faces) * 5.3 + 1, y - 4.1, band.label, Font.TITLE, 11, theme.deep)
        if band in INJURING:
            pen.text(left + wide, y - 3.8, "the suit is injured", Font.LABEL, 6.5, theme.warm, align="right")
        text = set_words(die.text(band), Font.TEXT, (wide, tall), size, size, die.name)
        text.draw(pen, left, y - 6.2 - 0.75 * text.step, INK)
        if at:
            pen.solid(lens(middle, y + 0.6, wide, 0.2), theme.warm)


def _die(pen: Pen, face: int, x: float, y: float, size: float, colour: Colour) -> None:
    """An ordinary die that shows a face, ``size`` mm wide, its lower left corner at (x, y)."""
    pen.fill_background(rounded(x, y, size, size, size * 0.2))
    pen.stroke(rounded(x, y, size, size, size * 0.2), colour, size * 0.06)
    draw_pips(pen, face, x + size / 2, y + size / 2, size)


def cards(options: RenderOptions) -> list[PrintedCard]:
    """A card for each weaving die."""

    def printed(place: int, die: WeavingDie) -> PrintedCard:
        return PrintedCard(
            None,
            f"Weaving die {die.name}",
            front=lambda pen: draw_die_front(pen, die, place),
            back=lambda pen: draw_die_back(pen, die),
            size=SIZE,
            ground=PARCHMENT,
            with_words=True,
        )

    return [printed(place, die) for place, die in enumerate(weaving_dice().values())]
