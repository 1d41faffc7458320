"""A store in a file of SQLite: others may delete, replace or damage the file while the table is open."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from loomtable.engine.kernel.errors import Broken, JournalCorrupt
from loomtable.table.store.store import Database, Store, StoreLost, StoreUnusable


class FileStore(Store):
    """A store in one file; ``opened`` says when it is ready."""

    def __init__(self, connect: Callable[[], Any], file: Path, opens: Callable[[Path], Store]) -> None:
        super().__init__(sqlite3, connect, str(file), file.absolute(), opens)
        self._identity: tuple[object, ...] | None = None
        beside = parts_of(self._file)[1]
        self._left = beside if beside.exists() and beside.stat().st_size else None
        """What another program keeps beside the file, or left there when it was killed."""
        self._harmed = False

    def opened(self) -> None:
        """Remember which file this is: from now on, another one in its place is refused."""
        self._identity = _identity(self._file)

    def damage(self) -> tuple[str, ...]:
        with self._using() as database:
            told = unsound(database)
        own = [str(self._damaged(f"the file is damaged ({told})"))] if told else []
        return (*own, *super().damage())

    def close(self) -> None:
        """Give the file back; one that is damaged stays as it was found."""
        with contextlib.ExitStack() as held:
            if self._harmed:
                # Whoever closes a file last writes into it what is beside it; who may only read it cannot.
                with contextlib.suppress(sqlite3.Error):
                    reader = sqlite3.connect(f"{self._file.as_uri()}?mode=ro", uri=True)
                    held.callback(reader.close)
                    reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
            super().close()

    def _damaged(self, how: str) -> JournalCorrupt:
        self._harmed = True
        if self._left is None:
            return super()._damaged(how)
        return JournalCorrupt(
            f"{self.title}: {how}; nothing was changed. If you have just put this file here, {self._left.name} "
            "beside it belongs to the one before: close every table, move it away, and try again; otherwise bring "
            "the file back from a copy"
        )

    def _confirm(self) -> None:
        with self._using() as database:
            if told := unsound(database):
                raise StoreLost(f"{self.title}: the file is damaged ({told})")
        super()._confirm()

    def _lost(self) -> bool:
        return self._identity is not None and _identity(self._file) != self._identity

    @contextlib.contextmanager
    def _using(self, *, writes: bool = False) -> Iterator[Database]:
        if self._lost():
            raise StoreLost(f"{self.title}: the file of the sessions is gone, or another is in its place")
        with super()._using(writes=writes) as database:
            yield database

    def _begin(self, database: Database, *, writes: bool) -> None:
        # Pages are read from the file each time: what is remembered of them hides that it was written over.
        database.execute("PRAGMA shrink_memory")
        # Whoever writes says so at once, so that two programs wait for each other and neither fails halfway.
        database.execute("BEGIN IMMEDIATE" if writes else "BEGIN")

    def _rescue(self, new: Path) -> str:
        """Write everything to a new file, if the old one can be read after its deletion; or else what is open."""
        new.parent.mkdir(parents=True, exist_ok=True)
        make_private(new)
        if self._lost():
            try:
                with self._connection() as database, contextlib.closing(sqlite3.connect(new)) as written:
                    database.raw.backup(written)
                with self._opens(new) as copy:
                    copy._open = self._open
                    copy._confirm()
            except (sqlite3.Error, Broken):
                for part in parts_of(new):
                    part.unlink(missing_ok=True)
            else:
                return "Everything that was played"
        return super()._rescue(new)


def make_private(file: Path) -> bool:
    """Make the file, or see to it that only this account can read the one that is there: hidden cards are in it.

    Returns:
        Whether there was none.

    Raises:
        OSError: it cannot be made.
        StoreUnusable: others can read it, and this account cannot change that.
    """
    # SQLite makes its files beside it like it.
    made = False
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        made = True
    for part in parts_of(file):
        try:
            mode = part.stat().st_mode
            if mode & 0o077:
                part.chmod(mode & 0o700)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreUnusable(
                f"{part}: others on this machine can read it, hidden cards too, and that could not be changed "
                f"({error.strerror}); let its owner do it with chmod 600, or name another file with --store"
            ) from None
    return made


def unsound(database: Database) -> str:
    """What SQLite finds wrong with the file; empty where it is sound."""
    told = str(database.value("PRAGMA integrity_check(1)"))
    return "" if told == "ok" else told.splitlines()[-1]


def parts_of(file: Path) -> list[Path]:
    """The file, and those beside it in which SQLite keeps what is not in it yet."""
    return [file.with_name(file.name + more) for more in ("", "-wal", "-shm")]


def _identity(file: Path) -> tuple[object, ...]:
    def of(part: Path) -> object:
        try:
            there = part.stat()
        except OSError:
            return None
        return there.st_dev, there.st_ino

    return tuple(of(part) for part in parts_of(file))
