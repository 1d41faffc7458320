"""What a detector is trained on: views of pictures, turned, zoomed, tiled, in another light, with their boxes.

A view is ``VIEW`` pixels square. Dice are brought to every size from small to nearly as large as the view. Where
not all dice of a picture are labelled, nothing is learned from the parts round which nobody has looked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage
from training.labels import LabelledPicture
from training.shapes import STRIDE

Matrix = npt.NDArray[np.float64]

VIEW = 320
"""Side of a view, px."""
DIE_SIDES = (14.0, 250.0)
"""Dice of a view are brought to sides between these, px."""
LEAST, MOST = 10.0, 300.0
"""Dice smaller or larger than these, px, are neither asked for nor punished."""
PADDING = 114
"""Grey beyond the picture's border, as the reader of pictures pads."""


@dataclass(frozen=True)
class Crop:
    """A square picture (V, V, 3) uint8 and its dice."""

    picture: BgrImage
    boxes: Float32Array
    """(n, 4) of whole dice, px."""
    ignored: Float32Array
    """(m, 4) where nothing is known, px."""
    known: Float32Array
    """(k, 4) px: where not all dice are labelled, only here is it known what lies; empty where all is known."""


def view_of(labelled: LabelledPicture, picture: BgrImage, rng: np.random.Generator, side: int = VIEW) -> Crop:
    """A part of a picture at a random size, turn and mirror image."""
    dice = [die for die in labelled.dice if die.box is not None]
    boxes = np.array([die.box for die in dice], np.float64).reshape(-1, 4)
    seen = np.array([die.seen for die in dice])
    height, width = picture.shape[:2]
    if len(boxes):
        chosen = boxes[rng.integers(len(boxes))]
        goal = math.exp(rng.uniform(math.log(DIE_SIDES[0]), math.log(DIE_SIDES[1] * side / VIEW)))
        scale = goal / max(chosen[2] - chosen[0], chosen[3] - chosen[1])
        # Not smaller than a third of the view, nor blown up until nothing is left to see.
        scale = float(np.clip(scale, 0.33 * side / max(height, width), 3.0))
        middle = (chosen[:2] + chosen[2:]) / 2
        place = rng.uniform(0.12, 0.88, 2) * side
    else:
        scale = side / max(height, width) * math.exp(rng.uniform(math.log(0.6), math.log(3.0)))
        middle = rng.uniform(0.2, 0.8, 2) * (width, height)
        place = np.full(2, side / 2)
    linear = scale * _turn(rng)
    if scale < 0.6:
        shrunk = scale / 0.8
        picture = np.asarray(
            cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA), np.uint8
        )
        inner = np.hstack((linear / shrunk, (place - linear @ middle)[:, None]))
    else:
        inner = np.hstack((linear, (place - linear @ middle)[:, None]))
    border = (PADDING,) * 3 if rng.random() < 0.5 else tuple(int(c) for c in rng.integers(0, 256, 3))
    warped = cv2.warpAffine(picture, inner, (side, side), flags=cv2.INTER_LINEAR, borderValue=border)
    matrix = np.hstack((linear, (place - linear @ middle)[:, None]))
    there, cut_off = _within(_moved(boxes, matrix), seen, side)
    moved = _moved(boxes, matrix).astype(np.float32)
    known = np.zeros((0, 4), np.float32)
    if not labelled.all_labelled:
        half = (moved[:, 2:] - moved[:, :2]) * 0.5
        known = np.concatenate((moved[:, :2] - half, moved[:, 2:] + half), axis=1)
    return Crop(np.asarray(warped, np.uint8), moved[there], moved[cut_off], known)


def tiled(views: list[Crop]) -> Crop:
    """Four views of half the side as one."""
    half = views[0].picture.shape[0]
    picture = np.zeros((2 * half, 2 * half, 3), np.uint8)
    boxes, ignored, known = [], [], []
    for number, view in enumerate(views):
        row, column = divmod(number, 2)
        picture[row * half : (row + 1) * half, column * half : (column + 1) * half] = view.picture
        away = np.array((column, row, column, row), np.float32) * half
        low, high = away, away + half
        boxes.append(view.boxes + away)
        ignored.append(np.clip(view.ignored + away, low, high))
        whole = np.array([[0, 0, half, half]], np.float32)
        known.append(np.clip((view.known if len(view.known) else whole) + away, low, high))
    return Crop(picture, np.concatenate(boxes), np.concatenate(ignored), np.concatenate(known))


def _turn(rng: np.random.Generator) -> Matrix:
    """A small turn, sometimes a quarter or half; mirrored half of the time; slightly stretched."""
    angle = rng.normal(0, 8) if rng.random() < 0.7 else rng.uniform(-180, 180)
    radians = math.radians(angle)
    turn = np.array(((math.cos(radians), -math.sin(radians)), (math.sin(radians), math.cos(radians))))
    stretch = math.exp(rng.uniform(-0.1, 0.1))
    return np.asarray(turn @ np.diag((-1.0 if rng.random() < 0.5 else 1.0, 1.0)) @ np.diag((stretch, 1 / stretch)))


