"""The ensemble: what each network predicts from several views of a die, and how that is fused with numerals.

The models look apart from each other. That several of different make agree says more than that one is sure.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.evidence import NUMERAL_KINDS, DieEvidence, Prediction, log_softmax
from loomtable.vision.dice.fusion.calibration import AugmentedView, Calibration
from loomtable.vision.dice.networks import Models
from loomtable.vision.dice.pose import ORDERS
from loomtable.vision.die_kinds import KINDS, Kind

CROP = 96
"""Side of the readers' crops in pixels."""
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
    temperatures, of = models.calibration.temperature(name), models.calibration.views
    outputs, views = network.run(inputs), len(of)
    kind = log_softmax(outputs["kind"] / temperatures.kind).reshape(-1, views, outputs["kind"].shape[1])
    pips = log_softmax(outputs["pips"] / temperatures.pips).reshape(-1, views, outputs["pips"].shape[1])
    numeral = log_softmax(outputs["numeral"] / temperatures.numeral).reshape(
        -1, views, outputs["numeral"].shape[1]
    )
    flat_embedding, tops = outputs.get("embedding"), outputs.get("top")
    embedding = None if flat_embedding is None else flat_embedding.reshape(len(kind), views, -1)
    top = None if tops is None else tops.reshape(len(kind), views, -1)[:, 0, :2]
    uprights, places, yaws = outputs.get("upright"), outputs.get("place"), outputs.get("yaw")
    upright = None if uprights is None else _turned_back(uprights.reshape(len(kind), views, -1), of)
    yaw = None if yaws is None else _yaw(yaws.reshape(len(kind), views, -1), of)
    place = None if places is None else places.reshape(len(kind), views, -1)[:, 0]
    return [
        Prediction(
            log_softmax(kind[k].mean(axis=0)),
            log_softmax(pips[k].mean(axis=0)),
            log_softmax(numeral[k].mean(axis=0)),
            (pips[k], numeral[k]),
            None if embedding is None else embedding[k],
            None if top is None else top[k],
            None if upright is None else upright[k],
            None if place is None else place[k],
            None if yaw is None else yaw[k],
        )
        for k in range(len(kind))
    ]


def d4_probability(die: DieEvidence) -> float:
    """How surely the networks hold a detection for a d4, 0 to 1."""
    return float(np.mean([np.exp(network.kind[1 + KINDS.index(Kind.D4)]) for network in die.networks]))


def ensemble(die: DieEvidence, calibration: Calibration) -> tuple[Float32Array, dict[Kind, Float32Array]]:
    """Both networks' weighted mean: log-probabilities (9,) of none and the kinds, and (n,) of each kind's
    numbers."""
    members = [(die.reader, calibration.ensemble_weights.get("reader", 1.0))]
    if die.second is not None:
        members.append((die.second, calibration.ensemble_weights.get("second", 0.0)))
    total = sum(weight for _, weight in members) or 1.0
    kind = log_softmax(np.sum([weight / total * prediction.kind for prediction, weight in members], axis=0))
    numbers = {
        k: log_softmax(np.sum([weight / total * prediction.numbers(k) for prediction, weight in members], axis=0))
        for k in KINDS
    }
    return kind, numbers


def fuse(die: DieEvidence, calibration: Calibration) -> tuple[Float32Array, dict[Kind, Float32Array]]:
    """The same, with the OCR model's number of a numeral: the surer, the more it counts."""
    kind, numbers = ensemble(die, calibration)
    if die.numerals is not None:
        weight = calibration.ensemble_weights.get("print", 0.0)
        for k in NUMERAL_KINDS:
            numbers[k] = log_softmax(numbers[k] + weight * die.numerals.likelihoods(k))
    if die.d4 is not None:
        # The networks have not learned which of its numerals counts. A score is the mean of three readings.
        numbers[Kind.D4] = log_softmax(3 * die.d4)
    return kind, numbers


def _turned_back(uprights: Float32Array, views: Sequence[AugmentedView]) -> Float32Array:
    """(n, 3) where upright things point in the picture: the mean of what was seen in all views (n, views, 3)."""
    turns = np.exp(-1j * np.radians([view.rotation for view in views]))
    mean = ((uprights[..., 0] + 1j * uprights[..., 1]) * turns).mean(axis=1)
    return np.stack([mean.real, mean.imag, uprights[..., 2].mean(axis=1)], axis=1).astype(np.float32)


def _yaw(yaws: Float32Array, views: Sequence[AugmentedView]) -> Float32Array:
    """(n, 8): the mean of how dice are turned in all views (n, views, 8)."""
    pairs = yaws.reshape(*yaws.shape[:2], -1, 2)
    turns = np.exp(-1j * np.radians([[order * view.rotation for order in ORDERS] for view in views]))
    mean = ((pairs[..., 0] + 1j * pairs[..., 1]) * turns).mean(axis=1)
    return np.stack([mean.real, mean.imag], axis=-1).reshape(len(yaws), -1).astype(np.float32)
