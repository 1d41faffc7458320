"""Train a network of the dice reader, in steps that a run can be stopped between.

A run is kept beside the file that it will write, every few minutes, and goes on where it was stopped. It may begin
with the weights of another run, as when a network that has learned from scenes goes on to photographs.
"""

from __future__ import annotations

import copy
import ctypes
import json
import math
import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch import Tensor, nn

from loomtable.engine.kernel.errors import FileUnreadable
from training.alarms import load_alarms
from training.boxes import load_found
from training.crops import NothingToTrainOn
from training.export import export_small
from training.networks import MAKES, parameters
from training.train_detector import ViewBatch, gallery_of, view_batch
from training.train_faces import FaceBatch, face_batch, faces_in
from training.train_readers import CropBatch, crop_batch, mixture_of

Batch = CropBatch | ViewBatch | FaceBatch
TELL_EVERY, KEEP_EVERY = 15.0, 120.0
"""Seconds between two lines of the log, and between two times that the run is kept."""
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4
"""Parameters of the C library's ``mallopt`` (``malloc.h``)."""
SLOW = 0.998
"""How much of the running mean of the weights stays with each step."""


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a run learns; kept with its weights."""

    make: str
    scenes: tuple[str, ...]
    photos: str | None
    sources: tuple[str, ...]
    """The photographers that are learned from."""
    steps: int
    seed: int
    rate: float
    start: str | None


class Run:
    """A network on its way: its weights, their running mean, and how far it has come."""

    def __init__(self, recipe: Recipe) -> None:
        torch.manual_seed(recipe.seed)
        self.recipe = recipe
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = MAKES[recipe.make]().to(self.device)
        self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        if recipe.start:
            self.network.load_state_dict(load_weights(Path(recipe.start)))
        self.mean = copy.deepcopy(self.network).eval()
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=recipe.rate, weight_decay=0.02)
        self.step = 0

    @property
    def done(self) -> float:
        """How far the run has come, 0 to 1."""
        return self.step / self.recipe.steps

    def learn(self, batch: Batch) -> dict[str, float]:
        """One step: a short rise of the rate, then a long fall along a cosine."""
        rate = (
            self.recipe.rate
            * min(1.0, (self.step + 1) / 100)
            * (0.02 + 0.49 * (1 + math.cos(math.pi * min(self.done, 1))))
        )
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.network.train()
        batch = _on(batch, self.device)
        # Processors take longer over layers of single channels in half precision than in whole.
        half = half_pays(self.device.type) and (self.recipe.make != "second" or self.device.type == "cuda")
        with torch.autocast(self.device.type, torch.bfloat16, enabled=half):
            answer = self.network(batch.taken)
        loss, figures = batch.loss(answer)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimiser.step()
        self._follow()
        self.step += 1
        return figures | {"loss": float(loss.detach())}

    def _follow(self) -> None:
        share = min(SLOW, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for slow, now in zip(self.mean.state_dict().values(), self.network.state_dict().values(), strict=True):
                if slow.dtype.is_floating_point:
                    slow.lerp_(now, 1 - share)
                else:
                    slow.copy_(now)

    def keep(self, file: Path) -> None:
        """Write everything that is needed to go on; the file is whole at any moment."""
        unfinished = file.with_suffix(".part")
        torch.save(
            {
                "recipe": vars(self.recipe),
                "network": self.network.state_dict(),
                "mean": self.mean.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "step": self.step,
            },
            unfinished,
        )
        unfinished.replace(file)

    def go_on_from(self, file: Path) -> None:
        """Take up a run that was kept.

        Raises:
            FileUnreadable: the file is missing or damaged.
        """
        kept = _load(file)
        self.network.load_state_dict(kept["network"])
        self.mean.load_state_dict(kept["mean"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.step = int(kept["step"])


def keep_memory() -> None:
    """Hand freed memory back to the next tensor, not to the system, where the C library can: by default every
    large tensor is mapped, and cleared page by page, in each step: a quarter of the second reader's time."""
    if tune := getattr(ctypes.CDLL(None), "mallopt", None):
        tune(M_MMAP_MAX, 0)
        tune(M_TRIM_THRESHOLD, -1)


@lru_cache(maxsize=2)
def half_pays(device: str) -> bool:
    """Whether learning in bfloat16 is quicker than in float32 here: processors that do not know it imitate it, and
    take ten times as long."""
    if device == "cuda":
        return True
    with torch.random.fork_rng(devices=[]):  # A run draws the same numbers, whether this was tried before or not.
        taken = torch.rand(16, 32, 48, 48)
        layer = nn.Conv2d(32, 32, 3, padding=1, bias=False)
    took = {}
    for half in (False, True):
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            with torch.autocast(device, torch.bfloat16, enabled=half):
                said = layer(taken)
            said.float().sum().backward()
            times.append(time.perf_counter() - begun)
        took[half] = min(times)
    return took[True] < took[False]


