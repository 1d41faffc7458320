"""Journals in a database: many sessions, every line safe on the disk before it counts.

Each line carries a hash over itself and the line before it, so that damage is noticed and named instead of played.
The same code serves a file of SQLite and a PostgreSQL server; what differs between them stands in ``places.py``.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from types import TracebackType
from typing import Any, Self

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DatabaseError, IntegrityError, InterfaceError, OperationalError

from loomtable.engine.kernel.errors import Broken, JournalCorrupt
from loomtable.engine.kernel.journal import Entry, Line, now
from loomtable.engine.kernel.serialization import from_json, to_json

logger = logging.getLogger(__name__)
TABLES = MetaData()
SESSIONS = Table(
    "session",
    TABLES,
    Column("name", Text, primary_key=True),
    Column("begun", Text, nullable=False),
    # Where its journal ends: without it, lines that cannot be found any more would not be missed.
    Column("lines", Integer, nullable=False),
    Column("head", Text, nullable=False),
    sqlite_strict=True,
)
LINES = Table(
    "line",
    TABLES,
    Column("session", Text, ForeignKey("session.name"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("entry", Text, nullable=False),
    Column("chain", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
MEMOS = Table(
    "memo",
    TABLES,
    Column("session", Text, ForeignKey("session.name"), primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("text", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""What people keep beside a session: no part of its journal, its chronicle or its file."""
LONGEST_NAME = 80
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


