"""What the two readers learn from, in which mixture, and how their mistakes are counted.

A step takes so many crops from scenes and so many from photographs, then a source, a kind and a value in turn, so
that neither one photographer's table nor the commonest face dominates. Part of the crops are shown twice, changed
differently: their embeddings are drawn together, and away from all crops that show something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - the name the field uses

from training.augment import sample_of
from training.crops import UNKNOWN, Crops, crops_of
from training.labels import PHOTO_SHARE, Box, photograph_pictures, plain_pictures, scene_pictures
from training.networks import Read, as_taken
from training.shapes import KINDS

BATCH = 192
PAIRS = 32
"""Crops of a batch that are shown twice, for the embedding."""

KIND_SHARES = {"d6": 0.4, "d10": 0.22, "d100": 0.06, "d8": 0.06, "d12": 0.06, "d20": 0.06, "d6_numeral": 0.06}
"""How often a crop from the scenes is of a kind; d4 and none have what is left."""
NONE_SHARE = 0.18
"""How many crops of a photographer's table show no die."""
SOURCE_SHARES = {
    "many-colours": 1.6,
    "white-webcam": 1.0,
    "board-game": 1.2,
    "visdice": 0.8,
    "rune55-trays": 1.6,
    "rune55-fisheye": 1.0,
    "casino-crops": 0.9,
    "tomitomi-crops": 0.6,
    "skovy": 0.4,
    "skovy-crops": 0.4,
    "d10-close-up": 1.1,
    "dice-tower": 1.0,
    "ucffool-d8": 0.5,
    "ucffool-d6n": 0.5,
    "ucffool-d4": 0.2,
    "ucffool-d20": 0.5,
    "plain": 0.6,
}
"""How often each source is taken, against one another: by how many different dice and tables it shows."""

Group = npt.NDArray[np.intp]
"""(n, 2): the crops of one source that show one thing, as numbers of part and row."""


@dataclass(frozen=True)
class Mixture:
    """Where crops come from: all that were cut, and each source's groups with how often each is taken."""

    parts: tuple[Crops, ...]
    sources: tuple[tuple[tuple[Group, ...], npt.NDArray[np.float64]], ...]
    shares: npt.NDArray[np.float64]

    def draw(self, rng: np.random.Generator) -> tuple[Crops, int]:
        """A crop at random, by source, then by what it shows."""
        groups, weights = self.sources[rng.choice(len(self.sources), p=self.shares)]
        group = groups[rng.choice(len(groups), p=weights)]
        part, row = group[rng.integers(len(group))]
        return self.parts[part], int(row)


def _grouped(
    parts: Sequence[Crops], numbers: Sequence[int], scenes: bool
) -> tuple[tuple[Group, ...], npt.NDArray[np.float64]]:
    """The crops of some parts by kind and value, and how often each group is taken."""
    rows = np.concatenate([parts[number].rows for number in numbers])
    places = np.concatenate([[(number, row) for row in range(len(parts[number]))] for number in numbers])
    shown = rows["kind"].astype(int) * 100 + np.maximum(rows["pips"], rows["numeral"])
    groups, weights = [], []
    for value in np.unique(shown):
        chosen = shown == value
        number = rows["kind"][chosen][0]
        kind = KINDS[number]
        alike = len(np.unique(shown[rows["kind"] == number]))
        groups.append(places[chosen])
        # Among photographs the root: a face that is there oftener is taken oftener, but not by as much.
        weights.append(KIND_SHARES.get(kind, 0.04) / alike if scenes else float(chosen.sum()) ** 0.5)
    shares = np.array(weights)
    dice = np.array([rows["kind"][shown == value][0] != KINDS.index("none") for value in np.unique(shown)])
    if not scenes and dice.any() and not dice.all():
        shares[dice] *= (1 - NONE_SHARE) / shares[dice].sum()
        shares[~dice] *= NONE_SHARE / shares[~dice].sum()
    return tuple(groups), shares / shares.sum()


