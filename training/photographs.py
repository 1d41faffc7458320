"""The photographs that readers are tuned and measured on: strangers' pictures with labels, kept elsewhere.

The folder holds ``dice.jsonl``, one picture a line: ``{"image", "width", "height", "dice": [{"kind", "value",
"box"}], "source"}``; a box is x0, y0, x1, y1 in pixels, or null for a crop.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable, LoomtableError
from loomtable.vision.die_kinds import Kind

VARIABLE = "LOOMTABLE_PHOTOS"
LABELS = "dice.jsonl"
TUNED = ("many-colours", "white-webcam", "board-game", "tomitomi-crops", "rune55-fisheye", "casino-crops")
"""Sources of d6 with pips that were looked at while the reader was made."""
HELD = ("rune55-trays", "visdice", "skovy", "skovy-crops")
"""Sources of d6 with pips that were measured only."""
STRANGERS = ("d10-close-up", "dice-tower", "ucffool-d8", "ucffool-d6n", "ucffool-d4", "ucffool-d20")
"""Sources of other dice."""
UNSEEN = ("low-oblique", "kimble-dome", "ucffool-d12")
"""Sources that no shipped network has learned from."""
LEARNED_SOURCES = TUNED + HELD + STRANGERS
EVERY_SOURCE = LEARNED_SOURCES + UNSEEN


ERRATA: dict[str, dict[int, int]] = {
    "dice/casino-crops/250.jpg": {0: 6},
    "dice/many-colours/109.jpg": {9: 4},
    "dice/many-colours/145.jpg": {2: 3},
    "dice/many-colours/197.jpg": {4: 5},
    "dice/many-colours/224.jpg": {5: 6},
    "dice/many-colours/232.jpg": {2: 3},
    "dice/rune55-fisheye/018.jpg": {2: 3},
    "dice/rune55-fisheye/038.jpg": {0: 3},
    "dice/rune55-trays/080.jpg": {10: 3},
    "dice/rune55-trays/085.jpg": {18: 4},
    "dice/rune55-trays/091.jpg": {25: 4},
    "dice/rune55-trays/097.jpg": {17: 3},
    "dice/skovy/037.jpg": {0: 4},
    "dice/white-webcam/361.jpg": {2: 1},
}
"""Labels that are plainly wrong, found by looking at pictures on which a sure reader disagreed: of each picture,
what the die at a place of its list does show. Where it could be argued, the label stands."""

MISSED: dict[str, tuple[tuple[int, tuple[float, float, float, float]], ...]] = {
    "dice/many-colours/010.jpg": ((6, (98, 564, 132, 595)),),
    "dice/many-colours/053.jpg": ((3, (249, 136, 288, 169)),),
    "dice/many-colours/054.jpg": ((3, (296, 361, 330, 398)),),
    "dice/many-colours/115.jpg": ((6, (323, 347, 353, 379)),),
    "dice/many-colours/203.jpg": ((2, (301, 361, 331, 390)),),
    "dice/rune55-trays/011.jpg": ((5, (311, 121, 371, 169)),),
    "dice/rune55-trays/083.jpg": ((1, (439, 306, 481, 357)),),
    "dice/rune55-trays/088.jpg": ((5, (383, 236, 426, 284)),),
    "dice/white-webcam/395.jpg": ((2, (320, 282, 413, 385)),),
}
"""Whole d6 that plainly lie in a picture and that nobody labelled, found in the same way: value and box."""


class UnknownSource(LoomtableError):
    """No photographs of this name."""


class LabelledDie(msgspec.Struct, frozen=True):
    """One die as a person saw it."""

    kind: str
    value: int | None = None
    """What lies up; nothing where nobody has read it."""
    box: tuple[float, float, float, float] | None = None


class Labelled(msgspec.Struct, frozen=True):
    """One picture with its labels."""

    image: str
    width: int
    height: int
    dice: tuple[LabelledDie, ...]

    @property
    def source(self) -> str:
        """The folder that it comes from: one photographer's table."""
        return self.image.split("/")[1]

    @property
    def values(self) -> Counter[tuple[Die, Face | None]]:
        """How many dice of each kind show each value; a d6 is one whether it has pips or numerals."""
        return Counter((Kind(die.kind).die, die.value) for die in self.dice)


def corrected(photograph: Labelled) -> Labelled:
    """The same picture with its errata put right."""
    shown = ERRATA.get(photograph.image, {})
    dice = tuple(
        msgspec.structs.replace(die, value=shown.get(place, die.value))
        for place, die in enumerate(photograph.dice)
    )
    missed = (LabelledDie("d6", value, box) for value, box in MISSED.get(photograph.image, ()))
    return msgspec.structs.replace(photograph, dice=(*dice, *(die for die in missed if die not in dice)))


@dataclass(frozen=True)
class Photographs:
    """The labelled pictures of some sources."""

    folder: Path
    pictures: tuple[Labelled, ...]

    def path(self, photograph: Labelled) -> Path:
        """Where a picture lies."""
        return self.folder / photograph.image


def photograph_folder() -> Path:
    """Where photographs are looked for when nobody says: ``LOOMTABLE_PHOTOS``, or beside the project."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "photos"


def load_photographs(folder: Path, sources: Sequence[str], limit: int | None = None) -> Photographs:
    """The labelled pictures of ``sources``, at most ``limit`` of each, spread evenly over it.

    Raises:
        FileUnreadable: there is no such folder, or no labels in it.
        ContentInvalid: a label cannot be read; the message says in which line.
        UnknownSource: a source that the labels do not have; the message lists those they have.
    """
    by_source = _labelled(folder)
    chosen: list[Labelled] = []
    for source in sources:
        if source not in by_source:
            raise UnknownSource(f"no photographs of {source!r}; there are {', '.join(sorted(by_source))}")
        chosen += spread(by_source[source], limit)
    return Photographs(folder, tuple(chosen))


def sources_in(folder: Path) -> tuple[str, ...]:
    """The known sources of which a folder has photographs.

    Raises:
        FileUnreadable: there is no such folder, or no labels in it.
        ContentInvalid: a label cannot be read; the message says in which line.
    """
    there = _labelled(folder)
    return tuple(source for source in EVERY_SOURCE if source in there)


def _labelled(folder: Path) -> dict[str, list[Labelled]]:
    labels = folder / LABELS
    try:
        lines = labels.read_bytes().splitlines()
    except OSError:
        message = f"there are no photographs in {folder}; name their folder with --photos or {VARIABLE}"
        raise FileUnreadable(message) from None
    decoder = msgspec.json.Decoder(Labelled)
    by_source: dict[str, list[Labelled]] = {}
    for number, line in enumerate(lines, 1):
        try:
            photograph = corrected(decoder.decode(line))
        except msgspec.DecodeError as error:
            raise ContentInvalid(f"{labels}: line {number}: {error}") from None
        by_source.setdefault(photograph.source, []).append(photograph)
    return by_source


def spread(pictures: list[Any], limit: int | None) -> list[Any]:
    """At most ``limit`` of some pictures, from all over the list."""
    if limit is None or limit >= len(pictures):
        return pictures
    return [pictures[k] for k in np.linspace(0, len(pictures) - 1, limit).astype(int)]
