"""Evenings played with photographs: ``python -m training.evenings --sources ucffool-d8``.

One photographer's pictures are the rolls of one table, in an order that is drawn anew for each evening: files are
often sorted by value. A person confirms every roll, and says what a die shows that is in doubt; a wrong die that
is not in doubt is not noticed, and is confirmed wrong. Each evening is played twice, with and without learning.
What the networks see in a picture is kept in ``--cache``, so that only the first run takes long. ``--diagram``
draws how many dice a person had to name, roll by roll.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.enrolment.confirmed import confirmed_dice
from loomtable.vision.dice.enrolment.embeddings import TURNS_PER_EXAMPLE, embeddings_of
from loomtable.vision.dice.enrolment.recall import OwnDice
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.die_kinds import Kind
from loomtable.vision.network import ModelBroken
from loomtable.vision.tray import SeenDie, TrayReading
from loomtable.vision.verdict import Verdict
from training.command import one_sentence
from training.evidence import labelled_at
from training.figures import interval, pool_of
from training.looked import Looked, load_looked, look
from training.photographs import load_photographs, photograph_folder

SOURCES = ("ucffool-d8", "low-oblique", "white-webcam", "rune55-fisheye", "rune55-trays", "many-colours", "skovy")
"""Photographers who took many pictures of the same dice."""
BORDERS = (0, 5, 10, 20, 40)
"""Rolls that are counted together in the table."""
AFTER = 10
"""Confirmed rolls after which the share of dice taken is counted."""
TOGETHER = 5
"""Rolls that are counted together in the diagram."""


@dataclass
class Played:
    """What some rolls came to."""

    rolls: int = 0
    dice: int = 0
    taken: int = 0
    """Dice that were believed without a tap."""
    wrong: int = 0
    """Those of them that were wrong."""
    taps: int = 0
    """Dice that a person had to say."""

    def add(self, dice: int, taken: int, wrong: int) -> None:
        """Count one roll."""
        self.rolls += 1
        self.dice += dice
        self.taken += taken
        self.wrong += wrong
        self.taps += dice - taken

    def __iadd__(self, other: Played) -> Played:
        self.rolls += other.rolls
        self.dice += other.dice
        self.taken += other.taken
        self.wrong += other.wrong
        self.taps += other.taps
        return self


@dataclass
class Evening:
    """One table: what its people have confirmed so far, and whether that is learned."""

    models: Models
    learns: bool
    wrong_taps: float = 0.0
    """Share of the dice that are confirmed as another number than they show."""
    chance: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    _shown: dict[Kind, list[tuple[int, Float32Array]]] = field(default_factory=dict)

    def roll(self, looked: Looked, known: dict[int, Float32Array]) -> Played:
        """Play one roll; ``known`` keeps the embeddings of crops from one evening to the next."""
        photograph, played = looked.photograph, Played()
        pool = pool_of(photograph)
        blank = np.broadcast_to(np.uint8(0), (photograph.height, photograph.width, 3))
        tray = resolve_tray(looked.as_asked(pool), blank, pool, self.models.calibration, self._own())
        if tray.verdict is Verdict.REJECTED:
            played.add(len(photograph.dice), 0, 0)
            return played
        wrong = sum(
            not die.doubt and labelled_at(photograph, die.box) != (die.name, die.value) for die in tray.dice
        )
        played.add(len(photograph.dice), sum(not die.doubt for die in tray.dice), wrong)
        if self.learns:
            self._confirm(looked, tray, known)
        return played

    def _own(self) -> OwnDice:
        return OwnDice(confirmed=tuple(confirmed_dice(kind, shown) for kind, shown in self._shown.items()))

    def _confirm(self, looked: Looked, tray: TrayReading, known: dict[int, Float32Array]) -> None:
        for die in tray.dice:
            number, kind = self._said(looked, die), die.kind
            if number is None or kind is None or die.crop is None:
                continue
            if self.chance.random() < self.wrong_taps:
                number = int(self.chance.choice([other for other in kind.numbers if other != number]))
            if id(die.crop) not in known:
                known[id(die.crop)] = embeddings_of([die.crop], self.models).reshape(TURNS_PER_EXAMPLE, -1)
            self._shown.setdefault(kind, []).append((number, known[id(die.crop)]))

    def _said(self, looked: Looked, die: SeenDie) -> int | None:
        """What a person says of a die: what it shows where it is in doubt, else what was read."""
        if not die.doubt:
            return int(die.value) if die.value is not None else None
        there = labelled_at(looked.photograph, die.box)
        return there[1] if there is not None and there[0] == die.name else None


def evenings(
    rolls: Sequence[Looked], models: Models, learns: bool, given: argparse.Namespace
) -> Iterator[tuple[int, Played]]:
    """Every roll of every evening, with its number from 0."""
    known: dict[int, Float32Array] = {}
    for seed in range(given.evenings):
        evening = Evening(models, learns, given.wrong_taps, np.random.default_rng([seed, 1]))
        order = np.random.default_rng(seed).permutation(len(rolls))[: given.rolls]
        for number, place in enumerate(order):
            yield number, evening.roll(rolls[place], known)


def together(rolls: Sequence[Played]) -> Played:
    """What several rolls came to."""
    whole = Played()
    for played in rolls:
        whole += played
    return whole


def curve(rolls: Sequence[Looked], models: Models, learns: bool, given: argparse.Namespace) -> list[Played]:
    """What the first, the second and each further roll came to, over all evenings."""
    parts = [Played() for _ in range(given.rolls)]
    for number, played in evenings(rolls, models, learns, given):
        parts[number] += played
    return parts


def draw_curves(file: Path, curves: Mapping[str, tuple[Sequence[Played], Sequence[Played]]]) -> None:
    """Draw a panel for each source: taps a roll against rolls played, without learning and with it."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    columns = min(len(curves), 4)
    rows = -(-len(curves) // columns)
    figure, panels = pyplot.subplots(rows, columns, figsize=(3.6 * columns, 2.9 * rows), squeeze=False)
    for panel, (source, (off, on)) in zip(panels.flat, curves.items(), strict=False):
        for learned, color, label in ((off, "0.6", "off"), (on, "black", "on")):
            parts = [together(learned[first : first + TOGETHER]) for first in range(0, len(learned), TOGETHER)]
            middles = [first + (TOGETHER + 1) / 2 for first in range(0, len(learned), TOGETHER)]
            taps = [part.taps / max(part.rolls, 1) for part in parts]
            panel.plot(middles, taps, marker="o", markersize=3, color=color, label=f"learning {label}")
        panel.set(title=source, xlabel="rolls played", ylabel="taps a roll", xlim=(0, len(off)))
        panel.set_ylim(0, max(panel.get_ylim()[1], 0.6))
    for panel in panels.flat[len(curves) :]:
        panel.set_visible(False)
    panels.flat[0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    pyplot.close(figure)


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m training.evenings", description=__doc__)
    parser.add_argument("--photos", type=Path, default=photograph_folder())
    parser.add_argument("--sources", default=",".join(SOURCES), help="names of sources, with commas between")
    parser.add_argument("--cache", type=Path, default=Path("output/evenings"))
    parser.add_argument("--rolls", type=int, default=BORDERS[-1], help="rolls of an evening")
    parser.add_argument("--evenings", type=int, default=5)
    parser.add_argument("--wrong-taps", type=float, default=0.0, help="share of dice that are confirmed wrongly")
    parser.add_argument("--diagram", type=Path, help="the picture to draw")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    borders = [f"{low + 1} to {high}" for low, high in pairwise(BORDERS)]
    table = Table(
        "source", "learning", *(f"taps, {b}" for b in borders), f"taken from {AFTER + 1} on", "wrong", "of"
    )
    models = load_models()
    if models is None:
        raise ModelBroken("no dice networks are installed in models/")
    curves = {}
    for source in given.sources.split(","):
        photographs = load_photographs(given.photos, (source,))
        look(photographs, models, given.cache)
        looked = load_looked(given.cache, photographs.pictures)
        curves[source] = curve(looked, models, False, given), curve(looked, models, True, given)
        for learns, rolls in zip(("off", "on"), curves[source], strict=True):
            parts = [together(rolls[low:high]) for low, high in pairwise(BORDERS)]
            late = together(rolls[AFTER:])
            low_share, high_share = interval(late.taken, late.dice)
            table.add_row(
                source if learns == "off" else "",
                learns,
                *(f"{part.taps / max(part.rolls, 1):.2f}" for part in parts),
                f"{late.taken / max(late.dice, 1):.1%} ({low_share:.1%} to {high_share:.1%})",
                str(late.wrong),
                str(late.taken),
            )
    if given.diagram is not None:
        draw_curves(given.diagram, curves)
    Console(width=150).print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
