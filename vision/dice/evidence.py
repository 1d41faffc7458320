"""What is known about the dice of a picture before anything is decided, as the cues (``cues.py``) tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.dice.detector import Detection
from loomtable.vision.dice.elevation import Stance
from loomtable.vision.dice.layouts import LayoutReading, LearnedLayout
from loomtable.vision.dice.networks import Models
from loomtable.vision.dice.pose import SYMMETRIES, SolidPose, pose_in
from loomtable.vision.die_kinds import KINDS, Kind, numeral_class
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pool import Pool

NUMERAL_KINDS = tuple(kind for kind in KINDS if kind is not Kind.D6)
"""Kinds whose number stands as one numeral on the face that lies up; on a d4 only where that is a barrel."""
PRINTED_KINDS = (Kind.D4, Kind.D6_NUMERAL)
"""Those of which often only the upper face is seen, so that no layout tells: an OCR model reads it, too."""
_CLASSES = {kind: np.array([numeral_class(kind, printed) for printed in kind.numbers]) for kind in NUMERAL_KINDS}
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
    embedding: Float32Array | None = None
    """(views, 64): where the crop lies among all faces, by view; of the first network only."""
    top: Float32Array | None = None
    """(2,): middle of the face that lies up, x and y in halves of the first crop's side from its middle; of the
    first network only."""
    upright: Float32Array | None = None
    """(3,): where upright things point in the picture, seen at this die: x, y and the logarithm of a scale
    (``elevation.py``)."""
    place: Float32Array | None = None
    """(2,): as ``top``, from before whatever camera; of the first network only."""
    yaw: Float32Array | None = None
    """(8,): how the die is turned on the table (``pose.py``)."""

    def numbers(self, kind: Kind) -> Float32Array:
        """Log-probabilities (n,) of a kind's printed numbers, in their order, if it is of this kind."""
        return log_softmax(self.pips if kind is Kind.D6 else self.numeral[_CLASSES[kind]])


def log_softmax(logits: Float32Array) -> Float32Array:
    """Log-probabilities along the last axis, none below -14."""
    top = logits - logits.max(axis=-1, keepdims=True)
    logs = top - np.log(np.exp(top).sum(axis=-1, keepdims=True))
    return np.asarray(np.maximum(logs, -14.0), np.float32)


KNOWS_NOTHING = Prediction(*(log_softmax(np.zeros(size, np.float32)) for size in (1 + len(KINDS), 6, 21)))
"""What is known of a die at which no network has looked: everything is as likely."""


@dataclass(frozen=True, eq=False)
class RectifiedView:
    """What is read of a die once it is cut out as the networks know dice best: its upper face laid flat, or all of
    it turned so that upright things point up."""

    reader: Prediction
    second: Prediction | None
    crop: BgrImage
    """(96, 96, 3): what was cut out."""
    probability: float
    """That the camera stands so, 0 to 1; of a turned die, if it does not stand low."""
    misread: float = 0.0
    """As ``DieEvidence.misread``; 0 of what was cut out as the top: it is the top, or else another camera shows
    another number."""


@dataclass(frozen=True, eq=False)
class DieEvidence:
    """Everything that is known about one die of a picture."""

    detection: Detection
    crop: BgrImage
    """(96, 96, 3): the die upright as it lies in the picture, with some of what lies round it."""
    reader: Prediction = KNOWS_NOTHING
    """What the first network predicts."""
    second: Prediction | None = None
    """What another network predicts; nothing where it was not asked."""
    digits: Float32Array | None = None
    """(6,): log-probabilities of 1 to 6, as the OCR model reads its top; nothing where that was not looked for."""
    layout: LayoutReading | None = None
    """What all of its faces say that can be seen (``faces.py``); nothing where that was not looked for."""
    flat: RectifiedView | None = None
    """The same die read as before a low camera; nothing where the camera surely stands high."""
    turned: tuple[RectifiedView, ...] = ()
    """The same die turned upright, for each direction in which upright things may point at it but up."""
    d4: Float32Array | None = None
    """(4,): log-probabilities of a d4's numbers (``d4.py``); nothing where it was not looked for, or not seen."""
    upright: Float64Array | None = None
    """(2,): where upright things point at it, as long as the cosine of the camera's elevation, as all dice of the
    picture tell; nothing where none do."""
    yaw: Float32Array | None = None
    """(8,): how it is turned on the table, as both networks tell by its whole crop; nothing where neither does."""
    stance: Stance | None = None
    """How it stands before each camera; nothing where it was not measured."""
    misread: float = 0.0
    """How surely the number that is read as it is seen stands on a face beside the top, 0 to 1, if the camera
    stands as it is looked at for that."""
    rectified: BgrImage | None = None
    """(96, 96, 3): what was cut out laid flat, or turned upright, where that is what was read."""

    def printed(self, kind: Kind) -> Float32Array | None:
        """(n,): log-probabilities of a kind's numbers on its top alone; nothing where nobody has read that."""
        if kind is Kind.D4 and self.d4 is not None:
            return self.d4
        if kind in PRINTED_KINDS:
            return None if self.digits is None else self.digits[: len(kind.numbers)]
        read = self.layout
        return read.seen[0].max(axis=0) if read is not None and read.pose.kind is kind else None

    def laid_out(self, kind: Kind) -> LayoutReading | None:
        """What its layout surely says if it is of this kind; nothing where it does not."""
        found = self.layout
        return found if found is not None and found.pose.kind is kind and found.is_sure else None

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

    def seen_as(self, view: RectifiedView | None) -> DieEvidence:
        """This evidence by one view alone; by what is read of the die as it lies in the picture where none is
        given."""
        plain = replace(self, flat=None, turned=())
        if view is None:
            return plain
        return replace(plain, reader=view.reader, second=view.second, rectified=view.crop, misread=view.misread)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that is known about the dice of a picture: each cue takes one and gives one that says more."""

    models: Models
    asked: Pool | None = None
    """The dice that were asked for; nothing where nobody said."""
    every: bool = False
    """Whether also what can hardly be a die is read, as where nobody says what lies there."""
    earlier: CameraPose | None = None
    """What earlier rolls told of where the camera stands."""
    layouts: tuple[LearnedLayout, ...] = ()
    """How a person's own dice are laid out."""
    codes: tuple[Box, ...] | None = None
    """Where codes of cards and markers are seen, if any may be: what bears one is no die, none is as large."""
    dice: tuple[DieEvidence, ...] = ()
    """Everything that may be a die, the highest score first."""
    views: Float32Array | None = None
    """(n, 3, 96, 96): every view of every die, one die after another, as the networks take them."""
    camera: CameraPose | None = None
    """From where the picture was taken, as its dice tell."""

    @property
    def count(self) -> int | None:
        """How many dice were asked for; nothing where nobody said."""
        return None if self.asked is None else self.asked.total

    def with_dice(self, changed: Mapping[int, DieEvidence] | Iterable[DieEvidence]) -> Evidence:
        """The same with other evidence on some dice, by their place, or on all."""
        known = changed if isinstance(changed, Mapping) else dict(enumerate(changed))
        return replace(self, dice=tuple(known.get(place, die) for place, die in enumerate(self.dice)))
