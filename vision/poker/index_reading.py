"""What an index says: rank by the network, suit by network, shape and ink. Numbers here are set by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from loomtable.engine.kernel.package_data import package_file
from loomtable.vision.arrays import Float32Array
from loomtable.vision.model_sums import check_sums
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage
from loomtable.vision.poker.corners import SUITS, Points, corner_about, network_input
from loomtable.vision.poker.indices import index_places, places_in
from loomtable.vision.poker.signs import suit_fits

MODEL = "poker_corners.onnx"
_MOST_NO_INDEX = 0.5
"""Probability of "no index" from which a pair of blobs is none, at the first look."""
_SAME_INDEX = 0.6
"""How near the middles of two pairs are, in the longer one's length, that are of one index."""
_AT_ONCE = 64
"""Corners that the network is given at once: it takes 300 kB for each. Bound by memory."""
_MOST = 60
"""Indices that are looked at again: more than one deck on the table nobody lays. Bound by time."""
_VIEWS = (
    (0, 0, 1, 0), (0.09, 0, 1, 0), (-0.09, 0, 1, 0), (0, 0.09, 1, 0), (0, -0.09, 1, 0),
    (0, 0, 1.12, 0), (0, 0, 0.9, 0), (0, 0, 1, 6), (0, 0, 1, -6),
)  # fmt: skip
"""Each index is read so often: to the right, down (in distances of rank and sign), larger, turned (degrees)."""
_RED, _BLACK = 0.65, 0.75
"""Blackness of ink below which it is red, and from which it is black."""
_SHAPE = 200.0
"""What a difference in likeness to two signs is worth, as logarithm of odds."""
_SPADE_OR_CLUB = -0.01
"""By how much a sign that is as much spade as club looks more like a spade."""
_MOST_ODDS = 4.0
"""No one network's word is worth more than this."""


@dataclass(frozen=True)
class SeenIndex:
    """One index: where its rank and its sign stand, and what they seem to be."""

    rank_at: Points
    sign_at: Points
    rank_probabilities: Float32Array
    """(14,) probabilities, the last in "no index"; over all views."""
    agreement: float
    """Share of the views that say the likeliest rank."""
    suit_probabilities: Float32Array
    """(4,) probabilities by the network."""
    shape_scores: Float32Array
    """(4,) how well the sign's shape fits."""
    blackness: float
    """About 1 for black ink, below 0.6 for red."""

    @property
    def rank(self) -> int:
        """The likeliest, as a place in ``RANKS``."""
        return int(self.rank_probabilities[:-1].argmax())

    @property
    def span(self) -> float:
        """How far the sign is from its rank, px."""
        return float(np.linalg.norm(self.sign_at - self.rank_at))

    @property
    def down(self) -> Points:
        """The direction from rank to sign (2,), of length 1."""
        return np.asarray((self.sign_at - self.rank_at) / max(self.span, 1e-6))

    @property
    def red(self) -> bool | None:
        """The colour of its ink; nothing where it is between the two."""
        return True if self.blackness < _RED else False if self.blackness > _BLACK else None

    def log_odds(self, suit: int, other: int) -> tuple[float, float]:
        """Logarithms of the odds of one suit against the other of its colour: the network's, and the shape's."""
        logits = float(
            np.log(max(self.suit_probabilities[suit], 1e-4) / max(self.suit_probabilities[other], 1e-4))
        )
        fair = _SPADE_OR_CLUB if SUITS[suit] == "spades" else -_SPADE_OR_CLUB if SUITS[suit] == "clubs" else 0.0
        shape = _SHAPE * (float(self.shape_scores[suit] - self.shape_scores[other]) - fair)
        return float(np.clip(logits, -_MOST_ODDS, _MOST_ODDS)), shape


@lru_cache(maxsize=1)
def _network() -> Network:
    file = package_file("models", MODEL)
    check_sums(file)
    return Network(file, ("rank", "suit"))


def read_indices(picture: BgrImage, outlines: Sequence[Points] = ()) -> list[SeenIndex]:
    """Every index in a picture (BGR) that is likely to be one, each once, the surest first.

    ``outlines`` (4, 2) px are of things shaped like cards: their corners are looked into as well, where a rank and
    its sign may run into one another.

    Raises:
        ModelBroken: the network is damaged.
    """
    ranks_at, signs_at = (
        np.concatenate([marks, corners])
        for marks, corners in zip(index_places(picture), places_in(outlines), strict=True)
    )
    if not len(ranks_at):
        return []
    ranks, suits = _classify([corner_about(picture, a, b) for a, b in zip(ranks_at, signs_at, strict=True)])
    confidence = ranks[:, :-1].max(axis=1) * suits[:, :-1].max(axis=1)
    kept: list[int] = []
    for at in np.argsort(-confidence, kind="stable").tolist():
        if ranks[at, -1] < _MOST_NO_INDEX and all(_are_apart(ranks_at, signs_at, at, other) for other in kept):
            kept.append(at)
        if len(kept) == _MOST:
            break
    return [_read_index(picture, ranks_at[at], signs_at[at]) for at in kept]


def _are_apart(ranks_at: Points, signs_at: Points, one: int, other: int) -> bool:
    """Whether two pairs of blobs are not of one index."""
    middles = (ranks_at[one] + signs_at[one]) / 2, (ranks_at[other] + signs_at[other]) / 2
    spans = [float(np.linalg.norm(signs_at[at] - ranks_at[at])) for at in (one, other)]
    return float(np.linalg.norm(middles[0] - middles[1])) >= _SAME_INDEX * max(spans)


def _read_index(picture: BgrImage, rank_at: Points, sign_at: Points) -> SeenIndex:
    middle, half = (rank_at + sign_at) / 2, (sign_at - rank_at) / 2
    right = np.array([half[1], -half[0]])
    corners = []
    for along, below, larger, turned in _VIEWS:
        cos, sin = np.cos(np.deg2rad(turned)), np.sin(np.deg2rad(turned))
        arm = np.array([cos * half[0] - sin * half[1], sin * half[0] + cos * half[1]]) * larger
        at = middle + 2 * (along * right + below * half)
        corners.append(corner_about(picture, at - arm, at + arm))
    ranks, suits = _classify(corners)
    fits, black = suit_fits(picture, rank_at, sign_at)
    together = _mean_over_views(ranks)
    agreeing = float((ranks.argmax(axis=1) == together[:-1].argmax()).mean())
    own = _mean_over_views(suits)[:-1]
    return SeenIndex(rank_at, sign_at, together, agreeing, np.asarray(own / own.sum(), np.float32), fits, black)


def _classify(corners: list[BgrImage]) -> tuple[Float32Array, Float32Array]:
    parts = [network_input(corners[at : at + _AT_ONCE]) for at in range(0, len(corners), _AT_ONCE)]
    logits = [_network().run(part) for part in parts]
    ranks, suits = (_softmax(np.concatenate([batch[name] for batch in logits])) for name in ("rank", "suit"))
    return ranks, suits


def _softmax(values: Float32Array) -> Float32Array:
    grown = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float32)


def _mean_over_views(shares: Float32Array) -> Float32Array:
    """One distribution from many views (N, n) at one print: wrong together, so their mean and not their
    product."""
    mean = np.exp(np.log(np.maximum(shares, 1e-4)).mean(axis=0))
    return np.asarray(mean / mean.sum(), np.float32)
