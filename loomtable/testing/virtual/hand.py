"""Hands, with their forearms in sleeves, that reach over the virtual table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.testing.virtual.colour import Colour, linear, noise
from loomtable.testing.virtual.cutout import Cutout
from loomtable.vision.arrays import Float32Array

SKINS: tuple[Colour, ...] = ((224, 180, 152), (198, 146, 114), (150, 102, 74), (96, 64, 48))
SLEEVES: tuple[Colour, ...] = ((52, 60, 84), (124, 44, 48), (66, 84, 66), (168, 156, 138), (38, 38, 42))
_SCALE = 2.0
"""Pixels per millimetre of a hand's own picture."""
_SIZE = (150.0, 560.0)
_TIP = (75.0, 16.0)
"""Millimetres from the picture's upper left corner to the place that the fingers hold."""
_WRIST, _PALM, _CUFF, _ARM = (
    (((12.0, 118.0), (12.0, 176.0)), 56.0),
    (((12.0, 112.0), (14.0, 118.0)), 82.0),
    (((12.0, 176.0), (12.0, 180.0)), 76.0),
    (((12.0, 208.0), (20.0, 640.0)), 84.0),
)

Line = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Finger:
    """A finger from its knuckle to its tip, mm from the place that the hand holds, and its thickness in mm."""

    joints: tuple[tuple[float, float], ...]
    thick: float


class Pose(Enum):
    """What the fingers do; the thumb is drawn first, the index finger last."""

    PINCH = (
        Finger(((-26, 98), (-24, 60), (-5, 12)), 20),
        Finger(((44, 96), (48, 70), (38, 50)), 14),
        Finger(((34, 88), (38, 56), (25, 34)), 16),
        Finger(((22, 82), (24, 46), (11, 18)), 17),
        Finger(((9, 82), (9, 42), (1, 4)), 17),
    )
    OPEN = (
        Finger(((-26, 100), (-46, 68), (-56, 44)), 20),
        Finger(((44, 96), (56, 66), (62, 38)), 14),
        Finger(((34, 88), (40, 46), (42, 8)), 16),
        Finger(((20, 82), (19, 36), (18, -4)), 17),
        Finger(((6, 84), (0, 40), (-5, 2)), 17),
    )


@dataclass(frozen=True)
class Arm:
    """Whose hand it is: an index into ``SKINS`` and one into ``SLEEVES``, and the side that it comes from.

    ``side`` is in degrees, clockwise as the camera sees it: 0 from the near edge, 90 from the left.
    """

    skin: int = 0
    sleeve: int = 0
    side: float = 0.0

    def at(self, x: float, y: float, pose: Pose, *, height_mm: float = 24.0, blur_px: float = 0.0) -> Cutout:
        """The hand whose fingers hold the place ``x``, ``y`` mm."""
        drawn = _drawn(pose, SKINS[self.skin % len(SKINS)], SLEEVES[self.sleeve % len(SLEEVES)])
        return Cutout(drawn, _SIZE, _TIP, x, y, self.side, height_mm, blur_px)


@lru_cache(maxsize=8)
def _drawn(pose: Pose, skin: Colour, sleeve: Colour) -> Float32Array:
    """A hand with its forearm, fingers up: colour times cover, and cover, (h, w, 4)."""
    layers = np.zeros((int(_SIZE[1] * _SCALE), int(_SIZE[0] * _SCALE), 4), np.float32)
    flesh, cloth = linear(skin), linear(sleeve)
    for limb in (_WRIST, _PALM):
        _add(layers, *limb, flesh)
    for finger in pose.value:
        _add(layers, finger.joints, finger.thick, flesh)
        _add_nail(layers, finger, flesh)
    _add(layers, *_ARM, cloth * _folds(layers.shape[:2]))
    _add(layers, *_CUFF, cloth * np.float32(0.8))
    layers.setflags(write=False)
    return layers


def _folds(shape: tuple[int, ...]) -> Float32Array:
    """How light the folds of a sleeve and the threads of its cloth are, (h, w, 1)."""
    rng, (height, width) = np.random.default_rng(7), shape
    folds = 0.14 * noise((height, width), (26 * _SCALE, 60 * _SCALE), rng)
    return np.asarray(1 + folds + 0.04 * noise((height, width), (2, 5), rng), np.float32)[..., None]


def _pixels(points: Line) -> npt.NDArray[np.int32]:
    """Places in a hand's own picture, in sixteenths of its pixels."""
    return np.round((np.array(points, np.float64) + _TIP) * _SCALE * 16).astype(np.int32)


def _add(layers: Float32Array, line: Line, thick: float, colour: Float32Array) -> None:
    """Draw a rounded limb along a line over the layers, in place: light on its back, dark at its sides."""
    cover = np.zeros(layers.shape[:2], np.uint8)
    cv2.polylines(cover, [_pixels(line)], False, 255, round(thick * _SCALE), cv2.LINE_AA, 4)
    inside = cv2.distanceTransform((cover > 127).astype(np.uint8), cv2.DIST_L2, 3) / (thick * _SCALE / 2)
    back = np.sqrt(np.clip(1 - (1 - np.clip(inside, 0, 1)) ** 2, 0, 1))
    tone = np.asarray(0.5 + 0.5 * cv2.GaussianBlur(back, (0, 0), 2), np.float32)
    share = (cover / np.float32(255))[..., None]
    layers *= 1 - share
    layers[..., :3] += colour * tone[..., None] * share
    layers[..., 3:] += share


def _add_nail(layers: Float32Array, finger: Finger, flesh: Float32Array) -> None:
    """The nail near a finger's tip, in place."""
    before, tip = np.array(finger.joints[-2:], np.float64)
    way = (tip - before) / np.linalg.norm(tip - before)
    x, y = _pixels([tuple(tip + 0.08 * finger.thick * way)])[0].tolist()
    long, wide = (round(share * finger.thick * _SCALE * 16) for share in (0.36, 0.27))
    cover = np.zeros(layers.shape[:2], np.uint8)
    angle = float(np.degrees(np.arctan2(way[1], way[0])))
    cv2.ellipse(cover, (x, y), (long, wide), angle, 0, 360, 150, -1, cv2.LINE_AA, 4)
    share = (cover / np.float32(255))[..., None]
    paler = np.minimum(flesh * np.float32(1.12) + np.float32(0.1), 1)
    layers[..., :3] = layers[..., :3] * (1 - share) + paler * share * layers[..., 3:]
