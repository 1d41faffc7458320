"""Why a die is doubted, in words for people: rules that no confidence outweighs, and the sentence for whatever
takes most of a confidence away that is too low.

Limits that are chosen on the folds were chosen on photographers left out of the training
(``models/dice_reader.md``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.fusion.ensemble import Evidence
from loomtable.vision.dice.fusion.features import ViewingConditions
from loomtable.vision.dice.fusion.objections import lies_beside_top
from loomtable.vision.dice.fusion.outline import is_round
from loomtable.vision.dice.pips.scoring import REASONS
from loomtable.vision.die_kinds import KINDS, Kind

CUT_OFF = "is half out of the picture"
FAINT = "hardly stands out from what is round it"
LEANS = "leans on something or is askew (cocked)"
OTHER_SIZE = "is of quite another size than the rest"
TOO_CLOSE = "is on another die, or too close to it"
LEAST_SURE = "is the least sure of so many"
NOT_CLEAR_AMONG = "is not clear enough among so many"
UNCLEAR = "is not clear enough to be sure"
ROUND = "has a round outline: it may be a button or a counter"
TOP_OR_SIDE = "is seen so far from the side that two faces may be up: move it to the middle of the picture"
TOO_LOW = "is seen from too low to tell which face is up: raise the camera"

# Rules that no confidence outweighs: what cannot be seen is not read. Those of numerals are in numeral_doubts.py.
MIN_TRUNCATION = 0.5
"""Truncation from which a die is not whole in the picture. Set by hand."""
MAX_OVERHANG, MIN_CONFIDENCE_CUT_OFF = 0.15, 0.99
"""Share of its side up to which a d6 may reach over the border and still be believed, and from which confidence.
Measured on 1,440 photographs of nine sources that were cut through a d6 that had been read rightly, most of which
the networks know: of those that reach over by 2.5 to 15 % 387 of 387 of this confidence show the number that was
read, and 673 of all 679 that would be believed elsewhere. One that reaches over by more may have lost pips."""
MAX_BESIDE_TOP = 0.15
"""Probability that the face that was read lies beside the top from which a d6 is asked about. Chosen on rendered
trays and on the photographs (``models/README.md``)."""
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


def hard_doubt(seen: ViewingConditions, kind: Kind, confidence: float) -> str:
    """What no confidence outweighs: a die that is not whole in the picture, or on another.

    Of a d6 an edge may be missing where it is very sure: its pips keep away from the edges.
    """
    sure = kind is Kind.D6 and seen.overhang <= MAX_OVERHANG and confidence >= MIN_CONFIDENCE_CUT_OFF
    if seen.truncation >= MIN_TRUNCATION and not sure:
        return CUT_OFF
    if seen.max_neighbour_iou > MAX_NEIGHBOUR_IOU:
        return TOO_CLOSE
    return ""


def cube_doubt(evidence: Evidence, kind: Kind, number: int) -> str:
    """What no confidence outweighs in a d6: that it may be read from its side, or be no die but round and flat.

    Args:
        evidence: the die, as the likeliest camera shows it.
        kind: the kind it is held to be.
        number: the number it is held to show.
    """
    if kind is Kind.D6 and lies_beside_top(evidence, number) > MAX_BESIDE_TOP:
        return TOP_OR_SIDE
    return ROUND if kind.die is Die.D6 and is_round(evidence.crop, evidence.detection.box) else ""


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
    each = [one.kind for one in evidence.networks]
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
    # The networks have not learned which of the numerals on a d4 counts.
    each = [] if kind is Kind.D4 else [one.numbers(kind) for one in evidence.networks]
    others = [k for logs in each if (k := int(logs.argmax())) != number]
    if others or float(numbers[number]) < math.log(RIVAL_NUMBER):
        other = others[0] if others else int(np.argsort(-numbers)[:2][-1])
        return could_be(printed, kind.numbers[other if other != number else int(numbers.argmax())])
    if seen.smallness > SMALLNESS:
        return SENTENCES["smallness"]
    if pips is not None and pips.confidence_score < WEAK_PIPS:
        return REASONS[pips.weakest]
    return UNCLEAR


def could_be(one: int, other: int) -> str:
    """Two numbers between which a reader is torn: ``"could be a 6 or an 8"``."""
    low, high = sorted((one, other))
    return f"could be {some(low)} or {some(high)}"


def some(number: int) -> str:
    """A number as something that lies up: ``"an 8"``."""
    return f"an {number}" if number in (8, 11, 18, 80) else f"a {number}"
