"""Figures of a dice reader on labelled photographs, as they add up: die by die, picture by picture, source by
source."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field

from loomtable.engine.kernel.dice import Die
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pool import Pool
from loomtable.vision.training.evidence import boxed, labelled_at
from loomtable.vision.training.photographs import Photograph
from loomtable.vision.tray import TrayReading
from loomtable.vision.verdict import Verdict

LEVELS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995)
"""Thresholds at which the curve of coverage and silent errors is taken."""


@dataclass
class Figures:
    """The figures of one source in one mode, as they add up."""

    pictures: int = 0
    right_dice: int = 0
    all_dice: int = 0
    exact: int = 0
    accepted: int = 0
    silent: int = 0
    """Accepted pictures whose values are wrong."""
    silent_pictures: list[str] = field(default_factory=list)

    def add(self, photograph: Photograph, reading: TrayReading) -> None:
        """Count one picture: values right are the common part of the labelled and the read multiset."""
        read = Counter((die.die, die.value) for die in reading.dice)
        truth = photograph.values
        self.pictures += 1
        common = read & truth
        for die in Die:
            del common[(die, None)]
        self.right_dice += common.total()
        self.all_dice += max(read.total(), truth.total())
        self.exact += read == truth
        if reading.verdict is Verdict.ACCEPTED:
            self.accepted += 1
            if read != truth:
                self.silent += 1
                self.silent_pictures.append(photograph.image)

    def __add__(self, other: Figures) -> Figures:
        mine, theirs = asdict(self), asdict(other)
        return Figures(**{name: mine[name] + theirs[name] for name in mine})

    @property
    def die_accuracy(self) -> float:
        """Values right over the larger of dice there and dice reported, 0 to 1."""
        return self.right_dice / max(self.all_dice, 1)

    @property
    def coverage(self) -> float:
        """Share of pictures accepted."""
        return self.accepted / max(self.pictures, 1)


@dataclass
class Measured:
    """Both modes of one source, the curve over thresholds, and how long a picture took."""

    source: str
    played: Figures = field(default_factory=Figures)
    unasked: Figures = field(default_factory=Figures)
    curve: dict[float, tuple[int, int]] = field(default_factory=lambda: dict.fromkeys(LEVELS, (0, 0)))
    """Played: how many pictures are accepted at each threshold, and how many of these wrongly."""
    seconds: float = 0.0

    @property
    def milliseconds(self) -> float:
        """Mean time of one picture, decoding left out."""
        return 1000 * self.seconds / max(self.unasked.pictures, 1)


BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)
"""Borders of the confidences that are counted together."""


@dataclass
class Reliability:
    """How often a die is right that was read with some confidence; dice are matched to labels by their boxes."""

    dice: list[int] = field(default_factory=lambda: [0] * (len(BINS) - 1))
    right: list[int] = field(default_factory=lambda: [0] * (len(BINS) - 1))

    def add(self, photograph: Photograph, reading: TrayReading) -> None:
        """Count the dice of one picture; a die where there is no label is wrong."""
        for one in reading.dice:
            truth = labelled_at(photograph, one.box)
            if truth is None and not boxed(photograph):
                return
            row = next(k for k in range(len(BINS) - 1) if one.confidence < BINS[k + 1])
            self.dice[row] += 1
            self.right[row] += truth is not None and truth == (one.name, one.value)


def pool_of(photograph: Photograph) -> Pool:
    """What is asked for where a photograph is played."""
    return Pool.lying(Kind(die.kind).die for die in photograph.dice)


def interval(hits: int, tries: int) -> tuple[float, float]:
    """Between which shares the true one lies in 95 of 100 cases (Wilson), 0 to 1."""
    if not tries:
        return 0.0, 1.0
    z, share = 1.96, hits / tries
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    reach = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries)) / (1 + z * z / tries)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)
