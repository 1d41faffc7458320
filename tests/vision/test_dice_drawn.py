"""Pips alone, on drawn dice where everything is known: colours, turns, counts, and what must be refused."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.vision.dice import Expect, Pool, TrayReading, Verdict
from loomtable.vision.dice.reader import read_by_pips
from loomtable.vision.pictures import BgrImage
from tests.tiers import examples
from tests.vision.dice_drawn import BLACK, FELT, SITES, WHITE, Colour, Drawn, table

RED: Colour = (40, 35, 185)
GOLD: Colour = (80, 190, 220)
GREEN: Colour = (70, 130, 30)
WOOD: Colour = (120, 165, 200)


def read_dice(picture: BgrImage, expect: Expect = None) -> TrayReading:
    """Without networks: the pips alone."""
    return read_by_pips(picture, Pool.of(expect))


def tilted(picture: BgrImage, flatten: float) -> BgrImage:
    """The picture seen aslant: rows pressed together and the far side narrowed a little."""
    height, width = picture.shape[:2]
    lean = 0.06 * width
    before = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    after = np.array([[lean, 0], [width - lean, 0], [width, height * flatten], [0, height * flatten]], np.float32)
    warp = cv2.getPerspectiveTransform(before, after)
    edge = cv2.BORDER_REPLICATE
    return np.asarray(
        cv2.warpPerspective(picture, warp, (width, int(height * flatten)), borderMode=edge), np.uint8
    )


ROW = [Drawn(value, 60.0 + 104 * (value - 1), 240.0, turn=17.0 * value) for value in range(1, 7)]


def painted(body: Colour, ink: Colour) -> list[Drawn]:
    return [Drawn(d.value, d.x, d.y, d.side, d.turn, body, ink) for d in ROW]


@pytest.mark.parametrize(
    ("body", "ink", "cloth"),
    [
        (WHITE, BLACK, FELT),
        (BLACK, WHITE, FELT),
        (RED, WHITE, WOOD),
        (BLACK, RED, WHITE),
        (WHITE, RED, WOOD),
        (GREEN, GOLD, WHITE),
    ],
)
def test_every_value_is_read_in_any_paint(body: Colour, ink: Colour, cloth: Colour) -> None:
    reading = read_dice(table(painted(body, ink), cloth=cloth), (6, Die.D6))
    assert (reading.verdict, reading.faces) == (Verdict.ACCEPTED, (1, 2, 3, 4, 5, 6)), reading.reason


def test_unasked_a_clear_tray_is_accepted_too() -> None:
    reading = read_dice(table(ROW))
    assert (reading.verdict, reading.faces, reading.reason) == (Verdict.ACCEPTED, (1, 2, 3, 4, 5, 6), "six dice")


@pytest.mark.parametrize("flatten", [0.85, 0.7])
def test_dice_seen_aslant_are_read(flatten: float) -> None:
    reading = read_dice(tilted(table(ROW), flatten), (6, Die.D6))
    assert (reading.verdict, reading.faces) == (Verdict.ACCEPTED, (1, 2, 3, 4, 5, 6)), reading.reason


@pytest.mark.parametrize("side", [34.0, 60.0, 110.0, 190.0])
def test_small_and_large_dice_are_read(side: float) -> None:
    dice = [Drawn(5, 160, 240, side, 20), Drawn(6, 460, 240, side, 65)]
    reading = read_dice(table(dice), (2, Die.D6))
    assert (reading.verdict, reading.faces) == (Verdict.ACCEPTED, (5, 6)), reading.reason


def test_dice_that_touch_are_told_apart() -> None:
    dice = [Drawn(4, 250, 240, 60), Drawn(2, 312, 240, 60), Drawn(6, 281, 302, 60, 90)]
    reading = read_dice(table(dice), (3, Die.D6))
    assert sorted(map(int, reading.faces)) == [2, 4, 6], reading.reason


def test_the_box_lies_round_the_face_in_pixels_of_the_picture() -> None:
    (die,) = read_dice(table([Drawn(5, 200, 120, 80)]), (1, Die.D6)).dice
    assert die.centre == pytest.approx((200, 120), abs=2)
    assert die.box[2] - die.box[0] == pytest.approx(80, rel=0.15)
    assert len(die.polygon) == 4


def test_a_wrong_count_is_rejected_in_words() -> None:
    reading = read_dice(table(ROW[3:5]), (3, Die.D6))
    assert (reading.verdict, reading.reason) == (Verdict.REJECTED, "two dice, three expected")


def test_more_dice_than_asked_for_are_rejected_in_words() -> None:
    reading = read_dice(table(ROW[3:6]), (2, Die.D6))
    assert (reading.verdict, reading.reason) == (Verdict.REJECTED, "three dice, two expected")


@pytest.mark.parametrize(("kind", "word"), [(Die.D10, "d10s"), (Die.D8, "d8s")])
def test_numerals_are_not_read_without_networks(kind: Die, word: str) -> None:
    reading = read_dice(table(ROW), (6, kind))
    assert (reading.verdict, reading.dice) == (Verdict.REJECTED, ())
    assert reading.reason == f"without its networks this reader reads d6 with pips only, and {word} were asked for"


def test_a_blank_table_has_no_dice() -> None:
    assert read_dice(table([])).reason == "no dice"
    assert read_dice(table([]), (2, Die.D6)).reason == "no dice, two expected"
    assert read_dice(table([])).verdict is Verdict.REJECTED


@pytest.mark.parametrize("size", [(1, 1), (8, 700), (40, 40)])
def test_a_tiny_picture_has_no_dice(size: tuple[int, int]) -> None:
    assert read_dice(np.full((*size, 3), 90, np.uint8)).verdict is Verdict.REJECTED


def test_a_speck_on_the_table_is_no_die() -> None:
    picture = table([Drawn(5, 200, 240), Drawn(3, 400, 240)], cloth=WOOD)
    cv2.circle(picture, (520, 100), 5, BLACK, -1, cv2.LINE_AA)
    reading = read_dice(picture, (2, Die.D6))
    assert (reading.verdict, reading.faces) == (Verdict.ACCEPTED, (5, 3)), reading.reason


@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
def test_a_pip_under_a_gleam_never_makes_a_lower_number(value: int) -> None:
    """A white streak over one pip: the die may be read, or asked about; never read as something else."""
    picture = table([Drawn(value, 320, 240, 80, 15, RED, BLACK)])
    clear = read_dice(picture, (1, Die.D6))
    assert clear.faces == (value,)
    u, v = SITES[value][0]
    along, across = np.array([math.cos(0.2618), math.sin(0.2618)]), np.array([-math.sin(0.2618), math.cos(0.2618)])
    x, y = np.array([320.0, 240.0]) + 0.26 * 80 * (u * along + v * across)
    cv2.line(picture, (round(x) - 8, round(y) - 6), (round(x) + 8, round(y) + 6), (255, 255, 255), 7, cv2.LINE_AA)
    reading = read_dice(picture, (1, Die.D6))
    assert reading.verdict is not Verdict.ACCEPTED or reading.faces == (value,)


def _wrong(reading: TrayReading, value: int) -> bool:
    return reading.verdict is Verdict.ACCEPTED and reading.faces != (value,)


@examples(25, 45)
@given(
    value=st.integers(1, 6),
    turn=st.floats(0, 90),
    side=st.floats(12, 120),
    flatten=st.floats(0.45, 1.0),
    paint=st.sampled_from([(WHITE, BLACK), (BLACK, WHITE), (RED, WHITE), (BLACK, RED), (GREEN, GOLD)]),
    cloth=st.sampled_from([FELT, WOOD, WHITE]),
    expected=st.sampled_from([None, (1, Die.D6)]),
)
def test_a_drawn_die_is_never_accepted_as_another_number(
    value: int,
    turn: float,
    side: float,
    flatten: float,
    paint: tuple[Colour, Colour],
    cloth: Colour,
    expected: tuple[int, Die] | None,
) -> None:
    die = Drawn(value, 160, 120, side, turn, *paint)
    picture = tilted(table([die], (240, 320), cloth), flatten)
    assert not _wrong(read_dice(picture, expected), value)
