"""Prints by how many MB memory grows at most while photographs are read for five Weave dice, by their megapixels:
``python -m tests.table.photograph_memory 12 24``."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.table.hosting.uploads import give_memory_back
from loomtable.vision.dice import read_dice, warm_up
from loomtable.vision.pictures import decode_upload


def kilobytes(what: str) -> int:
    """A figure of this process that the system keeps."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1])


def grown(encoded: bytes) -> float:
    """MB by which memory grows while a photograph is decoded and read for Weave dice."""
    give_memory_back()
    before = kilobytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    read_dice(decode_upload(encoded, "the photograph"), (5, Die.WEAVE))
    return (kilobytes("VmHWM") - before) / 1000


def photograph(megapixels: int) -> bytes:
    """A cloth with grain and light squares, 4 to 3."""
    height = round((megapixels * 750_000) ** 0.5)
    width = height * 4 // 3
    picture = np.random.default_rng(1).integers(60, 110, (height // 4, width // 4, 3), np.uint8)
    for x, y in ((0.2, 0.3), (0.5, 0.6), (0.7, 0.2)):
        left, top = round(x * picture.shape[1]), round(y * picture.shape[0])
        picture[top : top + 20, left : left + 20] = 230
    large = cv2.resize(picture, (width, height), interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", large)[1].tobytes()


if __name__ == "__main__":
    warm_up()
    for wanted in sys.argv[1:]:
        print(grown(photograph(int(wanted))), flush=True)
