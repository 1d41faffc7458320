"""What to change is said where it is wrong, and not where it is right; measured at length in benchmarks."""

import cv2
import numpy as np
import pytest

from loomtable.vision.advice import advice
from loomtable.vision.cards import CardScan, scan_cards
from tests.vision.scenes.cards import SAID, three_cards

WRONG = {
    "none": (),
    "too dark": ("too dark",),
    "out of focus": ("out of focus",),
    "shaken": ("shaken",),
    "too far": ("no code made out",),
    "from the side": ("from the side",),
    "glare on the right": ("right",),
}


@pytest.mark.parametrize("fault", WRONG)
def test_each_fault_is_named_and_no_other(fault) -> None:
    picture = three_cards(1, fault)
    said = advice(picture, scan_cards(picture))
    named = tuple(name for name, words in SAID.items() if any(line.startswith(words) for line in said))
    assert named == WRONG[fault], said


def test_how_small_the_codes_are_is_said_in_pixels() -> None:
    picture = three_cards(1, "none")
    smaller = cv2.resize(picture, None, fx=0.62, fy=0.62, interpolation=cv2.INTER_AREA)
    [said] = advice(smaller, scan_cards(smaller))
    assert said.startswith("move closer: the codes are ")
    assert said.endswith(" pixels a module, 2.5 are needed")


def test_what_moves_between_two_frames_is_said_and_what_lies_still_is_not() -> None:
    picture = three_cards(2, "none")
    hand = picture.copy()
    cv2.ellipse(hand, (300, 540), (90, 260), 10, 0, 360, (140, 168, 214), -1)
    assert advice(picture, scan_cards(picture), before=picture) == ()
    [said] = advice(hand, scan_cards(hand), before=picture)
    assert said.startswith("something moves")


def test_an_empty_or_tiny_picture_brings_no_nonsense() -> None:
    assert advice(np.full((1, 1, 3), 200, np.uint8), CardScan()) == ()
    assert advice(np.full((480, 640, 3), 180, np.uint8), CardScan()) == ()
