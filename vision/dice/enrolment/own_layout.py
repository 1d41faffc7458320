"""How a person's own die is laid out, learned from rolls that they agreed to.

Of each such roll it is known what lies up, since a person said so, and what is read on the faces beside it
(``LayoutReading.seen``). Rolls are laid over each other, each in the one way of all that its solid allows in which
what is read fits together, and then say of every face what stands there. That is expectation maximisation over the
ways in which the rolls lie, where no roll counts in what it is laid over.

Numbers here are set by hand while looking at drawn dice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.layouts import (
    MIN_ALONE,
    MIN_LEAD,
    MIN_SCORE,
    Hypotheses,
    LearnedLayout,
    hypotheses,
    rotations,
    ways_of,
)
from loomtable.vision.die_kinds import Kind

MIN_ROLLS, MIN_READ = 6, 2
"""Rolls that a layout takes at least, and in how many of them a face must be read alike before it is known."""
MIN_FACE_LEAD = 5.0
"""How much likelier, nats, one way to lay a roll over others must be than the next, and one number on a face."""
RIGHT_TO_WRONG = 5
"""Rolls that a layout must read rightly for each that it reads wrongly, surely both."""
MOST_ROLLS, PASSES = 64, 6
"""So many rolls are laid over each other, the latest, and so often."""
NEVER = -20.0
"""Logarithm of the probability that another number lies up than a person said."""

AgreedRoll = tuple[int, Float32Array]
"""The place, among its kind's, of the number that a person says lies up; and ``LayoutReading.seen``."""


def learn_layouts(kind: Kind, agreed: Sequence[AgreedRoll]) -> tuple[LearnedLayout, ...]:
    """The layouts of those dice whose rolls, the latest last, fit none that is known, as far as these tell."""
    known = hypotheses(kind)
    if known is None:
        return ()
    strange = [roll for roll in agreed if _surely_up(known, roll[1]) != roll[0]][-MOST_ROLLS:]
    left = {place: _as_told(*roll) for place, roll in enumerate(strange)}
    found: list[LearnedLayout] = []
    for seed in reversed(range(len(strange))):
        laid = _laid_over(kind, left, seed) if seed in left else {}
        if len(laid) >= MIN_ROLLS and _holds(layout := _layout(kind, laid), agreed):
            found.append(layout)
            left = {place: roll for place, roll in left.items() if place not in laid}
    return tuple(found)


def _surely_up(ways: Hypotheses, seen: Float32Array) -> int | None:
    """The place of the number that surely lies up; nothing where none does."""
    upper = ways.upper(ways.fits(seen).sum(axis=1))
    second, first = np.sort(upper)[-2:].tolist()
    return int(upper.argmax()) if first >= MIN_SCORE and first - second >= MIN_LEAD else None


def _as_told(number: int, seen: Float32Array) -> Float32Array:
    told = seen.copy()
    told[0, :, np.arange(seen.shape[2]) != number] = NEVER
    return told


def _holds(layout: LearnedLayout, agreed: Sequence[AgreedRoll]) -> bool:
    """Whether nearly all rolls that it surely reads are read as a person did: the right layout reads some wrongly,
    where by the camera's pose a face beside the upper one is up."""
    ways = ways_of(layout)
    read = [(_surely_up(ways, seen), number) for number, seen in agreed]
    right = sum(up == number for up, number in read)
    return right > RIGHT_TO_WRONG * sum(up not in (None, number) for up, number in read)


def _laid_over(kind: Kind, rolls: Mapping[int, Float32Array], seed: int) -> dict[int, Float32Array]:
    """The rolls of the die of one of them, each as it reads once that die is turned as it lay then."""
    from_, turned = rotations(kind)
    laid, lain = {seed: rolls[seed]}, {seed: 0}
    for _ in range(PASSES):
        total, found = np.sum(list(laid.values()), axis=0), dict[int, int]()
        for place, roll in rolls.items():
            others = total - laid[place] if place in laid and len(laid) > 1 else total
            shares = np.exp(others - others.max(axis=(1, 2), keepdims=True))
            shares /= shares.sum(axis=(1, 2), keepdims=True)
            steps, chances = np.arange(roll.shape[1]), np.exp(roll)
            expected = shares[from_[:, :, None], (steps - turned[:, :, None]) % len(steps)]
            fits = np.log(np.einsum("kftn,ftn->kf", expected, chances)).sum(axis=1)
            second, first = np.sort(fits)[-2:].tolist()
            if first - second >= MIN_FACE_LEAD and first > float(np.log(chances.mean(axis=(1, 2))).sum()):
                found[place] = int(fits.argmax())
        if found == lain or not found:
            break
        lain = found
        laid = {place: np.empty_like(rolls[place]) for place in found}
        for place, way in found.items():
            at = (np.arange(rolls[place].shape[1]) + turned[way][:, None]) % rolls[place].shape[1]
            laid[place][from_[way]] = rolls[place][np.arange(len(from_[way]))[:, None], at]
    return laid


def _layout(kind: Kind, laid: Mapping[int, Float32Array]) -> LearnedLayout:
    """What stands on each face of a die whose rolls are laid over each other, where that is sure."""
    each = np.stack([roll.reshape(len(roll), -1) for roll in laid.values()])
    total = each.sum(axis=0)
    best, ranked = total.argmax(axis=1), np.sort(total, axis=1)
    alike = (each[:, np.arange(len(best)), best] >= math.log(MIN_ALONE)) & each.any(axis=2)
    sure = (ranked[:, -1] - ranked[:, -2] >= MIN_FACE_LEAD) & (alike.sum(axis=0) >= MIN_READ)
    turns, numbers = np.divmod(best, len(kind.numbers))
    sure &= np.bincount(numbers[sure], minlength=len(kind.numbers))[numbers] == 1
    marks = zip(np.where(sure, numbers, -1).tolist(), np.where(sure, turns, -1).tolist(), strict=True)
    return LearnedLayout(kind, tuple(marks))
