"""What lies on a card, and beside whose marker it is: by the outlines of the pieces, seen from straight above."""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.gestures import AS_NEAR
from loomtable.table.reading.card_geometry import on_table
from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.cards import SeenCard

BESIDE = 70.0
"""Millimetres from edge to edge within which a marker lies beside a card."""
CLEARER = 8.0
"""Millimetres by which another marker has to be further off to be out of the question."""
MISSED = 60.0
"""Seconds for which a marker that is not seen any more may still lie where it was seen."""
_SMALL = (Kind.MARKER, Kind.ANSWER)
"""What covers no card."""


class Outlines:
    """The outlines of what lies on a table, mm, and of markers that were there a minute ago."""

    def __init__(self) -> None:
        self._markers: dict[ComponentId, tuple[SeenCard, float]] = {}  # where each was seen last, and when
        self.laid: dict[ComponentId, Float32Array] = {}

    def see(
        self,
        lying: Mapping[ComponentId, SeenCard],
        seen: Mapping[ComponentId, SeenCard],
        at: float,
        flat: Float64Array | None,
    ) -> None:
        """These are there, and these of them ``seen`` now, ``at`` so many seconds; ``flat`` as of ``on_table``."""
        self._markers |= {card: (one, at) for card, one in seen.items() if card.kind is Kind.MARKER}
        missed = {card: one for card, (one, when) in self._markers.items() if at - when < MISSED}
        self.laid = on_table(missed | {**lying, **seen}, flat)

    def overlap(self, card: ComponentId, other: ComponentId) -> float:
        """The share of a card that lies over another."""
        if card.kind in _SMALL or other.kind in _SMALL or card == other:
            return 0.0
        one, two = self.laid[card], self.laid[other]
        return float(cv2.intersectConvexConvex(one, two)[0]) / max(float(cv2.contourArea(one)), 1.0)

    def beside(self, card: ComponentId) -> tuple[ComponentId, ...]:
        """The markers beside a card, the nearest first: several where they are about as near."""
        far = {
            other: gap(self.laid[card], outline)
            for other, outline in self.laid.items()
            if other.kind is Kind.MARKER
        }
        nearest = min(far.values(), default=math.inf)
        reach = min(BESIDE, max(AS_NEAR * nearest, nearest + CLEARER))
        return tuple(other for other in sorted(far, key=far.__getitem__) if far[other] <= reach)


def gap(one: Float32Array, other: Float32Array) -> float:
    """How far apart two convex outlines (4, 2) are at their nearest; 0 where they overlap."""
    if cv2.intersectConvexConvex(one, other)[0] > 0:
        return 0.0
    pairs = [(one, corner) for corner in other.tolist()] + [(other, corner) for corner in one.tolist()]
    return min(abs(cv2.pointPolygonTest(outline, corner, True)) for outline, corner in pairs)
