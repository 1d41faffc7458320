"""The ring mat of Spellwoven: each figure is in the ring under its feet, and on a border it is asked about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.printkit.games.spellwoven.figures import FOES, HEROES
from loomtable.printkit.games.spellwoven.ring_mat import HALF_LINE, HEIGHT, REACH, WIDTH, ring_at
from loomtable.table.games.spellwoven.ring_mat import look_at_rings
from loomtable.vision.tags import find_tags
from loomtable.vision.verdict import Verdict
from tests.vision.scenes.maps import ring_board

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
    picture = ring_board(4, put=put).shot.picture
    book = {wat.number: Proximity.ENGAGED, joss.number: Proximity.ENGAGED, archer.number: Proximity.DISTANT,
            HEROES[5].number: Proximity.NEARBY}  # fmt: skip
    look = look_at_rings(find_tags(picture), picture.shape, book)
    told = {one.name: one for one in look.standings}
    assert {name: one.seen for name, one in told.items()} == {
        "Hero 1": "Engaged", "Hero 2": "Nearby", "Hero 6": "", "Foe 1": "Engaged", "Foe 2": "Distant", "Foe 3": ""
    }  # fmt: skip
    assert told["Hero 2"].says == "Hero 2 is on Nearby, the book says Engaged"
    assert told["Foe 3"].verdict is Verdict.ASK and "push it" in told["Foe 3"].doubt
    assert told["Hero 6"].says == "Hero 6 is not seen; the book says Nearby"


def test_without_the_mat_nothing_is_guessed() -> None:
    assert look_at_rings((), (1080, 1920, 3)).reason.startswith("no map is seen")
