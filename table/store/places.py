"""Opening a store by what people call it: a file of SQLite, or the address of a PostgreSQL server."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DatabaseError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from loomtable.table.settings import usual_store
from loomtable.table.store.file import FileStore, make_private, parts_of, unsound
from loomtable.table.store.store import LINES, SESSIONS, TABLES, Store, StoreUnusable, _in_words, bring_up

logger = logging.getLogger(__name__)
_APPLICATION_ID = 0x4C6F6F6D  # "Loom"
_SCHEMA_VERSION = 4
"""From 2 on, sessions say where their journals end; 3 has memos beside them; 4 has their hashes, and devices."""
_WAIT = 10
"""Seconds that one program waits for another that is writing."""
_CONNECTIONS = 4


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
        if url.get_backend_name() == "postgresql":
            return _on_postgresql(url)
        if url.get_backend_name() == "sqlite" and url.database:
            return _on_sqlite(Path(url.database))
        raise StoreUnusable(f"{_shown(url)}: journals are kept in a file, or at a postgresql:// address")
    return _on_sqlite(Path(where))


def is_file(where: str | Path) -> bool:
    """Whether a store is a file, not an address."""
    return isinstance(where, Path) or "://" not in where


def _address(where: str) -> sa.URL:
    try:
        url = sa.make_url(where)
    except (ArgumentError, ValueError):
        raise StoreUnusable(
            "the store's address cannot be read; write it like postgresql://user@host/name"
        ) from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    return url


def _shown(url: sa.URL) -> str:
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def _on_sqlite(path: Path) -> Store:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        made = make_private(path)
    except OSError as error:
        raise StoreUnusable(
            f"{path}: cannot be opened ({error.strerror}); name another file with --store"
        ) from None
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        connect_args={"timeout": _WAIT, "check_same_thread": False},
        poolclass=QueuePool,
        pool_size=_CONNECTIONS,
    )
    sa.event.listen(engine, "connect", _each_connection)
    sa.event.listen(engine, "begin", _begin)
    store = FileStore(engine, path, open_store)
    try:
        with store._trouble_named():
            _prepare_sqlite(store)
        store.opened()
    except BaseException as error:
        store.close()
        for part in parts_of(path) if made else ():  # a full disk holds no file that was never of use
            part.unlink(missing_ok=True)
        if isinstance(error, sqlite3.OperationalError):
            raise StoreUnusable(f"{path}: {_in_words(error)}") from None
        raise
    logger.info("the store %s is open", store.title)
    return store


def _each_connection(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # transactions are begun by ``_begin``, not by the driver
    # FULL: a line is on the disk before it counts. At a table's pace its few milliseconds are free.
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    # Pages are read from the file each time: what is remembered of them hides that it was written over.
    connection.exec_driver_sql("PRAGMA shrink_memory")
    # Whoever writes says so at once, so that two programs wait for each other and neither fails halfway.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare_sqlite(store: FileStore) -> None:
    path = store.title
    with store._engine.connect().execution_options(writes=True) as database:
        raw = database.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        application = raw.execute("PRAGMA application_id").fetchone()[0]
        version = raw.execute("PRAGMA user_version").fetchone()[0]
        empty = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not empty and application != _APPLICATION_ID:
            raise StoreUnusable(f"{path}: is a database of another program")
        if version > _SCHEMA_VERSION:
            raise StoreUnusable(f"{path}: was written by a newer Loomtable; update this one")
        raw.execute("PRAGMA journal_mode = WAL")
        if version < _SCHEMA_VERSION:
            with database.begin():
                if not empty and (told := unsound(database)):
                    raise store._damaged(f"the file is damaged ({told})")
                bring_up(database, path)
                database.exec_driver_sql(f"PRAGMA application_id = {_APPLICATION_ID}")
                database.exec_driver_sql(f"PRAGMA user_version = {_SCHEMA_VERSION}")


def _on_postgresql(url: sa.URL) -> Store:
    title = _shown(url)
    try:
        engine = sa.create_engine(
            url, pool_size=_CONNECTIONS, pool_pre_ping=True, connect_args={"connect_timeout": _WAIT}
        )
    except ImportError:
        raise StoreUnusable(
            f"{title}: the part that speaks to PostgreSQL is not installed; pip install 'loomtable[postgresql]'"
        ) from None
    sa.event.listen(engine, "do_connect", _connected)
    sa.event.listen(engine, "connect", _each_session)
    store = Store(engine, title, Path(usual_store()), open_store)
    try:
        _prepare_postgresql(engine, title)
    except SQLAlchemyError as error:
        store.close()
        words = _in_words(error.orig) if isinstance(error, DatabaseError) else f"cannot be used ({error})"
        raise StoreUnusable(f"{title}: {words}") from None
    except BaseException:
        store.close()
        raise
    logger.info("the store %s is open", store.title)
    return store


def _connected(dialect: Any, _: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
    """A connection to a database that can keep every text."""
    connection = dialect.connect(*arguments, **named)
    if connection.info.parameter_status("server_encoding") == "SQL_ASCII":
        database = connection.info.dbname
        connection.close()
        raise StoreUnusable(
            f"the database {database!r} does not know what letters are (SQL_ASCII); make one with "
            "CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0, and give that"
        )
    return connection


def _each_session(connection: Any, _: Any) -> None:
    # A line is on the server's disk before it counts, whatever the server does for others.
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        cursor.execute(f"SET lock_timeout = '{_WAIT}s'")
    connection.commit()


def _prepare_postgresql(engine: sa.Engine, title: str) -> None:
    with engine.begin() as database:
        # Two programs that open an empty database at once make its tables one after the other.
        database.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_APPLICATION_ID})")
        known = set(sa.inspect(database).get_table_names())
        ours, first = set(TABLES.tables), {SESSIONS.name, LINES.name}
        if known & ours and not first <= known:
            raise StoreUnusable(
                f"{title}: holds tables of another program with our names; give it a database of its own"
            )
        bring_up(database, title)
