"""Answers and ideas from the cards that are not in play: for a table without a storyteller, and for one who leads.

No rulebook knows these. A card that is turned for them goes under its deck, so nothing else is drawn otherwise.
"""

from __future__ import annotations

from enum import StrEnum
from hashlib import blake2b
from typing import Annotated

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.arguments import USUAL
from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.names import unused_names
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.weave.cards.decks import CHALLENGE_LEVELS, ChallengeCard, challenge_card
from loomtable.engine.weave.cards.drawing import drawn, playset_of
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.weave.encounter.turns import check_season
from loomtable.engine.weave.events.story import IdeaDrawn, OracleAnswered
from loomtable.engine.weave.state import Season
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE

VERDICTS = ("Yes", "Yes, but", "No, but", "No")
KINDLY = (Suit.FLAMES, Suit.BROOKS)
"""The suits in which a card of the middle level means "Yes, but", and not "No, but"."""
LONGEST_QUESTION = 200


class Likelihood(StrEnum):
    """How likely a yes is; each step moves the answer one place along the verdicts."""

    LIKELY = "likely"
    EVEN = "even"
    UNLIKELY = "unlikely"


def verdict(card: ChallengeCard, likely: Likelihood) -> str:
    """What a Challenge card answers: the lowest level yes, the highest no, the middle one with a but."""
    lowest, _, highest = CHALLENGE_LEVELS
    place = {lowest: 0, highest: len(VERDICTS) - 1}.get(card.level, 1 if card.suit in KINDLY else 2)
    place += {Likelihood.LIKELY: -1, Likelihood.EVEN: 0, Likelihood.UNLIKELY: 1}[likely]
    return VERDICTS[min(max(place, 0), len(VERDICTS) - 1)]


@WEAVE.action("ask-the-cards", "WV-13", group="Ideas from the cards")
def ask_the_cards(
    play: Play[Season], *, question: str, likely: Annotated[Likelihood, USUAL] = Likelihood.EVEN
) -> Steps[None]:
    """Ask the cards what no storyteller decides: yes, no, or one of them with a complication."""
    check_season(play)
    if not question.strip() or len(question) > LONGEST_QUESTION:
        raise IllegalAction(f"ask a question of at most {LONGEST_QUESTION} characters that yes or no can answer")
    card = yield from drawn(play, Kind.CHALLENGE, "Card that answers", by=STORYTELLER, rule="WV-13")
    answer = verdict(challenge_card(card), likely)
    yield OracleAnswered(question=question.strip(), card=card, answer=answer)
    if answer.endswith("but"):
        yield from _of_an_option(play, QualityKind.SUBPLOT)


@WEAVE.action("a-name", "WV-13", group="Ideas from the cards")
def a_name(play: Play[Season]) -> Steps[None]:
    """Turn a Story card for a name that nobody has yet."""
    check_season(play)
    card = yield from drawn(play, Kind.STORY, "Story card for an idea", by=STORYTELLER, rule="WV-13")
    names = playset_of(play).names
    taken = {*play.state.characters, *play.state.npcs}  # the next free one, if somebody has the card's own
    yield IdeaDrawn(card=card, name=unused_names(taken, names[card.number - 1 :] + names[: card.number - 1])[0])


@WEAVE.action("a-person", "WV-15", group="Ideas from the cards")
def a_person(play: Play[Season]) -> Steps[None]:
    """Turn a Story card for somebody whom you could meet here."""
    check_season(play)
    yield from _of_an_option(play, QualityKind.NPC)


@WEAVE.action("a-complication", "WV-15", group="Ideas from the cards")
def a_complication(play: Play[Season]) -> Steps[None]:
    """Turn a Story card for something that goes wrong."""
    check_season(play)
    yield from _of_an_option(play, QualityKind.SUBPLOT)


def _of_an_option(play: Play[Season], kind: QualityKind) -> Steps[None]:
    """One of the card's options of a kind: which, follows from the order of the deck, as what is dealt does."""
    card = yield from drawn(play, Kind.STORY, "Story card for an idea", by=STORYTELLER, rule="WV-13")
    options = playset_of(play).options(card.number, kind)
    deck = play.state.story
    order = blake2b(f"{deck.seed}/{card}/{deck.pile}".encode(), digest_size=8).digest()
    option = options[int.from_bytes(order) % len(options)]
    yield IdeaDrawn(card=card, name=option.name, says=option.text, kind=kind, rule="WV-15")
