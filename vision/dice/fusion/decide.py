"""From the predictions to a decision: each die with its confidence and its doubt, then which count as dice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array
from loomtable.vision.boxes import iou
from loomtable.vision.dice.detector import PART_SIZE
from loomtable.vision.dice.enrolment.confirmed import MIN_OVERRULING
from loomtable.vision.dice.enrolment.recall import OwnDice, RecalledFace
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.doubts import (
    FAINT,
    MAX_NONE_PROBABILITY,
    disagreement,
    hard_doubt,
    rival_face,
    rival_kind,
    rival_shape,
    soft_doubt,
    some,
)
from loomtable.vision.dice.fusion.ensemble import NUMERAL_KINDS, Evidence, fuse
from loomtable.vision.dice.fusion.features import ViewingConditions, features_of, viewing_conditions
from loomtable.vision.dice.fusion.low_camera import MAX_RIVAL_PROBABILITY, TOO_LOW, plausible_views
from loomtable.vision.die_kinds import KINDS, Kind
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pool import Pool

Shape = npt.NDArray[np.float64]
"""(2, 2): an ellipse of area one."""

LEANS = "leans on something or is askew (cocked)"
OTHER_SIZE = "is of quite another size than the rest"
MIN_KIND_PROBABILITY = 0.1
"""Probability under which a die is not held to be of a kind that was asked for. Set by hand."""
CLUTTER_RATIO = 0.6
"""How much less like a die than all that were asked for something must look that is left out of the count. Set by
hand."""
UNREAD_CLUTTER_RATIO = 0.97
"""The same for its shape alone, whether it can be read or not. Chosen on the left-out folds
(``models/dice_reader.md``)."""
MAX_SPECK_SIZE, MAX_SPECK_SCORE = 0.6, 0.3
"""Where nobody said what lies there: side over the usual one and ``die_score`` under which something is a pip, a
shadow or a piece of a die. Chosen on the photographs (``models/README.md``)."""
MAX_FAINT_SCORE, MAX_FAINT_DETECTION = 0.1, 0.35
"""The same of any size: ``die_score`` and the detector's score under which it is none. Chosen on the same."""
MIN_DIE_SCORE = 0.04
"""What is less like a die than this is none, however many were asked for. Set by hand."""
MAX_SIZE_DEVIATION = 0.8
"""Halvings or doublings by which a die's side may differ from the usual one: buttons and knots differ by more.
Chosen on the folds."""
MIN_RECALLED_CONFIDENCE = 0.94
"""Confidence from which a die is believed that is like one of a person's own. Set by hand: no photographs show
these."""
MAX_SHAPE_DIFFERENCE = 1.05
"""How much the pips of a die that lies askew differ in shape from the others': 1 is not at all. Set by hand."""
MIN_COMPARED_DICE = 3
"""So many d6 give the shape that a cocked one differs from: fewer have no majority."""
MIN_FITTED_SCORE = 0.5
"""Score of the pips from which their shape is compared. Set by hand."""
READABLE_FLOOR = 0.2
"""What a detection that cannot be read at all still counts in ``die_score``. Set by hand."""


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
    """The same without what people confirmed at the table: clutter is told from dice by it."""
    features: dict[str, float]
    doubt: str
    """Why it is not believed, as the end of a sentence; empty where it is."""
    learned: str = ""
    """Which of a person's own dice it was known by, where that agrees."""

    @property
    def none(self) -> float:
        """How surely it is no die at all, 0 to 1."""
        return self.features["none"]


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
    usual = float(np.median(sides)) if len(sides) > 1 else None
    decisions: list[Decision] = []
    for place, one in enumerate(evidence):
        max_neighbour_iou = max((iou(boxes[place], box) for k, box in enumerate(boxes) if k != place), default=0.0)
        seen = viewing_conditions(one, picture, max_neighbour_iou, usual)
        decisions.append(_assess(one, seen, pool, calibration, own))
    return _without_cocked(decisions)


def _assess(
    evidence: Evidence, seen: ViewingConditions, pool: Pool | None, calibration: Calibration, own: OwnDice | None
) -> Decision:
    """A die as the likeliest camera shows it; doubted where another one that is plausible shows another number."""
    (_, likeliest), *others = plausible_views(evidence)
    decision = _assess_view(likeliest, seen, pool, calibration, own)
    if decision.doubt or decision.kind is not Kind.D6:
        return decision
    if evidence.flat is not None and evidence.low > 0.5 and not evidence.flat.sure:
        return replace(decision, doubt=TOO_LOW)
    place = Kind.D6.numbers.index(decision.number)
    rival = sum(chance * -math.expm1(float(fuse(view, calibration)[1][Kind.D6][place])) for chance, view in others)
    return replace(decision, doubt=TOO_LOW) if rival > MAX_RIVAL_PROBABILITY else decision


