"""Ordinary playing cards that lie face up: rank and suit, by the indices in their corners."""

from loomtable.vision.poker.reader import ODD_SIGN, ONE_CORNER, PokerReading, SeenPokerCard, read_poker

__all__ = ["ODD_SIGN", "ONE_CORNER", "PokerReading", "SeenPokerCard", "read_poker"]
