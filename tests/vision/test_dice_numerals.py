"""Numerals read as print: how strings are spelled out, and numerals turned in any way."""

from __future__ import annotations

from itertools import groupby, product

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.numerals import _ctc_probabilities, read_face

MODELS = load_models()
needs_numerals = pytest.mark.skipif(
    MODELS is None or MODELS.numerals is None, reason="no reader of numerals is installed in models/"
)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.sampled_from((0.2, 1.0, 4.0)))
def test_a_digit_is_as_likely_as_all_the_ways_to_spell_it(seed: int, places: int, peaked: float) -> None:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(14, 1 / peaked), (1, places)).astype(np.float32)
    brute = np.zeros(10)
    for path in product(range(11), repeat=places):
        # Repeated characters are one; 0 is none. What is spelled with others, or with two, is no digit.
        spelled = [c for c, _ in groupby(path) if c]
        if len(spelled) == 1:
            brute[spelled[0] - 1] += float(np.prod(shares[0, range(places), path]))
    assert _ctc_probabilities(shares)[0] == pytest.approx(brute, abs=1e-5)


def face(numeral: str, mark: bool, turn: float, ink: int, body: int) -> np.ndarray:
    """A plain face (240, 240, 3) with a numeral of 80 pixels, underlined or not, turned clockwise."""
    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("RGB", (240, 240), (110, 120, 100))
    draw = ImageDraw.Draw(page)
    draw.polygon([(120, 206), (200, 116), (120, 56), (40, 116)], fill=(body, body, body))
    font = ImageFont.load_default(62)
    draw.text((120, 124), numeral, (ink, ink, ink), font, anchor="mm")
    if mark:
        draw.rectangle((104, 151, 136, 156), fill=(ink, ink, ink))
    return np.asarray(page.rotate(-turn, fillcolor=(110, 120, 100)))[:, :, ::-1].copy()


@needs_numerals
@pytest.mark.parametrize(("ink", "body"), [(20, 220), (230, 60)])
def test_numerals_are_read_whichever_way_they_are_turned(ink: int, body: int) -> None:
    assert MODELS is not None and MODELS.numerals is not None
    right = 0
    for number in (1, 2, 3, 4, 5, 6, 9):
        turn = 37.0 * number + 11
        picture = cv2.GaussianBlur(face(str(number), number in (6, 9), turn, ink, body), (3, 3), 0)
        read = np.exp(read_face(MODELS.numerals, picture, ((120.0, 124.0), 160.0)))
        # A die with six faces has no 9: what looks like one is its 6, seen from the other side.
        shown = 6 if number == 9 else number
        right += 1 + int(read.argmax()) == shown
        assert 1 + int(read.argmax()) == shown or read.max() < 0.85
    assert right >= 6


@needs_numerals
def test_a_bare_face_shows_no_numeral() -> None:
    assert MODELS is not None and MODELS.numerals is not None
    read = read_face(MODELS.numerals, face("", False, 0, 0, 200), ((120.0, 124.0), 160.0))
    assert np.exp(read).max() < 0.5
