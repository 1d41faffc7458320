"""The detector: boxes of dice in a picture, at the scale at which they are neither too small nor too large.
Numbers here are set by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.boxes import Box, area, intersection
from loomtable.vision.dice.fusion.calibration import DetectorThresholds
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage

INPUT_SIDE = 640
"""Pictures are brought to this length for the first pass."""
INPUT_SIDE_SMALL_DICE = 1280
"""The length for a pass at a larger scale, where dice are small or missing."""
INPUT_SIDE_LARGE_DICE = 320
"""The length for a pass at a smaller scale, for dice that fill the picture."""
INPUT_SIDE_CLOSE_UP = 160
"""The length at which a die that fills a third of the picture is as large as the ones that are known best."""
MANY_DICE = 8
"""Where so many dice are found, none of them fills a third of the picture."""
MAX_UPSCALE = 4.0
"""A picture is enlarged at most so many times: beyond that nothing is gained."""
SMALL_DIE = 26.0
"""Dice under this many pixels across, in the view that was searched, are worth a pass at a larger scale."""
LARGE_DIE = 120.0
"""Where dice are this wide, one that is missing will not be found at a larger scale."""
CLEAR_SIDES = (34.0, 110.0)
"""Pixels across, in the first view, of dice that no larger or smaller scale shows better: where as many clear ones
as were asked for are all of such sizes, and no large die has them for its pips, no other scale is looked at."""
PART_SIZE = 0.42
"""What lies within a die and is this much smaller is a part of it."""
MAX_DETECTIONS = 60
"""So many dice at most are looked at in one picture. Bound by time."""
MAX_WEAK = 6
"""Detections whose score is too low for a die that are kept, in case one is missing. Bound by time."""
MIN_SCALE_GAIN = 1.2
"""By how much a larger scale must enlarge the picture to be worth a pass."""
MIN_CLOSE_UP_SHARE = 0.18
"""Share of the picture's longer side from which a die is taken from the smallest scale."""
MIN_GROUP = 2
"""So many detections with a higher score within a large box make it a group of dice, not a die."""
MIN_CROP_SIDE, MAX_CROP_SIDE = 12, 150
"""Pixels: a smaller picture shows nothing; one up to the second, as no camera's is, was cut out round a die."""
MAX_CROP_ASPECT_RATIO = 1.6
"""Longer over shorter side up to which a picture may be a crop of one die."""
CROP_HALF, CROP_SCORE = 0.47, 0.5
"""Half of the die's box in a crop, as a share of the crop's shorter side; its score, if no threshold is higher."""
SAME_DIE_IOU = 0.45
"""Intersection over union from which two boxes are one die's."""
SAME_DIE_CONTAINMENT = 0.75
"""Share of the smaller box within the larger from which they are one die's, or the smaller is a part."""
PART_SCORE_RATIO = 2.0
"""How many times the die's score a detection must reach to be no part of the die that it lies in."""
MAX_PEAKS = 200
"""So many local maxima of the map are looked at. Bound by time."""
MIN_BOX_SIDE = 2.0
"""Pixels: a smaller box is noise."""
CLEAR_SCORE, MIN_BESIDE_CLEAR = 0.6, 0.25
"""Where as many as were asked for reach the first score, what does not reach the second is not read. Measured: of
1,278 detections beside the dice in 2,822 photographs none lay on another die; one in six of all was such a one."""
_GRID = 32
"""Pixels of which a side must be a multiple. As trained."""
_PADDING = 114
"""Grey level round a picture. As trained."""

Judge = Callable[[Box], bool]


@dataclass(frozen=True)
class Detection:
    """Something that looks like a die."""

    box: Box
    """x0, y0, x1, y1 in pixels of the picture; parts may lie outside it."""
    score: float
    """How like a die it looks, 0 to 1; not a probability."""

    @property
    def side(self) -> float:
        """The larger side of its box in pixels."""
        return max(self.box[2] - self.box[0], self.box[3] - self.box[1])


