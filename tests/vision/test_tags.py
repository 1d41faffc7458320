"""Tags are found small and aslant, and nothing else is ever taken for one."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.board_cards import tag_sheet
from engine.kernel.tags import tagged
from vision.pictures import Picture
from vision.tags import CELLS, SeenTag, agreed, find_tags, registered

FAMILY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
GROUND = 190


def drawn(number: int, cell: int = 5, turns: int = 0, damage: tuple[int, ...] = ()) -> Picture:
    """A tag on white on grey; ``damage`` are cells of the 36 that are printed the other way."""
    cells = np.asarray(FAMILY.generateImageMarker(number, CELLS)).copy()
    for at in damage:
        row, column = 1 + at // 6, 1 + at % 6
        cells[row, column] = 255 - cells[row, column]
    page = np.pad(np.pad(cells, 1, constant_values=255), 3, constant_values=GROUND)
    page = np.rot90(page, -turns).repeat(cell, 0).repeat(cell, 1)
    return np.asarray(cv2.GaussianBlur(np.clip(page, 25, 235), (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize("turns", range(4))
def test_number_place_and_turn_are_read(turns: int) -> None:
    for number in registered()[turns :: len(registered()) // 12]:
        (tag,) = find_tags(drawn(number, 5, turns))
        assert (tag.number, tag.wrong) == (number, 0)
        corners = np.array([[4, 4], [12, 4], [12, 12], [4, 12]]) * 5 - 0.5
        assert np.abs(np.array(tag.quad) - np.roll(corners, -turns, axis=0)).max() < 0.7
        assert abs((tag.turn - 90 * turns + 180) % 360 - 180) < 2
        assert tag.pixels_per_cell == pytest.approx(5, abs=0.2)


def test_a_number_that_stands_on_nothing_of_ours_is_no_tag_unless_it_is_asked_for() -> None:
    strange = next(number for number in range(200, 400) if tagged(number) is None)
    assert find_tags(drawn(strange)) == ()
    assert [tag.number for tag in find_tags(drawn(strange), among=[strange])] == [strange]
    assert find_tags(drawn(7), among=[8, 9]) == ()
    assert find_tags(drawn(7), among=[]) == ()


@settings(max_examples=25, deadline=None)
@given(
    number=st.sampled_from(registered()),
    damage=st.lists(st.integers(0, 35), unique=True, max_size=9),
    turns=st.integers(0, 3),
)
def test_two_misprinted_cells_are_put_up_with_and_never_more(number: int, damage: list[int], turns: int) -> None:
    seen = find_tags(drawn(number, 5, turns, tuple(damage)))
    assert [(tag.number, tag.wrong) for tag in seen] == ([(number, len(damage))] if len(damage) <= 2 else [])


@pytest.mark.parametrize("size", [(1, 1), (5, 900), (24, 24), (240, 320), (240, 320, 3)])
def test_an_even_picture_has_no_tags(size: tuple[int, ...]) -> None:
    assert find_tags(np.full(size, 120, np.uint8)) == ()


def test_noise_checks_and_frames_are_no_tags() -> None:
    rng = np.random.default_rng(2)
    noise = rng.integers(0, 255, (300, 400), np.uint8)
    coarse = cv2.resize(rng.integers(0, 255, (40, 60), np.uint8), (420, 280), interpolation=cv2.INTER_NEAREST)
    checks = (np.indices((300, 400)).sum(axis=0) // 9 % 2 * 255).astype(np.uint8)
    frames = np.full((300, 400), 220, np.uint8)
    for n in range(12):
        cv2.rectangle(frames, (20 + 30 * n, 20), (44 + 30 * n, 44 + 20 * n), 30, 3 + n % 4)
    for picture in (noise, coarse, checks, frames):
        assert find_tags(np.asarray(picture, np.uint8)) == ()


def test_a_covered_tag_is_not_guessed_at() -> None:
    for covered in range(9):
        picture = drawn(12, 6)
        picture[:, : (4 + covered) * 6] = GROUND - 40
        assert {tag.number for tag in find_tags(picture)} <= {12}
        if covered > 2:
            assert find_tags(picture) == ()


@pytest.mark.parametrize("seed", [3, 4])
def test_printed_tags_are_read_at_two_and_a_half_pixels_a_cell(seed: int) -> None:
    sheet = tag_sheet(seed, pixels_per_cell=2.8)
    read = {tag.number: tag for tag in find_tags(sheet.shot.picture)}
    assert set(read) <= set(sheet.numbers)
    large = [(number, quad) for number, quad in sheet.tags if side(quad) >= 2.5]
    assert len(large) > 40
    assert sum(number not in read for number, _ in large) <= 1
    for number, quad in large:
        if number in read:
            assert np.abs(np.array(read[number].quad) - quad).max() < 1.6


def side(quad: np.typing.NDArray[np.float64]) -> float:
    return min(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)) / CELLS


def test_in_a_stream_a_tag_counts_when_two_frames_agree() -> None:
    def tag(number: int, x: float) -> SeenTag:
        return SeenTag(number, ((x, 10), (x + 20, 10), (x + 20, 30), (x, 30)))

    assert agreed([], [tag(5, 0)]) == ()
    assert agreed([tag(5, 0)], [tag(5, 3), tag(6, 3)]) == (tag(5, 3),)
    assert agreed([tag(5, 0)], [tag(5, 80)]) == ()
