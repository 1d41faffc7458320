"""What was seen of a board, drawn on the picture in which it was seen."""

from __future__ import annotations

from loomtable.engine.kernel.gestures import Offer
from loomtable.table.reading.board import BoardLook, Standing
from loomtable.vision.board.tapestry import SeenTapestry
from loomtable.vision.overlay import Mark, draw_caption, draw_marks
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict

BoardRead = tuple[tuple[str, ...], Offer | None, bool, BgrImage]
"""What there is to say about a picture, the move in it, whether all is well, and the picture with marks."""


def drawn_board(picture: BgrImage, look: BoardLook) -> BgrImage:
    """A map with its figures: solid where table and record agree, dashed where one is asked, dotted where not."""
    marks = [Mark(figure.outline, _label(figure), figure.verdict) for figure in look.everything if figure.outline]
    if look.agrees:
        return draw_caption(draw_marks(picture, marks), "table and record agree", Verdict.ACCEPTED)
    offer = look.offer
    mover = offer.about if offer is not None else ""
    moved = [] if offer is None else [f"{offer.says}: {offer.reason or 'a legal move'}"]
    # Whoever was moved is told of in the offer already.
    rest = [figure for figure in look.everything if figure.verdict is not Verdict.ACCEPTED and figure.who != mover]
    told = "; ".join(
        (*([look.reason] if look.reason else []), *moved, *(figure.says for figure in rest), *look.notes)
    )
    refused = offer is not None and not offer.legal
    legal = offer is not None and offer.legal and not rest
    verdict = Verdict.REJECTED if refused else Verdict.ACCEPTED if legal else Verdict.ASK
    return draw_caption(draw_marks(picture, marks), told, verdict)


def _label(figure: Standing) -> str:
    if not figure.seen:
        return figure.name
    other = f", not {figure.record}" if figure.record not in ("", figure.seen) else ""
    return f"{figure.name}: {figure.seen}{other}"


def drawn_tapestry(picture: BgrImage, seen: SeenTapestry, offer: Offer) -> BgrImage:
    """The cards of a tapestry with their short codes, and what was laid."""
    verdict = Verdict.ACCEPTED if offer.legal else Verdict.REJECTED
    marks = []
    for card in seen.cards:
        own = verdict if card.card.short == offer.about else Verdict.ACCEPTED
        marks.append(Mark(card.outline, card.card.short, Verdict.ASK if card.doubt else own))
    return draw_caption(draw_marks(picture, marks), f"{offer.says}: {offer.reason or 'a legal move'}", verdict)
