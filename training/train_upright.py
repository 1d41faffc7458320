"""What the network learns from that says which way a numeral is turned, and how its mistakes are counted.

A 6 upside down is a 9. What tells them apart is a bar or dot, or how the numeral lies on its face; both can be
seen on all numerals of made scenes, whose turn is known. Half of what it is shown are sixes and nines, where the
shape of the numeral itself says nothing. It sees no photograph, so figures on photographs are about dice it has
never seen.

It answers with a direction and how sure it is of it: a vector whose length is the concentration of a von Mises
distribution over all turns, which is what it is taught by (the likelihood of the turn that is known).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from loomtable.vision.dice.crops import cut
from loomtable.vision.dice.numerals import TURN_CROP_SIDE, TURN_CROP_WIDTH
from training.augment import SMALLEST_NUMERAL, photographed
from training.crops import PATCH, SPREAD, UNKNOWN, Crops, NothingToTrainOn, crops_of
from training.labels import scene_pictures
from training.networks import as_taken
from training.shapes import CROP

BATCH = 128
AMBIGUOUS = (6, 9)
SHARE = 0.5
"""How many of the crops show a six or a nine."""
NEAR = 45.0
"""Degrees within which a turn counts as told right."""
SHIFT = 0.07
"""By how much of the die's side the middle of its face may be missed."""


@dataclass(frozen=True)
class TurnBatch:
    """Crops (B, 56, 56, 3) uint8 and how far each numeral is turned clockwise, in radians (B,)."""

    crops: Tensor
    turns: Tensor

    @property
    def taken(self) -> Tensor:
        """The crops as the network takes them."""
        return as_taken(self.crops)

    def loss(self, said: Tensor) -> tuple[Tensor, dict[str, float]]:
        """What is wrong with an answer, and figures for people."""
        off = torch.atan2(said[:, 1], said[:, 0]).float() - self.turns
        right = torch.cos(off) > math.cos(math.radians(NEAR))
        return unlikely(said.float(), self.turns).mean(), {"turn": float(right.float().mean())}


def unlikely(said: Tensor, turns: Tensor) -> Tensor:
    """(N,) minus the logarithm of the likelihood of ``turns`` in radians (N,) by what was ``said`` (N, 2)."""
    sureness = (said**2).sum(dim=1).add(1e-6).sqrt()
    along = said[:, 0] * torch.cos(turns) + said[:, 1] * torch.sin(turns)
    return torch.log(torch.special.i0e(sureness)) + sureness - along


class Standing:
    """Crops of numerals whose turn is known, from made scenes.

    Raises:
        NothingToTrainOn: no sixes and nines are among them, or nothing else.
    """

    def __init__(self, parts: Sequence[Crops]) -> None:
        self.parts = parts
        places = []
        for number, part in enumerate(parts):
            rows = part.rows
            known = (rows["numeral"] != UNKNOWN) & np.isfinite(rows["turn"]) & np.isfinite(rows["top"][:, 0])
            places += [(number, row, int(rows["numeral"][row]) in AMBIGUOUS) for row in np.flatnonzero(known)]
        self.sixes = [(part, row) for part, row, ambiguous in places if ambiguous]
        self.others = [(part, row) for part, row, ambiguous in places if not ambiguous]
        if not (self.sixes and self.others):
            raise NothingToTrainOn(
                "there are no sixes and nines, or no other numerals, whose turn is known: name scenes with "
                "numerals, as made with --kinds d10"
            )

    def one(self, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], float]:
        """One crop (56, 56, 3), and how far its numeral is turned clockwise, in radians."""
        among = self.sixes if rng.random() < SHARE else self.others
        number, place = among[int(rng.integers(len(among)))]
        row, patch = self.parts[number].rows[place], self.parts[number].patches[place]
        turn = float(rng.uniform(-180, 180))
        side = PATCH / SPREAD
        middle = (PATCH - 1) / 2 + row["top"] * side + rng.uniform(-SHIFT, SHIFT, 2) * side
        width = TURN_CROP_WIDTH * side * float(np.exp(rng.uniform(-0.2, 0.2)))
        crop = cut(np.asarray(patch), (float(middle[0]), float(middle[1])), width, turn - float(row["turn"]), CROP)
        taken = photographed(
            crop, rng, float(row["side"]) / TURN_CROP_WIDTH, SMALLEST_NUMERAL * 1.6, rng.random() < 0.5
        )
        return np.asarray(
            cv2.resize(taken, (TURN_CROP_SIDE, TURN_CROP_SIDE), interpolation=cv2.INTER_AREA), np.uint8
        ), math.radians(turn)


def standing_in(scenes: Sequence[Path], cache: Path) -> Standing:
    """The numerals of some folders of scenes.

    Raises:
        LoomtableError: scenes are missing or damaged, or have no numerals.
    """
    return Standing([crops_of(scene_pictures([folder]), cache, f"scenes-{folder.name}") for folder in scenes])


def turn_batch(standing: Standing, rng: np.random.Generator, batch: int = BATCH) -> TurnBatch:
    """A batch at random."""
    made = [standing.one(rng) for _ in range(batch)]
    crops = torch.from_numpy(np.stack([crop for crop, _ in made]))
    return TurnBatch(crops, torch.tensor([turn for _, turn in made]))
