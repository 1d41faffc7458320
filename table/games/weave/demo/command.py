"""``loom demo``: print, photograph, scan, roll and resolve, with nothing attached."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.commands.options import camera_option, option, output_folder
from loomtable.table.commands.output import AsJson, progress, say, write_json

DEFAULT_SEED = 6


def demo(
    images: Annotated[
        list[Path] | None,
        option(
            "--image",
            "A real picture; give one for three Story cards, one for four, one for a Challenge card, "
            "and one for each roll, in this order.",
            "FILE",
        ),
    ] = None,
    camera: Annotated[str | None, camera_option("Use this camera, and ask at the terminal.")] = None,
    seed: Annotated[int, option("--seed", "Another seed is another evening.", "N")] = DEFAULT_SEED,
    hands: Annotated[
        bool,
        option("--hands", "Instead, let virtual hands play a Challenge, and write it as a moving picture."),
    ] = False,
    output: Annotated[Path, output_folder("The folder for everything that is made.")] = Path("output/demo"),
    as_json: AsJson = False,
) -> None:
    """Play a first evening: print a kit, photograph it, scan cards, read dice, resolve a Challenge."""
    from loomtable.table.games.weave.demo.run import run_demo

    tell = (lambda line: None) if as_json else say
    if hands:
        from loomtable.table.games.weave.demo.hands import run_hands

        if images or camera is not None:
            raise LoomtableError("--hands needs no pictures and no camera; leave --image and --camera out")
        made = run_hands(output, seed=seed, tell=tell)
        if as_json:
            write_json(made)
        else:
            say("", *made.story, f"The moving picture: {made.film}")
        return
    with progress("Printing") as report:
        result = run_demo(output, seed=seed, images=images or [], camera=camera, tell=tell, report=report)
    if as_json:
        write_json(result)
        return
    say("", f"The kit to print: {', '.join(str(p) for p in result.printed)}")
    say(f"The evening in pictures: {result.page}", f"The journal: {result.journal} (session {result.session!r})")
