"""Which indices are of one card: two that stand on their heads to one another, and as far apart as its corners.
Numbers here are set by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loomtable.vision.poker.corners import CARD, RANK_AT, SIGN_AT, Points
from loomtable.vision.poker.index_reading import SeenIndex

_SPAN = SIGN_AT[1] - RANK_AT[1]
_ACROSS, _DOWN = (3.8, 9.0), (5.5, 12.0)
"""How far the other index of a card is to the right and down, in distances of rank and sign: print differs in size
from deck to deck, the place of the corners hardly."""
_SLOPE = (0.5, 1.15)
"""Of the one distance to the other; a card is seen obliquely."""
_ALIKE = 1.67
"""Of the larger print of two indices to the smaller one."""
_HEAD_TO_FOOT = -0.85
"""Cosine between the directions of both, at most."""
_SEEN = 0.5
"""Probability of "no index" from which a pair of blobs is not counted."""


@dataclass(frozen=True)
class CardIndices:
    """The indices of one card: both, or the one that is seen."""

    corners: tuple[SeenIndex, ...]

    @property
    def quad(self) -> Points:
        """The card's corners (4, 2) px, clockwise from its first index; roughly where only one is seen."""
        first = self.corners[0]
        if len(self.corners) == 1:
            down = first.down * first.span / _SPAN
            right = np.array([down[1], -down[0]])
        else:
            along, below = _frame(first, self.corners[1])
            away = self.corners[1].rank_at - first.rank_at
            wide, high = CARD[0] - 2 * RANK_AT[0], CARD[1] - 2 * RANK_AT[1]
            right, down = along * float(away @ along) / wide, below * float(away @ below) / high
        corner = first.rank_at - RANK_AT[0] * right - RANK_AT[1] * down
        wide, high = CARD
        return np.array([corner, corner + wide * right, corner + wide * right + high * down, corner + high * down])


def cards_of(indices: Sequence[SeenIndex]) -> list[CardIndices]:
    """The cards whose indices these are; an index without its fellow is a card by itself."""
    likely = [index for index in indices if index.rank_probabilities[-1] < _SEEN]
    pairs = [
        (index.rank != other.rank, -float(index.rank_probabilities[:-1] @ other.rank_probabilities[:-1]), at, to)
        for at, index in enumerate(likely)
        for to, other in enumerate(likely[at + 1 :], at + 1)
        if _of_one_card(index, other)
    ]
    taken: set[int] = set()
    cards: list[CardIndices] = []
    for _, _, at, to in sorted(pairs):
        if at not in taken and to not in taken:
            taken |= {at, to}
            cards.append(CardIndices((likely[at], likely[to])))
    return cards + [CardIndices((index,)) for at, index in enumerate(likely) if at not in taken]


def _of_one_card(index: SeenIndex, other: SeenIndex) -> bool:
    if not 1 / _ALIKE < index.span / max(other.span, 1e-6) < _ALIKE or index.down @ other.down > _HEAD_TO_FOOT:
        return False
    along, below = _frame(index, other)
    away = (other.rank_at - index.rank_at) / ((index.span + other.span) / 2)
    across, down = float(away @ along), float(away @ below)
    return (
        _ACROSS[0] < across < _ACROSS[1] and _DOWN[0] < down < _DOWN[1] and _SLOPE[0] < across / down < _SLOPE[1]
    )


def _frame(index: SeenIndex, other: SeenIndex) -> tuple[Points, Points]:
    """The directions to the right and down on a card, as its first index is read."""
    down = index.down - other.down
    down = down / np.linalg.norm(down)
    return np.array([down[1], -down[0]]), np.asarray(down)
