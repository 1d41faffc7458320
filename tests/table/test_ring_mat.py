"""The ring mat of Spellwoven: each figure is in the ring under its feet, and on a border it is asked about."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.gestures import Stood
from loomtable.engine.kernel.gestures import Table as OnTable
from loomtable.engine.kernel.offered import offers
from loomtable.printkit.games.spellwoven.figures import FOES, HEROES
from loomtable.printkit.games.spellwoven.ring_mat import HALF_LINE, HEIGHT, REACH, RING_MAT, WIDTH, ring_at
from loomtable.table.games.spellwoven.ring_mat import MAT_SHEET, ring_board, ring_of
from loomtable.table.reading.board import Board, stand_on
from loomtable.table.reading.scene import SceneReader, Wanted
from loomtable.testing import VirtualTable
from loomtable.testing.virtual_table import CAMERA
from loomtable.vision.dice import Pool
from loomtable.vision.table_looks import TableLook
from loomtable.vision.verdict import Verdict
from tests.systems.spellwoven_table import fight, table
from tests.vision.needed import needs_networks
from tests.vision.scenes.maps import ring_board as photographed_mat

MIDDLE = WIDTH / 2, HEIGHT / 2
ENGAGED, NEARBY, DISTANT = REACH.values()


def below(away: float, along: float = 0.0) -> tuple[float, float]:
    """A place of the mat so far below the line in its middle, mm."""
    return MIDDLE[0] + along, MIDDLE[1] + away


@given(st.floats(-HALF_LINE, HALF_LINE), st.floats(0, DISTANT - 0.01))
def test_a_ring_reaches_as_far_all_along_the_line_in_the_middle(along: float, away: float) -> None:
    ring, room = ring_at(*below(away, along))
    assert ring is not None and REACH[ring] > away
    assert room <= REACH[ring] - away + 1e-6


def test_the_camera_tells_who_is_in_which_ring() -> None:
    wat, joss, *_ = HEROES
    ewan, archer, ash, *_ = FOES
    put = {
        wat: below(10),
        ewan: below(-14, 30),
        joss: below((ENGAGED + NEARBY) / 2, -40),
        archer: below(-(NEARBY + DISTANT) / 2, 20),
        ash: below(NEARBY, 30),
    }
    picture = photographed_mat(4, put=put).shot.picture
    record = {"Wat": "Engaged", "Joss": "Engaged", "Archer": "Distant", "Nan": "Nearby"}
    cast = {wat.number: "Wat", joss.number: "Joss", archer.number: "Archer", HEROES[5].number: "Nan"}
    called = {figure.number: figure.called for figure in (*HEROES, *FOES)}
    look = stand_on(Board(MAT_SHEET, ring_of, record, cast, called), TableLook.at(picture))
    told = {one.name: one for one in look.standings}
    assert {name: one.seen for name, one in told.items()} == {
        "Wat": "Engaged", "Joss": "Nearby", "Nan": "", "Archer": "Distant", "Foe 1": "Engaged", "Foe 3": ""
    }  # fmt: skip
    assert told["Joss"].says == "Joss is on Nearby, the record says Engaged"
    assert told["Foe 3"].verdict is Verdict.ASK and "push it" in told["Foe 3"].doubt
    assert told["Nan"].says == "Nan is not seen; the record says Nearby"


def test_a_figure_that_is_moved_to_another_ring_moves() -> None:
    session = fight(table(), "Hero", Hero="nearby", Foe="nearby")
    assert sorted(ring_board(session).cast.values()) == ["Foe", "Hero"]
    [moved] = offers(session, OnTable(figures=(Stood("Hero", "Distant"),)))
    assert (moved.says, moved.legal) == ("Hero moves to Distant", True)
    [engages] = offers(session, OnTable(figures=(Stood("Hero", "Engaged"),)))
    assert (engages.says, engages.legal) == ("Hero moves to Engaged, towards Foe", True)
    [waits] = offers(session, OnTable(figures=(Stood("Foe", "Distant"),)))
    assert waits.reason, "it is not Foe's turn"


@needs_networks
def test_tags_and_figures_on_the_mat_are_no_dice() -> None:
    session = fight(table(), "Hero", Hero="nearby", Foe="nearby")
    on_table = VirtualTable(camera=replace(CAMERA, frame=(1920, 1080)))
    on_table.put(RING_MAT.short, (-105, -35))
    for figure, x in ((HEROES[0], -135), (FOES[0], -75)):
        on_table.put(figure.id.short, (x, 10))
    board, reader = ring_board(session), SceneReader()
    d10s = Wanted((Pool.of("3d10"),), cards=True, hands=True, board=lambda look: stand_on(board, look))
    seen = []
    for begun in (0.0, 10.0):  # the mat is known from the second time on
        reader.look_for(d10s, begun)
        for number, frame in enumerate(on_table.rest(2)):
            scene = reader.read(frame, begun + 0.2 * (number + 1))
        seen.append(len(scene.dice.dice) if scene.dice is not None else 0)
    assert seen == [1, 0], "one of its tags is read as a die until it is known"
