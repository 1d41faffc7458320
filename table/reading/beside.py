"""What lies on a card, and beside whose marker it is: by the outlines of the pieces, seen from straight above."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import takewhile

import cv2

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.gestures import AS_NEAR
from loomtable.vision.arrays import Float32Array

BESIDE = 70.0
"""Millimetres from edge to edge within which a marker lies beside a card."""
LAID_ON = 0.2
"""Share of a card that lies over another from which it was laid on that card."""
CLEARER = 8.0
"""Millimetres by which another marker has to be further off to be out of the question."""
_SMALL = (Kind.MARKER, Kind.ANSWER)
"""What covers no card."""


def below(card: ComponentId, outlines: Mapping[ComponentId, Float32Array]) -> ComponentId | None:
    """The first card of those that came before it on which a card was laid; ``outlines`` are in that order, mm."""
    own = outlines[card]
    least = LAID_ON * cv2.contourArea(own)
    earlier = takewhile(lambda other: other != card, outlines)
    cards = (other for other in earlier if other.kind not in _SMALL)
    return next((other for other in cards if cv2.intersectConvexConvex(own, outlines[other])[0] > least), None)


def beside(card: ComponentId, outlines: Mapping[ComponentId, Float32Array]) -> tuple[ComponentId, ...]:
    """The markers beside a card, the nearest first: several where they are about as near."""
    far = {other: gap(outlines[card], one) for other, one in outlines.items() if other.kind is Kind.MARKER}
    nearest = min(far.values(), default=math.inf)
    reach = min(BESIDE, max(AS_NEAR * nearest, nearest + CLEARER))
    return tuple(other for other in sorted(far, key=far.__getitem__) if far[other] <= reach)


def gap(one: Float32Array, other: Float32Array) -> float:
    """How far apart two convex outlines (4, 2) are at their nearest; 0 where they overlap."""
    if cv2.intersectConvexConvex(one, other)[0] > 0:
        return 0.0
    pairs = [(one, corner) for corner in other.tolist()] + [(other, corner) for corner in one.tolist()]
    return min(abs(cv2.pointPolygonTest(outline, corner, True)) for outline, corner in pairs)
