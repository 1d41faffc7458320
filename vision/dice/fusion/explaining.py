"""Why a die was read so, as lines of a log: every prediction, and the features that were weighed."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.fusion.decide import Decision
from loomtable.vision.dice.fusion.ensemble import NUMERAL_KINDS, Evidence
from loomtable.vision.die_kinds import KINDS, Kind

logger = logging.getLogger(__name__)


def log_decisions(dice: Iterable[Decision], possible: Iterable[Decision]) -> None:
    """One line for each die of a tray, and for each thing that may be one, at level DEBUG."""
    if not logger.isEnabledFor(logging.DEBUG):
        return
    for what, decisions in (("a die", dice), ("perhaps a die", possible)):
        for one in decisions:
            logger.debug("%s: %s", what, describe_decision(one))


def describe_decision(one: Decision) -> str:
    """A die with its decision, every prediction and its features, in one line."""
    x0, y0, x1, y1 = one.evidence.detection.box
    features = " ".join(f"{name}={value:.3g}" for name, value in one.features.items() if value)
    predictions = ", ".join(_predictions(one.evidence, one.kind))
    return (
        f"{one.kind.value} {one.number} at {x0:.0f},{y0:.0f}-{x1:.0f},{y1:.0f}, confidence {one.confidence:.4f}, "
        f"{one.doubt or 'no doubt'}; "
        f"votes: {predictions}; features: {features}"
    )


def _predictions(evidence: Evidence, kind: Kind) -> Iterable[str]:
    for name, prediction in (("reader", evidence.reader), ("second", evidence.second)):
        if prediction is not None:
            held = ("none", *(known.value for known in KINDS))[int(prediction.kind.argmax())]
            yield f"{name} {held} {_likeliest(prediction.numbers(kind), kind)}"
    if evidence.pips is not None:
        yield f"pips {evidence.pips.value} ({evidence.pips.confidence_score:.2f})"
    if evidence.numerals is not None and kind in NUMERAL_KINDS:
        yield f"print {_likeliest(evidence.numerals.numbers(kind), kind)}"


def _likeliest(logs: Float32Array, kind: Kind) -> str:
    """The number that is held to be likeliest, with its probability."""
    return f"{kind.numbers[int(logs.argmax())]} ({math.exp(float(logs.max())):.2f})"
