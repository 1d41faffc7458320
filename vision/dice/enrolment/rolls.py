"""Keeping what people confirm at the table: one file for each kind of dice, with crops of the faces that lay up.

On unless it is switched off. The crops stay on this machine, the newest of each face; they can be looked at and
forgotten. ``confirmed.py`` says how little a single one of them counts.
"""

from __future__ import annotations

import threading

import msgspec
import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.enrolment.confirmed import ConfirmedDice, OwnDice, confirmed_dice
from loomtable.vision.dice.enrolment.embeddings import (
    TURNS_PER_EXAMPLE,
    as_png,
    embeddings_of,
    fingerprint_of,
    picture_of_png,
)
from loomtable.vision.dice.enrolment.own_layout import learn_layouts
from loomtable.vision.dice.enrolment.storage import (
    kept_file,
    kept_files,
    learns_from_rolls,
    read_kept,
    write_kept,
)
from loomtable.vision.dice.layouts import LearnedLayout
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tray import TrayReading

KIND = "confirmed"
MOST_OF_A_FACE = 24
"""So many crops of each face are kept, the newest. Set by hand: some evenings' worth, and under 2 MB a kind."""
_writing = threading.Lock()


class ConfirmedExample(msgspec.Struct, frozen=True):
    """One die of a confirmed roll."""

    number: int
    """The printed number that lay up, as a person has it."""
    png: bytes
    """The crop, 96 pixels wide."""
    seen: bytes = b""
    """What was read on its faces (``LayoutReading.seen``), float16; empty where that was not looked for."""

    def faces(self, kind: Kind) -> Float32Array:
        """The same as numbers."""
        of = len(kind.numbers)
        return np.frombuffer(self.seen, np.float16).reshape(of, -1, of).astype(np.float32)


class ConfirmedRolls(msgspec.Struct, frozen=True):
    """What the file of a kind of dice holds."""

    kind: Kind
    shots: tuple[ConfirmedExample, ...]
    network: str
    """Fingerprint of the network that made ``examples``."""
    examples: bytes
    """The ``TURNS_PER_EXAMPLE`` embeddings of each shot, float32."""
    layouts: tuple[LearnedLayout, ...] = ()
    """How those are laid out that fit no layout that is known."""

    def __post_init__(self) -> None:
        of = len(self.kind.numbers)
        if any(len(s.seen) % (2 * of * of) for s in self.shots) or any(len(o.marks) != of for o in self.layouts):
            raise ValueError(f"its faces are not those of a {self.kind.label}")

    @property
    def faces(self) -> tuple[int, ...]:
        """The printed numbers that were confirmed."""
        return tuple(sorted({shot.number for shot in self.shots}))

    @property
    def words(self) -> str:
        """What was learned, in a line for people."""
        pictures = "one picture" if len(self.shots) == 1 else f"{len(self.shots)} pictures"
        of_faces = f"{self.kind.label}: {pictures} of {len(self.faces)} of {len(self.kind.numbers)} faces"
        known = [sum(number >= 0 for number, _ in layout.marks) for layout in self.layouts]
        return of_faces + "".join(f"; a layout of your own, {count} faces known" for count in known)

    def sheet(self) -> BgrImage:
        """All pictures, a row for each face."""
        rows = [[picture_of_png(s.png) for s in self.shots if s.number == number] for number in self.faces]
        side = rows[0][0].shape[0]
        sheet = np.full((side * len(rows), side * max(map(len, rows)), 3), 255, np.uint8)
        for y, row in enumerate(rows):
            sheet[side * y : side * (y + 1), : side * len(row)] = np.hstack(row)
        return sheet


def learn_roll(tray: TrayReading) -> int:
    """Keep the dice of a tray that a person has confirmed; how many were kept.

    Raises:
        ContentInvalid: a file is damaged.
    """
    networks = load_models()
    if networks is None or not learns_from_rolls():
        return 0
    shown: dict[Kind, list[ConfirmedExample]] = {}
    for die in tray.dice:
        kind = die.kind
        if kind is not None and die.crop is not None:
            seen = b"" if die.seen is None else die.seen.astype(np.float16).tobytes()
            shown.setdefault(kind, []).append(ConfirmedExample(kind.printed(die.face), as_png(die.crop), seen))
    with _writing:
        for kind, shots in shown.items():
            file = kept_file(kind.value, KIND)
            before = read_kept(file, ConfirmedRolls) if file.exists() else ConfirmedRolls(kind, (), "", b"")
            write_kept(file, _with_embeddings(before, _newest([*before.shots, *shots]), networks))
    return sum(map(len, shown.values()))


def confirmed_rolls() -> list[ConfirmedRolls]:
    """What was confirmed, by kind.

    Raises:
        ContentInvalid: a file is damaged.
    """
    return [read_kept(file, ConfirmedRolls) for file in kept_files(KIND)]


def forget_rolls() -> None:
    """Forget every confirmed roll, damaged files too, and what earlier versions kept of coins."""
    with _writing:
        for file in (*kept_files(KIND), *kept_files("flips")):
            file.unlink(missing_ok=True)


def own_dice() -> OwnDice:
    """The dice that people confirmed on this machine, ready to be known again; none where that is switched off, or
    no networks are installed.

    Raises:
        ContentInvalid: a file is damaged.
    """
    rolls = confirmed_rolls() if learns_from_rolls() else []
    networks = load_models() if rolls else None
    dice = () if networks is None else tuple(_known(kept, networks) for kept in rolls)
    return OwnDice(dice, tuple(layout for kept in rolls for layout in kept.layouts))


def _newest(shots: list[ConfirmedExample]) -> tuple[ConfirmedExample, ...]:
    """The shots in their order, of each face the last ``MOST_OF_A_FACE``."""
    kept: list[ConfirmedExample] = []
    for shot in reversed(shots):
        if sum(other.number == shot.number for other in kept) < MOST_OF_A_FACE:
            kept.append(shot)
    return tuple(reversed(kept))


def _with_embeddings(
    before: ConfirmedRolls, shots: tuple[ConfirmedExample, ...], models: Models
) -> ConfirmedRolls:
    """The shots with their embeddings; those that the same network has made already are not made again."""
    network = fingerprint_of(models.reader.path)
    made: dict[bytes, bytes] = {}
    if before.network == network:
        size = len(before.examples) // len(before.shots)
        made = {shot.png: before.examples[k * size : (k + 1) * size] for k, shot in enumerate(before.shots)}
    missing = [shot.png for shot in shots if shot.png not in made]
    if missing:
        new = embeddings_of([picture_of_png(png) for png in missing], models).astype(np.float32)
        made |= {png: rows.tobytes() for png, rows in zip(missing, np.split(new, len(missing)), strict=True)}
    agreed = [(before.kind.numbers.index(shot.number), shot.faces(before.kind)) for shot in shots if shot.seen]
    layouts = learn_layouts(before.kind, agreed)
    return ConfirmedRolls(before.kind, shots, network, b"".join(made[shot.png] for shot in shots), layouts)


def _known(kept: ConfirmedRolls, models: Models) -> ConfirmedDice:
    if kept.network != fingerprint_of(models.reader.path):
        kept = _with_embeddings(kept, kept.shots, models)
    rows = np.frombuffer(kept.examples, np.float32).reshape(len(kept.shots), TURNS_PER_EXAMPLE, -1)
    return confirmed_dice(kept.kind, [(shot.number, row) for shot, row in zip(kept.shots, rows, strict=True)])
