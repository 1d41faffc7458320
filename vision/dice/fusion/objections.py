"""What speaks against one reading of a d6 beyond how sure it is: a network of its own mind, another place of the
camera, a die that leans.

Each is 0 where nothing speaks against it. What the networks object is given in nats, minus the logarithm of a
probability. How much each counts is measured, with all other features (``calibration.py``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.ensemble import Evidence, fuse
from loomtable.vision.dice.pips.reader import PipFace
from loomtable.vision.die_kinds import KINDS, Kind

Shape = npt.NDArray[np.float64]
"""(2, 2): an ellipse of area one."""
MIN_COMPARED_DICE = 3
"""So many d6 give the shape that a leaning one differs from: fewer have no majority."""
MIN_FITTED_SCORE = 0.5
"""Score of the pips from which their shape is compared. Set by hand; how much a difference counts is fitted."""


def network_objections(evidence: Evidence, number: int) -> dict[str, float]:
    """How much the network that doubts a d6 most doubts its number, by place, and that it is a d6 at all."""
    by_itself = evidence.networks
    against = {"number_objection": max(_nats(one.numbers(Kind.D6)[number]) for one in by_itself)}
    # Pips that can be counted are a d6's, whatever else it looks like.
    if evidence.pips is None or evidence.pips.value != Kind.D6.numbers[number]:
        against["kind_objection"] = max(_nats(one.kind[1 + KINDS.index(Kind.D6)]) for one in by_itself)
    return against


def rival_camera(
    others: Sequence[tuple[float, Evidence]], kind: Kind, number: int, calibration: Calibration
) -> float:
    """Probability that a die shows another number because the camera stands otherwise, 0 to 1.

    Args:
        others: how each other way that the camera may stand shows the die, with its probability.
        kind: the kind it is held to be.
        number: the number it is held to show, by place.
        calibration: of the ensemble.
    """
    return sum(chance * -math.expm1(float(fuse(view, calibration)[1][kind][number])) for chance, view in others)


def lies_beside_top(evidence: Evidence, number: int) -> float:
    """Probability that the face of a d6 that shows a number lies beside the top, 0 to 1.

    Where no pips make the number, its face is where the first network sees the top; on a top that was laid flat it
    is not sought, since that was cut out as the top (``rival_camera`` says what else it may be).

    Args:
        evidence: the die, as the likeliest camera shows it.
        number: the number it is held to show.
    """
    shown = [
        (side.confidence, share)
        for side, share in zip(evidence.sides, evidence.beside, strict=False)
        if side.value == number and side.confidence > MIN_FITTED_SCORE
    ]
    if shown:
        return max(shown)[1]
    return evidence.beside[-1] if evidence.beside and evidence.laid is None else 0.0


def askew(faces: Mapping[int, PipFace]) -> dict[int, float]:
    """How much the ellipse of each face's pips differs from that of the faces beside it, by place.

    All d6 that lie flat on one table show their pips in one ellipse.
    """
    shapes = {
        place: _shape(face)
        for place, face in faces.items()
        if face.confidence_score > MIN_FITTED_SCORE and face.value > 1
    }
    if len(shapes) < MIN_COMPARED_DICE:
        return {}
    middle = np.median(list(shapes.values()), axis=0)
    middle /= math.sqrt(max(float(np.linalg.det(middle)), 1e-9))
    return {place: max(0.0, float(np.linalg.det((shape + middle) / 2)) - 1) for place, shape in shapes.items()}


def _shape(face: PipFace) -> Shape:
    return np.asarray(face.ellipse / math.sqrt(max(float(np.linalg.det(face.ellipse)), 1e-9)))


def _nats(log_probability: float) -> float:
    return max(0.0, -float(log_probability))
