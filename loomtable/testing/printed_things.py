"""What is printed, as the virtual table lays it down: every card, counter, figure and map by its code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.components.coin_token import COIN, draw_coin_side
from loomtable.printkit.components.figure import STANDEE
from loomtable.printkit.raster import picture_of
from loomtable.printkit.sheet.papers import POKER
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedCard, PrintedPage
from loomtable.vision.pictures import BgrImage
from loomtable.vision.virtual.lens import ImpossibleScene

_DPI = 170


@dataclass(frozen=True, eq=False)
class PrintedThing:
    """Both sides of something flat, cut out: RGB pictures, its size and the rounding of its corners in mm."""

    front: BgrImage
    back: BgrImage
    width: float
    height: float
    corner: float
    id: ComponentId | None = None


def code_of(name: str) -> ComponentId:
    """The code of a card, a map or a figure, or of the answer card that says this.

    Raises:
        UnknownComponent: there is no such code.
    """
    return AnswerCard(name).id if name in list(AnswerCard) else ComponentId.parse(name)


@lru_cache(maxsize=256)
def printed_thing(what: ComponentId) -> PrintedThing:
    """What is printed for a code; of a figure its flat token.

    Raises:
        ImpossibleScene: nothing of that code can be laid on a table.
    """
    piece = _pieces().get(what)
    if piece is None:
        raise ImpossibleScene(f"nothing with the code {what} is printed that can be laid on a table")
    if isinstance(piece, LargeDrawing):
        face = picture_of(piece.draw, piece.width, piece.height, _DPI)
        return PrintedThing(face, face, piece.width, piece.height, 0.1, what)
    assert not isinstance(piece, PrintedPage)
    size = piece.size or POKER
    front = picture_of(piece.front, size.width, size.height, _DPI)
    back = picture_of(piece.back, size.width, size.height, _DPI) if piece.back is not None else front
    return PrintedThing(front, back, size.width, size.height, max(size.corner, 0.1), what)


@cache
def _pieces() -> dict[ComponentId, Piece]:
    """Every piece with a code that is no page."""
    found: dict[ComponentId, Piece] = {}
    for component in components().values():
        for piece in component.pieces(RenderOptions()) if component.has_cards else ():
            stands = isinstance(piece, PrintedPage) or (isinstance(piece, PrintedCard) and piece.size == STANDEE)
            if piece.id is not None and not stands:
                found.setdefault(piece.id, piece)
    return found


@cache
def coin_token(face: Face) -> PrintedThing:
    """A printed coin that shows this side."""
    up, down = (
        picture_of(lambda pen, side=side: draw_coin_side(pen, side), COIN.width, COIN.height, _DPI)  # type: ignore[misc]
        for side in (face, *(other for other in Die.COIN.faces if other != face))
    )
    return PrintedThing(up, down, COIN.width, COIN.height, COIN.corner)
