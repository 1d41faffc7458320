"""Leave photographers out:
``python -m loomtable.vision.training.folds --scenes DIR... --photos DIR --start DIR --out DIR``.

In each fold the networks, begun from weights that have seen scenes only, learn from all photographers but those of
one group; then the whole reader looks at that group's pictures. What it sees there is what it sees on strangers'
tables, and is kept for ``calibrate``. Photographers who share tables or people are in one group.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import torch

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError
from loomtable.engine.kernel.package_data import package_file
from loomtable.vision import network
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.networks import CALIBRATION, DETECTOR, NUMERALS, READER, SECOND, UPRIGHT, load_models
from loomtable.vision.training.looked import look
from loomtable.vision.training.photographs import load_photographs, photograph_folder
from loomtable.vision.training.train import Recipe, train

UCFFOOL = ("d10-close-up", "ucffool-d8", "ucffool-d6n", "ucffool-d4", "ucffool-d20")
FOLDS: tuple[tuple[str, ...], ...] = (
    ("many-colours", "skovy", "skovy-crops", "board-game", "visdice", "casino-crops", "dice-tower"),
    ("white-webcam", "tomitomi-crops", "rune55-trays", "rune55-fisheye", *UCFFOOL),
)
"""What each fold leaves out: about half of all, so that what it learns from is about half of what is shipped."""
LOOKED = "looked"
"""Folder in which what the folds saw is kept, for ``calibrate``."""
FILES = {"detector": DETECTOR, "reader": READER, "second": SECOND}
RATES = {"detector": 1e-3, "reader": 1e-3, "second": 1e-3}


def train_fold(given: argparse.Namespace, fold: int, make: str) -> None:
    """Train one network of one fold, or go on with it."""
    recipe = Recipe(
        make=make,
        scenes=tuple(str(folder) for folder in given.scenes),
        photos=str(given.photos),
        leave_out=FOLDS[fold],
        minutes=given.minutes,
        steps=given.steps,
        seed=given.seed + fold,
        rate=RATES[make],
        photo_share=given.photo_share,
        start=str(Path(given.start) / f"{make}.ckpt"),
    )
    torch.set_num_threads(given.threads)
    train(recipe, Path(given.out) / f"fold-{fold}" / FILES[make], Path(given.cache), resume=True)


def look_at_left_out(out: Path, photos: Path, fold: int) -> None:
    """Look at the photographs that a fold left out, and keep what was seen."""
    folder = out / f"fold-{fold}"
    if not (folder / CALIBRATION).exists():
        (folder / CALIBRATION).write_bytes(msgspec.json.encode(Calibration()))
    for name in (NUMERALS, UPRIGHT):
        # These have learned from no photograph: the shipped ones are as strange to these as any would be.
        shutil.copyfile(package_file("models") / name, folder / name)
    # Folds look at the same time, and threads that wait for one another on busy cores are many times slower.
    network.THREADS = 1
    cv2.setNumThreads(1)
    models = load_models(folder)
    if models is None:
        raise FileUnreadable(f"{folder}: no networks are there; train this fold first")
    look(load_photographs(photos, FOLDS[fold]), models, out / LOOKED)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m loomtable.vision.training.folds", description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="*", default=[])
    parser.add_argument("--photos", type=Path, default=photograph_folder())
    parser.add_argument(
        "--start", type=Path, required=True, help="folder of detector.ckpt, reader.ckpt, second.ckpt"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path("output/training"))
    parser.add_argument(
        "--makes", default="detector,reader,second", help="which networks to train now, with commas"
    )
    parser.add_argument("--folds", default=",".join(map(str, range(len(FOLDS)))), help="which folds, with commas")
    parser.add_argument("--minutes", type=float, default=4.0, help="a network and fold")
    parser.add_argument("--steps", type=int, help="stop after so many steps instead of minutes")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--photo-share", type=float, default=0.5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--look", action="store_true", help="look at the left-out pictures after training")
    given = parser.parse_args(arguments)
    try:
        for fold in map(int, filter(None, given.folds.split(","))):
            for make in filter(None, given.makes.split(",")):
                train_fold(given, fold, make)
            if given.look:
                look_at_left_out(given.out, given.photos, fold)
    except LoomtableError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
