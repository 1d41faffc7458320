"""The ensemble: what each network predicts from several views of a die, and how that is fused with numerals.

The models look apart from each other. That several of different make agree says more than that one is sure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.dice.crops import patch_for
from loomtable.vision.dice.evidence import PRINTED_KINDS, DieEvidence, Prediction, log_softmax
from loomtable.vision.dice.fusion.calibration import AugmentedView, Calibration
from loomtable.vision.dice.networks import Models
from loomtable.vision.dice.pose import ORDERS
from loomtable.vision.die_kinds import KINDS, Kind
from loomtable.vision.pictures import BgrImage

CROP = 96
"""Side of the readers' crops in pixels. As trained."""
MIN_BY_NETWORKS = 0.1
"""Probability that the networks are taken to give any number at least, beside what all faces of a die say. Set by
hand: they read the neighbour's number, or half of one."""
MIN_D4_PROBABILITY = 0.15
"""Probability of being a d4 from which a detection is read as one. Set by hand."""


def predict(models: Models, name: str, inputs: Float32Array) -> list[Prediction]:
    """What one network predicts of dice.

    Args:
        models: the networks.
        name: ``reader`` or ``second``.
        inputs: (n, 3, 96, 96): the views of each die that the calibration names, one die after another.
    """
    network = models.reader if name == "reader" else models.second
    assert network is not None
    of = models.calibration.views
    seen = {head: told.reshape(len(told) // len(of), len(of), -1) for head, told in network.run(inputs).items()}
    heads = {head: log_softmax(log_softmax(seen[head]).mean(axis=1)) for head in ("kind", "pips", "numeral")}
    if "embedding" in seen:
        heads["embedding"] = seen["embedding"]
    if "top" in seen:
        heads["top"] = seen["top"][:, 0, :2]
    if "place" in seen:
        heads["place"] = seen["place"][:, 0]
    if "upright" in seen:
        direction, scale = _turned_back(seen["upright"][..., :2], of, (1,)), seen["upright"][..., 2:].mean(axis=1)
        heads["upright"] = np.concatenate([direction, scale], axis=1)
    if "yaw" in seen:
        heads["yaw"] = _turned_back(seen["yaw"], of, ORDERS)
    return [Prediction(**{head: told[k] for head, told in heads.items()}) for k in range(len(heads["kind"]))]


def views_of(
    picture: BgrImage,
    square: tuple[tuple[float, float], float],
    calibration: Calibration,
    turn: float = 0.0,
    squeeze: Float64Array | None = None,
) -> list[BgrImage]:
    """The views of one square, its centre and side in pixels, that the calibration names, as ``crops.cut`` makes
    each."""
    (centre, side), views = square, calibration.views
    patch = patch_for(picture, centre, side * max(view.stretch for view in views), CROP)
    return [patch.cut(centre, side * view.stretch, view.rotation + turn, CROP, squeeze) for view in views]


def d4_probability(die: DieEvidence) -> float:
    """How surely the networks hold a detection for a d4, 0 to 1."""
    return float(np.mean([np.exp(network.kind[1 + KINDS.index(Kind.D4)]) for network in die.networks]))


def kinds_of(die: DieEvidence, calibration: Calibration) -> Float32Array:
    """Both networks' weighted mean: log-probabilities (9,) of none and the kinds."""
    return _mean(die, calibration, lambda prediction: prediction.kind)


def numbers_by_networks(die: DieEvidence, kind: Kind, calibration: Calibration) -> Float32Array:
    """The same of a kind's numbers (n,)."""
    return _mean(die, calibration, lambda prediction: prediction.numbers(kind))


def numbers_of(die: DieEvidence, kind: Kind, calibration: Calibration) -> Float32Array:
    """The same, with the OCR model's number of a numeral: the surer, the more it counts; where its
    layout is sure, with that instead."""
    if kind is Kind.D4 and die.d4 is not None:
        # The networks have not learned which of its numerals counts. A score is the mean of three readings.
        return log_softmax(3 * die.d4)
    numbers = numbers_by_networks(die, kind, calibration)
    if (laid := die.laid_out(kind)) is not None:
        return log_softmax(laid.numbers + np.log(np.exp(numbers) + MIN_BY_NETWORKS))
    if die.layout is not None and die.layout.pose.kind is kind and not die.layout.is_mute:
        numbers = log_softmax(numbers + die.layout.numbers)
    if kind not in PRINTED_KINDS or (printed := die.printed(kind)) is None:
        return numbers
    return log_softmax(numbers + calibration.ensemble_weights.get("print", 0.0) * printed)


def _mean(
    die: DieEvidence, calibration: Calibration, logs_of: Callable[[Prediction], Float32Array]
) -> Float32Array:
    if die.second is None:
        return log_softmax(logs_of(die.reader))
    weights = [calibration.ensemble_weights.get(name, 0.0) for name in ("reader", "second")]
    both = np.stack([logs_of(prediction) for prediction in (die.reader, die.second)])
    return log_softmax(np.asarray(np.average(both, axis=0, weights=weights), np.float32))


def _turned_back(pairs: Float32Array, views: Sequence[AugmentedView], orders: Sequence[int]) -> Float32Array:
    """(n, 2 k): the mean of k directions as seen in all views (n, views, 2 k), each of which turns so many times
    while the die turns once."""
    x, y = pairs[..., ::2], pairs[..., 1::2]
    mean = ((x + 1j * y) * np.exp(-1j * np.radians(np.outer([view.rotation for view in views], orders)))).mean(
        axis=1
    )
    return np.stack([mean.real, mean.imag], axis=-1).reshape(len(pairs), -1).astype(np.float32)
