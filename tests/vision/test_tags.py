"""Tags are found small and aslant, and nothing else is ever taken for one."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.tags import tagged
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import quad_rotation
from loomtable.vision.tags import CELLS, find_tags, registered
from tests.tiers import mostly
from tests.vision.scenes.tapestries import tag_sheet

FAMILY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
GROUND = 190


def drawn(number: int, cell: int = 5, turns: int = 0, damage: tuple[int, ...] = ()) -> BgrImage:
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
        assert (tag.number, tag.bit_errors) == (number, 0)
        corners = np.array([[4, 4], [12, 4], [12, 12], [4, 12]]) * 5 - 0.5
        assert np.abs(np.array(tag.quad) - np.roll(corners, -turns, axis=0)).max() < 0.7
        assert abs((quad_rotation(tag.quad) - 90 * turns + 180) % 360 - 180) < 2
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
    assert [(tag.number, tag.bit_errors) for tag in seen] == ([(number, len(damage))] if len(damage) <= 2 else [])


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


@settings(max_examples=20, deadline=None)
@given(
    number=st.sampled_from(registered()),
    at=st.tuples(st.floats(3, 13), st.floats(3, 13)),
    reach=st.floats(0.5, 4),
    turn=st.floats(0, 90),
    level=st.integers(20, 240),
)
def test_whatever_covers_a_part_of_a_tag_never_makes_it_another(
    number: int, at: tuple[float, float], reach: float, turn: float, level: int
) -> None:
    picture = drawn(number, 6)
    cover = cv2.boxPoints(((at[0] * 6, at[1] * 6), (reach * 6, reach * 6), turn))
    cv2.fillPoly(picture, [np.round(cover).astype(np.int32)], level, cv2.LINE_AA)
    assert {tag.number for tag in find_tags(picture)} <= {number}


@pytest.mark.parametrize("number", registered()[:: len(registered()) // 8])
def test_a_cut_corner_and_a_broken_border_are_put_up_with(number: int) -> None:
    cut, broken = drawn(number, 6), drawn(number, 6)
    cv2.fillPoly(cut, [np.array([[20, 20], [38, 20], [20, 38]])], 170)
    cv2.fillPoly(broken, [np.array([[8, 40], [30, 46], [8, 58]])], 170)
    for picture in (cut, broken):
        (tag,) = find_tags(picture)
        assert (tag.number, tag.bit_errors) == (number, 0)
        corners = np.array([[4, 4], [12, 4], [12, 12], [4, 12]]) * 6 - 0.5
        assert np.abs(np.array(tag.quad) - corners).max() < 0.7


def test_corners_are_found_to_a_part_of_a_pixel() -> None:
    page = drawn(64, 40).astype(np.float32)
    corners = np.array([[4, 4], [12, 4], [12, 12], [4, 12]], np.float32) * 40 - 0.5
    for there in (
        [[20.3, 18.8], [61.1, 20.2], [63.7, 58.4], [17.2, 60.9]],
        [[44.6, 12.1], [78.3, 39.4], [50.7, 75.2], [15.9, 46.8]],
        [[14.2, 16.5], [33.8, 15.1], [35.2, 34.9], [15.4, 36.2]],
    ):
        # Drawn eight times finer and averaged, as a sensor does.
        fine = (np.array(there, np.float32) + 0.5) * 8 - 0.5
        warp = cv2.getPerspectiveTransform(corners, fine)
        large = cv2.warpPerspective(page, warp, (96 * 8, 96 * 8), borderValue=GROUND)
        small = cv2.GaussianBlur(cv2.resize(large, (96, 96), interpolation=cv2.INTER_AREA), (0, 0), 0.7)
        (tag,) = find_tags(np.asarray(np.round(small), np.uint8))
        assert tag.number == 64
        moved = np.array(tag.quad) - there
        # Blurred black looks a little larger, but on all sides alike.
        assert np.abs(moved).max() < 0.45
        assert np.ptp(np.linalg.norm(moved, axis=1)) < 0.12
        assert np.abs(moved.mean(axis=0)).max() < 0.05


@pytest.mark.parametrize("seed", mostly([3, 4], [3]))
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
