"""Printed dice through the virtual camera: from above and aslant, with the mat and without, tops and not sides."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from docs.site.printed_pictures import five_dice
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.mats import MATS
from loomtable.engine.kernel.ring_codes import RingMark
from loomtable.testing.virtual import VirtualCamera
from loomtable.vision.printed import find_mat, read_printed
from loomtable.vision.printed.dense_search import search_like
from loomtable.vision.printed.ground import is_bare_table
from loomtable.vision.printed.reader import search_rings
from loomtable.vision.printed.ring_poses import RingDetection, square_to_a_die
from loomtable.vision.printed.rings import Ring
from loomtable.vision.printed.views import view_of
from loomtable.vision.printed.words import ReadWord
from loomtable.vision.verdict import Verdict
from tests.tiers import mostly


def camera(tilt: float) -> VirtualCamera:
    return VirtualCamera(tilt=tilt, height=330 * np.cos(np.radians(tilt)), aim=(0.0, 4.0))


@pytest.mark.parametrize("on_the_mat", mostly([True, False], [False]))
@pytest.mark.parametrize("tilt", mostly([6, 40], [40]))
def test_the_faces_that_lie_up_are_read_and_sides_are_not(tilt: float, on_the_mat: bool) -> None:
    picture, lying = five_dice(camera(tilt), on_the_mat=on_the_mat)
    seen = search_rings(picture, 5)
    assert (seen.mat is not None) == on_the_mat
    if tilt > 30:
        assert len(seen.standing.sides) >= 2, "sides are seen, and known as sides"
    reading = read_printed(picture, (5, Die.WEAVE))
    assert reading.verdict is Verdict.ACCEPTED, reading.reason
    assert sorted(map(str, reading.faces)) == sorted(map(str, lying))


def test_the_mat_tells_plane_and_scale() -> None:
    """The tags give the way the camera looks, and where the mat's places fall in the picture."""
    view = camera(25)
    picture, _ = five_dice(view, on_the_mat=True)
    seen = find_mat(np.ascontiguousarray(picture[..., 1]))
    assert seen is not None and seen.mat == MATS["A4"] and seen.tags == 4
    assert seen.view.tilt == pytest.approx(25, abs=2)
    mat = seen.mat
    places = np.array([[0.0, 0.0], [mat.width, mat.height / 2], [100.0, 150.0]])
    on_table = places - np.array([mat.width / 2, mat.height / 2])
    assert np.abs(seen.pixels(places) - view.project(on_table)).max() < 2.5
    assert np.abs(seen.places(view.project(on_table)) - places).max() < 1.0


@pytest.mark.parametrize("on_the_mat", mostly([True, False], [False]))
def test_a_side_whose_top_is_burnt_out_is_never_believed(on_the_mat: bool) -> None:
    picture, _ = five_dice(camera(44), on_the_mat=on_the_mat)
    whole = search_rings(picture, 5).dice
    assert len(whole) == 5
    for hidden in whole[::2]:
        burnt = picture.copy()
        cv2.fillConvexPoly(burnt, np.rint(hidden.polygon).astype(np.int32), (250, 250, 250), cv2.LINE_AA)
        for die in search_rings(burnt, 5).dice:
            near = min(whole, key=lambda one: math.dist(one.centre, die.centre))
            assert die.doubt or (near is not hidden and die.face == near.face)


def test_small_dice_seen_half_from_above_are_told_by_their_sides() -> None:
    """Where top and side look alike, a ring just where a side must show says which is which, read or not."""
    far = VirtualCamera(tilt=38, height=600 * np.cos(np.radians(38)), aim=(0.0, 4.0))
    picture, lying = five_dice(far, on_the_mat=True)
    reading = read_printed(picture, (5, Die.WEAVE))
    assert reading.verdict is Verdict.ACCEPTED, reading.reason
    assert sorted(map(str, reading.faces)) == sorted(map(str, lying))
    assert max(die.box[2] - die.box[0] for die in reading.dice) < 60


def test_a_ring_that_is_missed_is_sought_where_the_others_say_how_it_must_look() -> None:
    picture, _ = five_dice(camera(40), on_the_mat=True)
    seen, inked = search_rings(picture, 5), np.ascontiguousarray(picture.min(axis=2))
    assert seen.view is not None
    tops = [seen.detections[at].ring for at in seen.standing.tops]
    sides = [seen.detections[at].ring for at in seen.standing.sides]
    assert len(tops) == 5
    for missed in tops:
        others = [ring for ring in tops if ring is not missed]
        found = search_like(inked, seen.view, others, [*others, *sides], lambda ring: ring.closed > 0.95)
        near = [ring for ring in found if np.linalg.norm(ring.centre - missed.centre) < 1]
        assert len(near) == 1 and near[0].radius == pytest.approx(missed.radius, rel=0.03)
    assert search_like(inked, seen.view, [], [], lambda _: True) == [], "nothing tells how large a ring would be"


@pytest.mark.parametrize("turn", [0, 20, 45, 70, 90])
def test_only_a_ring_whose_symbol_stands_along_the_edges_can_be_a_side(turn: float) -> None:
    view = view_of((720, 1280), 40, 0)
    at = np.array([600.0, 300.0])
    frames, _ = view.upright_frames(at)
    steepest = frames[np.abs(np.linalg.det(frames)).argmax()]
    ring = Ring(at, steepest * 24 / np.linalg.norm(steepest, axis=0).max(), 100.0, 1.0)
    word = ReadWord(RingMark(Die.WEAVE, 1, Die.WEAVE.faces[0]), np.radians(turn), 0.9, 0.3, 0)
    assert square_to_a_die(RingDetection(ring, word, None), view) == (turn in (0, 90))


def test_table_is_told_from_a_gleam_a_finger_and_a_hand() -> None:
    """Where a die's top would have to show: felt all round says that there is none; anything else says nothing."""
    picture, _ = five_dice(camera(40), on_the_mat=False)
    seen = search_rings(picture, 5)
    ring = max((seen.detections[at].ring for at in seen.standing.tops), key=lambda ring: -float(ring.centre[1]))
    over = ring.centre - (0.0, 2.2 * ring.radius)
    assert is_bare_table(picture, ring, over)
    x, y = (round(float(v)) for v in over)
    thick, skin = round(2.4 * ring.radius), (120, 150, 200)
    for way in np.linspace(0, np.pi, 7):
        far = round(x + 900 * math.cos(way)), round(y - 900 * math.sin(way))
        assert not is_bare_table(cv2.line(picture.copy(), (x, y), far, skin, thick), ring, over), "a finger"
    hand = cv2.rectangle(picture.copy(), (x - 6 * thick, 0), (x + 6 * thick, y + thick // 2), skin, -1)
    assert not is_bare_table(hand, ring, over)
    assert not is_bare_table(cv2.circle(picture.copy(), (x, y), thick, (250, 250, 250), -1), ring, over), "a gleam"
    assert not is_bare_table(picture, ring, np.array([-5.0, 40.0])), "outside the picture"
