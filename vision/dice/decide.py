"""From what the witnesses say to what is believed: each die with its confidence and doubt, then the whole tray."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from loomtable.vision.dice.calibration import Calibration
from loomtable.vision.dice.detector import PART, overlap
from loomtable.vision.dice.elevation import TOO_LOW, seen_too_low
from loomtable.vision.dice.features import Conditions, conditions, features_of
from loomtable.vision.dice.kinds import KINDS, Kind
from loomtable.vision.dice.learned import OwnDice, Recalled
from loomtable.vision.dice.pips.judging import WORDS
from loomtable.vision.dice.pool import Pool
from loomtable.vision.dice.witnesses import NUMERAL_KINDS, Evidence, Floats, together
from loomtable.vision.pictures import Picture

Shape = npt.NDArray[np.float64]
"""(2, 2): an ellipse of area one."""

CUT_OFF = "lies half out of the picture"
LEANS = "leans on something or lies askew (cocked)"
FAINT = "hardly stands out from what lies round it"
OTHER_SIZE = "is of quite another size than the rest"
CHANCE = 0.1
"""Probability under which a die is not held to be of a kind that was asked for."""
CLUTTER = 0.6
"""How much less like a die than all that were asked for something must look that is left out of the count."""
BLANK = 0.97
"""The same for its shape alone, whether it can be read or not."""
UNLIKELY = 0.04
"""What is less like a die than this is none, however many were asked for."""
DISSENT = 0.27
"""Chance that each network by itself has to give a d6's number: where one holds another for much likelier, they
disagree, however the votes add up."""
UNKIND = 0.3
"""The same for its being a d6 at all."""
STRANGE = 2.0
"""How many times likelier a die must be a d20 or a d4 to be asked about, however surely its numeral is read."""
CUBE = 4.0
"""The same for a d6, with numerals or pips."""
TWO_FACES = 0.3
"""Chance of another numeral on the other side of the middle from which it is not clear which face lies up."""
KINDLY = 0.73
"""Chance of its kind from which a die with a numeral is believed where nobody said what lies there."""
ODD = 0.8
"""Halvings or doublings by which a die's side may differ from the usual one: buttons and knots differ by more."""
RECALLED = 0.94
"""Confidence from which a die is believed that is like one of a person's own: no photographs show these."""
ASKEW = 1.05
"""How much the pips of a die that lies askew differ in shape from the others': 1 is not at all."""


@dataclass(frozen=True, eq=False)
class Judged:
    """One die after all witnesses were heard."""

    evidence: Evidence
    kind: Kind
    number: int
    """The printed number that it is held to show."""
    confidence: float
    """How often a die read like this shows this number, 0 to 1."""
    features: dict[str, float]
    doubt: str
    """Why it is not believed, as the end of a sentence; empty where it is."""
    learned: str = ""
    """Which of a person's own dice it was known by, where that agrees."""

    @property
    def none(self) -> float:
        """How surely it is no die at all, 0 to 1."""
        return self.features["none"]


def judge_dice(
    found: Sequence[Evidence],
    picture: Picture,
    pool: Pool | None,
    calibration: Calibration,
    own: OwnDice | None = None,
) -> list[Judged]:
    """Every sighting of a picture with the kind and number it is held to be, in the order given."""
    boxes = [evidence.sighting.box for evidence in found]
    sides = [e.sighting.side for e in found if e.sighting.heat >= calibration.detector.found]
    usual = float(np.median(sides)) if len(sides) > 1 else None
    judged: list[Judged] = []
    for place, evidence in enumerate(found):
        crowd = max((overlap(boxes[place], box) for k, box in enumerate(boxes) if k != place), default=0.0)
        seen = conditions(evidence, picture, crowd, usual)
        judged.append(_judge(evidence, seen, pool, calibration, own))
    return _lying_flat(judged)


