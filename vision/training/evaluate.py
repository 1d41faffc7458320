"""Measure the dice reader on labelled photographs: ``python -m vision.training.evaluate``.

Each picture is read twice: *played*, where the reader knows how many d6 were asked for, as the engine does; and
*unasked*, where it knows nothing. On other dice than d6 with pips, anything accepted is a stranger accepted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from engine.kernel.errors import LoomtableError
from vision.dice.reader import look, settle
from vision.dice.reading import TrayReading
from vision.pictures import read_picture
from vision.training.photographs import (
    HELD,
    STRANGERS,
    TUNED,
    Photograph,
    Photographs,
    load_photographs,
    photograph_folder,
)
from vision.verdict import Verdict


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
        read: Counter[int | None] = Counter(int(face) for face in reading.faces)
        truth = photograph.values
        self.pictures += 1
        self.right_dice += (read & truth).total()
        self.all_dice += max(read.total(), truth.total())
        self.exact += read == truth
        if reading.verdict is Verdict.ACCEPTED:
            self.accepted += 1
            # A value read from a die that has no pips is wrong even where it happens to be the value.
            if read != truth or photograph.source in STRANGERS:
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

    @property
    def milliseconds(self) -> float:
        """Mean time of one picture, decoding left out."""
        return 1000 * self.seconds / max(self.unasked.pictures, 1)


BINS = (0.0, 0.35, 0.55, 0.75, 1.01)
"""Borders of the confidences that are counted together."""


@dataclass
class Calibration:
    """How often a die is right that was read with some confidence; dice are matched to labels by their boxes."""

    dice: list[int] = field(default_factory=lambda: [0] * (len(BINS) - 1))
    right: list[int] = field(default_factory=lambda: [0] * (len(BINS) - 1))

    def add(self, photograph: Photograph, reading: TrayReading) -> None:
        """Count the dice of one picture whose labels have boxes; a die where there is no box is wrong."""
        if any(die.box is None for die in photograph.dice):
            return
        for seen in reading.dice:
            x, y = seen.centre
            # The smallest box round the die's middle is its own: boxes of neighbours overlap.
            boxes = [
                ((x1 - x0) * (y1 - y0), die.value)
                for die in photograph.dice
                if die.box and (x0 := die.box[0]) <= x <= (x1 := die.box[2])
                if (y0 := die.box[1]) <= y <= (y1 := die.box[3])
            ]
            row = next(k for k in range(len(BINS) - 1) if seen.confidence < BINS[k + 1])
            self.dice[row] += 1
            self.right[row] += bool(boxes) and min(boxes, key=lambda box: box[0])[1] == seen.face


def measure(photographs: Photographs, calibration: Calibration) -> list[Measured]:
    """Read every picture, in both modes, and count its dice in ``calibration`` as they were read unasked.

    Raises:
        PictureUnreadable: a picture that is labelled is missing or damaged.
    """
    by_source: dict[str, Measured] = {}
    progress = Console(stderr=True)
    for photograph in track(photographs.pictures, "Reading photographs", console=progress, transient=True):
        measured = by_source.setdefault(photograph.source, Measured(photograph.source))
        picture = read_picture(photographs.path(photograph))
        start = time.perf_counter()
        seen = look(picture)
        unasked = settle(seen, None)
        measured.seconds += time.perf_counter() - start
        measured.unasked.add(photograph, unasked)
        if photograph.source not in STRANGERS:
            calibration.add(photograph, unasked)
        measured.played.add(photograph, settle(seen, len(photograph.dice)))
    return list(by_source.values())


def frame_milliseconds(photographs: Photographs, frames: int = 20) -> tuple[float, float]:
    """Median and slowest tenth of the time of a frame, of pictures brought to 1280 x 720."""
    taken: list[float] = []
    step = max(len(photographs.pictures) // frames, 1)
    for photograph in photographs.pictures[::step][:frames]:
        picture = read_picture(photographs.path(photograph))
        frame = np.asarray(cv2.resize(picture, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)
        start = time.perf_counter()
        settle(look(frame), None)
        taken.append(1000 * (time.perf_counter() - start))
    return float(np.median(taken)), float(np.percentile(taken, 90))


def model_bytes() -> int:
    """Size of all learned models together; the classical reader has none."""
    return sum(model.stat().st_size for model in (Path(__file__).parents[2] / "models").glob("*.onnx"))


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
                str(figures.pictures) if first else "",
                mode,
                f"{figures.die_accuracy:.1%}",
                f"{figures.exact / max(figures.pictures, 1):.1%}",
                f"{figures.silent} of {figures.accepted}",
                f"{figures.coverage:.1%}",
                f"{row.milliseconds:.0f}" if first else "",
            )
    return table


def with_totals(rows: list[Measured]) -> list[Measured]:
    """The sources, then what they come to: tuned, held out, all d6 with pips, and strangers."""
    groups = {"TUNED": TUNED, "HELD OUT": HELD, "ALL D6 WITH PIPS": TUNED + HELD, "STRANGERS": STRANGERS}
    totals: dict[tuple[str, ...], Measured] = {}
    for name, sources in groups.items():
        members = [row for row in rows if row.source in sources]
        if len(members) > 1:
            # Where one group was measured alone, the whole is that group, and is not said twice.
            totals.setdefault(tuple(row.source for row in members), _total(name, members))
    return [*rows, *totals.values()]


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m vision.training.evaluate", description=__doc__)
    parser.add_argument("--photos", type=Path, help="folder of the photographs")
    parser.add_argument("--sources", help="names of sources, with commas between")
    parser.add_argument("--split", choices=("tune", "held", "strangers"), help="one group of sources")
    parser.add_argument("--limit", type=int, help="at most so many pictures of each source")
    parser.add_argument("--threads", type=int, default=1, help="threads that OpenCV may use (1)")
    parser.add_argument("--json", action="store_true", help="figures as JSON on standard output")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the measurement; 0, or 2 with one sentence where it cannot be made."""
    asked = _arguments(argv)
    split = {"tune": TUNED, "held": HELD, "strangers": STRANGERS, None: TUNED + HELD + STRANGERS}[asked.split]
    sources = tuple(asked.sources.split(",")) if asked.sources else split
    cv2.setNumThreads(asked.threads)
    try:
        photographs = load_photographs(asked.photos or photograph_folder(), sources, asked.limit)
        calibration = Calibration()
        rows = with_totals(measure(photographs, calibration))
        median, slow = frame_milliseconds(photographs)
    except LoomtableError as error:
        print(error, file=sys.stderr)
        return 2
    if asked.json:
        frame = {"median_ms": median, "slowest_tenth_ms": slow}
        figures = [{**asdict(row), "milliseconds": row.milliseconds} for row in rows]
        extra = {"frame_1280x720": frame, "calibration": asdict(calibration), "model_bytes": model_bytes()}
        print(json.dumps({"figures": figures, **extra}, indent=2))
        return 0
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table_of(rows))
    console.print(
        f"a frame of 1280 x 720: {median:.0f} ms (slowest tenth {slow:.0f} ms), {asked.threads} thread(s)"
    )
    for low, high, dice, right in zip(BINS, BINS[1:], calibration.dice, calibration.right, strict=False):
        share = f"{right / dice:.1%}" if dice else "-"
        console.print(f"dice read with confidence {low:.2f} to {min(high, 1):.2f}: {dice}, right {share}")
    console.print(f"models: {model_bytes() / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
