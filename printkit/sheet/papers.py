"""Papers and card sizes, which are data: ``templates/papers.yaml``. All in millimetres."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.wording import listed
from loomtable.engine.kernel.yamlfile import parse_yaml
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


_MEASURED = re.compile(r"(\d+(?:\.\d+)?)\s*x\s*(\d+(?:\.\d+)?)\s*(mm|cm|in)")
_UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4}
LEAST_CARD, MOST_CARD = 15.0, 400.0
"""The shortest and the longest side of a card of any size (mm)."""
LEAST_PAPER, MOST_PAPER = 70.0, 1_200.0
"""The shortest and the longest side of paper (mm): shorter has no room for margins, longer is no sheet."""


class _PapersFile(msgspec.Struct, forbid_unknown_fields=True):
    """Sizes by their names, and sheets of labels as ``LabelSheet`` takes them, all in mm."""

    title: str
    licence: str
    papers: dict[str, tuple[float, float]]
    card_sizes: dict[str, tuple[float, float]]
    more_card_sizes: dict[str, tuple[float, float]]
    sleeves: dict[str, tuple[float, float]]
    labels: dict[str, tuple[str, float, float, int, int, float, float]]


def parse_papers(text: str, name: str) -> _PapersFile:
    """What the text of a file called ``name`` knows of paper.

    Raises:
        ContentInvalid: it does not hold together; the message names the file and the line.
    """
    return parse_yaml(text, _PapersFile, name)[0]


KNOWN = parse_papers(*shipped("papers.yaml"))
PAPERS: Mapping[str, Paper] = {name.lower(): Paper(name, *size) for name, size in KNOWN.papers.items()}
A4, LETTER, A3 = (PAPERS[name] for name in ("a4", "letter", "a3"))
CARD_SIZES: Mapping[str, CardSize] = {name: CardSize(name, *size) for name, size in KNOWN.card_sizes.items()}
POKER, US_POKER = CARD_SIZES["poker"], CARD_SIZES["us-poker"]
DECK_SIZES = {**CARD_SIZES, **{name: CardSize(name, *size) for name, size in KNOWN.more_card_sizes.items()}}
"""What a deck of one's own may be: also sizes that lie, for which our own faces are not made."""
SLEEVES: Mapping[str, CardSize] = {name: CardSize(name, *size) for name, size in KNOWN.sleeves.items()}
"""Sleeves by the names on their packets, with the card that each holds."""

_Named = TypeVar("_Named")


def paper_named(name: str) -> Paper:
    """The paper of this name, in any case; or of these measures, as ``310x440mm`` or ``8.5x14in``, stood upright.

    Raises:
        UnknownPrintName: there is none.

    >>> from loomtable import PrintSettings, paper_named
    >>> PrintSettings(paper=paper_named("letter")).paper.width
    215.9
    """
    measured = _measured(name)
    if name.strip().lower() in PAPERS or not measured:
        return chosen(name, PAPERS, "paper", "or give its size, as in 310x440mm")
    short, long = sorted(measured)
    if not LEAST_PAPER <= short <= long <= MOST_PAPER:
        why = f"paper is {LEAST_PAPER:g} to {MOST_PAPER:g} mm wide and high, not {short:g} x {long:g} mm"
        raise UnknownPrintName(why)
    return Paper(f"{short:g}x{long:g}mm", short, long)


def deck_size_named(name: str) -> CardSize:
    """The size of a deck of one's own: by name in any case, or of these measures, as ``50x50mm``, width first.

    Raises:
        UnknownPrintName: there is none.
    """
    measured = _measured(name)
    if not measured:
        return chosen(name, DECK_SIZES, "card size", "or give its measures, as in 50x50mm")
    width, height = measured
    if not LEAST_CARD <= min(measured) <= max(measured) <= MOST_CARD:
        why = f"cards are {LEAST_CARD:g} to {MOST_CARD:g} mm wide and high, not {name.strip()[:40]}"
        raise UnknownPrintName(why)
    return CardSize(f"{width:g}x{height:g}mm", width, height)


def _measured(name: str) -> tuple[float, float] | None:
    """Two measures in mm."""
    found = _MEASURED.fullmatch(name.strip().lower())
    if not found:
        return None
    width, height = (round(float(side) * _UNITS[found[3]], 3) for side in (found[1], found[2]))
    return width, height


def card_size_named(name: str) -> CardSize:
    """The card size of this name, in any case.

    Raises:
        UnknownPrintName: there is none.
    """
    return chosen(name, CARD_SIZES, "card size")


def chosen(name: str, known: Mapping[str, _Named], kind: str, else_: str = "") -> _Named:
    """Look a name up, or say which names there are; ``else_`` says what else will do."""
    found = known.get(name.strip().lower())
    if found is None:
        why = f"there is no {kind} {name[:40]!r}; choose from {listed(known)}{f', {else_}' if else_ else ''}"
        raise UnknownPrintName(why)
    return found


@dataclass(frozen=True)
class PaperOptions:
    """What is printed on, and how large cards are; each may be given by its name."""

    paper: Paper = A4
    card_size: CardSize = POKER

    def __post_init__(self) -> None:
        for field, named in (("paper", paper_named), ("card_size", card_size_named)):
            if isinstance(given := getattr(self, field), str):
                object.__setattr__(self, field, named(given))