def _judge(
    evidence: Evidence, seen: Conditions, pool: Pool | None, calibration: Calibration, own: OwnDice | None
) -> Judged:
    kinds, numbers = together(evidence, calibration)
    recalled = own.recall(evidence.reader) if own is not None else None
    if recalled is not None:
        _hear(recalled, kinds, numbers, calibration.learned)
    kind = _likely_kind(kinds, pool, calibration.asked_for)
    number = int(numbers[kind].argmax())
    same = recalled is not None and (recalled.kind, recalled.number) == (kind, kind.numbers[number])
    bonus = 0.0 if recalled is None else recalled.margin * (1.0 if same else -1.0)
    features = features_of(evidence, kind, number, kinds, numbers[kind], seen, bonus)
    confidence = calibration.confidence(kind, features)
    level = calibration.threshold(kind).at(pool is not None)
    believed = confidence >= (level if recalled is None else max(level, RECALLED))
    doubt = hard_doubt(seen)
    if not doubt and kind is Kind.D6 and seen_too_low(evidence, kind.numbers[number]):
        doubt = TOO_LOW
    if not doubt and kind is Kind.D6 and not same:
        doubt = _disagreement(evidence, number)
    if not doubt and kind in NUMERAL_KINDS and kind.die is not None and not same:
        doubt = _strange(kinds, kind)
        if not doubt and pool is None:
            doubt = _of_two_kinds(kinds, kind)
        if not doubt:
            doubt = _on_two_faces(evidence, kind, kind.numbers[number])
    if not doubt and not believed:
        doubt = _soft_doubt(evidence, kind, number, kinds, numbers[kind], seen)
    known = recalled.name if recalled is not None and same else ""
    return Judged(evidence, kind, kind.numbers[number], confidence, features, doubt, known)


def _likely_kind(kinds: Floats, pool: Pool | None, asked_for: float) -> Kind:
    """The likeliest kind; one that was asked for, unless there is hardly a chance that it is one."""
    if pool is None:
        return KINDS[int(kinds[1:].argmax())]
    asked = np.array([_asked(kind, pool) for kind in KINDS])
    liked = np.exp(kinds[1:] + asked_for * asked)
    liked /= liked.sum()
    if asked.any() and liked[asked].max() > CHANCE:
        liked = np.where(asked, liked, 0)
    return KINDS[int(liked.argmax())]


def _hear(recalled: Recalled, kinds: Floats, numbers: dict[Kind, Floats], weight: float) -> None:
    """Let the nearest of a person's own dice speak beside the networks, in place."""
    kinds[1 + KINDS.index(recalled.kind)] += weight * recalled.margin
    numbers[recalled.kind][recalled.kind.numbers.index(recalled.number)] += weight * recalled.margin
    for logs in (kinds, numbers[recalled.kind]):
        logs -= np.log(np.exp(logs).sum())


def _asked(kind: Kind, pool: Pool) -> bool:
    return kind.die is not None and pool.count(kind.die) > 0


def hard_doubt(seen: Conditions) -> str:
    """What no confidence outweighs: a die that is not whole in the picture."""
    if seen.cut >= 0.5:
        return CUT_OFF
    if seen.crowd > 0.3:
        return "lies on another die, or too close to it"
    return ""


def _disagreement(evidence: Evidence, number: int) -> str:
    """What one of the networks holds a d6 for instead, in words; empty where none objects."""
    counted = evidence.pips is not None and evidence.pips.value == Kind.D6.numbers[number]
    for opinion in (evidence.reader, evidence.second):
        if opinion is None:
            continue
        pips = opinion.numbers(Kind.D6)
        if math.exp(float(pips[number])) < DISSENT:
            low, high = sorted((Kind.D6.numbers[number], Kind.D6.numbers[int(pips.argmax())]))
            return f"could be a {low} or {_article(high)} {high}"
        # Pips that can be counted are a d6's, whatever else it looks like.
        if not counted and math.exp(float(opinion.kind[1 + KINDS.index(Kind.D6)])) < UNKIND:
            other = KINDS[int(np.delete(opinion.kind, 0).argmax())]
            return f"could be {Kind.D6.some(1)} or {other.some(1)}" if other is not Kind.D6 else FAINT
    return ""


