"""Where journals are kept: one code for a file of SQLite and for a PostgreSQL server."""

from loomtable.table.store.places import is_file, open_store
from loomtable.table.store.store import NameTaken, Store, StoreBehind, StoredJournal, StoreUnusable

__all__ = ["NameTaken", "Store", "StoreBehind", "StoreUnusable", "StoredJournal", "is_file", "open_store"]
