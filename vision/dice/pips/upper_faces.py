"""Which face of a die lies up, and which faces are dice at all.

Seen obliquely a die shows two or three sides. The upper one is the roundest, or, where the camera stands low, the
one that lies highest in the picture; dice on one table show their upper sides in one and the same ellipse.

All limits here were set by hand.
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
"""Confidence from which something may be a die at all."""
_LIKELY, _SURE = 0.5, 0.8
"""Confidence from which a face tells the ellipse of the table's other faces, and their size."""
_CLEARLY_UP = 0.9
"""How clear it must be that a face lies up before it tells the ellipse of the others."""
_EITHER, _NEARLY_CLEAR = 0.5, 0.95
"""How clear it is which of two sides lies up: where either may, and where a low camera tells the level one."""
_ROUND = 0.85
"""Aspect ratio of pips that are seen from above: a die shows no second side then."""

# A spot that may belong to an occluded top.
_OCCLUDED_SCORE = 0.4
_SPOT_REACH = 1.2
"""How far from a face's middle it may lie, in sides as seen from above."""
_SPOT_ABOVE = 0.3
"""How far above the face's middle it must lie, in sides, where it is no rounder than the face's pips."""
_SPOT_ROUNDER = 0.2
"""By how much its aspect ratio is larger than that of the face's pips where it need not lie above."""
_SPOT_SIZE, _ROUNDER_SPOT_SIZE = (0.7, 1.6), 0.9
"""Its diameter in those of the face's pips; and the least of a rounder one."""
_SPOT_INK = 0.5
"""Distance of its colour from the face's ink, in distances of ink and body."""
_SPOT_ROUNDNESS = 0.9

# Two faces that may be sides of one die.
_NEIGHBOUR = 2.7
"""How far out, in half sides from a face's middle, the middle of another side of the same die may lie."""
_FRONT_REACH = 1.4
"""The same for the front of a die that is seen obliquely, in sides as seen from above."""
_OVERLAPPING = 1.3
"""How far out, in half sides, the middle of a face lies that no second die has room for."""
_OTHER_SHAPE = 1.03
"""``shape_difference`` from which two faces do not lie in one plane."""
_OTHER_AREA = 1.3
"""Of the larger pips' area to the smaller ones', from which two faces are not seen equally obliquely."""
_STEEPNESS = 2.0
"""Columns to rows of the step from a top to the front below it, at most."""
_OTHER_COLOUR = 0.5
"""Distance of two inks or bodies, in distances of ink and body, from which they are of two dice."""
_DARKEST_SHADE = 0.35
"""Light of a colour in shade, in parts of its light in the open, at least."""

# Which of two sides lies up.
_RISE = 0.25
"""How far above the other, in sides, a face lies that is clearly the higher one."""
_MUCH_LARGER, _LARGER = 2.2, 1.6
"""Of the larger pips' area to the smaller ones', from which the larger face lies up, and from which the higher one
need not."""
_MUCH_LESS_SURE = 0.3
"""Confidence of the smaller face, in parts of the larger one's, below which it does not count."""
_LIKE_OTHERS = 1.06
"""``shape_difference`` below which a face lies as the other dice's upper faces do."""
_TELLING_DIFFERENCE = 0.06
"""By how much one face must be more like the others' than the other is."""
_NOT_FLAT, _NOT_ROUND = 0.5, 0.85
"""Aspect ratios between which a low camera shows a top that is level and a front that is rounder."""
_LIES_FLAT = 0.75
"""Aspect ratio from which a face can be a table's whatever way its ellipse runs."""
_NEARLY_CIRCLE = 0.8
"""Short over long variance of an ellipse whose direction says nothing."""
_LEVEL_COSINE = 0.94
"""Cosine between an ellipse's long axis and the picture's rows from which it is level: 20 degrees."""
_FEWEST_ALIKE = 3
"""Faces from which their usual ellipse is known."""
_ONE_PLANE = (1.3, 1.15)
"""``shape_difference`` from the usual ellipse at which a face is not of the table, and is."""

# Tops of one size.
_SIZES = (0.6, 1.7)
"""Sides of ones and twos: in parts of the smallest and of the largest fuller face."""
_SMALL = (0.68, 0.82)
"""Side of a one, two or three, in parts of the others' median, at which it may be a part of a fuller face, and is
none."""
_CLEARLY_NONE = 0.5
"""Confidence below which the first face beyond the expected number is no die."""
_COUNTED = 0.3
"""Confidence of a face that counts where it is not clear which of them make the expected number."""
_CLUTTER_SCORE = 0.5

