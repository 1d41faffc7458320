"""Make labelled pictures of dice that never were:
``python -m training.make FOLDER --scenes 12000``.

The work is cut into parts of some scenes each; a part is written beside and renamed when it is whole, so that a
stopped run goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from loomtable.vision.die_kinds import KINDS
from training.command import one_sentence
from training.parts import PART, PartUnmade, Setup, begin, make_parts, missing_parts, renderer

SIDES = range(128, 4001)
"""Pixels on a side that a picture may have."""


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


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Draw labelled scenes from seeds; stop and start again as you like."""
    parser = argparse.ArgumentParser(prog="python -m training.make", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go; what is whole there is kept")
    parser.add_argument("--scenes", type=int, default=12_000, help="how many scenes, rounded up to hundreds")
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first part: other numbers, other scenes"
    )
    parser.add_argument("--width", type=int, default=480, help="pixels")
    parser.add_argument("--height", type=int, default=360, help="pixels")
    parser.add_argument("--kinds", default="", help="only these kinds of dice, with commas; all of them if empty")
    parser.add_argument("--elevations", default="", help="degrees of the camera above the table, such as 10-45")
    parser.add_argument("--tray", action="store_true", help="the dice lie in a tray, under a wide camera")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    given = parser.parse_args(arguments)
    if not {given.width, given.height} <= set(SIDES):
        raise PartUnmade(f"--width and --height: give {SIDES[0]} to {SIDES[-1]} pixels")
    recipe = Setup(given.width, given.height, _kinds_in(given.kinds), _elevations_in(given.elevations), given.tray)
    renderer()  # What it lacks is told now rather than by each worker.
    begin(given.folder, recipe)
    started = time.monotonic()
    parts = range(given.first, given.first + -(-given.scenes // PART))
    waiting = missing_parts(given.folder, parts, recipe)
    for _ in track(make_parts(waiting, given.workers), "parts", len(waiting), console=Console(stderr=True)):
        pass
    print(
        f"{len(parts) * PART} scenes in {given.folder}, {len(waiting) * PART} of them new, "
        f"in {time.monotonic() - started:.0f} s"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
