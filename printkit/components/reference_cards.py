"""A rules reference card for each game: two sides, for everybody at the table."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.components.reference_blocks import Block, draw_blocks
from loomtable.printkit.components.reference_mnemonic import mnemonic_reference
from loomtable.printkit.components.reference_spellwoven import spellwoven_reference
from loomtable.printkit.components.reference_storm_weavers import storm_weavers_reference
from loomtable.printkit.components.reference_weave import weave_reference
from loomtable.printkit.components.reference_woven import woven_reference
from loomtable.printkit.components.sheet_style import PARCHMENT, Theme, draw_cord, draw_roundel
from loomtable.printkit.components.sheet_themes import THEMES
from loomtable.printkit.draw.path import lens, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Face
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

SIZE = CardSize("reference", 92.0, 126.0, 4.0)
"""Four of them go on A4 and on Letter."""
COPIES = 4
_POINTS, _LEAST = 9.0, 6.75
_EDGE, _HEAD = 7.4, 15.0


REFERENCES = {
    "weave": weave_reference,
    "spellwoven": spellwoven_reference,
    "storm-weavers": storm_weavers_reference,
    "mnemonic": mnemonic_reference,
    "woven": woven_reference,
}
"""Each game's card, by its key; made when it is wanted, for it reads data files."""


def draw_reference(pen: Pen, theme: Theme, blocks: Sequence[Block], words: str) -> None:
    """One side of a card, its lower left corner at the origin.

    Raises:
        TextTooLong: the rules do not fit; the message names the card.
    """
    box = (-BLEED, -BLEED, SIZE.width + 2 * BLEED, SIZE.height + 2 * BLEED)
    pen.place(
        f"reference-{theme.key}-{words.replace(' ', '-')}", box, lambda inner: _side(inner, theme, blocks, words)
    )


def _side(pen: Pen, theme: Theme, blocks: Sequence[Block], words: str) -> None:
    width, height = SIZE.width, SIZE.height
    pen.fill_background(rect(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED), PARCHMENT)
    draw_cord(pen, theme, width, height, 2.4)
    draw_roundel(pen, theme, _EDGE + 5.6, height - _EDGE - 5.6, 5.6)
    pen.text(_EDGE + 13.4, height - _EDGE - 6.2, theme.title, Face.TITLE, 16, theme.deep, spacing=0.2)
    pen.text(_EDGE + 13.5, height - _EDGE - 10.4, words, Face.TEXT_ITALIC, 8.5, theme.warm)
    pen.solid(lens(width / 2, height - _EDGE - 12.9, width - 2 * _EDGE, 0.4), theme.deep)
    box = (_EDGE, _EDGE - 0.4, width - 2 * _EDGE, height - 2 * _EDGE - _HEAD + 1)
    draw_blocks(pen, theme, [box], blocks, _POINTS, _LEAST, f"the reference card of {theme.title}, {words}")


def _component(theme: Theme) -> Component:
    def cards(options: RenderOptions) -> list[PrintedCard]:
        reference = REFERENCES[theme.key]()
        return [
            PrintedCard(
                None,
                f"Reference card of {theme.title}",
                front=lambda pen: draw_reference(pen, theme, reference.front, "the rules in short"),
                back=lambda pen: draw_reference(pen, theme, reference.back, "and more of them"),
                size=SIZE,
                copies=COPIES,
                ground=PARCHMENT,
            )
        ]

    return Component(
        name=f"{theme.key}-reference",
        title=f"{theme.title}: reference card",
        description="The rules in short, with their ids; two sides, four to a kit",
        system=theme.key,
        pieces=cards,
        aliases=("reference-cards",),
    )


PRINTED = tuple(_component(theme) for theme in THEMES.values())
"""What this file prints."""
