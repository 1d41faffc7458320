"""The log: on standard error, in a file where ``--log`` names one, and the last defects of ours for a report.

Every module has a logger of its own name, so that one level and one set of handlers on our packages serve all.
What may be logged: what was done, which session, device, camera or file, how a die was read. Never a picture, a
code, a token, an answer or a card: whoever finds a log must not be able to join a table or to see a hidden hand.
"""

from __future__ import annotations

import copy
import io
import logging
import os
import re
import sys
import time
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path

from platformdirs import user_state_path

from loomtable.engine.kernel.errors import Broken

LOGGER = logging.getLogger("loomtable")
"""Above the logger of every module of ours."""
MOST_KEPT = 100_000
"""Bytes of defects from which the older half is let go: two files of this size are kept at most."""
_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_RECORD = re.compile(r"^(?=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ )", re.MULTILINE)
_handlers: list[logging.Handler] = []


class LogUnusable(Broken):
    """The file for the log cannot be written."""


def start(*, verbose: bool = False, file: Path | None = None) -> None:
    """Log from now on: warnings on standard error, defects in their own file; with ``file`` everything there too.

    Args:
        verbose: everything on standard error.
        file: lines are added to it; where it is new, only its owner may read it.

    Raises:
        LogUnusable: the file cannot be written; what was set before stays.
    """
    stop()
    written = None if file is None else _log_file(file)
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(
        logging.Formatter("%(levelname)s %(name)s: %(message)s" if verbose else "loom: %(message)s")
    )
    _attach(terminal, logging.DEBUG if verbose else logging.WARNING)
    defects = _PrivateFile(defects_file(), maxBytes=MOST_KEPT, backupCount=1, encoding="utf-8", delay=True)
    defects.setFormatter(_Discreet(names=False))
    _attach(defects, logging.ERROR)
    if written is not None:
        written.setFormatter(_Discreet(names=True))
        _attach(written, logging.DEBUG)
    LOGGER.setLevel(min(handler.level for handler in _handlers))


def stop() -> None:
    """Log as libraries do, which is not at all; files are closed."""
    LOGGER.setLevel(logging.NOTSET)
    while _handlers:
        handler = _handlers.pop()
        LOGGER.removeHandler(handler)
        handler.close()


def defects_file() -> Path:
    """Where the last defects are kept from one evening to the next."""
    return user_state_path("loomtable", appauthor=False) / "defects.log"


def last_defects(most: int = 10) -> list[str]:
    """The last defects of ours, the latest last: each when, where and of which kind, without a message."""
    file = defects_file()
    text = "".join(
        log.read_text("utf-8", errors="replace")
        for log in (file.with_name(file.name + ".1"), file)
        if log.is_file()
    )
    return [record.strip() for record in _RECORD.split(text) if record.strip()][-most:]


def _attach(handler: logging.Handler, level: int) -> None:
    handler.setLevel(level)
    _handlers.append(handler)
    LOGGER.addHandler(handler)


def _log_file(file: Path) -> logging.Handler:
    try:
        return _PrivateFile(file, encoding="utf-8")
    except OSError as error:
        why = f"{file}: the log cannot be written there ({error.strerror}); name another file with --log"
        raise LogUnusable(why) from None


class _PrivateFile(RotatingFileHandler):
    """A file that only its owner may read. A full disk stops no evening: what cannot be written is lost."""

    def _open(self) -> io.TextIOWrapper:
        if self.delay:  # ours to make; a folder that somebody names has to be there
            Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        opened = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(opened, "a", encoding="utf-8")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  the library's name
        pass


class _Discreet(logging.Formatter):
    """One line with its time in UTC; of an exception where it was raised and of which kind, not what it says.

    What an exception says may name a card or a person: a key that was not found, a value that did not fit. Without
    ``names``, neither does the line: only the sentence as it stands in the source.
    """

    def __init__(self, *, names: bool) -> None:
        super().__init__(_LINE, "%Y-%m-%dT%H:%M:%SZ")
        self.converter = time.gmtime
        self._names = names

    def format(self, record: logging.LogRecord) -> str:
        mine = copy.copy(record)
        mine.exc_text = None  # what another handler has made of the exception is kept there
        mine.args = record.args if self._names else None
        return super().format(mine)

    def formatException(self, ei: object) -> str:  # noqa: N802  the library's name
        error = ei[1] if isinstance(ei, tuple) else None
        return "\n".join(_trail(error)) if isinstance(error, BaseException) else ""


def _trail(error: BaseException | None) -> list[str]:
    """The places through which an exception went and those of what caused it, the outermost first."""
    told: list[str] = []
    while error is not None:
        told += [
            f"  {_place(frame.filename)}:{frame.lineno} in {frame.name}: {frame.line}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
        told.append(f"  {type(error).__module__}.{type(error).__qualname__}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if error is not None:
            told.append("  because of")
    return told


def _place(file: str) -> str:
    """A source file as programs import it, without where it is installed."""
    path = Path(file)
    for folder in sorted(filter(None, sys.path), key=len, reverse=True):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name
