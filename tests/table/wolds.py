"""A contest of Woven on the Weft Wolds, about to be played."""

from __future__ import annotations

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.readings import CardReading, ChoiceReading
from loomtable.engine.kernel.requests import Choose, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.state import Contest


def contest(**rulings: str) -> Session[Contest]:
    """Two mages who have drafted, laid a first card and are about to play."""
    session = Session.open(WOVEN, seed="board", rulings=rulings)
    session.perform("set-up", players=["Ada", "Bo"], map="the-weft-wolds")
    shown: set[ComponentId] = set()
    while (asked := session.pending) is not None:
        if isinstance(asked, Choose):
            session.answer(ChoiceReading(tuple(option.key for option in asked.options[: asked.at_least])))
            continue
        assert isinstance(asked, ShowCard)
        cards = (ComponentId(asked.kind, n, "A" if asked.kind is Kind.TAPESTRY else "") for n in asked.among)
        # Who shows a card does not know what others keep hidden; the next one that is free is shown.
        card = next(card for card in cards if card not in shown)
        shown.add(card)
        session.answer(CardReading(card))
    return session
