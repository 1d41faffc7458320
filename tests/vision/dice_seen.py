"""What the networks say of invented dice, and how a tray of them is decided."""

from __future__ import annotations

import math

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice import Kind, TrayReading, parse_dice
from loomtable.vision.dice.detector import Detection
from loomtable.vision.dice.enrolment.confirmed import OwnDice
from loomtable.vision.dice.evidence import PRINTED_KINDS, DieEvidence, Prediction
from loomtable.vision.dice.fusion.calibration import ANY, Calibration, ConfidenceModel, Threshold
from loomtable.vision.dice.layouts import LayoutReading
from loomtable.vision.dice.pose import SolidPose
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.die_kinds import KINDS, numeral_class

BOARD = np.full((480, 640, 3), 120, np.uint8)
WEIGHTS = {"value": 1.0, "kind": 0.5, "learned": 2.0}
WEIGHTS |= {"number_objection": -4.0, "kind_objection": -4.0, "none": -4.0}
CALIBRATION = Calibration(
    confidence_models={ANY: ConfidenceModel(-3.0, WEIGHTS, {"value": 6.0, "kind": 6.0})},
    die_model=ConfidenceModel(
        -2.0, {"score": 2.2, "none_log_odds": -0.5, "value": 0.5, "smaller": -2.0, "larger": -1.0}
    ),
    thresholds={ANY: Threshold(0.97, 0.985)},
)
CROP = np.random.default_rng(3).integers(0, 255, (96, 96, 3), np.uint8)


def logs(size: int, **shares: float) -> Float32Array:
    """Log-probabilities with these shares by place (``_4=0.9``), the rest spread over the others."""
    rest = (1 - sum(shares.values())) / (size - len(shares))
    probabilities = np.full(size, max(rest, 1e-6))
    for place, share in shares.items():
        probabilities[int(place[1:])] = share
    return np.log(probabilities / probabilities.sum()).astype(np.float32)


def opinion(
    kinds: dict[Kind | None, float], number: dict[int, float], kind: Kind, embedding: Float32Array | None = None
) -> Prediction:
    kind_logs = logs(9, **{f"_{0 if k is None else 1 + KINDS.index(k)}": share for k, share in kinds.items()})
    pips = logs(6, **{f"_{n - 1}": s for n, s in number.items()}) if kind is Kind.D6 else logs(6)
    numerals = {f"_{numeral_class(kind, n)}": s for n, s in number.items()} if kind is not Kind.D6 else {}
    numeral = logs(21, **numerals)
    return Prediction(kind_logs, pips, numeral, embedding)


def lying(
    kind: Kind,
    number: int,
    x: float = 100,
    y: float = 200,
    *,
    sure: float = 0.995,
    kind_sure: float = 0.995,
    or_kind: Kind | None = None,
    or_number: int | None = None,
    heat: float = 0.9,
    side: float = 60,
    none: float = 0.001,
    embedding: Float32Array | None = None,
) -> DieEvidence:
    """A die with what the networks say of it."""
    kinds: dict[Kind | None, float] = {kind: kind_sure * (1 - none), None: none}
    if or_kind is not None:
        kinds[or_kind] = (1 - kind_sure) * (1 - none) * 0.99
    numbers = {number: sure}
    if or_number is not None:
        numbers[or_number] = (1 - sure) * 0.99
    said = opinion(kinds, numbers, kind, embedding)
    printed = print_of(number, sure) if kind in PRINTED_KINDS else None
    lead = min(math.log(sure / (1 - sure)), 12.0)
    layout = None if kind is Kind.D6 or kind in PRINTED_KINDS else laid(kind, number, lead=lead, top=sure)
    return DieEvidence(Detection((x, y, x + side, y + side), heat), CROP, said, said, printed, layout)


def laid(
    kind: Kind,
    number: int,
    *,
    score: float = -0.5,
    lead: float = 12.0,
    top: float = 0.95,
    beside: tuple[int, float] | None = None,
) -> LayoutReading:
    """What all faces of a die say that shows this number; ``top`` is how surely its upper face is read by itself,
    ``beside`` another that is seen, and how surely it is that one which is up."""
    numbers = np.full(len(kind.numbers), -lead, np.float32)
    numbers[kind.numbers.index(number)] = 0
    up = np.zeros(len(kind.numbers))
    other, chance = beside or (number, 0.0)
    up[:2] = 1 - chance, chance
    pose = SolidPose(kind, np.zeros(2), 0.0, 30.0, (0.0, 0.0), 1.0)
    seen = np.zeros((len(up), 1, len(up)), np.float32)
    seen[0, 0] = logs(len(up), **{f"_{kind.numbers.index(number)}": top})
    return LayoutReading(pose, numbers, score, ((0, number, top), (1, other, 0.9)), up, seen)


def print_of(number: int, sure: float = 0.9) -> Float32Array:
    """What the OCR model says of a digit that it reads as this number."""
    return logs(6, **{f"_{number - 1}": sure})


def read(*dice: DieEvidence, asked: str = "", own: OwnDice | None = None) -> TrayReading:
    return resolve_tray(dice, BOARD, parse_dice(asked) if asked else None, CALIBRATION, own)


THREE = (lying(Kind.D10, 7), lying(Kind.D10, 0, 200), lying(Kind.D10, 3, 300))
