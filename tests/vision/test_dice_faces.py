"""The upper face of a die, laid flat and read, where it is known how the table lies."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from loomtable.vision.dice import Kind, Verdict
from loomtable.vision.dice.faces import _at_some_turn, read_upper_face
from loomtable.vision.dice.fusion.doubts import MIN_FACE_PROBABILITY
from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.numerals import STRINGS
from loomtable.vision.dice.pose import SolidPose
from tests.vision.dice_seen import lying, print_of, read
from tests.vision.needed import needs_networks


def drawn(pose: SolidPose, numeral: str, turn: float) -> np.ndarray:
    """A solid (360, 480, 3) on a green table, with a numeral on its upper face, turned so many degrees there."""
    from PIL import Image, ImageDraw, ImageFont

    picture = np.full((360, 480, 3), (90, 120, 70), np.uint8)
    for shade, face in zip((225, *range(200, 120, -6)), pose.faces, strict=False):
        cv2.fillConvexPoly(picture, np.round(face * 16).astype(np.int32), (shade,) * 3, cv2.LINE_AA, 4)
    page = Image.new("L", (120, 120))
    ImageDraw.Draw(page).text((60, 60), numeral, 255, ImageFont.load_default(60), anchor="mm")
    middle, radius, squeeze = pose.upper_circle
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    steps = squeeze @ np.array([[c, -s], [s, c]]) * radius / 40
    warp = np.column_stack([steps, np.array(middle) - steps @ (60, 60)])
    ink = cv2.warpAffine(np.asarray(page), warp, (480, 360))[..., None] / 255
    return cv2.GaussianBlur((picture * (1 - ink) + 30 * ink).astype(np.uint8), (3, 3), 0)


@needs_networks
@pytest.mark.parametrize(("kind", "numbers"), [(Kind.D20, (3, 12, 14, 17, 20)), (Kind.D12, (2, 4, 5, 8, 10))])
def test_a_numeral_is_read_on_the_upper_face_before_a_low_camera(kind: Kind, numbers: tuple[int, ...]) -> None:
    models = load_models()
    assert models is not None and models.faces is not None
    right = 0
    for number in numbers:
        upright = np.array([0.1, -math.cos(math.radians(38))])
        pose = SolidPose(kind, upright, 0.4 * number, 55.0, (240.0, 190.0), 1.0)
        reading = read_upper_face(models.faces, drawn(pose, str(number), 77.0 * number), pose)
        right += kind.numbers[int(reading.numbers(kind).argmax())] == number
    assert right >= len(numbers) - 1


def test_a_face_on_which_nothing_is_read_at_any_turn_shows_any_number() -> None:
    logs = np.log(np.full((12, len(STRINGS) + 1), 1e-4, np.float32))
    logs[:, -1] = np.log(1 - 1e-4 * len(STRINGS))
    assert np.exp(np.log(_at_some_turn(logs))).max() < 1.01 / len(STRINGS)
    logs[3, 14], logs[3, -1] = np.log(0.9), np.log(0.09)
    assert _at_some_turn(logs)[14] > 0.85
    assert float(_at_some_turn(logs).sum()) == pytest.approx(1.0, abs=1e-5)


def test_a_face_laid_flat_is_asked_about_unless_its_number_is_sure() -> None:
    for sure, verdict in ((MIN_FACE_PROBABILITY - 0.1, Verdict.ASK), (0.97, Verdict.ACCEPTED)):
        die = replace(lying(Kind.D20, 14), numerals=print_of(Kind.D20, 14, sure), by_face=True)
        assert read(die, asked="1d20").verdict is verdict
    assert (
        read(replace(die, numerals=print_of(Kind.D20, 14, 0.75), by_face=False), asked="1d20").verdict is verdict
    )
