"""How sure a face is: every check that a face must pass, each from 0 (it fails) to 1 (nothing to object).

The checks multiply, so that one bad score is enough to be asked about; the weakest is what people are told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from loomtable.vision.dice.pips.body import Extent
from loomtable.vision.dice.pips.faces import FaceFit, determinant, determinants
from loomtable.vision.dice.pips.spots import Pips
from loomtable.vision.dice.pips.verification import Verification

REASONS = {
    "testimony": "could be another number: its pips and its surface do not agree",
    "ink": "has a pip that hardly shows",
    "bare": "could have another pip under a gleam or a scratch",
    "spill": "is not of one colour",
    "layout": "has oddly placed pips",
    "square": "is seen at too steep an angle",
    "plain": "has pips that hardly show",
    "alike": "has pips that are not alike",
    "pair": "may be two sides with one pip each",
    "company": "has one more spot that could be a pip",
    "middle": "has its pips off the middle",
    "size": "is too small in the picture",
    "aslant": "is seen at too steep an angle",
    "body": "has no clear edge round its pip",
    "small": "is small beside the others, and could be a part of a fuller face",
    "plane": "is not flat like the others",
    "hidden": "could have its top lost in a gleam",
    "clutter": "is among other things that look like pips",
    "top": "shows two sides, either of which could be the top",
}
"""What each check says to people, as the end of a sentence that begins with the die."""


@dataclass(frozen=True)
class Scores:
    """The checks of one face by name, each 0 to 1."""

    checks: dict[str, float]

    def __post_init__(self) -> None:
        assert self.checks.keys() <= REASONS.keys(), f"no words for {self.checks.keys() - REASONS.keys()}"

    @property
    def confidence(self) -> float:
        """All checks together, 0 to 1."""
        return math.prod(self.checks.values())

    @property
    def weakest(self) -> str:
        """The check that says most against the face."""
        return min(self.checks, key=lambda name: self.checks[name])

    def with_score(self, name: str, score: float) -> Scores:
        """The same scores with one more."""
        return Scores({**self.checks, name: score})


_MEASURED = ((0.0, 0.05), (0.3, 0.35), (0.6, 0.55), (0.9, 0.75), (1.0, 0.96))
"""Confidence, and the share of dice that were right, unasked, on the tuning photographs (``models/README.md``)."""


def calibrated(confidence: float) -> float:
    """How often a die of this confidence shows the face that was read, 0 to 1."""
    known, right = np.array(_MEASURED).T
    return float(np.interp(confidence, known, right))


def fit_scores(fit: FaceFit, pips: Pips, zoom: float) -> Scores:
    """Score a face by its pips alone, which costs little.

    Args:
        fit: the face as the pips tell it (the first cue).
        pips: the candidates that ``fit.pips`` points into.
        zoom: how much the picture was enlarged before it was searched.
    """
    looks = [pips.looks[row] for row in fit.pips]
    uniformity, roundness, contrast = (min(column) for column in zip(*looks, strict=True))
    # The fewer the pips, the more each must look like one.
    fails, passes = {1: (0.93, 0.96), 2: (0.92, 0.95), 3: (0.9, 0.94)}.get(fit.value, (0.87, 0.91))
    checks = {
        "layout": linstep(fit.residual, 0.25, 0.12),
        "square": linstep(fit.skew, 0.7, 0.4),
        "plain": linstep(uniformity, 0.45, 0.7) * linstep(roundness, fails, passes),
        "size": linstep(fit.diameter / zoom, 2.2, 3.0),
        "aslant": linstep(fit.aspect_ratio, 0.28, 0.42),
    }
    if fit.value <= 2:
        # Specks, glare and the pile of cloth are faint, and so few pips have little else to confirm them.
        checks["plain"] *= linstep(contrast, 40, 80)
    if fit.value == 1:
        checks["size"] *= linstep(fit.side / zoom, 14, 22)
    if fit.value == 2 and not all(checks.values()):
        # Most twos are no face: what takes long is left out of those that have failed.
        return Scores(checks)
    swell, growth, drift = _unlikeness(pips, list(fit.pips))
    checks["alike"] = min(linstep(swell, 1.16, 1.09), linstep(growth, 2.1, 1.6), linstep(drift, 0.6, 0.4))
    if fit.value == 2:
        # Two ones on two sides of a die make a false two, so a two must be like itself and lie within its face.
        checks["pair"] = min(
            linstep(swell, 1.1, 1.06),
            linstep(growth, 1.7, 1.45),
            linstep(drift, 0.4, 0.25),
            # Nor may it be a three with one end lost: two pips that lie half as far apart.
            linstep(fit.pitch, 1.5, 1.7),
            linstep(fit.pitch, 3.3, 2.9),
        )
    return Scores(checks)


def body_score(reach: Extent) -> float:
    """How like a die's the body round a single pip is: wide enough, about equally on all sides, and it ends."""
    return min(
        linstep(reach.nearest, 1.05, 1.4),
        linstep(reach.third / max(reach.nearest, 0.1), 1.6, 1.4),
        linstep(reach.open_share, 0.8, 0.55),
    )


