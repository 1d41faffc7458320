"""Where things lie and were lost: what comes beside or after another is not taken for what lay below it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.testing import VirtualTable
from loomtable.testing.virtual import TINTS, Surface
from loomtable.vision.motion import Change, Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Quad, moved
from loomtable.vision.whereabouts import Place, Whereabouts

AT: Quad = ((300.0, 200.0), (340.0, 200.0), (340.0, 240.0), (300.0, 240.0))
BESIDE = moved(AT, 140, 0)


def table(shade: int | None = None) -> BgrImage:
    """A table, bare or with something of this shade in one place."""
    picture = np.full((360, 640, 3), 150, np.uint8)
    if shade is not None:
        picture[180:260, 280:360] = shade
    return picture


def test_what_is_laid_beside_a_thing_that_a_hand_hides_did_not_lie_below_it() -> None:
    motion = Motion()
    places = Whereabouts(motion)
    motion.change(table(), 0.0)
    motion.settle()
    places.see([Place("A", AT, "A")], 0.0, table(), still=False)
    places.see([Place("A", AT, "A", seen=False), Place("B", BESIDE, "B")], 0.5, table(), still=False)
    assert [(one.thing, one.over) for one in places.here] == [("A", ()), ("B", ())]
    places.see([Place("C", moved(AT, 20, 8), "C")], 1.0, table(), still=False)
    assert [other.thing for other in places.here[-1].over] == ["A"]


def test_bare_table_is_known_where_things_were_laid_in_turn() -> None:
    """The last still picture that was kept shows the first of them."""
    motion = Motion()
    places = Whereabouts(motion)
    for at, shade in enumerate((None, 20, 20)):
        motion.change(table(shade), float(at))
        seen = [Place("X", AT, "X")] if shade is not None else []
        places.see(seen, float(at), table(shade), still=motion.still)
        if shade is None or motion.still:
            motion.settle()
    for at, shade, seen in (
        (3.0, None, []),
        (3.5, None, []),
        (6.0, 230, [Place("Y", AT, "Y")]),
        (7.0, None, []),
        (7.5, None, []),
    ):
        motion.change(table(shade), at)
        places.see(seen, at, table(shade), still=motion.still)
    assert places.hidden == [], "Y was lifted"


def test_bare_table_is_known_where_an_arm_has_rested_before() -> None:
    """The arm lay so still that it seemed a map over the edge; a card was laid where it had been, and taken."""
    motion = Motion()
    places = Whereabouts(motion)
    arm = table()
    arm[150:300, :420] = 60
    changes = []
    lies = Place("X", AT, "X")
    for at, (frame, seen) in enumerate(
        [(table(), []), (arm, []), (arm, []), (table(), []), (table(230), [lies]), (table(230), [lies])]
        + 2 * [(table(), [])]
    ):
        changes.append(motion.change(frame, float(at)))
        places.see(seen, float(at), frame, still=motion.still)
        if at == 0:
            motion.settle()
        if at == 2:
            motion.lain_still()
    assert changes[1:4] == [Change.HAND] * 3
    assert changes[5] is Change.STILL and places.hidden == []


@pytest.mark.parametrize("shade", [143, 157])
def test_a_sleeve_of_nearly_the_colour_of_the_table_is_no_bare_table(shade: int) -> None:
    motion = Motion()
    places = Whereabouts(motion)
    for at, (frame, seen) in enumerate(
        [(None, False), (20, True), (20, True), *6 * [(shade, False)], (20, True), (20, True)]
    ):
        motion.change(table(frame), float(at))
        if at == 0:
            motion.settle()
        places.see([Place("X", AT, "X")] if seen else [], float(at), table(frame), still=motion.still)
    assert [one.laying for one in places.here] == [1], "it came to light, and nobody laid it"


GRAIN = cv2.GaussianBlur(np.random.default_rng(5).integers(0, 256, (560, 840, 3), np.uint8), (0, 0), 3)
WIDE = cv2.normalize(GRAIN, GRAIN, 60, 240, cv2.NORM_MINMAX)
"""More of a table than the camera sees."""
KNOCKS = st.lists(st.tuples(st.integers(-60, 60), st.integers(-60, 60)), min_size=1, max_size=3)


class Knocked:
    """A camera that is knocked about over a wide table, and the places that it sees there."""

    def __init__(self) -> None:
        self.motion, self.at, self.corner = Motion(), 0.0, (100, 100)
        self.places = Whereabouts(self.motion)

    def sees(self, *things: str, under: str = "") -> None:
        """These things, each by the place of its name on the table, for three frames, and one under a mug."""
        x, y = self.corner
        picture = WIDE.copy()
        for name in (*things, under):
            if name:
                left, top = PLACES[name]
                picture[top - 30 : top + 30, left - 30 : left + 30] = 250 if name == under else 20
        for _ in range(3):
            frame = picture[y : y + 360, x : x + 640]
            self.motion.change(frame, self.at)
            seen = [Place(name, _square(PLACES[name], self.corner), name) for name in things]
            self.places.see(seen, self.at, frame, still=self.motion.still)
            self.at += 1.0
        self.motion.settle()


PLACES = {"A": (400, 250), "B": (500, 380), "C": (790, 300), "D": (790, 400)}
"""The middles of things on the table; C and D are out of the picture at first."""


def _square(middle: tuple[int, int], corner: tuple[int, int]) -> Quad:
    x, y = middle[0] - corner[0], middle[1] - corner[1]
    return (x - 15.0, y - 15.0), (x + 15.0, y - 15.0), (x + 15.0, y + 15.0), (x - 15.0, y + 15.0)


@given(KNOCKS)
def test_places_go_with_the_picture_when_the_camera_is_knocked(knocks: list[tuple[int, int]]) -> None:
    """However far it goes: what was hidden comes to light where it lay, and is known to be lifted there."""
    table = Knocked()
    for things in ((), ("B",), ("B", "A")):
        table.sees(*things)
    before = {one.thing: one.laying for one in table.places.here}
    assert before == {"B": 1, "A": 2}
    table.sees("B", under="A")
    for x, y in knocks:
        table.corner = min(max(table.corner[0] + x, 0), 200), min(max(table.corner[1] + y, 0), 200)
        table.sees("B", under="A")
    table.sees("B", "A")
    assert {one.thing: one.laying for one in table.places.here} == before
    table.sees("B")
    table.sees("B", "A")
    assert {one.thing: one.laying for one in table.places.here} == before | {"A": 3}


def test_nobody_laid_what_a_knock_brings_into_the_picture() -> None:
    table = Knocked()
    table.sees("B")
    table.corner = (190, 110)
    table.sees("B", "C")
    assert {one.thing: one.laying for one in table.places.here} == {"B": 1, "C": 0}
    table.sees("B", "C", "D")
    assert [one.laying for one in table.places.here] == [1, 0, 2], "a hand laid D there"


def test_bare_table_is_known_however_long_a_camera_has_crept() -> None:
    """By less at a time than is seen as a knock; the table is held against what was last seen of it there."""
    table = Knocked()
    table.sees()
    for laying in range(1, 12):
        table.sees("A")
        assert [one.laying for one in table.places.here] == [laying]
        table.sees()
        table.corner = table.corner[0] + 1, table.corner[1] + 1


@pytest.mark.parametrize("across", [(1.3, -0.8), (-0.7, -1.4), (0.4, 1.2)])
def test_the_picture_is_followed_where_a_knock_looks_like_things_that_move(across: tuple[float, float]) -> None:
    table, motion = VirtualTable(surface=Surface("wood", TINTS["wood"][0], 5)), Motion()
    for name, x in (("C1", -150.0), ("C2", 0.0)):
        table.put(name, (x, -60.0))
    for frame in table.rest(2):
        motion.change(frame)
    motion.settle()
    assert Change.CAMERA not in [motion.change(frame) for frame in (*table.knock(across, 0.2), *table.rest(2))]
    at = table.camera.project(np.zeros((1, 2)))[0] - (640, 360)
    assert np.array(motion.shift) * 1280 == pytest.approx(at, abs=1)
