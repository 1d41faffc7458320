"""The witnesses of a die: what each network says about its crop at several glances, and what its pips say.

Witnesses are asked apart from each other. That several of different make agree says more than that one is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.dice.calibration import Calibration, Temperatures
from vision.dice.crops import as_grey_input, as_input, cut, square_about
from vision.dice.detector import Sighting
from vision.dice.kinds import KINDS, Kind, numeral_class
from vision.dice.network import Models, Network
from vision.dice.pips.reader import PipFace
from vision.pictures import Picture

Floats = npt.NDArray[np.float32]

CROP = 96
"""Side of the reader's crops in pixels."""
SMALL_CROP = 64
"""Side of the second reader's."""


@dataclass(frozen=True, eq=False)
class Opinion:
    """What one network says about one die: log-probabilities, the mean of all glances."""

    kind: Floats
    """(9,): none, then ``KINDS``."""
    pips: Floats
    """(6,): one to six pips, if it is a d6."""
    numeral: Floats
    """(21,): the numerals 0 to 20, if it has numerals."""
    by_glance: tuple[Floats, Floats]
    """(glances, 6) and (glances, 21): pips and numerals of each glance."""
    embedding: Floats | None = None
    """(glances, 64): where the crop lies among all faces, by glance; of the first network only."""

    def numbers(self, kind: Kind, glance: int | None = None) -> Floats:
        """Log-probabilities (n,) of a kind's printed numbers, in their order, if it is of this kind."""
        pips, numeral = (self.pips, self.numeral) if glance is None else (a[glance] for a in self.by_glance)
        if kind is Kind.D6:
            return _normalised(pips)
        return _normalised(numeral[[numeral_class(kind, printed) for printed in kind.numbers]])

    @property
    def glances(self) -> int:
        """How often it was looked at."""
        return len(self.by_glance[0])


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that is known about one die of a picture before anything is decided."""

    sighting: Sighting
    reader: Opinion
    second: Opinion | None
    pips: PipFace | None
    """What its pips alone say; nothing where no face could be fitted to them, or it has none."""
    crop: Picture
    """(96, 96, 3): the die upright as it lies in the picture, with some of what lies round it."""


def hear_networks(
    models: Models, picture: Picture, sightings: Sequence[Sighting]
) -> list[tuple[Opinion, Opinion | None, Picture]]:
    """What both networks say about each die, and its crop."""
    if not sightings:
        return []
    glances, temperature = models.calibration.glances, models.calibration.temperature
    cuts: list[Picture] = []
    for sighting in sightings:
        centre, side = square_about(sighting.box)
        cuts += [cut(picture, centre, side * glance.width, glance.turn, CROP) for glance in glances]
    first = _opinions(models.reader, as_input(cuts), len(glances), temperature("reader"))
    second: Sequence[Opinion | None] = [None] * len(first)
    if models.second is not None:
        grey = as_grey_input(cuts, SMALL_CROP)
        second = _opinions(models.second, grey, len(glances), temperature("second"))
    return list(zip(first, second, cuts[:: len(glances)], strict=True))


def together(evidence: Evidence, calibration: Calibration) -> tuple[Floats, dict[Kind, Floats]]:
    """Both networks' votes: log-probabilities (9,) of none and the kinds, and (n,) of each kind's numbers."""
    heard = [(evidence.reader, calibration.votes.get("reader", 1.0))]
    if evidence.second is not None:
        heard.append((evidence.second, calibration.votes.get("second", 0.0)))
    total = sum(weight for _, weight in heard) or 1.0
    kind = _normalised(np.sum([weight / total * opinion.kind for opinion, weight in heard], axis=0))
    numbers = {
        k: _normalised(np.sum([weight / total * opinion.numbers(k) for opinion, weight in heard], axis=0))
        for k in KINDS
    }
    return kind, numbers


def _opinions(network: Network, given: Floats, glances: int, heat: Temperatures) -> list[Opinion]:
    out = network.run(given)
    kind = _normalised(out["kind"] / heat.kind).reshape(-1, glances, out["kind"].shape[1])
    pips = _normalised(out["pips"] / heat.pips).reshape(-1, glances, out["pips"].shape[1])
    numeral = _normalised(out["numeral"] / heat.numeral).reshape(-1, glances, out["numeral"].shape[1])
    told = out.get("embedding")
    embedding = None if told is None else told.reshape(len(kind), glances, -1)
    return [
        Opinion(
            _normalised(kind[k].mean(axis=0)),
            _normalised(pips[k].mean(axis=0)),
            _normalised(numeral[k].mean(axis=0)),
            (pips[k], numeral[k]),
            None if embedding is None else embedding[k],
        )
        for k in range(len(kind))
    ]


def _normalised(logits: Floats) -> Floats:
    """Log-probabilities along the last axis, none below -14."""
    top = logits - logits.max(axis=-1, keepdims=True)
    logs = top - np.log(np.exp(top).sum(axis=-1, keepdims=True))
    return np.asarray(np.maximum(logs, -14.0), np.float32)