def _assess_view(
    evidence: Evidence, seen: ViewingConditions, pool: Pool | None, calibration: Calibration, own: OwnDice | None
) -> Decision:
    kinds, numbers = fuse(evidence, calibration)
    recalled = own.recall(evidence.reader) if own is not None else None
    if recalled is not None:
        _add_prior(recalled, kinds, numbers, calibration.learned)
    kind = _likely_kind(kinds, pool, calibration.expected_log_odds)
    number = int(numbers[kind].argmax())
    same = recalled is not None and (recalled.kind, recalled.number) == (kind, kind.numbers[number])
    bonus = 0.0 if recalled is None else recalled.margin * (1.0 if same else -1.0)
    features = features_of(evidence, kind, number, kinds, numbers[kind], seen, bonus)
    confidence = unaided = calibration.confidence(kind, features)
    level = calibration.threshold(kind).at(pool is not None)
    confirmed = own.confirmed_face(evidence.reader, kind) if own is not None else None
    if confirmed is not None and confirmed.votes >= MIN_OVERRULING and unaided < level:
        number = kind.numbers.index(confirmed.number)
    agreed = confirmed is not None and confirmed.number == kind.numbers[number]
    if agreed:
        same = True
        features = features_of(evidence, kind, number, kinds, numbers[kind], seen, learned=1.0)
        confidence = calibration.confidence(kind, features)
    believed = confidence >= (level if recalled is None else max(level, MIN_RECALLED_CONFIDENCE))
    doubt = hard_doubt(seen)
    if not doubt and kind is Kind.D6 and not same:
        doubt = disagreement(evidence, number)
    if not doubt and kind in NUMERAL_KINDS and kind.die is not None and not same:
        doubt = rival_shape(kinds, kind)
        if not doubt and pool is None:
            doubt = rival_kind(kinds, kind)
        if not doubt:
            doubt = rival_face(evidence, kind, kind.numbers[number])
    if not doubt and not believed:
        doubt = soft_doubt(evidence, kind, number, kinds, numbers[kind], seen)
    if not doubt and confirmed is not None and not agreed:
        doubt = f"looks more like {some(confirmed.number)} that you confirmed"
    known = recalled.name if recalled is not None and same else ""
    return Decision(evidence, kind, kind.numbers[number], confidence, unaided, features, doubt, known)


def _likely_kind(kinds: Float32Array, pool: Pool | None, asked_for: float) -> Kind:
    """The likeliest kind; one that was asked for, unless there is hardly a chance that it is one."""
    if pool is None:
        return KINDS[int(kinds[1:].argmax())]
    expected = np.array([_is_expected(kind, pool) for kind in KINDS])
    posterior = np.exp(kinds[1:] + asked_for * expected)
    posterior /= posterior.sum()
    if expected.any() and posterior[expected].max() > MIN_KIND_PROBABILITY:
        posterior = np.where(expected, posterior, 0)
    return KINDS[int(posterior.argmax())]


def _add_prior(
    recalled: RecalledFace, kinds: Float32Array, numbers: dict[Kind, Float32Array], weight: float
) -> None:
    """Add what the nearest of a person's own dice says to the log-probabilities, in place."""
    kinds[1 + KINDS.index(recalled.kind)] += weight * recalled.margin
    numbers[recalled.kind][recalled.kind.numbers.index(recalled.number)] += weight * recalled.margin
    for logs in (kinds, numbers[recalled.kind]):
        logs -= np.log(np.exp(logs).sum())


def _is_expected(kind: Kind, pool: Pool) -> bool:
    return kind.die is not None and pool.count(kind.die) > 0


def _without_cocked(decisions: list[Decision]) -> list[Decision]:
    """Three d6 or more on one table show their pips in one ellipse; one that does not leans on something."""
    fitted = [
        j
        for j in decisions
        if j.kind is Kind.D6 and j.evidence.pips is not None and j.evidence.pips.value == j.number
        if j.evidence.pips.confidence_score > MIN_FITTED_SCORE and j.number > 1
    ]
    if len(fitted) < MIN_COMPARED_DICE:
        return decisions
    shapes = {id(j): _shape(j) for j in fitted}
    middle = np.median(list(shapes.values()), axis=0)
    middle /= math.sqrt(max(float(np.linalg.det(middle)), 1e-9))
    return [
        _cocked(j)
        if id(j) in shapes and not j.doubt and _shape_difference(shapes[id(j)], middle) > MAX_SHAPE_DIFFERENCE
        else j
        for j in decisions
    ]


