"""Tracking dice from one roll to the next: those that stayed, those that were nudged, those that were thrown.

Some games roll only a few of the dice again. A die is known again by its place; once it has left it, by its kind
and colour. Numbers here are set by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.pictures import BgrImage
from loomtable.vision.tray import SeenDie

Colour = npt.NDArray[np.float32]

MAX_STAYED_SHIFT, MAX_NUDGED_SHIFT = 0.2, 1.1
"""A die whose middle moved by less of its side has stayed, or was nudged where it shows the same face."""
MAX_COLOUR_DISTANCE = 28.0
"""Distance of two colours (Lab) from which they are not one die's in another light."""
SHIFT_WEIGHT = 0.05
"""What a shift by one side counts against a difference in colour by ``MAX_COLOUR_DISTANCE``."""


@dataclass(frozen=True)
class TrackedDie:
    """One die of the table, from roll to roll."""

    number: int
    """Its number, counted from 1 as dice appear; kept as long as it is on the table."""
    die: SeenDie
    colour: Colour
    """(3,): mean Lab of its middle."""


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
    _count: int = 0

    def slide(self, dx: float, dy: float) -> None:
        """Follow the camera: the dice now lie so many pixels further right and down."""
        self.dice = [replace(k, die=replace(k.die, box=_slid(k.die, dx, dy))) for k in self.dice]

    def track(self, dice: Sequence[SeenDie], picture: BgrImage) -> TrackedRoll:
        """Which dice these are; they are kept for the next roll."""
        colours = [colour_of(die, picture) for die in dice]
        waiting = list(self.dice)
        numbers: list[int | None] = [None] * len(dice)
        nudged: list[int] = []
        thrown: list[int] = []

        def take(fits: Callable[[TrackedDie, SeenDie], bool], into: list[int] | None) -> None:
            """Give numbers to the dice that fit, the closest in place and colour first."""
            pairs = [
                (_match_cost(old, die, colours[k]), k, old)
                for k, die in enumerate(dice)
                if numbers[k] is None
                for old in waiting
                if old.die.die is die.die and fits(old, die) and _has_colour(old, colours[k])
            ]
            for _, k, old in sorted(pairs, key=lambda pair: pair[:2]):
                if numbers[k] is None and any(other is old for other in waiting):
                    numbers[k] = old.number
                    waiting[:] = [other for other in waiting if other is not old]
                    if into is not None:
                        into.append(old.number)

        take(lambda old, die: old.die.face == die.face and _moved(old, die) < MAX_STAYED_SHIFT, None)
        take(lambda old, die: old.die.face == die.face and _moved(old, die) < MAX_NUDGED_SHIFT, nudged)
        picked_up = tuple(old.die for old in waiting)
        take(lambda old, die: True, thrown)
        for k in range(len(dice)):
            if numbers[k] is None:
                self._count += 1
                numbers[k] = self._count
                thrown.append(self._count)
        given = [number for number in numbers if number is not None]
        self.dice = [TrackedDie(n, die, colour) for n, die, colour in zip(given, dice, colours, strict=True)]
        gone = tuple(sorted(old.number for old in waiting))
        return TrackedRoll(tuple(given), tuple(sorted(thrown)), tuple(sorted(nudged)), gone, picked_up)


def colour_of(die: SeenDie, picture: BgrImage) -> Colour:
    """(3,): median Lab colour of the middle of a die."""
    x0, y0, x1, y1 = die.box
    height, width = picture.shape[:2]
    dx, dy = 0.2 * (x1 - x0), 0.2 * (y1 - y0)
    left, right = (int(np.clip(x, 0, width - 1)) for x in (x0 + dx, x1 - dx))
    top, bottom = (int(np.clip(y, 0, height - 1)) for y in (y0 + dy, y1 - dy))
    middle = picture[top : bottom + 1, left : right + 1]
    lab = cv2.cvtColor(middle.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    return np.asarray(np.median(lab.reshape(-1, 3), axis=0), np.float32)


def _slid(die: SeenDie, dx: float, dy: float) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = die.box
    return x0 + dx, y0 + dy, x1 + dx, y1 + dy


def _moved(old: TrackedDie, die: SeenDie) -> float:
    """How far a die lies from where the other lay, in sides of its box."""
    side = max(die.box[2] - die.box[0], die.box[3] - die.box[1], 1.0)
    return float(np.hypot(old.die.centre[0] - die.centre[0], old.die.centre[1] - die.centre[1])) / side


def _has_colour(old: TrackedDie, colour: Colour) -> bool:
    return float(np.linalg.norm(old.colour - colour)) < MAX_COLOUR_DISTANCE


def _match_cost(old: TrackedDie, die: SeenDie, colour: Colour) -> float:
    return float(np.linalg.norm(old.colour - colour)) / MAX_COLOUR_DISTANCE + SHIFT_WEIGHT * _moved(old, die)
