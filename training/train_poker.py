"""Teaching the reader of playing cards' corners:
``python -m training.train_poker --out corners.onnx``.

Everything it learns from is made by ``poker_corners`` from a seed, so the figures on photographs are about cards
that it has never seen. One thread, some minutes.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from loomtable.vision.arrays import Float32Array
from loomtable.vision.model_sums import renew_sums
from loomtable.vision.poker.corners import HEIGHT, RANKS, SUITS, WIDTH, network_input
from training.poker_corners import invented_corner


class CornerReader(nn.Module):
    """Three halvings and two layers that know where in the corner something stands."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(24, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 28, 3, padding=1), nn.BatchNorm2d(28), nn.ReLU(), nn.Flatten(), nn.Dropout(0.15),
        )  # fmt: skip
        self.known = nn.Sequential(nn.Linear(28 * (HEIGHT // 8) * (WIDTH // 8), 44), nn.ReLU())
        self.rank, self.suit = nn.Linear(44, len(RANKS)), nn.Linear(44, len(SUITS))

    def forward(self, corners: Tensor) -> tuple[Tensor, Tensor]:
        """Belief (N, 14) and (N, 5), before they are made shares, in corners (N, 3, HEIGHT, WIDTH)."""
        known = self.known(self.seen(corners))
        return self.rank(known), self.suit(known)


def invented(count: int, seed: int) -> tuple[Float32Array, Tensor, Tensor]:
    """So many corners as the network takes them (as bytes, to save room), with rank and suit."""
    rng = np.random.default_rng([seed, 61])
    made = [invented_corner(rng) for _ in range(count)]
    stack = np.concatenate([network_input([corner]) for corner, _, _ in made]) if count else np.empty(0)
    ranks, suits = (torch.tensor([picture[at] for picture in made]) for at in (1, 2))
    return np.asarray(stack, np.float32), ranks, suits


def train(model: CornerReader, pool: tuple[Float32Array, Tensor, Tensor], epochs: int, seed: int) -> None:
    """Go through the pool so many times, each corner a little moved and dimmed anew."""
    corners, ranks, suits = pool
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    batch, steps = 128, len(ranks) // 128
    best = torch.optim.AdamW(model.parameters(), 2e-3, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(best, 5e-3, epochs * steps)
    blame = nn.CrossEntropyLoss(label_smoothing=0.02)
    for epoch in range(epochs):
        model.train()
        order, lost, begun = rng.permutation(len(ranks)), 0.0, time.time()
        for step in range(steps):
            some = order[step * batch : (step + 1) * batch]
            rank, suit = model(_moved(torch.from_numpy(corners[some])))
            loss = blame(rank, ranks[some]) + 0.7 * blame(suit, suits[some])
            best.zero_grad()
            loss.backward()
            best.step()
            pace.step()
            lost += float(loss)
        print(f"{epoch + 1:>3} of {epochs}: {lost / steps:.3f}, {time.time() - begun:.0f} s", flush=True)


def _moved(corners: Tensor) -> Tensor:
    down, right = (int(torch.randint(-2, 3, ())) for _ in range(2))
    moved = torch.roll(corners, (down, right), (2, 3))
    light = 1 + 0.15 * torch.randn(len(corners), 1, 1, 1) + 0.04 * torch.randn(len(corners), 3, 1, 1)
    return torch.clamp(moved * light + 0.02 * torch.randn_like(moved), 0, 1.3)


def export(model: CornerReader, path: Path) -> None:
    """Write the network as ONNX, for any number of corners at once."""
    model.eval()
    names = ["corners", "rank", "suit"]
    torch.onnx.export(
        model, (torch.zeros(1, 3, HEIGHT, WIDTH),), str(path), input_names=names[:1], output_names=names[1:],
        dynamic_axes={name: {0: "n"} for name in names}, opset_version=17, dynamo=False,
    )  # fmt: skip
    renew_sums(path.parent)


def right(model: CornerReader, pool: tuple[Float32Array, Tensor, Tensor]) -> tuple[float, float]:
    """The shares of ranks and of suits that are read right."""
    model.eval()
    with torch.no_grad():
        rank, suit = model(torch.from_numpy(pool[0]))
    return float((rank.argmax(1) == pool[1]).float().mean()), float((suit.argmax(1) == pool[2]).float().mean())


def main() -> None:
    """Make the corners, train, measure on others, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--corners", type=int, default=40_000)
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    begun = time.time()
    pool = invented(given.corners, given.seed)
    print(f"{len(pool[0]):,} corners in {time.time() - begun:.0f} s", flush=True)
    model = CornerReader()
    train(model, pool, given.epochs, given.seed)
    ranks, suits = right(model, invented(2000, given.seed + 1000))
    print(f"on 2,000 others: ranks {ranks:.2%}, suits {suits:.2%}")
    export(model, given.out)


if __name__ == "__main__":
    main()
