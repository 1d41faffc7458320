"""Rings on printed dice and coins, as they stand on the paper: their law, and every style of print."""

from __future__ import annotations

import math
from itertools import product

import cv2
import numpy as np
import pytest

from docs.site.printed_symbols import SYMBOLS, symbol_pictures
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.mats import MATS
from loomtable.engine.kernel.ring_codes import (
    CELLS,
    CELLS_INSIDE,
    CLEAR_OUTSIDE,
    DISTANCE,
    RIM_INSIDE,
    WORDS,
    RingMark,
    cells,
    turned,
)
from loomtable.printkit.catalogue import RenderOptions, components_named
from loomtable.printkit.components.coin_token import COIN, RING_RADIUS, draw_coin_side
from loomtable.printkit.components.dice_mat import draw_mat
from loomtable.printkit.components.plain_dice_net import cube, unfolded
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.games.weave.weave_die import EDGE, RING_SHARE, STICKER, draw_weave_side
from loomtable.printkit.raster import MM_PER_INCH, Picture, picture_of
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.papers import A3, A4, LETTER, Paper
from tests.tiers import mostly

DPI = 400


def test_every_side_has_a_word_of_its_own_far_from_every_other_in_every_turn() -> None:
    assert len(WORDS) == len(set(WORDS.values())) == 4 * 6 + 2
    words = list(WORDS.values())
    for (i, one), (j, other) in product(enumerate(words), repeat=2):
        for by in range(CELLS):
            if i != j or by:
                differing = sum(a != b for a, b in zip(cells(one), cells(turned(other, by)), strict=True))
                assert differing >= DISTANCE


def test_words_turn_like_rings() -> None:
    for word in WORDS.values():
        assert turned(word, CELLS) == word
        assert cells(turned(word, 3)) == cells(word)[3:] + cells(word)[:3]


def drawn(mark: RingMark, style: Style) -> tuple[Picture, float]:
    """A printed side as a picture, and its ring's radius in mm."""
    if mark.die is Die.COIN:
        size, radius = COIN.width, RING_RADIUS
        return picture_of(lambda pen: draw_coin_side(pen, mark.face), size, size, DPI, style), radius
    size = STICKER.width
    return picture_of(lambda pen: draw_weave_side(pen, mark, size), size, size, DPI, style), RING_SHARE * size


def light_at(picture: Picture, radius: float, share: float, angle: float) -> float:
    """The least of red, green and blue at a share of the ring's radius, clockwise from its head (degrees)."""
    scale = DPI / MM_PER_INCH
    middle = (np.array(picture.shape[:2]) - 1) / 2
    way = np.array([-math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    row, column = np.rint(middle + way * share * radius * scale).astype(int)
    return float(picture[row - 1 : row + 2, column - 1 : column + 2].mean(axis=(0, 1)).min())


@pytest.mark.parametrize("style", list(Style))
def test_every_printed_ring_says_its_word(style: Style) -> None:
    for mark, word in WORDS.items():
        picture, radius = drawn(mark, style)
        step = 360 / CELLS
        # A quarter of a cell off its middle: clear of the pale thread that runs there.
        middle = (CELLS_INSIDE + RIM_INSIDE) / 2
        dark = tuple(light_at(picture, radius, middle, (at + 0.25) * step) < 128 for at in range(CELLS))
        assert dark == cells(word), mark


@pytest.mark.parametrize("style", list(Style))
def test_the_rim_is_dark_and_the_ground_outside_is_light_all_round(style: Style) -> None:
    for mark in WORDS:
        picture, radius = drawn(mark, style)
        angles = np.arange(0, 360, 3)
        rim = [light_at(picture, radius, RIM_INSIDE + 0.02, angle) for angle in angles]
        ground = [light_at(picture, radius, CLEAR_OUTSIDE - 0.05, angle) for angle in angles]
        assert max(rim) < 90, mark
        assert min(ground) > 200, mark


@pytest.mark.parametrize(("paper", "style"), mostly(product(MATS, Style), zip(MATS, Style, strict=True)))
def test_the_mats_tags_stand_where_the_reader_expects_them(paper: str, style: Style) -> None:
    mat = MATS[paper]
    scale = 100 / MM_PER_INCH

    def on_its_page(pen: Pen) -> None:
        with pen.at(10, 10):
            draw_mat(pen, mat)

    # On its page, with the paper's white round it.
    picture = picture_of(on_its_page, mat.width + 20, mat.height + 20, 100, style)
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    found, numbers, _ = cv2.aruco.ArucoDetector(family).detectMarkers(np.ascontiguousarray(picture[..., ::-1]))
    assert set(numbers.ravel().tolist()) == set(mat.tags)
    for quad, number in zip(found, numbers.ravel(), strict=True):
        expected = (np.array(mat.tag_corners(mat.tags.index(int(number)))) + 10) * scale
        assert np.abs(quad[0] - expected).max() < 2.0


def test_a_mat_fits_the_page_it_is_printed_on() -> None:
    for paper in (A4, LETTER, A3):
        area, mat = page_area(paper, landscape=True), MATS[paper.name]
        assert mat.width <= area.width and mat.height <= area.height


def test_nets_fit_every_paper() -> None:
    _, _, width, height = unfolded(cube(EDGE)).box
    for paper in (A4, LETTER, A3, Paper("least", 210.0, 279.4)):
        area = page_area(paper)
        assert 2 * width < area.width and 3 * height < area.height - 16
        order = RenderOptions(paper=paper)
        for component in components_named(["dice-nets", "paper-dice"]):
            assert component.pieces(order)


def test_the_symbols_that_the_reader_keeps_are_those_that_are_printed() -> None:
    kept = cv2.imread(str(SYMBOLS), cv2.IMREAD_GRAYSCALE)
    assert kept is not None
    difference = np.abs(kept.astype(int) - symbol_pictures().astype(int))
    assert difference.mean() < 1.5, "run python -m docs.site.printed_symbols: a symbol's drawing has changed"
