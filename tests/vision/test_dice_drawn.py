"""Drawn dice, of which everything is known: doubt may come of them, and never another number."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.vision.dice import TrayReading, Verdict, read_dice
from loomtable.vision.pictures import BgrImage
from tests.tiers import examples
from tests.vision.dice_drawn import BLACK, FELT, SITES, WHITE, Colour, Drawn, table
from tests.vision.needed import needs_networks

pytestmark = needs_networks

RED: Colour = (40, 35, 185)
GOLD: Colour = (80, 190, 220)
GREEN: Colour = (70, 130, 30)
WOOD: Colour = (120, 165, 200)


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
    assert reading.faces == (1, 2, 3, 4, 5, 6), reading.reason


def test_unasked_a_clear_tray_is_accepted_too() -> None:
    reading = read_dice(table(ROW))
    assert (reading.verdict, reading.faces, reading.reason) == (Verdict.ACCEPTED, (1, 2, 3, 4, 5, 6), "six dice")


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
