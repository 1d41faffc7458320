"""The register of motifs: the pictures on the Story cards, by the name that the deck's file uses.

A motif draws on a panel of ``WIDTH`` x ``HEIGHT`` mm whose origin is the lower left corner. It covers the whole
panel; the card's frame cuts off whatever reaches past it and rounds the two upper corners.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import UnknownMotif

WIDTH = 55.0
HEIGHT = 50.0

Draw = Callable[[Pen], None]


@dataclass(frozen=True)
class Motif:
    """A picture, with the two inks that the card around it takes up: a deep one and a warm one."""

    name: str
    draw: Draw
    deep: Colour
    accent: Colour


_KNOWN: dict[str, Motif] = {}


def motif(name: str, *, deep: str, accent: str) -> Callable[[Draw], Draw]:
    """Register the decorated function as the drawing of a motif; the colours are written ``"1E2A44"``."""

    def register(draw: Draw) -> Draw:
        _KNOWN[name] = Motif(name, draw, Colour.hex(deep), Colour.hex(accent))
        return draw

    return register


def motif_named(name: str, card: str) -> Motif:
    """The motif for a card.

    Raises:
        UnknownMotif: nobody drew it; the message names ``card`` and the motifs there are.
    """
    found = _KNOWN.get(name)
    if found is None:
        raise UnknownMotif(f"{card}: there is no motif {name[:40]!r}; the motifs are {', '.join(sorted(_KNOWN))}")
    return found


def motif_names() -> list[str]:
    """Every motif there is, sorted."""
    return sorted(_KNOWN)
