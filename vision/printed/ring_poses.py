"""Which of the rings lie on top: a die shows up to three of its sides, and only the one that lies up counts.

A side that stands upright looks other than one that lies level, except where the camera looks half from above;
there, what tells is that over an upright side, half an edge up and half an edge back, its die has a top. Numbers
here are set by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.printed.rings import Ring
from loomtable.vision.printed.symbols import SymbolMatch
from loomtable.vision.printed.views import View, scaled_to_area, shape_distance, tolerance
from loomtable.vision.printed.words import ReadWord

HALF_EDGE = 1.26
"""Half a die's edge in ring radii: 1.34 with stickers on 16 mm, 1.18 on paper. As made."""
_MOST_OFF_TOP = 0.5
"""How far, in ring radii, a top may be from where its side says it is."""
_AMBIGUOUS = 0.8
"""How like an upright side, in parts of the tolerance, a level ring is that could be one."""
_SURELY_UPRIGHT = 2.0
"""How unlike a level ring, in tolerances, an upright one is that tells its die's top without being read itself."""
_NOT_LEVEL, _PLACED = 1.2, 0.2
"""How unlike a level ring, in tolerances, one must be that stands where a side must; and how near, in radii."""
_MOST_OFF_SQUARE = 14.0
"""Degrees by which an upright side's symbol is turned off its die's edges at most: stickers are stuck on askew."""
_SLANTING = 0.8
"""Aspect ratio below which a ring is seen clearly obliquely."""
_READ, _READ_WELL = 0.62, 0.75
"""Correlation of a ring's word from which it is one of ours beyond chance, and from which it is read well."""
_READ_BIT_ERRORS = 2
"""Misread cells of a word that is one of ours."""
_RADIUS_RATIO = (0.7, 1.45)
"""Of a top's radius to that of a side of the same die."""
_OUTWARD = 0.25
"""Cosine from which a side faces the camera clearly enough to be sought below its top."""
_NEAR = 2.6
"""Ring radii within which two rings can be on one die."""


@dataclass(frozen=True)
class RingDetection:
    """A ring and what both cues, word and symbol, say about it; a blank one says nothing."""

    ring: Ring
    word: ReadWord | None
    symbol: SymbolMatch | None

    @property
    def read(self) -> bool:
        """Whether its word is one of ours beyond chance."""
        return self.word is not None and self.word.correlation > _READ and self.word.bit_errors <= _READ_BIT_ERRORS

    def same_die(self, other: RingDetection) -> bool:
        """Whether the numbers do not speak against both being sides of one die."""
        if not (self.read and other.read):
            return True
        assert self.word is not None and other.word is not None
        mine, theirs = self.word.mark, other.word.mark
        return mine.die is theirs.die and mine.number == theirs.number and mine.face != theirs.face


@dataclass
class RingPoses:
    """How the rings of a picture stand, in one view."""

    tops: list[int] = field(default_factory=list)
    """Rings that lie level, on top of their things."""
    sides: list[int] = field(default_factory=list)
    """Rings on upright sides whose tops are among ``tops``."""
    orphans: dict[int, Float64Array] = field(default_factory=dict)
    """Rings on upright sides whose tops were not found, with the pixel (2,) at which each top must be."""
    leaning: list[int] = field(default_factory=list)
    """Rings that are neither level nor upright."""
    unclear: dict[int, Float64Array] = field(default_factory=dict)
    """Rings among ``tops`` that could as well be upright sides of dice whose tops are not seen, with the pixel
    (2,) at which each top would be."""

    @property
    def explained(self) -> float:
        """How well the view explains what is seen."""
        good = len(self.tops) + len(self.sides) - 0.5 * len(self.unclear)
        return good - 0.6 * len(self.orphans) - 0.8 * len(self.leaning)