def _strange(kinds: Floats, kind: Kind) -> str:
    """Which other shape a die with a numeral has rather, in words; empty where it has its own kind's.

    However surely a numeral is read, a d20 and a d6 with numerals show the same ones: only the shape tells.
    """
    chance = {k: math.exp(float(kinds[1 + KINDS.index(k)])) for k in KINDS}
    cube = max((Kind.D6_NUMERAL, Kind.D6), key=chance.__getitem__)
    rivals = {
        Kind.D20: chance[Kind.D20] / STRANGE,
        Kind.D4: chance[Kind.D4] / STRANGE,
        cube: (chance[Kind.D6_NUMERAL] + chance[Kind.D6]) / CUBE,
    }
    other = max(rivals, key=rivals.__getitem__)
    return f"could be {kind.some(1)} or {other.some(1)}" if rivals[other] > chance[kind] else ""


def _of_two_kinds(kinds: Floats, kind: Kind) -> str:
    """What else a die with a numeral may be, in words; empty where its kind is plain.

    Nobody said what lies there, and a 6 on a d10 is no 6 on a d8.
    """
    if math.exp(float(kinds[1 + KINDS.index(kind)])) >= KINDLY:
        return ""
    likeliest = [KINDS[int(at)] for at in np.argsort(-kinds[1:])[:2]]
    other = next(k for k in likeliest if k is not kind)
    return f"could be {kind.some(1)} or {other.some(1)}"


def _on_two_faces(evidence: Evidence, kind: Kind, printed: int) -> str:
    """Which two numbers stand on either side of the middle, in words; empty where one face is plainly up."""
    if evidence.print is None:
        return ""
    other, chance = evidence.print.beside(kind, printed)
    if chance <= TWO_FACES:
        return ""
    low, high = sorted((printed, other))
    return f"shows two faces nearly alike: it could be {_article(low)} {low} or {_article(high)} {high}"


def _soft_doubt(
    evidence: Evidence, kind: Kind, number: int, kinds: Floats, numbers: Floats, seen: Conditions
) -> str:
    """What speaks most against a die that is not believed, in words."""
    first, second = np.argsort(-numbers)[:2].tolist()
    if seen.side < 14:
        return "is too small in the picture"
    if math.exp(float(kinds[0])) > 0.5:
        return "hardly looks like a die, or no face of it lies up"
    if seen.gleam > 0.08:
        return "has a gleam on it"
    if seen.blur > 0.6:
        return "is blurred"
    rival = int(np.argsort(-kinds[1:])[1])
    if float(kinds[1 + KINDS.index(kind)]) < math.log(0.8):
        other = next(k for k in (KINDS[int(np.argmax(kinds[1:]))], KINDS[rival]) if k is not kind)
        return f"could be {kind.some(1)} or {other.some(1)}"
    pips = evidence.pips
    if pips is not None and kind is Kind.D6 and pips.value != kind.numbers[number] and pips.sureness > 0.3:
        return f"looks like a {kind.numbers[number]}, but its pips count {pips.value}"
    if float(numbers[first]) < math.log(0.9):
        low, high = sorted((kind.numbers[first], kind.numbers[second]))
        return f"could be a {low} or {_article(high)} {high}"
    if seen.small > 0.6:
        return "is small in the picture"
    if pips is not None and kind is Kind.D6 and pips.sureness < 0.5:
        return WORDS[pips.weakest]
    return "is not clear enough to be sure"


def _article(number: int) -> str:
    return "an" if number in (8, 11, 18, 80) else "a"


def _lying_flat(judged: list[Judged]) -> list[Judged]:
    """Three d6 or more on one table show their pips in one ellipse; one that does not leans on something."""
    fitted = [
        j
        for j in judged
        if j.kind is Kind.D6 and j.evidence.pips is not None and j.evidence.pips.value == j.number
        if j.evidence.pips.sureness > 0.5 and j.number > 1
    ]
    if len(fitted) < 3:
        return judged
    shapes = {id(j): _shape(j) for j in fitted}
    middle = np.median(list(shapes.values()), axis=0)
    middle /= math.sqrt(max(float(np.linalg.det(middle)), 1e-9))
    return [
        _leaning(j) if id(j) in shapes and not j.doubt and _unlike(shapes[id(j)], middle) > ASKEW else j
        for j in judged
    ]


