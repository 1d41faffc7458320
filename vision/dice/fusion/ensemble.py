"""The ensemble: what each network predicts from several views of a die, and how that is fused with pips and
numerals.

The models and the pip reader look apart from each other. That several of different make agree says more than that
one is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.crops import as_input, cut, square_about
from loomtable.vision.dice.detector import Detection
from loomtable.vision.dice.fusion.calibration import Calibration, Temperatures
from loomtable.vision.dice.networks import Models
from loomtable.vision.dice.numerals import NumeralReading, Place, read_faces
from loomtable.vision.dice.pips.reader import PipFace, PipSide
from loomtable.vision.die_kinds import KINDS, Kind, numeral_class
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage

CROP = 96
"""Side of the readers' crops in pixels."""
NUMERAL_KINDS = tuple(kind for kind in KINDS if kind not in (Kind.D6, Kind.D4))
"""Kinds whose number stands as one numeral on the face that lies up; on a d4 it stands along its edges."""
MIN_NUMERAL_PROBABILITY = 0.15
"""Probability that a detection has such a numeral from which it is read. Set by hand."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """What one network predicts of one die: log-probabilities, the mean of all views."""

    kind: Float32Array
    """(9,): none, then ``KINDS``."""
    pips: Float32Array
    """(6,): one to six pips, if it is a d6."""
    numeral: Float32Array
    """(21,): the numerals 0 to 20, if it has numerals."""
    by_view: tuple[Float32Array, Float32Array]
    """(views, 6) and (views, 21): pips and numerals of each view."""
    embedding: Float32Array | None = None
    """(views, 64): where the crop lies among all faces, by view; of the first network only."""
    top: Float32Array | None = None
    """(2,): middle of the face that lies up, x and y in halves of the first crop's side from its middle; of the
    first network only."""

    def numbers(self, kind: Kind, view: int | None = None) -> Float32Array:
        """Log-probabilities (n,) of a kind's printed numbers, in their order, if it is of this kind."""
        pips, numeral = (self.pips, self.numeral) if view is None else (a[view] for a in self.by_view)
        if kind is Kind.D6:
            return _log_softmax(pips)
        return _log_softmax(numeral[[numeral_class(kind, printed) for printed in kind.numbers]])

    @property
    def views(self) -> int:
        """How many views were taken."""
        return len(self.by_view[0])


@dataclass(frozen=True, eq=False)
class LaidFlat:
    """What the networks predict of a d6's top, laid flat as it would be if the camera stands low."""

    reader: Prediction
    second: Prediction | None
    probability: float
    """That the camera does stand low, 0 to 1; the same for every die of the picture."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that is known about one die of a picture before anything is decided."""

    detection: Detection
    reader: Prediction
    second: Prediction | None
    pips: PipFace | None
    """What its pips alone make; nothing where no face could be fitted to them, or it has none."""
    crop: BgrImage
    """(96, 96, 3): the die upright as it lies in the picture, with some of what lies round it."""
    numerals: NumeralReading | None = None
    """What the OCR model reads on it; nothing where numerals were not looked for."""
    sides: tuple[PipSide, ...] = ()
    """Every face that its pips make, up or not."""
    flat: LaidFlat | None = None
    """The same die read as before a low camera; nothing where the camera surely stands high, or it is no d6."""

    @property
    def low(self) -> float:
        """Probability that the camera stands too low to take the largest face for the top."""
        return 0.0 if self.flat is None else self.flat.probability

    @property
    def laid_flat(self) -> Evidence:
        """This evidence, with what is read of the top laid flat in the place of what is read of the whole die.

        Pips are left out: those that were counted are as likely the front's.
        """
        assert self.flat is not None
        return replace(self, reader=self.flat.reader, second=self.flat.second, pips=None, flat=None)


def classify_crops(
    models: Models, picture: BgrImage, detections: Sequence[Detection]
) -> list[tuple[Prediction, Prediction | None, BgrImage]]:
    """What both networks predict of each die, and its crop."""
    views = models.calibration.views
    cuts: list[BgrImage] = []
    for detection in detections:
        centre, side = square_about(detection.box)
        cuts += [cut(picture, centre, side * view.stretch, view.rotation, CROP) for view in views]
    first, second = predict(models, cuts, len(views))
    return list(zip(first, second, cuts[:: len(views)], strict=True))


def predict(
    models: Models, cuts: Sequence[BgrImage], views: int
) -> tuple[list[Prediction], Sequence[Prediction | None]]:
    """What each network predicts of dice of which there are so many views each, one after another."""
    if not cuts:
        return [], []
    inputs, temperature = as_input(cuts), models.calibration.temperature
    first = _predict(models.reader, inputs, views, temperature("reader"))
    if models.second is None:
        return first, [None] * len(first)
    return first, _predict(models.second, inputs, views, temperature("second"))


