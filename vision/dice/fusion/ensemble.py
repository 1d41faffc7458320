"""The ensemble: what each network predicts from several views of a die, and how that is fused with pips and
numerals.

The models and the pip reader look apart from each other. That several of different make agree says more than that
one is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.dice.crops import as_input, cut, square_about
from loomtable.vision.dice.d4 import read_d4
from loomtable.vision.dice.detector import Detection
from loomtable.vision.dice.fusion.calibration import AugmentedView, Calibration, Temperatures
from loomtable.vision.dice.networks import Models
from loomtable.vision.dice.numerals import NumeralReading, Place, read_face
from loomtable.vision.dice.pips.reader import PipFace, PipSide
from loomtable.vision.dice.pose import ORDERS, SYMMETRIES, SolidPose, pose_in
from loomtable.vision.die_kinds import KINDS, Kind, numeral_class
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage

CROP = 96
"""Side of the readers' crops in pixels."""
NUMERAL_KINDS = tuple(kind for kind in KINDS if kind is not Kind.D6)
"""Kinds whose number stands as one numeral on the face that lies up; on a d4 only where that is a barrel."""
MIN_NUMERAL_PROBABILITY = 0.15
"""Probability that a detection has such a numeral from which it is read. Set by hand."""
MIN_D4_PROBABILITY, MAX_D4, EXTRA_D4 = 0.15, 4, 1
"""Probability of being a d4 from which a detection is read as one; how many of them where nobody said what lies
there, and how many more than were asked for. Set by hand."""
FACE_SIZE = 160
"""Side of an upper face laid flat, in pixels; the die is half as wide."""
MIN_CUBE_NUMERAL_PROBABILITY = 0.5
"""The same where d6 alone were asked for, and it has to be one with numerals: of 1,494 detections in pictures of
d6 with pips five are read then, of 202 d6 with numerals all."""


_CLASSES = {
    kind: np.array([numeral_class(kind, printed) for printed in kind.numbers])
    for kind in KINDS
    if kind is not Kind.D6
}
"""Where the numbers of each kind are among the readers' numerals."""


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
    upright: Float32Array | None = None
    """(3,): where upright things point in the picture, seen at this die: x, y and the logarithm of a scale
    (``dice/elevation.py``)."""
    place: Float32Array | None = None
    """(2,): as ``top``, from before whatever camera; of the first network only."""
    yaw: Float32Array | None = None
    """(8,): how the die is turned on the table (``dice/pose.py``)."""

    def numbers(self, kind: Kind, view: int | None = None) -> Float32Array:
        """Log-probabilities (n,) of a kind's printed numbers, in their order, if it is of this kind."""
        pips, numeral = (self.pips, self.numeral) if view is None else (a[view] for a in self.by_view)
        if kind is Kind.D6:
            return _log_softmax(pips)
        return _log_softmax(numeral[_CLASSES[kind]])

    @property
    def views(self) -> int:
        """How many views were taken."""
        return len(self.by_view[0])


@dataclass(frozen=True, eq=False)
class LaidFlat:
    """What is read of a die's upper face, laid flat as it would be if the camera stands low."""

    reader: Prediction
    second: Prediction | None
    probability: float
    """That the camera does stand low, 0 to 1; the same for every die of the picture."""
    crop: BgrImage
    """(96, 96, 3): the upper face laid flat."""


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
    """The same die read as before a low camera; nothing where the camera surely stands high."""
    d4: Float32Array | None = None
    """(4,): log-probabilities of a d4's numbers (``d4.py``); nothing where it was not looked for, or not seen."""
    upright: Float64Array | None = None
    """(2,): where upright things point at it, as long as the cosine of the camera's elevation, as all dice of the
    picture tell; nothing where none do."""
    yaw: Float32Array | None = None
    """(8,): how it is turned on the table, as both networks tell by its whole crop; nothing where neither does."""
    beside: tuple[float, ...] = ()
    """How surely each of ``sides``, and last the face where the first network sees the top, lies beside the top,
    0 to 1 (``elevation.py``); nothing where that was not measured."""
    laid: BgrImage | None = None
    """(96, 96, 3): its upper face laid flat, where that is what was read."""

    def pose(self, kind: Kind) -> SolidPose | None:
        """Its pose if it is of this kind; nothing where the networks tell none, or for a d4."""
        if self.upright is None or self.yaw is None or kind not in SYMMETRIES:
            return None
        return pose_in(self.detection.box, kind, self.upright, self.yaw)

    @property
    def networks(self) -> list[Prediction]:
        """What each network predicts."""
        return [self.reader] if self.second is None else [self.reader, self.second]

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
        return replace(
            self,
            reader=self.flat.reader,
            laid=self.flat.crop,
            second=self.flat.second,
            pips=None,
            flat=None,
        )


def classify_crops(
    models: Models, picture: BgrImage, detections: Sequence[Detection], alone: bool = True
) -> list[tuple[Prediction, Prediction | None, BgrImage]]:
    """What both networks predict of each die, and its crop; ``alone`` is as for ``Network.run``."""
    views = models.calibration.views
    cuts: list[BgrImage] = []
    for detection in detections:
        centre, side = square_about(detection.box)
        cuts += [cut(picture, centre, side * view.stretch, view.rotation, CROP) for view in views]
    first, second = predict(models, cuts, alone)
    return list(zip(first, second, cuts[:: len(views)], strict=True))