def _shape(judged: Judged) -> Shape:
    assert judged.evidence.pips is not None
    ellipse = judged.evidence.pips.ellipse
    return np.asarray(ellipse / math.sqrt(max(float(np.linalg.det(ellipse)), 1e-9)))


def _unlike(one: Shape, other: Shape) -> float:
    return float(np.linalg.det((one + other) / 2))


def _leaning(judged: Judged) -> Judged:
    return replace(judged, doubt=LEANS)


def chosen(
    judged: Sequence[Judged], pool: Pool | None, calibration: Calibration
) -> tuple[list[Judged], list[Judged]]:
    """Which sightings count as dice, and which more may be some.

    Where a pool was asked for, the likeliest so many count, those with a doubt that hardly look like dice. One too
    many that is as clear as a die can be counts as well; one that merely may be a die is left for a person.
    """
    ranked = sorted(judged, key=lambda j: -like_a_die(j))
    levels = calibration.detector
    good = [j for j in ranked if like_a_die(j) >= levels.counted and j.evidence.sighting.heat >= levels.found]
    if pool is None:
        return good, [j for j in ranked if j not in good and _may_be_a_die(j, calibration)]
    kept, beyond = ranked[: pool.total], ranked[pool.total :]
    kept = [j for j in kept if j.evidence.sighting.heat >= levels.perhaps and like_a_die(j) > UNLIKELY]
    if len(kept) < pool.total:
        return kept, []
    small = PART * min(j.evidence.sighting.side for j in kept)
    beyond = [j for j in beyond if j.evidence.sighting.side >= small]
    clear = [j for j in beyond if j in good and j.confidence >= calibration.threshold(j.kind).played]
    perhaps = [
        j
        for j in beyond
        if j not in clear and (_rivals(j, kept, like_a_die, CLUTTER) or _rivals(j, kept, _shape_of_one, BLANK))
    ]
    return [*map(_with_faintness(calibration), _of_a_size(kept)), *clear], perhaps


def _of_a_size(kept: Sequence[Judged]) -> list[Judged]:
    """The dice that count, with a doubt on any of quite another size than the rest: a button, not a die."""
    usual = float(np.median([j.evidence.sighting.side for j in kept]))
    return [
        replace(j, doubt=OTHER_SIZE)
        if not j.doubt and abs(math.log2(j.evidence.sighting.side / usual)) > ODD
        else j
        for j in kept
    ]


def _rivals(beyond: Judged, kept: Sequence[Judged], by: Callable[[Judged], float], share: float) -> bool:
    """Whether something beside the dice that were asked for looks nearly as much like a die as one of them."""
    return by(beyond) >= share * min(map(by, kept))


def _shape_of_one(judged: Judged) -> float:
    """How much a sighting is like a die, whether it can be read or not."""
    return judged.evidence.sighting.heat * (1 - judged.none)


def _may_be_a_die(judged: Judged, calibration: Calibration) -> bool:
    return judged.none < 0.5 and judged.evidence.sighting.heat >= calibration.detector.perhaps


def _with_faintness(calibration: Calibration) -> Callable[[Judged], Judged]:
    """Puts a doubt on dice that were only counted because so many were asked for."""

    def doubted(judged: Judged) -> Judged:
        faint = like_a_die(judged) < calibration.detector.counted and not judged.doubt
        return replace(judged, doubt=FAINT) if faint else judged

    return doubted


def like_a_die(judged: Judged) -> float:
    """How much a sighting is like a die that can be read, 0 to about 1: what dice are told from clutter by."""
    return float(judged.evidence.sighting.heat**0.5 * (1 - judged.none) * (0.2 + judged.confidence))
