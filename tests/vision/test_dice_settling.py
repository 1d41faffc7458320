"""A roll counts when the dice lie still and frames agree; each die stays itself; hands and bumps interrupt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.testing.virtual import PlacedDie
from loomtable.vision.dice import Pool, SeenDie, TrayReading, Verdict
from loomtable.vision.dice.identity import DiceTracker
from loomtable.vision.dice.settling import (
    MIN_READINGS,
    Phase,
    Settled,
    StreamReader,
    StreamReading,
    merge_readings,
)
from loomtable.vision.motion import Change, Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tray import assess_tray
from tests.table.filming import again, shot
from tests.tiers import thorough

RED, WHITE = (150, 24, 28), (240, 236, 226)
IVORY, BLACK = (236, 230, 214), (18, 18, 20)

THREE = (
    PlacedDie(5, -50, 10, 20, body=IVORY, pips=BLACK),
    PlacedDie(3, 8, -18, 60, body=RED, pips=WHITE),
    PlacedDie(6, 52, 24, 5, body=IVORY, pips=BLACK),
)
POOL = Pool.of((3, Die.D6))


def rolling(dice: Sequence[PlacedDie], which: Sequence[int], frames: int = 3) -> Iterator[BgrImage]:
    """Some of the dice tumble about, the others lie still."""
    for k in range(frames):
        moved = [
            replace(die, x=die.x + 9 * (k + 1) * (-1) ** place, y=die.y + 7 * k, turn=die.turn + 40 * k)
            if place in which
            else die
            for place, die in enumerate(dice)
        ]
        yield shot(moved, seed=20 + k)


def hand_over(picture: BgrImage, frames: int = 4) -> Iterator[BgrImage]:
    """A forearm comes in from the right border, as far as the middle, and goes."""
    height, width = picture.shape[:2]
    for k in range(frames):
        reach = width * (0.35 + 0.25 * np.sin(np.pi * (k + 0.5) / frames))
        covered = picture.copy()
        x = round(width - reach)
        cv2.rectangle(covered, (x, height // 3), (width, height * 3 // 5), (120, 150, 205), -1)
        cv2.ellipse(covered, (x, round(height * 0.466)), (70, 70), 0, 0, 360, (125, 155, 210), -1)
        yield covered


def watched(watch: StreamReader, *runs: Iterator[BgrImage]) -> list[StreamReading]:
    return [watch.read_frame(frame) for run in runs for frame in run]


def rolls(seen: Sequence[StreamReading]) -> list[Settled]:
    return [one.roll for one in seen if one.roll is not None]


@pytest.fixture(scope="module")
def still() -> BgrImage:
    return shot(THREE)


def test_a_roll_counts_once_it_lies_still_and_only_once(still: BgrImage) -> None:
    watch = StreamReader(POOL)
    seen = watched(watch, rolling(THREE, (0, 1, 2)), again(still, 12))
    assert [one.phase for one in seen[:3]] == [Phase.MOVING] * 3
    [roll] = rolls(seen)
    assert (roll.tray.verdict, sorted(map(int, roll.tray.faces))) == (Verdict.ACCEPTED, [3, 5, 6]), (
        roll.tray.reason
    )
    assert sum(one.tray is not None for one in seen) >= MIN_READINGS
    assert len(roll.dice.thrown) == 3
    assert seen[-1].phase is Phase.SETTLED


def test_two_dice_are_thrown_again_and_the_third_is_known_to_have_stayed(still: BgrImage) -> None:
    watch = StreamReader(POOL)
    [first] = rolls(watched(watch, again(still, 13)))
    after = (replace(THREE[0], value=6, x=-30, y=-34, turn=75), THREE[1], replace(THREE[2], value=4, x=20, y=40))
    [second] = rolls(watched(watch, rolling(THREE, (0, 2)), again(shot(after), 13)))
    name = dict(zip(first.dice.numbers, first.tray.faces, strict=True))
    now = dict(zip(second.dice.numbers, second.tray.faces, strict=True))
    stayed = next(number for number, face in name.items() if face == 3)
    assert now[stayed] == 3
    assert second.dice.thrown == tuple(sorted(set(name) - {stayed}))
    assert sorted(map(int, now.values())) == [3, 4, 6]
    assert second.dice.gone == ()
    counted = [roll.tray.camera.dice for roll in (first, second) if roll.tray.camera is not None]
    assert counted == [3, 6], "the first roll's dice still tell where the camera stands"


def test_a_die_that_is_held_for_a_while_is_thrown_again_and_the_others_have_stayed(still: BgrImage) -> None:
    watch = StreamReader(POOL)
    [first] = rolls(watched(watch, again(still, 13)))
    held = shot((THREE[1], THREE[2]))
    after = (replace(THREE[0], value=6, x=-30, y=-34, turn=75), THREE[1], THREE[2])
    seen = watched(watch, rolling(THREE, (0,)), again(held, 16), rolling(after, (0,)), again(shot(after), 13))
    fewer, second = rolls(seen)
    assert fewer.tray.verdict is Verdict.REJECTED
    assert [die.face for die in second.dice.picked_up] == [THREE[0].value]
    assert len(second.dice.thrown) == 1
    assert set(second.dice.thrown) <= set(first.dice.numbers)


@thorough
def test_a_nudged_die_is_not_a_thrown_one(still: BgrImage) -> None:
    watch = StreamReader(POOL)
    [first] = rolls(watched(watch, again(still, 13)))
    pushed = (THREE[0], replace(THREE[1], x=THREE[1].x + 9, turn=THREE[1].turn + 8), THREE[2])
    [second] = rolls(watched(watch, rolling(THREE, (1,), 1), again(shot(pushed), 13)))
    three = first.dice.numbers[first.tray.faces.index(3)]
    assert (second.dice.thrown, second.dice.nudged) == ((), (three,))
    assert second.dice.numbers[second.tray.faces.index(3)] == three


def test_a_hand_suspends_reading_and_changes_nothing_by_passing(still: BgrImage) -> None:
    watch = StreamReader(POOL)
    assert len(rolls(watched(watch, again(still, 13)))) == 1
    during = watched(watch, hand_over(still))
    assert all(one.phase in (Phase.HAND, Phase.MOVING) and one.tray is None for one in during)
    assert Phase.HAND in [one.phase for one in during]
    assert rolls(watched(watch, again(still, 13, seed=4))) == [], "the same dice are not told twice"


@thorough
def test_a_hand_that_stays_keeps_the_dice_from_being_read(still: BgrImage) -> None:
    watch = StreamReader(POOL)
    watched(watch, again(still, 13))
    resting = list(hand_over(still, 3))[1]
    seen = watched(watch, again(resting, 6))
    assert all(one.tray is None for one in seen)
    assert seen[-1].says == "a hand is over the table"


def test_an_empty_table_is_no_roll_and_the_dice_that_fall_on_it_are(still: BgrImage) -> None:
    watch = StreamReader(POOL, max_readings=5)
    seen = watched(watch, again(shot(()), 8))
    assert rolls(seen) == []
    assert seen[-1].phase is Phase.SETTLED, "it is not read again and again"
    assert watch.unsettled().reason == "no dice, three expected"
    [roll] = rolls(watched(watch, rolling(THREE, (0, 1, 2), 2), again(still, 8)))
    assert len(roll.dice.thrown) == 3


def test_a_light_switched_on_starts_anew(still: BgrImage) -> None:
    motion = Motion()
    for frame in again(still, 3):
        motion.change(frame)
    brighter = np.clip(still.astype(np.float64) * 1.35, 0, 255).astype(np.uint8)
    assert motion.change(brighter) is Change.LIGHT
    assert motion.change(brighter) is Change.STILL


def test_a_bumped_camera_is_told_from_dice_and_the_dice_stay_themselves(still: BgrImage) -> None:
    watch = StreamReader(POOL)
    [first] = rolls(watched(watch, again(still, 13)))
    shift = np.array([[1, 0, 26], [0, 1, 14]], np.float64)
    bumped = cv2.warpAffine(still, shift, (still.shape[1], still.shape[0]), borderMode=cv2.BORDER_REFLECT)
    seen = watched(watch, again(bumped, 13))
    assert seen[0].says == "the camera has moved"
    later = rolls(seen)
    assert all(roll.dice.thrown == () for roll in later)
    assert [k.number for k in watch._tracker.dice] == list(first.dice.numbers)


ONE = Pool.of((1, Die.D6))


def knocked(frames: Iterable[BgrImage]) -> Iterator[BgrImage]:
    """What the camera sees once it was knocked, far enough that a die seems to lie elsewhere."""
    shift = np.array([[1, 0, 86], [0, 1, 44]], np.float64)
    for frame in frames:
        size = (frame.shape[1], frame.shape[0])
        yield np.asarray(cv2.warpAffine(frame, shift, size, borderMode=cv2.BORDER_REFLECT), np.uint8)


def test_a_die_that_is_thrown_after_a_knock_is_not_the_one_that_lay_there() -> None:
    """Nothing was read between the two, and it shows the same face elsewhere: people are asked."""
    watch = StreamReader(ONE)
    before, after = THREE[:1], (replace(THREE[0], x=30, y=-30, turn=75),)
    assert len(rolls(watched(watch, again(shot(before), 13)))) == 1
    seen = watched(watch, knocked(again(shot(before), 1)), knocked(rolling(before, (0,))))
    assert seen[0].says == "the camera has moved"
    [roll] = rolls(watched(watch, knocked(again(shot(after), 13))))
    assert (roll.tray.faces, roll.dice.thrown) == ((5,), ())


def test_a_knock_that_blurs_the_picture_throws_no_die() -> None:
    watch = StreamReader(ONE)
    lies = shot(THREE[:1])
    assert len(rolls(watched(watch, again(lies, 13)))) == 1
    shaken = (np.asarray(cv2.GaussianBlur(frame, (0, 0), 9), np.uint8) for frame in knocked(again(lies, 2)))
    seen = watched(watch, shaken, knocked(again(lies, 13)))
    assert rolls(seen) == []


def test_a_flicker_of_light_is_not_movement(still: BgrImage) -> None:
    motion = Motion()
    changes = []
    for k, frame in enumerate(again(still, 8)):
        flicker = np.clip(frame * (1 + 0.03 * (-1) ** k), 0, 255).astype(np.uint8)
        changes.append(motion.change(flicker))
    assert set(changes[1:]) == {Change.STILL}


def die(face: int, x: float = 0, confidence: float = 0.98, doubt: str = "") -> SeenDie:
    return SeenDie(Die.D6, face, (x, 0, x + 40, 40), confidence, doubt=doubt)


def tray(*dice: SeenDie) -> TrayReading:
    return assess_tray(dice, (len(dice), Die.D6))


TWO = Pool.of((2, Die.D6))


@pytest.mark.parametrize("aside", [0, 3, 45])
def test_a_die_that_a_mug_stood_over_has_not_been_thrown(aside: float) -> None:
    """The mug is read as a large die, which lies in about the same place or not."""
    tracker, mug = DiceTracker(), SeenDie(Die.D6, 2, (aside - 60, -60, aside + 100, 100), 0.5, doubt="is blurred")
    tracker.track((die(4), die(3, 300)))
    tracker.track((mug,))
    assert tracker.track((die(4), die(3, 300))).thrown == ()
    assert len(tracker.track((die(5), die(3, 360))).thrown) == 1, "one that shows the same elsewhere was thrown"


def test_a_die_alone_that_a_sleeve_pushes_has_not_been_thrown() -> None:
    for far, thrown in ((60, ()), (70, (1,))):
        tracker = DiceTracker()
        tracker.track((die(4),))
        assert tracker.track((die(4, far),)).thrown == thrown


def test_frames_that_agree_make_a_die_a_little_surer_and_no_more() -> None:
    one = tray(die(4), die(2, 90))
    many = merge_readings([one] * 10, TWO, correlation=0.9)
    assert many.verdict is Verdict.ACCEPTED
    assert all(0.98 < d.confidence < 0.9999 for d in many.dice)
    assert merge_readings([one] * 10, TWO, correlation=1.0).dice[0].confidence == pytest.approx(0.98)


def test_frames_that_contradict_each_other_are_asked_about() -> None:
    frames = [tray(die(4), die(2, 90))] * 6 + [tray(die(5), die(2, 90))] * 2
    settled = merge_readings(frames, TWO, correlation=0.9)
    assert (settled.verdict, settled.faces) == (Verdict.ASK, (4, 2))
    assert settled.reason == "the die at the left was read as 4 and as 5"


def test_a_doubt_in_one_frame_of_many_is_overruled_and_a_lasting_one_is_not() -> None:
    clear, doubtful = tray(die(4), die(2, 90)), tray(die(4, 0, 0.8, "is blurred"), die(2, 90))
    assert merge_readings([doubtful, *[clear] * 5], TWO, correlation=0.9).verdict is Verdict.ACCEPTED
    lasting = merge_readings([clear, *[doubtful] * 5], TWO, correlation=0.9)
    assert (lasting.verdict, lasting.reason) == (Verdict.ASK, "the die at the left is blurred")


def test_a_doubt_that_comes_and_goes_stays_however_often_the_dice_are_looked_at() -> None:
    clear, doubtful = tray(die(4), die(2, 90)), tray(die(4, 0, 0.8, "is blurred"), die(2, 90))
    for frames in range(4, 11):
        seen = [doubtful if at % 3 == 0 else clear for at in range(frames)]
        merged = merge_readings(seen, TWO, correlation=0.9)
        assert (merged.verdict, merged.dice[0].doubt) == (Verdict.ASK, "is blurred"), frames


def test_a_die_that_comes_and_goes_is_never_counted_on() -> None:
    settled = merge_readings([tray(die(4), die(2, 90)), tray(die(4))] * 4, TWO, correlation=0.9)
    assert settled.verdict is not Verdict.ACCEPTED
    assert settled.reason == "the number of dice changes from frame to frame"


def test_a_die_that_one_frame_showed_beside_those_that_were_asked_for_is_never_left_out() -> None:
    two, three = tray(die(4), die(2, 90)), tray(die(4), die(2, 90), die(3, 180))
    settled = merge_readings([two, two, three, two], TWO, correlation=0.9)
    assert (settled.verdict, settled.reason) == (Verdict.ASK, "two dice read, and something more that may be dice")
    assert merge_readings([two, two, tray(die(4)), two], TWO, correlation=0.9).verdict is Verdict.ACCEPTED


@given(st.data())
def test_the_same_faces_in_the_same_arrangement_are_the_same_roll(data: st.DataObject) -> None:
    """However the camera was knocked."""
    places = data.draw(st.lists(st.sampled_from(range(30)), min_size=1, max_size=6, unique=True))
    faces = data.draw(st.lists(st.integers(1, 6), min_size=len(places), max_size=len(places)))
    turn, growth = np.radians(data.draw(st.floats(-6, 6))), data.draw(st.floats(0.95, 1.05))
    way, shift = growth * np.exp(1j * turn), complex(data.draw(st.floats(-90, 90)), data.draw(st.floats(-90, 90)))
    at = [complex(200 + 60 * (place % 6), 200 + 60 * (place // 6)) for place in places]

    def lying(middles: Sequence[complex]) -> list[SeenDie]:
        boxes = [(z.real - 20, z.imag - 20, z.real + 20, z.imag + 20) for z in middles]
        return [SeenDie(Die.D6, face, box, 0.99) for face, box in zip(faces, boxes, strict=True)]

    tracker = DiceTracker()
    first = tracker.track(lying(at))
    middle = sum(at) / len(at)
    knock = way * middle + shift - middle
    again = tracker.track(lying([way * z + shift for z in at]), (knock.real, knock.imag))
    assert (again.numbers, again.thrown, again.gone) == (first.numbers, (), ())
    assert len(first.thrown) == len(at)
