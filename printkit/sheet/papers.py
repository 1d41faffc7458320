"""Papers and card sizes, as data. All in millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from loomtable.engine.kernel.wording import listed
from loomtable.printkit.errors import UnknownPrintName

PRINTER_MARGIN = 5.0
"""What home printers cannot be trusted to reach, on every side of the paper (mm)."""
STRIP = 8.4
"""The outer part (mm) of the widest margin: the printer's margin, then the ruler and the settings line."""
STRIP_MARGIN = 10.4
"""How wide (mm) the margin with ruler and settings line is at least: the strip, clear of the bleed."""
PAGE_SIDE, PAGE_FOOT = 6.5, 10.5
"""Left and right, and above and below, of what is drawn on a whole page (mm): the strip fits below."""
BLEED = 3.0
"""How far a card's ground is printed past its trim, on the outer edges of the block (mm)."""
CORNER = 3.0
"""The radius of a card's rounded corners, unless its size says otherwise (mm)."""
SAFE_ZONE = 3.0
"""How far inside the trim everything that matters stays (mm)."""


@dataclass(frozen=True)
class Paper:
    """A sheet of paper, upright."""

    name: str
    width: float
    height: float


@dataclass(frozen=True)
class CardSize:
    """A finished card; ``corner`` is the radius to which its corners are rounded (mm)."""

    name: str
    width: float
    height: float
    corner: float = CORNER


A4 = Paper("A4", 210.0, 297.0)
LETTER = Paper("Letter", 215.9, 279.4)
A3 = Paper("A3", 297.0, 420.0)
PAPERS: Mapping[str, Paper] = {"a4": A4, "letter": LETTER, "a3": A3}

POKER = CardSize("poker", 63.0, 88.0)
US_POKER = CardSize("us-poker", 63.5, 88.9)
CARD_SIZES: Mapping[str, CardSize] = {
    size.name: size
    for size in (
        POKER,
        US_POKER,
        CardSize("bridge", 57.15, 88.9),
        CardSize("tarot", 70.0, 120.0),
        CardSize("us-tarot", 69.85, 120.65),
        CardSize("mini", 44.0, 68.0),
        CardSize("us-mini", 44.45, 63.5),
        CardSize("japanese", 59.0, 86.0),
        CardSize("square", 70.0, 70.0),
        CardSize("jumbo", 88.9, 139.7),
    )
}
SLEEVES: Mapping[str, CardSize] = {
    size.name: size
    for size in (
        CardSize("standard", 63.0, 88.0),
        CardSize("standard-american", 56.0, 87.0),
        CardSize("standard-european", 59.0, 92.0),
        CardSize("mini-american", 41.0, 63.0),
        CardSize("mini-european", 44.0, 68.0),
        CardSize("small-square", 69.0, 69.0),
        CardSize("oversize-tarot", 70.0, 120.0),
    )
}
"""Sleeves by the names on their packets, with the card that each holds."""

_Named = TypeVar("_Named")


def paper_named(name: str) -> Paper:
    """The paper of this name, in any case.

    Raises:
        UnknownPrintName: there is none.
    """
    return chosen(name, PAPERS, "paper")


def card_size_named(name: str) -> CardSize:
    """The card size of this name, in any case.

    Raises:
        UnknownPrintName: there is none.
    """
    return chosen(name, CARD_SIZES, "card size")


def sleeve_named(name: str) -> CardSize:
    """The card that fits sleeves of this name, in any case.

    Raises:
        UnknownPrintName: there are none.
    """
    return chosen(name, SLEEVES, "kind of sleeve")


def chosen(name: str, known: Mapping[str, _Named], kind: str) -> _Named:
    """Look a name up, or say which names there are."""
    found = known.get(name.strip().lower())
    if found is None:
        raise UnknownPrintName(f"there is no {kind} {name[:40]!r}; choose from {listed(known)}")
    return found
