"""From the predictions to a decision: each die with its confidence and its doubt, then which count as dice.

One measured probability decides: that the right detections were taken for dice, times that each of them is read
rightly. It is held against the threshold (``calibration.py``); where it falls short, what speaks most against it
is said in words (``doubts.py``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.boxes import area, intersection, iou
from loomtable.vision.dice.enrolment.confirmed import MIN_OVERRULING, OwnDice
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.doubts import (
    FAINT,
    LEAST_SURE,
    NOT_CLEAR_AMONG,
    OTHER_SIZE,
    TOO_LOW,
    UNCLEAR,
    cube_doubt,
    hard_doubt,
    reason_in_words,
    some,
)
from loomtable.vision.dice.fusion.ensemble import (
    MIN_D4_PROBABILITY,
    NUMERAL_KINDS,
    Evidence,
    d4_probability,
    fuse,
)
from loomtable.vision.dice.fusion.features import ViewingConditions, features_of, log_odds, viewing_conditions
from loomtable.vision.dice.fusion.low_camera import (
    MAX_RIVAL_OF_UNANIMOUS,
    MAX_RIVAL_PROBABILITY,
    plausible_views,
)
from loomtable.vision.dice.fusion.numeral_doubts import FACE_OF_D4, UNANIMOUS_KINDS, numeral_doubt
from loomtable.vision.dice.fusion.objections import askew, network_objections, rival_camera
from loomtable.vision.die_kinds import KINDS, Kind
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pool import Pool

MIN_KIND_PROBABILITY = 0.1
"""Probability under which a die is not held to be of a kind that was asked for. Set by hand: it says which kind is
named, while how sure that is goes into the confidence."""
MIN_DIE_PROBABILITY = 0.05
"""Probability of being a die under which a detection does not make up the number that was asked for, so that one
is said to be missing. Set by hand: it decides between two sentences, and nothing is believed by it."""
MAX_SIZE_DEVIATION = 0.8
"""Halvings or doublings by which a die's side may differ from the usual one: buttons and knots differ by more.
Chosen on the folds, and kept as a rule: too few photographs show such things for a weight to be measured."""
CONFIRMED_PIPS = 0.11
"""What it counts that a d6 is like confirmed ones, in parts of what a die counts that a person has shown. Measured
on evenings with pictures of five photographers: of 767 such dice 747 are right, and 738 are held to be without it.
Dice with numerals, of which none of 344 was wrong, count in full."""
MIN_KNOWN_PIPS = 0.5
"""Confidence below which a d6 is of a make that the networks do not know: only people can have taught it, and what
they confirmed counts in full. Set by hand."""
MIN_SHARED_OF_D4, MIN_LOG_SCORE_OF_D4 = 0.4, math.log(0.1)
"""Share of the smaller of two boxes within the larger from which they are round one d4, and how well its number
must be read. Set by hand while looking at ``ucffool-d4``, where parts share 0.43 and more."""
MIN_CONFIDENCE_OF_REST = 0.9
"""Probability that all dice are right that nobody is asked about, once a person is asked about others of their
tray: such trays are harder than those that are taken whole. Chosen on trays of 5 to 47 dice (``rune55-trays``),
where 34 of 1,064 such dice were wrong without it and 8 of 795 are with it."""


@dataclass(frozen=True, eq=False)
class Decision:
    """One die, decided from all predictions."""

    evidence: Evidence
    kind: Kind
    number: int
    """The printed number that it is held to show."""
    confidence: float
    """How often a die read like this shows this number, 0 to 1."""
    unaided: float
    """The same without what people confirmed at the table."""
    features: dict[str, float]
    doubt: str
    """Why it is not believed, as the end of a sentence; empty where it is."""
    likeness: dict[str, float] = field(default_factory=dict)
    """What tells it from clutter, by ``DIE_FEATURES``."""
    die: float = 1.0
    """How surely it is a die at all, 0 to 1."""

    @property
    def none(self) -> float:
        """How surely the readers hold it to be no die, 0 to 1."""
        return self.features["none"]


@dataclass(frozen=True)
class Selection:
    """Which detections count as dice."""

    dice: list[Decision]
    possible: list[Decision]
    """What else may be a die, where that leaves doubt."""
    certain: float = 1.0
    """How surely these are all the dice there are, 0 to 1."""


def assess_dice(
    evidence: Sequence[Evidence],
    picture: BgrImage,
    pool: Pool | None,
    calibration: Calibration,
    own: OwnDice | None = None,
) -> list[Decision]:
    """Every detection of a picture with the kind and number it is held to be, in the order given."""
    boxes = [one.detection.box for one in evidence]
    sides = [e.detection.side for e in evidence if e.detection.score >= calibration.detector.high]
    common = float(np.median(sides)) if sides else None
    usual = common if len(sides) > 1 else None
    views = [plausible_views(one) for one in evidence]
    fused = [fuse(likely, calibration) for (_, likely), *_ in views]
    kinds = [
        _likely_kind(logs, pool, calibration, likely.numerals is not None)
        for (logs, _), ((_, likely), *_) in zip(fused, views, strict=True)
    ]
    pips = [likely.pips for (_, likely), *_ in views]
    d4s = [d4_probability(one.reader, one.second) > MIN_D4_PROBABILITY for one in evidence]
    wholes = _wholes_of_d4s(evidence)
    leaning = askew({k: face for k, face in enumerate(pips) if face is not None and kinds[k] is Kind.D6})
    decisions: list[Decision] = []
    for place, ((_, likely), *others) in enumerate(views):
        others_whole = [box for k, box in enumerate(boxes) if k != place and k not in wholes]
        max_neighbour_iou = max((iou(boxes[place], box) for box in others_whole), default=0.0)
        seen = viewing_conditions(likely, picture, max_neighbour_iou, usual)
        decision = _assess(likely, fused[place], others, leaning.get(place, 0.0), seen, pool, calibration, own)
        on_d4 = any(k != place and d4s[k] and iou(boxes[place], box) > 0 for k, box in enumerate(boxes))
        if on_d4 and not decision.doubt and decision.kind in NUMERAL_KINDS and decision.kind is not Kind.D4:
            decision = replace(decision, doubt=FACE_OF_D4.format(kind=decision.kind.some(1)))
        likeness = _likeness(decision, common)
        decisions.append(replace(decision, likeness=likeness, die=calibration.die_model.predict(likeness)))
    return decisions


def _wholes_of_d4s(evidence: Sequence[Evidence]) -> dict[int, int]:
    """Boxes round a part of a d4, each with the box on which that d4's number is read best.

    This is non-maximum suppression by how well three numerals of one face are read: the networks hold a part of a
    pyramid as much for a die as all of it.
    """
    read = {k: float(one.d4.max()) for k, one in enumerate(evidence) if one.d4 is not None}
    wholes: dict[int, int] = {}
    for whole in sorted((k for k in read if read[k] > MIN_LOG_SCORE_OF_D4), key=lambda k: -read[k]):
        box = evidence[whole].detection.box
        for k, one in enumerate(evidence):
            smaller = min(area(box), area(one.detection.box))
            is_part = intersection(box, one.detection.box) > MIN_SHARED_OF_D4 * smaller
            if is_part and whole not in wholes and k not in (whole, *wholes, *wholes.values()):
                wholes[k] = whole
    return wholes


def _assess(
    evidence: Evidence,
    fused: tuple[Float32Array, dict[Kind, Float32Array]],
    others: Sequence[tuple[float, Evidence]],
    leaning: float,
    seen: ViewingConditions,
    pool: Pool | None,
    calibration: Calibration,
    own: OwnDice | None,
) -> Decision:
    """A die as the likeliest camera shows it, and ``fused`` says; ``others`` are how others that are plausible
    do."""
    kinds, numbers = fused
    kind = _likely_kind(kinds, pool, calibration, evidence.numerals is not None)
    number = int(numbers[kind].argmax())

    def weighed(number: int, learned: float, known: bool) -> dict[str, float]:
        """The features; a die that is known well needs no second opinion but on from where it is seen."""
        against: dict[str, float] = {}
        if kind is Kind.D6:
            against = {} if known else network_objections(evidence, number)
            face = evidence.pips
            against["askew"] = leaning if face is not None and face.value == kind.numbers[number] else 0.0
        against["rival_camera"] = rival_camera(others, kind, number, calibration)
        return features_of(evidence, kind, number, kinds, numbers[kind], seen, learned) | against

    features = weighed(number, 0.0, False)
    confidence = unaided = calibration.confidence(kind, features)
    level = calibration.threshold(kind).at(pool is not None)
    confirmed = own.confirmed_face(evidence.reader, kind) if own is not None else None
    if confirmed is not None and confirmed.votes >= MIN_OVERRULING and unaided < level:
        number = kind.numbers.index(confirmed.number)
    agreed = confirmed is not None and confirmed.number == kind.numbers[number]
    if agreed:
        in_full = kind in NUMERAL_KINDS or unaided < MIN_KNOWN_PIPS
        features = weighed(number, 1.0 if in_full else CONFIRMED_PIPS, in_full)
        confidence = calibration.confidence(kind, features)
    doubt = hard_doubt(seen, kind, confidence)
    rival = MAX_RIVAL_OF_UNANIMOUS if kind in UNANIMOUS_KINDS else MAX_RIVAL_PROBABILITY
    if not doubt and features["rival_camera"] > rival:
        doubt = TOO_LOW
    if not doubt and not agreed:
        doubt = cube_doubt(evidence, kind, kind.numbers[number])
    if not doubt and kind in NUMERAL_KINDS and not agreed:
        doubt = numeral_doubt(evidence, kind, number, kinds, pool is not None)
    if not doubt and confidence < level:
        against = calibration.confidence_model(kind).objections(features)
        doubt = reason_in_words(against, evidence, kind, number, kinds, numbers[kind], seen)
    if not doubt and confirmed is not None and not agreed:
        doubt = f"looks more like {some(confirmed.number)} that you confirmed"
    return Decision(evidence, kind, kind.numbers[number], confidence, unaided, features, doubt)


def _likely_kind(kinds: Float32Array, pool: Pool | None, calibration: Calibration, printed: bool) -> Kind:
    """The likeliest kind; one that was asked for, unless there is hardly a chance that it is one.

    A d6 on which nothing was read as print is one with pips.
    """
    if pool is None:
        return KINDS[int(kinds[1:].argmax())]
    expected = np.array([pool.count(kind.die) > 0 and (printed or kind is not Kind.D6_NUMERAL) for kind in KINDS])
    posterior = np.exp(kinds[1:] + calibration.expected_log_odds * expected)
    posterior /= posterior.sum()
    if expected.any() and posterior[expected].max() > MIN_KIND_PROBABILITY:
        posterior = np.where(expected, posterior, 0)
    return KINDS[int(posterior.argmax())]


def _likeness(decision: Decision, usual: float | None) -> dict[str, float]:
    """What tells a die from clutter; ``usual`` is the median side of what surely are dice."""
    larger = 0.0 if usual is None else math.log2(max(decision.evidence.detection.side, 1.0) / usual)
    return {
        "score": decision.features["score"],
        "none_log_odds": log_odds(math.log(max(decision.none, 1e-6))),
        "value": decision.features["value"],
        "smaller": max(-larger, 0.0),
        "larger": max(larger, 0.0),
    }


def select_dice(decisions: Sequence[Decision], pool: Pool | None, calibration: Calibration) -> Selection:
    """Which detections count as dice, how surely, and which more may be some.

    Where a pool was asked for, the likeliest so many count. One too many that is as clear as a die can be counts
    as well; one that merely may be a die is left for a person.
    """
    ranked = sorted(_as_whole_d4s(decisions), key=lambda one: -one.die)
    if pool is None:
        dice = [one for one in ranked if one.die >= 0.5]
        beyond = ranked[len(dice) :]
        certain = math.prod(one.die for one in dice) * math.prod(1 - one.die for one in beyond)
    else:
        dice = [one for one in ranked[: pool.total] if one.die >= MIN_DIE_PROBABILITY]
        beyond = ranked[len(dice) :]
        certain = certainty_of_count([one.die for one in ranked], len(dice))
        clear = [
            one
            for one in beyond
            if one.die >= 0.5 and one.unaided >= calibration.threshold(one.kind).at(True) and not one.doubt
        ]
        if clear and len(dice) == pool.total:
            return Selection([*_of_a_size(dice), *clear], [])
        dice = _of_a_size(dice)
    return _settled(Selection(dice, beyond, certain), pool, calibration)


def _as_whole_d4s(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions with the likelihood of each part of a d4 moved to the whole."""
    moved = list(decisions)
    for part, whole in _wholes_of_d4s([one.evidence for one in decisions]).items():
        moved[whole] = replace(moved[whole], die=max(moved[whole].die, moved[part].die))
        moved[part] = replace(moved[part], die=0.0)
    return moved