def detect_dice(
    network: Network, picture: BgrImage, levels: DetectorThresholds, expected: int | None, large: Judge = bool
) -> list[Detection]:
    """Everything that may be a die, the highest score first, each once; at most ``MAX_DETECTIONS``.

    Args:
        network: the detector.
        picture: (height, width, 3) blue green red, 8 bits.
        levels: scores from which something is a die, and from which it may be one.
        expected: how many were asked for; where fewer are found, a larger scale is searched too.
        large: whether a box of a third of the picture may be one, or something to be known by that.
    """
    size, scale = (picture.shape[1], picture.shape[0]), _scale(picture.shape[:2], INPUT_SIDE)
    # Smaller scales begin with what the first one left: reducing many megapixels takes longer than the network.
    reduced = _at_scale(picture, size, INPUT_SIDE) if scale < 1 else picture
    near = _detect_at_scale(network, reduced, size, INPUT_SIDE, levels.low)
    close_up: list[Detection] = []
    found = non_max_suppression(near, levels.high)
    is_crop = max(size) <= MAX_CROP_SIDE
    if sum(s.score >= levels.high for s in found) < MANY_DICE and not is_crop:
        close_up = _detect_at_scale(network, reduced, size, INPUT_SIDE_CLOSE_UP, levels.high)
        close_up = [s for s in close_up if large(s.box)]
    clear = [s.side * scale for s in found if s.score >= CLEAR_SCORE]
    enough = not is_crop and len(clear) == expected and CLEAR_SIDES[0] < min(clear) <= max(clear) < CLEAR_SIDES[1]
    if not enough or _large(close_up, near, picture):
        far = _detect_at_scale(network, reduced, size, INPUT_SIDE_LARGE_DICE, levels.low)
        known = [*near, *far, *_as_crop(picture, levels)]
        found = non_max_suppression([*known, *_large(close_up, known, picture)], levels.high)
        sure = [s for s in found if s.score >= levels.high]
        usual = float(np.median([s.side for s in sure])) * scale if sure else 0.0
        few = expected is not None and len(sure) < expected and usual < LARGE_DIE
        if (few or usual < SMALL_DIE) and _scale(size, INPUT_SIDE_SMALL_DICE) > MIN_SCALE_GAIN * scale:
            small = _detect_at_scale(network, picture, size, INPUT_SIDE_SMALL_DICE, levels.low)
            found = non_max_suppression([*found, *small], levels.high)
    rest = [s for s in found if s.score < levels.high][:MAX_WEAK]
    return [s for s in found if s.score >= levels.high][: MAX_DETECTIONS - MAX_WEAK] + rest


def worth_reading(detections: Sequence[Detection], expected: int | None) -> list[int]:
    """The places of those that have to be read; ``expected`` is how many dice were asked for, nothing where nobody
    said."""
    clear = sum(s.score >= CLEAR_SCORE for s in detections)
    least = MIN_BESIDE_CLEAR if expected is not None and clear >= expected else 0.0
    return [k for k, s in enumerate(detections) if s.score >= least]


def _large(detections: Sequence[Detection], known: Sequence[Detection], picture: BgrImage) -> list[Detection]:
    """Those found at the smallest scale that are large, and no group of dice: hardly anything in them scores as
    high."""
    min_side = MIN_CLOSE_UP_SHARE * max(picture.shape[:2])
    # No score is high enough to rule out what lies within a box: each of the parts counts, once.
    each_once = non_max_suppression(known, high=1.0)

    def clearer_within(whole: Detection) -> int:
        return sum(s.score > whole.score and _mostly_within(s.box, whole.box) for s in each_once)

    return [s for s in detections if s.side >= min_side and clearer_within(s) < MIN_GROUP]


