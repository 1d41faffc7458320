"""Cutting dice out of pictures: the square about a die, turned, and brought to a network's size.

Training cuts its pictures with the same functions, so that a network sees dice as it has learned them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.pictures import BgrImage

Box = tuple[float, float, float, float]

CROP_MARGIN = 1.5
"""Side of the square over the larger side of the die's box. As trained."""


def square_about(box: Box) -> tuple[tuple[float, float], float]:
    """Centre and side, in pixels, of the square that shows a die with some of what lies round it."""
    x0, y0, x1, y1 = box
    return ((x0 + x1) / 2, (y0 + y1) / 2), CROP_MARGIN * max(x1 - x0, y1 - y0)


class Patch(NamedTuple):
    """A part of a picture, reduced where it is much larger than what is to be cut out of it."""

    pixels: BgrImage
    corner: tuple[float, float]
    """Where it begins in the picture, x and y."""
    scale: float

    def cut(
        self, centre: tuple[float, float], side: float, turn: float, size: int, squeeze: Float64Array | None = None
    ) -> BgrImage:
        """As :func:`cut`, out of this part."""
        angle = math.radians(turn)
        step = side * self.scale / size
        cos, sin = math.cos(angle) * step, math.sin(angle) * step
        turned = np.array([[cos, sin], [-sin, cos]])
        if squeeze is not None:
            turned = squeeze @ turned
        place = (np.array(centre) - self.corner) * self.scale - 0.5
        warp = np.column_stack([turned, place - turned.sum(axis=1) * (size - 1) / 2])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat = cv2.warpAffine(self.pixels, warp, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.uint8)


def patch_for(
    picture: BgrImage, centre: tuple[float, float], side: float, size: int, beyond: float = 0.0
) -> Patch:
    """What squares of ``side`` pixels show that are turned about ``centre``, or about places up to ``beyond``
    pixels from it, and brought to ``size`` pixels."""
    height, width = picture.shape[:2]
    reach = side * math.sqrt(0.5) + beyond + 2
    # Python's own bounds: numpy's take a millisecond of each numeral.
    x0, y0 = (min(max(math.floor(c - reach), 0), n - 1) for c, n in zip(centre, (width, height), strict=True))
    x1, y1 = (min(max(math.ceil(c + reach), 1), n) for c, n in zip(centre, (width, height), strict=True))
    pixels = picture[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    scale = 1.0
    if side > 2 * size:
        scale = 1.5 * size / side
        wanted = (max(round(pixels.shape[1] * scale), 1), max(round(pixels.shape[0] * scale), 1))
        pixels = np.asarray(cv2.resize(pixels, wanted, interpolation=cv2.INTER_AREA), np.uint8)
    return Patch(pixels, (x0, y0), scale)


def cut(
    picture: BgrImage,
    centre: tuple[float, float],
    side: float,
    turn: float,
    size: int,
    squeeze: Float64Array | None = None,
) -> BgrImage:
    """The square of ``side`` pixels about ``centre``, turned clockwise by ``turn`` degrees, ``size`` pixels wide.

    What lies outside the picture takes the colour of its border. Where the picture shows the square shortened,
    because the camera does not look straight at it, ``squeeze`` (2, 2) says how: it is laid flat.
    """
    return patch_for(picture, centre, side, size).cut(centre, side, turn, size, squeeze)


def framed(picture: BgrImage, scale: float, border: int) -> BgrImage:
    """A picture, ``scale`` times as large, with a border of so many pixels that its edges run into, blurred."""
    how = cv2.INTER_AREA
    small = picture if scale == 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how)
    wide = cv2.copyMakeBorder(small, border, border, border, border, cv2.BORDER_REPLICATE)
    wide = cv2.blur(wide, (border // 2 + 1, border // 2 + 1))
    wide[border : border + len(small), border : border + small.shape[1]] = small
    return np.asarray(wide, np.uint8)


def as_input(cuts: Sequence[BgrImage]) -> Float32Array:
    """(n, 3, size, size) float32, blue green red, 0 to 1: what the readers take."""
    return np.ascontiguousarray(np.stack(cuts).transpose(0, 3, 1, 2), np.float32) / np.float32(255)
