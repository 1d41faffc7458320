"""Cards with nothing on them, and pages without their drawings, for tests that look only at where things are."""

from __future__ import annotations

from loomtable.printkit.catalogue import Component
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.sheet.grid import DuplexMode, Grid, grid_for
from loomtable.printkit.sheet.imposition import Page, lay_out
from loomtable.printkit.sheet.papers import CardSize, Paper
from loomtable.printkit.sheet.pieces import Piece, PrintedCard

COIN = CardSize("coin", 25, 25, corner=12.5)
DOMINO = CardSize("domino", 30, 50)


def nothing(pen: Pen) -> None:
    """An empty face."""


def cards(count: int, size: CardSize | None = None) -> list[Piece]:
    return [PrintedCard(None, f"card {at}", nothing, nothing, size) for at in range(count)]


def deck_pages(component: Component, paper: Paper, size: CardSize, sides: DuplexMode) -> tuple[Grid, list[Page]]:
    """The grid and the pages of a component of cards of one size, before anything is drawn."""
    options = PrintSettings(paper, size, sides=sides)
    return grid_for(paper, size), lay_out(component.pieces(options), options)
