"""What is measured about one reading of one die, by name; the calibration weighs it into a confidence.

Each feature is 0 where it says nothing. Those that are log-odds are clipped at ``MAX_LOG_ODDS``; what the networks
object is given in nats, minus the logarithm of a probability. Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.dice.crops import square_about
from loomtable.vision.dice.evidence import DieEvidence
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.ensemble import numbers_by_networks, numbers_of
from loomtable.vision.die_kinds import KINDS, Kind
from loomtable.vision.pictures import BgrImage

FULL_SIDE = 48
"""Pixels: a die of this side or more is not small."""
FULL_SHARPNESS = 0.8
"""Strongest edges over contrast from which nothing is blurred."""
BURNT_LEVEL = 252
"""Grey level (of 255) in every channel from which a pixel is burnt out."""
WITHIN = 0.92
"""Part of a die's outline, about its middle, in which burnt pixels are counted: its edge mixes with the ground."""
MIN_GLARE_SPREAD = 60
"""Grey levels between the darkest and the brightest tenth from which what is burnt out is glare."""
CLOSE_UP_SHARE = 0.8
"""Share of the picture's longer side from which one die fills it: a close-up has its borders everywhere."""
FULL_TRUNCATION = 0.05
"""Share of its side by which a box reaches over the border that counts as cut off altogether."""
TOUCHING = 1.5
"""Pixels from the border at which a box touches it."""
CUT_ASPECT_RATIO = 0.72
"""Short over long side of a box under which one that touches the border is cut off by it."""
MIN_UPPER_READ, MIN_RIVAL_READ = 0.1, 0.05
"""What is added to the probability with which the networks read the number of the face that lies up by the pose of
the whole die, and of each other: how often they read none that can be seen. Chosen on ``ucffool-d20``, where dice
held before the camera upside down are asked about, and no others."""
EMBEDDED = 64
"""Numbers of the first network's embedding. As trained."""
MAX_LOG_ODDS = 8.0
"""Beyond which no log-odds count for more."""


@dataclass(frozen=True)
class ViewingConditions:
    """How a die is seen, whatever it shows; 0 where there is nothing to object."""

    smallness: float
    """Halvings of its side under 48 pixels."""
    blur: float
    """0 to 1: how little its edges and marks stand out sharply."""
    glare: float
    """Share of it that is burnt out, 0 to 1, where the rest is darker."""
    burnt: float
    """Share of it that is burnt out, 0 to 1."""
    overhang: float
    """Share of its side by which its box reaches over the border of the picture, 0 to 1; 1 also where it touches
    the border and is so narrow that a part must be missing."""
    max_neighbour_iou: float
    """0 to 1: the largest intersection over union of its box and a neighbour's."""
    size_deviation: float
    """Halvings or doublings by which its side differs from the other dice's of its picture."""
    side: float
    """Larger side of its box in pixels."""
    aside: float
    """How far from the middle of the picture it lies, in halves of its longer side."""
    on_d4: bool = False
    """Whether something lies on its place that looks like a d4."""

    @property
    def truncation(self) -> float:
        """1 where the border of the picture cuts it off, 0 to 1."""
        return min(self.overhang / FULL_TRUNCATION, 1.0)


def viewing_conditions(
    die: DieEvidence, picture: BgrImage, max_neighbour_iou: float, usual_side: float | None
) -> ViewingConditions:
    """How a die is seen.

    Args:
        die: the die.
        picture: the picture it lies in.
        max_neighbour_iou: the largest intersection over union of its box with another's, 0 to 1.
        usual_side: median side of the dice in the picture, pixels; nothing where it is alone.
    """
    side, (x, y), size = die.detection.side, square_about(die.detection.box)[0], np.array(picture.shape[1::-1])
    grey = cv2.cvtColor(die.crop[16:80, 16:80], cv2.COLOR_BGR2GRAY)
    contrast = float(cv2.meanStdDev(grey)[1][0, 0])
    (edge,) = _quantiles(np.abs(cv2.Laplacian(grey, cv2.CV_32F)), 0.98)
    sharp = edge / max(contrast, 4.0)
    on_die = _pixels_of(die)
    burnt = float((on_die.min(axis=1) >= BURNT_LEVEL).mean())
    # A white die in good light is bright all over; glare is bright beside what is not.
    dark, bright = _quantiles(on_die.mean(axis=1), 0.1, 0.9)
    return ViewingConditions(
        max(0.0, math.log2(FULL_SIDE / max(side, 1.0))),
        float(np.clip(1 - sharp / FULL_SHARPNESS, 0, 1)),
        burnt if bright - dark > MIN_GLARE_SPREAD else 0.0,
        burnt,
        _overhang(die.detection.box, picture),
        max_neighbour_iou,
        0.0 if usual_side is None else abs(math.log2(max(side, 1.0) / usual_side)),
        side,
        float(np.abs((x, y) - size / 2).max() / (size.max() / 2)),
    )


def _pixels_of(die: DieEvidence) -> BgrImage:
    """(n, 3): the pixels of its crop within its outline, by its pose; by its box where no pose is known."""
    pose = die.pose(KINDS[int(die.reader.kind[1:].argmax())])
    (middle, side), size = square_about(die.detection.box), len(die.crop)
    x0, y0, x1, y1 = die.detection.box
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) if pose is None else pose.outline
    within = np.round((WITHIN * (corners - middle) / side + 0.5) * size).astype(np.int32)
    mask = cv2.fillConvexPoly(np.zeros((size, size), np.uint8), cv2.convexHull(within), 1)
    return np.asarray(die.crop[mask > 0])


