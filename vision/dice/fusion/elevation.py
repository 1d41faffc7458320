"""Whether the camera stands too low to tell which face of a d6 lies up: its front then looks as large as its top.

Seen from an angle e above the table, the upper face of a cube takes up sin e of the height at which the cube is
seen, and its front cos e below it. So the middle of the top lies sin e / 2 (sin e + cos e) of that height under
the upper edge: half of it seen from straight above, a quarter from 45 degrees, an eighth from 18. The middle of
the front lies half the height further down. From less than 45 degrees the front is the rounder and larger one.

Two cues say where the top lies: the first network, which was trained to predict its middle, and the pips, by where
the faces of each number are. Where they do not agree that the number that was read is the top's, you are asked.
The figures that this rests on stand in ``models/README.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loomtable.vision.dice.crops import square_about
from loomtable.vision.dice.fusion.ensemble import Evidence
from loomtable.vision.dice.pips.reader import PipSide

TOO_LOW = "is seen from too low to tell which face is up: raise the camera"
TOP_HEIGHT_AT_45 = 0.25
"""Height of the top's middle, as a share of the die's from its upper edge down, at an elevation of 45 degrees."""
ASPECT_RATIO_AT_45 = 0.71
"""Aspect ratio (short over long axis) of a top's pips at 45 degrees: its sine. From lower down the top's are
flatter, the front's rounder."""
STEEP_TOP_HEIGHT = 0.43
"""Where the network sees the top's middle lower than this, the camera looks down from 80 degrees or more. Of 33
fronts taken for tops on the even half of ``low-oblique`` the network saw none lower than 0.34."""
MAX_HEIGHT_ERROR = 0.15
"""How far the number's pips may lie from where the network sees the top. Front and top are 0.5 apart, but where
the network wavers it points between them: of the same fronts the nearest was 0.17 from it."""
MIN_HEIGHT_ABOVE = 0.25
"""How much higher than the number's face another one lies that may be the top: half of how far front and top are
apart."""
ASPECT_RATIO_AT_60 = 0.87
"""Aspect ratio of pips that are seen obliquely, from 60 degrees: its sine. The middle of a top then lies at a
third of the die's height. Where pips look rounder a wide lens may show a side over the top, and the box is too
coarse a measure."""
MIN_FRONT_HEIGHT = 0.55
"""A face seen from no more than 60 degrees whose middle lies lower than this is a front. Chosen on rendered
dice."""
MAX_TOP_HEIGHT = 0.5
"""Where the top's middle lies as seen from straight above; from anywhere else it lies higher."""
MIN_ASPECT_RATIO_DROP = 0.2
"""By how much smaller the aspect ratio of a face over another is, if it is the top. Set by hand, with the
losses of the other sources in sight, as are those here that name no source (``models/README.md``)."""
MIN_TOP_CONFIDENCE, MIN_RIVAL_CONFIDENCE = 0.5, 0.2
"""Confidence from which another face by itself counts as the top, and from which it does as a rival beside a
likely one: half hidden, or with few pips, sides are never found surer."""
BOX_MARGIN = 0.15
"""How far beyond its box, as a share of it, the faces of a die may lie; what is further out is a neighbour's."""


def seen_too_low(evidence: Evidence, number: int) -> bool:
    """Whether the face of a d6 that shows ``number`` may be its front, and another one its top."""
    if evidence.reader.top is None:
        return False
    top = _top_height(evidence)
    faces = [face for side in evidence.sides if (face := _on_the_die(evidence, side)) is not None]
    same = [face for face in faces if face.side.value == number]
    if any(_has_a_flatter_one_over_it(one, faces) for one in same):
        return True
    if same and top < MAX_TOP_HEIGHT and _lies_under(max(same, key=lambda one: one.side.confidence)):
        return True
    if top >= STEEP_TOP_HEIGHT or any(abs(one.height - top) < MAX_HEIGHT_ERROR for one in same):
        return False
    if same:
        return min(one.height for one in same) > top
    if any(
        other.height < TOP_HEIGHT_AT_45
        and other.side.aspect_ratio < ASPECT_RATIO_AT_45
        and other.side.confidence > MIN_TOP_CONFIDENCE
        for other in faces
    ):
        return True
    fronts = [
        other.side
        for other in faces
        if other.height > top + MAX_HEIGHT_ERROR and other.side.aspect_ratio > ASPECT_RATIO_AT_45
    ]
    return top < TOP_HEIGHT_AT_45 and any(front.confidence > MIN_RIVAL_CONFIDENCE for front in fronts)


@dataclass(frozen=True)
class _Face:
    side: PipSide
    height: float
    """Of its middle: 0 at the upper edge of the die's box, 1 at the lower."""


def _lies_under(one: _Face) -> bool:
    """Whether a face lies further down on the die than a top whose pips look like this."""
    return one.height > MIN_FRONT_HEIGHT and one.side.aspect_ratio < ASPECT_RATIO_AT_60


def _has_a_flatter_one_over_it(one: _Face, faces: Sequence[_Face]) -> bool:
    """Whether a face in the die's middle or below has another over it that is seen flatter: a top never has."""
    return (one.height > STEEP_TOP_HEIGHT and one.side.aspect_ratio < ASPECT_RATIO_AT_60) and any(
        other.height < one.height - MIN_HEIGHT_ABOVE
        and other.side.aspect_ratio < min(ASPECT_RATIO_AT_45, one.side.aspect_ratio - MIN_ASPECT_RATIO_DROP)
        and other.side.confidence > MIN_RIVAL_CONFIDENCE
        for other in faces
    )


def _on_the_die(evidence: Evidence, side: PipSide) -> _Face | None:
    x0, _, x1, _ = evidence.detection.box
    height = _share(evidence, side.middle[1])
    return _Face(side, height) if x0 <= side.middle[0] <= x1 and -BOX_MARGIN < height < 1 + BOX_MARGIN else None


def _top_height(evidence: Evidence) -> float:
    """Where the first network sees the middle of the top, measured like a face's height."""
    assert evidence.reader.top is not None
    (_, y), side = square_about(evidence.detection.box)
    return _share(evidence, y + float(evidence.reader.top[1]) * side / 2)


def _share(evidence: Evidence, y: float) -> float:
    _, y0, _, y1 = evidence.detection.box
    return (y - y0) / max(y1 - y0, 1e-6)