def read_numerals(
    models: Models, picture: BgrImage, detections: Sequence[Detection], readers: Sequence[Prediction], limit: int
) -> dict[int, NumeralReading]:
    """What the OCR model reads on the detections that may have numerals, the likeliest ``limit`` of them, by
    place."""
    if models.numerals is None or models.upright is None:
        return {}
    kinds = [1 + KINDS.index(kind) for kind in NUMERAL_KINDS]
    probabilities = [float(np.exp(reader.kind[kinds]).sum()) for reader in readers]
    likely = sorted(
        (k for k, c in enumerate(probabilities) if c > MIN_NUMERAL_PROBABILITY), key=lambda k: -probabilities[k]
    )[:limit]
    places = [_face_up(detections[k], readers[k]) for k in likely]
    return dict(zip(likely, read_faces(models.numerals, models.upright, picture, places), strict=True))


def _face_up(detection: Detection, reader: Prediction) -> Place:
    (x, y), side = square_about(detection.box)
    dx, dy = (0.0, 0.0) if reader.top is None else (float(part) for part in np.clip(reader.top, -0.5, 0.5))
    return (x + dx * side / 2, y + dy * side / 2), detection.side


def ensemble(evidence: Evidence, calibration: Calibration) -> tuple[Float32Array, dict[Kind, Float32Array]]:
    """Both networks' weighted mean: log-probabilities (9,) of none and the kinds, and (n,) of each kind's
    numbers."""
    members = [(evidence.reader, calibration.ensemble_weights.get("reader", 1.0))]
    if evidence.second is not None:
        members.append((evidence.second, calibration.ensemble_weights.get("second", 0.0)))
    total = sum(weight for _, weight in members) or 1.0
    kind = _log_softmax(np.sum([weight / total * prediction.kind for prediction, weight in members], axis=0))
    numbers = {
        k: _log_softmax(np.sum([weight / total * prediction.numbers(k) for prediction, weight in members], axis=0))
        for k in KINDS
    }
    return kind, numbers


def fuse(evidence: Evidence, calibration: Calibration) -> tuple[Float32Array, dict[Kind, Float32Array]]:
    """The same, with the pips' number of a d6 and the OCR model's of a numeral: the surer, the more it counts."""
    kind, numbers = ensemble(evidence, calibration)
    weights = calibration.ensemble_weights
    if evidence.pips is not None:
        logs = numbers[Kind.D6].copy()
        logs[Kind.D6.numbers.index(evidence.pips.value)] += (
            weights.get("pips", 0.0) * evidence.pips.confidence_score
        )
        numbers[Kind.D6] = _log_softmax(logs)
    if evidence.numerals is not None:
        for k in NUMERAL_KINDS:
            numbers[k] = _log_softmax(numbers[k] + weights.get("print", 0.0) * evidence.numerals.numbers(k))
    return kind, numbers


def _predict(network: Network, inputs: Float32Array, views: int, temperatures: Temperatures) -> list[Prediction]:
    outputs = network.run(inputs)
    kind = _log_softmax(outputs["kind"] / temperatures.kind).reshape(-1, views, outputs["kind"].shape[1])
    pips = _log_softmax(outputs["pips"] / temperatures.pips).reshape(-1, views, outputs["pips"].shape[1])
    numeral = _log_softmax(outputs["numeral"] / temperatures.numeral).reshape(
        -1, views, outputs["numeral"].shape[1]
    )
    flat_embedding, tops = outputs.get("embedding"), outputs.get("top")
    embedding = None if flat_embedding is None else flat_embedding.reshape(len(kind), views, -1)
    top = None if tops is None else tops.reshape(len(kind), views, -1)[:, 0, :2]
    return [
        Prediction(
            _log_softmax(kind[k].mean(axis=0)),
            _log_softmax(pips[k].mean(axis=0)),
            _log_softmax(numeral[k].mean(axis=0)),
            (pips[k], numeral[k]),
            None if embedding is None else embedding[k],
            None if top is None else top[k],
        )
        for k in range(len(kind))
    ]


def _log_softmax(logits: Float32Array) -> Float32Array:
    """Log-probabilities along the last axis, none below -14."""
    top = logits - logits.max(axis=-1, keepdims=True)
    logs = top - np.log(np.exp(top).sum(axis=-1, keepdims=True))
    return np.asarray(np.maximum(logs, -14.0), np.float32)
