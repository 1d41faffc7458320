"""Journals on SQLite: one file for many sessions, every line safe on the disk before it counts.

Each line carries a hash over itself and the line before it, so that damage is noticed and named instead of played.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import msgspec

from engine.kernel.errors import JournalCorrupt, LoomtableError
from engine.kernel.journal import Entry, Line, now
from engine.kernel.plain import from_json, to_json

_APPLICATION_ID = 0x4C6F6F6D  # "Loom"
_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE session (
    name TEXT PRIMARY KEY,
    begun TEXT NOT NULL
) STRICT;
CREATE TABLE line (
    session TEXT NOT NULL REFERENCES session (name),
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    who TEXT NOT NULL,
    entry TEXT NOT NULL,
    chain TEXT NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;
"""


class StoreUnusable(LoomtableError):
    """The store's file cannot be opened or written; the message says why."""


class SqliteStore:
    """A file of journals. Use it as a context manager, or ``close`` it.

    Raises:
        StoreUnusable: the file cannot be opened, or is another program's database, or of a later version.
        JournalCorrupt: the file is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, isolation_level=None, timeout=10)
        except (OSError, sqlite3.Error) as error:
            raise StoreUnusable(f"{path}: cannot be opened ({error})") from None
        try:
            with self._trouble_named():
                self._prepare()
        except LoomtableError:
            self._database.close()
            raise

    def _prepare(self) -> None:
        run = self._database.execute
        application = run("PRAGMA application_id").fetchone()[0]
        version = run("PRAGMA user_version").fetchone()[0]
        empty = run("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not empty and application != _APPLICATION_ID:
            raise StoreUnusable(f"{self.path}: is a database of another program")
        if version > _SCHEMA_VERSION:
            raise StoreUnusable(f"{self.path}: was written by a later Loomtable; update this one")
        run("PRAGMA journal_mode = WAL")
        # FULL: a line is on the disk before it counts. At a table's pace its few milliseconds are free.
        run("PRAGMA synchronous = FULL")
        run("PRAGMA foreign_keys = ON")
        if empty:
            with self._transaction():
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    run(statement)
                run(f"PRAGMA application_id = {_APPLICATION_ID}")
                run(f"PRAGMA user_version = {_SCHEMA_VERSION}")

    def sessions(self) -> tuple[str, ...]:
        """The names of all sessions, the latest begun first."""
        with self._trouble_named():
            rows = self._database.execute("SELECT name FROM session ORDER BY begun DESC, name").fetchall()
        return tuple(row[0] for row in rows)

    def journal(self, session: str) -> SqliteJournal:
        """The journal of a session; a new and empty one if the name is new.

        Raises:
            JournalCorrupt: a stored line is damaged.
        """
        return SqliteJournal(self, session)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, session: str) -> list[Line]:
        with self._trouble_named():
            rows = self._database.execute(
                "SELECT seq, at, who, entry, chain FROM line WHERE session = ? ORDER BY seq", (session,)
            ).fetchall()
        lines: list[Line] = []
        chain = ""
        for expected, (seq, at, who, entry, stored) in enumerate(rows):
            chain = _link(chain, seq, at, who, entry)
            if seq != expected or chain != stored:
                raise JournalCorrupt(
                    f"{self.path}: the journal of {session!r} is damaged at line {expected}; "
                    "nothing was changed, restore the file from a copy"
                )
            try:
                lines.append(Line(seq, at, from_json(entry, Entry), who))  # type: ignore[arg-type]  # a union of structs
            except msgspec.DecodeError as error:
                raise JournalCorrupt(
                    f"{self.path}: line {seq} of {session!r} has a form that is unknown here ({error})"
                ) from None
        return lines

    def _append(self, session: str, line: Line) -> None:
        entry = to_json(line.entry).decode()
        with self._trouble_named(), self._transaction():
            if line.seq == 0:
                self._database.execute("INSERT INTO session VALUES (?, ?)", (session, line.at))
            last = self._database.execute(
                "SELECT seq, chain FROM line WHERE session = ? ORDER BY seq DESC LIMIT 1", (session,)
            ).fetchone()
            seq, chain = last if last else (-1, "")
            if seq + 1 != line.seq:
                raise StoreUnusable(
                    f"{self.path}: another program has written to the session {session!r} meanwhile; open it again"
                )
            self._database.execute(
                "INSERT INTO line VALUES (?, ?, ?, ?, ?, ?)",
                (session, line.seq, line.at, line.who, entry, _link(chain, line.seq, line.at, line.who, entry)),
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:  # an interrupt too must not leave half a line
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextmanager
    def _trouble_named(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StoreUnusable(f"{self.path}: cannot be used ({error})") from None
        except sqlite3.IntegrityError:
            raise StoreUnusable(
                f"{self.path}: a session of this name was begun meanwhile; open it again"
            ) from None
        except sqlite3.DatabaseError as error:
            raise JournalCorrupt(f"{self.path}: is no good journal file ({error}); nothing was changed") from None


class SqliteJournal:
    """The journal of one session in a store."""

    def __init__(self, store: SqliteStore, session: str) -> None:
        self._store = store
        self.session = session
        self._lines = store._read(session)

    def append(self, entry: Entry, who: str = "") -> Line:
        """Add an entry; returns when it is on the disk.

        Raises:
            StoreUnusable: it could not be written; nothing was.
        """
        line = Line(len(self._lines), now(), entry, who)
        self._store._append(self.session, line)
        self._lines.append(line)
        return line

    def lines(self) -> Sequence[Line]:
        """All lines so far."""
        return tuple(self._lines)


def _link(chain: str, *parts: object) -> str:
    """The hash of a line and the one before it; each part has its length before it, so that none runs over."""
    text = "".join(f"{len(str(part))}:{part}" for part in (chain, *parts))
    return blake2b(text.encode(), digest_size=16).hexdigest()
