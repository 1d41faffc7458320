"""The games' colours and emblems, as their sheets, reference cards and screens show them."""

from __future__ import annotations

from functools import cache
from typing import Any

from loomtable.engine.kernel.plugins import THEMES, loaded
from loomtable.engine.kernel.system import System
from loomtable.engine.weave.suits import Suit
from loomtable.printkit.components.quick_start_art import HEIGHT as SCENE_HEIGHT
from loomtable.printkit.components.quick_start_art import WIDTH as SCENE_WIDTH
from loomtable.printkit.components.quick_start_art import (
    draw_mnemonic,
    draw_spellwoven,
    draw_storm_weavers,
    draw_weave,
    draw_woven,
)
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import circle, lens, on_circle, polygon, ribbon, rounded, star, svg_path
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.suits import SUIT_COLOURS, draw_suit
from loomtable.printkit.draw.suits import draw_weave as draw_weave_sign


def _weave(pen: Pen, deep: Colour, light: Colour) -> None:
    draw_weave_sign(pen, 0, 0, 19, deep, light)


def _spellwoven(pen: Pen, deep: Colour, light: Colour) -> None:
    """A shield with a sword before it, and a thread wound round the blade."""
    shield = svg_path(
        "M-7.2 7.6 C-3.6 6.6 -1.8 7.2 0 8.6 C1.8 7.2 3.6 6.6 7.2 7.6 C8.0 0.6 5.4 -6.0 0 -9.6 "
        "C-5.4 -6.0 -8.0 0.6 -7.2 7.6 Z"
    )
    pen.solid(shield, deep)
    pen.fill_background(polygon((-0.95, -5.6), (0, -7.8), (0.95, -5.6), (0.95, 3.0), (-0.95, 3.0)), light)
    pen.fill_background(rounded(-3.6, 3.0, 7.2, 1.3, 0.6), light)
    pen.fill_background(rounded(-0.6, 4.2, 1.2, 2.4, 0.4), light)
    pen.fill_background(circle(0, 7.0, 0.95), light)
    for at in range(3):
        y = -4.6 + at * 2.5
        pen.fill_background(
            ribbon([(-3.9, y - 0.9), (-1.2, y - 0.5), (1.3, y + 0.8), (4.0, y + 0.6)], [0, 0.75, 0.75, 0]), light
        )
        pen.solid(ribbon([(-0.9, y - 0.28), (0.9, y + 0.5)], [0.24, 0.24]), deep)


def _storm_weavers(pen: Pen, deep: Colour, light: Colour) -> None:
    """An axe before a whirl of storm."""
    whirl = [on_circle(0, 0, 8.8 - turn * 0.0088, 200 - turn) for turn in range(0, 640, 32)]
    pen.solid(ribbon(whirl, [0, 1.1, 1.4, 1.3, 1.1, 0.9, 0], 3), deep)
    with pen.at(0, 0, turn=-32):
        pen.fill_background(rounded(-1.35, -9.4, 2.7, 18.4, 1.2), light)
        pen.solid(rounded(-0.75, -9.0, 1.5, 17.6, 0.7), deep)
        for flip in (1, -1):
            head = svg_path("M0 7.4 C2.6 6.8 4.4 7.4 6.4 8.8 C7.4 5.8 7.4 2.6 6.4 -0.2 C4.4 1.2 2.6 1.8 0 1.4 Z")
            placed = head if flip == 1 else head.mirrored(0)
            pen.fill_background(placed.scaled(1.08).shifted(0, -0.35), light)
            pen.solid(placed, deep)
            pen.fill_background(lens(flip * 4.9, 4.3, 5.6, 0.6, 90 - flip * 4), light)


def _mnemonic(pen: Pen, deep: Colour, light: Colour) -> None:
    """A spool from which a thread of memory runs out."""
    pen.solid(rounded(-5.4, 5.4, 10.8, 2.2, 1.0), deep)
    pen.solid(rounded(-5.4, -7.6, 10.8, 2.2, 1.0), deep)
    body = svg_path("M-3.6 5.4 C-4.8 2 -4.8 -2 -3.6 -5.4 L3.6 -5.4")
    pen.solid(body.curve(4.8, -2, 4.8, 2, 3.6, 5.4).close(), deep)
    for at in range(6):
        y = -4.3 + at * 1.72
        pen.fill_background(ribbon([(-4.3, y - 0.5), (0, y - 0.2), (4.3, y + 0.6)], [0.1, 0.62, 0.1]), light)
    pen.solid(
        ribbon(
            [(3.9, 4.6), (6.6, 5.0), (8.4, 2.6), (6.9, -0.6), (8.2, -3.8), (9.4, -5.6)], [0.5, 0.9, 0.8, 0.8, 0]
        ),
        deep,
    )
    pen.fill_background(star(0, 6.5, 0.9, 0.35), light)
    pen.fill_background(star(0, -6.5, 0.9, 0.35), light)


