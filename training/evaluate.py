"""Measure the dice reader on labelled photographs: ``python -m training.evaluate``.

Each picture is read twice: *played*, where the reader knows which dice were asked for, as the engine does; and
*unasked*, where it knows nothing.
``--evening`` takes each source's pictures, when played, for rolls before one camera that is not moved.
``--without CUE`` leaves a cue out, and shows every source with all cues and without this one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.dice.cues import CUES, Cue, gather_evidence, without
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.network import ModelBroken
from loomtable.vision.pictures import read_picture
from training.command import one_sentence
from training.figures import (
    Measured,
    judged,
    pool_of,
    reliability,
    table_of,
    with_totals,
)
from training.photographs import (
    HELD,
    STRANGERS,
    TUNED,
    Photographs,
    load_photographs,
    photograph_folder,
)


def measure(
    photographs: Photographs, models: Models, cues: Sequence[Cue] = CUES, *, evening: bool = False
) -> list[Measured]:
    """Read every picture by some cues, in both modes; in an ``evening`` played rolls tell the next how the camera
    stands.

    Raises:
        PictureUnreadable: a picture that is labelled is missing or damaged.
    """
    by_source: dict[str, Measured] = {}
    cameras: dict[str, CameraPose] = {}
    progress = Console(stderr=True)
    for photograph in track(photographs.pictures, "Reading photographs", console=progress, transient=True):
        measured = by_source.setdefault(photograph.source, Measured(photograph.source))
        picture = read_picture(photographs.path(photograph))
        start = time.perf_counter()
        dice = gather_evidence(picture, None, models, cues=cues).dice
        measured.unasked.add(photograph, resolve_tray(dice, picture, None, models.calibration))
        measured.seconds += time.perf_counter() - start
        pool = pool_of(photograph)
        evidence = gather_evidence(picture, pool, models, earlier=cameras.get(photograph.source), cues=cues)
        if evening and evidence.camera is not None and evidence.camera.dice:
            cameras[photograph.source] = evidence.camera
        reading = resolve_tray(evidence.dice, picture, pool, models.calibration)
        measured.played.add(photograph, reading)
        measured.judged += judged(photograph, reading)
    return list(by_source.values())


def frame_milliseconds(photographs: Photographs, models: Models, frames: int = 20) -> tuple[float, float]:
    """Median and slowest tenth of the time of a frame, of pictures brought to 1280 x 720."""
    taken: list[float] = []
    step = max(len(photographs.pictures) // frames, 1)
    for photograph in photographs.pictures[::step][:frames]:
        picture = read_picture(photographs.path(photograph))
        frame = np.asarray(cv2.resize(picture, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)
        start = time.perf_counter()
        pool = pool_of(photograph)
        resolve_tray(gather_evidence(frame, pool, models).dice, frame, pool, models.calibration)
        taken.append(1000 * (time.perf_counter() - start))
    return float(np.median(taken)), float(np.percentile(taken, 90))


def model_bytes(folder: Path) -> int:
    """Size of all networks together."""
    return sum(model.stat().st_size for model in folder.glob("dice_*.onnx"))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description=__doc__)
    parser.add_argument("--photos", type=Path, help="folder of the photographs")
    parser.add_argument("--models", type=Path, help="folder of the networks (the shipped ones)")
    parser.add_argument("--sources", help="names of sources, with commas between")
    parser.add_argument("--split", choices=("tune", "held", "strangers"), help="one group of sources")
    parser.add_argument(
        "--without",
        metavar="CUE",
        action="append",
        default=[],
        help="leave out a cue, and show what it is worth",
    )
    parser.add_argument("--evening", action="store_true", help="each source is one evening before one camera")
    parser.add_argument("--limit", type=int, help="at most so many pictures of each source")
    parser.add_argument("--threads", type=int, default=1, help="threads that OpenCV may use (1)")
    parser.add_argument("--json", action="store_true", help="figures as JSON on standard output")
    return parser.parse_args(argv)


@one_sentence
def main(argv: Sequence[str] | None = None) -> int:
    """Run the measurement; 0, or 2 with one sentence where it cannot be made."""
    asked = _arguments(argv)
    split = {"tune": TUNED, "held": HELD, "strangers": STRANGERS, None: TUNED + HELD + STRANGERS}[asked.split]
    sources = tuple(asked.sources.split(",")) if asked.sources else split
    cv2.setNumThreads(asked.threads)
    photographs = load_photographs(asked.photos or photograph_folder(), sources, asked.limit)
    models = load_models(asked.models)
    if models is None:
        raise ModelBroken(f"no dice networks in {asked.models or 'models'}; name their folder with --models")
    console = Console(width=None if sys.stdout.isatty() else 140)
    if asked.without:
        rows, fewer = (with_totals(measure(photographs, models, cues)) for cues in (CUES, without(*asked.without)))
        console.print(ablation_table(rows, fewer, asked.without))
        return 0
    measured = measure(photographs, models, evening=asked.evening)
    rows = with_totals(measured)
    median, slow = frame_milliseconds(photographs, models)
    size = model_bytes(models.reader.path.parent)
    if asked.json:
        frame = {"median_ms": median, "slowest_tenth_ms": slow}
        figures = [{**asdict(row), "milliseconds": row.milliseconds} for row in rows]
        print(json.dumps({"figures": figures, "frame_1280x720": frame, "model_bytes": size}, indent=2))
        return 0
    console.print(table_of(rows))
    console.print(
        f"a frame of 1280 x 720: {median:.0f} ms (slowest tenth {slow:.0f} ms), {asked.threads} thread(s)"
    )
    dice = np.array([die for row in measured for die in row.judged], float).reshape(-1, 2)
    console.print(reliability(dice[:, 0], dice[:, 1] == 1))
    console.print(f"models: {size / 1e6:.1f} MB")
    return 0


def ablation_table(rows: Sequence[Measured], fewer: Sequence[Measured], left_out: Sequence[str]) -> Table:
    """Every source with all cues, and without some of them."""
    table = Table("source", "mode", "pictures", "right", "accepted", "wrong", "right", "accepted", "wrong")
    table.title = f"with all cues, and without {' and '.join(left_out)}"
    for whole, less in zip(rows, fewer, strict=True):
        modes = {"played": (whole.played, less.played), "unasked": (whole.unasked, less.unasked)}
        for mode, pair in modes.items():
            cells = [
                cell for row in pair for cell in (f"{row.die_accuracy:.1%}", f"{row.accepted}", f"{row.silent}")
            ]
            table.add_row(whole.source if mode == "played" else "", mode, str(pair[0].pictures), *cells)
    return table


if __name__ == "__main__":
    sys.exit(main())