def all_scores(first: Scores, fit: FaceFit, verification: Verification, pips: Pips) -> Scores:
    """All scores of one face: the ``first`` ones, and what its pixels (the second cue) and its company say."""
    checks = {
        **first.checks,
        "testimony": 1.0 if verification.value == fit.value else 0.0,
        "ink": linstep(verification.inked, 0.45, 0.72),
        "bare": linstep(verification.bare, 0.75, 0.45),
        "spill": linstep(verification.spill, 0.2, 0.05),
        "company": 1 - 0.7 * _company(fit, pips),
    }
    if fit.value == 2:
        checks["pair"] = min(checks["pair"], linstep(verification.rim, 0.65, 0.35))
    if fit.value in (2, 3):
        # A row of three from a six whose other row is lost lies off the middle of its die.
        checks["middle"] = linstep(verification.corner, 0.75, 0.4)
    return Scores(checks)


_COMPANY = {1: 1.8, 2: 1.7, 3: 1.5}
"""How far out, in half sides, another pip would lie that makes these few ones a part of a fuller face."""


def _company(fit: FaceFit, pips: Pips) -> float:
    """0 to 1: how like the face's own pips the likest other spot on or close to it is."""
    out = np.abs(np.linalg.solve(fit.axes, (pips.centre - fit.centre).T)).max(axis=0) / fit.half_side
    rows = list(fit.pips)
    near = out < _COMPANY.get(fit.value, 1.35)
    near[rows] = False
    others = np.flatnonzero(near)
    if not len(others):
        return 0.0
    ink, contrast = pips.ink[rows].mean(axis=0), float(pips.contrast[rows].mean())
    colour = np.linalg.norm(pips.ink[others] - ink, axis=1) / contrast
    root = np.sqrt(determinant(fit.ellipse) * determinants(pips.spread[others]))
    swell = determinants((fit.ellipse + pips.spread[others]) / 2) / root
    # A pip that glare has paled still makes a one doubtful.
    unlike = 1.0 if fit.value == 1 else 0.7
    like = np.clip((unlike - colour) / 0.35, 0, 1) * np.clip((1.2 - swell) / 0.1, 0, 1)
    return float(like.max())


def _unlikeness(pips: Pips, rows: list[int]) -> tuple[float, float, float]:
    """How the pips of one face differ: in ellipse and in area (1 is not at all), in the body's colour (0 is)."""
    if len(rows) == 1:
        return 1.0, 1.0, 0.0
    spread, body = pips.spread[rows], pips.body[rows]
    area = np.sqrt(determinants(spread))
    mean = np.sqrt(determinants((spread[:, None] + spread[None]) / 2))
    swell = float((mean / np.sqrt(area[:, None] * area)).max())
    step = body[:, None] - body[None]
    drift = math.sqrt(float((step * step).sum(axis=2).max())) / max(float(pips.contrast[rows].mean()), 1.0)
    return swell**2, float(area.max() / area.min()), drift


def linstep(value: float, fails: float, passes: float) -> float:
    """0 at ``fails``, 1 at ``passes``, straight between; either may be the larger."""
    return min(max((value - fails) / (passes - fails), 0.0), 1.0)
