"""Fit how dice look among things that are none: ``python -m benchmarks.looks --photographs ../shared/photos``.

What the first network makes of dice in photographs and in rendered pictures is held against what it makes of
the things of ``flat_things``: one logistic regression, whose weights go into the calibration. The table shows each
source by weights that were fitted without it, or for things without a fifth of the pictures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.flat_things import make_picture
from loomtable.testing.virtual import ImpossibleScene, VirtualCamera, handful_of_dice, photograph
from loomtable.vision.arrays import Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.dice.cues import CUES, gather_evidence
from loomtable.vision.dice.fusion.calibration import load_calibration
from loomtable.vision.dice.fusion.features import look_of
from loomtable.vision.dice.networks import CALIBRATION, load_models
from loomtable.vision.model_sums import renew_sums
from loomtable.vision.pictures import BgrImage, read_picture

MODELS = Path(__file__).parents[1] / "models"
FIRST, THINGS, RENDERED, OF_A_SOURCE = 300, 750, 150, 60
"""The first picture, how many of things and of rendered dice, and how many photographs of each source."""
MIN_SCORE, MIN_ALONE = 0.2, 0.5
"""Score from which a detection counts, and from which it is a die of a photograph without boxes."""
RENDERED_COUNT = 5.0
"""How much more rendered dice count than another source: else what looks drawn would be no die."""
PULL, FOLDS = 1e-2 / 64, 5
"""Pull of each weight towards 0."""


def rendered(number: int) -> tuple[BgrImage, list[Box]]:
    """One to five d6 before the virtual camera, and where their tops are."""
    rng = np.random.default_rng([number, 77])
    count, tilt, away = int(rng.integers(1, 6)), float(rng.uniform(0, 50)), float(rng.uniform(150, 330))
    blur = float(rng.uniform(0.5, 1.2))
    camera = VirtualCamera(height=away * float(np.cos(np.radians(tilt))), tilt=tilt, frame=(640, 480), blur=blur)
    values = [int(value) for value in rng.integers(1, 7, count)]
    shot = photograph(handful_of_dice(values, seed=number, camera=camera), camera, seed=number)
    return shot.picture, [(*die.top.min(axis=0), *die.top.max(axis=0)) for die in shot.truth.dice]


def pictures(photographs: Path) -> Iterator[tuple[str, BgrImage, list[Box] | int]]:
    """The source of each picture, and where its dice are; how many where that is not known."""
    for number in range(FIRST, FIRST + THINGS):
        name, _, picture = make_picture(number)
        yield name, picture, []
    for number in range(FIRST, FIRST + RENDERED):
        try:
            yield "rendered", *rendered(number)
        except ImpossibleScene:
            continue
    seen: dict[str, int] = {}
    for line in (photographs / "dice.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        source = row["image"].split("/")[1]
        seen[source] = seen.get(source, 0) + 1
        if seen[source] <= OF_A_SOURCE:
            boxes, count = [die["box"] for die in row["dice"] if die.get("box")], len(row["dice"])
            yield source, read_picture(photographs / row["image"]), boxes if len(boxes) == count else count


def is_on(detection: Box, top: Box) -> bool:
    """Whether a detection is round a die, or its top."""
    x, y = (top[0] + top[2]) / 2, (top[1] + top[3]) / 2
    large = max(top[2] - top[0], top[3] - top[1]) > 0.4 * max(
        detection[2] - detection[0], detection[3] - detection[1]
    )
    return large and detection[0] < x < detection[2] and detection[1] < y < detection[3]


def fitted(looks: Float64Array, dice: Float64Array, counts: Float64Array) -> Float64Array:
    """Weights, the bias last, of a logistic regression: Newton's method; each side counts half."""
    with_bias = np.column_stack([looks, np.ones(len(looks))])
    counts = counts / np.where(dice == 1, counts[dice == 1].sum(), counts[dice == 0].sum()) / 2
    weights, pull = np.zeros(with_bias.shape[1]), np.append(np.full(looks.shape[1], PULL), 1e-9)
    for _ in range(30):
        chances = 1 / (1 + np.exp(-np.clip(with_bias @ weights, -30, 30)))
        slope = with_bias.T @ (counts * (chances - dice)) + pull * weights
        bend = (with_bias * (counts * chances * (1 - chances))[:, None]).T @ with_bias + np.diag(pull)
        weights = weights - np.clip(np.linalg.solve(bend, slope), -5, 5)
    return weights


def main() -> None:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photographs", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="put the weights into the calibration that ships")
    given, models = parser.parse_args(), load_models()
    assert models is not None
    rows: list[tuple[Float64Array, float, str, int]] = []
    for number, (source, picture, truth) in enumerate(pictures(given.photographs)):
        found = gather_evidence(picture, None, models, cues=CUES[:3]).dice
        found = tuple(die for die in found if die.detection.score >= MIN_SCORE)
        if isinstance(truth, int):  # the likeliest are the dice, and of the rest nothing is known
            found = tuple(die for die in found[:truth] if die.detection.score >= MIN_ALONE)
        elif truth:
            found = tuple(die for die in found if any(is_on(die.detection.box, box) for box in truth))
        rows += [(look_of(die), float(truth != []), source, number) for die in found]
    looks, dice = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    sources, numbers = np.array([row[2] for row in rows]), np.array([row[3] for row in rows])
    counts = np.array([(sources == source).sum() ** -0.5 for source in sources])
    counts[sources == "rendered"] *= RENDERED_COUNT
    print("| source | seen | taken for dice |\n| --- | --- | --- |")
    for source in sorted(set(sources)):
        said = np.zeros(len(dice))
        for fold in range(FOLDS):
            left = sources == source if dice[sources == source].all() else (numbers % FOLDS == fold) & (dice == 0)
            weights = fitted(looks[~left], dice[~left], counts[~left])
            said[left] = looks[left] @ weights[:-1] + weights[-1]
            if dice[left].all():
                break
        print(f"| {source} | {(sources == source).sum()} | {(said[sources == source] > 0).mean():.1%} |")
    if given.write:
        told = tuple(round(float(weight), 5) for weight in fitted(looks, dice, counts))
        calibration = msgspec.structs.replace(load_calibration(MODELS / CALIBRATION), looks=told)
        written = msgspec.json.format(msgspec.json.encode(calibration), indent=2)
        (MODELS / CALIBRATION).write_bytes(written + b"\n")
        renew_sums(MODELS)


if __name__ == "__main__":
    main()
