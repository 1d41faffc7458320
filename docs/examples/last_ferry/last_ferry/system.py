"""Last Ferry as a system: how it begins, who sees what, how it is told; the rules register themselves with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from last_ferry.state import Bank, CardTurned, Crossed
from loomtable.game import (
    STORYTELLER,
    Event,
    Looks,
    PokerCard,
    Presentation,
    Rules,
    SettingUp,
    System,
    Words,
    how_many,
    no_setup,
    read_rulings,
    to_builtins,
)

RULINGS = read_rulings(Path(__file__).with_name("rulings.yaml"))


def _view(bank: Bank, viewer: str) -> dict[str, Any]:
    """Coins and crossings lie open; a lucky card is for the eyes of its passenger."""
    seen: dict[str, Any] = to_builtins(bank)
    for name, passenger in seen["passengers"].items():
        if viewer not in (STORYTELLER, name) and passenger["lucky"]:
            passenger["lucky"] = "face down"
    return seen


def _tell(event: Event, bank: Bank, viewer: str) -> str:
    match event:
        case CardTurned(who=who, card=card, depth=depth):
            return f"{who} turns the {PokerCard(card.number).name}: the water is {depth} deep."
        case Crossed(who=who, total=total, over=True):
            return f"{who} rolls {total} and reaches the far bank."
        case Crossed(who=who, total=total):
            left = how_many(bank.passengers[who].coins, "coin", "coins")
            return f"{who} rolls {total} and is thrown back, with {left} left."
    return ""


FERRY: System[Bank] = System(
    "last-ferry",
    "Last Ferry",
    rules=Rules("1", RULINGS),
    setting_up=SettingUp(
        begin=no_setup("Last Ferry", Bank), people=lambda bank: {name: (name,) for name in bank.passengers}
    ),
    words=Words(tell=_tell),
    looks=Looks(view=_view),
    presentation=Presentation(
        about="A river at night, a deck of cards, and two dice.",
        motif="ferry",
        groups=("The river",),
    ),
)
