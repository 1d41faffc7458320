"""Which face of a die lies up, and which faces are dice at all.

Seen aslant a die shows two or three sides. The upper one is the roundest, or, where the camera stands low, the one
that lies highest in the picture; dice on one table show their upper sides in one and the same ellipse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.dice.pips.faces import FaceFit
from loomtable.vision.dice.pips.scoring import Scores, linstep
from loomtable.vision.dice.pips.spots import Pips

PERHAPS = 0.12
"""Sureness from which something may be a die at all."""
_NEIGHBOUR = 2.7
"""How far out, in half sides from a face's middle, the middle of another side of the same die may lie."""


@dataclass(frozen=True)
class Candidate:
    """A face that may be a die's top."""

    fit: FaceFit
    scores: Scores
    ink: Float64Array
    """(3,): colour of its pips."""
    body: Float64Array
    """(3,): colour between them."""

    @property
    def confidence(self) -> float:
        """All its marks together, 0 to 1."""
        return self.scores.confidence

    def with_score(self, name: str, mark: float) -> Candidate:
        """The same face with one more mark."""
        return replace(self, scores=self.scores.with_score(name, mark))


def upper_faces(candidates: Sequence[Candidate], pips: Pips) -> list[Candidate]:
    """The upper faces among all faces that were found, with marks for how clear that is."""
    first = _winners(candidates, None)
    usual = _usual_shape([c for c, clear in first if clear > 0.9 and c.confidence > 0.5])
    explained = {row for c in candidates for row in c.fit.pips}
    spots = pips.take(np.array([k for k in range(len(pips)) if k not in explained], np.intp))
    tops = [
        c.with_score("top", min(clear, _lies(c.fit, usual))).with_score(
            "hidden", 0.4 if _occludes_top(c, spots) else 1.0
        )
        for c, clear in _winners(candidates, usual)
    ]
    return _of_one_size(_on_one_plane(tops))


def _winners(candidates: Sequence[Candidate], usual: Float64Array | None) -> list[tuple[Candidate, float]]:
    """One face for each die, with how clear it is that it lies up."""
    rivals: dict[int, dict[int, tuple[bool, float]]] = {k: {} for k in range(len(candidates))}
    for i, a in enumerate(candidates):
        for j in range(i + 1, len(candidates)):
            if _on_one_die(a, candidates[j]):
                upper, clear = _upper(a, candidates[j], usual)
                rivals[i][j], rivals[j][i] = (upper is a, clear), (upper is not a, clear)
    waiting = set(rivals)
    winners: list[tuple[Candidate, float]] = []
    while waiting:
        lost = {k: sum(not won for other, (won, _) in rivals[k].items() if other in waiting) for k in waiting}
        best = min(waiting, key=lambda k: (lost[k], -candidates[k].fit.diameter * candidates[k].confidence))
        beaten = {other for other in rivals[best] if other in waiting}
        clear = min((rivals[best][other][1] for other in beaten), default=1.0)
        winners.append((candidates[best], 0.5 if lost[best] else clear))
        waiting -= beaten | {best}
    return winners


def _occludes_top(face: Candidate, spots: Pips) -> bool:
    """Whether a spot of the face's ink, above it or rounder than its pips, may belong to the true top."""
    fit = face.fit
    if fit.aspect_ratio > 0.85 or not len(spots):
        return False
    step = spots.centre - fit.centre
    reach = fit.side / np.sqrt(fit.aspect_ratio)
    near = np.linalg.norm(step, axis=1) < 1.2 * reach
    size = spots.diameter / fit.diameter
    axes = np.linalg.eigvalsh(spots.spread)
    rounder = np.sqrt(np.maximum(axes[:, 0], 0) / axes[:, 1]) > fit.aspect_ratio + 0.2
    near &= (step[:, 1] < -0.3 * fit.side) | (rounder & (size > 0.9))
    ink = np.linalg.norm(spots.ink - face.ink, axis=1) < 0.5 * np.linalg.norm(face.ink - face.body)
    return bool((near & ink & (size > 0.7) & (size < 1.6) & (spots.roundness > 0.9)).any())


