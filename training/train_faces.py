"""What the network learns from that reads one face of a die, laid flat.

Of a rendered scene it is known where every face of every die lies and what stands on it, so each face that the
camera sees at all is something to learn from, not the upper one alone. It is cut out upright, and shown turned in
any way, off its middle, stretched, in other colours and through a worse camera. Upright, it is to be told what
stands there; turned further, or far off the middle, that nothing can be read so: the reader turns a face in steps,
and asks which one says something.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - the name the field uses

from loomtable.vision.arrays import Float64Array
from loomtable.vision.dice.crops import cut
from loomtable.vision.dice.faces import FACE_ROOMS, FACE_SIDE
from loomtable.vision.dice.numerals import STRINGS
from loomtable.vision.pictures import BgrImage, read_picture
from training.augment import photographed
from training.crops import NothingToTrainOn
from training.labels import LabelledPicture, scene_pictures
from training.networks import as_taken
from training.parts import recipe_of, scene_of
from training.scenes import LaidDie, Scene
from training.shapes import CROP
from training.views import projected

BATCH = 96
PATCH, PATCH_ROOMS = 112, 1.75 * FACE_ROOMS
"""Side of a patch in pixels, and in radii of the largest circle on its face."""
LEAST_SEEN, LEAST_FACING, LEAST_ACROSS = 0.9, 0.35, 13.0
"""Share of a die in view, cosine between a face's normal and the line of sight, and pixels of a crop along its
shorter axis, from which a face is learned from."""
UPRIGHT, TURNED = 20.0, 40.0
"""Degrees up to which a numeral stands upright, and from which it does not."""
UPRIGHT_SHARE, ASTRAY_SHARE, SPOILED_SHARE = 0.6, 0.07, 0.4
"""How many crops are shown upright, far off the middle of their face, and through a worse camera."""
SHIFT, ASTRAY = 0.3, (1.1, 1.9)
"""By how much the middle is missed, in radii of the circle: a standard deviation, and what is far off."""
LEAST_SIDE = 12.0
"""Pixels in which a crop is shown at least, over ``crops.CROP_MARGIN``."""
ROW = np.dtype([("string", np.int16), ("side", np.float32)])
"""Index in ``STRINGS``; and pixels of a crop along its shorter axis."""


def face_views(scene: Scene, die: LaidDie) -> Iterator[tuple[int, Float64Array, Float64Array]]:
    """The faces of a die that its scene's camera sees: the index in ``STRINGS`` of what stands there, where its
    middle is seen (2,), and how steps on it to the right and down, as it is read, are seen (2, 2): pixels for the
    radius of its circle."""
    for face, mark in zip(die.solid.faces, die.marks, strict=True):
        normal, middle = die.turn @ face.normal, die.turn @ face.middle * die.inner + die.place
        sight = scene.camera.eye - middle
        if normal @ sight < LEAST_FACING * np.linalg.norm(sight):
            continue
        up = np.cos(mark.turn) * face.up - np.sin(mark.turn) * np.cross(face.up, face.normal)
        steps = die.turn @ np.stack([np.cross(up, face.normal), -up], axis=1) * die.inner * face.room
        seen = projected(scene.camera, np.stack([middle, *(middle + steps.T)]))
        yield STRINGS.index(mark.text), seen[0], (seen[1:] - seen[0]).T


@dataclass(frozen=True)
class Faces:
    """Patches (N, 112, 112, 3) uint8, upright, and their rows, (N,) of ``ROW``."""

    patches: npt.NDArray[np.uint8]
    rows: np.ndarray[tuple[int], np.dtype[np.void]]

    def one(self, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], int]:
        """One crop (48, 48, 3), and the index in ``STRINGS`` of what it shows upright, or one beyond them."""
        at = int(rng.integers(len(self.rows)))
        row, shown, room = self.rows[at], int(self.rows[at]["string"]), PATCH / PATCH_ROOMS
        turn, shift = float(rng.uniform(-UPRIGHT, UPRIGHT)), rng.normal(0, SHIFT, 2)
        if rng.random() > UPRIGHT_SHARE:
            turn, shown = float(rng.uniform(TURNED, 360 - TURNED)), len(STRINGS)
        if rng.random() < ASTRAY_SHARE:
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(*ASTRAY)
            shift, shown = far * np.array([np.cos(way), np.sin(way)]), len(STRINGS)
        along, by = rng.uniform(0, np.pi), np.exp(rng.uniform(-0.16, 0.16))
        axis = np.array([[np.cos(along), np.sin(along)], [-np.sin(along), np.cos(along)]])
        x, y = ((PATCH - 1) / 2 + shift * room).tolist()
        side = FACE_ROOMS * room * float(np.exp(rng.uniform(-0.2, 0.2)))
        crop = cut(self.patches[at], (x, y), side, turn, CROP, axis.T @ np.diag([by, 1 / by]) @ axis)
        taken = photographed(crop, rng, float(row["side"]) / 1.5, LEAST_SIDE, rng.random() < SPOILED_SHARE)
        return np.asarray(cv2.resize(taken, (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_AREA), np.uint8), shown


@dataclass(frozen=True)
class FaceBatch:
    """Crops (B, 48, 48, 3) uint8 and what each shows (B,), an index in ``STRINGS`` or one beyond them."""

    crops: Tensor
    shown: Tensor

    @property
    def taken(self) -> Tensor:
        """The crops as the network takes them."""
        return as_taken(self.crops)

    def loss(self, said: Tensor) -> tuple[Tensor, dict[str, float]]:
        """What is wrong with an answer, and figures for people."""
        right, upright = said.argmax(dim=1) == self.shown, self.shown < len(STRINGS)
        figures = {"read": float(right[upright].float().mean()), "none": float(right[~upright].float().mean())}
        return F.cross_entropy(said.float(), self.shown), figures


def faces_in(parts: Sequence[Path], cache: Path) -> Faces:
    """The faces in some folders of scenes, cut on the first call and read from ``cache`` after that.

    Raises:
        LoomtableError: scenes are missing or damaged, or have no numerals.
    """
    found = [_faces_of(part, cache) for part in parts]
    rows = np.concatenate([rows for _, rows in found]) if found else np.empty(0, ROW)
    if not len(rows):
        raise NothingToTrainOn("there are no numerals to learn from: name scenes with dice such as --kinds d20")
    return Faces(np.concatenate([patches for patches, _ in found]), rows)


def _faces_of(part: Path, cache: Path) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.void]]:
    about = f"{PATCH} {PATCH_ROOMS} {LEAST_SEEN} {LEAST_FACING} {LEAST_ACROSS} {part.parent.resolve()}"
    file = cache / f"faces-{part.name}-{hashlib.sha256(about.encode()).hexdigest()[:16]}.npz"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        cuts = [cut for picture in track(scene_pictures([part]), f"Cutting {part.name}") for cut in _cut(picture)]
        patches = np.array([patch for patch, _ in cuts], np.uint8).reshape(-1, PATCH, PATCH, 3)
        unfinished = file.with_suffix(".part.npz")
        np.savez(unfinished, patches=patches, rows=np.array([row for _, row in cuts], ROW))
        unfinished.replace(file)
    kept = np.load(file)
    return kept["patches"], kept["rows"]


def _cut(labelled: LabelledPicture) -> Iterator[tuple[BgrImage, tuple[int, float]]]:
    scene = scene_of(int(labelled.path.stem), recipe_of(labelled.path.parent.parent), typefaces=1)
    picture = read_picture(labelled.path)
    whole = {die.top for die in labelled.dice if die.seen >= LEAST_SEEN}
    for die in scene.dice:
        up = die.turn @ die.solid.faces[die.up_face].middle * die.inner + die.place
        (top,) = projected(scene.camera, up[None])
        if die.kind in ("d4", "d6") or tuple(round(float(part), 1) for part in top) not in whole:
            continue
        for string, (x, y), steps in face_views(scene, die):
            long, short = np.linalg.svd(steps, compute_uv=False).tolist()
            if short * FACE_ROOMS >= LEAST_ACROSS:
                patch = cut(picture, (float(x), float(y)), long * PATCH_ROOMS, 0.0, PATCH, steps / long)
                yield patch, (string, short * FACE_ROOMS)


def face_batch(faces: Faces, rng: np.random.Generator, batch: int = BATCH) -> FaceBatch:
    """A batch at random."""
    made = [faces.one(rng) for _ in range(batch)]
    crops = torch.from_numpy(np.stack([crop for crop, _ in made]))
    return FaceBatch(crops, torch.tensor([shown for _, shown in made]))
