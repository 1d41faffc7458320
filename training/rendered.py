"""Measure the dice reader on rendered scenes: ``python -m training.rendered FOLDER...``.

Of scenes that ``make`` has drawn everything is known, and how high the camera stands, which no photograph tells.
The dice asked for are those that lie there. A die is believed where the reader has no doubt about it. Pictures of
leaning dice, which show no number, and of dice hidden by more than half are left out. The networks have learned
from scenes of the same make, so draw others to measure: ``make FOLDER --first 90000 --elevations 20-70``.

With ``--plane`` the camera has seen two printed squares lie there, as large as two thirds of a card.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable
from loomtable.vision.boxes import iou
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.dice.networks import Models
from loomtable.vision.dice.reader import read_dice
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pictures import read_picture
from loomtable.vision.plane_pose import flat_rectangle, pose_by_prints
from loomtable.vision.pool import Pool
from loomtable.vision.verdict import Verdict
from training.command import models_in, one_sentence
from training.figures import within
from training.labels import LabelledPicture, scene_pictures
from training.parts import recipe_of, scene_of
from training.scenes import Scene
from training.views import look_matrix, projected

ELEVATION_BANDS = (0, 30, 45, 60, 90)
"""Borders of the cameras that are counted together, degrees above the table."""
MIN_SEEN = 0.5
"""Share of a die that is in view, at least."""
MIN_IOU = 0.4
"""Intersection over union from which a die that was read is the one that lies there."""
SQUARE, SQUARE_SEEN, SQUARES_TRIED = 44.0, 12.0, 40
"""Side of the squares that tell how the table lies, mm; how many pixels of one are seen at least each way; and how
many are tried."""
QUARTERS = np.radians([225, 135, 45, -45])
CORNER_ERROR = 0.5
"""Pixels, a deviation, by which their corners are out."""


WHOLE = "whole pictures"


Counts = dict[tuple[str, str], Counter[str]]
"""By kind and by the camera's elevation: how many dice, and how many are ``right``, ``believed``, and ``wrong``,
which is believed and not right."""


def count(counts: Counts, keys: Iterable[tuple[str, str]], right: bool, believed: bool) -> None:
    """Count one that was read, or missed."""
    for key in keys:
        counts[key].update(dice=1, right=int(right), believed=int(believed), wrong=int(believed and not right))


def seen_plane(scene: Scene) -> CameraPose | None:
    """What two squares on the table tell of its camera; nothing where none can be in its picture."""
    rng, camera = np.random.default_rng([scene.seed, 92]), scene.camera
    size = np.array([camera.width, camera.height])
    seen = []
    for _ in range(SQUARES_TRIED):
        away = (rng.uniform(0.1, 0.9, 2) - 0.5) * size / (camera.focal * camera.width)
        ray = look_matrix(camera) @ [*away, 1.0]
        middle = camera.eye - ray * camera.eye[2] / ray[2]
        turn = rng.uniform(0, 2 * np.pi)
        x, y = SQUARE / 2**0.5 * np.array([[np.cos(turn + k), np.sin(turn + k)] for k in QUARTERS]).T
        pixels = projected(camera, middle + np.stack([x, y, 0 * x], axis=1))
        if ray[2] < 0 and np.ptp(pixels, axis=0).min() > SQUARE_SEEN:
            a, b, c, d = (pixels + rng.normal(0, CORNER_ERROR, (4, 2))).tolist()
            seen.append(flat_rectangle((tuple(a), tuple(b), tuple(c), tuple(d)), SQUARE, SQUARE))
    return pose_by_prints(seen[:2], (camera.width, camera.height))


def measure(pictures: Iterable[LabelledPicture], models: Models, *, plane: bool = False) -> Counts:
    """What became of the dice in these pictures, by kind and by the camera's elevation, and of all; and of the
    pictures as a whole. With ``plane`` the camera has seen how the table lies.

    Raises:
        ContentInvalid: of a die it is not known where it lies, or from where it is seen.
    """
    counts: Counts = defaultdict(Counter)
    for picture in pictures:
        if not picture.dice or any(die.value is None or die.seen < MIN_SEEN for die in picture.dice):
            continue
        pool = Pool.lying(Kind(die.kind).die for die in picture.dice)
        pose = (
            seen_plane(scene_of(int(picture.path.stem), recipe_of(picture.path.parent.parent))) if plane else None
        )
        tray = read_dice(read_picture(picture.path), pool, models=models, camera=pose)
        dice, lying = tray.dice, Counter((die.kind, die.value) for die in picture.dice)
        all_right = Counter((die.name, die.value) for die in dice) == lying
        count(counts, [(WHOLE, "all")], all_right, tray.verdict is Verdict.ACCEPTED)
        for die in picture.dice:
            box = die.box
            if box is None or die.upright is None:
                raise ContentInvalid(
                    f"{picture.path}: a {die.kind} has no box or upright; draw the scenes again with this version"
                )
            elevation = float(np.degrees(np.arccos(min(np.hypot(*die.upright), 1.0))))
            band = _band(elevation)
            nearest = max(dice, key=lambda die: iou(die.box, box), default=None)
            found = nearest is not None and iou(nearest.box, box) > MIN_IOU
            read = nearest if found else None
            keys = product((die.kind, "all"), (band, "all"))
            right = read is not None and (read.name, read.value) == (die.kind, die.value)
            count(counts, keys, right, read is not None and not read.doubt)
    return counts


def _band(elevation: float) -> str:
    at = min(int(np.searchsorted(ELEVATION_BANDS, elevation, "right")), len(ELEVATION_BANDS) - 1)
    return f"{ELEVATION_BANDS[at - 1]} to {ELEVATION_BANDS[at]}"


def table_of(counts: Counts) -> Table:
    """The figures as people read them."""
    table = Table("kind", "degrees above the table", "how many", "right", "believed", "of these, wrong")
    for (kind, band), of in sorted(counts.items()):
        wrong = f"{of['wrong']}{within(of['wrong'], of['believed'])}"
        table.add_row(kind, band, str(of["dice"]), f"{of['right'] / of['dice']:.1%}", str(of["believed"]), wrong)
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
    parser.add_argument("--plane", action="store_true", help="the camera has seen two printed squares")
    given = parser.parse_args(arguments)
    pictures = scene_pictures(_parts(given.scenes))
    models = models_in(given.models, given.threads)
    progress = Console(stderr=True)
    counts = measure(
        track(pictures, "Reading scenes", console=progress, transient=True), models, plane=given.plane
    )
    Console(width=140).print(table_of(counts))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
