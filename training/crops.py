"""Crops of dice to train the readers on: cut once from photographs and scenes, kept in files, shared by all runs.

A patch shows 2.2 times the larger side of the die's box, so that it can be turned, shifted and zoomed before the
readers' 1.5 are cut from its middle. What no box is known for is left out until ``boxes`` has found one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.progress import track

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError
from loomtable.vision.dice.crops import cut
from loomtable.vision.dice.pose import SYMMETRIES, yaw_of
from loomtable.vision.die_kinds import Kind, numeral_class
from loomtable.vision.pictures import BgrImage, read_picture
from training.labels import KnownDie, LabelledPicture
from training.shapes import KINDS

SPREAD = 2.2
"""Side of a patch in larger sides of the die's box."""
PATCH = 176
"""Side of a patch, px."""
UNKNOWN = -1
"""Stands where a label is not known."""
FROM_ABOVE = 0.07
"""A die whose up face lies nearer than this to the middle of its box, in box sides, is seen from above."""

LEAST_SEEN, LEGIBLE = 0.5, 0.65
"""Share of a die that must be in view for it to count as a die, and for its value to be asked for."""

LEAST_SIDE, LEAST_NUMERAL_SIDE = 14.0, 28.0
"""Pixels from which the value of a die with pips, and with numerals, is asked for."""

TURNABLE_SOURCES = (
    "many-colours",
    "tomitomi-crops",
    "rune55-fisheye",
    "dice-tower",
    "d10-close-up",
    "ucffool-d8",
    "ucffool-d20",
)
"""Photographers who held the camera straight over the table: their dice may be turned all the way."""
ROW = np.dtype(
    [
        ("kind", np.int16),
        ("pips", np.int16),
        ("numeral", np.int16),
        ("turnable", np.bool_),
        ("top", np.float32, 2),
        ("turn", np.float32),
        ("upright", np.float32, 2),
        ("yaw", np.float32),
        ("seen", np.float32),
        ("side", np.float32),
        ("source", "U24"),
        ("image", "U120"),
    ]
)
"""One crop: index in ``KINDS``; pips less one and numeral, ``UNKNOWN`` where there is none; may it be turned all
the way; middle of the up face from the middle of the box in its larger sides, turn of the numeral in degrees,
``labels.KnownDie.upright``, and the die's yaw on the table in radians (``dice/pose.py``), NaN where unknown; share
in view; larger side of the box in pixels; and where it is from."""


class NothingToTrainOn(LoomtableError):
    """No labelled die in what was named."""


@dataclass(frozen=True)
class Crops:
    """Patches (N, 176, 176, 3) uint8 and their rows, (N,) of ``ROW``."""

    patches: npt.NDArray[np.uint8]
    rows: np.ndarray[tuple[int], np.dtype[np.void]]

    def __len__(self) -> int:
        return len(self.rows)


def crops_of(pictures: Sequence[LabelledPicture], cache: Path, name: str, seed: int = 1) -> Crops:
    """The crops of all dice, and places without dice, cut on the first call and read from ``cache`` after that.

    Raises:
        NothingToTrainOn: no die in any of the pictures.
        PictureUnreadable: a labelled picture is missing or damaged.
    """
    said = "\n".join(repr(picture) for picture in pictures)
    about = f"{ROW.names} {SPREAD} {PATCH} {LEAST_NUMERAL_SIDE} {seed}\n{said}"
    mark = hashlib.sha256(about.encode()).hexdigest()[:16]
    rows_file, patches_file = cache / f"{name}-{mark}-rows.npy", cache / f"{name}-{mark}-patches.npy"
    if not rows_file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        rows = _cut_all(pictures, patches_file, seed, name)
        unfinished = rows_file.with_suffix(".part.npy")
        np.save(unfinished, rows)
        unfinished.replace(rows_file)
    try:
        rows = np.load(rows_file)
        patches = np.memmap(patches_file, np.uint8, "r", shape=(len(rows), PATCH, PATCH, 3))
    except (OSError, ValueError) as error:
        raise FileUnreadable(f"{rows_file}: the crops kept there are damaged ({error}); delete it") from None
    return Crops(patches, rows)


