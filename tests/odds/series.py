"""The chances of Weave successes in closed form, (4 + z) / (6 - z) for a die: quick, and beside our odds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from loomtable.engine.odds.exact import ONE
from loomtable.engine.odds.weave_dice import FACES


def successes_at_least(pool: int, upto: int) -> list[Fraction]:
    """The chances of at least 0, 1, ... ``upto`` successes with all Weave dice re-rolled (WV-17).

    The fast way, in whole numbers: with ``weights[s]`` the chance of ``s`` successes times 6 ** (dice + s), a die
    more multiplies the series by (4 + z) and divides it by (6 - z), which is a sum over the weights before.
    """
    *_, weights = pools_in_turn(pool, upto)
    below, chances = 0, [ONE]
    for successes, weight in enumerate(weights):
        below = below * FACES + weight
        scale: int = FACES ** (pool + successes)
        chances.append(Fraction(scale - below, scale))
    return chances


def pools_in_turn(pool: int, below: int) -> Iterator[list[int]]:
    """For 0, 1, ... ``pool`` dice: the chances of successes below ``below``, times 6 ** (dice + successes)."""
    weights = [1] + [0] * (below - 1) if below else []
    yield weights
    for _ in range(pool):
        before = so_far = 0
        fewer, weights = weights, []
        for weight in fewer:
            so_far += 4 * weight + FACES * before
            before = weight
            weights.append(so_far)
        yield weights
