"""The corner of a playing card as the index reader takes it: how large, and which part of the card it shows."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage

Points = npt.NDArray[np.float64]

WIDTH, HEIGHT = 32, 72
"""Pixels of a corner, which stands upright. As trained."""
PER_MM = 2.5
"""Pixels a millimetre in it. As trained."""
CARD = (63.0, 88.0)
"""Width and height of the cards that are expected, mm; bridge cards (57 mm wide) are read as well. As made."""
RANK_AT, SIGN_AT = (4.6, 7.2), (4.6, 14.5)
"""Where the middles of the rank and of its sign are taken to stand, mm from the card's corner. Decks differ: each
corner is brought to this. As made."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "none")
SUITS = ("hearts", "diamonds", "spades", "clubs", "none")
"""What the two outputs of the network mean, in their order."""


def corner_about(picture: BgrImage, rank: Points, sign: Points) -> BgrImage:
    """The corner (HEIGHT, WIDTH, 3) whose rank and sign have their middles (2,) px at these places of a picture.

    A large one is taken from a finer cut, so that small print is not skipped over.
    """
    down = (sign - rank) / (SIGN_AT[1] - RANK_AT[1])
    right = np.array([down[1], -down[0]])
    finer = int(np.clip(round(float(np.linalg.norm(down)) / PER_MM), 1, 6))
    there = np.linalg.inv(np.column_stack([right, down])) * PER_MM * finer
    warp = np.column_stack([there, np.array(RANK_AT) * PER_MM * finer - 0.5 - there @ rank])
    size = WIDTH * finer, HEIGHT * finer
    corner = cv2.warpAffine(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        corner = cv2.resize(corner, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(corner, np.uint8)


def network_input(corners: list[BgrImage]) -> Float32Array:
    """Corners as the network takes them (N, 3, HEIGHT, WIDTH): each against its own white, 0 dark and 1 white."""
    stack = np.stack(corners).astype(np.float32)
    at = int(0.85 * HEIGHT * WIDTH)
    white = np.partition(stack.reshape(len(stack), -1, 3), at, axis=1)[:, at][:, None, None]
    return np.ascontiguousarray(np.clip(stack / np.maximum(white, 30), 0, 1.3).transpose(0, 3, 1, 2))
