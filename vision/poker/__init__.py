"""Ordinary playing cards that lie face up: rank and suit, by the indices in their corners."""

from loomtable.vision.poker.reader import PokerReading, SeenPokerCard, read_poker

__all__ = ["PokerReading", "SeenPokerCard", "read_poker"]
