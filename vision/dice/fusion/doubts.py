"""Why a die is doubted, in words for people: rules that no confidence outweighs, and the sentence for whatever
takes most of a confidence away that is too low.

Limits that are chosen on the folds were chosen on photographers left out of the training
(``models/dice_reader.md``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.fusion.ensemble import Evidence
from loomtable.vision.dice.fusion.features import ViewingConditions
from loomtable.vision.dice.fusion.low_camera import TOO_LOW
from loomtable.vision.dice.pips.scoring import REASONS
from loomtable.vision.die_kinds import KINDS, Kind

CUT_OFF = "is half out of the picture"
FAINT = "hardly stands out from what is round it"
LEANS = "leans on something or is askew (cocked)"
OTHER_SIZE = "is of quite another size than the rest"
TOO_CLOSE = "is on another die, or too close to it"
LEAST_SURE = "is the least sure of so many"
UNCLEAR = "is not clear enough to be sure"

# Rules that no confidence outweighs. What cannot be seen is not read; and of dice with numerals too few
# photographs are at hand that the networks have not learned from to measure what such an objection weighs.
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
# From here on a reason is given: these limits say which words a person reads of a die that is doubted already,
# never whether it is. All are set by hand.
SMALL_SIDE = 14
"""Pixels: a smaller die is too small."""
SAID_BY = {
    **dict.fromkeys(("value", "reader", "second", "views", "worst_view", "number_objection"), "number"),
    **dict.fromkeys(("pips_agree", "pips_differ", "print_agrees", "print_differs", "learned"), "number"),
    **dict.fromkeys(("kind", "kind_objection"), "kind"),
    **dict.fromkeys(("none", "score"), "none"),
    **{own: own for own in ("rival_camera", "askew", "smallness", "blur", "glare")},
    **{own: own for own in ("truncation", "max_neighbour_iou", "size_deviation")},
}
"""Which sentence each feature is said by: what several say of the same is added up."""
SENTENCES = {
    "none": "hardly looks like a die, or shows no upper face",
    "rival_camera": TOO_LOW,
    "askew": LEANS,
    "size_deviation": OTHER_SIZE,
    "smallness": "is small in the picture",
    "blur": "is blurred",
    "glare": "has a gleam on it",
    "truncation": CUT_OFF,
    "max_neighbour_iou": TOO_CLOSE,
}
GLARE_SHARE = 0.08
BLURRED = 0.6
SMALLNESS = 0.6
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
        return TOO_CLOSE
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


def reason_in_words(
    against: Mapping[str, float],
    evidence: Evidence,
    kind: Kind,
    number: int,
    kinds: Float32Array,
    numbers: Float32Array,
    seen: ViewingConditions,
) -> str:
    """Why a die is not believed: the sentence for what takes most of its confidence away.

    Args:
        against: log-odds that each feature takes away (``ConfidenceModel.objections``).
        evidence: the die.
        kind: the kind it is held to be.
        number: the number it is held to show, by place.
        kinds: (9,) log-probabilities of none and the kinds, fused.
        numbers: (n,) log-probabilities of the kind's numbers, fused.
        seen: how it is seen.
    """
    lost: dict[str, float] = {}
    for feature, loss in against.items():
        lost[SAID_BY[feature]] = lost.get(SAID_BY[feature], 0.0) + loss
    most = max(lost, key=lost.__getitem__, default="number")
    if seen.side < SMALL_SIDE:
        return "is too small in the picture"
    if most in SENTENCES:
        return SENTENCES[most]
    # What makes a number or a kind unclear is named, where it can be seen.
    if seen.glare > GLARE_SHARE:
        return SENTENCES["glare"]
    if seen.blur > BLURRED:
        return SENTENCES["blur"]
    if most == "kind":
        return _two_kinds(evidence, kind, kinds)
    return _two_numbers(evidence, kind, number, numbers, seen)


def _two_kinds(evidence: Evidence, kind: Kind, kinds: Float32Array) -> str:
    each = [one.kind for one in (evidence.reader, evidence.second) if one is not None]
    fused = [KINDS[int(at)] for at in np.argsort(-kinds[1:])]
    # A network of its own mind, or else what all together hold likeliest beside it.
    other = next((one for logs in each if (one := KINDS[int(logs[1:].argmax())]) is not kind), None)
    other = other or next(one for one in fused if one is not kind)
    return f"could be {kind.some(1)} or {other.some(1)}"


def _two_numbers(
    evidence: Evidence, kind: Kind, number: int, numbers: Float32Array, seen: ViewingConditions
) -> str:
    pips = evidence.pips if kind is Kind.D6 else None
    printed = kind.numbers[number]
    if pips is not None and pips.value != printed and pips.confidence_score > DIFFERING_PIPS:
        return f"looks like {some(printed)}, but its pips count {pips.value}"
    each = [one.numbers(kind) for one in (evidence.reader, evidence.second) if one is not None]
    others = [k for logs in each if (k := int(logs.argmax())) != number]
    if others or float(numbers[number]) < math.log(RIVAL_NUMBER):
        other = others[0] if others else int(np.argsort(-numbers)[:2][-1])
        other = other if other != number else int(numbers.argmax())
        low, high = sorted((printed, kind.numbers[other]))
        return f"could be {some(low)} or {some(high)}"
    if seen.smallness > SMALLNESS:
        return SENTENCES["smallness"]
    if pips is not None and pips.confidence_score < WEAK_PIPS:
        return REASONS[pips.weakest]
    return UNCLEAR


def some(number: int) -> str:
    """A number as something that lies up: ``"an 8"``."""
    return f"an {number}" if number in (8, 11, 18, 80) else f"a {number}"
