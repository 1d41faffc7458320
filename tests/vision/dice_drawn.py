"""Dice with pips, drawn flat on a cloth: everything about them is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from loomtable.vision.pictures import BgrImage

Colour = tuple[int, int, int]
WHITE: Colour = (235, 238, 236)
BLACK: Colour = (25, 24, 28)
FELT: Colour = (60, 95, 50)
SITES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
FINE = 4
"""Pictures are drawn so much larger and shrunk, as a lens does."""


@dataclass(frozen=True)
class Drawn:
    """One die to draw: value, middle and side in pixels, turn in degrees, paint."""

    value: int
    x: float
    y: float
    side: float = 60.0
    turn: float = 0.0
    body: Colour = WHITE
    ink: Colour = BLACK


def table(dice: list[Drawn], size: tuple[int, int] = (480, 640), cloth: Colour = FELT) -> BgrImage:
    """A picture of dice seen from above, with a little noise and blur."""
    height, width = size
    canvas = np.empty((height * FINE, width * FINE, 3), np.uint8)
    canvas[:] = cloth
    for die in dice:
        _draw(canvas, die)
    picture = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA).astype(np.float64)
    picture += np.random.default_rng(7).normal(0, 2.5, picture.shape)
    return np.asarray(cv2.GaussianBlur(np.clip(picture, 0, 255).astype(np.uint8), (3, 3), 0), np.uint8)


def _draw(canvas: BgrImage, die: Drawn) -> None:
    turn = math.radians(die.turn)
    along = np.array([math.cos(turn), math.sin(turn)]) * die.side * FINE
    across = np.array([-along[1], along[0]])
    middle = np.array([die.x, die.y]) * FINE
    rounding = int(0.12 * die.side * FINE)
    corners = [middle + 0.38 * (u * along + v * across) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    outline = np.rint(corners).astype(np.int32)
    cv2.fillPoly(canvas, [outline], die.body)
    cv2.polylines(canvas, [outline], True, die.body, 2 * rounding, cv2.LINE_AA)
    for u, v in SITES[die.value]:
        x, y = middle + 0.26 * (u * along + v * across)
        cv2.circle(
            canvas, (round(float(x)), round(float(y))), round(0.09 * die.side * FINE), die.ink, -1, cv2.LINE_AA
        )
