"""Tracking dice from one roll to the next: those that stayed, those that were nudged, those that were thrown.

Some games roll only a few of the dice again. A die is known again by its place, for light changes its colours;
once it has left its place, by its kind. Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.vision.quads import Point
from loomtable.vision.tray import SeenDie

MAX_STAYED_SHIFT, MAX_NUDGED_SHIFT, MAX_PUSHED_SHIFT = 0.2, 1.1, 1.6
"""A die whose middle moved by less of its side has stayed, whatever the light now makes of it, or was nudged where
it shows the same face; a sleeve may have pushed one that is alone further."""
MOST_LOST = 16
"""Dice that are gone and are known again where they lay. Bound by time."""
MAX_TURN, MAX_GROWTH = 8.0, 0.08
"""Degrees, and share, by which the whole picture turns and grows where the camera was knocked."""


@dataclass(frozen=True)
class TrackedDie:
    """One die of the table, from roll to roll."""

    number: int
    """Its number, counted from 1 as dice appear; kept as long as it is on the table."""
    die: SeenDie


@dataclass(frozen=True)
class TrackedRoll:
    """The dice of a roll, in reading order, and what became of each since the last."""

    numbers: tuple[int, ...]
    thrown: tuple[int, ...]
    """Numbers of those that were thrown since; all of the first roll."""
    nudged: tuple[int, ...] = ()
    """Numbers of those that were only pushed: they show what they showed."""
    gone: tuple[int, ...] = ()
    """Numbers of those that are no longer there."""
    picked_up: tuple[SeenDie, ...] = ()
    """The dice of the last roll that do not lie as they lay: what was thrown, or is gone, with what it showed."""


@dataclass
class DiceTracker:
    """Keeps the dice of the last roll and matches the next one to them."""

    dice: list[TrackedDie] = field(default_factory=list)
    _lost: list[TrackedDie] = field(default_factory=list)
    """The last that are gone while something is in doubt: a mug that is read as a die may stand over them."""
    _count: int = 0

    def track(self, dice: Sequence[SeenDie], knock: Point = (0.0, 0.0)) -> TrackedRoll:
        """Which dice these are; they are kept for the next roll.

        The same faces in the same arrangement are the same roll. After a ``knock``, by which the picture has moved
        (px), a single die is one as well if it lies about where that brings it, and no die counts as thrown: where
        each of them lay is not known so closely.
        """
        seen, anew = [TrackedDie(0, die) for die in dice], any(knock)
        waiting = _same_arrangement(self.dice, dice, knock) or ([] if anew else list(self.dice))
        lost, before = [] if anew else self._lost, {old.number for old in self.dice}
        numbers = [0] * len(dice)
        stayed: dict[int, TrackedDie] = {}
        nudged: dict[int, TrackedDie] = {}
        thrown: dict[int, TrackedDie] = {}

        def take(
            known: list[TrackedDie], fits: Callable[[TrackedDie, TrackedDie], bool], into: dict[int, TrackedDie]
        ) -> None:
            """Give numbers to the dice that fit, the closest first."""
            pairs = [(_moved(old, new), k, old) for k, new in enumerate(seen) for old in known if fits(old, new)]
            for _, k, old in sorted(pairs, key=lambda pair: pair[:2]):
                if not numbers[k] and old.number not in numbers:
                    numbers[k] = old.number
                    into[old.number] = old

        # Whatever the light now makes of its colour or face, a die that lies where one lay is that one.
        take(waiting, lambda old, new: _moved(old, new) < MAX_STAYED_SHIFT, stayed)
        take(lost, lambda old, new: old.die.face == new.die.face and _moved(old, new) < MAX_STAYED_SHIFT, stayed)
        alone = len(dice) == len(waiting) == 1 and dice[0].die is not Die.COIN  # every second flip shows the same
        near = MAX_PUSHED_SHIFT if alone else MAX_NUDGED_SHIFT
        take(waiting, lambda old, new: old.die.face == new.die.face and _moved(old, new) < near, nudged)
        picked_up = tuple(old.die for old in waiting if old.number not in numbers)
        take(waiting, lambda old, new: old.die.die is new.die.die, thrown)
        for k, new in enumerate(seen):
            if not numbers[k]:
                self._count += 1
                numbers[k] = self._count
                thrown[self._count] = new
        # What stayed is what it was: whatever is read in its place may only stand over it.
        self.dice = [stayed.get(at, replace(new, number=at)) for at, new in zip(numbers, seen, strict=True)]
        there = [*stayed.values(), *nudged.values()]
        doubted = (*lost, *waiting) if any(die.doubt for die in dice) else ()
        self._lost = [old for old in doubted if all(old is not one for one in there)][-MOST_LOST:]
        gone = tuple(sorted(before - set(numbers)))
        fallen = () if anew else tuple(sorted(thrown))
        return TrackedRoll(tuple(numbers), fallen, tuple(sorted(nudged)), gone, picked_up)


def _same_arrangement(known: Sequence[TrackedDie], dice: Sequence[SeenDie], knock: Point) -> list[TrackedDie]:
    """The known dice where they lie now, if these are the same faces in the same arrangement; otherwise none."""
    if len(known) != len(dice) or len(dice) < (1 if any(knock) else 2):
        return []
    old, new = (np.array([complex(*die.centre) for die in every]) for every in ([k.die for k in known], dice))
    fits = np.array([[k.die.face == die.face for die in dice] for k in known])
    sides = np.array([max(die.box[2] - die.box[0], 1.0) for die in dice])
    if len(dice) == 1 and abs(old[0] + complex(*knock) - new[0]) > MAX_NUDGED_SHIFT * sides[0]:
        return []  # one die makes no arrangement
    far = int(np.argmax(abs(old - old[0])))
    for first, last in np.ndindex(fits.shape):
        way = (new[last] - new[first]) / (old[far] - old[0]) if far else 1.0
        if abs(abs(way) - 1) > MAX_GROWTH or abs(np.degrees(np.angle(way))) > MAX_TURN:
            continue
        place = new[first] + way * (old - old[0])
        there = fits & (abs(place[:, None] - new) < MAX_STAYED_SHIFT * sides)
        if (there.sum(axis=0) == 1).all() and (there.sum(axis=1) == 1).all():
            return [
                replace(k, die=replace(k.die, box=dice[int(at)].box))
                for k, at in zip(known, there.argmax(1), strict=True)
            ]
    return []


def _moved(old: TrackedDie, new: TrackedDie) -> float:
    """How far a die lies from where the other lay, in sides of its box."""
    left, top, right, bottom = new.die.box
    return math.dist(old.die.centre, new.die.centre) / max(right - left, bottom - top, 1.0)
