"""The reader of ordinary playing cards: a picture in; rank and suit of every card out, or why they are not sure.

A card has an index in two opposite corners. Each is found by itself, so that cards may overlap and lie on
anything, and read by a small network that was taught on corners which nobody has printed
(``training/poker_corners.py``). The suit has a second cue: the shape of its sign and the colour of its ink. A card
is believed where both indices and both cues say the same; where one index is covered, only if the other is beyond
doubt. Else a person is asked. Numbers here are set by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from loomtable.engine.kernel.poker import RANKS as CARD_RANKS
from loomtable.engine.kernel.poker import CardSuit, PokerCard
from loomtable.engine.kernel.wording import number_word
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage, check_picture
from loomtable.vision.poker.card_outlines import CardOutline, find_cards
from loomtable.vision.poker.corners import RANKS, SUITS, Points
from loomtable.vision.poker.index_reading import SeenIndex, read_indices
from loomtable.vision.poker.pairing import CardIndices, cards_of
from loomtable.vision.quads import Quad
from loomtable.vision.verdict import Verdict

_SURE, _LIKELY = 0.97, 0.4
"""Least probability of the rank, over both indices, and what each of them must give to it."""
_ODDS = 3.5
"""Logarithm of the odds of the suit against the other one of its colour: network and shape, all indices."""
_FITS = 0.88
"""Least likeness of a sign to its suit."""
_ALONE, _ALONE_ODDS = 0.95, 4.5
"""The same where only one index is seen: it has to be surer by itself."""
_PLAUSIBLE, _LONE_SUIT = 0.25, 0.75
"""Probability of a rank in each of two indices from which they are a card's; and of the suit in a lone index."""
_RED = 0.7
"""Mean blackness of a card's ink below which it is red."""
_OUTLINED = (0.7, 1.4)
"""Area of an outline that was found, in the one that two indices tell."""
_SEEMS = 0.9
"""Probability of one rank from which an index alone is reported at all; less is anything."""


@dataclass(frozen=True)
class SeenPokerCard:
    """A card that lies face up."""

    card: PokerCard | None
    """What it seems to be."""
    confidence: float
    quad: Quad
    """Corners px: top left, top right, bottom right, bottom left, as one of its indices is read; roughly where
    only one is seen."""
    indices: int = 2
    """How many of its two indices are seen."""
    doubt: str = ""
    """Why it is not sure, as the end of a sentence; empty where it is."""


@dataclass(frozen=True)
class PokerReading:
    """The cards in a picture, and whether they are to be believed."""

    verdict: Verdict
    reason: str
    cards: tuple[SeenPokerCard, ...]
    """From left to right, row by row."""

    @property
    def sure(self) -> tuple[PokerCard, ...]:
        """The cards that nobody has to be asked about."""
        return tuple(card.card for card in self.cards if card.card is not None and not card.doubt)


def read_poker(picture: BgrImage, expected: int | None = None) -> PokerReading:
    """Read the ordinary playing cards that lie face up in a picture (height, width, 3) blue green red, 8 bits.

    Args:
        expected: how many cards were asked for; another count is rejected.

    Raises:
        PictureUnreadable: it is no picture.
        ModelBroken: the network is damaged.
    """
    check_picture(picture)
    found, heaps = find_cards(picture)
    cards = _without_repeats(
        [
            _read(outline, found)
            for outline in cards_of(read_indices(picture, [outline.quad for outline in found]))
            if _is_plausible(outline)
        ]
    )
    cards.sort(key=lambda outline: _reading_order(outline, picture.shape))
    return _assessed(tuple(cards), len(heaps), expected)


def _reading_order(card: SeenPokerCard, size: tuple[int, ...]) -> tuple[int, float]:
    x, y = np.mean(card.quad, axis=0)
    return int(y / (0.25 * size[0])), float(x)


def _assessed(cards: tuple[SeenPokerCard, ...], heaps: int, expected: int | None) -> PokerReading:
    there = "no card" if not cards else f"{number_word(len(cards))} card{'' if len(cards) == 1 else 's'}"
    heap = "something light may be overlapping cards; spread them out"
    if expected is not None and len(cards) != expected:
        known = f"{there}, {number_word(expected)} expected"
        return PokerReading(Verdict.REJECTED, f"{known}; {heap}" if heaps else known, cards)
    if not cards:
        return PokerReading(Verdict.REJECTED, heap if heaps else there, cards)
    doubts = [f"{card.card.name if card.card else 'a card'} {card.doubt}" for card in cards if card.doubt]
    twice = [card.card for card in cards if card.card and sum(other.card == card.card for other in cards) > 1]
    if twice:
        doubts.append(f"the {twice[0].name} is seen twice")
    return PokerReading(Verdict.ASK if doubts else Verdict.ACCEPTED, "; ".join(doubts), cards)


