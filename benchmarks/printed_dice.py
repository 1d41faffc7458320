"""How surely our printed dice and coins are read: ``python -m benchmarks.printed_dice --trays 250``.

Each tray is photographed once on the dice mat and once on an open table, read as the table reads it (so many of
this kind were asked for), and held against the truth. The trays are those of ``printed_scenes``; the reader's
limits were set on trays below 3,150, so the measure begins at tray 5,000.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise, repeat

import cv2

from benchmarks.printed_scenes import Lying, Tray, make_tray
from loomtable.vision.printed.reader import resolve_tray, search_rings
from loomtable.vision.tray import SeenDie
from loomtable.vision.verdict import Verdict

FIRST = 5000
SIZES = (25, 30, 35, 40, 50, 60, 80, 400)
"""Bounds, in pixels, of the classes of face sizes in the table."""


@dataclass(frozen=True)
class Outcome:
    """What became of one thing on a tray, or of a reading that belongs to none."""

    place: str
    pixels: float
    result: str
    """``right``, ``asked`` (right or unread, and a person is asked), ``missed``, ``wrong``, or ``ghost``."""


@dataclass(frozen=True)
class Measured:
    """One tray, measured."""

    place: str
    outcomes: tuple[Outcome, ...]
    verdict: Verdict
    silent: bool
    """Accepted, and not what lies there."""
    seconds: float


def measure(tray: Tray) -> Measured:
    """Read a tray and hold what was read against the truth."""
    place = "mat" if tray.ground == "mat" else "open"
    asked = len(tray.lying), tray.lying[0].mark.die
    start = time.process_time()
    seen = search_rings(tray.picture, asked[0])
    reading = resolve_tray(seen, asked)
    seconds = time.process_time() - start
    truth = sorted(str(thing.mark.face) for thing in tray.lying)
    silent = reading.verdict is Verdict.ACCEPTED and sorted(map(str, reading.faces)) != truth
    return Measured(place, tuple(_outcomes(place, tray.lying, seen.dice)), reading.verdict, silent, seconds)


def _outcomes(place: str, lying: Iterable[Lying], dice: Iterable[SeenDie]) -> Iterator[Outcome]:
    free = list(dice)
    for thing in lying:
        near = [die for die in free if math.dist(die.centre, thing.centre) < 0.4 * thing.pixels]
        if not near:
            yield Outcome(place, thing.pixels, "missed")
            continue
        die = min(near, key=lambda one: math.dist(one.centre, thing.centre))
        free.remove(die)
        right = die.legible and die.face == thing.mark.face and die.die is thing.mark.die
        yield Outcome(place, thing.pixels, "asked" if die.doubt else "right" if right else "wrong")
    for die in free:
        if not die.doubt:
            yield Outcome(place, die.box[2] - die.box[0], "ghost")


def measured(seed: int, mat: bool) -> Measured:
    """Make a tray and measure it."""
    cv2.setNumThreads(1)
    return measure(make_tray(seed, mat=mat))


def table(trays: Iterable[Measured]) -> Iterator[str]:
    """The figures as lines of Markdown."""
    every = list(trays)
    yield "| | trays | dice and coins | right | asked | missed | wrong | trays accepted | silent |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for place, name in (("mat", "on the mat"), ("open", "on an open table")):
        some = [tray for tray in every if tray.place == place]
        yield _row(name, some)
    yield ""
    yield "| face, px | right of all, on the mat | right of all, on an open table | wrong |"
    yield "| --- | --- | --- | --- |"
    outcomes = [outcome for tray in every for outcome in tray.outcomes]
    for least, most in pairwise(SIZES):
        some_of = [one for one in outcomes if least <= one.pixels < most]
        if some_of:
            bounds = f"{least} to {most}" if most < SIZES[-1] else f"{least} and more"
            shares = " | ".join(_share([o for o in some_of if o.place == place]) for place in ("mat", "open"))
            wrong = sum(one.result in ("wrong", "ghost") for one in some_of)
            yield f"| {bounds} | {shares} | {wrong} |"


def _row(name: str, trays: list[Measured]) -> str:
    counts = Counter(outcome.result for tray in trays for outcome in tray.outcomes)
    things = sum(counts.values()) - counts["ghost"]
    accepted = sum(tray.verdict is Verdict.ACCEPTED for tray in trays)
    silent = sum(tray.silent for tray in trays)
    cells = [name, str(len(trays)), str(things)]
    cells += [f"{100 * counts[key] / max(things, 1):.2f} %" for key in ("right", "asked", "missed")]
    cells += [str(counts["wrong"] + counts["ghost"]), f"{100 * accepted / max(len(trays), 1):.1f} %", str(silent)]
    return f"| {' | '.join(cells)} |"


def _share(outcomes: list[Outcome]) -> str:
    things = [one for one in outcomes if one.result != "ghost"]
    right = sum(one.result == "right" for one in things)
    return f"{100 * right / len(things):.1f} % of {len(things)}" if things else "-"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trays", type=int, default=250, help="how many trays, each photographed twice")
    parser.add_argument("--first", type=int, default=FIRST, help="the first tray's seed")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.trays)
    with ProcessPoolExecutor(given.workers) as pool:
        trays = [tray for mat in (True, False) for tray in pool.map(measured, seeds, repeat(mat))]
    print("\n".join(table(trays)))
    spent = sorted(tray.seconds for tray in trays)
    print(f"\nCPU time a frame of 1280 x 720: {1000 * spent[len(spent) // 2]:.0f} ms in the middle,", end=" ")
    print(f"{1000 * spent[int(0.95 * len(spent))]:.0f} ms at most in 95 %")


if __name__ == "__main__":
    main()
