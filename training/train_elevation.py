"""Teach a reader from where it sees a die.

A small head on the reader's own features, which stay as they are, predicts where upright things point in the
picture and how long they look, so the camera's elevation at that die, with how sure that is; where the upper face
lies; and how the die is turned. It learns from rendered scenes alone, whose cameras are known; the features have
seen photographs. The file gains three outputs, ``upright``, ``place`` and ``yaw``; all others stay the same.

``upright`` (N, 3) is the location of a bivariate Student t distribution, x and y, and the logarithm of its scale;
``place`` (N, 2) is the middle of the upper face in halves of the crop's side from its middle. ``yaw`` (N, 8) has
a vector for each of ``pose.ORDERS``: along the mean of a von Mises distribution of so many times the die's yaw on
the table, as long as its concentration.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the name the field uses

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.crops import as_input
from loomtable.vision.dice.elevation import STUDENT_FREEDOM
from loomtable.vision.dice.pose import ORDERS, SYMMETRIES
from loomtable.vision.die_kinds import Kind
from training.augment import ZOOM, change, photographed, shown
from training.crops import FROM_ABOVE, PATCH, SPREAD, Crops, NothingToTrainOn, crops_of
from training.export import export_small
from training.labels import scene_pictures
from training.networks import Reader, Second
from training.shapes import KINDS
from training.train import load_network

BATCH = 256
LOOKS = 4
"""How many augmented crops are made of each die."""
LEAST_SIDE, LEAST_SEEN = 20.0, 0.75
"""Pixels, and share in view, from which a die is learned from."""
TURN, SHIFT = 12.0, 0.07
"""Degrees by which a die that is seen aslant is turned at most, and share of its side by which it is missed."""
SPOILED = 0.4
"""Share of the crops that are spoiled further: scenes were made with a bad camera already."""
PLACE_WEIGHT = 4.0
"""What the place of the upper face counts in the loss."""
MIN_LOG_SCALE, MAX_LOG_SCALE = -4.0, 1.0


class ElevationHead(nn.Module):
    """(N, channels, side, side) features in; (N, 3) ``upright``, (N, 2) ``place`` and (N, 8) ``yaw`` out."""

    def __init__(self, channels: int, side: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, 32, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(), nn.Dropout(0.3),
            nn.Linear(32 * side**2, 96, bias=False), nn.BatchNorm1d(96), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(96, 5 + 2 * len(ORDERS)),
        )  # fmt: skip

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        answer = self.body(features)
        scale = answer[:, 2:3].clamp(MIN_LOG_SCALE, MAX_LOG_SCALE)
        return torch.cat((answer[:, :2], scale), dim=1), answer[:, 3:5], answer[:, 5:]


@dataclass(frozen=True)
class Lessons:
    """What is learned from, N crops each."""

    features: npt.NDArray[np.float16]
    """(N, channels, side, side)"""
    upright: Float32Array
    place: Float32Array
    yaw: Float32Array
    """(N, 2) each; the yaw as the unit vector towards the reference corner, NaN where unknown."""
    order: npt.NDArray[np.int64]
    """(N,): which of ``ORDERS`` the die's symmetry has; -1 where its yaw is unknown."""


def unlikely(said: Tensor, upright: Tensor) -> Tensor:
    """(N,) minus the logarithm of the likelihood of ``upright`` (N, 2) by what was ``said`` (N, 3), but for a
    constant."""
    scale = said[:, 2]
    off = ((said[:, :2] - upright) ** 2).sum(dim=1) * torch.exp(-2 * scale)
    return 2 * scale + (STUDENT_FREEDOM / 2 + 1) * torch.log1p(off / STUDENT_FREEDOM)


def unlikely_yaw(said: Tensor, turned: Tensor, order: Tensor) -> Tensor:
    """(N,) minus the logarithm of the likelihood of turns (N, 2), unit vectors times each die's order of symmetry,
    by the von Mises distributions that were ``said`` (N, 2 an order), but for a constant; 0 where none is
    known."""
    own = said.view(len(said), -1, 2)[torch.arange(len(said)), order.clamp(min=0)]
    concentration = own.norm(dim=1)
    loss = concentration + torch.log(torch.special.i0e(concentration)) - (own * turned).sum(dim=1)
    return torch.where(order >= 0, loss, torch.zeros_like(loss))


def _multiplied(yaw: Float32Array, order: npt.NDArray[np.int64]) -> Float32Array:
    """(N, 2): unit vectors of turns, times the order of each die's symmetry."""
    known = np.where(order[:, None] >= 0, yaw, (1.0, 0.0))
    turned = (known[:, 0] + 1j * known[:, 1]) ** np.array(ORDERS)[order]
    return np.stack([turned.real, turned.imag], axis=1).astype(np.float32)