def _is_plausible(card: CardIndices) -> bool:
    if len(card.corners) == 2:
        return all(index.rank_probabilities[:-1].max() > _PLAUSIBLE for index in card.corners)
    [index] = card.corners
    return bool(
        index.rank_probabilities[index.rank] > _SEEMS and index.agreement == 1 and index.shape_scores.max() > _FITS
    )


def _read(card: CardIndices, found: Sequence[CardOutline]) -> SeenPokerCard:
    """A card by its indices, with the outline that was found about them, if one was."""
    ranks = _fuse([index.rank_probabilities[:-1] for index in card.corners])
    rank = int(ranks.argmax())
    suit, share, odds = _suit(card.corners)
    doubt = _doubt(card.corners, rank, float(ranks[rank]), suit, odds)
    a, b, c, d = ((float(x), float(y)) for x, y in _outline(card, found))
    shown = PokerCard(1 + 13 * tuple(CardSuit).index(CardSuit(SUITS[suit])) + CARD_RANKS.index(RANKS[rank]))
    return SeenPokerCard(shown, float(ranks[rank] * share), (a, b, c, d), len(card.corners), doubt)


def _fuse(shares: Sequence[Float32Array]) -> Float32Array:
    """The probability of each, where indices speak of the same card and are wrong for reasons of their own."""
    product = np.prod(np.maximum(shares, 1e-4), axis=0)
    return np.asarray(product / product.sum(), np.float32)


def _suit(indices: Sequence[SeenIndex]) -> tuple[int, float, tuple[float, float]]:
    """The likeliest suit of the ink's colour, its probability, and what network and shape say for it against
    the other of that colour, as logarithms of odds."""
    red = float(np.mean([index.blackness for index in indices])) < _RED
    suit, other = (0, 1) if red else (2, 3)
    said, shape = np.sum([index.log_odds(suit, other) for index in indices], axis=0).tolist()
    if said + shape < 0:
        suit, said, shape = other, -said, -shape
    return suit, float(1 / (1 + np.exp(-(said + shape)))), (said, shape)


def _doubt(indices: Sequence[SeenIndex], rank: int, share: float, suit: int, odds: tuple[float, float]) -> str:
    if len({index.rank for index in indices}) > 1:
        return "has corners that show different ranks"
    colours = {index.red for index in indices}
    if colours not in ({True}, {False}):
        return "is of no clear colour"
    if min(odds) < 0:
        return "has a sign of no suit, as jokers have, which are typed as RJ or BJ"
    likely = min(float(index.rank_probabilities[rank]) for index in indices)
    alike = min(float(index.shape_scores[suit]) for index in indices)
    if len(indices) == 1:
        lone = indices[0]
        own = (
            lone.agreement == 1
            and likely > _ALONE
            and sum(odds) > _ALONE_ODDS
            and lone.suit_probabilities[suit] > _LONE_SUIT
        )
        return "" if own and alike > _FITS else "shows only one of its two corners"
    if share < _SURE or likely < _LIKELY or sum(odds) < _ODDS or alike < _FITS:
        return "is hard to read"
    return ""


def _outline(card: CardIndices, found: Sequence[CardOutline]) -> Points:
    """The outline that was found about both indices, from the first one's corner; else what they say."""
    rough = card.quad
    if len(card.corners) < 2:
        return rough
    size = cv2.contourArea(rough.astype(np.float32))
    for rectangle in found:
        shape = rectangle.quad.astype(np.float32)
        if _OUTLINED[0] < cv2.contourArea(shape) / max(size, 1.0) < _OUTLINED[1] and all(
            cv2.pointPolygonTest(shape, (float(x), float(y)), False) >= 0
            for x, y in (index.rank_at for index in card.corners)
        ):
            first = int(np.linalg.norm(rectangle.quad - rough[0], axis=1).argmin())
            return np.roll(rectangle.quad, -first, axis=0)
    return rough


def _without_repeats(cards: list[SeenPokerCard]) -> list[SeenPokerCard]:
    """Without what seems an index among the pips and pictures of a card both of whose own indices were read, and
    without a second detection of a card beside its first."""
    whole = [np.array(card.quad, np.float32) for card in cards if card.indices == 2]

    def within(card: SeenPokerCard) -> bool:
        x, y = card.quad[0]
        return any(cv2.pointPolygonTest(quad, (x, y), False) >= 0 for quad in whole)

    known = {card.card for card in cards if card.indices == 2}
    return [
        card for card in cards if card.indices == 2 or not within(card) or not (card.doubt or card.card in known)
    ]
