"""What cards are called: for pages, screens and the terminal, without what reads or draws them."""

from __future__ import annotations

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.poker import PokerCard
from loomtable.engine.weave.decks import name_of
from loomtable.engine.woven.spells import spell_numbered


def card_name(card: ComponentId) -> str:
    """The card's name, or only its kind where this installation does not hold it."""
    try:
        if card.kind is Kind.POKER:
            return PokerCard(card.number).name
        if card.kind is Kind.SPELL:
            return spell_numbered(card.number).name
        if card.kind is Kind.TAPESTRY:
            return f"tapestry card {card.number}, side {card.side}"
        return name_of(card)
    except LoomtableError:
        return f"an unknown {card.kind} card"
