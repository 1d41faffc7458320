"""Between the colours people name and the light that adds up.

Colours are given as sRGB triples 0 to 255 in the order red, green, blue; light is linear, ``float32``, the same
order, with 1.0 for a perfectly white sheet in full light.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array

Colour = tuple[int, int, int]


def linear(colours: npt.ArrayLike) -> Float32Array:
    """The light that sRGB values 0 to 255 (any shape) stand for, 0 to 1."""
    share = np.asarray(colours, np.float32) / np.float32(255)
    light: Float32Array = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4).astype(
        np.float32
    )
    return light


def displayed(light: Float32Array) -> npt.NDArray[np.uint8]:
    """The sRGB values 0 to 255 of linear light 0 to 1 (any shape), clipped."""
    steps = (np.clip(light, 0, 1) * 4095).astype(np.uint16)
    return np.asarray(_TONES[steps], np.uint8)


def _tones() -> npt.NDArray[np.uint8]:
    """sRGB with a webcam's slightly steeper middle, for 4096 levels of linear light."""
    light = np.linspace(0, 1, 4096)
    srgb = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    steeper = srgb + 0.16 * srgb * (1 - srgb) * (2 * srgb - 0.9)
    return np.asarray(np.clip(np.round(steeper * 255), 0, 255), np.uint8)


_TONES = _tones()


def noise(shape: tuple[int, int], cell: tuple[float, float], rng: np.random.Generator) -> Float32Array:
    """Smooth random values, about -1 to 1, in ``shape``, with hills of ``cell`` pixels; both (height, width)."""
    height, width = (max(4, int(np.ceil(side / size)) + 3) for side, size in zip(shape, cell, strict=True))
    coarse = rng.uniform(-1, 1, (height, width)).astype(np.float32)
    grid = np.array([[1 / cell[1], 0, 1.0], [0, 1 / cell[0], 1.0]], np.float32)
    return np.asarray(
        cv2.warpAffine(
            coarse,
            grid,
            (shape[1], shape[0]),
            flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REFLECT,
        ),
        np.float32,
    )
