"""How commands speak: plain lines for people, one JSON value for programs, progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Protocol

import msgspec
import typer

from loomtable.engine.kernel.serialization import to_builtins

AsJson = Annotated[bool, typer.Option("--json", help="Write one JSON value instead of lines for people.")]

DEFAULT_STORE = "output/sessions.db"
StoreAt = Annotated[
    str, typer.Option("--store", help="Where journals are kept: a file, or postgresql://user@host/database.")
]


def say(*lines: str) -> None:
    """Lines for people on standard output."""
    for line in lines:
        print(line)


def warn(line: str) -> None:
    """A line for people on standard error."""
    print(f"loom: {line}", file=sys.stderr)


def show_help(context: typer.Context) -> None:
    """The callback of a group of commands: named alone, it shows what it holds."""
    if context.invoked_subcommand is None:
        say(context.get_help())


def write_json(value: Any) -> None:
    """One JSON value on standard output."""
    print(msgspec.json.format(msgspec.json.encode(to_builtins(value)), indent=2).decode())


class Progress(Protocol):
    """Called as work goes on: done so far, in all, and what is being done."""

    def __call__(self, done: int, total: int, what: str) -> None: ...


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A progress bar on standard error; nothing at all where that is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("")

        def report(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=what)

        yield report
