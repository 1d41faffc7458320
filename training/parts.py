"""Labelled pictures in parts: a part is a folder of some scenes, whole or not there at all."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import cv2
import msgspec

from loomtable.engine.kernel.errors import LoomtableError
from training.develop import labels, photographed
from training.invent import make_scene
from training.labels import SCENES, LabelledScene
from training.raster import Rasteriser
from training.scenes import Scene

PART = 100
"""Scenes in a part."""
RECIPE = "made.json"
_FORGOTTEN = 3600.0
"""Seconds after which a part that nobody goes on with is swept away."""


class PartUnmade(LoomtableError):
    """Pictures cannot be made, or not there; the message says why."""


class Setup(msgspec.Struct, frozen=True):
    """What all pictures of a folder have in common."""

    width: int
    height: int
    kinds: tuple[str, ...] = ()
    """Kinds of its dice; nothing for all of them, as people roll them."""
    elevations: tuple[float, float] | None = None
    """Of the camera, degrees above the table; nothing for those at which people hold cameras."""
    tray: bool = False
    """Whether the dice lie in a tray under a wide camera."""


@cache
def renderer() -> Rasteriser:
    """The renderer of this process: its OpenGL context is made once.

    Raises:
        RendererMissing: it cannot work here; the message says what to install.
    """
    return Rasteriser(finer=1.25)


def begin(folder: Path, recipe: Setup) -> None:
    """Make a folder ready for parts, and sweep away what stopped runs have left in it long ago.

    Raises:
        PartUnmade: it holds other pictures, or cannot be written.
    """
    known = folder / RECIPE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if known.exists():
            there = msgspec.json.decode(known.read_bytes(), type=Setup)
            if there != recipe:
                raise PartUnmade(
                    f"{folder} holds {there.width}x{there.height} pictures, with "
                    f"{', '.join(there.kinds) or 'all kinds'} of dice: give another folder, or the same options"
                )
        known.write_bytes(msgspec.json.encode(recipe))
        for begun in folder.glob(".part-*"):
            if time.time() - begun.stat().st_mtime > _FORGOTTEN:
                shutil.rmtree(begun, ignore_errors=True)
    except OSError as error:
        raise PartUnmade(f"{folder} cannot be written: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise PartUnmade(f"{known} is damaged ({error}): remove it") from None


def _whole(folder: Path, part: int) -> Path:
    return folder / f"part-{part:05d}"


def make_part(folder: Path, part: int, recipe: Setup) -> int:
    """Draw the scenes of one part; returns its number.

    Args:
        folder: where parts lie; this one becomes ``folder/part-00012``.
        part: its number; its scenes have the seeds ``part * PART`` and on.
        recipe: what all its pictures have in common.

    Raises:
        PartUnmade: a picture cannot be written.
        RendererMissing: the renderer cannot work here.
    """
    whole = _whole(folder, part)
    beside = whole.with_name(f".{whole.name}.{os.getpid()}")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    lines = [msgspec.json.encode(_drawn(seed, beside, recipe)) for seed in range(part * PART, (part + 1) * PART)]
    (beside / SCENES).write_bytes(b"\n".join(lines) + b"\n")
    shutil.rmtree(whole, ignore_errors=True)
    beside.rename(whole)
    return part


def scene_of(seed: int, recipe: Setup, typefaces: int = 0) -> Scene:
    """The scene of a seed, in so many typefaces; in the renderer's if none are given."""
    return make_scene(
        seed,
        typefaces=typefaces or renderer().typefaces,
        size=(recipe.width, recipe.height),
        kinds=recipe.kinds,
        elevations=recipe.elevations,
        tray=recipe.tray,
    )


def recipe_of(folder: Path) -> Setup:
    """What all pictures of a folder have in common.

    Raises:
        PartUnmade: nobody has drawn scenes there.
    """
    try:
        return msgspec.json.decode((folder / RECIPE).read_bytes(), type=Setup)
    except (OSError, msgspec.DecodeError):
        raise PartUnmade(f"{folder / RECIPE} is missing or damaged: draw the scenes again") from None


def _drawn(seed: int, folder: Path, recipe: Setup) -> LabelledScene:
    size, scene = (recipe.width, recipe.height), scene_of(seed, recipe)
    rendered = renderer().draw(scene)
    name = f"{seed:07d}.jpg"
    if not cv2.imwrite(str(folder / name), photographed(scene, rendered), [cv2.IMWRITE_JPEG_QUALITY, 95]):
        raise PartUnmade(f"{folder / name} cannot be written: is the disk full?")
    return LabelledScene(name, *size, labels(scene, rendered.which))


def missing_parts(folder: Path, parts: range, recipe: Setup) -> list[tuple[Path, int, Setup]]:
    """Those of these parts that are not there yet, as ``make_part`` takes them."""
    return [(folder, part, recipe) for part in parts if not (_whole(folder, part) / SCENES).exists()]


def make_parts(waiting: Sequence[tuple[Path, int, Setup]], workers: int) -> Iterator[int]:
    """Draw parts in so many processes, and yield the number of each as it is whole. Whoever stops asking waits for
    those that are begun."""
    # Processes of their own: what draws leaves threads behind, and the trainer's workers are forked.
    with ProcessPoolExecutor(workers, get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
        jobs, running = iter(waiting), set[Future[int]]()
        while running := running | {pool.submit(make_part, *job) for job in islice(jobs, workers - len(running))}:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
