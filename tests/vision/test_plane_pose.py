"""What is printed tells how the table lies: cards, a camera that was moved, and dice that contradict it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from loomtable.table.reading.card_edges import flat_prints
from loomtable.table.reading.pictures import cards_in
from loomtable.testing.virtual import VirtualCamera, handful_of_dice, photograph
from loomtable.vision.camera_pose import CameraPose, Cameras
from loomtable.vision.dice import Pool, Verdict
from loomtable.vision.dice.cues import gather_evidence
from loomtable.vision.dice.elevation import DieView, measure_pose
from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.settling import StreamReader
from loomtable.vision.plane_pose import FlatPrint, pose_by_prints
from tests.vision.needed import needs_networks
from tests.vision.printed_laid import cards_seen_aslant, squares_seen

SIZE = (1280, 720)
FAR_APART = ((-90.0, -50.0), (70.0, -40.0), (-40.0, 60.0), (80.0, 55.0))


def pose_of(prints: Sequence[FlatPrint]) -> CameraPose:
    pose = pose_by_prints(prints, SIZE)
    assert pose is not None
    return pose


@pytest.mark.parametrize("roll", [0, 140])
@pytest.mark.parametrize("tilt", [10, 35, 60])
def test_squares_of_known_size_tell_from_where_they_are_seen(tilt: float, roll: float) -> None:
    camera = VirtualCamera(tilt=tilt, roll=roll, field_of_view=45)
    pose = pose_of(squares_seen(camera, FAR_APART))
    assert pose.is_measured
    assert pose.elevation == pytest.approx(90 - tilt, abs=4)
    foot, above = camera.project([[0, 0, 0], [0, 0, 5]])
    upright = (above - foot) / np.linalg.norm(above - foot) * np.sin(np.radians(tilt))
    assert pose.upright_at((640, 360)) == pytest.approx(upright, abs=0.09)


def test_one_small_square_may_lie_in_two_ways_and_is_not_enough() -> None:
    camera = VirtualCamera(height=900, tilt=35)
    assert not pose_of(squares_seen(camera, FAR_APART[:1])).is_measured
    assert pose_of(squares_seen(camera, FAR_APART)).is_measured


def test_what_does_not_lie_flat_is_outvoted() -> None:
    camera = VirtualCamera(tilt=35)
    held_up = squares_seen(VirtualCamera(tilt=0, height=300), [(10, 10)])
    assert pose_of([*squares_seen(camera, FAR_APART), *held_up]).elevation == pytest.approx(55, abs=4)


def test_nothing_printed_tells_nothing() -> None:
    assert pose_by_prints([], SIZE) is None


def test_cards_in_a_picture_tell_from_where_it_was_taken() -> None:
    picture = cards_seen_aslant()
    pose = pose_of(flat_prints(picture, cards_in(picture).cards))
    assert pose.is_measured
    assert pose.elevation == pytest.approx(52, abs=4)


def test_what_was_printed_counts_until_the_camera_is_moved() -> None:
    frame = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    reader = StreamReader()
    before, after = VirtualCamera(tilt=20), VirtualCamera(tilt=55, field_of_view=45)
    reader.see_prints(squares_seen(before, FAR_APART[:2]), frame)
    reader.see_prints(squares_seen(before, FAR_APART[2:]), frame)
    assert len(reader.prints) == 4, "all lie on one table"
    reader.see_prints(squares_seen(after, FAR_APART), frame)
    assert len(reader.prints) == 4, "those that lie as before another camera are forgotten"
    assert reader.camera is not None
    assert reader.camera.elevation == pytest.approx(35, abs=4)


def dice_seen(uprights: Sequence[Sequence[float]], places: Sequence[tuple[float, float]]) -> list[DieView]:
    """Dice about these places, px, of which the networks say that upright things point so at them."""
    return [
        DieView(
            (x - 25, y - 25, x + 25, y + 25), uprights=(np.array([*one, np.log(0.15)], np.float32),), is_cube=False
        )
        for one, (x, y) in zip(uprights, places, strict=True)
    ]


@pytest.mark.parametrize(("elevation", "otherwise"), [(80, 30), (70, 30), (55, 15), (30, 75)])
def test_dice_that_agree_overrule_what_was_printed_and_one_alone_does_not(elevation: int, otherwise: int) -> None:
    prints = pose_of(squares_seen(VirtualCamera(tilt=90 - elevation, field_of_view=45), FAR_APART))
    lies = (0.0, -np.cos(np.radians(otherwise)))
    dice = dice_seen([lies] * 3, [(440, 365), (640, 365), (840, 365)])
    assert measure_pose(dice, SIZE, prints)[0].prints == 0, "the camera was moved"
    told = measure_pose(dice[:1], SIZE, prints)[0]
    assert (told.prints, told.elevation) == (4, pytest.approx(elevation, abs=5))


@pytest.mark.parametrize("lens", [45, 60, 90])
def test_prints_below_a_camera_leave_its_lens_open_and_dice_tell_it(lens: float) -> None:
    prints = pose_of(squares_seen(VirtualCamera(tilt=5, field_of_view=lens), [(-40, -30), (45, -20), (-10, 40)]))
    camera, places = Cameras(*np.array([[85.0], [0.0], [lens]])), [(120, 90), (1150, 110), (100, 620), (1180, 600)]
    seen = [CameraPose(np.zeros(1), SIZE, 0, camera).upright_at(place) for place in places]
    told = measure_pose(dice_seen(seen, places), SIZE, prints)[0]
    assert told.prints == 3
    for place, upright in zip(places, seen, strict=True):
        assert told.upright_at(place) == pytest.approx(upright, abs=0.1)


def test_rolls_that_say_otherwise_twice_in_a_row_forget_what_was_printed() -> None:
    reader, pose = StreamReader(), pose_of(squares_seen(VirtualCamera(tilt=35), FAR_APART))
    otherwise = replace(pose, prints=0)
    for told, left in ((otherwise, 4), (pose, 4), (otherwise, 4), (otherwise, 0)):
        reader.prints = reader.prints or tuple(squares_seen(VirtualCamera(tilt=35), FAR_APART))
        reader.learn_from(told)
        assert len(reader.prints) == left


@needs_networks
def test_dice_are_read_by_what_cards_told_and_the_camera_is_remembered() -> None:
    camera = VirtualCamera(tilt=20)
    picture = photograph(handful_of_dice([3, 5, 6], seed=1, camera=camera), camera, seed=1).picture
    reader = StreamReader()
    reader.see_prints(squares_seen(camera, FAR_APART), picture)
    rolls = [seen.roll for seen in map(reader.read_frame, [picture] * 9) if seen.roll is not None]
    assert [roll.tray.verdict for roll in rolls] == [Verdict.ACCEPTED]
    assert reader.camera is not None
    assert reader.camera.prints == 4


@needs_networks
@pytest.mark.parametrize(("tilt", "flat"), [(35, False), (60, True)])
def test_tops_are_laid_flat_only_where_prints_tell_of_a_low_camera(tilt: float, flat: bool) -> None:
    camera, models = VirtualCamera(tilt=tilt, field_of_view=45), load_models()
    picture = photograph(handful_of_dice([3, 5, 6], seed=1, camera=camera), camera, seed=1).picture
    prints = pose_by_prints(squares_seen(camera, FAR_APART), camera.frame)
    assert models is not None
    dice = gather_evidence(picture, Pool.of("3d6"), models, earlier=prints).dice
    assert {die.flat is not None for die in dice} == {flat}
