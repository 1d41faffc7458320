"""The witnesses of a die: what each network says about its crop at several glances, and what its pips say.

Witnesses are asked apart from each other. That several of different make agree says more than that one is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from loomtable.vision.dice.calibration import Calibration, Temperatures
from loomtable.vision.dice.crops import as_input, cut, square_about
from loomtable.vision.dice.detector import Sighting
from loomtable.vision.dice.kinds import KINDS, Kind, numeral_class
from loomtable.vision.dice.network import Models, Network
from loomtable.vision.dice.numerals import Place, Print, read_print
from loomtable.vision.dice.pips.reader import PipFace, PipSide
from loomtable.vision.pictures import Picture

Floats = npt.NDArray[np.float32]

CROP = 96
"""Side of the readers' crops in pixels."""
NUMERAL_KINDS = tuple(kind for kind in KINDS if kind not in (Kind.D6, Kind.D4))
"""Kinds whose number stands as one numeral on the face that lies up; on a d4 it stands along its edges."""
NUMERALS_LIKELY = 0.15
"""From which chance that a sighting has such a numeral it is read as print."""


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
    top: Floats | None = None
    """(2,): middle of the face that lies up, x and y in halves of the first crop's side from its middle; of the
    first network only."""

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
    print: Print | None = None
    """What is read on it as print; nothing where numerals were not looked for."""
    sides: tuple[PipSide, ...] = ()
    """Every face that its pips make, up or not."""


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
    given = as_input(cuts)
    first = _opinions(models.reader, given, len(glances), temperature("reader"))
    second: Sequence[Opinion | None] = [None] * len(first)
    if models.second is not None:
        second = _opinions(models.second, given, len(glances), temperature("second"))
    return list(zip(first, second, cuts[:: len(glances)], strict=True))


def hear_print(
    models: Models, picture: Picture, sightings: Sequence[Sighting], readers: Sequence[Opinion], most: int
) -> dict[int, Print]:
    """What is read as print on the sightings that may have numerals, the likeliest ``most`` of them, by place."""
    if models.numerals is None or models.upright is None:
        return {}
    kinds = [1 + KINDS.index(kind) for kind in NUMERAL_KINDS]
    chances = [float(np.exp(reader.kind[kinds]).sum()) for reader in readers]
    likely = sorted((k for k, c in enumerate(chances) if c > NUMERALS_LIKELY), key=lambda k: -chances[k])[:most]
    places = [_face_up(sightings[k], readers[k]) for k in likely]
    return dict(zip(likely, read_print(models.numerals, models.upright, picture, places), strict=True))


def _face_up(sighting: Sighting, reader: Opinion) -> Place:
    (x, y), side = square_about(sighting.box)
    dx, dy = (0.0, 0.0) if reader.top is None else (float(part) for part in np.clip(reader.top, -0.5, 0.5))
    return (x + dx * side / 2, y + dy * side / 2), sighting.side


def networks_together(evidence: Evidence, calibration: Calibration) -> tuple[Floats, dict[Kind, Floats]]:
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


def together(evidence: Evidence, calibration: Calibration) -> tuple[Floats, dict[Kind, Floats]]:
    """The same, with what the pips say of a d6's number, and print of a numeral: the surer, the more it counts."""
    kind, numbers = networks_together(evidence, calibration)
    votes = calibration.votes
    if evidence.pips is not None:
        said = numbers[Kind.D6].copy()
        said[Kind.D6.numbers.index(evidence.pips.value)] += votes.get("pips", 0.0) * evidence.pips.sureness
        numbers[Kind.D6] = _normalised(said)
    if evidence.print is not None:
        for k in NUMERAL_KINDS:
            numbers[k] = _normalised(numbers[k] + votes.get("print", 0.0) * evidence.print.numbers(k))
    return kind, numbers


def _opinions(network: Network, given: Floats, glances: int, heat: Temperatures) -> list[Opinion]:
    out = network.run(given)
    kind = _normalised(out["kind"] / heat.kind).reshape(-1, glances, out["kind"].shape[1])
    pips = _normalised(out["pips"] / heat.pips).reshape(-1, glances, out["pips"].shape[1])
    numeral = _normalised(out["numeral"] / heat.numeral).reshape(-1, glances, out["numeral"].shape[1])
    told, tops = out.get("embedding"), out.get("top")
    embedding = None if told is None else told.reshape(len(kind), glances, -1)
    top = None if tops is None else tops.reshape(len(kind), glances, -1)[:, 0, :2]
    return [
        Opinion(
            _normalised(kind[k].mean(axis=0)),
            _normalised(pips[k].mean(axis=0)),
            _normalised(numeral[k].mean(axis=0)),
            (pips[k], numeral[k]),
            None if embedding is None else embedding[k],
            None if top is None else top[k],
        )
        for k in range(len(kind))
    ]


def _normalised(logits: Floats) -> Floats:
    """Log-probabilities along the last axis, none below -14."""
    top = logits - logits.max(axis=-1, keepdims=True)
    logs = top - np.log(np.exp(top).sum(axis=-1, keepdims=True))
    return np.asarray(np.maximum(logs, -14.0), np.float32)
