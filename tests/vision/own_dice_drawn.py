"""Dice and coins of one's own, drawn: a coin in relief, and a die of a style that no network has learned."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from loomtable.vision.pictures import BgrImage


@lru_cache(maxsize=4)
def relief(seed: int) -> np.ndarray:  # type: ignore[type-arg]
    """The height of one side of a coin, (300, 300): lumps, letters round the edge, a rim."""
    chance, n = np.random.default_rng(seed), 300
    height = np.zeros((n, n), np.float32)
    for _ in range(14):
        angle, reach = chance.uniform(0, 2 * np.pi), chance.uniform(0, 0.55) * n / 2
        middle = (int(n / 2 + reach * np.cos(angle)), int(n / 2 + reach * np.sin(angle)))
        size = (int(chance.uniform(8, 40)), int(chance.uniform(6, 22)))
        cv2.ellipse(height, middle, size, chance.uniform(0, 180), 0, 360, float(chance.uniform(0.3, 1)), -1)
    for k in range(int(chance.integers(9, 20))):
        angle = 2 * np.pi * k / 20
        at = (int(n / 2 + 0.39 * n * np.cos(angle)) - 9, int(n / 2 + 0.39 * n * np.sin(angle)) + 9)
        letters = np.zeros((n, n), np.uint8)
        cv2.putText(letters, chr(65 + int(chance.integers(26))), at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 255, 2)
        height = np.maximum(height, letters / np.float32(255))
    cv2.circle(height, (n // 2, n // 2), n // 2 - 6, 1.0, 8)
    return cv2.GaussianBlur(height, (0, 0), 1.5)


def coin_on_table(seed: int, turn: float, size: int = 120, lamp: float = 0.8, flatten: float = 1.0) -> BgrImage:
    """A coin turned on a green table, lit from one side."""
    height = relief(seed)
    n = len(height)
    height = cv2.warpAffine(height, cv2.getRotationMatrix2D((n / 2 - 0.5, n / 2 - 0.5), turn, 1), (n, n))
    slope_x, slope_y = (cv2.Sobel(height, cv2.CV_32F, dx, 1 - dx, scale=0.25) for dx in (1, 0))
    shade = 150 - 190 * (slope_x * math.cos(lamp) + slope_y * math.sin(lamp)) + 25 * height
    small = (size, int(size * flatten))
    colour = cv2.resize(np.stack([0.62 * shade, 0.8 * shade, shade], axis=2), small, interpolation=cv2.INTER_AREA)
    disc = cv2.circle(np.zeros((n, n), np.float32), (n // 2, n // 2), n // 2 - 2, 1.0, -1)
    cover = cv2.resize(disc, small, interpolation=cv2.INTER_AREA)[..., None]
    chance = np.random.default_rng([seed, int(turn * 10), size])
    table = np.full((360, 480, 3), (60, 90, 70), np.float32) + chance.normal(0, 6, (360, 480, 3))
    there = table[110 : 110 + small[1], 160 : 160 + small[0]]
    there[:] = there * (1 - cover) + colour * cover
    return np.clip(cv2.GaussianBlur(table, (0, 0), 0.8), 0, 255).astype(np.uint8)


HEADS, TAILS, FOREIGN = 1, 2, 7
"""Coins' sides by their seed."""


def fancy(number: int, turn: float, seed: int) -> BgrImage:
    """A die of a style that no network has learned: stars and bars in place of pips, on a speckled cloth."""
    chance = np.random.default_rng([number, seed])
    picture = np.full((140, 140, 3), (70, 60, 48), np.float32) + chance.normal(0, 5, (140, 140, 3))
    face = np.full((240, 240, 3), (150, 60, 90), np.uint8)
    for k in range(number):
        angle = 2 * np.pi * k / number
        x, y = (round(120 + (0 if number == 1 else 66) * f(angle)) for f in (np.cos, np.sin))
        cv2.drawMarker(face, (x, y), (120, 220, 250), (cv2.MARKER_STAR, cv2.MARKER_DIAMOND)[k % 2], 44, 9)
    cv2.rectangle(face, (14, 14), (226, 226), (60, 20, 40), 6)
    step = 96 / 240
    cos, sin = math.cos(math.radians(turn)) * step, math.sin(math.radians(turn)) * step
    warp = np.array([[cos, -sin, 70 - 120 * (cos - sin)], [sin, cos, 70 - 120 * (sin + cos)]])
    laid = cv2.warpAffine(face, warp, (140, 140), flags=cv2.INTER_AREA)
    cover = cv2.warpAffine(np.full((240, 240), 1.0, np.float32), warp, (140, 140))[..., None]
    return np.clip(cv2.GaussianBlur(picture * (1 - cover) + laid * cover, (0, 0), 0.7), 0, 255).astype(np.uint8)
