"""What the arguments of Mnemonic's actions can be, by what a viewer sees of the chronicle."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.arguments import Names, View
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.mnemonic.almanac import concepts


def _skills(seen: View) -> list[str]:
    return [skill["name"] for c in seen["characters"].values() for skill in c["skills"]]


def _cards(seen: View) -> list[str]:
    hands = seen["cards"]["hands"].values() if seen["cards"] else ()
    return [card for hand in hands for card in hand.get("cards", ())]


Who = Annotated[str, Names(lambda seen: seen["characters"], acting=True)]
Whom = Annotated[str, Names(lambda seen: seen["characters"])]
Subject = Annotated[str, Names(lambda seen: seen["characters"], closed=False)]
"""Whom a play mode is about, where it is about somebody."""
PlayerName = Annotated[
    str, Names(lambda seen: [c["player"] for c in seen["characters"].values()], closed=False, acting=True)
]
SkillName = Annotated[str, Names(_skills)]
HandCard = Annotated[ComponentId, Names(_cards, closed=False)]
ConceptName = Annotated[
    str, Names(lambda seen: concepts(), closed=False, title=lambda name: concepts()[name].name)
]
