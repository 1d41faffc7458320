"""The session zero card: what to settle before the first evening, and how anybody stops it."""

from __future__ import annotations

from functools import partial

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.reference import read_reference
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.reference_cards import COPIES, SIZE, draw_reference
from loomtable.printkit.components.sheet_style import PARCHMENT
from loomtable.printkit.components.sheet_themes import plain_theme
from loomtable.printkit.sheet.pieces import PrintedCard


def cards(options: RenderOptions) -> list[PrintedCard]:
    """The card, as often as a table needs it."""
    says = read_reference(package_file("templates", "session-zero.yaml"), {})
    theme = plain_theme("session-zero", "Session zero", "empty-chair")
    sides = (says.front, "before you begin"), (says.back, "at any time, anybody")
    front, back = (partial(draw_reference, theme=theme, blocks=blocks, words=words) for blocks, words in sides)
    card = PrintedCard(
        None, "Session zero card", front, back, size=SIZE, copies=COPIES, ground=PARCHMENT, with_words=True
    )
    return [card]