def _on_one_die(a: Candidate, b: Candidate) -> bool:
    """Whether two faces may be sides of one die."""
    first, second = a.fit, b.fit
    out = min(first.outward(second.centre), second.outward(first.centre))
    slim = min(first.aspect_ratio, second.aspect_ratio)
    # Seen aslant, the front of a die lies far out by the measure of its flattened top.
    long_side = (first.side / np.sqrt(first.aspect_ratio) + second.side / np.sqrt(second.aspect_ratio)) / 2
    near = out < _NEIGHBOUR or (slim < 0.85 and np.linalg.norm(first.centre - second.centre) < 1.4 * long_side)
    if not near or _other_paint(a, b):
        return False
    if out < 1.3:
        return True
    oblique = shape_difference(first.ellipse, second.ellipse) > 1.03
    growth = (max(first.diameter, second.diameter) / min(first.diameter, second.diameter)) ** 2
    if slim > 0.85:
        # Both are seen from above: two dice side by side.
        return False
    if oblique or growth > 1.3:
        return True
    # From 45 degrees above, the front of a die has the ellipse of its top, and lies more or less below it.
    step = np.abs(first.centre - second.centre)
    return bool(step[0] < 2 * step[1])


def _other_paint(a: Candidate, b: Candidate) -> bool:
    """Whether ink or body differ so much that the two faces cannot be one die's; shade alone does not count."""
    contrast = min(np.linalg.norm(a.ink - a.body), np.linalg.norm(b.ink - b.body))
    return bool(
        _apart_but_for_shade(a.ink, b.ink) > 0.5 * contrast
        or _apart_but_for_shade(a.body, b.body) > 0.5 * contrast
    )


def _apart_but_for_shade(a: Float64Array, b: Float64Array) -> float:
    """Distance of two colours once the lighter one is darkened to match."""
    light, dark = (a, b) if a.sum() >= b.sum() else (b, a)
    factor = float(np.clip(light @ dark / max(float(light @ light), 1.0), 0.35, 1.0))
    return float(np.linalg.norm(light * factor - dark))


def shape_difference(a: Float64Array, b: Float64Array) -> float:
    """1 for two ellipses of one shape and turn, whatever their size; more for others."""
    a, b = a / np.sqrt(np.linalg.det(a)), b / np.sqrt(np.linalg.det(b))
    return float(np.linalg.det((a + b) / 2))


def _upper(a: Candidate, b: Candidate, usual: Float64Array | None) -> tuple[Candidate, float]:
    """The upper one of two sides of a die, and how clear that is, 0 to 1."""
    larger, smaller = (a, b) if a.fit.diameter >= b.fit.diameter else (b, a)
    ratio = (larger.fit.diameter / smaller.fit.diameter) ** 2
    rise = (smaller.fit.centre[1] - larger.fit.centre[1]) / larger.fit.side
    if rise > 0.25 or ratio > 2.2:
        return larger, 1.0
    if smaller.confidence < 0.3 * larger.confidence:
        return larger, 0.5 if rise < -0.25 else 1.0
    if usual is not None:
        of_larger, of_smaller = (shape_difference(c.fit.ellipse, usual) for c in (larger, smaller))
        if min(of_larger, of_smaller) < 1.06 and abs(of_larger - of_smaller) > 0.06:
            return (larger, 1.0) if of_larger < of_smaller else (smaller, 1.0)
    if rise < -0.25 and ratio < 1.6:
        # The camera stands low, and the top is seen flatter than the front: then its circles lie level. But a
        # front that is round beside a very flat top may as well be a top seen by a camera that was turned.
        low = smaller.fit.aspect_ratio > 0.5 and larger.fit.aspect_ratio < 0.85
        return smaller, 0.95 if low and _level(smaller.fit.ellipse) else 0.5
    return larger, 0.5


def _lies(fit: FaceFit, usual: Float64Array | None) -> float:
    """Whether the face lies as a table's does: round, level, or as the other dice do; 1 or less."""
    if fit.aspect_ratio > 0.75 or _level(fit.ellipse):
        return 1.0
    return 1.0 if usual is not None and shape_difference(fit.ellipse, usual) < 1.06 else 0.5


def _level(ellipse: Float64Array) -> bool:
    """Whether the ellipse's long axis lies along the picture's rows, as a table's circles do."""
    values, vectors = np.linalg.eigh(ellipse)
    return bool(values[0] > 0.8 * values[1] or abs(vectors[0, 1]) > 0.94)


