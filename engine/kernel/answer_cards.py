"""Answer cards: laid before the camera, they answer what the table is asked."""

from __future__ import annotations

from enum import StrEnum

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import UnknownComponent


class AnswerCard(StrEnum):
    """What an answer card says. Its place is part of its printed code, so the order never changes."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"
    F = "F"
    G = "G"
    H = "H"
    YES = "Yes"
    NO = "No"
    KEEP = "Keep"
    GO_ON = "Go on"
    UNDO = "Undo"
    PAUSE = "Pause"

    @property
    def id(self) -> ComponentId:
        """The printed card."""
        return ComponentId(Kind.ANSWER, tuple(AnswerCard).index(self) + 1)


def answer_of(card: ComponentId) -> AnswerCard:
    """What an answer card says.

    Raises:
        UnknownComponent: it is a card of another kind.
    """
    if card.kind is not Kind.ANSWER:
        raise UnknownComponent(f"{card.short} is no answer card; those are A1 to A{len(AnswerCard)}")
    return tuple(AnswerCard)[card.number - 1]