def assign_poses(detections: Sequence[RingDetection], view: View, *, guessed: bool = False) -> RingPoses:
    """Sort the rings that were read as they stand in this view; blank ones are only cues.

    A view that was ``guessed`` from a single oblique ring proves nothing about that ring.
    """
    fits = [_fit(detection.ring, view) for detection in detections]
    level = [fit.top < tolerance(detection.ring) for fit, detection in zip(fits, detections, strict=True)]
    upright = [fit.side < tolerance(detection.ring) for fit, detection in zip(fits, detections, strict=True)]
    owner = {at: _owner(at, detections, fits, level) for at in range(len(detections)) if upright[at]}
    owned = {
        above
        for below, above in owner.items()
        if above is not None and _confirms_top(detections[below], fits[below])
    }
    result = RingPoses()
    for at, detection in enumerate(detections):
        if not detection.read or detection.word is None:
            continue
        coin = detection.word.mark.die.faces[0] == "heads"
        above = owner.get(at)
        if not coin and above is not None and (not level[at] or detections[above].read or at not in owned):
            if detections[above].read or above in owned:
                result.sides.append(at)
            else:
                result.orphans[at] = detections[above].ring.centre
        elif level[at]:
            result.tops.append(at)
            alone = guessed and sum(level) == 1 and detection.ring.aspect_ratio < _SLANTING
            either = fits[at].side < _AMBIGUOUS * tolerance(detection.ring) and square_to_a_die(detection, view)
            told = coin or at in owned or _another_over(at, detections, fits, level)
            if (either or alone) and not told and not _has_a_side(at, detections, fits, view):
                result.unclear[at] = fits[at].over
        elif not coin and _beside_a_top(at, detections, level):
            result.sides.append(at)
        elif upright[at] and not coin:
            result.orphans[at] = fits[at].over
        else:
            result.leaning.append(at)
    return result


@dataclass(frozen=True)
class _Fit:
    top: float
    """How unlike a level ring it is."""
    side: float
    """How unlike the likest upright ring it is."""
    over: Float64Array
    """(2,): the pixel at which the top of its die must be, if it is upright."""


def _fit(ring: Ring, view: View) -> _Fit:
    top = float(shape_distance(ring.shape, view.level_frame(ring.centre)))
    frames, out = view.upright_frames(ring.centre)
    if not len(frames):
        return _Fit(top, 9.0, ring.centre)
    unlike = shape_distance(ring.shape, frames)
    best = int(unlike.argmin())
    frame = scaled_to_area(ring, frames[best])
    scale = float(np.linalg.norm(frame[:, 1]) / max(float(np.linalg.norm(frames[best][:, 1])), 1e-9))
    away = HALF_EDGE * scale * (view.jacobian(ring.centre) @ (view.up - out[best]))
    return _Fit(top, float(unlike[best]), ring.centre + away)


def square_to_a_die(detection: RingDetection, view: View) -> bool:
    """Whether a ring, taken for an upright side, has its symbol turned as a die's edges allow.

    A die's side stands on an edge, and its symbol is stuck on along the edges: upright, on its side, or on its
    head. A top may be turned any way. So most tops that look like sides from where the camera stands are none.
    """
    assert detection.word is not None
    frames, _ = view.upright_frames(detection.ring.centre)
    alike = frames[shape_distance(detection.ring.shape, frames) < tolerance(detection.ring)]
    head = _head(detection.ring, detection.word)
    rotations = [np.degrees(np.arctan2(y, x)) for x, y in (np.linalg.solve(frame, head) for frame in alike)]
    return any(abs((rotation + 45) % 90 - 45) < _MOST_OFF_SQUARE for rotation in rotations)


def _head(ring: Ring, word: ReadWord) -> Float64Array:
    """(2,): pixels from a ring's middle to its rim where its symbol's head is."""
    return np.asarray(ring.axes @ np.array([np.sin(word.rotation), -np.cos(word.rotation)]))


