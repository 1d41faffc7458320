"""The Story deck and the Challenge deck, as data.

Story cards are named in ``templates/weave/story-deck.yaml``. A Challenge card has nothing but a suit and a level,
so that deck is counted out by a rule: three copies of each level 2, 3 and 4 in each suit (WV-17).
"""

from __future__ import annotations

from functools import cache

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ContentInvalid, UnknownComponent
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml
from loomtable.engine.weave.suits import Suit

CHALLENGE_LEVELS = (2, 3, 4)
CHALLENGE_COPIES = 3


class StoryCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Story card: its number in the deck, its name, and the drawing that stands on it."""

    number: int
    name: str
    motif: str

    @property
    def id(self) -> ComponentId:
        """The printed card."""
        return ComponentId(Kind.STORY, self.number)


class ChallengeCard(msgspec.Struct, frozen=True):
    """A Challenge card (WV-17)."""

    number: int
    suit: Suit
    level: int

    @property
    def id(self) -> ComponentId:
        """The printed card."""
        return ComponentId(Kind.CHALLENGE, self.number)

    @property
    def name(self) -> str:
        """``Stones 3``."""
        return f"{self.suit.label} {self.level}"


class _StoryDeckFile(Titled, frozen=True):
    story_cards: list[StoryCard]


@cache
def story_deck() -> tuple[StoryCard, ...]:
    """The Story cards in their order."""
    return parse_story_deck(*shipped("weave", "story-deck.yaml"))


def parse_story_deck(text: str, name: str) -> tuple[StoryCard, ...]:
    """Read and check a file of Story cards; ``name`` is the file's name in messages.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line.
    """
    deck, lines = parse_yaml(text, _StoryDeckFile, name)
    for place, card in enumerate(deck.story_cards, start=1):
        if card.number != place:
            where = lines.place("story_cards", place - 1)
            raise ContentInvalid(f"{where}: card {card.number} is where {place} should be; number them from 1")
    return tuple(deck.story_cards)


@cache
def challenge_deck() -> tuple[ChallengeCard, ...]:
    """The 36 Challenge cards, numbered suit by suit and level by level."""
    kinds = [(s, level) for s in Suit for level in CHALLENGE_LEVELS for _ in range(CHALLENGE_COPIES)]
    return tuple(ChallengeCard(n, suit, level) for n, (suit, level) in enumerate(kinds, start=1))


def story_card(card: ComponentId) -> StoryCard:
    """The Story card that ``card`` names.

    Raises:
        UnknownComponent: not a Story card, or not in this deck.
    """
    for known in story_deck():
        if known.id == card:
            return known
    raise UnknownComponent(f"{card} is not in the Story deck, which holds S1 to S{len(story_deck())}")


def challenge_card(card: ComponentId) -> ChallengeCard:
    """The Challenge card that ``card`` names.

    Raises:
        UnknownComponent: not a Challenge card, or not in this deck.
    """
    for known in challenge_deck():
        if known.id == card:
            return known
    raise UnknownComponent(f"{card} is not in the Challenge deck, which holds C1 to C{len(challenge_deck())}")


def name_of(card: ComponentId) -> str:
    """The card's name for people: ``The Lantern``, ``Stones 3``; the short code for any other thing."""
    if card.kind is Kind.STORY:
        return story_card(card).name
    if card.kind is Kind.CHALLENGE:
        return challenge_card(card).name
    return card.short
