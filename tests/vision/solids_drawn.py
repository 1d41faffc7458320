"""Dice with numerals as solids, drawn plainly where a pose has them."""

from __future__ import annotations

import math

import cv2
import numpy as np

from loomtable.vision.camera_pose import CameraPose, Cameras
from loomtable.vision.dice.layouts import hypotheses
from loomtable.vision.dice.pose import SolidPose
from loomtable.vision.die_kinds import Kind

UPRIGHT = np.array([0.1, -math.cos(math.radians(50))])


def camera_at(upright: np.ndarray) -> CameraPose:
    """One camera, that sees upright things point there in the middle of its picture."""
    elevation, roll = (
        math.degrees(math.acos(np.hypot(*upright))),
        math.degrees(math.atan2(upright[0], -upright[1])),
    )
    one = Cameras(*(np.array([value]) for value in (elevation, roll, 30.0)))
    return CameraPose(np.zeros(1), (480, 360), 1, one)


def drawn(pose: SolidPose, marks: list[tuple[int, int]]) -> np.ndarray:
    """A solid (360, 480, 3) on a green table, with a number on each face, and which of its directions is up."""
    from PIL import Image, ImageDraw, ImageFont

    picture = np.full((360, 480, 3), (90, 120, 70), np.uint8)
    for face, facing in enumerate(pose.normals[:, 2]):
        if facing <= 0.05:
            continue
        shade = (int(130 + 95 * facing),) * 3
        cv2.fillConvexPoly(picture, np.round(pose.corners_of(face) * 16).astype(np.int32), shade, cv2.LINE_AA, 4)
        page = Image.new("L", (120, 120))
        number, turn = marks[face]
        ImageDraw.Draw(page).text((60, 60), str(number), 255, ImageFont.load_default(60), anchor="mm")
        if number in (6, 9):
            ImageDraw.Draw(page).rectangle((42, 88, 78, 93), fill=255)
        middle, radius, squeeze = pose.circle_on(face, turn)
        steps = squeeze * radius / 46
        warp = np.column_stack([steps, np.array(middle) - steps @ (60, 60)])
        ink = cv2.warpAffine(np.asarray(page), warp, (480, 360))[..., None] / 255
        picture = (picture * (1 - ink) + 30 * ink).astype(np.uint8)
    return cv2.GaussianBlur(picture, (3, 3), 0)


def lying_as(kind: Kind, way: int, yaw: float = 0.7) -> tuple[SolidPose, list[tuple[int, int]]]:
    """A die that lies as one of its hypotheses has it: its pose, and what stands on each face, which way up."""
    ways = hypotheses(kind)
    assert ways is not None
    numbers, turns = ways.numbers[way].tolist(), np.maximum(ways.turns[way], 0).tolist()
    pose = SolidPose(kind, UPRIGHT, yaw, 62.0, (240.0, 190.0), 1.0)
    return pose, [(kind.numbers[number], turn) for number, turn in zip(numbers, turns, strict=True)]
