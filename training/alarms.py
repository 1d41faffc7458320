"""Places that detectors take for dice and that are none: buttons of a tray, knots of wood, printed pips.

The readers learn from them what no die is. Detectors that have not learned from a picture raise the most alarms in
it, so those of the folds are asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import track

from loomtable.vision.boxes import iou
from loomtable.vision.dice.detector import Detection, detect_dice, non_max_suppression
from loomtable.vision.dice.fusion.calibration import DetectorThresholds
from loomtable.vision.network import Network
from loomtable.vision.pictures import read_picture
from training.labels import Box, LabelledPicture

KEPT = "false-alarms.json"
LEVELS = DetectorThresholds(0.12, 0.08)
"""Heat from which an alarm counts: lower than the reader's, for what is nearly a die teaches most."""
MOST = 10
"""So many of a picture, the hottest."""


def load_alarms(cache: Path) -> dict[str, list[Box]]:
    """The alarms found so far, by picture; none where nobody has looked yet."""
    kept = cache / KEPT
    return msgspec.json.decode(kept.read_bytes(), type=dict[str, list[Box]]) if kept.exists() else {}


def find_alarms(
    detectors: Sequence[Network], pictures: Sequence[LabelledPicture], cache: Path
) -> dict[str, list[Box]]:
    """Look for what is no die in some pictures, and keep it beside what was found in others.

    Raises:
        PictureUnreadable: a picture is missing or damaged.
    """
    kept = load_alarms(cache)
    for labelled in track(pictures, "Looking for what is no die", console=Console(stderr=True)):
        kept.pop(labelled.image, None)
        if found := alarms_in(detectors, labelled):
            kept[labelled.image] = found
    cache.mkdir(parents=True, exist_ok=True)
    (cache / KEPT).write_bytes(msgspec.json.encode(kept))
    return kept


def alarms_in(detectors: Sequence[Network], labelled: LabelledPicture) -> list[Box]:
    """Where the detectors see dice in a picture and none is labelled, the hottest first, each place once."""
    picture = read_picture(labelled.path)
    detections = [s for detector in detectors for s in detect_dice(detector, picture, LEVELS, None)]
    dice = [die.box for die in labelled.dice if die.box is not None]
    wrong = [s for s in non_max_suppression(detections, LEVELS.high) if all(_apart(s, box) for box in dice)]
    return [s.box for s in wrong[:MOST] if s.side >= 10]


def _apart(detection: Detection, box: Box) -> bool:
    """Whether a detection is none of a labelled die, nor a part of one."""
    x0, y0, x1, y1 = detection.box
    away = math.dist(((x0 + x1) / 2, (y0 + y1) / 2), ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    side = max(box[2] - box[0], box[3] - box[1])
    return iou(detection.box, box) < 0.1 and away > 0.75 * max(side, detection.side)