def _on(batch: Batch, device: torch.device) -> Batch:
    moved: dict[str, Any] = {n: v.to(device) if isinstance(v, Tensor) else v for n, v in vars(batch).items()}
    return type(batch)(**moved)


def _load(file: Path) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], torch.load(file, map_location="cpu", weights_only=True))
    except (OSError, RuntimeError, KeyError, EOFError, pickle.UnpicklingError) as error:
        raise FileUnreadable(f"{file}: no run was kept there that can be read ({str(error)[:60]})") from None


def load_weights(file: Path) -> dict[str, Tensor]:
    """The running mean of the weights of a run that was kept.

    Raises:
        FileUnreadable: the file is missing or damaged.
    """
    return cast(dict[str, Tensor], _load(file)["mean"])


def load_network(make: str, file: Path) -> nn.Module:
    """A network with the weights of a run that was kept, ready to be asked.

    Raises:
        FileUnreadable: the file is missing or damaged.
    """
    network = MAKES[make]()
    network.load_state_dict(load_weights(file))
    return network.eval()


class Batches(torch.utils.data.IterableDataset[Any]):
    """Endless batches; the n-th of worker w is the same for the same seed."""

    def __init__(self, batch: Callable[[np.random.Generator], Batch], seed: int) -> None:
        self.batch, self.seed = batch, seed

    def __iter__(self) -> Iterator[Batch]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng((self.seed, 0 if worker is None else worker.id))
        while True:
            yield self.batch(rng)


def batches_of(recipe: Recipe, cache: Path, step: int) -> Batches:
    """Endless batches of what a recipe learns from; others at each step from which a run is taken up again.

    Raises:
        NothingToTrainOn: neither scenes nor photographs are named.
    """
    if not recipe.scenes and not recipe.photos:
        raise NothingToTrainOn("there is nothing to learn from: neither scenes nor photographs are named")
    scenes, photos = [Path(folder) for folder in recipe.scenes], Path(recipe.photos) if recipe.photos else None
    found = load_found(cache)
    batch: Callable[[np.random.Generator], Batch]
    if recipe.make == "detector":
        batch = partial(view_batch, gallery_of(scenes, photos, recipe.sources, found))
    elif recipe.make == "faces":
        batch = partial(face_batch, faces_in(scenes, cache))
    else:
        mixture = mixture_of(scenes, photos, recipe.sources, cache, found, load_alarms(cache))
        batch = partial(crop_batch, mixture)
    # A run that goes on must not be shown the same batches again.
    return Batches(batch, recipe.seed + 1000 * step)


def train(recipe: Recipe, out: Path, cache: Path, workers: int = 1, until: float = math.inf) -> Run:
    """Train by a recipe, keep the run as ``out`` with the suffix ``.ckpt``, and export it to ``out``.

    At the time ``until`` (of ``time.monotonic``) a run is kept as far as it has come, and not exported yet.
    """
    # Before anything is cut: a worker that is forked while OpenCV holds threads waits for them for ever.
    cv2.setNumThreads(1)
    keep_memory()
    kept = out.with_suffix(".ckpt")
    out.parent.mkdir(parents=True, exist_ok=True)
    run = Run(recipe)
    if kept.exists():
        run.go_on_from(kept)
    console = Console(stderr=True)
    loader = torch.utils.data.DataLoader(
        batches_of(recipe, cache, run.step),
        batch_size=None,
        num_workers=workers,
        prefetch_factor=6 if workers else None,
        worker_init_fn=_one_thread,
    )
    console.print(f"{recipe.make}: {parameters(run.network):,} parameters, on {run.device}")
    for figures in _learning(run, iter(loader), kept, console, until):
        with out.with_suffix(".log").open("a") as log:
            log.write(json.dumps(figures) + "\n")
    run.keep(kept)
    if run.done < 1:
        return run
    off = export_small(run.mean, out)
    console.print(f"{out}: {out.stat().st_size / 1e6:.2f} MB after {run.step} steps, off by {off:.5f}")
    return run


def _one_thread(_: int) -> None:
    """Workers share the cores with the network's threads: more threads than cores are many times slower."""
    torch.set_num_threads(1)


def _learning(
    run: Run, batches: Iterator[Any], kept: Path, console: Console, until: float
) -> Iterator[dict[str, float]]:
    means: dict[str, float] = {}
    columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    unkept = told = time.monotonic()
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(run.recipe.make, total=1.0)
        while run.done < 1:
            figures = run.learn(next(batches))
            now = time.monotonic()
            for name, figure in figures.items():
                if not math.isnan(figure):
                    means[name] = figure if name not in means else 0.98 * means[name] + 0.02 * figure
            said = "  ".join(f"{name} {figure:.3f}" for name, figure in means.items())
            progress.update(task, completed=run.done, description=f"step {run.step}  {said}")
            if now - told > TELL_EVERY:
                told = now
                yield {"step": run.step, **{k: round(v, 4) for k, v in means.items()}}
            if now - unkept > KEEP_EVERY:
                unkept = now
                run.keep(kept)
            if now > until:
                return
