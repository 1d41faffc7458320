"""What a camera, a lamp and a stranger's dice do to a crop, at random: the picture changes, its labels stay true.

A crop is turned, shifted, zoomed and stretched; recoloured, so that no colour of dice means anything; shaded,
gleamed upon and partly covered; then blurred, made small, made noisy and packed as JPEG, as a cheap webcam would.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.crops import CROP_MARGIN
from training.crops import PATCH, SPREAD, UNKNOWN
from training.shapes import CROP, KINDS

UPRIGHT = 35.0
"""Degrees to either side that a die is turned of which the picture's up tells what lies up."""
ZOOMS = {"rune55-fisheye": (0.95, 1.7), "skovy-crops": (0.7, 1.2), "casino-crops": (0.75, 1.25)}
"""How much larger a source's dice are shown than their boxes say, where the boxes are loose or tight."""
ZOOM = (0.78, 1.3)
SHIFT = 0.12
"""The middle is missed by up to this share of the die's side."""
SMALLEST = {"d6": 15.0, "none": 15.0}
"""Dice of a kind are made as small as so many pixels: pips can be counted where numerals cannot be read."""
SMALLEST_NUMERAL = 24.0
SPOILED = {"scenes": 0.35}
"""How many crops of a source are spoiled further: scenes were made with a bad camera already."""


@dataclass(frozen=True)
class Change:
    """A map of the crop's plane: a 2 x 3 matrix from patch to crop, px, and how the numeral's turn changes."""

    matrix: npt.NDArray[np.float64]
    clockwise: float
    mirrored: bool

    def turned(self, turn: float) -> float:
        """Where a numeral's up points after the change, degrees clockwise from up."""
        return (self.clockwise - turn if self.mirrored else self.clockwise + turn) % 360

    def moved(self, top: Float32Array) -> Float32Array:
        """Place of the up face: from the die's middle in die sides, to the crop's middle in halves of its side."""
        middle = (PATCH - 1) / 2
        place = np.array((*(middle + top * PATCH / SPREAD), 1.0))
        return np.asarray((self.matrix @ place - (CROP - 1) / 2) / (CROP / 2), np.float32)


def chosen_change(row: np.void, rng: np.random.Generator) -> Change:
    """A random turn, mirror image, shift, zoom and stretch that leaves the labels of ``row`` true."""
    kind = KINDS[int(row["kind"])]
    mirrored = kind in ("d6", "none") and rng.random() < 0.5
    reach = 180.0 if row["turnable"] else UPRIGHT
    turn = float(rng.uniform(-reach, reach))
    low, high = ZOOMS.get(str(row["source"]), ZOOM)
    zoom = math.exp(rng.uniform(math.log(low), math.log(high)))
    shift = rng.uniform(-SHIFT, SHIFT, 2) * PATCH / SPREAD
    return change(turn, mirrored, zoom, (float(shift[0]), float(shift[1])), _stretch(rng))


def _stretch(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """A slight stretch along some direction: another angle of the camera."""
    along, by = rng.uniform(0, math.pi), math.exp(rng.uniform(-0.13, 0.13))
    axis = np.array(((math.cos(along), math.sin(along)), (-math.sin(along), math.cos(along))))
    return np.asarray(axis.T @ np.diag((by, 1 / by)) @ axis)


def change(
    turn: float,
    mirrored: bool = False,
    zoom: float = 1.0,
    shift: tuple[float, float] = (0.0, 0.0),
    stretch: npt.NDArray[np.float64] | None = None,
) -> Change:
    """The map that shows the patch turned clockwise by ``turn`` degrees after it was mirrored, and so on.

    ``shift`` is in pixels of the patch; the readers' crop shows ``ROOM`` die sides at zoom 1.
    """
    angle = math.radians(turn)
    turning = np.array(((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))))
    linear = turning if stretch is None else stretch @ turning
    if mirrored:
        linear = linear @ np.diag((-1.0, 1.0))
    linear = linear * (zoom * CROP / (PATCH * CROP_MARGIN / SPREAD))
    middle = np.full(2, (PATCH - 1) / 2) + np.array(shift)
    away = (CROP - 1) / 2 - linear @ middle
    return Change(np.hstack((linear, away[:, None])), turn, mirrored)


