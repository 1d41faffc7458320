"""Verdicts, their words, corrections, and what the engine takes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.readings import ReadDie, Source
from loomtable.vision.dice import read_dice, read_either
from loomtable.vision.tray import SeenDie, assess_tray, reading_order
from loomtable.vision.verdict import Verdict
from tests.tiers import mostly


def die(face: int, x: float, y: float = 0, doubt: str = "", confidence: float = 0.99) -> SeenDie:
    return SeenDie(Die.D6, face, (x, y, x + 20, y + 20), confidence, doubt=doubt)


SURE = (die(3, 0), die(5, 100))
DOUBTFUL = (die(3, 0, doubt="has a pip that hardly shows", confidence=0.4), die(5, 100))


def test_the_engine_gets_faces_how_and_confidence() -> None:
    rolled = assess_tray(SURE, (2, Die.D6)).rolled()
    assert rolled.dice == (ReadDie(Die.D6, 3, Source.CAMERA, 0.99), ReadDie(Die.D6, 5, Source.CAMERA, 0.99))


def test_a_doubtful_die_is_asked_about_by_its_place() -> None:
    reading = assess_tray(DOUBTFUL, (2, Die.D6))
    assert (reading.verdict, reading.reason) == (Verdict.ASK, "the die at the left has a pip that hardly shows")


def test_a_reading_that_is_not_accepted_gives_the_engine_nothing() -> None:
    with pytest.raises(ReadingMisfit, match="hardly shows"):
        assess_tray(DOUBTFUL, (2, Die.D6)).rolled()


def test_a_correction_keeps_what_the_camera_had_said() -> None:
    reading = assess_tray(DOUBTFUL, (2, Die.D6)).corrected(0, 4)
    assert reading.verdict is Verdict.ACCEPTED
    assert reading.rolled().dice[0] == ReadDie(Die.D6, 4, Source.CORRECTED, 1.0, 3)
    assert reading.rolled().dice[1].how is Source.CAMERA


def test_a_second_correction_still_keeps_the_cameras_face() -> None:
    reading = assess_tray(DOUBTFUL, (2, Die.D6)).corrected(0, 4).corrected(0, 6)
    assert reading.rolled().dice[0] == ReadDie(Die.D6, 6, Source.CORRECTED, 1.0, 3)


def test_confirming_a_doubtful_die_is_no_misread() -> None:
    confirmed = assess_tray(DOUBTFUL, (2, Die.D6)).corrected(0, 3)
    assert confirmed.verdict is Verdict.ACCEPTED
    assert confirmed.rolled().dice[0].misread is None


def test_correcting_one_of_two_doubtful_dice_asks_on() -> None:
    both = assess_tray((DOUBTFUL[0], die(5, 100, doubt="is cut off")), (2, Die.D6))
    assert both.corrected(0, 4).reason == "the die at the right is cut off"


def test_a_correction_does_not_put_a_wrong_count_right() -> None:
    reading = assess_tray(SURE, (3, Die.D6))
    assert reading.reason == "two dice, three expected"
    assert reading.corrected(0, 4).verdict is Verdict.REJECTED


@pytest.mark.parametrize("index", [-1, 2])
def test_a_correction_of_a_die_that_is_not_there_is_refused(index: int) -> None:
    with pytest.raises(ReadingMisfit, match="it has two dice"):
        assess_tray(SURE, (2, Die.D6)).corrected(index, 4)


def test_a_correction_to_a_face_that_the_die_lacks_is_refused() -> None:
    with pytest.raises(ReadingMisfit, match="has no face 7"):
        assess_tray(SURE, (2, Die.D6)).corrected(0, 7)


def test_something_more_that_may_be_a_die_is_asked_about() -> None:
    assert assess_tray(SURE, None, unread=1).reason == "two dice read, and something more that may be dice"
    assert assess_tray(SURE, None, unread=1).verdict is Verdict.ASK
    assert assess_tray(SURE, (2, Die.D6), unread=1).verdict is Verdict.ASK
    assert assess_tray(SURE, (2, Die.D6)).verdict is Verdict.ACCEPTED


def test_one_die_is_spoken_of_in_the_singular() -> None:
    assert assess_tray(SURE[:1], (2, Die.D6)).reason == "one die, two expected"
    assert assess_tray((DOUBTFUL[0],), (1, Die.D6)).reason == "the die has a pip that hardly shows"


def test_dice_are_in_reading_order_by_rows() -> None:
    scattered = [die(1, 200, 5), die(2, 0, 0), die(3, 100, 60), die(4, 10, 58), die(5, 100, 9)]
    assert [d.face for d in reading_order(scattered)] == [2, 5, 1, 4, 3]


@pytest.mark.parametrize(
    ("seed", "expected"),
    mostly(
        zip(range(6), [None, (1, Die.D6), (4, Die.D6)] * 2, strict=True),
        [(0, None), (1, (1, Die.D6)), (2, (4, Die.D6))],
    ),
)
def test_whatever_lies_there_the_reader_answers_in_words(seed: int, expected: tuple[int, Die] | None) -> None:
    # Blots of any size and colour: many look like pips, some like faces, none is a die.
    source = np.random.default_rng(seed)
    picture = np.full((360, 480, 3), source.integers(0, 255, 3), np.uint8)
    for _ in range(120):
        x, y = (int(v) for v in source.integers(0, 480, 2))
        colour = [int(v) for v in source.integers(0, 255, 3)]
        cv2.ellipse(
            picture, (x, y), (int(source.integers(2, 14)), int(source.integers(2, 14))), 0, 0, 360, colour, -1
        )
    tray = read_dice(picture, expected)
    assert tray.reason
    if tray.verdict is Verdict.ACCEPTED:
        assert not any(die.doubt for die in tray.dice)
        assert expected is None or len(tray.dice) == expected[0]


def test_one_of_several_pools_may_lie_there() -> None:
    blank = np.full((240, 320, 3), 90, np.uint8)
    assert read_either(blank, [(2, Die.WEAVE), (2, Die.D6)]).reason == "no dice, two expected"