def _moved(boxes: Matrix, matrix: Matrix) -> Matrix:
    """Boxes through an affine map, each as that of the oval that fills it: corners of a box are never all die."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2 @ matrix[:, :2].T + matrix[:, 2]
    half = (boxes[:, 2:] - boxes[:, :2]) / 2
    reach = np.sqrt((half**2) @ (matrix[:, :2].T ** 2))
    return np.concatenate((middles - reach, middles + reach), axis=1)


def _within(
    moved: Matrix, seen: npt.NDArray[np.float64], side: int
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which dice are to be found, and which are too small, too large or too little in view to say."""
    inside = np.clip(moved, 0, side)
    area = np.prod(moved[:, 2:] - moved[:, :2], axis=1)
    share = np.prod(inside[:, 2:] - inside[:, :2], axis=1) / np.maximum(area, 1e-6)
    sides = (moved[:, 2:] - moved[:, :2]).max(axis=1) if len(moved) else np.zeros(0)
    middles = (moved[:, :2] + moved[:, 2:]) / 2
    centred = ((middles > 2) & (middles < side - 2)).all(axis=1)
    there = centred & (share > 0.55) & (seen > 0.35) & (sides >= LEAST) & (sides <= MOST)
    return there, ~there & (share > 0)


def photographed_view(picture: BgrImage, rng: np.random.Generator) -> BgrImage:
    """The view in another light and through a worse camera."""
    if rng.random() < 0.2:
        picture = np.ascontiguousarray(picture[:, :, rng.permutation(3)])
    if rng.random() < 0.06:
        picture = 255 - picture
    if rng.random() < 0.35:
        mix = np.eye(3) + rng.normal(0, 0.18, (3, 3))
        mix /= np.maximum(mix.sum(axis=1, keepdims=True), 0.4)
        if rng.random() < 0.3:
            mix = np.full((3, 3), 1 / 3) + (mix - 1 / 3) * rng.uniform(0, 0.5)
        picture = np.asarray(cv2.transform(picture, mix), np.uint8)
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    gain = np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.07, 3))
    curve = np.clip(levels * gain + rng.normal(0, 0.04), 0, 1) ** math.exp(rng.normal(0, 0.25))
    picture = np.asarray(cv2.LUT(picture, (curve * 255).astype(np.uint8)[None].transpose(1, 0, 2)), np.uint8)
    if rng.random() < 0.3:
        picture = _shadowed(picture, rng)
    if rng.random() < 0.25:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 2.2))), np.uint8)
    if rng.random() < 0.4:
        picture = _noisy(picture, float(rng.uniform(2, 14)), rng)
    if rng.random() < 0.3:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))])
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return picture


@cache
def _grain() -> npt.NDArray[np.int8]:
    """A sheet of noise, larger than any view, of which each view takes a part: making it anew is slow."""
    return np.asarray(np.clip(np.random.default_rng(7).normal(0, 32, (2 * VIEW, 2 * VIEW, 3)), -127, 127), np.int8)


def _noisy(picture: BgrImage, strength: float, rng: np.random.Generator) -> BgrImage:
    height, width = picture.shape[:2]
    row, column = rng.integers(0, 2 * VIEW - height), rng.integers(0, 2 * VIEW - width)
    part = _grain()[row : row + height, column : column + width].astype(np.float32)
    return np.asarray(cv2.add(picture, part * np.float32(strength / 32), dtype=cv2.CV_8U), np.uint8)


def _shadowed(picture: BgrImage, rng: np.random.Generator) -> BgrImage:
    """Uneven light: a coarse random field, made smooth."""
    coarse = rng.uniform(0.45, 1.15, (int(rng.integers(2, 6)), int(rng.integers(2, 6)))).astype(np.float32)
    field = cv2.resize(coarse, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, cv2.merge([field] * 3), dtype=cv2.CV_8U), np.uint8)


@dataclass(frozen=True)
class Answer:
    """What the detector should answer for a view; h = w = side / 8."""

    heat: Float32Array
    """(h, w) 1 at the middle of a die, falling off round it."""
    counts: Float32Array
    """(h, w) 0 where nothing is known."""
    size: Float32Array
    """(2, h, w) logarithm of width and height in cells."""
    offset: Float32Array
    """(2, h, w) cells."""
    weight: Float32Array
    """(h, w) how much size and offset count."""


def target_of(view: Crop) -> Answer:
    """Heat, sizes and offsets of a view's dice."""
    cells = view.picture.shape[0] // STRIDE
    counts = np.ones((cells, cells), np.float32)
    if len(view.known):
        counts[:] = 0
        for box in view.known:
            counts[_cells(box, cells)] = 1
    for box in view.ignored:
        counts[_cells(box, cells)] = 0
    heat, weight = np.zeros((2, cells, cells), np.float32)
    size, offset = np.zeros((2, 2, cells, cells), np.float32)
    rows, columns = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for x0, y0, x1, y1 in view.boxes / STRIDE:
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        wide, high = max(0.13 * (x1 - x0), 0.55), max(0.13 * (y1 - y0), 0.55)
        # Round the cell in which the middle lies, so that this cell is exactly 1.
        hill = np.exp(-(((columns - int(x)) / wide) ** 2 + ((rows - int(y)) / high) ** 2) / 2)
        mine = hill > heat
        heat[mine] = hill[mine]
        near = mine & (hill > 0.35)
        weight[near] = hill[near]
        counts[near] = 1
        size[:, near] = np.log(np.array((x1 - x0, y1 - y0), np.float32))[:, None]
        offset[0, near] = x - columns[near]
        offset[1, near] = y - rows[near]
    return Answer(heat, counts, size, offset, weight)


def _cells(box: Float32Array, cells: int) -> tuple[slice, slice]:
    x0, y0 = np.floor(box[:2] / STRIDE).astype(int)
    x1, y1 = np.ceil(box[2:] / STRIDE).astype(int)
    return slice(max(y0, 0), max(min(y1, cells), 0)), slice(max(x0, 0), max(min(x1, cells), 0))
