"""Measure the dice reader on rendered scenes: ``python -m training.rendered FOLDER...``.

Of scenes that ``make`` has drawn everything is known, and how high the camera stands, which no photograph tells.
The dice asked for are those that lie there. A die is believed where the reader has no doubt about it. Pictures of
leaning dice, which show no number, and of dice hidden by more than half are left out. The networks have learned
from scenes of the same make, so draw others to measure: ``make FOLDER --first 90000 --elevations 20-70``.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable
from loomtable.vision import network
from loomtable.vision.boxes import iou
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.reader import read_dice
from loomtable.vision.die_kinds import Kind
from loomtable.vision.network import ModelBroken
from loomtable.vision.pictures import read_picture
from loomtable.vision.pool import Pool
from loomtable.vision.verdict import Verdict
from training.command import one_sentence
from training.figures import within
from training.labels import LabelledPicture, TrueDie, scene_pictures

ELEVATION_BANDS = (0, 30, 45, 60, 90)
"""Borders of the cameras that are counted together, degrees above the table."""
MIN_SEEN = 0.5
"""Share of a die that is in view, at least."""
MIN_IOU = 0.4
"""Intersection over union from which a die that was read is the one that lies there."""


WHOLE = "whole pictures"


@dataclass
class Count:
    """What became of some dice, or of whole pictures."""

    dice: int = 0
    right: int = 0
    believed: int = 0
    wrong: int = 0
    """Believed, and wrong."""

    def add(self, die: TrueDie, read: tuple[str, object, str] | None) -> None:
        """Count one die, and the kind, number and doubt that were read; nothing where it was missed."""
        name, value, doubt = read or ("", None, "missed")
        self.add_read((name, value) == (die.kind, die.value), not doubt)

    def add_read(self, right: bool, believed: bool) -> None:
        """Count one that was read."""
        self.dice += 1
        self.right += right
        self.believed += believed
        self.wrong += believed and not right


def measure(pictures: Iterable[LabelledPicture], models: Models) -> dict[tuple[str, str], Count]:
    """What became of the dice in these pictures, by kind and by the camera's elevation, and of all; and of the
    pictures as a whole.

    Raises:
        ContentInvalid: of a die it is not known where it lies, or from where it is seen.
    """
    counts: dict[tuple[str, str], Count] = defaultdict(Count)
    for picture in pictures:
        if not picture.dice or any(die.value is None or die.seen < MIN_SEEN for die in picture.dice):
            continue
        pool = Pool.lying(Kind(die.kind).die for die in picture.dice)
        tray = read_dice(read_picture(picture.path), pool, models=models)
        seen, lying = tray.dice, Counter((die.kind, die.value) for die in picture.dice)
        all_right = Counter((die.name, die.value) for die in seen) == lying
        counts[WHOLE, "all"].add_read(all_right, tray.verdict is Verdict.ACCEPTED)
        for die in picture.dice:
            box = die.box
            if box is None or die.upright is None:
                raise ContentInvalid(
                    f"{picture.path}: a {die.kind} has no box or upright; draw the scenes again with this version"
                )
            elevation = float(np.degrees(np.arccos(min(np.hypot(*die.upright), 1.0))))
            band = _band(elevation)
            nearest = max(seen, key=lambda one: iou(one.box, box), default=None)
            found = nearest is not None and iou(nearest.box, box) > MIN_IOU
            read = (nearest.name, nearest.value, nearest.doubt) if nearest is not None and found else None
            for key in (die.kind, band), (die.kind, "all"), ("all", band), ("all", "all"):
                counts[key].add(die, read)
    return counts


def _band(elevation: float) -> str:
    at = min(int(np.searchsorted(ELEVATION_BANDS, elevation, "right")), len(ELEVATION_BANDS) - 1)
    return f"{ELEVATION_BANDS[at - 1]} to {ELEVATION_BANDS[at]}"


def table_of(counts: dict[tuple[str, str], Count]) -> Table:
    """The figures as people read them."""
    table = Table("kind", "degrees above the table", "how many", "right", "believed", "of these, wrong")
    for (kind, band), count in sorted(counts.items()):
        table.add_row(
            kind,
            band,
            str(count.dice),
            f"{count.right / count.dice:.1%}",
            str(count.believed),
            f"{count.wrong}{within(count.wrong, count.believed)}",
        )
    return table


def _parts(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        parts = sorted(folder.glob("part-*"))
        if not parts:
            raise FileUnreadable(f"there are no scenes in {folder}: draw some with training.make")
        yield from parts


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m training.rendered", description=__doc__)
    parser.add_argument("scenes", type=Path, nargs="+", help="folders of made scenes")
    parser.add_argument("--models", type=Path, help="folder of the networks (the shipped ones)")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    network.THREADS = given.threads
    cv2.setNumThreads(given.threads)
    pictures = scene_pictures(_parts(given.scenes))
    models = load_models(given.models)
    if models is None:
        raise ModelBroken(f"no dice networks in {given.models or 'models'}; name their folder with --models")
    progress = Console(stderr=True)
    counts = measure(track(pictures, "Reading scenes", console=progress, transient=True), models)
    Console(width=140).print(table_of(counts))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
