"""What the folds saw on the pictures that they left out, kept from one command to the next."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.vision.dice.fusion.ensemble import Evidence
from loomtable.vision.training.photographs import Photograph, corrected

DETECTIONS = "detections.pickle"


@dataclass(frozen=True)
class Looked:
    """One photograph and what a reader that never saw its photographer made of it."""

    photograph: Photograph
    found: list[Evidence]


def keep_looked(folder: Path, looked: Sequence[Looked]) -> None:
    """Keep what one fold saw; the file is whole at any moment."""
    unfinished = folder / f"{DETECTIONS}.part"
    unfinished.write_bytes(pickle.dumps(list(looked)))
    unfinished.replace(folder / DETECTIONS)


def load_looked(out: Path) -> list[Looked]:
    """What all folds under ``out`` saw on the pictures they left out.

    Raises:
        FileUnreadable: no fold has looked yet.
    """
    looked: list[Looked] = []
    for kept in sorted(out.glob(f"fold-*/{DETECTIONS}")):
        looked += [replace(one, photograph=corrected(one.photograph)) for one in pickle.loads(kept.read_bytes())]
    if not looked:
        raise FileUnreadable(f"no fold in {out} has looked yet; run vision.training.folds to the end first")
    return looked
