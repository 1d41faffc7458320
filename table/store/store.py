"""Journals in a database: many sessions, every line safe on the disk before it counts.

Each line carries a hash over itself and the line before it, so that damage is noticed and named instead of played.
The same code serves a file of SQLite and a PostgreSQL server; what differs between them stands in ``places.py``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self
from weakref import WeakValueDictionary

import msgspec

from loomtable.engine.kernel.errors import Broken, JournalCorrupt, LoomtableError
from loomtable.engine.kernel.journal import Entry, Journal, Line, opening
from loomtable.engine.kernel.serialization import from_json, to_json

logger = logging.getLogger(__name__)
TABLES = {
    # Where a journal ends, by lines and head: without it, lines that cannot be found any more would not be missed.
    "session": ("name", "name TEXT NOT NULL, begun TEXT NOT NULL, lines INTEGER NOT NULL, head TEXT NOT NULL"),
    "line": (
        "session, seq",
        "session TEXT NOT NULL REFERENCES session (name), seq INTEGER NOT NULL, at TEXT NOT NULL, "
        "who TEXT NOT NULL, entry TEXT NOT NULL, chain TEXT NOT NULL",
    ),
    # What people keep beside a session: no part of its journal, its chronicle or its file. The hash is of the four
    # before it; an earlier Loomtable writes none.
    "memo": (
        "session, kind, key",
        "session TEXT NOT NULL REFERENCES session (name), kind TEXT NOT NULL, key TEXT NOT NULL, "
        "text TEXT NOT NULL, hash TEXT",
    ),
    # What all tables that use this store know, and belongs to no session: who has joined.
    "shared": ("key", "key TEXT NOT NULL, text TEXT NOT NULL"),
}
"""Each table's key and columns, in an order in which they can be made."""
COUNT = "(SELECT coalesce(max(seq) + 1, 0) FROM line WHERE line.session = session.name)"
"""How many lines a session has: what an earlier Loomtable adds does not move ``session.lines`` along."""
_LATER = {
    "session": {"lines": "INTEGER NOT NULL DEFAULT 0", "head": "TEXT NOT NULL DEFAULT ''"},
    "memo": {"hash": "TEXT"},
}
"""The columns that an earlier Loomtable did not have."""
LONGEST_NAME = 80
_CONNECTIONS = 4
"""So many are kept open while nobody uses them."""
_FULL = ("disk is full", "no space left", "could not extend file")


class StoreUnusable(Broken):
    """The store cannot be opened or written; the message says why."""


class NameTaken(StoreUnusable):
    """There is a session of this name already."""

    status = 409


class NameUnusable(StoreUnusable):
    """No session can be called so; the message says what a name may be."""

    status = 400


class StoreBehind(StoreUnusable):
    """Another program has written to the session; it has to be opened again."""


class StoreLost(StoreUnusable):
    """What was played here is not in the store any more, or cannot be found there; memory still holds it."""

    def __init__(self, how: str) -> None:
        super().__init__(
            f"{how}, so nothing was written. What was played is still here: export it, or close the table, and "
            "all of it is written to a new file"
        )
        self.how = how


