"""Storm Weavers: how an adventure's fight may end, exactly: by which end, with what Health (SW-5, SW-15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd, lcm
from typing import NamedTuple

DEAD = -1
"""In place of an end's number: Thymin fell, and reads paragraph 225 (SW-16)."""


class FightEnding(NamedTuple):
    """An end by its place in the plan's list, or ``DEAD``, and Thymin's Health then (0 for the dead)."""

    end: int
    health: int


class Chances(NamedTuple):
    """Whole weights of what may come, and their total."""

    weights: Mapping[FightEnding, int]
    total: int


def certain(ending: FightEnding) -> Chances:
    """What comes for sure."""
    return Chances({ending: 1}, 1)


def mixed(parts: Iterable[tuple[int, Chances]], total: int) -> Chances:
    """Chances that come about in so many ways of ``total`` each."""
    listed = [(ways, part) for ways, part in parts if ways]
    common = lcm(*(part.total for _, part in listed))
    weights: dict[FightEnding, int] = {}
    for ways, part in listed:
        scale = ways * (common // part.total)
        for ending, weight in part.weights.items():
            weights[ending] = weights.get(ending, 0) + scale * weight
    return reduced(weights, common * total)


def reduced(weights: Mapping[FightEnding, int], total: int) -> Chances:
    """The same chances in smaller numbers."""
    shared = gcd(total, *weights.values())
    return Chances({ending: weight // shared for ending, weight in weights.items() if weight}, total // shared)
