"""The rules of Last Ferry; importing this module registers them with the system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from last_ferry.state import Bank, CardTurned, Crossed
from last_ferry.system import FERRY
from loomtable.game import (
    CARDS,
    PLAYER,
    RANKS,
    Action,
    Block,
    CardReading,
    Die,
    IllegalAction,
    Kind,
    Names,
    Offer,
    Play,
    PokerCard,
    Reference,
    Roll,
    ShowCard,
    Situation,
    Source,
    Steps,
    ask,
)

SHALLOWEST, DEEPEST = 2, 12
Who = Annotated[str, Names(lambda seen: seen["passengers"], closed=False, acting=True)]


@FERRY.action("cross", "FE-1", "FE-2", "FE-3", begun_by=PLAYER, group="The river", opens=True)
def cross(play: Play[Bank], *, who: Who) -> Steps[None]:
    """Turn a card for the depth of the water, and roll at least that much."""
    there = play.state.passengers.get(who)
    if not who.strip() or (there is not None and there.coins == 0):
        raise IllegalAction(f"{who} has no coin left for the ferryman" if there else "a passenger needs a name")
    kept = {one.lucky.number for one in play.state.passengers.values() if one.lucky is not None}
    free = tuple(number for number in CARDS if number not in kept)
    shown = yield from ask(ShowCard(kind=Kind.POKER, purpose="The river", among=free, by=who, rule="FE-1"))
    deep = depth_of(PokerCard(shown.card.number), play.ruled("jokers"))
    yield CardTurned(who=who, card=shown.card, depth=deep, rule="FE-2")
    lying = yield from ask(Roll(die=Die.D6, count=2, purpose=f"Crossing water {deep} deep", by=who, rule="FE-3"))
    total = sum(lying.pips)
    yield Crossed(who=who, card=shown.card, total=total, over=total >= deep, rule="FE-3")


def depth_of(card: PokerCard, jokers: str) -> int:
    """What has to be rolled under a card: its number, an Ace 2, a court card 11 (FE-2)."""
    if card.joker:
        return DEEPEST if jokers == "deep" else SHALLOWEST
    return min(11, max(SHALLOWEST, RANKS.index(card.rank) + 1))


@FERRY.gesture("cross")
def card_is_turned(situation: Situation[Bank]) -> Iterator[Offer]:
    """A card turned while nobody crosses is somebody's crossing; where several wait, the table is asked whose."""
    cards = tuple(one.thing for one in situation.table.laid(Kind.POKER))
    if situation.asked is not None or len(cards) != 1:
        return
    for who, there in situation.state.passengers.items():
        if there.coins:
            turned = (CardReading(cards[0], Source.CAMERA),)
            yield Offer(f"{who} crosses", Action("cross", {"who": who}), turned, things=cards)


@FERRY.reference
def in_short() -> Reference:
    """What stands on the reference card."""
    depths = (("Ace", "2"), ("2 to 10", "its number"), ("Jack, Queen, King", "11"))
    return Reference(
        front=(
            Block(
                "Crossing",
                "FE-1, FE-3",
                "Turn a card, roll two dice. As much as the water is deep, and you are over.",
            ),
            Block("Depth", "FE-2", table=depths, bare=True),
        ),
        back=(Block("Thrown back", "FE-3", "You lose a coin. With no coin left you stay where you are."),),
    )