def _quantiles(values: npt.NDArray[Any], *shares: float) -> list[float]:
    """The values that these shares of all are at most; to interpolate takes three to ten times as long."""
    places = [round(share * (values.size - 1)) for share in shares]
    return [float(value) for value in np.partition(values, places, axis=None)[places]]


def features_of(
    die: DieEvidence,
    kind: Kind,
    number: int,
    kinds: Float32Array,
    numbers: Float32Array,
    conditions: ViewingConditions,
    learned: float = 0.0,
) -> dict[str, float]:
    """Every feature of one reading.

    Args:
        die: what the networks and the OCR model say.
        kind: the kind it is held to be.
        number: which of the kind's printed numbers it is held to show, by place.
        kinds: (9,) log-probabilities of none and the kinds, fused.
        numbers: (n,) log-probabilities of the kind's numbers, fused.
        seen: how it is seen.
        learned: log-odds that the person's own dice add, 0 where they say nothing.
    """
    reader, second = die.reader, die.second
    same, other = _print_agreement(die, kind, number)
    return {
        "value": log_odds(float(numbers[number])),
        "reader": log_odds(float(reader.numbers(kind)[number])),
        "second": 0.0 if second is None else log_odds(float(second.numbers(kind)[number])),
        "kind": log_odds(float(kinds[1 + KINDS.index(kind)])),
        "none": math.exp(float(kinds[0])),
        "score": log_odds(math.log(max(min(die.detection.score, 1.0), 1e-6))),
        "print_agrees": same,
        "print_differs": other,
        "learned": learned,
        "smallness": conditions.smallness,
        "blur": conditions.blur,
        "glare": conditions.glare,
        "truncation": conditions.truncation,
        "max_neighbour_iou": conditions.max_neighbour_iou,
        "size_deviation": conditions.size_deviation,
    }


def look_of(die: DieEvidence) -> Float64Array:
    """(67,): how a die looks: the direction of its embedding, and the log-odds that each network holds it to be no
    die, and of its score, in eighths."""
    embedding = np.zeros((1, EMBEDDED)) if die.reader.embedding is None else die.reader.embedding
    embedding = embedding / np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-6)
    none = [log_odds(float((network or die.reader).kind[0])) for network in (die.reader, die.second)]
    score = log_odds(math.log(max(min(die.detection.score, 1.0), 1e-6)))
    return np.concatenate([embedding.mean(axis=0), np.array([*none, score]) / MAX_LOG_ODDS])


def log_odds(log_probability: float) -> float:
    """Log-odds of a probability that is given by its logarithm, held between -8 and 8."""
    rest = -math.expm1(min(log_probability, -1e-6))
    return min(max(log_probability - math.log(rest), -MAX_LOG_ODDS), MAX_LOG_ODDS)


def _print_agreement(die: DieEvidence, kind: Kind, number: int) -> tuple[float, float]:
    """How surely the same is read by the layout, or else on the top alone, and how surely another of the kind's
    numbers, each 0 to 1."""
    laid = die.laid_out(kind)
    if (read := die.printed(kind) if laid is None else laid.numbers) is None:
        return 0.0, 0.0
    chances = np.exp(read)
    return float(chances[number]), float(np.delete(chances, number).max())


def _overhang(box: tuple[float, float, float, float], picture: BgrImage) -> float:
    """``ViewingConditions.overhang`` of a box."""
    x0, y0, x1, y1 = box
    height, width = picture.shape[:2]
    side = max(x1 - x0, y1 - y0, 1.0)
    if side > CLOSE_UP_SHARE * max(height, width):
        return 0.0
    beyond = max(-x0, -y0, x1 - width, y1 - height, 0.0) / side
    touching = min(x0, y0, width - x1, height - y1) < TOUCHING
    narrow = min(x1 - x0, y1 - y0) / side < CUT_ASPECT_RATIO
    return min(beyond, 1.0) if beyond > 0 else float(touching and narrow)


def network_objections(die: DieEvidence, place: int) -> dict[str, float]:
    """How much the network that doubts a d6 most doubts its number, and that it is a d6 at all."""
    kind = 1 + KINDS.index(Kind.D6)
    return {
        "number_objection": max(_nats(network.numbers(Kind.D6)[place]) for network in die.networks),
        "kind_objection": max(_nats(network.kind[kind]) for network in die.networks),
    }


def rival_camera(
    die: DieEvidence,
    others: Sequence[tuple[float, DieEvidence]],
    kind: Kind,
    number: int,
    calibration: Calibration,
) -> float:
    """Probability that another face of a die is up than the one whose number is held to be, 0 to 1: because the
    camera stands otherwise, or a face beside the top was read.

    Where its layout tells how the whole die lies before the camera, that is the probability that another of its
    faces is up, as the camera's pose and the networks' number tell.

    Args:
        die: as the likeliest camera shows it.
        others: how each other way that the camera may stand shows the die, with its probability.
        kind: the kind it is held to be.
        number: the number it is held to show, by place.
        calibration: of the ensemble.
    """
    if (laid := die.laid_out(kind)) is not None:
        by_networks = np.exp(numbers_by_networks(die, kind, calibration))
        read = np.full(len(laid.up), MIN_RIVAL_READ)
        read[0] = MIN_UPPER_READ
        for face, shown, _ in laid.faces:
            read[face] += by_networks[kind.numbers.index(shown)]
        return 1 - float(laid.up[0] * read[0] / (laid.up @ read))
    likely = 1 - sum(chance for chance, _ in others)
    wrong = likely * die.misread if kind is Kind.D6 else 0.0
    for chance, view in others:
        same = math.exp(float(numbers_of(view, kind, calibration)[number]))
        wrong += chance * (1 - same * (1 - view.misread))
    return wrong


def _nats(log_probability: float) -> float:
    return max(0.0, -float(log_probability))
