"""What a component hands to the print shop: cards, whole pages and large drawings.

Every drawing function takes a :class:`~printkit.draw.pen.Pen` and draws in millimetres, x to the right, y upwards,
the origin in the lower left corner of what it draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.draw.palette import CREAM, Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.sheet.papers import CardSize

Drawing = Callable[[Pen], None]
"""Draws one face. The origin is the lower left corner of the trim (or of the page's area), y upwards, in mm."""


@dataclass(frozen=True)
class PrintedCard:
    """One card, token, coin or standee to cut out: both faces, and what people call it.

    A face is drawn within its trim and ``BLEED`` mm beyond it. ``size`` is the trim; ``None`` takes the size of
    card that was ordered. ``back`` is ``None`` where there is nothing on the other side. ``copies`` is how many of
    it one kit holds. ``back_id`` is the id whose code stands on the back, if another one does. ``ground`` is laid
    under both faces, as far as the bleed. ``outlined`` prints a line round each to cut along, where marks
    in the margin are too far; what is round has one in any case. ``with_words``: a screen reader
    reads the words on it, not its name alone.
    """

    id: ComponentId | None
    name: str
    front: Drawing
    back: Drawing | None = None
    size: CardSize | None = None
    copies: int = 1
    back_id: ComponentId | None = None
    ground: Colour = CREAM
    outlined: bool = False
    with_words: bool = False


@dataclass(frozen=True)
class PrintedPage:
    """One whole sheet of paper, such as a character sheet.

    The origin is the lower left corner of ``page_area(options.paper, landscape)``, which is as much of the paper
    as printers reach beside the settings line; nothing is drawn outside of it. ``together`` puts what is on
    several such pages onto as few as hold it.
    """

    id: ComponentId | None
    name: str
    front: Drawing
    back: Drawing | None = None
    landscape: bool = False
    copies: int = 1
    together: Callable[[Sequence[PrintedPage]], Sequence[PrintedPage]] | None = None


@dataclass(frozen=True)
class LargeDrawing:
    """A picture at true scale, ``width`` x ``height`` mm: one page where it fits, else tiled over several.

    ``least_scale`` below 1 is for pictures whose scale is not played by: they are made that much smaller at the
    most, and only where that saves a page. ``spare_edge`` (mm) is left out all round where that saves one.
    """

    id: ComponentId | None
    name: str
    width: float
    height: float
    draw: Drawing
    copies: int = 1
    least_scale: float = 1.0
    spare_edge: float = 0.0


Piece = PrintedCard | PrintedPage | LargeDrawing
