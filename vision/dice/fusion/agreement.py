"""Where the networks are not sure of a tray of d6: what the pips of the whole picture say, if no network objects.

The counter of pips looks at the picture by itself, without the detector; so a button that the detector takes for a
die, or a die that it misses, is nothing to it. Two witnesses are still needed: each of its faces must lie where a
network saw a die or saw nothing at all, more than half of them where one was seen, and neither network may hold
the number to be as good as impossible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from loomtable.vision.dice.fusion.elevation import seen_too_low
from loomtable.vision.dice.fusion.ensemble import Evidence, Prediction
from loomtable.vision.dice.pips.reader import PipFace
from loomtable.vision.die_kinds import KINDS, Kind

OBJECTS_TO_KIND = 0.02
"""A network that gives a d6 less than this chance (of being one, if it is a die at all) objects."""
OBJECTS_TO_NUMBER = 0.05
"""The same for the number that the pips say."""


def networks_agree(faces: Sequence[PipFace], found: Sequence[Evidence]) -> bool:
    """Whether no network objects to a face, and more than half of the faces lie where a die was seen.

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
    """Whether neither network objects to the face, nor the camera stands too low for it to be the top."""
    predictions = [prediction for prediction in (evidence.reader, evidence.second) if prediction is not None]
    return not any(_objects(prediction, face.value) for prediction in predictions) and not seen_too_low(
        evidence, face.value
    )


def _objects(prediction: Prediction, number: int) -> bool:
    six_sided = math.exp(float(prediction.kind[1 + KINDS.index(Kind.D6)]))
    some_die = max(1 - math.exp(float(prediction.kind[0])), 1e-6)
    likely = math.exp(float(prediction.numbers(Kind.D6)[Kind.D6.numbers.index(number)]))
    return six_sided / some_die <= OBJECTS_TO_KIND or likely <= OBJECTS_TO_NUMBER
