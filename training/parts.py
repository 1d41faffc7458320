"""Labelled pictures in parts: a part is a folder of some scenes, whole or not there at all."""

from __future__ import annotations

import os
import shutil
import time
from functools import cache
from pathlib import Path

import cv2
import msgspec

from loomtable.engine.kernel.errors import LoomtableError
from training.develop import ScenePicture, labels, photographed
from training.invent import make_scene
from training.raster import Rasteriser

PART = 100
"""Scenes in a part."""
LABELS = "scenes.jsonl"
RECIPE = "made.json"
_FORGOTTEN = 3600.0
"""Seconds after which a part that nobody goes on with is swept away."""


class PartUnmade(LoomtableError):
    """Pictures cannot be made, or not there; the message says why."""


class Recipe(msgspec.Struct, frozen=True):
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


def begin(folder: Path, recipe: Recipe) -> None:
    """Make a folder ready for parts, and sweep away what stopped runs have left in it long ago.

    Raises:
        PartUnmade: it holds other pictures, or cannot be written.
    """
    known = folder / RECIPE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if known.exists():
            there = msgspec.json.decode(known.read_bytes(), type=Recipe)
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


def make_part(folder: str, part: int, recipe: Recipe) -> int:
    """Draw the scenes of one part, unless it is there; returns how many pictures it holds.

    Args:
        folder: where parts lie; this one becomes ``folder/part-00012``.
        part: its number; its scenes have the seeds ``part * PART`` and on.
        recipe: what all its pictures have in common.

    Raises:
        PartUnmade: a picture cannot be written.
        RendererMissing: the renderer cannot work here.
    """
    whole = Path(folder) / f"part-{part:05d}"
    if (whole / LABELS).exists():
        return PART
    beside = whole.with_name(f".{whole.name}.{os.getpid()}")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    lines = [msgspec.json.encode(_drawn(seed, beside, recipe)) for seed in range(part * PART, (part + 1) * PART)]
    (beside / LABELS).write_bytes(b"\n".join(lines) + b"\n")
    shutil.rmtree(whole, ignore_errors=True)
    beside.rename(whole)
    return PART


def _drawn(seed: int, folder: Path, recipe: Recipe) -> ScenePicture:
    size = (recipe.width, recipe.height)
    scene = make_scene(
        seed,
        typefaces=renderer().typefaces,
        size=size,
        kinds=recipe.kinds,
        elevations=recipe.elevations,
        tray=recipe.tray,
    )
    rendered = renderer().draw(scene)
    name = f"{seed:07d}.jpg"
    if not cv2.imwrite(str(folder / name), photographed(scene, rendered), [cv2.IMWRITE_JPEG_QUALITY, 95]):
        raise PartUnmade(f"{folder / name} cannot be written: is the disk full?")
    return ScenePicture(name, *size, labels(scene, rendered.which))


def drawn(folder: Path, parts: range) -> int:
    """How many pictures of these parts there are by now, those of begun parts with them."""
    count = 0
    for part in parts:
        if (folder / f"part-{part:05d}" / LABELS).exists():
            count += PART
        else:
            count += max(
                (len(list(begun.glob("*.jpg"))) for begun in folder.glob(f".part-{part:05d}.*")), default=0
            )
    return count