def _woven(pen: Pen, deep: Colour, light: Colour) -> None:
    """An open hand's worth of threads crossing in a lozenge, with a star of mana in the middle."""
    for turn in (45, -45):
        with pen.at(0, 0, turn=turn):
            for y in (-4.6, 0.0, 4.6):
                way = [(-9.0, y), (-4.4, y + 0.5), (0, y), (4.4, y - 0.5), (9.0, y)]
                pen.fill_background(ribbon(way, [0.6, 2.0, 2.0, 2.0, 0.6]), light)
                pen.solid(ribbon(way, [0, 1.5, 1.5, 1.5, 0]), deep)
    pen.fill_background(circle(0, 0, 3.9), light)
    pen.solid(star(0, 0, 3.7, 1.3, 8, 90), deep)
    for at in range(4):
        pen.solid(circle(*on_circle(0, 0, 8.6, 45 + at * 90 + 45), 0.8), deep)
    pen.fill_background(circle(0, 0, 0.9), light)


WEAVE = Theme(
    "weave", "Weave", Colour.hex("24405A"), Colour.hex("A8712F"), Colour.hex("DCE5E4"), _weave, draw_weave
)
SPELLWOVEN = Theme(
    "spellwoven",
    "Spellwoven",
    Colour.hex("5E2430"),
    Colour.hex("8A6A2C"),
    Colour.hex("F0DFD2"),
    _spellwoven,
    draw_spellwoven,
)
STORM_WEAVERS = Theme(
    "storm-weavers",
    "Storm Weavers",
    Colour.hex("2F4A55"),
    Colour.hex("9A5B2E"),
    Colour.hex("DDE8EA"),
    _storm_weavers,
    draw_storm_weavers,
)
MNEMONIC = Theme(
    "mnemonic",
    "Mnemonic",
    Colour.hex("443760"),
    Colour.hex("9C5A6C"),
    Colour.hex("E6DFEE"),
    _mnemonic,
    draw_mnemonic,
)
WOVEN = Theme(
    "woven", "Woven", Colour.hex("2C5245"), Colour.hex("A06A2A"), Colour.hex("DFEADF"), _woven, draw_woven
)
_OUTLINED = 12.0
"""Signs of this size (mm) and larger are outlines where ink is saved."""


@cache
def _plain(key: str, title: str, motif: str) -> Theme:
    """The theme of a game that registers none: its motif, in the colours of slate and brass."""

    def emblem(pen: Pen, deep: Colour, light: Colour) -> None:
        with (
            pen.clipped(circle(0, 0, 10)),
            pen.at(0, 0, scale=20 / MOTIF_HEIGHT),
            pen.at(-MOTIF_WIDTH / 2, -MOTIF_HEIGHT / 2),
        ):
            art_named("motifs", motif, title).draw(pen)

    def scene(pen: Pen, theme: Theme) -> None:
        scale = SCENE_HEIGHT / MOTIF_HEIGHT
        with pen.at((SCENE_WIDTH - MOTIF_WIDTH * scale) / 2, 0, scale=scale):
            art_named("motifs", motif, title).draw(pen)

    return Theme(key, title, Colour.hex("33404D"), Colour.hex("8A6A2C"), Colour.hex("E2E6E8"), emblem, scene)


def theme_of(system: System[Any]) -> Theme:
    """How a game's printed things look: the theme registered under its key, or one made from its motif."""
    theme: Theme | None = loaded(THEMES, system.key)
    return theme if theme is not None else _plain(system.key, system.title, system.motif)


def draw_suit_sign(pen: Pen, suit: Suit, x: float, y: float, size: float) -> None:
    """A suit's symbol in its own colours."""
    deep, light = SUIT_COLOURS[suit]
    large = size >= _OUTLINED

    def draw(inner: Pen) -> None:
        with inner.at(0, 0, scale=1 if large else 2):
            draw_suit(inner, suit, 0, 0, 20 if large else 10, deep, light)

    with pen.at(x, y, scale=size / 20):
        pen.place(f"sign-{suit}{'-large' if large else ''}", (-10.5, -10.5, 21, 21), draw)
