"""Opening a store by what people call it: a file of SQLite, or the address of a PostgreSQL server."""

from __future__ import annotations

import logging
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from loomtable.engine.kernel.installation import install_line
from loomtable.table.settings import usual_store
from loomtable.table.store.file import FileStore, make_private, parts_of, unsound
from loomtable.table.store.store import TABLES, Database, Store, StoreUnusable, _in_words, bring_up

logger = logging.getLogger(__name__)
_APPLICATION_ID = 0x4C6F6F6D  # "Loom"
_SCHEMA_VERSION = 4
"""From 2 on, sessions say where their journals end; 3 has memos beside them; 4 has their hashes, and devices."""
_WAIT = 10
"""Seconds that one program waits for another that is writing."""


def open_store(where: str | Path) -> Store:
    """Open the store in a file, or at an address: ``postgresql://user@host/database``, ``sqlite:///file.db``.

    What is not there yet is made.

    >>> from loomtable import SYSTEMS, Session, open_store
    >>> with open_store("evenings.db") as store:
    ...     _ = Session.open(SYSTEMS["mnemonic"], seed="Friday", journal=store.journal("Friday"))
    ...     store.sessions()
    ('Friday',)

    Raises:
        StoreUnusable: it cannot be opened, or is another program's database, or of a later version.
        JournalCorrupt: the file is damaged.
    """
    if isinstance(where, str) and "://" in where:
        url = _address(where)
        if url.scheme == "postgresql":
            return _on_postgresql(url)
        if url.scheme == "sqlite" and url.path.strip("/"):
            return _on_sqlite(Path(url.path[1:]))
        raise StoreUnusable(f"{_shown(url)}: journals are kept in a file, or at a postgresql:// address")
    return _on_sqlite(Path(where))


def is_file(where: str | Path) -> bool:
    """Whether a store is a file, not an address."""
    return isinstance(where, Path) or "://" not in where


def _address(where: str) -> SplitResult:
    try:
        url = urlsplit(where)
        _ = url.port
    except ValueError:
        why = "the store's address cannot be read; write it like postgresql://user@host/name"
        raise StoreUnusable(why) from None
    return url._replace(scheme="postgresql") if url.scheme in ("postgres", "postgresql+psycopg") else url


def _shown(url: SplitResult) -> str:
    user, at, host = url.netloc.rpartition("@")
    name, hidden, _ = user.partition(":")
    return url._replace(netloc=f"{name}{hidden and ':***'}{at}{host}").geturl()


def _on_sqlite(path: Path) -> Store:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        made = make_private(path)
    except OSError as error:
        why = f"{path}: cannot be opened ({error.strerror}); name another file with --store"
        raise StoreUnusable(why) from None
    store = FileStore(partial(_connected_file, path), path, open_store)
    try:
        with store._trouble_named():
            _prepare_sqlite(store)
        store.opened()
    except BaseException:
        store.close()
        for part in parts_of(path) if made else ():  # a full disk holds no file that was never of use
            part.unlink(missing_ok=True)
        raise
    logger.info("the store %s is open", store.title)
    return store


def _connected_file(path: Path) -> sqlite3.Connection:
    # Transactions are begun by the store, not by the driver; a connection is used by one thread after the other.
    connection = sqlite3.connect(path, timeout=_WAIT, check_same_thread=False, isolation_level=None)
    try:
        # FULL: a line is on the disk before it counts. At a table's pace its few milliseconds are free.
        for pragma in ("synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _prepare_sqlite(store: FileStore) -> None:
    path = store.title
    with store._connection() as database:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        version = database.value("PRAGMA user_version")
        if tables and database.value("PRAGMA application_id") != _APPLICATION_ID:
            raise StoreUnusable(f"{path}: is a database of another program")
        if version > _SCHEMA_VERSION:
            raise StoreUnusable(f"{path}: was written by a newer Loomtable; update this one")
        database.execute("PRAGMA journal_mode = WAL")
    if version < _SCHEMA_VERSION:
        with store._transaction(writes=True) as database:
            if tables and (told := unsound(database)):
                raise store._damaged(f"the file is damaged ({told})")
            known = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
            bring_up(database, known, path, " STRICT, WITHOUT ROWID")
            database.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            database.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")


def _on_postgresql(url: SplitResult) -> Store:
    title = _shown(url)
    try:
        import psycopg
    except ImportError:
        why = f"{title}: the part that speaks to PostgreSQL is not installed: {install_line('postgresql')}"
        raise StoreUnusable(why) from None
    store = Store(psycopg, partial(_connected_server, url.geturl()), title, Path(usual_store()), open_store)
    try:
        with store._transaction() as database:
            _prepare_postgresql(database, title)
    except psycopg.Error as error:
        store.close()
        raise StoreUnusable(f"{title}: {_in_words(error)}") from None
    except BaseException:
        store.close()
        raise
    logger.info("the store %s is open", store.title)
    return store


def _connected_server(address: str) -> Any:
    """A connection to a database that can keep every text."""
    import psycopg

    connection = psycopg.connect(address, connect_timeout=_WAIT)
    if connection.info.parameter_status("server_encoding") == "SQL_ASCII":
        database = connection.info.dbname
        connection.close()
        raise StoreUnusable(
            f"the database {database!r} does not know what letters are (SQL_ASCII); make one with "
            "CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0, and give that"
        )
    # A line is on the server's disk before it counts, whatever the server does for others.
    connection.execute("SET synchronous_commit = on")
    connection.execute(f"SET lock_timeout = '{_WAIT}s'")
    connection.commit()
    return connection


def _prepare_postgresql(database: Database, title: str) -> None:
    # Two programs that open an empty database at once make its tables one after the other.
    database.execute(f"SELECT pg_advisory_xact_lock({_APPLICATION_ID})")
    tables = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    known = {row[0] for row in tables}
    if known & TABLES.keys() and not {"session", "line"} <= known:
        why = f"{title}: holds tables of another program with our names; give it a database of its own"
        raise StoreUnusable(why)
    bring_up(database, known, title)
