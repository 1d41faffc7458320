"""The reader of ordinary playing cards: a picture in; rank and suit of every card out, or why they are not sure.

A card has an index in two opposite corners. Each is read by itself by a small network that was taught on corners
that nobody has printed (``vision/training/poker_corners.py``). Where both say the same, and the colour of the ink
bears the suit out, the card is believed; else a person is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.kernel.poker import RANKS as CARD_RANKS
from engine.kernel.poker import PokerCard, Suit
from engine.kernel.shipped import shipped
from engine.kernel.wording import number_word
from vision.dice.network import Network
from vision.pictures import Picture
from vision.poker.corners import RANKS, SUITS, Floats, corner_of, network_input
from vision.poker.finding import FoundCard, Points, find_cards
from vision.quads import Quad
from vision.verdict import Verdict

MODEL = "poker_corners.onnx"
_SURE = 0.97
"""Least share of belief in rank and suit, over both corners."""
_LIKELY_RANK, _LIKELY_SUIT = 0.7, 0.95
"""And what each corner must give to it: small spades and clubs look much alike."""
_NOT_A_CARD = 0.5
"""Belief in "no index" from which a corner shows none."""
_MISTAKABLE = 1.12
"""Sides that are seen more alike than this: the index may be in either pair of corners."""


@dataclass(frozen=True)
class SeenPokerCard:
    """A card that lies face up, or something that is shaped like one."""

    card: PokerCard | None
    """What it seems to be; nothing where no corner shows an index."""
    confidence: float
    quad: Quad
    """Corners px: top left, top right, bottom right, bottom left, as one of its indices is read."""
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
        return tuple(one.card for one in self.cards if one.card is not None and not one.doubt)


def read_poker(picture: Picture, expected: int | None = None) -> PokerReading:
    """Read the ordinary playing cards that lie face up in a picture (height, width, 3) blue green red, 8 bits.

    Args:
        expected: how many cards were asked for; another count is rejected.

    Raises:
        ModelBroken: the network is damaged.
    """
    found, heaps = find_cards(picture)
    cards = [one for one in _read(picture, found) if one is not None]
    cards.sort(key=lambda one: _reading_order(one, picture.shape))
    return _judged(tuple(cards), len(heaps), expected)


def _reading_order(one: SeenPokerCard, size: tuple[int, ...]) -> tuple[int, float]:
    x, y = np.mean(one.quad, axis=0)
    return int(y / (0.25 * size[0])), float(x)


def _judged(cards: tuple[SeenPokerCard, ...], heaps: int, expected: int | None) -> PokerReading:
    there = "no card" if not cards else f"{number_word(len(cards))} card{'' if len(cards) == 1 else 's'}"
    heap = "something light lies there that may be cards over one another; lay them apart"
    if expected is not None and len(cards) != expected:
        told = f"{there}, {number_word(expected)} expected"
        return PokerReading(Verdict.REJECTED, f"{told}; {heap}" if heaps else told, cards)
    if not cards:
        return PokerReading(Verdict.REJECTED, heap if heaps else there, cards)
    doubts = [f"{one.card.name if one.card else 'a card'} {one.doubt}" for one in cards if one.doubt]
    twice = [one.card for one in cards if one.card and sum(other.card == one.card for other in cards) > 1]
    if twice:
        doubts.append(f"the {twice[0].name} is seen twice")
    return PokerReading(Verdict.ASK if doubts else Verdict.ACCEPTED, "; ".join(doubts), cards)


@lru_cache(maxsize=1)
def _network() -> Network:
    return Network(shipped("models", MODEL), ("rank", "suit"))


@dataclass(frozen=True)
class _Way:
    """A card in one of its turns: its corners clockwise from an index, and what its two index corners say."""

    quad: Points
    ranks: Floats
    """(2, 14): of the upper left corner and of the opposite one."""
    suits: Floats
    """(2, 5)."""
    red: tuple[float, float]

    @property
    def seen(self) -> float:
        """How much both corners look like indices."""
        return float((2 - self.ranks[:, -1].sum()) + 0.5 * np.sort(self.ranks[:, :-1].max(axis=1))[-1])


def _read(picture: Picture, found: Sequence[FoundCard]) -> list[SeenPokerCard | None]:
    """Every card that was found, read; nothing for what shows no index at all."""
    turned = [
        (at, np.roll(card.quad, -turn, axis=0))
        for at, card in enumerate(found)
        for turn in ((0, 1) if card.ratio < _MISTAKABLE else (0,))
    ]
    if not turned:
        return []
    corners = [corner_of(picture, np.roll(quad, -half, axis=0)) for _, quad in turned for half in (0, 2)]
    said = _network().run(network_input(corners))
    ranks, suits = _shares(said["rank"]), _shares(said["suit"])
    best: dict[int, _Way] = {}
    for row, (at, quad) in enumerate(turned):
        pair = slice(2 * row, 2 * row + 2)
        red = _redness(corners[2 * row]), _redness(corners[2 * row + 1])
        way = _Way(quad, ranks[pair], suits[pair], red)
        if at not in best or way.seen > best[at].seen:
            best[at] = way
    return [_card(way) for way in best.values()]


def _shares(values: Floats) -> Floats:
    grown = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float32)


def _redness(corner: Picture) -> float:
    """How red the ink of a corner is: about 0 for black, 0.4 and more for red."""
    seen = corner.astype(np.float32)
    seen /= np.maximum(np.quantile(seen, 0.85, axis=(0, 1)), 30)
    index = seen[:, : seen.shape[1] // 2]
    ink = index[index.min(axis=2) < 0.62]
    return float(np.clip(ink[:, 2] - ink[:, :2].mean(axis=1), 0, 1).mean()) if len(ink) > 4 else 0.0


def _card(way: _Way) -> SeenPokerCard | None:
    """What two corners say together."""
    a, b, c, d = ((float(x), float(y)) for x, y in way.quad)
    quad: Quad = (a, b, c, d)
    shows = way.ranks[:, -1] < _NOT_A_CARD
    if not shows.any():
        return None
    rank, suit = _together(way.ranks[shows, :-1]), _together(way.suits[shows, :-1])
    at, of = int(rank.argmax()), int(suit.argmax())
    card = PokerCard(1 + 13 * tuple(Suit).index(Suit(SUITS[of])) + CARD_RANKS.index(RANKS[at]))
    confidence = float(rank[at] * suit[of])
    return SeenPokerCard(card, confidence, quad, _doubt(way, shows.tolist(), at, of, confidence))


def _together(shares: Floats) -> Floats:
    """The belief in each, where corners (N, n) speak of the same card and are wrong for reasons of their own."""
    product = np.prod(np.maximum(shares, 1e-4), axis=0)
    return np.asarray(product / product.sum(), np.float32)


def _doubt(way: _Way, shows: list[bool], rank: int, suit: int, confidence: float) -> str:
    if not all(shows):
        return "shows one of its indices only"
    if set(way.ranks[:, :-1].argmax(axis=1).tolist()) != {rank}:
        return "has corners that do not say the same rank"
    if set(way.suits[:, :-1].argmax(axis=1).tolist()) != {suit}:
        return "has corners that do not say the same suit"
    if way.ranks[:, rank].min() < _LIKELY_RANK or way.suits[:, suit].min() < _LIKELY_SUIT or confidence < _SURE:
        return "is hard to read"
    red = SUITS[suit] in ("hearts", "diamonds")
    if not all((share > 0.2) == red for share in way.red):
        return "is of a colour that does not go with its suit"
    return ""