def _usual_shape(faces: Sequence[Candidate]) -> Float64Array | None:
    """The ellipse, of area one, in which most of these faces show their pips; nothing if they are too few."""
    if len(faces) < 3:
        return None
    shapes = np.array([f.fit.ellipse / np.sqrt(np.linalg.det(f.fit.ellipse)) for f in faces])
    # A mean of shapes weighs by how large the pips are seen: the upper sides' are the largest.
    weights = np.array([f.fit.diameter**2 for f in faces])
    middle = np.average(shapes, axis=0, weights=weights)
    near = np.array([shape_difference(shape, middle) for shape in shapes])
    best = np.argsort(near)[: (len(faces) + 1) // 2]
    return np.asarray(shapes[best].mean(axis=0))


def _on_one_plane(tops: list[Candidate]) -> list[Candidate]:
    """Each top marked by how well its ellipse agrees with the others': they lie on one table."""
    usual = _usual_shape([t for t in tops if t.confidence > 0.5])
    if usual is None:
        return tops
    return [t.with_score("plane", linstep(shape_difference(t.fit.ellipse, usual), 1.3, 1.15)) for t in tops]


def _of_one_size(tops: list[Candidate]) -> list[Candidate]:
    """Without the spots that look like a one or a two of quite another size than the dice round them.

    A few pips that make a small face may be part of a larger one whose other pips were lost or run together.
    """
    fuller = [t.fit.side for t in tops if t.fit.value > 2 and t.confidence > 0.8]
    sides = fuller or [t.fit.side for t in tops if t.fit.value == 2 and t.confidence > 0.8]
    if sides:
        low, high = 0.6 * min(sides), 1.7 * max(sides)
        tops = [t for t in tops if t.fit.value > (2 if fuller else 1) or low < t.fit.side < high]
    return [_marked_small(t, [o.fit.side for o in tops if o is not t and o.confidence > 0.8]) for t in tops]


def _marked_small(top: Candidate, others: Sequence[float]) -> Candidate:
    if top.fit.value > 3 or not others:
        return top
    return top.with_score("small", linstep(top.fit.side / float(np.median(others)), 0.68, 0.82))


def as_many_as(tops: list[Candidate], expected: int | None, sure: float) -> list[Candidate]:
    """The tops that count as dice: the surest ones where it is clear which of them make the expected number."""
    kept = sorted((t for t in tops if t.confidence >= PERHAPS), key=lambda t: -t.confidence)
    if expected is None or len(kept) <= expected:
        return kept
    if kept[expected - 1].confidence >= sure and kept[expected].confidence < 0.5:
        # Where other things look like pips, a one or a two that looks right may be no die at all.
        least = 2 if len(kept) == expected + 1 else 3
        return [t.with_score("clutter", 0.5) if t.fit.value < least else t for t in kept[:expected]]
    return [t for t in kept if t.confidence >= 0.3]


def unread(pips: Pips, tops: Sequence[Candidate], unsure: Sequence[FaceFit]) -> list[Float64Array]:
    """Places (x, y) away from all ``tops`` where one more die may lie: pips like theirs, or one spot."""
    if not tops:
        return []
    diameters = [t.fit.diameter for t in tops]
    sides = [t.fit.side for t in tops]
    away = np.array([min(t.fit.outward(c) for t in tops) for c in pips.centre]) > 3.2
    like = (pips.diameter > 0.6 * min(diameters)) & (pips.diameter < 1.6 * max(diameters))
    clear = away & like & (pips.plainness > 0.6) & (pips.contrast > 30) & (pips.roundness > 0.92)
    rows = np.flatnonzero(clear)
    places: list[Float64Array] = []
    for row in rows.tolist():
        step = np.linalg.norm(pips.centre[rows] - pips.centre[row], axis=1) / pips.diameter[row]
        ink = np.linalg.norm(pips.ink[rows] - pips.ink[row], axis=1) < 0.4 * pips.contrast[row]
        if ((step > 1) & (step < 4) & ink).sum() >= 1:
            places.append(pips.centre[row])
    for x, y, diameter in pips.wholes.tolist():
        place = np.array([x, y])
        if 0.6 * min(sides) < diameter < 2.0 * max(sides) and min(t.fit.outward(place) for t in tops) > 1.5:
            places.append(place)
    for fit in unsure:
        alike = 0.5 * min(diameters) < fit.diameter < 2.0 * max(diameters)
        if alike and min(t.fit.outward(fit.centre) for t in tops) > 2.7:
            places.append(fit.centre)
    apart: list[Float64Array] = []
    for place in places:
        if all(np.linalg.norm(place - other) > 1.2 * max(sides) for other in apart):
            apart.append(place)
    return apart
