"""Evenings played with photographs: ``python -m loomtable.vision.training.evenings --sources ucffool-d8``.

One photographer's pictures are the rolls of one table, in an order that is drawn anew for each evening: files are
often sorted by value. A person confirms every roll, and says what a die shows that is in doubt; a wrong die that
is not in doubt is not noticed, and is confirmed wrong. Each evening is played twice, with and without learning.
What the networks see in a picture is kept in ``--cache``, so that only the first run takes long.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
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
from loomtable.vision.training.command import one_sentence
from loomtable.vision.training.evidence import labelled_at
from loomtable.vision.training.figures import interval, pool_of
from loomtable.vision.training.looked import Looked, load_looked, look
from loomtable.vision.training.photographs import load_photographs, photograph_folder
from loomtable.vision.tray import SeenDie, TrayReading
from loomtable.vision.verdict import Verdict

SOURCES = ("ucffool-d8", "low-oblique", "white-webcam", "rune55-fisheye", "rune55-trays", "many-colours", "skovy")
"""Photographers who took many pictures of the same dice."""
BORDERS = (0, 5, 10, 20, 40)
"""Rolls that are counted together, for the curve."""


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
        blank = np.broadcast_to(np.uint8(0), (photograph.height, photograph.width, 3))
        tray = resolve_tray(looked.found, blank, pool_of(photograph), self.models.calibration, self._own())
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


def curve(rolls: Sequence[Looked], models: Models, learns: bool, given: argparse.Namespace) -> list[Played]:
    """What the rolls between each two of ``BORDERS`` came to."""
    parts = [Played() for _ in BORDERS[1:]]
    for number, played in evenings(rolls, models, learns, given):
        place = int(np.searchsorted(BORDERS, number, side="right")) - 1
        parts[min(place, len(parts) - 1)] += played
    return parts


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m loomtable.vision.training.evenings", description=__doc__)
    parser.add_argument("--photos", type=Path, default=photograph_folder())
    parser.add_argument("--sources", default=",".join(SOURCES), help="names of sources, with commas between")
    parser.add_argument("--cache", type=Path, default=Path("output/evenings"))
    parser.add_argument("--rolls", type=int, default=BORDERS[-1], help="rolls of an evening")
    parser.add_argument("--evenings", type=int, default=5)
    parser.add_argument("--wrong-taps", type=float, default=0.0, help="share of dice that are confirmed wrongly")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    borders = [f"{low + 1} to {high}" for low, high in pairwise(BORDERS)]
    table = Table("source", "learning", *(f"taps a roll, {b}" for b in borders), "taken from 11 on", "wrong", "of")
    models = load_models()
    if models is None:
        raise ModelBroken("no dice networks are installed in models/")
    for source in given.sources.split(","):
        photographs = load_photographs(given.photos, (source,))
        look(photographs, models, given.cache)
        looked = load_looked(given.cache, photographs.pictures)
        for learns in (False, True):
            parts = curve(looked, models, learns, given)
            late = Played()
            for low, part in zip(BORDERS, parts, strict=False):
                if low >= 10:
                    late += part
            low_share, high_share = interval(late.taken, late.dice)
            table.add_row(
                "" if learns else source,
                "on" if learns else "off",
                *(f"{part.taps / max(part.rolls, 1):.2f}" for part in parts),
                f"{late.taken / max(late.dice, 1):.1%} ({low_share:.1%} to {high_share:.1%})",
                str(late.wrong),
                str(late.taken),
            )
    Console(width=150).print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