def sides_below(detection: RingDetection, view: View) -> list[tuple[Float64Array, Float64Array]]:
    """Where the upright sides of a die must show if this ring is its top: centre (2,) and frame (2, 2) of each."""
    assert detection.word is not None
    ring, top = detection.ring, view.level_frame(detection.ring.centre)
    scale = float(np.sqrt(abs(np.linalg.det(ring.axes)) / max(abs(float(np.linalg.det(top))), 1e-9)))
    level = np.linalg.solve(top, _head(ring, detection.word))
    way = np.stack(view.level_axes, axis=1) @ (level / max(float(np.linalg.norm(level)), 1e-9))
    steps = view.jacobian(ring.centre)
    towards = np.append((ring.centre - view.middle) / view.focal, 1.0)
    found = []
    for out in (way, -way, np.cross(view.up, way), -np.cross(view.up, way)):
        if out @ towards < -_OUTWARD * np.linalg.norm(towards):
            along = np.cross(out, view.up)
            centre = ring.centre + HALF_EDGE * scale * (steps @ (out - view.up))
            found.append((centre, scale * (steps @ np.stack([along, view.up], axis=1))))
    return found


def _has_a_side(at: int, detections: Sequence[RingDetection], fits: Sequence[_Fit], view: View) -> bool:
    """Whether a ring that cannot lie level is just where a side must show if this one is its die's top.

    It need not be read, nor be seen well: the top's word says how the die is turned, so that there is one place
    for each of its sides, and what lies level on another die is no side.
    """
    reach = _PLACED * detections[at].ring.radius
    places = [centre for centre, _ in sides_below(detections[at], view)]
    return any(
        fits[other].top > _NOT_LEVEL * tolerance(detection.ring) and detections[at].same_die(detection)
        for other, detection in enumerate(detections)
        if other != at and any(np.linalg.norm(detection.ring.centre - place) < reach for place in places)
    )


def _another_over(
    at: int, detections: Sequence[RingDetection], fits: Sequence[_Fit], level: Sequence[bool]
) -> bool:
    """Whether another die's top lies just where this one's would be, were this a side: so it is none."""
    return any(
        level[other] and not detections[at].same_die(detection) and _whole(detection) and _whole(detections[at])
        for other, detection in enumerate(detections)
        if other != at
        and np.linalg.norm(detection.ring.centre - fits[at].over) < _MOST_OFF_TOP * detections[at].ring.radius
    )


def _whole(detection: RingDetection) -> bool:
    return (
        detection.word is not None and detection.word.bit_errors == 0 and detection.word.correlation > _READ_WELL
    )


def _owner(
    at: int, detections: Sequence[RingDetection], fits: Sequence[_Fit], level: Sequence[bool]
) -> int | None:
    """The level ring that lies where the top of an upright ring's die must be."""
    mine = detections[at]
    near: list[tuple[float, int]] = []
    for other, theirs in enumerate(detections):
        if other == at or not level[other] or not mine.same_die(theirs):
            continue
        if not _RADIUS_RATIO[0] < theirs.ring.radius / mine.ring.radius < _RADIUS_RATIO[1]:
            continue
        off = float(np.linalg.norm(theirs.ring.centre - fits[at].over)) / mine.ring.radius
        if off < _MOST_OFF_TOP:
            near.append((off, other))
    return min(near)[1] if near else None


def _confirms_top(detection: RingDetection, fit: _Fit) -> bool:
    """Whether an upright ring tells that what lies over it is its die's top: read well, or surely not level."""
    read = detection.read and detection.word is not None and detection.word.bit_errors <= 1
    return read or fit.top > _SURELY_UPRIGHT * tolerance(detection.ring)


def _beside_a_top(at: int, detections: Sequence[RingDetection], level: Sequence[bool]) -> bool:
    """Whether this must be a side of a die whose top is seen: one of its number is near.

    What was hardly read itself need not be of the same number.
    """
    mine = detections[at]
    weak = mine.word is None or mine.word.bit_errors > 0 or mine.word.correlation < _READ_WELL
    for other, theirs in enumerate(detections):
        if other == at or not level[other] or not theirs.read or not (weak or mine.same_die(theirs)):
            continue
        if np.linalg.norm(theirs.ring.centre - mine.ring.centre) < _NEAR * theirs.ring.radius:
            return True
    return False