def learn_from(parts: Sequence[Crops], reader: Reader | Second, seed: int, looks: int = LOOKS) -> Lessons:
    """Augmented crops of the dice whose camera is known.

    Raises:
        NothingToTrainOn: of none is it known.
    """
    rng = np.random.default_rng(seed)
    features, labels, kinds = [], [], []
    for part in parts:
        known = np.isfinite(part.rows["upright"][:, 0]) & np.isfinite(part.rows["top"][:, 0])
        known &= (part.rows["side"] >= LEAST_SIDE) & (part.rows["seen"] >= LEAST_SEEN)
        for row in np.flatnonzero(known):
            seen = [_one(np.asarray(part.patches[row]), part.rows[row], rng) for _ in range(looks)]
            crops = torch.from_numpy(as_input([crop for crop, _ in seen]))
            with torch.inference_mode():
                features.append(reader.seen(crops).numpy().astype(np.float16))
            labels += [label for _, label in seen]
            kinds += [KINDS[int(part.rows[row]["kind"])]] * looks
    if not features:
        raise NothingToTrainOn("of no die is it known from where it is seen: make scenes again with this version")
    upright, place, yaw = (np.array(column, np.float32) for column in zip(*labels, strict=True))
    orders = [ORDERS.index(SYMMETRIES[Kind(kind)]) if kind in SYMMETRIES else -1 for kind in kinds]
    return Lessons(np.concatenate(features), upright, place, yaw, np.where(np.isfinite(yaw[:, 0]), orders, -1))


def _one(
    patch: npt.NDArray[np.uint8], row: np.void, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], tuple[Float32Array, Float32Array, Float32Array]]:
    """A crop (96, 96, 3), and the three labels of it."""
    reach = 180.0 if np.hypot(*row["top"]) < FROM_ABOVE else TURN
    turn, mirrored = float(rng.uniform(-reach, reach)), bool(rng.random() < 0.5)
    zoom = float(np.exp(rng.uniform(*np.log(ZOOM))))
    dx, dy = (rng.uniform(-SHIFT, SHIFT, 2) * PATCH / SPREAD).tolist()
    how = change(turn, mirrored, zoom, (dx, dy))
    crop = photographed(shown(patch, how), rng, float(row["side"]), LEAST_SIDE, rng.random() < SPOILED)
    linear = np.asarray(how.matrix[:, :2] / np.sqrt(abs(np.linalg.det(how.matrix[:, :2]))), np.float32)
    yaw = linear @ np.array((np.cos(row["yaw"]), np.sin(row["yaw"])), np.float32)
    return crop, (linear @ row["upright"], how.moved(row["top"]), yaw)


def prior_of(upright: Float32Array) -> tuple[Float32Array, float]:
    """Mean (2,) and scale of where upright things point (N, 2): what ``dice/elevation.py`` divides by, as
    ``LEARNED_UPRIGHT`` and ``LEARNED_SCALE``."""
    return upright.mean(axis=0), float(np.linalg.det(np.cov(upright.T)) ** 0.25)


def train(learned: Lessons, steps: int, seed: int) -> ElevationHead:
    """Learn for so many batches, the rate falling along a cosine."""
    torch.manual_seed(seed)
    head = ElevationHead(*learned.features.shape[1:3])
    features, upright, place = (torch.from_numpy(a) for a in (learned.features, learned.upright, learned.place))
    order, turned = torch.from_numpy(learned.order), torch.from_numpy(_multiplied(learned.yaw, learned.order))
    best = torch.optim.AdamW(head.parameters(), 2e-3, weight_decay=0.05)
    pace = torch.optim.lr_scheduler.OneCycleLR(best, 4e-3, steps)
    begun, lost = time.time(), 0.0
    for step in range(1, steps + 1):
        chosen = torch.randint(len(features), (BATCH,))
        said, top, yaw = head(features[chosen].float())
        loss = unlikely(said, upright[chosen]).mean()
        loss = loss + PLACE_WEIGHT * F.smooth_l1_loss(top, place[chosen], beta=0.1)
        loss = loss + unlikely_yaw(yaw, turned[chosen], order[chosen]).mean()
        best.zero_grad()
        loss.backward()
        best.step()
        pace.step()
        lost += float(loss.detach())
        if step % 500 == 0:
            print(f"{step:>5}: loss {lost / 500:.3f}, {time.time() - begun:.0f} s", flush=True)
            lost = 0.0
    head.eval()
    return head


def teach(make: str, file: Path, scenes: Sequence[Path], cache: Path, steps: int, seed: int) -> None:
    """Write a reader, whose run is kept beside its file, anew with a head learned from these folders of scenes.

    Raises:
        NothingToTrainOn: of no die in them is it known from where it is seen.
        FileUnreadable: there are no scenes, or no run was kept.
    """
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    reader = load_network(make, file.with_suffix(".ckpt"))
    assert isinstance(reader, Reader | Second)
    crops = [crops_of(scene_pictures([folder]), cache, f"scenes-{folder.name}") for folder in scenes]
    learned = learn_from(crops, reader, seed)
    (x, y), scale = prior_of(learned.upright)
    print(
        f"{len(learned.features)} crops; upright things point to ({x:.2f}, {y:.2f}), scale {scale:.3f}", flush=True
    )
    export_small(reader, file, train(learned, steps, seed))
