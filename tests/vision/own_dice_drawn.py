"""Dice of one's own, drawn: a die of a style that no network has learned."""

from __future__ import annotations

import math

import cv2
import numpy as np

from loomtable.vision.pictures import BgrImage


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
