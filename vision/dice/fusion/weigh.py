"""What all cues say of a die, weighed into a confidence: which kind and number it is held to show, and how often a
die read like this is right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.vision.arrays import Float32Array
from loomtable.vision.boxes import area, intersection, iou
from loomtable.vision.dice.enrolment.confirmed import MIN_OVERRULING, OwnDice
from loomtable.vision.dice.evidence import NUMERAL_KINDS, DieEvidence
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.ensemble import MIN_D4_PROBABILITY, d4_probability, kinds_of, numbers_of
from loomtable.vision.dice.fusion.features import (
    EMBEDDED,
    ViewingConditions,
    features_of,
    log_odds,
    look_of,
    network_objections,
    rival_camera,
    viewing_conditions,
)
from loomtable.vision.dice.fusion.low_camera import plausible_views
from loomtable.vision.dice.layouts import LayoutReading
from loomtable.vision.die_kinds import KINDS, Kind
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pool import Pool

MIN_KIND_PROBABILITY = 0.1
"""Probability under which a die is not held to be of a kind that was asked for. Set by hand: it says which kind is
named, while how sure that is goes into the confidence."""
CONFIRMED_PIPS = 0.11
"""What it counts that a d6 is like confirmed ones, in parts of what a die counts that a person has shown. Measured
on evenings with pictures of five photographers: of 767 such dice 747 are right, and 738 are held to be without it.
Dice with numerals, of which none of 344 was wrong, count in full."""
MIN_KNOWN_PIPS = 0.5
"""Confidence below which a d6 is of a make that the networks do not know: only people can have taught it, and what
they confirmed counts in full. Set by hand."""
MAX_MISFIT = 1.5
"""Nats that are lost at most because a cube would look otherwise: cameras are moved. Chosen on ``white-webcam`` as
one evening: of 185 pictures 3 are not accepted any more, and 24 with twice as many."""
MIN_SHARED_OF_D4, MIN_LOG_SCORE_OF_D4 = 0.4, math.log(0.1)
"""Share of the smaller of two boxes within the larger from which they are round one d4, and how well its number
must be read. Set by hand while looking at ``ucffool-d4``, where parts share 0.43 and more."""


@dataclass(frozen=True, eq=False)
class Decision:
    """One die, weighed from all evidence; doubted where it has a ``doubt``."""

    evidence: DieEvidence
    """As the likeliest camera shows it."""
    conditions: ViewingConditions
    asked: Pool | None
    """What was rolled; nothing where nobody said."""
    kinds: Float32Array
    """(9,): log-probabilities of none and the kinds, fused."""
    numbers: Float32Array
    """(n,): log-probabilities of its kind's numbers, fused."""
    kind: Kind
    number: int
    """The printed number that it is held to show."""
    confidence: float
    """How often a die read like this shows this number, 0 to 1."""
    unaided: float
    """The same without what people confirmed at the table."""
    level: float
    """From which confidence it is believed."""
    features: dict[str, float]
    against: dict[str, float]
    """How many log-odds each feature takes away against what is typical."""
    shown: bool = False
    """Whether people have confirmed it: it needs no second opinion on its number."""
    confirmed: int | None = None
    """The printed number that people confirmed of dice like it."""
    doubt: str = ""
    """Why it is not believed, as the end of a sentence; empty where it is."""
    low: float = 0.0
    """How surely the camera stands too low to take the largest face for the top, 0 to 1."""
    likeness: dict[str, float] = field(default_factory=dict)
    """What tells it from clutter, by ``DIE_FEATURES``."""
    die: float = 1.0
    """How surely it is a die at all and no clutter, 0 to 1."""
    looks: float = 1.0
    """The same, and no card, domino or tile, which look like one to the detector."""

    @property
    def laid_out(self) -> LayoutReading | None:
        """What its layout surely says; nothing where it does not."""
        return self.evidence.laid_out(self.kind)

    @property
    def none(self) -> float:
        """How surely the readers hold it to be no die, 0 to 1."""
        return self.features["none"]

    @property
    def place(self) -> int:
        """Of its number among its kind's."""
        return self.kind.numbers.index(self.number)


