"""A store in a file of SQLite: others may delete, replace or damage the file while the table is open."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from sqlalchemy import Connection, Engine

from loomtable.table.store.store import Store, StoreUnusable

_BESIDE = ("", "-wal", "-shm")
"""The file itself, and those in which SQLite keeps what is not in it yet."""


class FileStore(Store):
    """A store in one file; ``opened`` says when it is ready."""

    def __init__(self, engine: Engine, file: Path) -> None:
        super().__init__(engine, str(file))
        self._file = file.absolute()
        self._identity: tuple[object, ...] | None = None

    def opened(self) -> None:
        """Remember which file this is: from now on, another one in its place is refused."""
        self._identity = _identity(self._file)

    def damage(self) -> tuple[str, ...]:
        with self._reading() as database:
            told = unsound(database)
        own = f"{self.title}: the file is damaged ({told}); bring it back from a copy"
        return (*([own] if told else ()), *super().damage())

    def confirm_kept(self) -> None:
        if self._lost():
            raise StoreUnusable(
                f"{self.title}: the file of the sessions is gone, or another is in its place. {self._rescued()}"
            )

    def _lost(self) -> bool:
        return self._identity is not None and _identity(self._file) != self._identity

    def _check(self) -> None:
        if self._lost():
            raise StoreUnusable(
                f"{self.title}: the file of the sessions is gone, or another is in its place, so nothing was "
                "written. What was played is still here: export it, or close the table, and all of it is written "
                "to a new file"
            )

    def _rescued(self) -> str:
        """Write everything to a new file beside it, and say where: what is open can be read after deletion."""
        number = 1
        while (new := self._file.with_stem(f"{self._file.stem}-rescued-{number}")).exists():
            number += 1
        try:
            new.parent.mkdir(parents=True, exist_ok=True)
            make_private(new)
            with self._engine.connect() as database, contextlib.closing(sqlite3.connect(new)) as written:
                raw = database.connection.driver_connection
                assert isinstance(raw, sqlite3.Connection)
                raw.backup(written)
        except (OSError, sqlite3.Error) as error:
            why = error.strerror if isinstance(error, OSError) else error
            return f"What was played could not be written to {new} either ({why})"
        return f"Everything that was played is in {new}; open that with --store"


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


def unsound(database: Connection) -> str:
    """What SQLite finds wrong with the file; empty where it is sound."""
    told = str(database.exec_driver_sql("PRAGMA integrity_check(1)").scalar())
    return "" if told == "ok" else told.splitlines()[-1]


def parts_of(file: Path) -> list[Path]:
    """The file, and those that SQLite keeps beside it."""
    return [file.with_name(file.name + more) for more in _BESIDE]


def _identity(file: Path) -> tuple[object, ...]:
    def of(part: Path) -> object:
        try:
            there = part.stat()
        except OSError:
            return None
        return there.st_dev, there.st_ino

    return tuple(of(part) for part in parts_of(file))
