"""Cards with nothing on them, for tests that look only at where things lie."""

from __future__ import annotations

from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import Piece, PrintedCard

COIN = CardSize("coin", 25, 25, corner=12.5)
DOMINO = CardSize("domino", 30, 50)


def nothing(pen: Pen) -> None:
    """An empty face."""


def cards(count: int, size: CardSize | None = None) -> list[Piece]:
    return [PrintedCard(None, f"card {at}", nothing, nothing, size) for at in range(count)]
