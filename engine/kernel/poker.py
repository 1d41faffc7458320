"""The 54 cards of a poker deck with two jokers: their numbers, and the names by which people know them.

A card's number is part of its printed code, so it never changes: Hearts are 1 to 13 from the Ace to the King,
Diamonds 14 to 26, Spades 27 to 39, Clubs 40 to 52; the red Joker is 53, the black one 54.
"""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.wording import Labelled

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANK_NAMES = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King"}
_JOKERS = {53: ("RJ", "red Joker"), 54: ("BJ", "black Joker")}
_SIGNS = str.maketrans("♥♦♠♣", "HDSC")
CARDS = range(1, 55)
"""The numbers of all cards."""


class CardSuit(Labelled):
    """The four suits, in the order in which the cards are numbered."""

    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    SPADES = "spades"
    CLUBS = "clubs"


class PokerCard(msgspec.Struct, frozen=True):
    """One card of the deck, by its number from 1 to 54."""

    number: int

    @property
    def suit(self) -> CardSuit | None:
        """The suit; a joker has none."""
        return None if self.joker else tuple(CardSuit)[(self.number - 1) // len(RANKS)]

    @property
    def rank(self) -> str:
        """``A``, ``2`` to ``10``, ``J``, ``Q``, ``K``; nothing for a joker."""
        return "" if self.joker else RANKS[(self.number - 1) % len(RANKS)]

    @property
    def joker(self) -> bool:
        """Whether it is one of the two jokers."""
        return self.number in _JOKERS

    @property
    def face(self) -> bool:
        """Whether it is a Jack, a Queen or a King."""
        return self.rank in ("J", "Q", "K")

    @property
    def name(self) -> str:
        """``Ace of Hearts``, ``7 of Spades``, ``red Joker``."""
        if self.suit is None:
            return _JOKERS[self.number][1]
        return f"{_RANK_NAMES.get(self.rank, self.rank)} of {self.suit.label}"

    @property
    def short(self) -> str:
        """As people write it: ``AH``, ``10S``, ``RJ``."""
        return _JOKERS[self.number][0] if self.suit is None else f"{self.rank}{self.suit.value[0].upper()}"


_BY_SHORT = {PokerCard(number).short: number for number in CARDS}


def poker_number(text: str) -> int | None:
    """The number of the card that is written so: ``7H``, ``qs``, ``10♦``, ``RJ``; ``None`` for anything else."""
    return _BY_SHORT.get(text.strip().upper().translate(_SIGNS))
