"""A store whose disk is full."""

from __future__ import annotations

from loomtable.table.store import Store


def limit_pages(store: Store, pages: int) -> None:
    """The file may have no more pages: what SQLite then reports is what it reports of a full disk."""
    with store._transaction() as database:
        database.execute(f"PRAGMA max_page_count = {pages}")  # never below what is used
