"""Boxes for dice that nobody has boxed: a detector that has learned from other pictures finds them.

Single dice on close-ups are labelled with a value alone, and some photographers boxed the face that lies up
instead of the die. The whole dice are looked for once, and what is found is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from rich.console import Console
from rich.progress import track

from loomtable.vision.dice.detector import Detection, detect_dice
from loomtable.vision.dice.fusion.calibration import DetectorThresholds
from loomtable.vision.network import Network
from loomtable.vision.pictures import read_picture
from training.labels import CROP_SOURCES, TOP_FACE_SOURCES, Box, whole_from_top
from training.photographs import Labelled, Photographs

KEPT = "found-boxes.json"
SINGLE = ("tomitomi-crops", "d10-close-up", "dice-tower", "ucffool-d8", "ucffool-d6n", "ucffool-d4", "ucffool-d20")
"""Sources whose pictures show one die, without a box."""
UNBOXED = (*SINGLE, *TOP_FACE_SOURCES)
"""Sources in which whole dice are looked for."""
LEAST_SHARE = {"dice-tower": 0.04, "ucffool-d4": 0.45}
"""Share of the picture's width that its die takes at least, where it is not a fifth; few boxes of d4 are right."""


def load_found(cache: Path) -> dict[str, list[Box | None]]:
    """The boxes found so far, by picture; none where nobody has looked yet."""
    kept = cache / KEPT
    return msgspec.json.decode(kept.read_bytes(), type=dict[str, list[Box | None]]) if kept.exists() else {}


def find_boxes(detector: Network, photographs: Photographs, cache: Path) -> dict[str, list[Box | None]]:
    """Look for the whole dice of some photographs, and keep what is found beside what was found before.

    Raises:
        PictureUnreadable: a picture that is labelled is missing or damaged.
    """
    found = load_found(cache)
    for photograph in track(photographs.pictures, "Looking for dice without boxes", console=Console(stderr=True)):
        boxes = found_in(detector, photograph, photographs.path(photograph))
        if boxes is not None and photograph.source not in CROP_SOURCES:
            found[photograph.image] = boxes
    cache.mkdir(parents=True, exist_ok=True)
    (cache / KEPT).write_bytes(msgspec.json.encode(found))
    return found


def found_in(detector: Network, photograph: Labelled, path: Path) -> list[Box | None] | None:
    """The whole boxes of a photograph's dice, in the order of its labels; nothing where its own are as good."""
    detections = detect_dice(detector, read_picture(path), DetectorThresholds(0.3, 0.1), len(photograph.dice))
    if photograph.source in SINGLE:
        least = LEAST_SHARE.get(photograph.source, 0.2)
        return [_in_the_middle(detections, photograph.width, photograph.height, least)]
    found = [_round(detections, die.box) if die.box else None for die in photograph.dice]
    return found if any(found) else None


def _in_the_middle(detections: Sequence[Detection], width: int, height: int, least: float) -> Box | None:
    """The die that a close-up is of: hot, large, near the middle; nothing where only a part of one was found."""

    def fits(detection: Detection) -> float:
        x0, y0, x1, y1 = detection.box
        away = np.hypot((x0 + x1) / 2 / width - 0.5, (y0 + y1) / 2 / height - 0.5)
        return float(detection.score * detection.side**0.5 * (1 - away))

    best = max(detections, key=fits, default=None)
    return best.box if best is not None and best.side > least * width else None


def _round(detections: Sequence[Detection], top: Box) -> Box | None:
    """The whole die of which ``top`` is the face that lies up: like what its shape says, and holding the face."""
    guess = whole_from_top(top)
    side = max(guess[2] - guess[0], guess[3] - guess[1])
    best, off = None, 0.3 * side
    for detection in detections:
        wrong = float(np.abs(np.array(detection.box) - np.array(guess)).max())
        if detection.score > 0.25 and wrong < off:
            best, off = detection.box, wrong
    return best
