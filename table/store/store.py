"""Journals in a database: many sessions, every line safe on the disk before it counts.

Each line carries a hash over itself and the line before it, so that damage is noticed and named instead of played.
The same code serves a file of SQLite and a PostgreSQL server; what differs between them stands in ``places.py``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self
from weakref import WeakValueDictionary

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError, InterfaceError, OperationalError

from loomtable.engine.kernel.errors import Broken, JournalCorrupt, LoomtableError
from loomtable.engine.kernel.journal import Entry, Line, now, opening
from loomtable.engine.kernel.serialization import from_json, to_json

logger = logging.getLogger(__name__)
TABLES = sa.MetaData()
SESSIONS = sa.Table(
    "session",
    TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("begun", sa.Text, nullable=False),
    # Where its journal ends: without it, lines that cannot be found any more would not be missed.
    sa.Column("lines", sa.Integer, nullable=False),
    sa.Column("head", sa.Text, nullable=False),
    sqlite_strict=True,
)
LINES = sa.Table(
    "line",
    TABLES,
    sa.Column("session", sa.Text, sa.ForeignKey("session.name"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
    sa.Column("chain", sa.Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
MEMOS = sa.Table(
    "memo",
    TABLES,
    sa.Column("session", sa.Text, sa.ForeignKey("session.name"), primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("hash", sa.Text),  # of the four above; an earlier Loomtable writes none
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""What people keep beside a session: no part of its journal, its chronicle or its file."""
SHARED = sa.Table(
    "shared",
    TABLES,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""What all tables that use this store know, and belongs to no session: who has joined."""
_NUMBERS = sa.select(sa.func.coalesce(sa.func.max(LINES.c.seq) + 1, 0)).where(LINES.c.session == SESSIONS.c.name)
COUNT = _NUMBERS.correlate(SESSIONS).scalar_subquery()
"""How many lines a session has: what an earlier Loomtable adds does not move ``SESSIONS.lines`` along."""
_LATER = {
    SESSIONS.name: {"lines": "INTEGER NOT NULL DEFAULT 0", "head": "TEXT NOT NULL DEFAULT ''"},
    MEMOS.name: {"hash": "TEXT"},
}
"""The columns that an earlier Loomtable did not have."""
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


class StoreLost(StoreUnusable):
    """What was played here is not in the store any more, or cannot be found there; memory still holds it."""

    def __init__(self, how: str) -> None:
        super().__init__(
            f"{how}, so nothing was written. What was played is still here: export it, or close the table, and "
            "all of it is written to a new file"
        )
        self.how = how


class Store:
    """Journals in a database that is already prepared. Use it as a context manager, or ``close`` it.

    Its methods may be called from any thread. ``open_store`` makes one. Each use begins with a look whether the
    last line of every journal that is open here is still in it: a file can be written over while a table is open.
    """

    def __init__(self, engine: sa.Engine, title: str, file: Path, opens: Callable[[Path], Store]) -> None:
        self._engine = engine
        self.title = title
        """What messages call it: the file, or the address without its password."""
        self._file = file
        """The file, or the one beside which what a server has lost is written."""
        self._opens = opens
        self._open: WeakValueDictionary[int, StoredJournal] = WeakValueDictionary()

    def sessions(self) -> tuple[str, ...]:
        """The names of all sessions, the latest begun first."""
        with self._using() as database:
            rows = database.execute(sa.select(SESSIONS.c.name).order_by(SESSIONS.c.begun.desc(), SESSIONS.c.name))
            return tuple(row[0] for row in rows)

    def last_played(self) -> dict[str, tuple[str, int]]:
        """When the last line of each session was written, and how many lines it has."""
        last = (LINES.c.session == SESSIONS.c.name) & (LINES.c.seq == COUNT - 1)
        with self._using() as database:
            rows = database.execute(
                sa.select(SESSIONS.c.name, sa.func.coalesce(LINES.c.at, SESSIONS.c.begun), COUNT).select_from(
                    SESSIONS.outerjoin(LINES, last)
                )
            )
            return {name: (at, count) for name, at, count in rows}

    def line_counts(self, sessions: Collection[str]) -> dict[str, int]:
        """How many lines these sessions have; those that are not there are left out. Cheap enough to ask often."""
        with self._using() as database:
            rows = database.execute(sa.select(SESSIONS.c.name, COUNT).where(SESSIONS.c.name.in_(sessions)))
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
            names = [row[0] for row in database.execute(sa.select(SESSIONS.c.name))]
            if old not in names:
                raise StoreUnusable(f"{self.title}: there is no session {old!r}")
            if new in names:
                raise NameTaken(f"there is a session {new!r} already; choose another name")
            kept = database.execute(sa.select(SESSIONS).where(SESSIONS.c.name == old)).mappings().one()
            # Lines point at their session, so the new name has to be there before they move to it.
            database.execute(sa.insert(SESSIONS).values({**kept, "name": new}))
            database.execute(sa.update(LINES).where(LINES.c.session == old).values(session=new))
            for row in self._memos(database, old):
                database.execute(sa.insert(MEMOS).values(_hashed(**{**row, "session": new})))
            database.execute(sa.delete(MEMOS).where(MEMOS.c.session == old))
            database.execute(sa.delete(SESSIONS).where(SESSIONS.c.name == old))
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

    def _memos(self, database: sa.Connection, session: str) -> list[dict[str, str]]:
        """Everything that is kept beside a session; what is beside none may have been until a bit was flipped."""
        astray = MEMOS.c.session.not_in(sa.select(SESSIONS.c.name))
        rows = database.execute(sa.select(MEMOS).where((MEMOS.c.session == session) | astray)).mappings()
        found = []
        for row in rows:
            own = row["session"] == session
            fits = row["hash"] == _hashed(**{**row, "session": session})["hash"] or (own and row["hash"] is None)
            if own != fits:
                raise self._damaged(f"something that is kept beside {session!r} (notes, lines, veils) is damaged")
            found += [dict(row)] if own else []
        return found

    def keep_memo(self, session: str, kind: str, key: str, text: str | None) -> None:
        """Keep a text beside a session in place of what was there under the same key; ``None`` keeps nothing.

        Raises:
            StoreUnusable: there is no such session, or it could not be written.
        """
        row = {"session": session, "kind": kind, "key": key}
        with self._using(writes=True) as database:
            here = [MEMOS.c[name] == value for name, value in row.items()]
            database.execute(sa.delete(MEMOS).where(*here))
            if text is not None:
                database.execute(sa.insert(MEMOS).values(_hashed(**row, text=text)))

    @contextmanager
    def shared(self, key: str, *, writes: bool = False) -> Iterator[tuple[str, Callable[[str], None]]]:
        """What all tables know under this key, and a function that ``writes`` it: one program at a time.

        Raises:
            StoreUnusable: it could not be read, or was not written.
        """
        here = SHARED.c.key == key
        with self._using(writes=writes) as database:
            if writes and database.dialect.name == "postgresql":
                database.exec_driver_sql("LOCK TABLE shared IN EXCLUSIVE MODE")

            def write(text: str) -> None:
                database.execute(sa.delete(SHARED).where(here))
                database.execute(sa.insert(SHARED).values(key=key, text=text))

            yield database.scalar(sa.select(SHARED.c.text).where(here)) or "", write

    def bring_in(self, session: str, lines: Sequence[Line]) -> None:
        """Keep a whole journal under a new name, all of it or nothing.

        Raises:
            NameUnusable: no session can have this name.
            StoreUnusable: there is a session of this name already, or it could not be written.
        """
        checked_name(session)
        self._bring_in(session, lines)

    def _bring_in(self, session: str, lines: Sequence[Line]) -> None:
        rows: list[dict[str, Any]] = []
        for line in lines:
            rows.append(_row(session, line, rows[-1]["chain"] if rows else ""))
        with self._using(writes=True) as database:
            ends = {"lines": len(rows), "head": rows[-1]["chain"]}
            database.execute(sa.insert(SESSIONS).values(name=session, begun=rows[0]["at"], **ends))
            database.execute(sa.insert(LINES), rows)

    def damage(self) -> tuple[str, ...]:
        """What of the store is damaged, a sentence for each session that needs somebody; empty if all is well.

        Raises:
            StoreUnusable, JournalCorrupt: it cannot be read at all.
        """
        with self._using() as database:
            names = sa.select(SESSIONS.c.name).union(sa.select(LINES.c.session), sa.select(MEMOS.c.session))
            listed = database.execute(names).scalars().all()
            older = database.execute(sa.select(SESSIONS.c.name).where(SESSIONS.c.lines < COUNT)).scalars().all()
        found = []
        for session in sorted(listed):
            try:
                self.lines(session)
                self.memos(session, "")
            except JournalCorrupt as error:
                found.append(str(error))
            else:
                if session in older:
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
                rescue._bring_in(session, journal.lines())
        return "What was open here"

    def _played(self) -> list[StoredJournal]:
        """The journals that are open here and have lines."""
        found = [journal for at in self._open.valuerefs() if (journal := at()) is not None]
        return [journal for journal in found if journal.end[0]]

    def _look_for_played(self, database: sa.Connection) -> None:
        """Refuse where the last line of a journal that is open here is not in the store any more."""
        # The ends first: what others write in between only makes a journal longer.
        for session, (count, head) in [(journal.session, journal.end) for journal in self._played()]:
            last = sa.select(LINES.c.chain).where(LINES.c.session == session, LINES.c.seq == count - 1)
            renamed = sa.select(LINES.c.chain).where(LINES.c.chain == head).limit(1)
            if database.scalar(last) != head and database.scalar(renamed) is None:
                raise StoreLost(
                    f"{self.title}: line {count - 1} of {session!r} was kept and is not there any more: something "
                    "else has written over the store, perhaps with an older copy"
                )

    def close(self) -> None:
        """Give the database back."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, session: str) -> tuple[list[Line], str]:
        """The lines of a journal, and the hash with which it ends."""
        with self._using() as database:
            # The end first: a line that is written between the two only makes the journal longer.
            end = database.execute(
                sa.select(SESSIONS.c.lines, SESSIONS.c.head).where(SESSIONS.c.name == session)
            ).first()
            rows = database.execute(
                sa.select(LINES.c.seq, LINES.c.at, LINES.c.who, LINES.c.entry, LINES.c.chain)
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
        with self._using(writes=True) as database:
            if line.seq:
                # Whoever writes at the same time waits here, and then finds another end. Its last line was found
                # by now; what an earlier Loomtable has added, which moves no end along, is taken in.
                here = (SESSIONS.c.name == session) & (SESSIONS.c.lines <= line.seq)
                if not database.execute(sa.update(SESSIONS).where(here).values(end)).rowcount:
                    raise self._behind()
            else:
                database.execute(sa.insert(SESSIONS).values(name=session, begun=line.at, **end))
            database.execute(sa.insert(LINES).values(row))
        return new_head

    @contextmanager
    def _using(self, *, writes: bool = False) -> Iterator[sa.Connection]:
        """One transaction; what it ``writes`` is on the disk when this ends, or nothing of it is."""
        with (
            self._trouble_named(),
            self._engine.connect().execution_options(writes=writes) as database,
            database.begin(),
        ):
            self._look_for_played(database)
            yield database

    @contextmanager
    def _trouble_named(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise self._behind() from None
        except (OperationalError, InterfaceError) as error:
            said = _in_words(error.orig)
            passing = "disk is full" in said or "lock" in said  # then the store is as it was
            kind = StoreLost if self._played() and not passing else StoreUnusable
            raise kind(f"{self.title}: {said}") from None
        except (DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes what it cannot read
            said = str(error.orig) if isinstance(error, DatabaseError) else "it holds what is no text"
            if self._played():
                raise StoreLost(f"{self.title}: is no good journal file any more ({said})") from None
            raise self._damaged(f"is no good journal file ({said})") from None

    def _behind(self) -> StoreBehind:
        logger.info("another program has begun or played a session meanwhile")
        return StoreBehind(
            f"{self.title}: another program has begun or played this session meanwhile; open it again"
        )


class StoredJournal:
    """The journal of one session in a store."""

    def __init__(self, store: Store, session: str) -> None:
        self._store = store
        self.session = session
        self._lines, head = store._read(session)
        self.end = len(self._lines), head
        """How many lines are kept, and the hash of the last."""
        store._open[id(self)] = self

    def append(self, entry: Entry, who: str = "") -> Line:
        """Add an entry; returns when it is on the disk.

        Raises:
            StoreUnusable: it could not be written; nothing was.
        """
        line = Line(len(self._lines), now(), entry, who)
        self.end = line.seq + 1, self._store._append(self.session, line, self.end[1])
        self._lines.append(line)
        return line

    def lines(self) -> Sequence[Line]:
        """All lines so far."""
        return tuple(self._lines)


def bring_up(database: sa.Connection, title: str) -> None:
    """Make the tables that are not there; add to those of an earlier Loomtable what it did not keep."""
    looked_at = sa.inspect(database)
    known = set(looked_at.get_table_names())
    for table in (table for table in TABLES.sorted_tables if table.name in known):
        there = {column["name"] for column in looked_at.get_columns(table.name)}
        added = {name: kind for name, kind in _LATER.get(table.name, {}).items() if name not in there}
        if there | added.keys() != {column.name for column in table.columns}:
            raise JournalCorrupt(
                f"{title}: the table {table.name} is not ours; give Loomtable a database of its own"
            )
        for name, kind in added.items():
            database.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {name} {kind}")
        if "head" in added:
            own = sa.select(LINES.c.chain).where(LINES.c.session == SESSIONS.c.name)
            last = own.order_by(LINES.c.seq.desc()).limit(1).scalar_subquery()
            database.execute(sa.update(SESSIONS).values(lines=COUNT, head=sa.func.coalesce(last, "")))
    TABLES.create_all(database)
    for row in database.execute(sa.select(MEMOS).where(MEMOS.c.hash.is_(None))).mappings().all():
        here = [MEMOS.c[name] == row[name] for name in ("session", "kind", "key")]
        database.execute(sa.update(MEMOS).where(*here).values(hash=_hashed(**row)["hash"]))


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


def _in_words(error: BaseException | None) -> str:
    said = next(iter(str(error).strip().splitlines()), type(error).__name__)
    if any(words in said.lower() for words in _FULL):
        return "the disk is full; nothing was written, make room and try again"
    return f"cannot be used ({said})"
