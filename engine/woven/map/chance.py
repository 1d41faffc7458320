"""Chance for maps: the same seed gives the same map on every version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class MapChance:
    """A source of chance that follows from a text.

    It is built on ``Random.random`` alone, the one method whose numbers Python promises never to change.
    """

    def __init__(self, seed: str) -> None:
        self._next = random.Random(seed).random

    def between(self, low: float, high: float) -> float:
        """A number from ``low`` to ``high``."""
        return low + (high - low) * self._next()

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[int(self._next() * len(choices))]

    def shuffled(self, choices: Sequence[T]) -> list[T]:
        """The choices in another order."""
        keyed = [(self._next(), place) for place in range(len(choices))]
        return [choices[place] for _, place in sorted(keyed)]
