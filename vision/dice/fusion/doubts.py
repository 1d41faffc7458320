"""Why a die is doubted, in words for people: hard doubts, which no confidence outweighs, rivals, and soft
doubts, which only name a reason where the confidence is too low.

Limits that are chosen on the folds were chosen on photographers left out of the training
(``models/dice_reader.md``).
"""

from __future__ import annotations

import math

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.fusion.ensemble import Evidence
from loomtable.vision.dice.fusion.features import ViewingConditions
from loomtable.vision.dice.pips.scoring import REASONS
from loomtable.vision.die_kinds import KINDS, Kind

CUT_OFF = "is half out of the picture"
FAINT = "hardly stands out from what is round it"
MIN_NUMBER_PROBABILITY = 0.27
"""Probability that each network by itself has to give a d6's number: where one holds another for much likelier,
they disagree, whatever the ensemble says. Chosen on the folds."""
MIN_D6_PROBABILITY = 0.3
"""The same for its being a d6 at all. Chosen on the folds."""
MAX_RIVAL_SHAPE_RATIO = 2.0
"""How many times likelier a die must be a d20 or a d4 to be asked about, however surely its numeral is read.
Chosen on the folds (``models/dice_numerals.md``)."""
MAX_CUBE_RATIO = 4.0
"""The same for a d6, with numerals or pips. Chosen on the folds."""
MAX_RIVAL_FACE_PROBABILITY = 0.3
"""Probability of another numeral on the other side of the middle from which it is not clear which face lies up.
Chosen on the photographs of d10 (``models/dice_numerals.md``)."""
MIN_OPEN_KIND_PROBABILITY = 0.73
"""Probability of its kind from which a die with a numeral is believed where nobody said what lies there. Chosen on
the folds."""
MIN_TRUNCATION = 0.5
"""Truncation from which a die is not whole in the picture. Set by hand."""
MAX_NEIGHBOUR_IOU = 0.3
"""Intersection over union with a neighbour's box from which a die may lie on another. Set by hand."""
MAX_NONE_PROBABILITY = 0.5
"""Probability of being no die from which a detection is rather none than one."""

# From here on a reason is given: these limits say which words a person reads of a die that is doubted already,
# never whether it is. All are set by hand.
SMALL_SIDE = 14
"""Pixels: a smaller die is too small."""
GLARE_SHARE = 0.08
BLURRED = 0.6
SMALLNESS = 0.6
RIVAL_KIND = 0.8
"""Probability of its kind under which another one is named."""
RIVAL_NUMBER = 0.9
"""Probability of its number under which another one is named."""
DIFFERING_PIPS = 0.3
"""Score of the pips from which another number that they make is named."""
WEAK_PIPS = 0.5
"""Score of the pips under which their weakest check is named."""


def hard_doubt(seen: ViewingConditions) -> str:
    """What no confidence outweighs: a die that is not whole in the picture."""
    if seen.truncation >= MIN_TRUNCATION:
        return CUT_OFF
    if seen.max_neighbour_iou > MAX_NEIGHBOUR_IOU:
        return "is on another die, or too close to it"
    return ""


def disagreement(evidence: Evidence, number: int) -> str:
    """What one of the networks takes a d6 for instead, in words; empty where all agree."""
    counted = evidence.pips is not None and evidence.pips.value == Kind.D6.numbers[number]
    for prediction in (evidence.reader, evidence.second):
        if prediction is None:
            continue
        pips = prediction.numbers(Kind.D6)
        if math.exp(float(pips[number])) < MIN_NUMBER_PROBABILITY:
            low, high = sorted((Kind.D6.numbers[number], Kind.D6.numbers[int(pips.argmax())]))
            return f"could be {some(low)} or {some(high)}"
        # Pips that can be counted are a d6's, whatever else it looks like.
        if not counted and math.exp(float(prediction.kind[1 + KINDS.index(Kind.D6)])) < MIN_D6_PROBABILITY:
            other = KINDS[int(np.delete(prediction.kind, 0).argmax())]
            return f"could be {Kind.D6.some(1)} or {other.some(1)}" if other is not Kind.D6 else FAINT
    return ""