def _shape(decision: Decision) -> Shape:
    assert decision.evidence.pips is not None
    ellipse = decision.evidence.pips.ellipse
    return np.asarray(ellipse / math.sqrt(max(float(np.linalg.det(ellipse)), 1e-9)))


def _shape_difference(one: Shape, other: Shape) -> float:
    return float(np.linalg.det((one + other) / 2))


def _cocked(decision: Decision) -> Decision:
    return replace(decision, doubt=LEANS)


def select_dice(
    decisions: Sequence[Decision], pool: Pool | None, calibration: Calibration
) -> tuple[list[Decision], list[Decision]]:
    """Which detections count as dice, and which more may be some.

    Where a pool was asked for, the likeliest so many count, those with a doubt that hardly look like dice. One too
    many that is as clear as a die can be counts as well; one that merely may be a die is left for a person.
    """
    ranked = sorted(decisions, key=lambda j: -die_score(j))
    thresholds = calibration.detector
    good = [
        j for j in ranked if die_score(j) >= thresholds.count and j.evidence.detection.score >= thresholds.high
    ]
    if pool is None:
        return good, [j for j in ranked if j not in good and _may_be_a_die(j, good, calibration)]
    kept, beyond = ranked[: pool.total], ranked[pool.total :]
    kept = [j for j in kept if j.evidence.detection.score >= thresholds.low and die_score(j) > MIN_DIE_SCORE]
    if len(kept) < pool.total:
        return kept, []
    small = PART_SIZE * min(j.evidence.detection.side for j in kept)
    beyond = [j for j in beyond if j.evidence.detection.side >= small]
    clear = [j for j in beyond if j in good and j.unaided >= calibration.threshold(j.kind).expected]
    possible = [
        j
        for j in beyond
        if j not in clear
        and (_rivals(j, kept, die_score, CLUTTER_RATIO) or _rivals(j, kept, _objectness, UNREAD_CLUTTER_RATIO))
    ]
    return [*map(_doubting_weak(calibration), _of_a_size(kept)), *clear], possible


def _of_a_size(kept: Sequence[Decision]) -> list[Decision]:
    """The dice that count, with a doubt on any of quite another size than the rest: a button, not a die."""
    usual = float(np.median([j.evidence.detection.side for j in kept]))
    return [
        replace(j, doubt=OTHER_SIZE)
        if not j.doubt and abs(math.log2(j.evidence.detection.side / usual)) > MAX_SIZE_DEVIATION
        else j
        for j in kept
    ]


def _rivals(beyond: Decision, kept: Sequence[Decision], by: Callable[[Decision], float], share: float) -> bool:
    """Whether something beside the dice that were asked for looks nearly as much like a die as one of them."""
    return by(beyond) >= share * min(map(by, kept))


def _objectness(decision: Decision) -> float:
    """How much a detection is like a die, whether it can be read or not."""
    return decision.evidence.detection.score * (1 - decision.none)


def _may_be_a_die(decision: Decision, good: Sequence[Decision], calibration: Calibration) -> bool:
    """Whether something that nobody asked for may be a die: not if it hardly looks like one, nor if it is much
    smaller than the dice that plainly lie there, and less clear."""
    score = decision.evidence.detection.score
    if decision.none >= MAX_NONE_PROBABILITY or score < calibration.detector.low:
        return False
    if not good:
        return True
    usual = float(np.median([j.evidence.detection.side for j in good]))
    if decision.evidence.detection.side < MAX_SPECK_SIZE * usual:
        return die_score(decision) >= MAX_SPECK_SCORE
    return die_score(decision) >= MAX_FAINT_SCORE or score >= MAX_FAINT_DETECTION


def _doubting_weak(calibration: Calibration) -> Callable[[Decision], Decision]:
    """Puts a doubt on dice that were only counted because so many were asked for."""

    def doubted(decision: Decision) -> Decision:
        faint = die_score(decision) < calibration.detector.count and not decision.doubt
        return replace(decision, doubt=FAINT) if faint else decision

    return doubted


def die_score(decision: Decision) -> float:
    """How much a detection is like a die that can be read, 0 to about 1: by it dice are told from clutter."""
    return float(
        decision.evidence.detection.score**0.5 * (1 - decision.none) * (READABLE_FLOOR + decision.unaided)
    )
