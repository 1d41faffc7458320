"""What is printed, as the virtual table lays it down: every card, counter, figure and map by its code."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import cv2
import numpy as np

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.components.coin_token import COIN, draw_coin_side
from loomtable.printkit.components.figure import STANDEE
from loomtable.printkit.components.plain_dice import D10_NUMBERS, draw_numeral
from loomtable.printkit.draw.palette import WHITE, Colour
from loomtable.printkit.draw.path import circle
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.games.woven.counter import COUNTER, CounterFace, draw_counter
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.raster import picture_of
from loomtable.printkit.sheet.papers import POKER
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedCard, PrintedPage
from loomtable.testing.virtual import ImpossibleScene, TenSidedDie
from loomtable.vision.pictures import BgrImage

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


def thing_named(name: str) -> PrintedThing:
    """A card, a map or a figure by its code, an answer card by what it says, a counter as ``"madder thread 2"``.

    What bears no code is a ``"mug"``, a ``"phone"`` or a ``"page"``; a phone may show a card (``"phone C10"``).

    Raises:
        UnknownComponent, ImpossibleScene: there is none of this name.
    """
    dyed, face, *_ = *name.split(" "), ""
    if dyed in PLAIN:
        return plain_thing(dyed, " ".join(name.split(" ")[1:]))
    if face in list(CounterFace) and dyed.title() in [mage.name for mage in MAGES]:
        return _counter(dyed.title(), CounterFace(face))
    return printed_thing(AnswerCard(name).id if name in list(AnswerCard) else ComponentId.parse(name))


PLAIN = {
    "mug": (84.0, 84.0, 42.0, (132, 44, 40)),
    "phone": (74.0, 156.0, 9.0, (16, 16, 18)),
    "page": (148.0, 210.0, 0.1, (246, 245, 240)),
}
"""Things of a household that bear no code: width, height, the rounding of corners, mm; colour (RGB)."""


@cache
def plain_thing(what: str, shows: str = "") -> PrintedThing:
    """Something without a code; a phone whose screen ``shows`` a card, somewhat larger than its glass."""
    wide, high, _, colour = PLAIN[what]
    face = np.full((round(high * 4), round(wide * 4), 3), colour, np.uint8)
    if what == "mug":
        for radius, tone in ((150, (226, 222, 214)), (138, (70, 42, 24))):  # its rim, and what is in it
            cv2.circle(face, (168, 168), radius, tone, -1, cv2.LINE_AA)
    if shows:
        card = cv2.resize(thing_named(shows).front, None, fx=0.9, fy=0.9, interpolation=cv2.INTER_AREA)
        high, wide = min(len(card), len(face) - 60), min(card.shape[1], face.shape[1] - 24)
        top, left = len(card) - high, card.shape[1] - wide
        y, x = (len(face) - high) // 2, (face.shape[1] - wide) // 2
        face[y : y + high, x : x + wide] = card[top:, left : left + wide]
    return PrintedThing(face, face, *PLAIN[what][:3])


@cache
def _counter(name: str, face: CounterFace) -> PrintedThing:
    """A counter of Woven; on its back is what the other side is for."""
    [whose] = [mage for mage in MAGES if mage.name == name]
    others = {CounterFace.MANA: CounterFace.TENDRIL, CounterFace.THREAD: CounterFace.CHARGE}
    back = {**others, **{there: here for here, there in others.items()}}[face]
    up, down = (
        picture_of(partial(draw_counter, mage=whose, face=side), COUNTER.width, COUNTER.height, 300)
        for side in (face, back)
    )
    return PrintedThing(up, down, COUNTER.width, COUNTER.height, COUNTER.corner)


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
        for piece in component.pieces(RenderOptions()) if component.kinds else ():
            stands = isinstance(piece, PrintedPage) or (isinstance(piece, PrintedCard) and piece.size == STANDEE)
            if piece.id is not None and not stands:
                found.setdefault(piece.id, piece)
    return found


_D10_HALF, _D10_LEAN, _D10_BODY = 8.0, 47.7, (27, 47, 107)
"""Of a d10: half its height as it lies, mm; degrees between its axis and the normal of a face; its plastic."""


def plastic_d10(face: int) -> TenSidedDie:
    """A d10 of blue plastic with white numerals that shows this face, 1 to 10."""
    place = D10_NUMBERS.index(face % 10) + 1
    return TenSidedDie(place, size_mm=2 * _D10_HALF, body=_D10_BODY, gloss=0.5, sides=_d10_sides(), lean=_D10_LEAN)


@cache
def _d10_sides() -> tuple[BgrImage, ...]:
    """The faces of a d10 about their middles, with the pole at the head."""
    size, pole = 4 * _D10_HALF, _D10_HALF * math.tan(math.radians(_D10_LEAN))
    kite = ((0.0, pole), (pole, 0.0), (0.0, -pole), (-pole, 0.0))

    def draw(pen: Pen, number: int) -> None:
        pen.fill_background(circle(size / 2, size / 2, size), Colour(*(part / 255 for part in _D10_BODY)))
        with pen.at(size / 2, size / 2):
            draw_numeral(pen, number, kite, 1.7 * _D10_HALF, WHITE)

    return tuple(picture_of(partial(draw, number=number), size, size, 300) for number in D10_NUMBERS)


@cache
def coin_token(face: Face) -> PrintedThing:
    """A printed coin that shows this side."""
    up, down = (
        picture_of(lambda pen, side=side: draw_coin_side(pen, side), COIN.width, COIN.height, _DPI)  # type: ignore[misc]
        for side in (face, *(other for other in Die.COIN.faces if other != face))
    )
    return PrintedThing(up, down, COIN.width, COIN.height, COIN.corner)
