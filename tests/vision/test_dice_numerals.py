"""Numerals read as print: how strings are spelled out, and numerals turned in any way."""

from __future__ import annotations

from itertools import groupby, product

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.vision.dice.evidence import NUMERAL_KINDS
from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.numerals import (
    DIGIT_COLUMNS,
    STRINGS,
    NumeralReading,
    _ctc_probabilities,
    _string_probabilities,
    _View,
    read_face,
)
from loomtable.vision.die_kinds import KINDS, Kind

MODELS = load_models()
needs_numerals = pytest.mark.skipif(
    MODELS is None or MODELS.numerals is None, reason="no reader of numerals is installed in models/"
)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.sampled_from((0.2, 1.0, 4.0)))
def test_a_string_is_as_likely_as_all_the_ways_to_spell_it(seed: int, places: int, peaked: float) -> None:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(14, 1 / peaked), (1, places)).astype(np.float32)
    brute = dict.fromkeys(STRINGS, 0.0)
    for path in product(range(11), repeat=places):
        # Repeated characters are one; 0 is none. What is spelled with other characters is no numeral.
        spelled = "".join(str(c - 1) for c, _ in groupby(path) if c)
        if spelled in brute:
            brute[spelled] += float(np.prod(shares[0, range(places), path]))
    assert _ctc_probabilities(shares)[0] == pytest.approx([brute[s] for s in STRINGS], abs=1e-5)


def test_every_kind_finds_its_numbers() -> None:
    numeral = np.log(np.linspace(0.01, 0.5, 21)).astype(np.float32)
    tens = np.log(np.linspace(0.02, 0.6, 10)).astype(np.float32)
    read = NumeralReading(numeral, tens)
    for kind in KINDS:
        if kind in NUMERAL_KINDS:
            assert read.numbers(kind).shape == (len(kind.numbers),)
    assert read.numbers(Kind.D100) == pytest.approx(tens)
    assert np.delete(read.numbers(Kind.D10), 1) == pytest.approx(np.delete(numeral[:10], 1))
    # A d8 has no 9: what looks like one is its 6, seen from the other side.
    assert np.exp(read.numbers(Kind.D8)[5]) == pytest.approx(np.exp(numeral[6]) + np.exp(numeral[9]))


def test_a_one_counts_as_far_as_nothing_else_is_read() -> None:
    numeral = np.full(21, -9.0, np.float32)
    numeral[1], numeral[7] = np.log(0.9), np.log(0.8)
    read = NumeralReading(numeral, np.full(10, -9.0, np.float32))
    assert np.exp(read.numbers(Kind.D10)[1]) == pytest.approx(0.9 * 0.2, abs=1e-3)
    assert int(read.numbers(Kind.D8).argmax()) == 6
    # A d6 has no 7, so nothing speaks against its 1.
    assert np.exp(read.numbers(Kind.D6_NUMERAL)[0]) == pytest.approx(0.9, abs=1e-3)


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
    for number in range(9):
        turn = 37.0 * number + 11
        picture = cv2.GaussianBlur(face(str(number), number in (6, 9), turn, ink, body), (3, 3), 0)
        read = read_face(MODELS.numerals, picture, ((120.0, 124.0), 160.0))
        said = int(read.numbers(Kind.D10).argmax())
        sure = float(np.exp(read.numbers(Kind.D10).max()))
        right += said == number or {said, number} == {6, 9}
        # A slanting 1 with a flag is much like a 7, and a bar may be overlooked: neither may be read for certain.
        assert said == number or sure < 0.85
        assert number != 6 or np.exp(read.numbers(Kind.D10)[[6, 9]]).max() <= 0.5, "it could be a 9"
    assert right >= 8


@needs_numerals
def test_in_a_narrow_crop_a_single_digit_is_read_and_other_crops_are_read_as_before() -> None:
    assert MODELS is not None and MODELS.numerals is not None
    place, views = ((120.0, 124.0), 160.0), [_View(0.0), _View(20.0), _View(180.0), _View(0.0, 0.05)]
    for number in (2, 4, 7):
        picture = cv2.GaussianBlur(face(str(number), False, 0, 20, 220), (3, 3), 0)
        wide = _string_probabilities(MODELS.numerals, picture, views, place)
        narrow = [view._replace(columns=DIGIT_COLUMNS) for view in views]
        mixed = _string_probabilities(MODELS.numerals, picture, [narrow[0], *views[1:3], narrow[3]], place)
        assert (mixed[0].argmax(), wide[0].argmax()) == (number, number)
        np.testing.assert_allclose(mixed[1:3], wide[1:3], atol=1e-4)
        assert not np.allclose(mixed[[0, 3]], wide[[0, 3]], atol=1e-4)


@needs_numerals
def test_a_bare_face_shows_no_numeral() -> None:
    assert MODELS is not None and MODELS.numerals is not None
    read = read_face(MODELS.numerals, face("", False, 0, 0, 200), ((120.0, 124.0), 160.0))
    assert np.exp(read.numeral).max() < 0.5