# Dice that were not read.
_AWAY, _WHOLE_AWAY, _UNSURE_AWAY = 3.2, 1.5, 2.7
"""How far from every top, in half sides: a pip, a spot that looks like a whole die, a face that is not sure."""
_PIP_SIZES, _WHOLE_SIZES, _UNSURE_SIZES = (0.6, 1.6), (0.6, 2.0), (0.5, 2.0)
"""Diameters in those of the tops' smallest and largest pips; of a whole die, in the tops' sides."""
_PIP_UNIFORMITY, _PIP_CONTRAST, _PIP_ROUNDNESS = 0.6, 30.0, 0.92
_PIPS_APART = (1.0, 4.0)
"""How far a second pip of one ink lies from the first, in diameters."""
_ONE_INK = 0.4
"""Distance of two pips' inks, in the contrast of the first."""
_ONE_PLACE = 1.2
"""Sides within which two places are of one die."""


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
        """All its scores together, 0 to 1."""
        return self.scores.confidence

    def with_score(self, name: str, score: float) -> Candidate:
        """The same face with one more score."""
        return replace(self, scores=self.scores.with_score(name, score))


def upper_faces(candidates: Sequence[Candidate], pips: Pips) -> list[Candidate]:
    """The upper faces among all faces that were found, with scores for how clear that is."""
    first = _winners(candidates, None)
    usual = _usual_shape([c for c, clear in first if clear > _CLEARLY_UP and c.confidence > _LIKELY])
    explained = {row for c in candidates for row in c.fit.pips}
    spots = pips.take(np.array([k for k in range(len(pips)) if k not in explained], np.intp))
    tops = [
        c.with_score("top", min(clear, _lies_flat(c.fit, usual))).with_score(
            "hidden", _OCCLUDED_SCORE if _occludes_top(c, spots) else 1.0
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
                upper, clear = _upper_of(a, candidates[j], usual)
                rivals[i][j], rivals[j][i] = (upper is a, clear), (upper is not a, clear)
    waiting = set(rivals)
    winners: list[tuple[Candidate, float]] = []
    while waiting:
        lost = {k: sum(not won for other, (won, _) in rivals[k].items() if other in waiting) for k in waiting}
        best = min(waiting, key=lambda k: (lost[k], -candidates[k].fit.diameter * candidates[k].confidence))
        beaten = {other for other in rivals[best] if other in waiting}
        clear = min((rivals[best][other][1] for other in beaten), default=1.0)
        winners.append((candidates[best], _EITHER if lost[best] else clear))
        waiting -= beaten | {best}
    return winners


def _occludes_top(face: Candidate, spots: Pips) -> bool:
    """Whether a spot of the face's ink, above it or rounder than its pips, may belong to the true top."""
    fit = face.fit
    if fit.aspect_ratio > _ROUND or not len(spots):
        return False
    step = spots.centre - fit.centre
    reach = fit.side / np.sqrt(fit.aspect_ratio)
    near = np.linalg.norm(step, axis=1) < _SPOT_REACH * reach
    size = spots.diameter / fit.diameter
    axes = np.linalg.eigvalsh(spots.spread)
    rounder = np.sqrt(np.maximum(axes[:, 0], 0) / axes[:, 1]) > fit.aspect_ratio + _SPOT_ROUNDER
    near &= (step[:, 1] < -_SPOT_ABOVE * fit.side) | (rounder & (size > _ROUNDER_SPOT_SIZE))
    ink = np.linalg.norm(spots.ink - face.ink, axis=1) < _SPOT_INK * np.linalg.norm(face.ink - face.body)
    least, most = _SPOT_SIZE
    return bool((near & ink & (size > least) & (size < most) & (spots.roundness > _SPOT_ROUNDNESS)).any())


def _on_one_die(a: Candidate, b: Candidate) -> bool:
    """Whether two faces may be sides of one die."""
    first, second = a.fit, b.fit
    out = min(first.outward(second.centre), second.outward(first.centre))
    aspect_ratio = min(first.aspect_ratio, second.aspect_ratio)
    # Seen obliquely, the front of a die lies far out by the measure of its flattened top.
    long_side = (first.side / np.sqrt(first.aspect_ratio) + second.side / np.sqrt(second.aspect_ratio)) / 2
    apart = np.linalg.norm(first.centre - second.centre)
    near = out < _NEIGHBOUR or (aspect_ratio < _ROUND and apart < _FRONT_REACH * long_side)
    if not near or _other_paint(a, b):
        return False
    if out < _OVERLAPPING:
        return True
    oblique = shape_difference(first.ellipse, second.ellipse) > _OTHER_SHAPE
    growth = (max(first.diameter, second.diameter) / min(first.diameter, second.diameter)) ** 2
    if aspect_ratio > _ROUND:
        # Both are seen from above: two dice side by side.
        return False
    if oblique or growth > _OTHER_AREA:
        return True
    # From 45 degrees above, the front of a die has the ellipse of its top, and lies more or less below it.
    step = np.abs(first.centre - second.centre)
    return bool(step[0] < _STEEPNESS * step[1])


def _other_paint(a: Candidate, b: Candidate) -> bool:
    """Whether ink or body differ so much that the two faces cannot be one die's; shade alone does not count."""
    contrast = min(np.linalg.norm(a.ink - a.body), np.linalg.norm(b.ink - b.body))
    return bool(
        _apart_but_for_shade(a.ink, b.ink) > _OTHER_COLOUR * contrast
        or _apart_but_for_shade(a.body, b.body) > _OTHER_COLOUR * contrast
    )


def _apart_but_for_shade(a: Float64Array, b: Float64Array) -> float:
    """Distance of two colours once the lighter one is darkened to match."""
    light, dark = (a, b) if a.sum() >= b.sum() else (b, a)
    factor = float(np.clip(light @ dark / max(float(light @ light), 1.0), _DARKEST_SHADE, 1.0))
    return float(np.linalg.norm(light * factor - dark))


def shape_difference(a: Float64Array, b: Float64Array) -> float:
    """1 for two ellipses of one shape and rotation, whatever their size; more for others."""
    a, b = a / np.sqrt(np.linalg.det(a)), b / np.sqrt(np.linalg.det(b))
    return float(np.linalg.det((a + b) / 2))


def _upper_of(a: Candidate, b: Candidate, usual: Float64Array | None) -> tuple[Candidate, float]:
    """The upper one of two sides of a die, and how clear that is, 0 to 1."""
    larger, smaller = (a, b) if a.fit.diameter >= b.fit.diameter else (b, a)
    ratio = (larger.fit.diameter / smaller.fit.diameter) ** 2
    rise = (smaller.fit.centre[1] - larger.fit.centre[1]) / larger.fit.side
    if rise > _RISE or ratio > _MUCH_LARGER:
        return larger, 1.0
    if smaller.confidence < _MUCH_LESS_SURE * larger.confidence:
        return larger, _EITHER if rise < -_RISE else 1.0
    if usual is not None:
        of_larger, of_smaller = (shape_difference(c.fit.ellipse, usual) for c in (larger, smaller))
        if min(of_larger, of_smaller) < _LIKE_OTHERS and abs(of_larger - of_smaller) > _TELLING_DIFFERENCE:
            return (larger, 1.0) if of_larger < of_smaller else (smaller, 1.0)
    if rise < -_RISE and ratio < _LARGER:
        # The camera stands low, and the top is seen flatter than the front: then its circles lie level. But a
        # front that is round beside a very flat top may as well be a top seen by a camera that was turned.
        low = smaller.fit.aspect_ratio > _NOT_FLAT and larger.fit.aspect_ratio < _NOT_ROUND
        return smaller, _NEARLY_CLEAR if low and _level(smaller.fit.ellipse) else _EITHER
    return larger, _EITHER


def _lies_flat(fit: FaceFit, usual: Float64Array | None) -> float:
    """Whether the face lies as a table's does: round, level, or as the other dice do; 1 or less."""
    if fit.aspect_ratio > _LIES_FLAT or _level(fit.ellipse):
        return 1.0
    return 1.0 if usual is not None and shape_difference(fit.ellipse, usual) < _LIKE_OTHERS else _EITHER


def _level(ellipse: Float64Array) -> bool:
    """Whether the ellipse's long axis lies along the picture's rows, as a table's circles do."""
    values, vectors = np.linalg.eigh(ellipse)
    return bool(values[0] > _NEARLY_CIRCLE * values[1] or abs(vectors[0, 1]) > _LEVEL_COSINE)


def _usual_shape(faces: Sequence[Candidate]) -> Float64Array | None:
    """The ellipse, of area one, in which most of these faces show their pips; nothing if they are too few."""
    if len(faces) < _FEWEST_ALIKE:
        return None
    shapes = np.array([f.fit.ellipse / np.sqrt(np.linalg.det(f.fit.ellipse)) for f in faces])
    # A mean of shapes weighs by how large the pips are seen: the upper sides' are the largest.
    weights = np.array([f.fit.diameter**2 for f in faces])
    middle = np.average(shapes, axis=0, weights=weights)
    near = np.array([shape_difference(shape, middle) for shape in shapes])
    best = np.argsort(near)[: (len(faces) + 1) // 2]
    return np.asarray(shapes[best].mean(axis=0))


def _on_one_plane(tops: list[Candidate]) -> list[Candidate]:
    """Each top scored by how well its ellipse agrees with the others': they lie on one table."""
    usual = _usual_shape([t for t in tops if t.confidence > _LIKELY])
    if usual is None:
        return tops
    return [t.with_score("plane", linstep(shape_difference(t.fit.ellipse, usual), *_ONE_PLANE)) for t in tops]


def _of_one_size(tops: list[Candidate]) -> list[Candidate]:
    """Without the spots that look like a one or a two of quite another size than the dice round them.

    A few pips that make a small face may be part of a larger one whose other pips were lost or run together.
    """
    fuller = [t.fit.side for t in tops if t.fit.value > 2 and t.confidence > _SURE]
    sides = fuller or [t.fit.side for t in tops if t.fit.value == 2 and t.confidence > _SURE]
    if sides:
        low, high = _SIZES[0] * min(sides), _SIZES[1] * max(sides)
        tops = [t for t in tops if t.fit.value > (2 if fuller else 1) or low < t.fit.side < high]
    return [_scored_by_size(t, [o.fit.side for o in tops if o is not t and o.confidence > _SURE]) for t in tops]


def _scored_by_size(top: Candidate, others: Sequence[float]) -> Candidate:
    if top.fit.value > 3 or not others:
        return top
    return top.with_score("small", linstep(top.fit.side / float(np.median(others)), *_SMALL))


def as_many_as(tops: list[Candidate], expected: int | None, sure: float) -> list[Candidate]:
    """The tops that count as dice: the surest ones where it is clear which of them make the expected number."""
    kept = sorted((t for t in tops if t.confidence >= PERHAPS), key=lambda t: -t.confidence)
    if expected is None or len(kept) <= expected:
        return kept
    if kept[expected - 1].confidence >= sure and kept[expected].confidence < _CLEARLY_NONE:
        # Where other things look like pips, a one or a two that looks right may be no die at all.
        least = 2 if len(kept) == expected + 1 else 3
        return [t.with_score("clutter", _CLUTTER_SCORE) if t.fit.value < least else t for t in kept[:expected]]
    return [t for t in kept if t.confidence >= _COUNTED]


def unread(pips: Pips, tops: Sequence[Candidate], unsure: Sequence[FaceFit]) -> list[Float64Array]:
    """Places (x, y) away from all ``tops`` where one more die may lie: pips like theirs, or one spot."""
    if not tops:
        return []
    diameters = [t.fit.diameter for t in tops]
    sides = [t.fit.side for t in tops]
    away = np.array([min(t.fit.outward(c) for t in tops) for c in pips.centre]) > _AWAY
    least, most = _PIP_SIZES
    like = (pips.diameter > least * min(diameters)) & (pips.diameter < most * max(diameters))
    clear = away & like & (pips.uniformity > _PIP_UNIFORMITY)
    clear &= (pips.contrast > _PIP_CONTRAST) & (pips.roundness > _PIP_ROUNDNESS)
    rows = np.flatnonzero(clear)
    places: list[Float64Array] = []
    for row in rows.tolist():
        step = np.linalg.norm(pips.centre[rows] - pips.centre[row], axis=1) / pips.diameter[row]
        ink = np.linalg.norm(pips.ink[rows] - pips.ink[row], axis=1) < _ONE_INK * pips.contrast[row]
        if ((step > _PIPS_APART[0]) & (step < _PIPS_APART[1]) & ink).sum() >= 1:
            places.append(pips.centre[row])
    for x, y, diameter in pips.wholes.tolist():
        place = np.array([x, y])
        sized = _WHOLE_SIZES[0] * min(sides) < diameter < _WHOLE_SIZES[1] * max(sides)
        if sized and min(t.fit.outward(place) for t in tops) > _WHOLE_AWAY:
            places.append(place)
    for fit in unsure:
        alike = _UNSURE_SIZES[0] * min(diameters) < fit.diameter < _UNSURE_SIZES[1] * max(diameters)
        if alike and min(t.fit.outward(fit.centre) for t in tops) > _UNSURE_AWAY:
            places.append(fit.centre)
    apart: list[Float64Array] = []
    for place in places:
        if all(np.linalg.norm(place - other) > _ONE_PLACE * max(sides) for other in apart):
            apart.append(place)
    return apart
