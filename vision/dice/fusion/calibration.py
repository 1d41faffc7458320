"""The measured part of the reader: ensemble weights, confidence models and thresholds, in
``models/dice_calibration.json``.

It is made by measuring the networks on photographs that they were not trained on. Nothing of it is written into
the code, so that networks and their measure travel together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable
from loomtable.engine.kernel.installation import again
from loomtable.engine.kernel.serialization import from_json
from loomtable.vision.die_kinds import Kind

FORMAT = 5
"""Of the file. By definition."""
FEATURES = (
    "value",
    "reader",
    "second",
    "kind",
    "none",
    "score",
    "print_agrees",
    "print_differs",
    "learned",
    "smallness",
    "blur",
    "glare",
    "truncation",
    "max_neighbour_iou",
    "size_deviation",
    "number_objection",
    "kind_objection",
    "rival_camera",
)
"""What is measured of each reading of a die (``features.py``)."""
DIE_FEATURES = ("score", "none_log_odds", "value", "smaller", "larger", "looks", "fit")
"""What is measured of each detection to tell dice from clutter. ``none_log_odds`` is how surely the readers hold
it to be no die: of a number on a board they say that to 0.2, of a die to 0.002. The next two are by how many
halvings or doublings its side differs from the usual one; ``looks`` is how little it looks like a die's face among
cards, tiles and tokens, log-odds up to 0; ``fit`` how badly a cube fits before a camera that is known
(``elevation.py``), a log-likelihood up to 0."""
ANY = "*"
"""Stands for every kind that has no entry of its own."""


class DetectorThresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Score (0 to 1) from which a detection is a die (``high``), and from which it may be one (``low``)."""

    high: float = 0.3
    low: float = 0.12


class ConfidenceModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Logistic regression over named features: how often a die read like this is right, or is a die at all."""

    bias: float
    weights: dict[str, float]
    """By feature; each can only speak for a reading, or only against it (``training/calibrate.py``)."""
    typical: dict[str, float] = {}
    """What each feature is in the middle of the readings that are right."""

    def predict(self, features: Mapping[str, float]) -> float:
        """Probability, 0 to 1; a feature without a weight does not count."""
        total = self.bias + sum(weight * features.get(name, 0.0) for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-min(max(total, -30.0), 30.0)))

    def objections(self, features: Mapping[str, float]) -> dict[str, float]:
        """How many log-odds each feature takes away against what is typical, where it takes any away."""
        lost = {
            name: weight * (self.typical.get(name, 0.0) - features.get(name, 0.0))
            for name, weight in self.weights.items()
        }
        return {name: loss for name, loss in lost.items() if loss > 0}


class Threshold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which probability something is believed: where a pool was asked for, and where nobody said."""

    expected: float
    open: float

    def at(self, asked: bool) -> float:
        """The one that counts."""
        return self.expected if asked else self.open


class AugmentedView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One view of a die for test-time augmentation: its crop turned clockwise by so many degrees, so many times as
    wide."""

    rotation: float = 0.0
    stretch: float = 1.0


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that was measured about one set of networks; the defaults only say what is there."""

    format: int = FORMAT
    views: tuple[AugmentedView, ...] = (AugmentedView(), AugmentedView(-12.0), AugmentedView(12.0))
    """The views of each die; their predictions are averaged."""
    detector: DetectorThresholds = DetectorThresholds()
    ensemble_weights: dict[str, float] = msgspec.field(default_factory=lambda: {"reader": 1.0, "second": 0.5})
    """How much the log-probabilities of each network count, and those of the OCR model, as ``print``."""
    expected_log_odds: float = 2.0
    """Log-odds that a kind gains where it was asked for."""
    confidence_models: dict[str, ConfidenceModel] = msgspec.field(
        default_factory=lambda: {ANY: ConfidenceModel(0.0, {"value": 1.0})}
    )
    """By kind, or ``*``."""
    die_model: ConfidenceModel = ConfidenceModel(0.0, {"score": 1.0, "none_log_odds": -0.5})
    """How often a detection is a die, over ``DIE_FEATURES``."""
    looks: tuple[float, ...] = ()
    """Weights of ``features.look_of`` for ``looks``, the last added as it is (``benchmarks/looks.py``)."""
    thresholds: dict[str, Threshold] = msgspec.field(default_factory=lambda: {ANY: Threshold(0.97, 0.985)})
    """By kind, or ``*``: from which confidence a die is believed."""
    tray: Threshold = Threshold(0.93, 0.95)
    """From which probability a tray is believed: that the right things count as dice, times all confidences."""
    min_confidence: float = 0.25
    """Confidence under which a die counts as detected and not read."""
    frame_correlation: float = 0.9
    """How much frames of one roll repeat each other: 0 not at all, 1 altogether (``settling.py``)."""
    learned: float = 6.0
    """Log-odds that dice which people have confirmed add at most (``enrolment/confirmed.py``)."""

    def confidence_model(self, kind: Kind) -> ConfidenceModel:
        """What tells how often a die of this kind is read right."""
        measured = self.confidence_models.get(kind.value) or self.confidence_models[ANY]
        if "learned" in measured.weights:
            return measured
        # Nobody's own dice are among the photographs by which the weights were measured.
        return msgspec.structs.replace(measured, weights={**measured.weights, "learned": self.learned})

    def confidence(self, kind: Kind, features: Mapping[str, float]) -> float:
        """How often a die of this kind with these features is read right, 0 to 1."""
        return self.confidence_model(kind).predict(features)

    def threshold(self, kind: Kind) -> Threshold:
        """From which confidence a die of this kind is believed."""
        return self.thresholds.get(kind.value) or self.thresholds[ANY]


def load_calibration(path: Path) -> Calibration:
    """Read the calibration that belongs to a set of networks.

    Raises:
        FileUnreadable: it is missing.
        ContentInvalid: it is damaged or of another format; the message says where.
    """
    try:
        written = path.read_bytes()
    except OSError as error:
        raise FileUnreadable(f"{path}: cannot be read ({error.strerror}); {again()}") from None
    try:
        calibration = from_json(written, Calibration)
    except msgspec.DecodeError as error:
        raise ContentInvalid(f"{path}: {error}") from None
    if calibration.format != FORMAT:
        raise ContentInvalid(f"{path}: is of format {calibration.format}; this reader takes format {FORMAT}")
    models = {**calibration.confidence_models, "is a die": calibration.die_model}
    for kind, model in models.items():
        unknown = sorted(set(model.weights) - set(DIE_FEATURES if kind == "is a die" else FEATURES))
        if unknown:
            raise ContentInvalid(
                f"{path}: the confidence model of {kind!r} weighs {', '.join(unknown)}, which nobody measures"
            )
    if ANY not in calibration.confidence_models or ANY not in calibration.thresholds:
        raise ContentInvalid(
            f"{path}: confidence models and thresholds each need an entry {ANY!r} for kinds not named"
        )
    return calibration
