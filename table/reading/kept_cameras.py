"""What a camera has seen of how the table lies, kept until it is moved: a few corners of printed things, no
picture."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path

import msgspec

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.vision.dice.enrolment.storage import kept_file, read_kept, write_kept
from loomtable.vision.pictures import BgrImage
from loomtable.vision.plane_pose import FlatPrint


class KeptCamera(msgspec.Struct, frozen=True):
    """What lay before one camera."""

    size: tuple[int, int]
    """Width and height of its pictures, px."""
    prints: tuple[FlatPrint, ...]


def _file(name: str) -> Path:
    """The file of one camera: the letters a to z of its name, and what tells it from any other name."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "camera"
    whole = hashlib.blake2b(name.encode(), digest_size=8).hexdigest()
    return kept_file(f"{plain}-{whole}", "cameras")


def keep_camera(name: str, prints: tuple[FlatPrint, ...], frame: BgrImage) -> None:
    """Keep what lies before a camera, as people call it; with nothing there, forget what lay there."""
    with suppress(OSError):  # it is measured again the next time
        _file(name).unlink(missing_ok=True)
        if prints:
            write_kept(_file(name), KeptCamera((frame.shape[1], frame.shape[0]), prints))


def kept_prints(name: str, frame: BgrImage) -> tuple[FlatPrint, ...]:
    """What lay before a camera; nothing if it was not kept, is damaged, or the camera takes other pictures now."""
    with suppress(LoomtableError):
        kept = read_kept(_file(name), KeptCamera)
        if kept.size == (frame.shape[1], frame.shape[0]):
            return kept.prints
    return ()
