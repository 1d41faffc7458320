"""What one viewer sees of a chronicle."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.mnemonic.state import Character, GameFace, GroupScene, Hand, Sitting


class DeckView(msgspec.Struct, frozen=True):
    """How many cards are left, and the codes of those that were played."""

    pile: int
    discards: tuple[str, ...]


class CardsView(msgspec.Struct, frozen=True):
    """The deck, and the hands; of a hidden hand only how many cards it has."""

    deck: DeckView
    hands: dict[str, Hand]


class ChronicleView(msgspec.Struct, frozen=True):
    """A chronicle; of dice that were chosen in secret it says ``hidden``."""

    suits: dict[CardSuit, str]
    characters: dict[str, Character]
    sitting: Sitting | None
    cards: CardsView | None
    group: GroupScene | None
    game_face: GameFace | None
    ended: str

    def hand(self, who: str) -> Hand | None:
        """The hand of somebody, where hands are kept here."""
        return self.cards.hands.get(who) if self.cards is not None else None