class Store:
    """Journals in a database that is already prepared. Use it as a context manager, or ``close`` it.

    Its methods may be called from any thread. ``open_store`` makes one.
    """

    def __init__(self, engine: Engine, title: str) -> None:
        self._engine = engine
        self.title = title
        """What messages call it: the file, or the address without its password."""

    def sessions(self) -> tuple[str, ...]:
        """The names of all sessions, the latest begun first."""
        with self._reading() as database:
            rows = database.execute(select(SESSIONS.c.name).order_by(SESSIONS.c.begun.desc(), SESSIONS.c.name))
            return tuple(row[0] for row in rows)

    def last_played(self) -> dict[str, tuple[str, int]]:
        """When the last line of each session was written, and how many lines it has."""
        last = (LINES.c.session == SESSIONS.c.name) & (LINES.c.seq == SESSIONS.c.lines - 1)
        with self._reading() as database:
            rows = database.execute(
                select(SESSIONS.c.name, func.coalesce(LINES.c.at, SESSIONS.c.begun), SESSIONS.c.lines).select_from(
                    SESSIONS.outerjoin(LINES, last)
                )
            )
            return {name: (at, count) for name, at, count in rows}

    def line_counts(self, sessions: Collection[str]) -> dict[str, int]:
        """How many lines these sessions have; those that are not there are left out. Cheap enough to ask often."""
        with self._reading() as database:
            rows = database.execute(select(SESSIONS.c.name, SESSIONS.c.lines).where(SESSIONS.c.name.in_(sessions)))
            return {row[0]: row[1] for row in rows}

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

    def rename(self, old: str, new: str) -> None:
        """Give a session another name.

        Raises:
            NameUnusable: no session can be called ``new``.
            StoreUnusable: there is no session ``old``, or one is called ``new`` already.
        """
        checked_name(new)
        with self._writing() as database:
            names = [row[0] for row in database.execute(select(SESSIONS.c.name))]
            if old not in names:
                raise StoreUnusable(f"{self.title}: there is no session {old!r}")
            if new in names:
                raise NameTaken(f"there is a session {new!r} already; choose another name")
            kept = database.execute(select(SESSIONS).where(SESSIONS.c.name == old)).mappings().one()
            # Lines point at their session, so the new name has to be there before they move to it.
            database.execute(insert(SESSIONS).values({**kept, "name": new}))
            for table in (LINES, MEMOS):
                database.execute(update(table).where(table.c.session == old).values(session=new))
            database.execute(delete(SESSIONS).where(SESSIONS.c.name == old))

    def memos(self, session: str, kind: str) -> dict[str, str]:
        """What is kept of this kind beside a session, each under its key; in the order of their keys."""
        with self._reading() as database:
            here = (MEMOS.c.session == session) & (MEMOS.c.kind == kind)
            rows = database.execute(select(MEMOS.c.key, MEMOS.c.text).where(here))
            return dict(sorted((key, text) for key, text in rows))

    def keep_memo(self, session: str, kind: str, key: str, text: str | None) -> None:
        """Keep a text beside a session in place of what was there under the same key; ``None`` keeps nothing.

        Raises:
            StoreUnusable: there is no such session, or it could not be written.
        """
        row = {"session": session, "kind": kind, "key": key}
        with self._writing() as database:
            here = [MEMOS.c[name] == value for name, value in row.items()]
            database.execute(delete(MEMOS).where(*here))
            if text is not None:
                database.execute(insert(MEMOS).values(**row, text=text))

    def bring_in(self, session: str, lines: Sequence[Line]) -> None:
        """Keep a whole journal under a new name, all of it or nothing.

        Raises:
            NameUnusable: no session can have this name.
            StoreUnusable: there is a session of this name already, or it could not be written.
        """
        checked_name(session)
        rows: list[dict[str, Any]] = []
        for line in lines:
            rows.append(_row(session, line, rows[-1]["chain"] if rows else ""))
        with self._writing() as database:
            ends = {"lines": len(rows), "head": rows[-1]["chain"]}
            database.execute(insert(SESSIONS).values(name=session, begun=rows[0]["at"], **ends))
            database.execute(insert(LINES), rows)

    def damage(self) -> tuple[str, ...]:
        """What of the store is damaged, a sentence for each session that cannot be read; empty if all is well.

        Raises:
            StoreUnusable, JournalCorrupt: it cannot be read at all.
        """
        with self._reading() as database:
            listed = database.execute(select(SESSIONS.c.name).union(select(LINES.c.session))).scalars().all()
        found = []
        for session in sorted(listed):
            try:
                self._read(session)
            except JournalCorrupt as error:
                found.append(str(error))
        return tuple(found)

    def confirm_kept(self) -> None:
        """To be called before somebody is told that everything is kept.

        Raises:
            StoreUnusable: it is not; the message says where it is instead.
        """
        self._check()

    def _check(self) -> None:
        """Look before each use whether the store is still the one that was opened.

        Raises:
            StoreUnusable: it is not.
        """

    def close(self) -> None:
        """Give the database back."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, session: str) -> tuple[list[Line], str]:
        """The lines of a journal, and the hash with which it ends."""
        with self._reading() as database:
            # The end first: a line that is written between the two only makes the journal longer.
            end = database.execute(
                select(SESSIONS.c.lines, SESSIONS.c.head).where(SESSIONS.c.name == session)
            ).first()
            rows = database.execute(
                select(LINES.c.seq, LINES.c.at, LINES.c.who, LINES.c.entry, LINES.c.chain)
                .where(LINES.c.session == session)
                .order_by(LINES.c.seq)
            ).all()
        lines: list[Line] = []
        chains = [""]
        for expected, (seq, at, who, entry, stored) in enumerate(rows):
            chains.append(linked(chains[-1], seq, at, who, entry))
            if seq != expected or chains[-1] != stored:
                raise self._damaged(f"the journal of {session!r} is damaged at line {expected}")
            try:
                lines.append(Line(seq, at, from_json(entry, Entry), who))  # type: ignore[arg-type]  # a union of structs
            except msgspec.DecodeError as error:
                raise JournalCorrupt(
                    f"{self.title}: line {seq} of {session!r} has a form that is unknown here ({error})"
                ) from None
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

    def _append(self, session: str, line: Line, head: str) -> str:
        """Add a line to a journal that ended with the hash ``head``; the hash with which it ends now."""
        row = _row(session, line, head)
        new_head: str = row["chain"]
        end = {"lines": line.seq + 1, "head": new_head}
        with self._writing() as database:
            if line.seq:
                # Whoever writes at the same time waits here, and then finds another end.
                here = (SESSIONS.c.name == session) & (SESSIONS.c.lines == line.seq) & (SESSIONS.c.head == head)
                if not database.execute(update(SESSIONS).where(here).values(end)).rowcount:
                    logger.info("another program has written to the session %r meanwhile", session)
                    raise StoreBehind(
                        f"{self.title}: another program has written to the session {session!r} meanwhile; "
                        "open it again"
                    )
            else:
                database.execute(insert(SESSIONS).values(name=session, begun=line.at, **end))
            database.execute(insert(LINES).values(row))
        return new_head

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._check()
        with self._trouble_named(), self._engine.connect() as database:
            yield database

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One transaction; it is on the disk when this ends, or nothing of it is."""
        self._check()
        with (
            self._trouble_named(),
            self._engine.connect().execution_options(writes=True) as database,
            database.begin(),
        ):
            yield database

    @contextmanager
    def _trouble_named(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            logger.info("another program has begun a session of this name meanwhile")
            raise StoreBehind(f"{self.title}: a session of this name was begun meanwhile; open it again") from None
        except (OperationalError, InterfaceError) as error:
            raise StoreUnusable(f"{self.title}: {_in_words(error.orig)}") from None
        except (DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes what it cannot read
            said = error.orig if isinstance(error, DatabaseError) else "it holds what is no text"
            raise JournalCorrupt(f"{self.title}: is no good journal file ({said}); nothing was changed") from None


class StoredJournal:
    """The journal of one session in a store."""

    def __init__(self, store: Store, session: str) -> None:
        self._store = store
        self.session = session
        self._lines, self._head = store._read(session)

    def append(self, entry: Entry, who: str = "") -> Line:
        """Add an entry; returns when it is on the disk.

        Raises:
            StoreUnusable: it could not be written; nothing was.
        """
        line = Line(len(self._lines), now(), entry, who)
        self._head = self._store._append(self.session, line, self._head)
        self._lines.append(line)
        return line

    def lines(self) -> Sequence[Line]:
        """All lines so far."""
        return tuple(self._lines)


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


def _in_words(error: BaseException | None) -> str:
    said = next(iter(str(error).strip().splitlines()), type(error).__name__)
    if any(words in said.lower() for words in _FULL):
        return "the disk is full; nothing was written, make room and try again"
    return f"cannot be used ({said})"
