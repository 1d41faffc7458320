"""How commands speak: plain lines for people, one JSON value for programs, progress on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

import msgspec
import typer

from loomtable.engine.kernel.serialization import to_builtins
from loomtable.table.commands.letters import writable_json

AsJson = Annotated[bool, typer.Option("--json", help="Write one JSON value instead of lines for people.")]

_Item = TypeVar("_Item")
DEFAULT_STORE = ""
"""The store of the settings, or else the one in the user's data folder."""
_OPEN_SESSIONS = ("play", "table", "journal", "chronicle", "board")


def _store_at(context: typer.Context, given: str) -> str:
    """Where sessions are: as given, as set, or as usual; those that were kept elsewhere before are pointed out."""
    if given or context.resilient_parsing:
        return given
    from loomtable.table.settings import OLD_STORE, setting, usual_store

    kept = setting("store") or usual_store()
    opens = context.info_name in _OPEN_SESSIONS or context.params.get("session")
    if opens and OLD_STORE.is_file() and OLD_STORE.absolute() != Path(kept):
        warn(
            f"the sessions in {OLD_STORE} are not among these: they are kept in {kept} now; "
            f"--store {OLD_STORE} opens them, and loom settings store {OLD_STORE} keeps them there"
        )
    return kept


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


def warn(line: str) -> None:
    """A line for people on standard error."""
    print(f"loom: {line}", file=sys.stderr)


def colour_as_set() -> None:
    """Let the settings decide about colours, unless the environment does: libraries look at these variables."""
    from loomtable.table.settings import setting

    variable = {"never": "NO_COLOR", "always": "FORCE_COLOR"}.get(setting("colour") or "auto")
    if variable and not {"NO_COLOR", "FORCE_COLOR"} & os.environ.keys():
        os.environ[variable] = "1"


def show_help(context: typer.Context) -> None:
    """The callback of a group of commands: named alone, it shows what it holds."""
    if context.invoked_subcommand is None:
        say(context.get_help())


def write_line(value: Any) -> None:
    """One line of JSON on standard output, at once: whoever reads along a camera wants each when it is known."""
    sys.stdout.write(writable_json(msgspec.json.encode(to_builtins(value)).decode()) + "\n")
    sys.stdout.flush()


def write_json(value: Any) -> None:
    """One JSON value on standard output."""
    print(writable_json(msgspec.json.format(msgspec.json.encode(to_builtins(value)), indent=2).decode()))


class Progress(Protocol):
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


@contextmanager
def progress(title: str) -> Iterator[Progress]:
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