def shown(patch: npt.NDArray[np.uint8], how: Change) -> npt.NDArray[np.uint8]:
    """The patch through a change: (96, 96, 3) uint8."""
    flat = cv2.warpAffine(patch, how.matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def photographed(
    crop: npt.NDArray[np.uint8], rng: np.random.Generator, side: float, least: float = 15.0, worse: bool = True
) -> npt.NDArray[np.uint8]:
    """The crop in other colours and, where ``worse``, in another light and through a worse camera.

    ``side``: pixels that its die had in its picture; it is shown in no more, and in no fewer than ``least``.
    """
    light: Float32Array = _recoloured(np.asarray(crop, np.float32) / np.float32(255), rng)
    if worse:
        if rng.random() < 0.3:
            light = _shaded(light, rng)
        if rng.random() < 0.25:
            light = _gleaming(light, rng)
        if rng.random() < 0.12:
            light = _covered(light, rng)
        light = _blurred(light, rng)
        return _taken(light, rng, side, least)
    return np.asarray(np.clip(light, 0, 1) * 255 + 0.5, np.uint8)


def _recoloured(light: Float32Array, rng: np.random.Generator) -> Float32Array:
    if rng.random() < 0.25:
        light = light[:, :, rng.permutation(3)]
    if rng.random() < 0.12:
        light = 1 - light
    if rng.random() < 0.35:
        # A mix of the channels that keeps grey grey, then some colour taken out or put in.
        mix = np.eye(3) + rng.normal(0, 0.22, (3, 3))
        mix /= np.maximum(mix.sum(axis=1, keepdims=True), 0.4)
        light = light @ mix.T.astype(np.float32)
    if rng.random() < 0.3:
        grey = light.mean(axis=2, keepdims=True)
        light = grey + (light - grey) * np.float32(rng.uniform(0.0, 1.5))
    gain = np.exp(rng.normal(0, 0.22) + rng.normal(0, 0.08, 3)).astype(np.float32)
    light = np.clip(light * gain + np.float32(rng.normal(0, 0.04)), 0, 1)
    if rng.random() < 0.5:
        light = light ** np.float32(math.exp(rng.normal(0, 0.3)))
    if rng.random() < 0.2:
        flat = np.float32(rng.uniform(0.35, 0.9))
        light = light * flat + np.float32(rng.uniform(0, 1)) * (1 - flat)
    return np.asarray(light, np.float32)


_ROWS, _COLUMNS = np.mgrid[0:CROP, 0:CROP].astype(np.float32)


def _shaded(light: Float32Array, rng: np.random.Generator) -> Float32Array:
    """A shadow's soft or sharp edge across the crop."""
    angle = rng.uniform(0, 2 * math.pi)
    across = (_COLUMNS - CROP / 2) * np.float32(math.cos(angle)) + (_ROWS - CROP / 2) * np.float32(math.sin(angle))
    edge = np.clip((across - np.float32(rng.uniform(-30, 30))) / np.float32(rng.uniform(4, 60)) + 0.5, 0, 1)
    return np.asarray(light * (1 - np.float32(rng.uniform(0.15, 0.65)) * edge)[:, :, None], np.float32)


def _gleaming(light: Float32Array, rng: np.random.Generator) -> Float32Array:
    """One or two gleams: oval, soft, as bright as the lamp."""
    for _ in range(rng.integers(1, 3)):
        x, y = rng.uniform(22, 74, 2)
        wide, high = np.exp(rng.uniform(np.log(2.5), np.log(16), 2))
        oval = ((_COLUMNS - np.float32(x)) / np.float32(wide)) ** 2 + (
            (_ROWS - np.float32(y)) / np.float32(high)
        ) ** 2
        strength = np.exp(-oval * oval) * np.float32(rng.uniform(0.3, 0.9))
        light = light + (1 - light) * strength[:, :, None]
    return np.asarray(light, np.float32)


def _covered(light: Float32Array, rng: np.random.Generator) -> Float32Array:
    """Something at the crop's edge, as a finger, a card or another die would lie."""
    angle = rng.uniform(0, 2 * math.pi)
    across = (_COLUMNS - CROP / 2) * np.float32(math.cos(angle)) + (_ROWS - CROP / 2) * np.float32(math.sin(angle))
    cover = across > np.float32(rng.uniform(30, 46))
    light = light.copy()
    light[cover] = rng.uniform(0, 1, 3) + rng.normal(0, 0.05, (int(cover.sum()), 1))
    return np.clip(light, 0, 1)


def _blurred(light: Float32Array, rng: np.random.Generator) -> Float32Array:
    which = rng.random()
    if which < 0.2:
        return np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.5, 2.0))), np.float32)
    if which < 0.3:
        length = int(rng.integers(3, 9))
        angle = math.radians(rng.uniform(0, 180))
        kernel = np.zeros((length, length), np.float32)
        half = (length - 1) / 2
        away = (round(half * math.cos(angle)), round(half * math.sin(angle)))
        middle = length // 2
        cv2.line(kernel, (middle - away[0], middle - away[1]), (middle + away[0], middle + away[1]), 1.0)
        return np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)
    return light


def _taken(light: Float32Array, rng: np.random.Generator, side: float, least: float) -> npt.NDArray[np.uint8]:
    """Through a camera that gives the die few pixels, with its noise and packing, and back to the crop's size."""
    small = rng.random() < 0.45
    if small:
        largest = min(side, CROP / CROP_MARGIN)
        die = math.exp(rng.uniform(math.log(min(least, largest)), math.log(largest)))
        pixels = max(round(die * CROP_MARGIN), 20)
        light = np.asarray(cv2.resize(light, (pixels, pixels), interpolation=cv2.INTER_AREA), np.float32)
    if rng.random() < 0.6:
        strength = rng.uniform(0, 0.045)
        light = light + rng.normal(0, strength, light.shape).astype(np.float32)
    taken = (np.clip(light, 0, 1) * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.3:
        _, packed = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))])
        taken = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if small:
        taken = np.asarray(cv2.resize(taken, (CROP, CROP), interpolation=cv2.INTER_LINEAR), np.uint8)
    return taken


@dataclass(frozen=True)
class Sample:
    """One crop to train on; labels as in ``crops.ROW``."""

    crop: npt.NDArray[np.uint8]
    kind: int
    pips: int
    numeral: int
    top: Float32Array
    """(4,) as ``networks.Read.top``; NaN where unknown."""


def sample_of(patch: npt.NDArray[np.uint8], row: np.void, rng: np.random.Generator) -> Sample:
    """A crop made from a patch at random, with its labels."""
    how = chosen_change(row, rng)
    worse = rng.random() < SPOILED.get(str(row["source"]), 0.85)
    least = SMALLEST.get(KINDS[int(row["kind"])], SMALLEST_NUMERAL)
    crop = photographed(shown(patch, how), rng, float(row["side"]), least, worse)
    top = np.full(4, np.nan, np.float32)
    top[:2] = how.moved(row["top"])
    if int(row["numeral"]) != UNKNOWN:
        turn = math.radians(how.turned(float(row["turn"])))
        top[2:] = math.sin(turn), math.cos(turn)
    return Sample(crop, int(row["kind"]), int(row["pips"]), int(row["numeral"]), top)