class Database:
    """A connection of ``sqlite3`` or ``psycopg`` (DB-API 2.0). Statements have ``?`` where a value belongs."""

    def __init__(self, driver: Any, raw: Any) -> None:
        self.raw = raw
        self._is_qmark = driver.paramstyle == "qmark"

    def execute(self, statement: str, *values: object) -> Any:
        """Run a statement; its rows are in the cursor that is returned."""
        return self.raw.execute(statement if self._is_qmark else statement.replace("?", "%s"), values)

    def value(self, statement: str, *values: object) -> Any:
        """The first value that is found, or nothing."""
        row = self.execute(statement, *values).fetchone()
        return row[0] if row else None

    def rows(self, statement: str, *values: object) -> list[dict[str, Any]]:
        """All rows, by the names of their columns."""
        cursor = self.execute(statement, *values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def insert(self, table: str, row: Mapping[str, object]) -> None:
        """Add a row."""
        self.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", *row.values())


class Store:
    """Journals in a database that is already prepared. Use it as a context manager, or ``close`` it.

    Its methods may be called from any thread. ``open_store`` makes one. Each use begins with a look whether the
    last line of every journal that is open here is still in it: a file can be written over while a table is open.
    """

    def __init__(
        self, driver: Any, connect: Callable[[], Any], title: str, file: Path, opens: Callable[[Path], Store]
    ) -> None:
        self._driver, self._connect = driver, connect
        self._idle: list[Database] = []
        self.title = title
        """What messages call it: the file, or the address without its password."""
        self._file = file
        """The file, or the one beside which what a server has lost is written."""
        self._opens = opens
        self._open: WeakValueDictionary[int, StoredJournal] = WeakValueDictionary()

    def sessions(self) -> tuple[str, ...]:
        """The names of all sessions, the latest begun first."""
        with self._using() as database:
            return tuple(row[0] for row in database.execute("SELECT name FROM session ORDER BY begun DESC, name"))

    def last_played(self) -> dict[str, tuple[str, int]]:
        """When the last line of each session was written, and how many lines it has."""
        with self._using() as database:
            rows = database.execute(
                f"SELECT name, coalesce(at, begun), {COUNT} FROM session "
                f"LEFT JOIN line ON line.session = name AND seq = {COUNT} - 1"
            )
            return {name: (at, count) for name, at, count in rows}

    def line_counts(self, sessions: Collection[str]) -> dict[str, int]:
        """How many lines these sessions have; those that are not there are left out. Cheap enough to ask often."""
        with self._using() as database:
            places = ", ".join("?" * len(sessions)) or "NULL"
            counted = f"SELECT name, {COUNT} FROM session WHERE name IN ({places})"
            return dict(database.execute(counted, *sessions).fetchall())

    def journal(self, session: str) -> StoredJournal:
        """The journal of a session; a new and empty one if the name is new.

        Raises:
            NameUnusable: no new session can have this name.
            JournalCorrupt: a stored line is damaged, or cannot be found.
        """
        journal = StoredJournal(self, session)
        if not journal.lines():  # what was begun under any name in earlier days is still played
            checked_name(session)
        return journal

    def lines(self, session: str) -> Sequence[Line]:
        """The lines of a session's journal, to look at and not to play on; none if there is no such session.

        Raises:
            JournalCorrupt: one is damaged, or cannot be found.
        """
        return self._read(session)[0]

    def seed_of(self, same_cards_as: str) -> str:
        """The seed that deals the same cards as a session of this name, or else as this word; empty without one.

        Raises:
            JournalCorrupt: the session of this name is damaged.
        """
        lines = self.lines(same_cards_as)
        return opening(lines).seed if lines else same_cards_as

    def rename(self, old: str, new: str) -> None:
        """Give a session another name.

        Raises:
            NameUnusable: no session can be called ``new``.
            StoreUnusable: there is no session ``old``, or one is called ``new`` already.
        """
        checked_name(new)
        with self._using(writes=True) as database:
            names = [row[0] for row in database.execute("SELECT name FROM session")]
            if old not in names:
                raise StoreUnusable(f"{self.title}: there is no session {old!r}")
            if new in names:
                raise NameTaken(f"there is a session {new!r} already; choose another name")
            [kept] = database.rows("SELECT * FROM session WHERE name = ?", old)
            # Lines point at their session, so the new name has to be there before they move to it.
            database.insert("session", {**kept, "name": new})
            database.execute("UPDATE line SET session = ? WHERE session = ?", new, old)
            for row in self._memos(database, old):
                database.insert("memo", _hashed(**{**row, "session": new}))
            database.execute("DELETE FROM memo WHERE session = ?", old)
            database.execute("DELETE FROM session WHERE name = ?", old)
        for journal in self._played():
            journal.session = new if journal.session == old else journal.session

    def memos(self, session: str, kind: str) -> dict[str, str]:
        """What is kept of this kind beside a session, each under its key; in the order of their keys.

        Raises:
            JournalCorrupt: something that is kept beside it is damaged.
        """
        with self._using() as database:
            rows = self._memos(database, session)
        return dict(sorted((row["key"], row["text"]) for row in rows if row["kind"] == kind))

    def _memos(self, database: Database, session: str) -> list[dict[str, str]]:
        """Everything that is kept beside a session; what is beside none may have been until a bit was flipped."""
        astray = "session NOT IN (SELECT name FROM session)"
        found = []
        for row in database.rows(f"SELECT * FROM memo WHERE session = ? OR {astray}", session):
            own = row["session"] == session
            fits = row["hash"] == _hashed(**{**row, "session": session})["hash"] or (own and row["hash"] is None)
            if own != fits:
                raise self._damaged(f"something that is kept beside {session!r} (notes, lines, veils) is damaged")
            found += [row] if own else []
        return found

    def keep_memo(self, session: str, kind: str, key: str, text: str | None) -> None:
        """Keep a text beside a session in place of what was there under the same key; ``None`` keeps nothing.

        Raises:
            StoreUnusable: there is no such session, or it could not be written.
        """
        with self._using(writes=True) as database:
            database.execute("DELETE FROM memo WHERE session = ? AND kind = ? AND key = ?", session, kind, key)
            if text is not None:
                database.insert("memo", _hashed(session, kind, key, text))

    @contextmanager
    def shared(self, key: str, *, writes: bool = False) -> Iterator[tuple[str, Callable[[str], None]]]:
        """What all tables know under this key, and a function that ``writes`` it: one program at a time.

        Raises:
            StoreUnusable: it could not be read, or was not written.
        """
        with self._using(writes=writes) as database:
            if writes and self._driver.paramstyle != "qmark":
                database.execute("LOCK TABLE shared IN EXCLUSIVE MODE")

            def write(text: str) -> None:
                database.execute("DELETE FROM shared WHERE key = ?", key)
                database.insert("shared", {"key": key, "text": text})

            yield database.value("SELECT text FROM shared WHERE key = ?", key) or "", write

    def bring_in(self, session: str, lines: Sequence[Line]) -> None:
        """Keep a whole journal under a new name, all of it or nothing.

        Raises:
            NameUnusable: no session can have this name.
            StoreUnusable: there is a session of this name already, or it could not be written.
        """
        checked_name(session)
        self._add(session, lines)

    def damage(self) -> tuple[str, ...]:
        """What of the store is damaged, a sentence for each session that needs somebody; empty if all is well.

        Raises:
            StoreUnusable, JournalCorrupt: it cannot be read at all.
        """
        with self._using() as database:
            names = "SELECT name FROM session UNION SELECT session FROM line UNION SELECT session FROM memo"
            listed = database.execute(names).fetchall()
            older = database.execute(f"SELECT name FROM session WHERE lines < {COUNT}").fetchall()
        found = []
        for (session,) in sorted(listed):
            try:
                self.lines(session)
                self.memos(session, "")
            except JournalCorrupt as error:
                found.append(str(error))
            else:
                if (session,) in older:
                    found.append(f"an earlier Loomtable has written to {session!r}: close it, and play on here")
        return tuple(found)

    def confirm_kept(self) -> None:
        """To be called before somebody is told that everything is kept.

        Raises:
            StoreUnusable: it is not; the message says where it is instead.
        """
        try:
            self._confirm()
        except Broken as error:
            how = error.how if isinstance(error, StoreLost) else error
            raise StoreUnusable(f"{how}. {self._rescued()}") from None

    def _confirm(self) -> None:
        """Read back what was played here; raises where it is not all there."""
        self.sessions()
        for journal in self._played():
            self._read(journal.session)

    def _rescued(self) -> str:
        """Write what was played to a new file beside the store, and say where."""
        number = 1
        while (new := self._file.with_stem(f"{self._file.stem}-rescued-{number}")).exists():
            number += 1
        try:
            which = self._rescue(new)
        except (OSError, LoomtableError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            return f"What was played could not be written to {new} either ({why})"
        return f"{which} is in {new}; open that with --store"

    def _rescue(self, new: Path) -> str:
        """Write what memory holds to a new file; what that is, in words."""
        longest = {journal.session: journal for journal in sorted(self._played(), key=lambda one: one.end)}
        with self._opens(new) as rescue:
            for session, journal in longest.items():
                rescue._add(session, journal.lines())
        return "What was open here"

    def _played(self) -> list[StoredJournal]:
        """The journals that are open here and have lines."""
        found = [journal for at in self._open.valuerefs() if (journal := at()) is not None]
        return [journal for journal in found if journal.end[0]]

    def _look_for_played(self, database: Database) -> None:
        """Refuse where the last line of a journal that is open here is not in the store any more."""
        # The ends first: what others write in between only makes a journal longer.
        for session, (count, head) in [(journal.session, journal.end) for journal in self._played()]:
            last = database.value("SELECT chain FROM line WHERE session = ? AND seq = ?", session, count - 1)
            if last != head and not database.value("SELECT chain FROM line WHERE chain = ? LIMIT 1", head):
                raise StoreLost(
                    f"{self.title}: line {count - 1} of {session!r} was kept and is not there any more: something "
                    "else has written over the store, perhaps with an older copy"
                )

    def close(self) -> None:
        """Give the database back."""
        idle, self._idle = self._idle, []  # who uses a connection now closes it afterwards
        for database in idle:
            database.raw.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, session: str) -> tuple[list[Line], str]:
        """The lines of a journal, and the hash with which it ends."""
        with self._using() as database:
            # The end first: a line that is written between the two only makes the journal longer.
            end = database.execute("SELECT lines, head FROM session WHERE name = ?", session).fetchone()
            rows = database.execute(
                "SELECT seq, at, who, entry, chain FROM line WHERE session = ? ORDER BY seq", session
            ).fetchall()
        lines: list[Line] = []
        chains = [""]
        for expected, (seq, at, who, entry, stored) in enumerate(rows):
            chains.append(linked(chains[-1], seq, at, who, entry))
            if seq != expected or chains[-1] != stored:
                raise self._damaged(f"the journal of {session!r} is damaged at line {expected}")
            try:
                lines.append(Line(seq, at, from_json(entry, Entry), who))  # type: ignore[arg-type]  # a union of structs
            except msgspec.DecodeError as error:
                why = f"{self.title}: line {seq} of {session!r} has a form that is unknown here ({error})"
                raise JournalCorrupt(why) from None
        count, head = end or (0, "")
        if count > len(rows):
            last = count - 1
            which = f"line {last}" if len(rows) == last else f"lines {len(rows)} to {last}"
            raise self._damaged(f"{which} of the journal of {session!r} cannot be read")
        if count < 0 or chains[count] != head or (rows and end is None):
            raise self._damaged(f"where the journal of {session!r} ends is damaged")
        return lines, chains[-1]

    def _damaged(self, how: str) -> JournalCorrupt:
        return JournalCorrupt(f"{self.title}: {how}; nothing was changed, bring it back from a copy")

    def _add(self, session: str, lines: Sequence[Line], head: str = "") -> str:
        """Add lines to a journal that ended with the hash ``head``; the hash with which it ends now."""
        rows: list[dict[str, Any]] = []
        for line in lines:
            rows.append(_row(session, line, rows[-1]["chain"] if rows else head))
        begins, ends = lines[0], {"lines": lines[-1].seq + 1, "head": rows[-1]["chain"]}
        with self._using(writes=True) as database:
            if begins.seq:
                # Whoever writes at the same time waits here, and then finds another end. Its last line was found
                # by now; what an earlier Loomtable has added, which moves no end along, is taken in.
                moves = "UPDATE session SET lines = ?, head = ? WHERE name = ? AND lines <= ?"
                if not database.execute(moves, *ends.values(), session, begins.seq).rowcount:
                    raise self._behind()
            else:
                database.insert("session", {"name": session, "begun": begins.at, **ends})
            for row in rows:
                database.insert("line", row)
        return str(ends["head"])

    @contextmanager
    def _using(self, *, writes: bool = False) -> Iterator[Database]:
        """One transaction; what it ``writes`` is on the disk when this ends, or nothing of it is."""
        with self._trouble_named(), self._transaction(writes=writes) as database:
            self._look_for_played(database)
            yield database

    @contextmanager
    def _transaction(self, *, writes: bool = False) -> Iterator[Database]:
        with self._connection() as database:
            self._begin(database, writes=writes)
            yield database
            database.raw.commit()

    def _begin(self, database: Database, *, writes: bool) -> None:
        """Begin a transaction, where the driver does not do so by itself."""

    @contextmanager
    def _connection(self) -> Iterator[Database]:
        """A connection that nobody else uses meanwhile; what was not committed is taken back."""
        idle = self._idle
        try:
            database = self._alive(idle.pop())
        except IndexError:
            database = Database(self._driver, self._connect())
        try:
            yield database
        finally:
            with suppress(self._driver.Error):
                database.raw.rollback()
            if idle is self._idle and len(idle) < _CONNECTIONS:
                idle.append(database)
            else:
                database.raw.close()

    def _alive(self, database: Database) -> Database:
        """The connection, or a new one if a server has ended it meanwhile."""
        try:
            database.execute("SELECT 1")
            database.raw.rollback()
        except self._driver.Error:
            database.raw.close()
            return Database(self._driver, self._connect())
        return database

    @contextmanager
    def _trouble_named(self) -> Iterator[None]:
        try:
            yield
        except self._driver.IntegrityError:
            raise self._behind() from None
        except (self._driver.OperationalError, self._driver.InterfaceError) as error:
            said = _in_words(error)
            passing = "disk is full" in said or "lock" in said  # then the store is as it was
            kind = StoreLost if self._played() and not passing else StoreUnusable
            raise kind(f"{self.title}: {said}") from None
        except (self._driver.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes what it cannot read
            said = "it holds what is no text" if isinstance(error, UnicodeDecodeError) else str(error)
            if self._played():
                raise StoreLost(f"{self.title}: is no good journal file any more ({said})") from None
            raise self._damaged(f"is no good journal file ({said})") from None

    def _behind(self) -> StoreBehind:
        logger.info("another program has begun or played a session meanwhile")
        return StoreBehind(
            f"{self.title}: another program has begun or played this session meanwhile; open it again"
        )


class StoredJournal(Journal):
    """The journal of one session in a store; ``StoreUnusable`` where a line could not be written: none was."""

    def __init__(self, store: Store, session: str) -> None:
        lines, head = store._read(session)
        super().__init__(lines)
        self._store = store
        self.session = session
        self.end = len(lines), head
        """How many lines are kept, and the hash of the last."""
        store._open[id(self)] = self

    def _keep(self, lines: Sequence[Line]) -> None:
        self.end = lines[-1].seq + 1, self._store._add(self.session, lines, self.end[1])


def bring_up(database: Database, known: Collection[str], title: str, options: str = "") -> None:
    """Make the tables that are not ``known``; add to those of an earlier Loomtable what it did not keep."""
    for table, (key, columns) in TABLES.items():
        if table not in known:
            database.execute(f"CREATE TABLE {table} ({columns}, PRIMARY KEY ({key})){options}")
            continue
        there = {column[0] for column in database.execute(f"SELECT * FROM {table} LIMIT 0").description}
        added = {name: kind for name, kind in _LATER.get(table, {}).items() if name not in there}
        if there | added.keys() != {column.split()[0] for column in columns.split(", ")}:
            raise JournalCorrupt(f"{title}: the table {table} is not ours; give Loomtable a database of its own")
        for name, kind in added.items():
            database.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
        if "head" in added:
            last = "SELECT chain FROM line WHERE line.session = session.name ORDER BY seq DESC LIMIT 1"
            database.execute(f"UPDATE session SET lines = {COUNT}, head = coalesce(({last}), '')")
    for row in database.rows("SELECT * FROM memo WHERE hash IS NULL"):
        here = "session = ? AND kind = ? AND key = ?"
        made = _hashed(**row)["hash"]
        database.execute(f"UPDATE memo SET hash = ? WHERE {here}", made, row["session"], row["kind"], row["key"])


def _hashed(session: str, kind: str, key: str, text: str, **_: object) -> dict[str, str]:
    """What is kept beside a session, with its hash."""
    return {"session": session, "kind": kind, "key": key, "text": text, "hash": linked(session, kind, key, text)}


def _row(session: str, line: Line, chain: str) -> dict[str, Any]:
    """A line as it is stored after one whose hash is ``chain``."""
    entry = to_json(line.entry).decode()
    return {
        "session": session,
        "seq": line.seq,
        "at": line.at,
        "who": line.who,
        "entry": entry,
        "chain": linked(chain, line.seq, line.at, line.who, entry),
    }


def linked(chain: str, *parts: object) -> str:
    """The hash of a line and the one before it; each part has its length before it, so that none runs over."""
    text = "".join(f"{len(str(part))}:{part}" for part in (chain, *parts))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def checked_name(session: str) -> str:
    """The name of a session, if one can be called so. It is part of the address of its pages.

    Raises:
        NameUnusable: none can.
    """
    if not session.strip() or session != session.strip():
        raise NameUnusable("a session needs a name that begins and ends with a letter, a figure or a mark")
    if len(session) > LONGEST_NAME or not session.isprintable():
        raise NameUnusable(
            f"a session's name has at most {LONGEST_NAME} characters, all of which can be shown: {session[:40]!r}"
        )
    if "/" in session or "\\" in session or session in (".", ".."):
        raise NameUnusable(
            f"a session cannot be called {session!r}, because its page could not be opened; "
            "leave out slashes, or write more than dots"
        )
    return session


def _in_words(error: BaseException) -> str:
    said = next(iter(str(error).strip().splitlines()), type(error).__name__)
    if any(words in said.lower() for words in _FULL):
        return "the disk is full; nothing was written, make room and try again"
    return f"cannot be used ({said})"
