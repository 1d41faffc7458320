"""Where journals are kept: one code for a file of SQLite and for a PostgreSQL server."""

from loomtable.table.store.places import is_file, open_store
from loomtable.table.store.store import NameTaken, NameUnusable, Store, StoreBehind, StoredJournal, StoreUnusable

__all__ = [
    "NameTaken",
    "NameUnusable",
    "Store",
    "StoreBehind",
    "StoreUnusable",
    "StoredJournal",
    "is_file",
    "open_store",
]