def weigh_dice(
    dice: Sequence[DieEvidence],
    picture: BgrImage,
    pool: Pool | None,
    calibration: Calibration,
    own: OwnDice | None = None,
) -> list[Decision]:
    """Every detection of a picture with the kind and number it is held to be, and how surely, in their order."""
    boxes = [die.detection.box for die in dice]
    sides = [die.detection.side for die in dice if die.detection.score >= calibration.detector.high]
    common = float(np.median(sides)) if sides else None
    usual = common if len(sides) > 1 else None
    d4s = [may_be_d4(pool) and d4_probability(die) > MIN_D4_PROBABILITY for die in dice]
    parts = parts_of_d4s(dice)
    weighed: list[Decision] = []
    for place, die in enumerate(dice):
        (_, likely), *others = plausible_views(die)
        overlaps = [0.0 if k == place else iou(boxes[place], box) for k, box in enumerate(boxes)]
        nearest = max((shared for k, shared in enumerate(overlaps) if k not in parts), default=0.0)
        on_d4 = any(d4s[k] and shared > 0 for k, shared in enumerate(overlaps))
        conditions = replace(viewing_conditions(likely, picture, nearest, usual), on_d4=on_d4)
        decision = _weigh(likely, others, conditions, pool, calibration, own)
        likeness = _likeness(die, decision, common, calibration)
        looks = calibration.die_model.predict(likeness)
        chance = calibration.die_model.predict({**likeness, "looks": 0.0})
        weighed.append(replace(decision, low=die.low, likeness=likeness, die=chance, looks=looks))
    return weighed


def may_be_d4(pool: Pool | None) -> bool:
    """Whether a d4 may be there: one was rolled, or nobody said what was."""
    return pool is None or pool.count(Die.D4) > 0


def parts_of_d4s(dice: Sequence[DieEvidence]) -> dict[int, int]:
    """Boxes round a part of a d4, each with the box on which that d4's number is read best.

    This is non-maximum suppression by how well three numerals of one face are read: the networks hold a part of a
    pyramid as much for a die as all of it.
    """
    read = {k: float(die.d4.max()) for k, die in enumerate(dice) if die.d4 is not None}
    wholes: dict[int, int] = {}
    for whole in sorted((k for k in read if read[k] > MIN_LOG_SCORE_OF_D4), key=lambda k: -read[k]):
        box = dice[whole].detection.box
        for k, die in enumerate(dice):
            smaller = min(area(box), area(die.detection.box))
            is_part = intersection(box, die.detection.box) > MIN_SHARED_OF_D4 * smaller
            if is_part and whole not in wholes and k not in (whole, *wholes, *wholes.values()):
                wholes[k] = whole
    return wholes


def _weigh(
    die: DieEvidence,
    others: Sequence[tuple[float, DieEvidence]],
    conditions: ViewingConditions,
    pool: Pool | None,
    calibration: Calibration,
    own: OwnDice | None,
) -> Decision:
    """A die as the likeliest camera shows it; ``others`` are how others that are plausible do."""
    kinds = kinds_of(die, calibration)
    kind = _likely_kind(kinds, pool, calibration, die.digits is not None)
    numbers = numbers_of(die, kind, calibration)
    place = int(numbers.argmax())

    def weighed(place: int, learned: float, shown: bool) -> dict[str, float]:
        """The features; a die that is known well needs no second opinion but on from where it is seen."""
        against = network_objections(die, place) if kind is Kind.D6 and not shown else {}
        against["rival_camera"] = rival_camera(die, others, kind, place, calibration)
        return features_of(die, kind, place, kinds, numbers, conditions, learned) | against

    shown = False
    features = weighed(place, 0.0, False)
    confidence = unaided = calibration.confidence(kind, features)
    level = calibration.threshold(kind).at(pool is not None)
    confirmed = own.confirmed_face(die.reader, kind) if own is not None else None
    if confirmed is not None and confirmed.votes >= MIN_OVERRULING and unaided < level:
        place = kind.numbers.index(confirmed.number)
    if confirmed is not None and confirmed.number == kind.numbers[place]:
        shown = True
        in_full = kind in NUMERAL_KINDS or unaided < MIN_KNOWN_PIPS
        features = weighed(place, 1.0 if in_full else CONFIRMED_PIPS, in_full)
        confidence = calibration.confidence(kind, features)
    return Decision(
        die,
        conditions,
        pool,
        kinds,
        numbers,
        kind,
        kind.numbers[place],
        confidence,
        unaided,
        level,
        features,
        calibration.confidence_model(kind).objections(features),
        shown,
        None if confirmed is None else confirmed.number,
    )


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


def _likeness(
    die: DieEvidence, decision: Decision, usual: float | None, calibration: Calibration
) -> dict[str, float]:
    """What tells a die from clutter; ``usual`` is the median side of what surely are dice."""
    stance = die.stance
    *weights, bias = calibration.looks or (0.0,) * (EMBEDDED + 4)
    stance, larger = (
        die.stance,
        0.0 if usual is None else math.log2(max(decision.evidence.detection.side, 1.0) / usual),
    )
    return {
        "score": decision.features["score"],
        "none_log_odds": log_odds(math.log(max(decision.none, 1e-6))),
        "value": decision.features["value"],
        "smaller": max(-larger, 0.0),
        "larger": max(larger, 0.0),
        "looks": min(float(look_of(die) @ weights) + bias, 0.0),
        "fit": 0.0 if stance is None or stance.normals is None else max(min(stance.fit, 0.0), -MAX_MISFIT),
    }
