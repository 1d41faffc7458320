"""What the arguments of Mnemonic's actions can be, by what a viewer sees of the chronicle."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.arguments import Names, View
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.mnemonic.almanac import concepts


def _cards(view: View) -> list[str]:
    hands = view["cards"]["hands"].values() if view["cards"] else ()
    return [card for hand in hands for card in hand.get("cards", ())]


Who = Annotated[str, Names(lambda view: view["characters"], acting=True)]
Whom = Annotated[str, Names(lambda view: view["characters"])]
Subject = Annotated[str, Names(lambda view: view["characters"], closed=False)]
"""Whom a play mode is about, where it is about somebody."""
PlayerName = Annotated[
    str, Names(lambda view: [c["player"] for c in view["characters"].values()], closed=False, acting=True)
]
SkillName = Annotated[
    str, Names(lambda view: [skill["name"] for c in view["characters"].values() for skill in c["skills"]])
]
HandCard = Annotated[ComponentId, Names(_cards, closed=False)]
ConceptName = Annotated[
    str, Names(lambda view: concepts(), closed=False, title=lambda name: concepts()[name].name)
]
