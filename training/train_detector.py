"""What the detector learns from, in which mixture, and how its mistakes are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from loomtable.vision.pictures import decode_picture
from training.augment_pictures import (
    VIEW,
    Crop,
    photographed_view,
    target_of,
    tiled,
    view_of,
)
from training.labels import PHOTO_SHARE, LabelledPicture, photograph_pictures, plain_pictures, scene_pictures
from training.networks import Found, as_taken

BATCH = 16
SOURCE_SHARES = {
    "many-colours": 1.4,
    "white-webcam": 1.0,
    "board-game": 1.4,
    "visdice": 1.0,
    "rune55-trays": 1.4,
    "rune55-fisheye": 0.8,
    "skovy": 0.7,
    "tomitomi-crops": 0.4,
    "d10-close-up": 0.8,
    "dice-tower": 0.8,
    "ucffool-d8": 0.4,
    "ucffool-d6n": 0.4,
    "ucffool-d4": 0.3,
    "ucffool-d20": 0.4,
    "plain-playing-cards": 0.5,
    "plain-qr": 0.4,
    "plain-coins": 0.4,
}
"""How often each source is taken, against one another. Crops that one die fills show nothing of where it lies."""


@dataclass(frozen=True)
class Gallery:
    """Pictures by source, packed as they lie on the disk, so that thousands fit in memory."""

    pictures: tuple[tuple[tuple[LabelledPicture, bytes], ...], ...]
    shares: npt.NDArray[np.float64]

    def draw(self, rng: np.random.Generator) -> tuple[LabelledPicture, bytes]:
        """A picture at random, by source first."""
        source = self.pictures[rng.choice(len(self.pictures), p=self.shares)]
        return source[rng.integers(len(source))]


def gallery_of(
    scenes: Sequence[Path],
    photos: Path | None,
    sources: Sequence[str],
    found: dict[str, list[tuple[float, float, float, float] | None]],
) -> Gallery:
    """The pictures of scenes and photographs, half of them photographs where there are both.

    Photographs in which no die has a box are left out.

    Raises:
        LoomtableError: labels or pictures are missing or damaged.
    """
    by_source: dict[str, list[LabelledPicture]] = {}
    if photos is not None:
        wanted = [source for source in sources if source in SOURCE_SHARES]
        for labelled in photograph_pictures(photos, wanted, found):
            if any(die.box is not None for die in labelled.dice):
                by_source.setdefault(labelled.source, []).append(labelled)
        for labelled in plain_pictures(photos):
            by_source.setdefault(labelled.source, []).append(labelled)
    total = sum(SOURCE_SHARES[source] for source in by_source)
    drawn = scene_pictures(scenes)
    shares = [PHOTO_SHARE * SOURCE_SHARES[source] / total for source in by_source]
    groups = list(by_source.values())
    if drawn:
        groups.append(drawn)
        shares.append(1 - PHOTO_SHARE)
    packed = tuple(tuple((labelled, labelled.path.read_bytes()) for labelled in group) for group in groups)
    return Gallery(packed, np.array(shares) / sum(shares))


@dataclass(frozen=True)
class ViewBatch:
    """Views (B, V, V, 3) uint8 and what should be answered, as in ``augment_pictures.Target``, stacked."""

    pictures: Tensor
    heat: Tensor
    counts: Tensor
    size: Tensor
    offset: Tensor
    weight: Tensor

    @property
    def taken(self) -> Tensor:
        """The views as the network takes them."""
        return as_taken(self.pictures)

    def loss(self, found: Found) -> tuple[Tensor, dict[str, float]]:
        """What is wrong with an answer, and figures for people."""
        return detector_loss(found, self)


def view_batch(gallery: Gallery, rng: np.random.Generator, batch: int = BATCH) -> ViewBatch:
    """A batch at random."""
    return batch_of([_view(gallery, rng) for _ in range(batch)])


def _view(gallery: Gallery, rng: np.random.Generator) -> Crop:
    if rng.random() < 0.25:
        view = tiled([_part(gallery, rng, VIEW // 2) for _ in range(4)])
    else:
        view = _part(gallery, rng, VIEW)
    return Crop(photographed_view(view.picture, rng), view.boxes, view.ignored, view.known)


def _part(gallery: Gallery, rng: np.random.Generator, side: int) -> Crop:
    labelled, packed = gallery.draw(rng)
    return view_of(labelled, decode_picture(packed, str(labelled.path)), rng, side)


def batch_of(views: Sequence[Crop]) -> ViewBatch:
    """Views with their targets, as tensors."""
    targets = [target_of(view) for view in views]
    names = ("heat", "counts", "size", "offset", "weight")
    stacked = [np.stack([getattr(target, name) for target in targets]) for name in names]
    return ViewBatch(*map(torch.from_numpy, [np.stack([view.picture for view in views]), *stacked]))


def detector_loss(found: Found, batch: ViewBatch) -> tuple[Tensor, dict[str, float]]:
    """Focal loss on the heat (empty cells near a die count less), distances for size and place."""
    logits = found.heat[:, 0].float()
    heat = torch.sigmoid(logits)
    there = batch.heat >= 0.999
    log, log_not = torch.nn.functional.logsigmoid(logits), torch.nn.functional.logsigmoid(-logits)
    right = (1 - heat) ** 2 * log * there
    wrong = heat**2 * log_not * (1 - batch.heat) ** 4 * batch.counts * ~there
    dice = there.sum().clamp(min=1)
    heat_loss = -(right.sum() + wrong.sum()) / dice
    weight = batch.weight[:, None]
    total = weight.sum().clamp(min=1)
    size = ((found.size.float() - batch.size).abs() * weight).sum() / total
    offset = ((found.offset.float() - batch.offset).abs() * weight).sum() / total
    figures = {
        "heat": float(heat_loss.detach()),
        "size": float(size.detach()),
        "offset": float(offset.detach()),
        "seen": float((heat[there] > 0.3).float().mean()) if bool(there.any()) else float("nan"),
    }
    return heat_loss + 1.5 * size + 0.4 * offset, figures
