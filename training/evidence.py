"""What was measured of each die, written down so that weights and thresholds can be fitted to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import msgspec

from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.decide import assess_dice
from loomtable.vision.dice.fusion.ensemble import Evidence
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pool import Pool
from training.photographs import Photograph

Box = tuple[float, float, float, float]


class DieRow(msgspec.Struct, frozen=True):
    """One reading of one die; the truth is nothing where no die is labelled at its place."""

    image: str
    source: str
    asked: str
    """The pool that was asked for, ``""`` where nothing was."""
    kind: str
    value: int
    true_kind: str | None
    true_value: int | None
    right: bool
    confidence: float
    features: dict[str, float]


class FeatureFile:
    """Rows, one line of JSON each, written as they come; an older file is replaced."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")

    def add(
        self,
        photograph: Photograph,
        picture: BgrImage,
        found: Sequence[Evidence],
        pool: Pool | None,
        calibration: Calibration,
    ) -> None:
        """Write down every die that was found in a photograph."""
        lines: list[bytes] = []
        for one in assess_dice(found, picture, pool, calibration):
            truth = labelled_at(photograph, one.evidence.detection.box)
            kind, value = truth or (None, None)
            right = (kind, value) == (one.kind.value, one.number)
            row = DieRow(
                photograph.image,
                photograph.source,
                str(pool or ""),
                one.kind.value,
                one.number,
                kind,
                value,
                right,
                one.confidence,
                one.features,
            )
            lines.append(msgspec.json.encode(row) + b"\n")
        with self.path.open("ab") as file:
            file.writelines(lines)


def boxed(photograph: Photograph) -> bool:
    """Whether each die of a photograph can be told by its place: all have boxes."""
    return all(die.box is not None for die in photograph.dice)


def labelled_at(photograph: Photograph, box: Box) -> tuple[str, int | None] | None:
    """Kind and value of the die that is labelled where a box lies; the only one, where a photograph shows one.

    Some labels go round the die and some round the face that lies up, so it is enough that the middle of either
    box lies in the other; the nearest counts.
    """
    if not boxed(photograph):
        return (photograph.dice[0].kind, photograph.dice[0].value) if len(photograph.dice) == 1 else None
    near = [
        (math.dist(_middle(box), _middle(die.box)), die)
        for die in photograph.dice
        if die.box and (_within(_middle(box), die.box) or _within(_middle(die.box), box))
    ]
    if not near:
        return None
    die = min(near, key=lambda one: one[0])[1]
    return die.kind, die.value


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _within(place: tuple[float, float], box: Box) -> bool:
    return box[0] <= place[0] <= box[2] and box[1] <= place[1] <= box[3]