def mixture_of(
    scenes: Sequence[Path],
    photos: Path | None,
    sources: Sequence[str],
    cache: Path,
    found: Mapping[str, Sequence[Box | None]],
    alarms: Mapping[str, Sequence[Box]] | None = None,
) -> Mixture:
    """The crops of scenes and of photographs, half of them from photographs where there are both.

    ``alarms`` are places of photographs, by picture, that a detector took for dice.

    Raises:
        LoomtableError: labels or pictures are missing or damaged.
    """
    parts = [crops_of(scene_pictures([folder]), cache, f"scenes-{folder.name}") for folder in scenes]
    grouped = [_grouped(parts, range(len(parts)), scenes=True)] if parts else []
    shares = [1 - PHOTO_SHARE] if parts else []
    named: list[tuple[str, Crops]] = []
    if photos is not None:
        for source in sources:
            labelled = photograph_pictures(photos, [source], found, alarms)
            pictures = [picture for picture in labelled if any(die.box for die in picture.dice)]
            if pictures:  # Where nobody has boxed them, and no detector has looked yet, nothing can be cut.
                named.append((source, crops_of(pictures, cache, source)))
        named.append(("plain", crops_of(plain_pictures(photos, alarms), cache, "plain")))
    total = sum(SOURCE_SHARES[source] for source, _ in named)
    for source, crops in named:
        parts.append(crops)
        grouped.append(_grouped(parts, [len(parts) - 1], scenes=False))
        shares.append(PHOTO_SHARE * SOURCE_SHARES[source] / total)
    return Mixture(tuple(parts), tuple(grouped), np.array(shares) / sum(shares))


@dataclass(frozen=True)
class CropBatch:
    """Crops (B, 96, 96, 3) uint8 with their labels; the first ``2 * pairs`` are pairs of one crop each."""

    crops: Tensor
    kind: Tensor
    pips: Tensor
    numeral: Tensor
    top: Tensor
    pairs: int

    @property
    def taken(self) -> Tensor:
        """The crops as the network takes them."""
        return as_taken(self.crops)

    def loss(self, read: Read) -> tuple[Tensor, dict[str, float]]:
        """What is wrong with an answer, and figures for people."""
        return reader_loss(read, self)


def crop_batch(mixture: Mixture, rng: np.random.Generator, batch: int = BATCH, pairs: int = PAIRS) -> CropBatch:
    """A batch at random."""
    samples = []
    for number in range(batch - pairs):
        crops, index = mixture.draw(rng)
        patch, row = crops.patches[index], crops.rows[index]
        samples += [sample_of(patch, row, rng) for _ in range(2 if number < pairs else 1)]
    return CropBatch(
        torch.from_numpy(np.stack([sample.crop for sample in samples])),
        torch.tensor([sample.kind for sample in samples]),
        torch.tensor([sample.pips for sample in samples]),
        torch.tensor([sample.numeral for sample in samples]),
        torch.from_numpy(np.stack([sample.top for sample in samples])),
        pairs,
    )


def reader_loss(read: Read, batch: CropBatch) -> tuple[Tensor, dict[str, float]]:
    """What is wrong with a reader's answer: one number to make small, and figures for people."""
    kind = F.cross_entropy(read.kind.float(), batch.kind, label_smoothing=0.02)
    pips = _known(read.pips, batch.pips)
    numeral = _known(read.numeral, batch.numeral)
    placed = ~torch.isnan(batch.top)
    wanted = torch.where(placed, batch.top, read.top.float())
    top = ((read.top.float() - wanted) ** 2).sum() / placed.sum().clamp(min=1)
    alike = _alike(read.embedding, batch)
    figures = {
        "kind": float((read.kind.argmax(1) == batch.kind).float().mean()),
        "pips": _right(read.pips, batch.pips),
        "numeral": _right(read.numeral, batch.numeral),
    }
    return kind + pips + 1.2 * numeral + top + 0.25 * alike, figures


def _known(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy over the labels that are known, each as heavy as if all of the batch were."""
    known = labels != UNKNOWN
    if not bool(known.any()):
        return logits.sum() * 0
    share = known.float().mean().sqrt()
    return F.cross_entropy(logits.float()[known], labels[known], label_smoothing=0.02) * share


def _right(logits: Tensor, labels: Tensor) -> float:
    known = labels != UNKNOWN
    return float((logits.argmax(1)[known] == labels[known]).float().mean()) if bool(known.any()) else float("nan")


def _alike(embedding: Tensor, batch: CropBatch, sharpness: float = 10.0) -> Tensor:
    """Of all crops of the batch, which is the other look at this one? Those of the same value do not count."""
    count = 2 * batch.pairs
    if not count:
        return embedding.sum() * 0
    shown = (batch.kind * 1000 + batch.pips * 30 + batch.numeral)[:count]
    partner = torch.arange(count, device=embedding.device) ^ 1
    near = sharpness * embedding[:count] @ embedding[:count].T
    same = shown[:, None] == shown[None, :]
    same[torch.arange(count), partner] = False
    return F.cross_entropy(near.masked_fill(same, -1e4), partner)