def certainty_of_count(chances: Sequence[float], count: int) -> float:
    """Probability that the first so many of these are the dice, where it is known that there are so many.

    Of all ways to choose so many, each is as likely as the product of the odds of what is chosen.
    """
    odds = [min(chance / max(1 - chance, 1e-9), 1e9) for chance in chances]
    ways = [1.0] + [0.0] * count
    for one in odds:
        for chosen in range(count, 0, -1):
            ways[chosen] += one * ways[chosen - 1]
    return math.prod(odds[:count]) / ways[count]


def _settled(found: Selection, pool: Pool | None, calibration: Calibration) -> Selection:
    """The same with a doubt where each die is believed but the whole is not: on what most likely is wrong, and on
    others until the rest can be believed without being asked about."""
    dice, possible = found.dice, list[Decision]()
    if not dice:
        return replace(found, possible=possible)
    if not any(one.doubt for one in dice):
        together = math.prod(one.confidence for one in dice)
        if together * found.certain >= calibration.tray.at(pool is not None):
            return replace(found, possible=possible)
        faintest = min(dice, key=lambda one: one.die)
        likeliest = max(found.possible, key=lambda one: one.die, default=None)
        if found.certain > together:
            least, doubt = min(dice, key=lambda one: one.confidence), LEAST_SURE if len(dice) > 1 else UNCLEAR
            dice = [replace(one, doubt=doubt) if one is least else one for one in dice]
        elif likeliest is not None and likeliest.die >= 1 - faintest.die:
            possible = [likeliest]
        else:
            dice = [replace(one, doubt=FAINT) if one is faintest else one for one in dice]
    return replace(found, dice=_with_sure_rest(dice), possible=possible)


def _with_sure_rest(dice: Sequence[Decision]) -> list[Decision]:
    """The dice with a doubt on the least sure, until those without one are all right surely enough."""
    rest = sorted((one for one in dice if not one.doubt), key=lambda one: one.confidence)
    while math.prod(one.confidence for one in rest) < MIN_CONFIDENCE_OF_REST:
        rest = rest[1:]
    return [one if one.doubt or one in rest else replace(one, doubt=NOT_CLEAR_AMONG) for one in dice]


def _of_a_size(kept: Sequence[Decision]) -> list[Decision]:
    """The dice that count, with a doubt on any of quite another size than the rest: a button, not a die."""
    if not kept:
        return []
    usual = float(np.median([j.evidence.detection.side for j in kept]))
    return [
        replace(j, doubt=OTHER_SIZE)
        if not j.doubt and abs(math.log2(j.evidence.detection.side / usual)) > MAX_SIZE_DEVIATION
        else j
        for j in kept
    ]
