"""Where things lie and were lost: what comes beside or after another is not taken for what lay below it."""

from __future__ import annotations

import numpy as np

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