def _cut_all(pictures: Sequence[LabelledPicture], file: Path, seed: int, name: str) -> npt.NDArray[np.void]:
    rng = np.random.default_rng(seed)
    rows = []
    with file.open("wb") as kept:
        for labelled in track(pictures, f"Cutting dice out of {name}"):
            picture = read_picture(labelled.path)
            for patch, row in _patches(labelled, picture, rng):
                kept.write(np.ascontiguousarray(patch).tobytes())
                rows.append(row)
    if not rows:
        raise NothingToTrainOn(f"there is no die to train on in {name}")
    return np.array(rows, ROW)


def _patches(
    labelled: LabelledPicture, picture: BgrImage, rng: np.random.Generator
) -> Iterator[tuple[BgrImage, tuple[object, ...]]]:
    for die in labelled.dice:
        if die.box is None or die.seen < LEAST_SEEN:
            continue
        x0, y0, x1, y1 = die.box
        side = max(x1 - x0, y1 - y0)
        centre = ((x0 + x1) / 2, (y0 + y1) / 2)
        if side >= 8:
            yield cut(picture, centre, SPREAD * side, 0.0, PATCH), _row(labelled, die, centre, side)
    alarms = (((x0 + x1) / 2, (y0 + y1) / 2, max(x1 - x0, y1 - y0)) for x0, y0, x1, y1 in labelled.alarms)
    for x, y, side in (*_places_without_dice(labelled, picture, rng), *alarms):
        patch = cut(picture, (x, y), SPREAD * side, 0.0, PATCH)
        nan = float("nan")
        kind = KINDS.index("none")
        row = (
            kind,
            UNKNOWN,
            UNKNOWN,
            True,
            (nan, nan),
            nan,
            (nan, nan),
            nan,
            1.0,
            side,
            labelled.source,
            labelled.image,
        )
        yield patch, row


def _row(labelled: LabelledPicture, die: KnownDie, centre: tuple[float, float], side: float) -> tuple[object, ...]:
    pips = numeral = UNKNOWN
    if die.value is not None and not die.cocked and die.seen >= LEGIBLE:
        if die.kind == Kind.D6 and side >= LEAST_SIDE:
            pips = die.value - 1
        elif die.kind not in (Kind.D6, Kind.D4) and side >= LEAST_NUMERAL_SIDE:
            numeral = numeral_class(Kind(die.kind), die.value)
    top = (float("nan"), float("nan"))
    turnable = labelled.source in TURNABLE_SOURCES
    if die.top is not None:
        top = ((die.top[0] - centre[0]) / side, (die.top[1] - centre[1]) / side)
        turnable = float(np.hypot(*top)) < FROM_ABOVE
    turn = float("nan") if die.turn is None else die.turn
    upright, yaw = (float("nan"), float("nan")), float("nan")
    if die.upright is not None:
        upright = die.upright
        if die.kind in SYMMETRIES and not die.cocked:
            yaw = yaw_of(die.polygon, die.upright)
    kind = KINDS.index(die.kind)
    return kind, pips, numeral, turnable, top, turn, upright, yaw, die.seen, side, labelled.source, labelled.image


def _places_without_dice(
    labelled: LabelledPicture, picture: BgrImage, rng: np.random.Generator
) -> Iterable[tuple[float, float, float]]:
    """Middles and die sizes of squares in which no die lies, and of squares that show only a piece of one."""
    height, width = picture.shape[:2]
    boxes = np.array([die.box for die in labelled.dice if die.box is not None], float).reshape(-1, 4)
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    sides = (boxes[:, 2:] - boxes[:, :2]).max(axis=1) if len(boxes) else np.zeros(0)
    if labelled.all_labelled:
        for _ in range(2 if len(boxes) else 5):
            side = float(np.exp(rng.uniform(np.log(24), np.log(min(height, width) / 2))))
            place = rng.uniform((0, 0), (width, height))
            far = (np.abs(middles - place) > 0.9 * sides[:, None]).any(axis=1)
            if far.all():
                yield float(place[0]), float(place[1]), side
    # Beside a die: a reader that is shown the wrong place must not read half of what it sees.
    for middle, side in list(zip(middles, sides, strict=True))[:4]:
        angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1.1)
        place = middle + reach * side * np.array((np.cos(angle), np.sin(angle)))
        clear = np.hypot(*(middles - place).T) > 0.7 * sides
        if clear.all() and labelled.all_labelled:
            yield float(place[0]), float(place[1]), float(side * rng.uniform(0.8, 1.2))
