"""Figures of a dice reader on labelled photographs, as they add up: die by die, picture by picture, source by
source."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from rich.table import Table

from loomtable.engine.kernel.dice import Die
from loomtable.vision.arrays import Float64Array
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pool import Pool
from loomtable.vision.tray import TrayReading
from loomtable.vision.verdict import Verdict
from training.evidence import boxed, labelled_at
from training.photographs import HELD, STRANGERS, TUNED, UNSEEN, Labelled


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

    def add(self, photograph: Labelled, reading: TrayReading) -> None:
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
    """Both modes of one source, and how long a picture took."""

    source: str
    played: Figures = field(default_factory=Figures)
    unasked: Figures = field(default_factory=Figures)
    seconds: float = 0.0
    judged: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence of each die as it was played, and whether it is right."""

    @property
    def milliseconds(self) -> float:
        """Mean time of one picture, decoding left out."""
        return 1000 * self.seconds / max(self.unasked.pictures, 1)


BORDERS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
"""Borders of the confidences that are counted together, closer where it matters."""


def reliability(said: Float64Array, right: npt.NDArray[np.bool_]) -> Table:
    """How often what was read with some confidence is right: (n,) confidences, and whether each is right."""
    table = Table("confidence", "dice", "right")
    place = np.clip(np.searchsorted(BORDERS, said, side="right") - 1, 0, len(BORDERS) - 2)
    off = 0.0
    for number, (low, high) in enumerate(pairwise(BORDERS)):
        mine = place == number
        if mine.any():
            table.add_row(f"{low:g} to {high:g}", str(mine.sum()), f"{right[mine].mean():.1%}")
            off += abs(float(said[mine].mean() - right[mine].mean())) * float(mine.mean())
    table.caption = f"off by {100 * off:.1f} points on average"
    return table


def judged(photograph: Labelled, reading: TrayReading) -> list[tuple[float, bool]]:
    """Confidence of each die of a picture, and whether it is right; a die where there is no label is wrong."""
    truths = [(die, labelled_at(photograph, die.box)) for die in reading.dice]
    known = boxed(photograph)
    return [
        (die.confidence, truth == (die.name, die.value)) for die, truth in truths if truth is not None or known
    ]


def pool_of(photograph: Labelled) -> Pool:
    """What is asked for where a photograph is played."""
    return Pool.lying(Kind(die.kind).die for die in photograph.dice)


def within(hits: int, tries: int) -> str:
    """Between which percentages the true share lies, as tables say it."""
    if not tries:
        return ""
    low, high = (100 * share for share in interval(hits, tries))
    return f" ({low:.1f} to {high:.1f})"


def interval(hits: int, tries: int) -> tuple[float, float]:
    """Between which shares the true one lies in 95 of 100 cases (Wilson), 0 to 1."""
    if not tries:
        return 0.0, 1.0
    z, share = 1.96, hits / tries
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    reach = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries)) / (1 + z * z / tries)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def _total(name: str, rows: Iterable[Measured]) -> Measured:
    total = Measured(name)
    for row in rows:
        total.played += row.played
        total.unasked += row.unasked
        total.seconds += row.seconds
    return total


def table_of(measured: Sequence[Measured]) -> Table:
    """The figures as people read them."""
    table = Table("source", "pictures", "mode", "die accuracy", "picture exact", "silent errors", "coverage", "ms")
    for row in measured:
        for mode, figures in (("played", row.played), ("unasked", row.unasked)):
            first = mode == "played"
            table.add_row(
                row.source if first else "",
                str(row.unasked.pictures) if first else "",
                mode,
                f"{figures.die_accuracy:.1%}",
                f"{figures.exact / max(figures.pictures, 1):.1%}",
                f"{figures.silent} of {figures.accepted}{within(figures.silent, figures.accepted)}",
                f"{figures.coverage:.1%}{within(figures.accepted, figures.pictures)}",
                f"{row.milliseconds:.0f}" if first else "",
            )
    return table


def with_totals(rows: list[Measured]) -> list[Measured]:
    """The sources, then what they come to: d6 with pips, d10, all others, and those that
    no network learns from."""
    d10 = tuple(source for source in STRANGERS if source.startswith("d10"))
    others = tuple(source for source in STRANGERS if source not in d10)
    groups = {"D6 WITH PIPS": TUNED + HELD, "D10": d10, "OTHER DICE": others, "NEVER LEARNED FROM": UNSEEN}
    totals: dict[tuple[str, ...], Measured] = {}
    for name, sources in groups.items():
        members = [row for row in rows if row.source in sources]
        if len(members) > 1:
            # Where one group was measured alone, the whole is that group, and is not said twice.
            totals.setdefault(tuple(row.source for row in members), _total(name, members))
    return [*rows, *totals.values()]
