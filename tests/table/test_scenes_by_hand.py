"""Short scenes played by virtual hands alone; ``benchmarks.hands`` plays them to the end."""

from __future__ import annotations

from tests.table.scenes_by_hand import storm_weavers_fight, weave_scene
from tests.vision.needed import needs_networks

pytestmark = needs_networks


def test_a_challenge_of_weave_is_laid_thrown_and_answered_by_hand() -> None:
    evening = weave_scene(2, challenges=1)
    evening.check()
    assert [one.meant[0].split()[0] for one in evening.played if one.meant] == ["challenge", "roll"]
    assert evening.touches == 0


def test_a_round_of_storm_weavers_is_moved_and_thrown_by_hand() -> None:
    evening = storm_weavers_fight(1, rounds=1)
    evening.check()
    moved = [one for one in evening.played if one.did.startswith("move F1")]
    assert [one.took for one in moved] == [("answer C3",)] and evening.touches == 0
