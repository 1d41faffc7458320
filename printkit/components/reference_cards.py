"""A rules reference card for each game: two sides, for everybody at the table."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.reference import Block
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.reference_blocks import draw_blocks
from loomtable.printkit.components.sheet_style import PARCHMENT, Theme, draw_cord, draw_roundel
from loomtable.printkit.components.sheet_themes import theme_of
from loomtable.printkit.draw.path import lens, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

SIZE = CardSize("reference", 92.0, 126.0, 4.0)
"""Four of them go on A4 and on Letter."""
COPIES = 4
_POINTS, _LEAST = 9.0, 6.75
_EDGE, _HEAD = 7.4, 15.0


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
    pen.text(_EDGE + 13.4, height - _EDGE - 6.2, theme.title, Font.TITLE, 16, theme.deep, spacing=0.2)
    pen.text(_EDGE + 13.5, height - _EDGE - 10.4, words, Font.TEXT_ITALIC, 8.5, theme.warm)
    pen.solid(lens(width / 2, height - _EDGE - 12.9, width - 2 * _EDGE, 0.4), theme.deep)
    box = (_EDGE, _EDGE - 0.4, width - 2 * _EDGE, height - 2 * _EDGE - _HEAD + 1)
    draw_blocks(pen, theme, [box], blocks, _POINTS, _LEAST, f"the reference card of {theme.title}, {words}")


def cards(key: str, options: RenderOptions) -> list[PrintedCard]:
    """The card of a game, by its key."""
    system = SYSTEMS[key]
    assert system.rules_in_short is not None
    theme, reference = theme_of(system), system.rules_in_short()
    return [
        PrintedCard(
            None,
            f"Reference card of {theme.title}",
            front=lambda pen: draw_reference(pen, theme, reference.front, "the rules in short"),
            back=lambda pen: draw_reference(pen, theme, reference.back, "and more of them"),
            size=SIZE,
            copies=COPIES,
            ground=PARCHMENT,
            with_words=True,
        )
    ]
