"""Make labelled pictures of dice that never were:
``python -m training.make FOLDER --scenes 12000``.

The work is cut into parts of some scenes each; a part is written beside and renamed when it is whole, so that a
stopped run goes on where it was. Dask spreads the parts over local processes, or over a cluster with
``--scheduler``; there every worker must have this package and see the same folder.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.vision.die_kinds import KINDS
from training.parts import PART, PartUnmade, Recipe, begin, drawn, make_part, renderer

_LOOK_EVERY = 0.5
"""Seconds between two looks at how far the workers are."""
_ANSWER = 15.0
"""Seconds in which a scheduler has to answer."""

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command()
def make(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go; what is whole there is kept.")],
    scenes: Annotated[int, typer.Option(min=1, help="How many scenes, rounded up to hundreds.")] = 12_000,
    first: Annotated[int, typer.Option(min=0, help="Number of the first part: other numbers, other scenes.")] = 0,
    width: Annotated[int, typer.Option(min=128, max=4000, help="Pixels.")] = 480,
    height: Annotated[int, typer.Option(min=128, max=4000, help="Pixels.")] = 360,
    kinds: Annotated[str, typer.Option(help="Only these kinds of dice, with commas; all of them if empty.")] = "",
    elevations: Annotated[
        str, typer.Option(help="Degrees of the camera above the table: 10-45; as people hold cameras if empty.")
    ] = "",
    tray: Annotated[bool, typer.Option("--tray", help="The dice lie in a tray, under a wide camera.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Local processes.")] = os.cpu_count() or 1,
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler instead.")] = None,
) -> None:
    """Draw labelled scenes from seeds; stop and start again as you like."""
    recipe = Recipe(width, height, _kinds_in(kinds), _elevations_in(elevations), tray)
    if scheduler is None:
        # Told now rather than by each worker; on a cluster only the workers have to be able to draw.
        renderer()
    begin(folder, recipe)
    parts = range(first, first + -(-scenes // PART))
    started, before = time.monotonic(), drawn(folder, parts)
    with _client(workers, scheduler) as client:
        _draw(client, folder.resolve(), parts, recipe)
    took = time.monotonic() - started
    typer.echo(
        f"{len(parts) * PART} scenes in {folder}, {len(parts) * PART - before} of them new, in {took:.0f} s"
    )


def _client(workers: int, scheduler: str | None) -> Any:
    """Dask's door to the workers.

    Raises:
        PartUnmade: Dask is not installed, or nobody answers at the scheduler's address.
    """
    try:
        dask = import_module("distributed")
    except ImportError as error:
        raise PartUnmade(f"{error.name} is not installed: pip install -e . -e training") from None
    if scheduler is None:
        return dask.Client(dask.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None))
    try:
        return dask.Client(scheduler, timeout=_ANSWER)
    except (OSError, ValueError) as error:
        raise PartUnmade(
            f"no Dask scheduler answers at {scheduler} ({error}): start one with dask scheduler, and workers with "
            "dask worker ADDRESS --nthreads 1"
        ) from None


def _kinds_in(typed: str) -> tuple[str, ...]:
    """The kinds of dice in a list with commas.

    Raises:
        PartUnmade: there is no kind of this name.
    """
    known = [kind.value for kind in KINDS]
    named = tuple(part.strip() for part in typed.split(",") if part.strip())
    for name in named:
        if name not in known:
            raise PartUnmade(f"there is no kind of dice {name!r}: {', '.join(known)}")
    return named


def _elevations_in(typed: str) -> tuple[float, float] | None:
    """Two elevations with a hyphen between them.

    Raises:
        PartUnmade: they are none.
    """
    if not typed:
        return None
    found = re.fullmatch(r"(\d{1,2})-(\d{1,2})", typed.strip())
    if found is None or not 5 <= int(found[1]) <= int(found[2]) <= 90:
        raise PartUnmade(f"--elevations {typed}: give two numbers from 5 to 90, the lower first, such as 10-45")
    return float(found[1]), float(found[2])


def _draw(client: Any, folder: Path, parts: range, recipe: Recipe) -> None:
    """Have all parts drawn, and show how far it is."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, *times, console=Console(stderr=True)) as progress:
        task = progress.add_task("scenes", total=len(parts) * PART)
        waiting = client.map(make_part, [str(folder)] * len(parts), parts, recipe=recipe)
        while waiting:
            for done in (future for future in waiting if future.status == "error"):
                raise PartUnmade(f"a part of {folder} could not be drawn: {done.exception()}")
            waiting = [future for future in waiting if future.status != "finished"]
            progress.update(task, completed=drawn(folder, parts))
            time.sleep(_LOOK_EVERY if waiting else 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 and one sentence where something is wrong, or 130 where it was stopped."""
    try:
        app(args=arguments, prog_name="python -m training.make", standalone_mode=False)
    except typer.TyperException as error:
        print(f"make: {error.format_message()}", file=sys.stderr)
        return 2
    except LoomtableError as error:
        print(f"make: {error}", file=sys.stderr)
        return 2
    except (typer.Abort, KeyboardInterrupt):
        print("make: stopped; the same command goes on where it was", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
