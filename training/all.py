"""Train everything, in pieces: ``python -m training.all --pack FILE --work FOLDER --minutes 10``.

The same command goes on where it stopped, until every step of ``plan.py`` is done: ``FOLDER/new`` then holds the
networks and their calibration, ``FOLDER/left-out.txt`` what they come to on photographers whom the networks that
were measured have never seen. A GPU is used where there is one. ``--share 0.3`` learns a third as much of
everything; ``--only detector`` does this step alone.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec

from loomtable.vision import network
from training.command import one_sentence
from training.plan import FULL, MEASURED, PLAN, Task, Work, WorkUnfit, go_on


def so_far(work: Work, plan: Sequence[Task]) -> str:
    """What is done and what is left, a line a step."""
    lines = []
    for step in plan:
        taken = work.progress.seconds.get(step.name)
        mark = "done" if step.name in work.progress.done else "left" if taken is None else "begun"
        time_taken = "" if taken is None else f", {taken / 60:.1f} min"
        lines.append(f"{mark:5}  {step.name:16}  {step.does}{time_taken}")
    return "\n".join(lines)


def _named(only: str) -> Sequence[Task]:
    """The steps of a list with commas; all where it is empty.

    Raises:
        WorkUnfit: there is no step of this name.
    """
    steps = {step.name: step for step in PLAN}
    names = only.split(",") if only else list(steps)
    for name in names:
        if name not in steps:
            raise WorkUnfit(f"there is no step {name!r}: {', '.join(steps)}")
    return [steps[name] for name in names]


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, 1 where there is more to do, 2 where something is missing, 130 where it was stopped."""
    half = max((os.cpu_count() or 2) // 2, 1)
    parser = argparse.ArgumentParser(prog="python -m training.all", description=__doc__)
    parser.add_argument("--pack", type=Path, required=True, help="the file that training.pack wrote")
    parser.add_argument("--work", type=Path, required=True, help="folder in which everything is kept")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--share", type=float, default=1.0, help="of all scenes and batches, 0 to 1")
    parser.add_argument("--only", default="", help="only these steps, with commas, as they are named")
    parser.add_argument("--workers", type=int, default=half, help="processes that draw and make batches")
    parser.add_argument("--threads", type=int, default=half, help="for the network that learns or looks")
    given = parser.parse_args(arguments)
    network.THREADS = given.threads
    cv2.setNumThreads(1)
    if not 0 < given.share <= 1:
        raise WorkUnfit(f"--share {given.share:g}: give more than 0, and 1 at most")
    amounts = msgspec.structs.replace(FULL, share=given.share)
    until = time.monotonic() + 60 * given.minutes
    work = Work(given.work, given.pack, amounts, given.workers, given.threads, until)
    done = go_on(work, _named(given.only))
    print(so_far(work, PLAN))
    if (given.work / MEASURED).exists():
        print((given.work / MEASURED).read_text())
    named = "these steps are" if given.only else "all is"
    print(f"{named} done" if done else "there is more to do: run the same command again")
    return 0 if done else 1


if __name__ == "__main__":
    raise SystemExit(main())
