"""The spells of Woven: name, element, level, the pattern to weave, what it does, room for charges, the code."""

from __future__ import annotations

from functools import partial

from loomtable.engine.woven.spells import SYMBOL, THREAD, Spell, spells
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.card_back import SPELL_BACK
from loomtable.printkit.components.layout import (
    CODE_Y,
    FACE_HEIGHT,
    FACE_WIDTH,
    LEGEND_WIDTH,
    MARGIN,
    FaceRoom,
    centred,
    draw_code_plate,
    draw_corner_tag,
    draw_short_code,
)
from loomtable.printkit.draw.codes import PLATE
from loomtable.printkit.draw.elements import ELEMENT_COLOURS, THREAD_COLOUR, draw_element, draw_thread
from loomtable.printkit.draw.palette import CREAM, INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import circle, lens, polyline, rounded, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import POINT, Font, fit_line
from loomtable.printkit.games.woven.spell_kinds import ART_HEIGHT, ART_WIDTH, draw_spell_kind, kind_of
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

WIDTH = FACE_WIDTH - 2 * MARGIN
_TOP = FACE_HEIGHT - MARGIN
_HEAD = 9.2
"""Height of the band with the name, mm."""
_PANEL_Y = _TOP - _HEAD - 1.4 - ART_HEIGHT
"""Foot of the pattern's panel and of the picture's, mm."""
_TEXT_TOP, _TEXT_FOOT = _PANEL_Y - 1.2, CODE_Y + 27.62 + 0.9
_TEXT_POINTS, _TEXT_LEAST, _TEXT_MOST = 8.5, 6.5, 11.0
_SMALL = 0.85
"""Faces smaller than that part of their usual size have no picture."""
_SMALL_TEXT, _SMALL_CHARGES = 12.0, 8.0
_MOST_CELL = 6.4
_CHARGES = 11.6
"""Height of the box for charges, mm."""


def draw_spell_front(pen: Pen, spell: Spell, size: CardSize, *, tagged: bool = False) -> None:
    """Draw the face of a spell card. The origin is the lower left corner of the trim, in mm.

    ``tagged`` sets an AprilTag into the picture's corner.

    Raises:
        GlyphMissing, TextTooLong: its name or its text cannot be set; the message names the card and the field.
    """
    deep, light = ELEMENT_COLOURS[spell.element]
    called = f"spell card {spell.component.short} ({spell.name})"
    with centred(pen, size) as room:
        with pen.at(0, room.spare):
            _draw_head(pen, spell, deep, light, called)
        if room.scale < _SMALL and not tagged:
            _draw_small(pen, room, spell, deep, light, called)
        else:
            with pen.at(0, room.spare):
                _draw_panels(pen, spell, deep, light)
                if tagged:
                    draw_corner_tag(pen, spell.component, deep, FACE_WIDTH - MARGIN, _PANEL_Y + ART_HEIGHT)
            most, least = room.least(min(_TEXT_POINTS + room.spare * 0.2, _TEXT_MOST)), room.least(_TEXT_LEAST)
            _set_text(pen, spell, (_TEXT_FOOT, _TEXT_TOP + room.spare), most, least, called)
            _draw_foot(pen, room, spell, deep, light)
        draw_code_plate(pen, spell.component, deep)


