"""A virtual table that is filmed: quick frames like photographs, and hands that readers take for hands."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from loomtable.testing.virtual import (
    TINTS,
    Arm,
    Film,
    Light,
    PlacedCard,
    PlacedDie,
    Pose,
    Scene,
    Surface,
    VirtualCamera,
    photograph,
)
from loomtable.vision.motion import Change, Motion

CAMERA = VirtualCamera(height=330, tilt=15, frame=(640, 360), noise=0.8)
CHEQUERED = np.kron(np.indices((5, 3)).sum(axis=0) % 2 * 255, np.ones((20, 20))).astype(np.uint8)
CARD = PlacedCard(np.dstack([CHEQUERED] * 3), x=-60, y=10, turn=8)
LYING = Scene(
    Surface("felt", TINTS["felt"][0], 3),
    (CARD,),
    (PlacedDie(5, 60, 20, 30), PlacedDie(2, 90, -10, 70)),
    Light(size=9),
)
SIDES = pytest.mark.parametrize("side", [-120, -40, 0, 30, 90, 180])


def hand(side: float = 0.0, pose: Pose = Pose.PINCH, **more: float) -> list:
    return [Arm(skin=1, sleeve=2, side=side).at(0, 0, pose, **more)]


def test_a_frame_is_the_photograph_of_the_same_scene() -> None:
    """Drawn another way, quickly: but for the noise there must be no difference."""
    quiet = replace(CAMERA, noise=0.0, jpeg_quality=100)
    taken = photograph(LYING, quiet).picture
    frame = Film(quiet, drift=0).frame(LYING)
    # The photograph's colours are guessed from cells of one colour, so its finest edges are others.
    coarse, also_coarse = (cv2.GaussianBlur(one.astype(np.float32), (0, 0), 2) for one in (frame, taken))
    apart = np.abs(coarse - also_coarse)
    assert np.median(apart) < 1.5 and np.quantile(apart, 0.97) < 6, np.quantile(apart, [0.5, 0.9, 0.97])


def test_a_table_that_lies_still_stays_still_in_a_light_that_changes() -> None:
    film, motion = Film(CAMERA, 1, drift=0.15), Motion()
    frames = [film.frame(LYING) for _ in range(160)]
    assert {motion.change(frame) for frame in frames[1:]} == {Change.FIRST, Change.STILL}
    means = [float(frame.mean()) for frame in frames]
    assert max(means) > 1.15 * min(means), "and the light did change"


@SIDES
@pytest.mark.parametrize("pose", Pose)
def test_a_hand_is_taken_for_a_hand_from_every_side(side: float, pose: Pose) -> None:
    film, motion = Film(CAMERA, 1), Motion()
    for _ in range(3):
        motion.change(film.frame(LYING))
    motion.settle()
    assert motion.change(film.frame(LYING, hand(side, pose))) is Change.HAND
    assert motion.change(film.frame(LYING, hand(side, pose))) is Change.HAND, "also while it holds still"
    motion.change(film.frame(LYING))
    assert motion.change(film.frame(LYING)) is Change.STILL


@SIDES
def test_a_hand_and_its_shadow_stay_in_their_box(side: float) -> None:
    [moving] = hand(side)
    left, top, right, bottom = moving.box(CAMERA, LYING.light)
    film, bare = Film(CAMERA, 1), Film(CAMERA, 1)
    apart = np.abs(film.frame(LYING, [moving]).astype(int) - bare.frame(LYING)).max(axis=2)
    assert apart[top:bottom, left:right].max() > 60
    apart[top:bottom, left:right] = 0
    assert apart.max() == 0


def test_what_moves_is_blurred_and_what_is_high_casts_its_shadow_further() -> None:
    film, cloth = Film(replace(CAMERA, noise=0.0), drift=0), Scene(LYING.surface)
    bare = film.frame(cloth).astype(int)
    sharp, blurred = (np.abs(film.frame(cloth, hand(blur_px=blur)) - bare).max(axis=2) for blur in (0, 15))
    assert np.abs(np.diff(blurred)).max() < 0.5 * np.abs(np.diff(sharp)).max()
    low, high = (hand(height_mm=height)[0].box(CAMERA, LYING.light) for height in (5, 60))
    assert high[2] - high[0] > low[2] - low[0]


def test_a_hand_out_of_sight_changes_nothing() -> None:
    far = [Arm().at(3000, 3000, Pose.OPEN)]
    assert np.array_equal(Film(CAMERA, 1).frame(LYING, far), Film(CAMERA, 1).frame(LYING))