def predict(
    models: Models, cuts: Sequence[BgrImage], alone: bool = True
) -> tuple[list[Prediction], Sequence[Prediction | None]]:
    """What each network predicts of dice from all views of each, one after another."""
    if not cuts:
        return [], []
    inputs, views, temperature = as_input(cuts), models.calibration.views, models.calibration.temperature
    first = _predict(models.reader, inputs, views, temperature("reader"), alone)
    if models.second is None:
        return first, [None] * len(first)
    return first, _predict(models.second, inputs, views, temperature("second"), alone)


def read_numerals(
    models: Models, picture: BgrImage, found: Sequence[Evidence], limit: int, cubes_only: bool = False
) -> list[Evidence]:
    """The evidence, with what the OCR model reads on the dice that may have numerals, the likeliest ``limit`` of
    them; where only d6 were asked for, on those that are likely d6 with numerals.

    Where a die is seen so much aslant that a face beside the upper one may face the camera as much, the face that
    its pose names is read, laid flat and by itself.
    """
    if models.numerals is None or models.upright is None:
        return list(found)
    kinds = [1 + KINDS.index(kind) for kind in ((Kind.D6_NUMERAL,) if cubes_only else NUMERAL_KINDS)]
    least = MIN_CUBE_NUMERAL_PROBABILITY if cubes_only else MIN_NUMERAL_PROBABILITY
    probabilities = [float(np.exp(die.reader.kind[kinds]).sum()) for die in found]
    likely = sorted((k for k, c in enumerate(probabilities) if c > least), key=lambda k: -probabilities[k])[:limit]
    read = list(found)
    for k in likely:
        named = upper_face(picture, found[k])
        if named is None:
            place = _face_up(found[k].detection, found[k].reader)
            numerals = read_face(models.numerals, models.upright, picture, place)
        else:
            place = (FACE_SIZE / 2, FACE_SIZE / 2), FACE_SIZE / 2
            numerals = read_face(models.numerals, models.upright, named[0], place, named[1])
            # No other face is left in the picture: what is read beside the middle is misread.
            numerals = replace(numerals, located=())
        read[k] = replace(found[k], numerals=numerals)
    return read


def upper_face(picture: BgrImage, die: Evidence) -> tuple[BgrImage, BgrImage] | None:
    """The upper face of a die with numerals, as its pose names it, laid flat: by itself, and with what lies round
    it. Nothing where the pose is not sure, or no other face could be taken for it."""
    kind = max(NUMERAL_KINDS, key=lambda one: float(die.reader.kind[1 + KINDS.index(one)]))
    pose = die.pose(kind)
    return pose.upper_face(picture, FACE_SIZE) if pose is not None and pose.is_oblique and pose.is_sure else None


def read_d4s(
    models: Models,
    picture: BgrImage,
    detections: Sequence[Detection],
    predictions: Sequence[tuple[Prediction, Prediction | None, BgrImage]],
    expected: int | None,
) -> dict[int, Float32Array]:
    """What the detections that look most like d4 show, by place; ``expected`` is how many d4 were asked for,
    nothing where nobody said what lies there."""
    if models.numerals is None or expected == 0:
        return {}
    probabilities = [d4_probability(reader, second) for reader, second, _ in predictions]
    likely = [k for k, chance in enumerate(probabilities) if chance > MIN_D4_PROBABILITY]
    likely.sort(key=lambda k: -probabilities[k])
    read: dict[int, Float32Array] = {}
    for k in likely[: MAX_D4 if expected is None else expected + EXTRA_D4]:
        numbers = read_d4(models.numerals, picture, (square_about(detections[k].box)[0], detections[k].side))
        if numbers is not None:
            read[k] = numbers
    return read


def d4_probability(reader: Prediction, second: Prediction | None) -> float:
    """How surely the networks hold a detection for a d4, 0 to 1."""
    at = 1 + KINDS.index(Kind.D4)
    return float(np.mean([np.exp(one.kind[at]) for one in (reader, second) if one is not None]))


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
            numbers[k] = _log_softmax(numbers[k] + weights.get("print", 0.0) * evidence.numerals.likelihoods(k))
    if evidence.d4 is not None:
        # The networks have not learned which of its numerals counts. A score is the mean of three readings.
        numbers[Kind.D4] = _log_softmax(3 * evidence.d4)
    return kind, numbers


def _predict(
    network: Network, inputs: Float32Array, of: Sequence[AugmentedView], temperatures: Temperatures, alone: bool
) -> list[Prediction]:
    outputs, views = network.run(inputs, alone), len(of)
    kind = _log_softmax(outputs["kind"] / temperatures.kind).reshape(-1, views, outputs["kind"].shape[1])
    pips = _log_softmax(outputs["pips"] / temperatures.pips).reshape(-1, views, outputs["pips"].shape[1])
    numeral = _log_softmax(outputs["numeral"] / temperatures.numeral).reshape(
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
            _log_softmax(kind[k].mean(axis=0)),
            _log_softmax(pips[k].mean(axis=0)),
            _log_softmax(numeral[k].mean(axis=0)),
            (pips[k], numeral[k]),
            None if embedding is None else embedding[k],
            None if top is None else top[k],
            None if upright is None else upright[k],
            None if place is None else place[k],
            None if yaw is None else yaw[k],
        )
        for k in range(len(kind))
    ]


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


def _log_softmax(logits: Float32Array) -> Float32Array:
    """Log-probabilities along the last axis, none below -14."""
    top = logits - logits.max(axis=-1, keepdims=True)
    logs = top - np.log(np.exp(top).sum(axis=-1, keepdims=True))
    return np.asarray(np.maximum(logs, -14.0), np.float32)
