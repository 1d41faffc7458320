"""Teach a small network which way a numeral is turned.

``python -m loomtable.vision.training.train_upright --scenes DIR...``

A 6 upside down is a 9. What tells them apart is a bar or dot, or how the numeral lies on its face; both can be
seen on all numerals of made scenes, whose turn is known. Half of what it is shown are sixes and nines, where the
shape of the numeral itself says nothing. It sees no photograph, so figures on photographs are about dice it has
never seen.

It answers with a direction and how sure it is of it: a vector whose length is the concentration of a von Mises
distribution over all turns, which is what it is taught by (the likelihood of the turn that is known).
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.vision.dice.crops import cut
from loomtable.vision.dice.numerals import TURN_CROP_SIDE, TURN_CROP_WIDTH
from loomtable.vision.training.augment import SMALLEST_NUMERAL, photographed
from loomtable.vision.training.crops import PATCH, SPREAD, UNKNOWN, Crops, NothingToTrainOn, crops_of
from loomtable.vision.training.halving import halve
from loomtable.vision.training.labels import scene_pictures
from loomtable.vision.training.shapes import CROP
from loomtable.vision.training.train import half_pays

BATCH = 128
AMBIGUOUS = (6, 9)
SHARE = 0.5
"""How many of the crops show a six or a nine."""
NEAR = 45.0
"""Degrees within which a turn counts as told right."""
SHIFT = 0.07
"""By how much of the die's side the middle of its face may be missed."""


class Upright(nn.Module):
    """How far is the numeral in the middle turned? (N, 3, 56, 56) in, (N, 2) out: cosine and sine of its turn
    clockwise from upright, times how sure that is."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *_layer(3, 24), nn.MaxPool2d(2),
            *_layer(24, 40), *_layer(40, 40), nn.MaxPool2d(2),
            *_layer(40, 64), *_layer(64, 64), nn.MaxPool2d(2),
            *_layer(64, 40), nn.Flatten(), nn.Dropout(0.1),
            nn.Linear(40 * (TURN_CROP_SIDE // 8) ** 2, 64, bias=False), nn.BatchNorm1d(64), nn.ReLU(),
            nn.Linear(64, 2),
        )  # fmt: skip

    def forward(self, crops: Tensor) -> Tensor:
        """Each crop by its own mean and spread, so that colour and light say nothing."""
        mean = crops.mean(dim=(2, 3), keepdim=True)
        spread = ((crops - mean) ** 2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
        answer: Tensor = self.body((crops - mean) / (spread + 0.02))
        return answer


def _layer(inputs: int, outputs: int) -> tuple[nn.Module, ...]:
    return nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()


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

    def batches(self, seed: int, batch: int = BATCH) -> Iterator[tuple[Tensor, Tensor]]:
        """Crops (B, 3, 56, 56) float32 and the turn of each in radians (B,), without end."""
        rng = np.random.default_rng(seed)
        while True:
            made = [self.one(rng) for _ in range(batch)]
            crops = torch.from_numpy(np.stack([crop for crop, _ in made]))
            yield crops.permute(0, 3, 1, 2).float() / 255, torch.tensor([turn for _, turn in made])

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


def train(standing: Standing, steps: int, seed: int, batch: int = BATCH) -> Upright:
    """Learn for so many batches, the rate falling along a cosine."""
    torch.manual_seed(seed)
    network = Upright()
    best = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=0.02)
    pace = torch.optim.lr_scheduler.OneCycleLR(best, 3e-3, steps)
    begun, lost, right = time.time(), 0.0, 0.0
    for step, (crops, turns) in zip(range(1, steps + 1), standing.batches(seed, batch), strict=False):
        network.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=half_pays("cpu")):
            said = network(crops)
        loss = unlikely(said.float(), turns).mean()
        best.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        best.step()
        pace.step()
        lost, right = lost + float(loss.detach()), right + float(_near(said.float(), turns).float().mean())
        if step % 100 == 0:
            print(
                f"{step:>5}: loss {lost / 100:.3f}, right {right / 100:.1%}, {time.time() - begun:.0f} s",
                flush=True,
            )
            lost = right = 0.0
    network.eval()
    return network


def _near(said: Tensor, turns: Tensor) -> Tensor:
    off = torch.atan2(said[:, 1], said[:, 0]) - turns
    return torch.cos(off) > math.cos(math.radians(NEAR))


def export(network: Upright, file: Path) -> None:
    """Write the network as ONNX, for any number of crops at once."""
    unfinished = file.with_suffix(".part.onnx")
    torch.onnx.export(
        network, (torch.zeros(2, 3, TURN_CROP_SIDE, TURN_CROP_SIDE),), str(unfinished),
        input_names=["crops"], output_names=["turn"],
        dynamic_axes={"crops": {0: "crops"}, "turn": {0: "crops"}}, opset_version=17, dynamo=False,
    )  # fmt: skip
    halve(unfinished)
    unfinished.replace(file)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m loomtable.vision.training.train_upright", description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="folders of made scenes")
    parser.add_argument("--out", type=Path, required=True, help="the ONNX file to write")
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path("output/training"), help="where crops are kept")
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    try:
        parts = [crops_of(scene_pictures([f]), given.cache, f"scenes-{f.name}") for f in given.scenes]
        standing = Standing(parts)
        print(f"{len(standing.sixes)} sixes and nines, {len(standing.others)} other numerals", flush=True)
        export(train(standing, given.steps, given.seed), given.out)
    except LoomtableError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
