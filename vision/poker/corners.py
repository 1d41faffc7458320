"""The corner of a playing card as the index reader takes it: how large, and which part of the card it shows."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture

Floats = npt.NDArray[np.float32]

WIDTH, HEIGHT = 32, 72
"""Pixels of a corner, which stands upright."""
PER_MM = 2.5
"""Pixels a millimetre in it."""
CARD = (63.0, 88.0)
"""Width and height of the cards that are expected, mm; bridge cards are 57 mm wide and are read as well."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "none")
SUITS = ("hearts", "diamonds", "spades", "clubs", "none")
"""What the two outputs of the network mean, in their order."""


def corner_of(picture: Picture, quad: npt.NDArray[np.float64]) -> Picture:
    """The upper left corner (HEIGHT, WIDTH, 3) of a card whose corners (4, 2) px are given clockwise from there.

    The picture is taken from two scales, so that small print is not skipped over.
    """
    wide, high = CARD[0] * PER_MM, CARD[1] * PER_MM
    there = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    side = float(np.linalg.norm(quad[1] - quad[0]))
    finer = int(np.clip(round(side / wide), 1, 6))
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), there * finer)
    size = WIDTH * finer, HEIGHT * finer
    seen = cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        seen = cv2.resize(seen, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(seen, np.uint8)


def network_input(corners: list[Picture]) -> Floats:
    """Corners as the network takes them (N, 3, HEIGHT, WIDTH): each against its own white, 0 dark and 1 white."""
    stack = np.stack(corners).astype(np.float32)
    white = np.quantile(stack, 0.85, axis=(1, 2), keepdims=True)
    return np.ascontiguousarray(np.clip(stack / np.maximum(white, 30), 0, 1.3).transpose(0, 3, 1, 2))
