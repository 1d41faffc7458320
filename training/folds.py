"""Measure on photographers that the networks have never seen:
``python -m training.folds DIR --photos DIR``.

For each fold there are networks (``DIR/fold-0`` and on, as ``training.all`` trains them) that have learned
from all photographers but those of one group. They look at that group's pictures: the fold's own detector finds
the dice, its own readers read them, and what they see is what a reader sees on strangers' tables. Whether it is
believed is decided by weights and thresholds that were fitted on the other sources. Photographers who share tables
or people are in one group.

What was seen is kept in ``DIR/looked``, also for ``calibrate``. A run that is stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
from rich.console import Console

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.package_data import package_file
from loomtable.vision import network
from loomtable.vision.dice.fusion.calibration import ANY, load_calibration
from loomtable.vision.dice.networks import (
    CALIBRATION,
    DETECTOR,
    FACES,
    NUMERALS,
    READER,
    SECOND,
    load_models,
)
from loomtable.vision.die_kinds import Kind
from training.calibrate import START, Fitted, fit
from training.command import one_sentence
from training.figures import table_of
from training.looked import load_looked, look
from training.photographs import load_photographs, photograph_folder, sources_in

FOLDS = tuple(
    tuple(sources.split())
    for sources in (
        "many-colours skovy skovy-crops board-game visdice casino-crops dice-tower low-oblique kimble-dome",
        "white-webcam tomitomi-crops rune55-trays rune55-fisheye d10-close-up ucffool-d8 ucffool-d6n ucffool-d4 "
        "ucffool-d20 ucffool-d12",
    )
)
"""What each fold leaves out: about half of all, so that what it learns from is about half of what is shipped."""
LOOKED = "looked"
"""Folder in which what the folds saw is kept, for ``calibrate``."""
FILES = {"detector": DETECTOR, "reader": READER, "second": SECOND}
"""The networks that learn from photographs, of which each fold has its own."""


def folder_of(folds: Path, fold: int) -> Path:
    """Where the networks of one fold lie."""
    return folds / f"fold-{fold}"


def look_at_left_out(folds: Path, photos: Path, fold: int, shared: Path, minutes: float | None = None) -> bool:
    """Look at the photographs that a fold left out, with its own networks; whether all are looked at.

    Args:
        folds: where the networks of the folds lie, and what they see is kept.
        photos: the photographs.
        fold: which fold.
        shared: folder of the networks that have learned from no photograph: these are as strange to all.
        minutes: stop after so long; the next call goes on.

    Raises:
        FileUnreadable: a network of this fold is missing.
    """
    folder = folder_of(folds, fold)
    for name in FILES.values():
        if not (folder / name).exists():
            raise FileUnreadable(f"{folder / name} is missing: train the networks of this fold first")
    shutil.copyfile(START, folder / CALIBRATION)
    for name in (NUMERALS, FACES):
        shutil.copyfile(shared / name, folder / name)
    models = load_models(folder)
    assert models is not None
    there = sources_in(photos)
    photographs = load_photographs(photos, [source for source in FOLDS[fold] if source in there])
    return look(photographs, models, folds / LOOKED, minutes)


def measure(folds: Path) -> Fitted:
    """What all folds saw, each source decided by what was fitted on the others.

    Raises:
        FileUnreadable: nothing was looked at yet.
    """
    return fit(load_looked(folds / LOOKED), load_calibration(START), (Kind.D6.value, ANY))


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, 1 where there is more to look at, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m training.folds", description=__doc__)
    parser.add_argument("folds", type=Path, help="folder of the networks of all folds")
    parser.add_argument("--photos", type=Path, default=photograph_folder())
    parser.add_argument("--shared", type=Path, help="folder of dice_numerals and dice_faces (the shipped ones)")
    parser.add_argument("--minutes", type=float, help="stop looking after so long; the same command goes on")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    # Several may look at the same time, and threads that wait for one another on busy cores are many times slower.
    network.THREADS = given.threads
    cv2.setNumThreads(given.threads)
    begun = time.monotonic()
    for fold in range(len(FOLDS)):
        left = None if given.minutes is None else given.minutes - (time.monotonic() - begun) / 60
        shared = given.shared or package_file("models")
        if not look_at_left_out(given.folds, given.photos, fold, shared, left):
            print("there is more to look at: run the same command again")
            return 1
    Console(width=140).print(table_of(measure(given.folds).measured))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