def rival_shape(kinds: Float32Array, kind: Kind) -> str:
    """Which other shape a die with a numeral has rather, in words; empty where it has its own kind's.

    However surely a numeral is read, a d20 and a d6 with numerals show the same ones: only the shape tells.
    """
    probability = {k: math.exp(float(kinds[1 + KINDS.index(k)])) for k in KINDS}
    cube = max((Kind.D6_NUMERAL, Kind.D6), key=probability.__getitem__)
    rivals = {
        Kind.D20: probability[Kind.D20] / MAX_RIVAL_SHAPE_RATIO,
        Kind.D4: probability[Kind.D4] / MAX_RIVAL_SHAPE_RATIO,
        cube: (probability[Kind.D6_NUMERAL] + probability[Kind.D6]) / MAX_CUBE_RATIO,
    }
    other = max(rivals, key=rivals.__getitem__)
    return f"could be {kind.some(1)} or {other.some(1)}" if rivals[other] > probability[kind] else ""


def rival_kind(kinds: Float32Array, kind: Kind) -> str:
    """What else a die with a numeral may be, in words; empty where its kind is plain.

    Nobody said what lies there, and a 6 on a d10 is no 6 on a d8.
    """
    if math.exp(float(kinds[1 + KINDS.index(kind)])) >= MIN_OPEN_KIND_PROBABILITY:
        return ""
    likeliest = [KINDS[int(at)] for at in np.argsort(-kinds[1:])[:2]]
    other = next(k for k in likeliest if k is not kind)
    return f"could be {kind.some(1)} or {other.some(1)}"


def rival_face(evidence: Evidence, kind: Kind, printed: int) -> str:
    """Which two numbers stand on either side of the middle, in words; empty where one face is plainly up."""
    if evidence.numerals is None:
        return ""
    other, probability = evidence.numerals.rival_face(kind, printed)
    if probability <= MAX_RIVAL_FACE_PROBABILITY:
        return ""
    low, high = sorted((printed, other))
    return f"shows two faces nearly alike: it could be {some(low)} or {some(high)}"


def soft_doubt(
    evidence: Evidence,
    kind: Kind,
    number: int,
    kinds: Float32Array,
    numbers: Float32Array,
    seen: ViewingConditions,
) -> str:
    """The first reason, in words, to doubt a die whose confidence is under the threshold."""
    first, second = np.argsort(-numbers)[:2].tolist()
    if seen.side < SMALL_SIDE:
        return "is too small in the picture"
    if math.exp(float(kinds[0])) > MAX_NONE_PROBABILITY:
        return "hardly looks like a die, or shows no upper face"
    if seen.glare > GLARE_SHARE:
        return "has a gleam on it"
    if seen.blur > BLURRED:
        return "is blurred"
    rival = int(np.argsort(-kinds[1:])[1])
    if float(kinds[1 + KINDS.index(kind)]) < math.log(RIVAL_KIND):
        other = next(k for k in (KINDS[int(np.argmax(kinds[1:]))], KINDS[rival]) if k is not kind)
        return f"could be {kind.some(1)} or {other.some(1)}"
    pips = evidence.pips
    if (
        pips is not None
        and kind is Kind.D6
        and pips.value != kind.numbers[number]
        and pips.confidence_score > DIFFERING_PIPS
    ):
        return f"looks like a {kind.numbers[number]}, but its pips count {pips.value}"
    if float(numbers[first]) < math.log(RIVAL_NUMBER):
        low, high = sorted((kind.numbers[first], kind.numbers[second]))
        return f"could be {some(low)} or {some(high)}"
    if seen.smallness > SMALLNESS:
        return "is small in the picture"
    if pips is not None and kind is Kind.D6 and pips.confidence_score < WEAK_PIPS:
        return REASONS[pips.weakest]
    return "is not clear enough to be sure"


def some(number: int) -> str:
    """A number as something that lies up: ``"an 8"``."""
    return f"an {number}" if number in (8, 11, 18, 80) else f"a {number}"
