"""``loom demo``: print, photograph, scan, roll and resolve, with nothing attached."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from loomtable.table.commands import completion
from loomtable.table.commands.output import AsJson, progress, say, write_json

DEFAULT_SEED = 6


def demo(
    images: Annotated[
        list[Path] | None,
        typer.Option(
            "--image",
            metavar="FILE",
            help="A real picture; give one for three Story cards, one for four, one for a Challenge card, "
            "and one for each roll, in this order.",
        ),
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(
            "--camera",
            metavar="CAMERA",
            help="Use this camera, and ask at the terminal.",
            autocompletion=completion.cameras,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Another seed is another evening.")
    ] = DEFAULT_SEED,
    output: Annotated[
        Path, typer.Option("--output", metavar="FOLDER", help="The folder for everything that is made.")
    ] = Path("output/demo"),
    as_json: AsJson = False,
) -> None:
    """Play a first evening: print a kit, photograph it, scan cards, read dice, resolve a Challenge."""
    from loomtable.table.demo.run import run_demo

    tell = (lambda line: None) if as_json else say
    with progress("Printing") as report:
        result = run_demo(output, seed=seed, images=images or [], camera=camera, tell=tell, report=report)
    if as_json:
        write_json(result)
        return
    say("", f"The kit to print: {', '.join(str(p) for p in result.printed)}")
    say(f"The evening in pictures: {result.page}", f"The journal: {result.journal} (session {result.session!r})")
