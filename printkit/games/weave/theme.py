"""How the printed things of Weave look: colours, emblem, and the picture of the quick start."""

from __future__ import annotations

from loomtable.printkit.components.quick_start_art import draw_cloth, draw_laid
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.suits import draw_suit


def _scene(pen: Pen, theme: Theme) -> None:
    """Three Story cards, fanned: a Theme, a Location and a Boss."""
    draw_cloth(pen, theme)
    for name, x, y, turn in (
        ("lantern", 21.0, 50.0, 11.0),
        ("mask", 46.0, 42.5, -8.0),
        ("bridge", 24.5, 22.0, 3.0),
    ):
        motif = art_named("motifs", name, "the quick start of Weave")
        draw_laid(pen, x, y, turn, 0.6, (MOTIF_WIDTH, MOTIF_HEIGHT), motif.draw)


THEME = Theme(
    "weave",
    "Weave",
    Colour.hex("24405A"),
    Colour.hex("A8712F"),
    Colour.hex("DCE5E4"),
    lambda pen, deep, light: draw_suit(pen, "weave", 0, 0, 19, deep, light),
    _scene,
)
