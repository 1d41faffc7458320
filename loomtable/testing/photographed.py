"""Dice cut out of photographs that others took, for a virtual table: read when they are needed, and never kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from loomtable.testing.printed_things import PrintedThing
from loomtable.vision.boxes import Box
from loomtable.vision.pictures import BgrImage, read_picture

SIDE = 16.0
"""Of such a die, mm."""
_ROOM, _LEAST_SIDE, _PIXELS = 0.25, 40, 96
"""Of a box, about it; pixels along its side, at least, and along the side of a die that was cut out."""
_LEAST_SHARE = 0.6
"""Of the side of its box, that of a die; what is smaller is a pip."""
_ALIKE, _MOST_GROUND = 36, 0.3
"""Levels by which colours differ that look alike; the share of two sides that may look as the ground."""
_LEAST_FILLED, _MOST_UNEQUAL = 0.88, 1.12
"""The share of its rectangle that a die fills; its longer side over the shorter: others are seen from the side."""


def photographed_d6(pictures: Iterable[tuple[Path, Sequence[tuple[Box, int]]]]) -> dict[int, list[PrintedThing]]:
    """Faces of six-sided dice as they are seen from above, by what they show; each picture has boxes of such dice,
    px, and what they show.

    Raises:
        FileUnreadable, PictureUnreadable: a picture cannot be read.
    """
    found: dict[int, list[PrintedThing]] = {value: [] for value in range(1, 7)}
    for path, dice in pictures:
        picture = read_picture(path)
        for box, value in dice:
            if (face := _cut(picture, box)) is not None:
                found[value].append(PrintedThing(face, face, SIDE, SIDE, 2.4))
    return found


def _cut(picture: BgrImage, box: Box) -> BgrImage | None:
    """The upper face in a box, laid square (RGB); nothing where it is no clear square, or shows its ground."""
    x0, y0, x1, y1 = box
    room = _ROOM * max(x1 - x0, y1 - y0)
    left, top = max(round(x0 - room), 0), max(round(y0 - room), 0)
    part = picture[top : round(y1 + room), left : round(x1 + room)]
    mask = np.zeros(part.shape[:2], np.uint8)
    inner = (round(x0 - left), round(y0 - top), round(x1 - x0), round(y1 - y0))
    if min(x1 - x0, y1 - y0) < _LEAST_SIDE:
        return None
    cv2.setRNGSeed(1)
    cv2.grabCut(part, mask, inner, np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_RECT)
    shape = np.asarray((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD), np.uint8)
    outlines, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea, default=np.zeros((1, 1, 2), np.int32))
    around = cv2.minAreaRect(largest)
    wide, high = around[1]
    filled = cv2.contourArea(largest) / max(wide * high, 1.0)
    large = min(wide, high) > _LEAST_SHARE * max(x1 - x0, y1 - y0)
    if not large or filled < _LEAST_FILLED or max(wide, high) > _MOST_UNEQUAL * min(wide, high):
        return None
    corners = cv2.boxPoints(around).astype(np.float32)
    square = np.array([(0, 0), (_PIXELS, 0), (_PIXELS, _PIXELS), (0, _PIXELS)], np.float32)
    flat = cv2.warpPerspective(part, cv2.getPerspectiveTransform(corners, square), (_PIXELS, _PIXELS))
    about, rim = np.median(part[[0, -1]].reshape(-1, 3), axis=0), np.concatenate([flat[:6], flat[-6:]])
    ground = np.abs(rim - about).max(axis=2) < _ALIKE
    return None if ground.mean() > _MOST_GROUND else np.ascontiguousarray(flat[..., ::-1].astype(np.uint8))