def _draw_head(pen: Pen, spell: Spell, deep: Colour, light: Colour, called: str) -> None:
    """The band: the element, the name, and the level as that many lozenges."""
    low = pen.style is Style.LOW_INK
    band = rounded(MARGIN, _TOP - _HEAD, WIDTH, _HEAD, 1.6)
    pen.fill(band, deep)
    words = INK if low else light.towards(WHITE, 0.6)
    draw_element(pen, spell.element, MARGIN + 5.2, _TOP - _HEAD / 2, 8.0)
    left, right = MARGIN + 10.6, FACE_WIDTH - MARGIN - 9.4
    points = fit_line(spell.name, Font.TITLE, right - left, 14.5, 8.5, f"{called}, field name")
    pen.text(left, _TOP - _HEAD / 2 - 0.35 * points * POINT, spell.name, Font.TITLE, points, words)
    middle = FACE_WIDTH - MARGIN - 4.8
    pen.text(middle, _TOP - 5.5, str(spell.level), Font.CODE, 13, words, align="middle")
    for at in range(spell.level):
        x = middle + (at - (spell.level - 1) / 2) * 1.9
        pen.solid(lens(x, _TOP - 7.4, 1.7, 0.95, 90), words)


def _draw_panels(pen: Pen, spell: Spell, deep: Colour, light: Colour) -> None:
    kind = kind_of(spell)
    pale = CREAM.towards(light, 0.45)
    for x in (MARGIN, FACE_WIDTH - MARGIN - ART_WIDTH):
        pen.fill_background(rounded(x, _PANEL_Y, ART_WIDTH, ART_HEIGHT, 1.4), pale if x > MARGIN else WHITE)
    half_x, half_y = ART_WIDTH / 2, ART_HEIGHT / 2
    panel = rounded(-half_x, -half_y, ART_WIDTH, ART_HEIGHT, 1.4)
    with pen.at(FACE_WIDTH - MARGIN - half_x, _PANEL_Y + half_y), pen.clipped(panel):
        pen.place(
            f"spell-kind-{kind.name.lower()}-{spell.element}",
            (-half_x, -half_y, ART_WIDTH, ART_HEIGHT),
            lambda inner: draw_spell_kind(inner, kind, deep, light),
        )
    with pen.at(MARGIN + half_x, _PANEL_Y + half_y):
        _draw_pattern(pen, spell, deep, ART_WIDTH)
    for x in (MARGIN, FACE_WIDTH - MARGIN - ART_WIDTH):
        pen.stroke(rounded(x + 0.1, _PANEL_Y + 0.1, ART_WIDTH - 0.2, ART_HEIGHT - 0.2, 1.4), deep, 0.25)


def _draw_pattern(pen: Pen, spell: Spell, deep: Colour, width: float) -> None:
    """The pattern on its grid, ``width`` mm about the origin; cells that do not matter are left open."""
    pattern = spell.pattern
    cell = min(_MOST_CELL, (width - 2.4) / max(pattern.columns, pattern.rows))
    left, top = -pattern.columns * cell / 2, pattern.rows * cell / 2
    line = deep.towards(WHITE, 0.35)
    for row, marks in enumerate(pattern.marks()):
        for column, mark in enumerate(marks):
            x, y = left + (column + 0.5) * cell, top - (row + 0.5) * cell
            if mark == SYMBOL:
                draw_element(pen, spell.element, x, y, cell * 0.84)
            elif mark == THREAD:
                draw_thread(pen, x, y, cell * 0.74)
            else:
                pen.solid(circle(x, y, 0.28), line)
    for column in range(pattern.columns + 1):
        x = left + column * cell
        pen.stroke(polyline((x, top), (x, -top)), line, 0.18)
    for row in range(pattern.rows + 1):
        y = top - row * cell
        pen.stroke(polyline((left, y), (-left, y)), line, 0.18)


def _set_text(pen: Pen, spell: Spell, space: tuple[float, float], most: float, least: float, called: str) -> None:
    """What the spell does, in the middle between two heights (mm above the trim)."""
    foot, top = space
    text = set_words(
        spell.says, Font.TEXT, (WIDTH - 0.8, top - foot), most, min(least, most), f"{called}, field says"
    )
    text.draw(pen, MARGIN + 0.4, (top + foot + text.height) / 2 - text.points * POINT * 0.86, INK)


