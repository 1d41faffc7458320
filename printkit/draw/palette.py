"""Colours, and how each of the three printing styles turns them into ink."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Colour(NamedTuple):
    """Red, green and blue, each 0 to 1."""

    red: float
    green: float
    blue: float

    @classmethod
    def hex(cls, code: str) -> Colour:
        """``Colour.hex("F7F0E1")``."""
        return cls(*(int(code[at : at + 2], 16) / 255 for at in (0, 2, 4)))

    @property
    def luminance(self) -> float:
        """How light it looks, 0 to 1 (Rec. 709 weights on the printed values)."""
        return 0.2126 * self.red + 0.7152 * self.green + 0.0722 * self.blue

    def towards(self, other: Colour, share: float) -> Colour:
        """The mixture with ``share`` (0 to 1) of ``other``."""
        return Colour(*(a + (b - a) * share for a, b in zip(self, other, strict=True)))


class Style(StrEnum):
    """How much ink a card takes."""

    COLOUR = "colour"
    LOW_INK = "low-ink"
    GREY = "grey"


WHITE = Colour(1, 1, 1)
BLACK = Colour(0, 0, 0)
CREAM = Colour.hex("F8F1E2")
INK = Colour.hex("221F2E")


def in_style(colour: Colour, style: Style) -> Colour:
    """The colour that is really printed: itself, its grey, or (for lines of the low-ink style) dark ink."""
    if style is Style.COLOUR:
        return colour
    if style is Style.GREY:
        grey = colour.luminance
        return Colour(grey, grey, grey)
    return INK if colour.luminance > 0.02 else colour
