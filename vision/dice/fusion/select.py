"""Which of the detections are the dice: the likeliest so many, how surely, and what else may be one.

One measured probability decides on a tray: that the right detections were taken for dice, times that each of them
is read rightly. It is held against the threshold (``calibration.py``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.doubts import NO_DIE, OTHER_SIZE, could_be
from loomtable.vision.dice.fusion.weigh import Decision, parts_of_d4s
from loomtable.vision.pool import Pool

MIN_DIE_PROBABILITY = 0.05
"""Probability of being a die under which a detection does not make up the number that was asked for, so that one
is said to be missing. Set by hand: it decides between two sentences, and nothing is believed by it."""
LIKELY_DIE_PROBABILITY, SURE_DIE_PROBABILITY = 0.5, 0.95
"""Probability of being a die from which one counts that nobody asked for, if one is a die so surely: where nothing
is, a card or a tile is no reason to ask. Chosen on drawn things and photographs (``benchmarks/looks.py``)."""
MAX_SIZE_DEVIATION = 0.8
"""Halvings or doublings by which a die's side may differ from the usual one: buttons and knots differ by more.
Chosen on the folds, and kept as a rule: too few photographs show such things for a weight to be measured."""
MIN_CONFIDENCE_OF_REST = 0.9
"""Probability that all dice are right that nobody is asked about, once a person is asked about others of their
tray: such trays are harder than those that are taken whole. Chosen on trays of 5 to 47 dice (``rune55-trays``),
where 34 of 1,064 such dice were wrong without it and 8 of 795 are with it. Before a low
camera, too, one in six rendered dice of a confidence of 0.78 to 0.9 is wrong."""


@dataclass(frozen=True)
class Selection:
    """Which detections count as dice."""

    dice: list[Decision]
    possible: list[Decision]
    """What else may be a die, where that leaves doubt."""
    certain: float = 1.0
    """How surely these are all the dice there are, 0 to 1."""


def select_dice(decisions: Sequence[Decision], pool: Pool | None, calibration: Calibration) -> Selection:
    """Which detections count as dice, how surely, and which more may be some.

    Where a pool was asked for, the likeliest so many count. One too many that is as clear as a die can be counts
    as well; one that merely may be a die is left for a person.
    """
    ranked = sorted(_as_whole_d4s(decisions), key=lambda decision: -decision.die)
    if pool is None:
        sure = any(decision.looks >= SURE_DIE_PROBABILITY for decision in ranked)
        dice = [decision for decision in ranked if sure and decision.die >= LIKELY_DIE_PROBABILITY]
        beyond = ranked[len(dice) :]
        certain = math.prod(die.die for die in dice) * math.prod(1 - other.die for other in beyond)
    else:
        dice = [decision for decision in ranked[: pool.total] if decision.die >= MIN_DIE_PROBABILITY]
        beyond = ranked[len(dice) :]
        certain = certainty_of_count([decision.die for decision in ranked], len(dice))
        clear = [
            other
            for other in beyond
            if other.die >= LIKELY_DIE_PROBABILITY
            and other.unaided >= calibration.threshold(other.kind).at(True)
            and not other.doubt
        ]
        if clear and len(dice) == pool.total:
            return Selection([*_of_a_size(dice), *clear], [])
        dice = _of_a_size(dice)
    return _settled(Selection(dice, beyond, certain), pool, calibration)


def _as_whole_d4s(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions with the likelihood of each part of a d4 moved to the whole."""
    moved = list(decisions)
    for part, whole in parts_of_d4s([decision.evidence for decision in decisions]).items():
        moved[whole] = replace(moved[whole], die=max(moved[whole].die, moved[part].die))
        moved[part] = replace(moved[part], die=0.0)
    return moved


def certainty_of_count(chances: Sequence[float], count: int) -> float:
    """Probability that the first so many of these are the dice, where it is known that there are so many.

    Of all ways to choose so many, each is as likely as the product of the odds of what is chosen.
    """
    odds = [min(chance / max(1 - chance, 1e-9), 1e9) for chance in chances]
    ways = [1.0] + [0.0] * count
    for ratio in odds:
        for chosen in range(count, 0, -1):
            ways[chosen] += ratio * ways[chosen - 1]
    return math.prod(odds[:count]) / ways[count]


def _settled(found: Selection, pool: Pool | None, calibration: Calibration) -> Selection:
    """The same with a doubt where each die is believed but the whole is not: on what most likely is wrong, and on
    others until the rest can be believed without being asked about."""
    dice, possible = found.dice, list[Decision]()
    if not dice:
        return replace(found, possible=possible)
    if not any(die.doubt for die in dice):
        together = math.prod(die.confidence for die in dice)
        low = any(die.low > 0.5 for die in dice)
        if together * found.certain >= max(calibration.tray.at(pool is not None), low * MIN_CONFIDENCE_OF_REST):
            return replace(found, possible=possible)
        faintest = min(dice, key=lambda die: die.die)
        likeliest = max(found.possible, key=lambda other: other.die, default=None)
        if found.certain > together:
            least = min(dice, key=lambda die: die.confidence)
            dice = [replace(die, doubt=could_be(die)) if die is least else die for die in dice]
        elif likeliest is not None and likeliest.die >= 1 - faintest.die:
            possible = [likeliest]
        else:
            dice = [replace(die, doubt=NO_DIE) if die is faintest else die for die in dice]
    return replace(found, dice=_with_sure_rest(dice), possible=possible)


def _with_sure_rest(dice: Sequence[Decision]) -> list[Decision]:
    """The dice with a doubt on the least sure, until those without one are all right surely enough."""
    rest = sorted((die for die in dice if not die.doubt), key=lambda die: die.confidence)
    while math.prod(die.confidence for die in rest) < MIN_CONFIDENCE_OF_REST:
        rest = rest[1:]
    return [die if die.doubt or die in rest else replace(die, doubt=could_be(die)) for die in dice]


def _of_a_size(dice: Sequence[Decision]) -> list[Decision]:
    """The dice that count, with a doubt on any of quite another size than the rest: a button, not a die."""
    if not dice:
        return []
    usual = float(np.median([die.evidence.detection.side for die in dice]))
    odd = [abs(math.log2(die.evidence.detection.side / usual)) > MAX_SIZE_DEVIATION for die in dice]
    return [
        replace(die, doubt=OTHER_SIZE) if other and not die.doubt else die
        for die, other in zip(dice, odd, strict=True)
    ]
