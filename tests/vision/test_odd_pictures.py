"""Readers are given what is no picture: one sentence says what a picture is, and what this is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.vision.cards import scan_cards
from loomtable.vision.dice import read_dice
from loomtable.vision.pictures import PictureUnreadable, read_picture, read_reduced
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


@pytest.mark.parametrize(("long", "thin"), [(900, 1), (1400, 2), (2907, 4), (60_000, 2), (1001, 10)])
def test_a_strip_is_too_thin_to_read_whichever_way_it_lies(tmp_path: Path, long: int, thin: int) -> None:
    for wide, high in ((long, thin), (thin, long)):
        strip = np.full((high, wide, 3), 90, np.uint8)
        file = tmp_path / "strip.png"
        file.write_bytes(cv2.imencode(".png", strip)[1].tobytes())
        words = rf"is too thin \({wide} x {high} pixels;"
        for read in READERS[:4]:
            raises(PictureUnreadable, words, read, strip)
        for read in (read_picture, read_reduced):
            raises(PictureUnreadable, words, read, file)
        assert (scan_cards(strip).ids, find_tags(strip)) == ((), ())


def test_what_is_just_not_too_thin_is_read() -> None:
    for size in ((1, 100), (100, 1), (15, 1500), (1500, 15)):
        for read in READERS:
            read(np.full((*size, 3), 90, np.uint8))


def test_a_grey_picture_is_enough_for_codes_and_tags_and_a_single_pixel_is_a_picture() -> None:
    grey = np.full((480, 640), 90, np.uint8)
    assert scan_cards(grey).ids == () == find_tags(grey)
    raises(PictureUnreadable, "480 x 640, uint8", read_dice, grey)
    for reader in READERS:
        reader(np.zeros((1, 1, 3), np.uint8))
