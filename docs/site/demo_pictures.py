"""Pictures for the docs out of the demo: a printed page, cards that were scanned, dice that were read."""

from __future__ import annotations

import tempfile
from pathlib import Path

import cv2
import numpy as np

from loomtable.table.games.weave.demo.run import run_demo
from loomtable.vision.pictures import BgrImage, read_picture, write_picture

WIDEST = 1100
"""Pixels: enough for a page of documentation, small enough for a repository."""
SEED = 6


def make_demo_pictures(folder: Path) -> list[Path]:
    """Play the demo and keep what the documentation shows: a printed page, scanned cards, dice that were read."""
    with tempfile.TemporaryDirectory() as scratch:
        demo = run_demo(
            Path(scratch), seed=SEED, images=[], camera=None, tell=lambda line: None, report=lambda *_: None
        )
        seen = [Path(s["picture"]) for s in demo.seen]
        accepted = next(Path(s["picture"]) for s in demo.seen if s["says"].startswith("accepted"))
        [sheet] = Path(scratch).glob("story-cards-*-fronts.png")
        wanted = {"scanned.jpg": seen[0], "spread.jpg": seen[2], "read.jpg": accepted, "printed.jpg": sheet}
        written: list[Path] = []
        for name, source in wanted.items():
            write_picture(folder / name, _narrowed(read_picture(source)))
            written.append(folder / name)
    return written


def _narrowed(picture: BgrImage) -> BgrImage:
    height, width = picture.shape[:2]
    if width <= WIDEST:
        return picture
    size = (WIDEST, round(height * WIDEST / width))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
