"""Why a die was read so, as lines of a log: every prediction, and the features that were weighed."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.evidence import NUMERAL_KINDS, DieEvidence
from loomtable.vision.dice.fusion.weigh import Decision
from loomtable.vision.die_kinds import KINDS, Kind

logger = logging.getLogger(__name__)


def log_decisions(dice: Iterable[Decision], possible: Iterable[Decision]) -> None:
    """One line for each die of a tray, and for each thing that may be one, at level DEBUG."""
    if not logger.isEnabledFor(logging.DEBUG):
        return
    for what, decisions in (("a die", dice), ("perhaps a die", possible)):
        for die in decisions:
            logger.debug("%s: %s", what, describe_decision(die))


def describe_decision(die: Decision) -> str:
    """A die with its decision, every prediction and its features, in one line."""
    x0, y0, x1, y1 = die.evidence.detection.box
    features = " ".join(f"{name}={value:.3g}" for name, value in die.features.items() if value)
    votes = ", ".join(_predictions(die.evidence, die.kind))
    return (
        f"{die.kind.value} {die.number} at {x0:.0f},{y0:.0f}-{x1:.0f},{y1:.0f}, confidence {die.confidence:.4f}, "
        f"{die.doubt or 'no doubt'}; "
        f"votes: {votes}; features: {features}"
    )


def _predictions(evidence: DieEvidence, kind: Kind) -> Iterable[str]:
    for name, prediction in (("reader", evidence.reader), ("second", evidence.second)):
        if prediction is not None:
            held = ("none", *(known.value for known in KINDS))[int(prediction.kind.argmax())]
            yield f"{name} {held} {_likeliest(prediction.numbers(kind), kind)}"
    if evidence.numerals is not None and kind in NUMERAL_KINDS:
        yield f"print {_likeliest(evidence.numerals.numbers(kind), kind)}"


def _likeliest(logs: Float32Array, kind: Kind) -> str:
    """The number that is held to be likeliest, with its probability."""
    return f"{kind.numbers[int(logs.argmax())]} ({math.exp(float(logs.max())):.2f})"