def _as_crop(picture: BgrImage, thresholds: DetectorThresholds) -> list[Detection]:
    """A picture no larger than a die is seen in others, and about square, is a crop of one."""
    height, width = picture.shape[:2]
    shorter, longer = sorted((height, width))
    if longer > min(MAX_CROP_SIDE, MAX_CROP_ASPECT_RATIO * shorter) or shorter < MIN_CROP_SIDE:
        return []
    middle, half = (width / 2, height / 2), CROP_HALF * shorter
    box = (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
    return [Detection(box, max(thresholds.high, CROP_SCORE))]


def non_max_suppression(detections: Sequence[Detection], high: float) -> list[Detection]:
    """Each die once: of boxes that overlap the one with the highest score, and no pips or numerals of a die
    beside it.

    ``high`` is the score from which a detection is a die and may rule out what lies within it.
    """
    dice = [s for s in detections if s.score >= high]
    whole = [s for s in detections if not any(_part_of(s, die) for die in dice)]
    kept: list[Detection] = []
    for detection in sorted(whole, key=lambda s: -s.score):
        if not any(_is_same_box(detection.box, other.box) for other in kept):
            kept.append(detection)
    return kept


def _mostly_within(small: Box, large: Box) -> bool:
    return intersection(small, large) > SAME_DIE_CONTAINMENT * area(small)


def _part_of(small: Detection, die: Detection) -> bool:
    """Whether a detection is a pip or numeral of a die: much smaller, and within it."""
    return (
        small.score < PART_SCORE_RATIO * die.score
        and small.side < PART_SIZE * die.side
        and _mostly_within(small.box, die.box)
    )


def _is_same_box(box: Box, other: Box) -> bool:
    """Whether two boxes are one die's: they overlap much, or one lies within the other."""
    shared = intersection(box, other)
    if not shared:
        return False
    smaller = min(area(box), area(other))
    together = area(box) + area(other) - shared
    return shared > SAME_DIE_IOU * together or shared > SAME_DIE_CONTAINMENT * smaller


def _scale(size: Sequence[int], long_side: int) -> float:
    return float(min(long_side / max(size), MAX_UPSCALE))


def _at_scale(picture: BgrImage, size: tuple[int, int], long_side: int) -> BgrImage:
    """A picture, or what was left of it at a larger scale, with the longer of its ``size``'s sides so long."""
    scale = _scale(size, long_side)
    wide, high = max(round(size[0] * scale), 1), max(round(size[1] * scale), 1)
    if (high, wide) == picture.shape[:2]:
        return picture
    while picture.shape[1] >= 4 * wide:  # to halve first takes half the time
        y, x = (length // 2 for length in picture.shape[:2])
        picture = np.asarray(cv2.resize(picture[: 2 * y, : 2 * x], (x, y), interpolation=cv2.INTER_AREA), np.uint8)
    how = cv2.INTER_AREA if wide < picture.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (wide, high), interpolation=how), np.uint8)


def _detect_at_scale(
    network: Network, picture: BgrImage, size: tuple[int, int], long_side: int, min_score: float
) -> list[Detection]:
    """The detections at one scale; ``size`` is the width and height of the picture in whose pixels they are."""
    view = _at_scale(picture, size, long_side)
    high, wide = view.shape[:2]
    # Half a die's breadth of grey all round, where a die may fill the picture; else only up to the grid.
    margin = _GRID if long_side <= INPUT_SIDE_LARGE_DICE else 0
    shape = (_on_grid(high + 2 * margin), _on_grid(wide + 2 * margin))
    canvas = np.full((1, 3, *shape), np.float32(_PADDING) / np.float32(255), np.float32)
    # Channel by channel: to transpose all of them takes twice as long.
    for plane, channel in zip(canvas[0], cv2.split(view), strict=True):
        np.divide(channel, np.float32(255), out=plane[margin : margin + high, margin : margin + wide])
    outputs = network.run(canvas)
    boxes, scores = _heatmap_peaks(outputs, shape[0], min_score)
    boxes = np.asarray((boxes - margin) / np.array([wide / size[0], high / size[1]] * 2), np.float32)
    return [
        Detection((x0, y0, x1, y1), score)
        for (x0, y0, x1, y1), score in zip(boxes.tolist(), scores.tolist(), strict=True)
        if min(x1 - x0, y1 - y0) > MIN_BOX_SIDE
    ]


def _on_grid(length: int) -> int:
    return -(-length // _GRID) * _GRID


def _heatmap_peaks(
    outputs: dict[str, Float32Array], height: int, min_score: float
) -> tuple[Float32Array, Float32Array]:
    """Boxes (n, 4) in pixels of the network's input, and their scores (n,): the highest peaks of the map."""
    heatmap, size, offset = outputs["heat"][0, 0], outputs["size"][0], outputs["offset"][0]
    stride = height / heatmap.shape[0]
    local_max = cv2.dilate(heatmap, np.ones((3, 3), np.uint8))
    y, x = np.nonzero((heatmap >= local_max) & (heatmap >= min_score))
    best = np.argsort(-heatmap[y, x])[:MAX_PEAKS]
    y, x = y[best], x[best]
    centre = (np.stack([x, y], axis=1) + offset[:, y, x].T) * stride
    half = np.maximum(size[:, y, x].T, 1) / 2
    return np.concatenate([centre - half, centre + half], axis=1).astype(np.float32), heatmap[y, x]
