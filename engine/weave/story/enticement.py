"""Enticements, and redeeming the cards they bring (WV-26, WV-27)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from loomtable.engine.kernel.arguments import USUAL
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.weave.arguments import STORYTELLERS, ChallengeCard, FlawName
from loomtable.engine.weave.cards.decks import challenge_card
from loomtable.engine.weave.cards.drawing import check_playable, named_card, refill
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.weave.challenge.tally import LOWEST_LEVEL
from loomtable.engine.weave.events.figures import ActionFailed, CardRedeemed, EnticementAnswered
from loomtable.engine.weave.events.story import CardKept, CardLaidFaceDown, CardPlayed
from loomtable.engine.weave.state import Character, Figure, Season
from loomtable.engine.weave.suits import Suit

ACCEPT, REFUSE = "accept", "refuse"


class Enticement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the storyteller tempts with: a Flaw of the character, and a Challenge card from the hand."""

    flaw: FlawName
    card: ChallengeCard


EnticementGiven = Annotated[Enticement, STORYTELLERS, USUAL] | None
"""An enticement as an argument: the storyteller gives it, where there is one."""


def check_enticement(
    play: Play[Season], figure: Figure, enticement: Enticement | None, also_played: ComponentId | None = None
) -> None:
    """Refuse an enticement that cannot be played.

    Raises:
        IllegalAction: not a character's own Flaw, or the card cannot be played.
    """
    if enticement is None:
        return
    if not isinstance(figure, Character):
        raise IllegalAction(f"only characters are enticed, and {figure.name} is none")
    flaws = [q.quality.name for q in figure.qualities if q.kind is QualityKind.FLAW]
    if enticement.flaw not in flaws:
        raise IllegalAction(f"{figure.name} has no Flaw {enticement.flaw!r}; there is {', '.join(flaws)}")
    if enticement.card == also_played:
        raise IllegalAction(f"{enticement.card} is played as the Challenge itself")
    check_playable(play, enticement.card, Kind.CHALLENGE)


def check_enticed_here(play: Play[Season]) -> None:
    """Refuse an enticement at a Core Challenge or a move where the table plays none there (WV-26).

    Raises:
        IllegalAction: by the ruling ``enticement-elsewhere``.
    """
    if play.ruled("enticement-elsewhere") == "refused":
        raise IllegalAction("nobody is enticed at a Core Challenge or a move here (ruling enticement-elsewhere)")


def tempt(play: Play[Season], who: str, enticement: Enticement) -> Steps[bool]:
    """Lay the card face down and ask; accepted, the action fails and the player keeps the card (WV-26).

    Returns whether it was refused; the card is in the spread then, and its Challenge comes first.
    """
    card = enticement.card
    yield CardLaidFaceDown(who=who, flaw=enticement.flaw, card=card)
    yield from refill(play)
    options = (
        Option(ACCEPT, "Accept", "The action fails without Strikes, and you keep the card."),
        Option(REFUSE, "Refuse", "The card is turned over; its Challenge comes first."),
    )
    answer = yield from ask(Choose(f"Enticement: {enticement.flaw}", options, by=who, rule="WV-26"))
    accepted = answer.key == ACCEPT
    yield EnticementAnswered(who=who, flaw=enticement.flaw, accepted=accepted)
    if accepted:
        yield CardKept(who=who, card=card, rule="WV-26")
        yield ActionFailed(who=who, because=enticement.flaw)
    else:
        yield CardPlayed(card=card)
    return not accepted


def redeemable(play: Play[Season], who: str, suit: Suit | None) -> list[ComponentId]:
    """The kept cards of a suit that a player could redeem."""
    keeper = play.state.figure(who)
    kept = keeper.kept if isinstance(keeper, Character) else ()
    return [card for card in kept if challenge_card(card).suit is suit]


def redeemed(play: Play[Season], who: str, suit: Suit, level: int) -> Steps[int]:
    """The level once the player has redeemed kept cards of the suit, where they have any (WV-27)."""
    fitting = redeemable(play, who, suit)
    floor = LOWEST_LEVEL if play.ruled("redeem-floor") == "level-1" else 0
    if not fitting or level <= floor:
        return level
    most = len(fitting) if play.ruled("redeem-several") == "any-number" else 1
    options = tuple(named_card(card.number, card) for card in fitting)
    question = Choose(f"Cards to redeem, {suit.label} level {level}", options, 0, most, by=who, rule="WV-27")
    chosen = yield from ask(question)
    for key in chosen.keys:
        card = ComponentId.parse(key)
        level -= challenge_card(card).level
        yield CardRedeemed(who=who, card=card)
    return max(floor, level)
