"""Decks of cards: a draw pile, a discard pile, and a shuffle that anybody can repeat.

The order after a shuffle follows from the seed and the count of shuffles so far, by a hash and not by a library's
generator, so that a journal written today deals the same cards on any later version of Python.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Generic, TypeVar

import msgspec

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.wording import how_many

C = TypeVar("C")


class Deck(msgspec.Struct, Generic[C], frozen=True):
    """A deck; the first card of ``pile`` is on top. Every change returns a new deck."""

    seed: str
    pile: tuple[C, ...]
    discards: tuple[C, ...] = ()
    shuffles: int = 0

    def shuffle(self) -> Deck[C]:
        """The draw pile shuffled; discards stay where they are."""
        drawn = f"{self.seed}/{self.shuffles}"
        keys = [blake2b(f"{drawn}/{at}".encode(), digest_size=16).digest() for at in range(len(self.pile))]
        order = sorted(range(len(self.pile)), key=keys.__getitem__)
        return msgspec.structs.replace(self, pile=tuple(self.pile[i] for i in order), shuffles=self.shuffles + 1)

    def draw(self, count: int = 1) -> tuple[tuple[C, ...], Deck[C]]:
        """The top ``count`` cards, and the deck without them; the discards are shuffled back in if need be.

        Raises:
            IllegalAction: even with the discards there are too few cards.
        """
        deck = self if count <= len(self.pile) else self._with_discards_below()
        if count > len(deck.pile):
            raise IllegalAction(f"the deck holds {how_many(len(deck.pile), 'card', 'cards')}; this needs {count}")
        return deck.pile[:count], msgspec.structs.replace(deck, pile=deck.pile[count:])

    def _with_discards_below(self) -> Deck[C]:
        fresh = msgspec.structs.replace(self, pile=self.discards, discards=()).shuffle()
        return msgspec.structs.replace(fresh, pile=self.pile + fresh.pile)

    def take(self, card: C) -> Deck[C]:
        """The deck without ``card``, which a person drew from the physical pile.

        Raises:
            IllegalAction: the card is not in the draw pile.
        """
        if card not in self.pile:
            raise IllegalAction(f"{card} is not in the draw pile")
        place = self.pile.index(card)
        return msgspec.structs.replace(self, pile=self.pile[:place] + self.pile[place + 1 :])

    def discard(self, *cards: C) -> Deck[C]:
        """The deck with ``cards`` on the discard pile."""
        return msgspec.structs.replace(self, discards=self.discards + cards)

    def put_back(self, *cards: C) -> Deck[C]:
        """The deck with ``cards`` and the discards in the draw pile, shuffled (WV-14)."""
        whole = msgspec.structs.replace(self, pile=self.pile + self.discards + cards, discards=())
        return whole.shuffle()
