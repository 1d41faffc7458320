"""The agreement check: where the networks are not sure of a tray of d6, may the pips alone be believed?

The pip reader looks at the picture by itself, without the detector; so a button that the detector takes for a
die, or a die that it misses, does not mislead it. One cue alone is not enough: each of its faces must lie on a
detection or where nothing was detected, more than half of them on one, and neither network may hold the number
to be as good as impossible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from loomtable.vision.dice.fusion.ensemble import Evidence, Prediction
from loomtable.vision.dice.fusion.low_camera import PLAUSIBLE, plausible_views
from loomtable.vision.dice.pips.reader import PipFace
from loomtable.vision.die_kinds import KINDS, Kind

OBJECTS_TO_KIND = 0.02
"""A network that gives a d6 no more than this probability (of being one, if it is a die at all) objects. Set by
hand; what it costs on photographs stands in ``models/README.md``."""
OBJECTS_TO_NUMBER = 0.05
"""The same for the number that the pips make. Set by hand."""


def networks_agree(faces: Sequence[PipFace], found: Sequence[Evidence]) -> bool:
    """Whether no network objects to a face, and more than half of the faces lie on a detection.

    Args:
        faces: the faces that lie up by their pips alone.
        found: everything in the picture that the detector holds to be a die.
    """
    agreeing = 0
    for face in faces:
        here = [evidence for evidence in found if _lies_on(face, evidence)]
        if not here:
            continue
        if not any(_agrees(face, evidence) for evidence in here):
            return False
        agreeing += 1
    return 2 * agreeing > len(faces)


def _lies_on(face: PipFace, evidence: Evidence) -> bool:
    x0, y0, x1, y1 = evidence.detection.box
    x = sum(corner[0] for corner in face.corners) / len(face.corners)
    y = sum(corner[1] for corner in face.corners) / len(face.corners)
    return x0 <= x <= x1 and y0 <= y <= y1


def _agrees(face: PipFace, evidence: Evidence) -> bool:
    """Whether neither network objects to the face.

    Where it may be a front, both must hold it to be likeliest, from wherever the camera may see it.
    """
    views = [view for _, view in plausible_views(evidence)]
    predictions = [one for view in views for one in (view.reader, view.second) if one is not None]
    if evidence.low >= PLAUSIBLE and any(_likeliest(prediction) != face.value for prediction in predictions):
        return False
    return not any(_objects(prediction, face.value) for prediction in predictions)


def _likeliest(prediction: Prediction) -> int:
    return Kind.D6.numbers[int(prediction.numbers(Kind.D6).argmax())]


def _objects(prediction: Prediction, number: int) -> bool:
    six_sided = math.exp(float(prediction.kind[1 + KINDS.index(Kind.D6)]))
    some_die = max(1 - math.exp(float(prediction.kind[0])), 1e-6)
    likely = math.exp(float(prediction.numbers(Kind.D6)[Kind.D6.numbers.index(number)]))
    return six_sided / some_die <= OBJECTS_TO_KIND or likely <= OBJECTS_TO_NUMBER
