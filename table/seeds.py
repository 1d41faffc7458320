"""From what a new session's cards are shuffled."""

from __future__ import annotations

from loomtable.engine.kernel.journal import opening
from loomtable.table.store import Store


def seed_of(same_cards_as: str, store: Store) -> str:
    """The seed that deals the same cards as a session of this name, or else as this word; empty without either.

    Raises:
        JournalCorrupt: the session of this name is damaged.
    """
    if same_cards_as in store.sessions():
        return opening(store.journal(same_cards_as).lines()).seed
    return same_cards_as
