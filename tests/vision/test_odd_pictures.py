"""Readers are given what is no picture: one sentence says what a picture is, and what this is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.vision.cards import scan_cards
from loomtable.vision.dice import read_dice
from loomtable.vision.pictures import PictureUnreadable
from loomtable.vision.poker import read_poker
from loomtable.vision.printed import read_printed
from loomtable.vision.tags import find_tags
from tests.short import raises

READERS: tuple[Callable[[Any], object], ...] = (
    read_dice, lambda picture: read_dice(picture, (2, Die.D6)), read_printed, read_poker, scan_cards, find_tags
)  # fmt: skip
ODD = {
    "this is 'NoneType'": None,
    "this is 'str'": "dice.jpg",
    "this is 'list'": [[[0, 0, 0]]],
    "this one is 0 x 0 x 3, uint8": np.zeros((0, 0, 3), np.uint8),
    "this one is 0 x 640 x 3, uint8": np.zeros((0, 640, 3), np.uint8),
    "this one is 48 x 64 x 4, uint8": np.zeros((48, 64, 4), np.uint8),
    "this one is 48 x 64 x 3, float64": np.zeros((48, 64, 3)),
    "this one is 48, uint8": np.zeros(48, np.uint8),
    "this one is no shape, uint8": np.array(3, np.uint8),
}


@pytest.mark.parametrize("words", ODD)
def test_what_is_no_picture_is_refused_in_one_sentence(words: str) -> None:
    for reader in READERS:
        raises(PictureUnreadable, words, reader, ODD[words])


def test_a_grey_picture_is_enough_for_codes_and_tags_and_a_single_pixel_is_a_picture() -> None:
    grey = np.full((480, 640), 90, np.uint8)
    assert scan_cards(grey).ids == () == find_tags(grey)
    raises(PictureUnreadable, "480 x 640, uint8", read_dice, grey)
    for reader in READERS:
        reader(np.zeros((1, 1, 3), np.uint8))
