"""How commands speak: plain lines for people, one JSON value for programs, progress on standard error."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import msgspec
import typer

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.table.commands.letters import writable_json

if TYPE_CHECKING:
    from loomtable.printkit.import_sum import ImportSum
    from loomtable.table.reading.looking import Look, Read

AsJson = Annotated[bool, typer.Option("--json", help="Write one JSON value instead of lines for people.")]

_Item = TypeVar("_Item")
UNOPENED = ("file", "files", "that cannot be opened")
DEFAULT_STORE = ""
"""The store of the settings, or else the one in the user's data folder."""


def _store_at(context: typer.Context, given: str) -> str:
    """Where sessions are: as given, as set, or as usual."""
    if given or context.resilient_parsing:
        return given
    from loomtable.table.settings import setting, usual_store

    return setting("store") or usual_store()


StoreAt = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="FILE|URL",
        help="Where sessions are kept, if not as set: a file, or postgresql://user@host/database.",
        callback=_store_at,
    ),
]


def say(*lines: str) -> None:
    """Lines for people on standard output."""
    for line in lines:
        print(line)


def page(text: str) -> None:
    """Text for people; in a window that it does not fit in, through the system's pager."""
    if sys.stdin.isatty() and sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        import pydoc  # few need it

        os.environ.setdefault("LESS", "-R")  # it shows colours
        pydoc.pager(text)
    else:
        sys.stdout.write(text)


def warn(line: str) -> None:
    """A line for people on standard error."""
    print(f"loom: {line}", file=sys.stderr)


def choose_colour(given: str | None) -> None:
    """Colours as given, or as the environment says, or as set: libraries look at these variables."""
    from loomtable.table.settings import CHECKS, setting

    variables = {"never": "NO_COLOR", "always": "FORCE_COLOR"}
    if given is not None:
        CHECKS["colour"](given)
    if given is not None or not set(variables.values()) & os.environ.keys():
        for when, variable in variables.items():
            os.environ.pop(variable, None)
            if when == (given or setting("colour")):
                os.environ[variable] = "1"


def show_help(context: typer.Context) -> None:
    """The callback of a group of commands: named alone, it shows what it holds."""
    if context.invoked_subcommand is None:
        say(context.get_help())


def write_line(value: Any) -> None:
    """One line of JSON on standard output."""
    print(writable_json(msgspec.json.encode(to_builtins(value)).decode()))


def write_json(value: Any) -> None:
    """One JSON value on standard output."""
    print(writable_json(msgspec.json.format(msgspec.json.encode(to_builtins(value)), indent=2).decode()))


class WorkProgress(Protocol):
    """Called as work goes on: done so far, in all (where that is known), and what is being done."""

    def __call__(self, done: int, total: int | None, what: str) -> None: ...


def each(title: str, items: Iterable[_Item]) -> Iterator[_Item]:
    """The items as they come, with a count of them as their progress."""
    total = len(items) if isinstance(items, Sized) else None
    with progress(title) as report:
        report(0, total, "")
        for done, item in enumerate(items, start=1):
            report(done, total, "")
            yield item


def each_look(
    looks: Iterable[Look[Read]],
    told: ImportSum,
    things: tuple[str, str],
    sure: Callable[[Read], int],
    unread: Callable[[str, str], Any] | None,
) -> Iterator[tuple[Look[Read], Read]]:
    """The pictures that can be read; of several, in the end, how many ``things`` were ``sure`` in how many files.

    What else is ``told``, the caller counts. As JSON, ``unread`` makes a line of a file that cannot be opened.
    """
    from loomtable.engine.kernel.wording import how_many

    files = Counter[str]()
    for look in each("Reading", looks):
        if isinstance(look.seen, LoomtableError):
            warn(str(look.seen))
            told.lose(1, *UNOPENED)
            files[look.name] += 0
            if unread:
                write_line(unread(look.name, str(look.seen)))
        else:
            files[look.name] += sure(look.seen)
            yield look, look.seen
    told.count(sum(map(bool, files.values())), len(files), "file", "files")
    told.came = [f"{how_many(files.total(), *things)} in {counted}" for counted in told.came]
    if len(files) > 1 and not unread:
        say(*told.sums())


@contextmanager
def progress(title: str) -> Iterator[WorkProgress]:
    """A progress bar on standard error; nothing at all where that is not a terminal.

    What is said meanwhile stands above the bar, or goes where standard output goes.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    bar = Bar(
        *columns,
        console=console,
        transient=True,
        disable=not sys.stderr.isatty(),
        redirect_stdout=sys.stdout.isatty(),
    )
    with bar:
        task = bar.add_task("", total=None)

        def report(done: int, total: int | None, what: str) -> None:
            bar.update(task, completed=done, total=total, description=what)

        yield report
