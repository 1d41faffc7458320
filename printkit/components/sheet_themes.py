"""How a game's printed things look: as it registers it, or made from its motif."""

from __future__ import annotations

from functools import cache

from loomtable.engine.kernel.plugins import Hook
from loomtable.engine.kernel.system import System
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.components.quick_start_art import HEIGHT as SCENE_HEIGHT
from loomtable.printkit.components.quick_start_art import WIDTH as SCENE_WIDTH
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import circle
from loomtable.printkit.draw.pen import Pen

THEMES: Hook[Theme] = Hook("loomtable.themes")
"""How a game's sheets, covers and quick starts look."""


@cache
def plain_theme(key: str, title: str, motif: str) -> Theme:
    """The theme of what has none of its own: a motif, in the colours of slate and brass."""

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


def theme_of(system: System[object]) -> Theme:
    """How a game's printed things look: the theme registered under its key, or one made from its motif."""
    return THEMES.load(system.key) or plain_theme(system.key, system.title, system.presentation.motif)


def theme_for(key: str) -> Theme:
    """How the printed things of a game look, by its key; or those of no game: a loom, in slate and brass."""
    system = SYSTEMS.get(key)
    return theme_of(system) if system else plain_theme(key, "Loomtable", "loom")
