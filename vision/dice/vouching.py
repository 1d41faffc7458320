"""Where the networks are not sure of a tray of d6: what the pips of the whole picture say, if no network objects.

The counter of pips looks at the picture by itself, without the detector; so a button that the detector takes for a
die, or a die that it misses, is nothing to it. Two witnesses are still needed: each of its faces must lie where a
network saw a die or saw nothing at all, and no network may hold the number to be as good as impossible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from loomtable.vision.dice.calibration import Calibration
from loomtable.vision.dice.kinds import KINDS, Kind
from loomtable.vision.dice.pips.reader import PipFace
from loomtable.vision.dice.witnesses import Evidence, networks_together

OBJECTS_TO_KIND = 0.02
"""A network that gives a d6 less than this chance (of being one, if it is a die at all) objects."""
OBJECTS_TO_NUMBER = 0.05
"""The same for the number that the pips say."""


def none_objects(faces: Sequence[PipFace], found: Sequence[Evidence], calibration: Calibration) -> bool:
    """Whether every face is vouched for by what the networks say about the same place, and at least one is seen.

    Args:
        faces: the faces that lie up by their pips alone.
        found: everything in the picture that the detector holds to be a die.
    """
    vouched = 0
    for face in faces:
        here = [evidence for evidence in found if _lies_on(face, evidence)]
        if not here:
            continue
        if not any(_agrees(face, evidence, calibration) for evidence in here):
            return False
        vouched += 1
    return 2 * vouched > len(faces)


def _lies_on(face: PipFace, evidence: Evidence) -> bool:
    x0, y0, x1, y1 = evidence.sighting.box
    x = sum(corner[0] for corner in face.corners) / len(face.corners)
    y = sum(corner[1] for corner in face.corners) / len(face.corners)
    return x0 <= x <= x1 and y0 <= y <= y1


def _agrees(face: PipFace, evidence: Evidence, calibration: Calibration) -> bool:
    kinds, numbers = networks_together(evidence, calibration)
    six_sided = math.exp(float(kinds[1 + KINDS.index(Kind.D6)]))
    some_die = max(1 - math.exp(float(kinds[0])), 1e-6)
    likely = math.exp(float(numbers[Kind.D6][Kind.D6.numbers.index(face.value)]))
    return six_sided / some_die > OBJECTS_TO_KIND and likely > OBJECTS_TO_NUMBER
