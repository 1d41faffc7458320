"""What a reader saw on photographs, kept a picture at a time, so that a run can be stopped and gone on with."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import track

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.vision.dice.cues import gather_evidence
from loomtable.vision.dice.detector import worth_reading
from loomtable.vision.dice.evidence import DieEvidence
from loomtable.vision.dice.networks import Models
from loomtable.vision.pictures import read_picture
from loomtable.vision.pool import Pool
from training.figures import pool_of
from training.photographs import Labelled, Photographs, corrected


@dataclass(frozen=True)
class Looked:
    """One photograph and what a reader made of it."""

    photograph: Labelled
    found: list[DieEvidence]
    """As it was known how many dice lie there; where nobody says, the same is seen, but for the smallest dice."""

    def as_asked(self, pool: Pool | None) -> list[DieEvidence]:
        """What the reader reads of it where this pool was asked for."""
        places = worth_reading([die.detection for die in self.found], None if pool is None else pool.total)
        return [self.found[k] for k in places]


def look(photographs: Photographs, models: Models, out: Path, minutes: float | None = None) -> bool:
    """Look at every picture that was not looked at yet; whether all are done.

    Args:
        photographs: what to look at.
        models: the reader that looks.
        out: where what is seen is kept: a folder for each source, a file for each picture.
        minutes: stop after so long; the next call goes on.
    """
    begun = time.monotonic()
    waiting = [picture for picture in photographs.pictures if not _kept(out, picture).exists()]
    for done, photograph in enumerate(track(waiting, "Looking", console=Console(stderr=True), transient=True)):
        if minutes is not None and done and time.monotonic() - begun > 60 * minutes:
            return False
        # Another process may go through the same list from its other end.
        if not _kept(out, photograph).exists():
            _keep(_kept(out, photograph), look_at(photographs, photograph, models))
    return True


def look_at(photographs: Photographs, photograph: Labelled, models: Models) -> Looked:
    """What a reader makes of one picture.

    Raises:
        PictureUnreadable: it is missing or damaged.
    """
    picture = read_picture(photographs.path(photograph))
    evidence = gather_evidence(picture, pool_of(photograph), models, every=True)
    return Looked(photograph, list(evidence.dice))


def load_looked(out: Path, photographs: Iterable[Labelled] | None = None) -> list[Looked]:
    """What was seen of these photographs, or of all that were looked at, with their labels as they are now.

    Raises:
        FileUnreadable: nothing was looked at yet.
    """
    files = sorted(out.glob("*/*.pickle")) if photographs is None else (_kept(out, photo) for photo in photographs)
    looked = [_corrected(pickle.loads(file.read_bytes())) for file in files if file.exists()]
    if not looked:
        raise FileUnreadable(f"{out}: nothing was looked at yet; run training.look first")
    return looked


def _corrected(looked: Looked) -> Looked:
    return replace(looked, photograph=corrected(looked.photograph))


def _kept(out: Path, photograph: Labelled) -> Path:
    return out / photograph.source / f"{Path(photograph.image).stem}.pickle"


def _keep(file: Path, looked: Looked) -> None:
    """The file is whole at any moment."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".part")
    unfinished.write_bytes(pickle.dumps(looked))
    unfinished.replace(file)
