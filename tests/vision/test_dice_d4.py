"""A d4's number: the numeral of a face that stands upright, near the upper corner or at the lower edge."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from loomtable.vision.dice.d4 import read_d4
from loomtable.vision.dice.networks import load_models
from loomtable.vision.pictures import BgrImage

MODELS = load_models()
pytestmark = pytest.mark.skipif(
    MODELS is None or MODELS.numerals is None, reason="no reader of numerals is installed in models/"
)
MIDDLE, SIDE = (240.0, 240.0), 210.0


def face(up: int, right: int, left: int, *, at_corners: bool, lean: float = 0.0) -> BgrImage:
    """A d4 (480, 480, 3) whose face to the camera has ``up`` upright, and the others clockwise from there."""
    page = Image.new("RGB", (480, 480), (150, 130, 105))
    corners = [turned(lean + k * 120, 128) for k in range(3)]
    ImageDraw.Draw(page).polygon(corners, fill=(35, 45, 110))
    for number, turn in ((up, lean), (right, lean + 120), (left, lean - 120)):
        stamp = Image.new("L", (90, 90))
        font = ImageFont.load_default(58)
        ImageDraw.Draw(stamp).text((45, 45), str(number), fill=255, font=font, anchor="mm")
        x, y = turned(turn, 60) if at_corners else turned(turn + 180, 36)
        place = (round(x - 45), round(y - 45))
        page.paste((240, 240, 240), place, stamp.rotate(-turn, Image.Resampling.BICUBIC))
    noise = np.random.default_rng(7).normal(0, 2, (480, 480, 3))
    return np.asarray(np.clip(np.asarray(page, np.float64)[:, :, ::-1] + noise, 0, 255), np.uint8)


def turned(degrees: float, away: float) -> tuple[float, float]:
    """The place so far from the middle, clockwise from the picture's up."""
    angle = math.radians(degrees)
    return MIDDLE[0] + away * math.sin(angle), MIDDLE[1] - away * math.cos(angle)


def chances(picture: BgrImage) -> list[float] | None:
    assert MODELS is not None
    assert MODELS.numerals is not None
    read = read_d4(MODELS.numerals, picture, (MIDDLE, SIDE))
    return None if read is None else np.exp(read).tolist()


@pytest.mark.parametrize("at_corners", [True, False], ids=["at the corners", "at the edges"])
@pytest.mark.parametrize(
    ("up", "right", "left", "lean"), [(1, 3, 4, 0), (2, 1, 4, -20), (3, 2, 4, 20), (4, 2, 3, 0)]
)
def test_the_upright_numeral_counts_in_both_conventions(
    up: int, right: int, left: int, lean: float, at_corners: bool
) -> None:
    read = chances(face(up, right, left, at_corners=at_corners, lean=lean))
    assert read is not None
    assert int(np.argmax(read)) + 1 == up, read


def test_a_face_that_leans_half_way_to_the_next_numeral_is_not_believed() -> None:
    """At 60 degrees two numerals are equally upright: neither is far likelier than the other."""
    read = chances(face(2, 3, 4, at_corners=True, lean=60))
    assert read is None or sorted(read)[-2] > 0.5 * max(read)


def test_where_no_three_numerals_lie_as_on_one_face_nothing_is_read() -> None:
    assert chances(np.full((480, 480, 3), 90, np.uint8)) is None