def _draw_small(pen: Pen, room: FaceRoom, spell: Spell, deep: Colour, light: Colour, called: str) -> None:
    """A card too small for a picture: the words as large as they can be, the pattern beside the code."""
    top = _TOP - _HEAD + room.spare - 1.2
    foot = CODE_Y + PLATE + 0.9
    if spell.takes_charges:
        box = rounded(MARGIN + 0.1, foot, WIDTH - 0.2, _SMALL_CHARGES, 1.4)
        pen.fill_background(box, CREAM.towards(light, 0.5))
        pen.stroke(box, deep, 0.35)
        pen.text(MARGIN + 2, foot + _SMALL_CHARGES / 2 - 1.1, "CHARGES", Font.LABEL_BOLD, room.least(6), deep)
        foot += _SMALL_CHARGES + 0.9
    _set_text(pen, spell, (foot, top), _SMALL_TEXT, room.least(_TEXT_LEAST), called)
    height = PLATE - 6.4
    pen.fill_background(rounded(MARGIN, CODE_Y + 6.4, LEGEND_WIDTH, height, 1.4), WHITE)
    with pen.at(MARGIN + LEGEND_WIDTH / 2, CODE_Y + 6.4 + height / 2):
        _draw_pattern(pen, spell, deep, min(LEGEND_WIDTH, height))
    pen.stroke(rounded(MARGIN + 0.1, CODE_Y + 6.5, LEGEND_WIDTH - 0.2, height - 0.2, 1.4), deep, 0.25)
    draw_short_code(pen, room, spell.component, "SPELL", deep, MARGIN + 0.2, "left")


def _draw_foot(pen: Pen, room: FaceRoom, spell: Spell, deep: Colour, light: Colour) -> None:
    """Beside the code: the box for charges or the kind, what the pattern's marks mean, and the short code."""
    top = CODE_Y + 27.6
    if spell.takes_charges:
        pen.fill_background(
            rounded(MARGIN, top - _CHARGES, LEGEND_WIDTH, _CHARGES, 1.4), CREAM.towards(light, 0.5)
        )
        pen.stroke(
            rounded(MARGIN + 0.1, top - _CHARGES + 0.1, LEGEND_WIDTH - 0.2, _CHARGES - 0.2, 1.4), deep, 0.35
        )
        pen.text(MARGIN + 1.4, top - 2.9, "CHARGES", Font.LABEL_BOLD, room.least(6), deep, spacing=0.2)
        pen.stroke(star(MARGIN + LEGEND_WIDTH / 2, top - 7.1, 3.9, 2.8, 14), deep, 0.22)
        pen.stroke(circle(MARGIN + LEGEND_WIDTH / 2, top - 7.1, 2.1), deep, 0.18)
    else:
        pen.text(MARGIN + 0.2, top - 4.4, kind_of(spell).value, Font.TITLE, 13, deep)
        pen.solid(lens(MARGIN + LEGEND_WIDTH / 2, top - 7.4, LEGEND_WIDTH, 0.35), deep)
    row = top - _CHARGES - 3.1
    draw_element(pen, spell.element, MARGIN + 2.0, row, 3.9)
    pen.text(MARGIN + 4.9, row - 0.8, f"{spell.element.capitalize()} showing", Font.LABEL, room.least(6.5), INK)
    draw_thread(pen, MARGIN + 2.0, row - 4.5, 3.5, THREAD_COLOUR)
    pen.text(MARGIN + 4.9, row - 5.3, "a thread of yours", Font.LABEL, room.least(6.5), INK)
    draw_short_code(pen, room, spell.component, "SPELL", deep, MARGIN + 0.2, "left")


def spell_cards(options: RenderOptions) -> list[PrintedCard]:
    """The 36 spells."""
    front = partial(draw_spell_front, size=options.card_size, tagged=options.tags)
    back = partial(SPELL_BACK.draw, size=options.card_size)
    return [
        PrintedCard(spell.component, spell.name, partial(front, spell=spell), back) for spell in spells().values()
    ]
