"""What each spell of Fire and of Water does: cast, charged, and for a charge that is spent (WO-15)."""

from __future__ import annotations

import pytest

from loomtable.engine.woven.events.ground import Attacked
from tests.short import present
from tests.systems.woven_table import Table, ground, road

HERE, NEXT, THIRD, FOURTH, FAR = road(5)


# Fire


def test_an_attack_strikes_everybody_in_the_location_and_consumes_its_tendril() -> None:
    table = Table(
        Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}},
        Ben={"place": NEXT},
        Cyd={"place": NEXT, "charges": {"protection": 1}},
        Dov={"place": THIRD},
    )
    table.cast("fire-arrow")
    assert [table.mage(name).on_map for name in ("Ada", "Ben", "Cyd", "Dov")] == [True, False, True, True]
    assert table.mage("Ada").tendrils == {}
    assert table.mage("Ada").kills == 1


def test_ricochet_strikes_beside_a_tendril() -> None:
    table = Table(Ada={"casts": ("ricochet-blast",), "place": HERE, "tendrils": {FOURTH: 1}}, Ben={"place": FAR})
    table.cast("ricochet-blast", FAR)
    assert not table.mage("Ben").on_map
    assert table.mage("Ada").tendrils == {}


def test_delete_all_takes_every_tendril_here_and_none_elsewhere() -> None:
    table = Table(
        Ada={"casts": ("delete-all",), "place": HERE, "tendrils": {HERE: 1, NEXT: 1}}, Ben={"tendrils": {HERE: 2}}
    )
    table.cast("delete-all")
    assert table.mage("Ada").tendrils == {NEXT: 1}
    assert table.mage("Ben").tendrils == {}


def test_fire_ball_strikes_with_two() -> None:
    table = Table(
        Ada={"casts": ("fire-ball",), "place": HERE, "tendrils": {NEXT: 1}},
        Ben={"place": NEXT, "charges": {"double-shield": 1}},
    )
    table.cast("fire-ball")
    assert table.mage("Ben").on_map
    assert table.mage("Ben").charges == {}


def test_fire_reign_strikes_at_every_tendril_and_leaves_one() -> None:
    table = Table(
        Ada={"casts": ("fire-reign",), "place": HERE, "tendrils": {NEXT: 2, FAR: 1}},
        Ben={"place": NEXT},
        Cyd={"place": FAR},
    )
    events = table.cast("fire-reign", FAR)
    assert {event.at for event in events if isinstance(event, Attacked)} == {NEXT, FAR}
    assert not table.mage("Ben").on_map
    assert not table.mage("Cyd").on_map
    assert table.mage("Ada").tendrils == {FAR: 1}


def test_erase_sweeps_its_start_and_its_way_but_not_itself() -> None:
    table = Table(
        Ada={"casts": ("erase",), "place": FAR, "tendrils": {HERE: 2}},
        Ben={"tendrils": {HERE: 1, NEXT: 1, THIRD: 1, FOURTH: 1}},
    )
    table.cast("erase", NEXT, THIRD, "stay")
    assert table.mage("Ben").tendrils == {FOURTH: 1}
    assert table.mage("Ada").tendrils == {}, "the other one at the start was removed, the sweeping one consumed"


def test_sneak_n_stab_strikes_next_door_and_moves_in() -> None:
    table = Table(Ada={"casts": ("sneak-n-stab",), "place": HERE}, Ben={"place": NEXT}, Cyd={})
    table.cast("sneak-n-stab", NEXT)
    assert not table.mage("Ben").on_map
    assert table.mage("Ada").place == NEXT
    assert present(table.contest.turn).acted


def test_hands_of_flame_strikes_from_the_new_place() -> None:
    table = Table(Ada={"casts": ("hands-of-flame",), "place": HERE}, Ben={"place": THIRD}, Cyd={})
    table.cast("hands-of-flame", NEXT, THIRD)
    assert not table.mage("Ben").on_map
    assert table.mage("Ada").place == NEXT


def test_fire_burst_clears_all_around_a_tendril_and_consumes_it() -> None:
    table = Table(
        Ada={"casts": ("fire-burst",), "place": FAR, "tendrils": {NEXT: 1}},
        Ben={"tendrils": {HERE: 1, NEXT: 1, THIRD: 2, FOURTH: 1}},
    )
    table.cast("fire-burst")
    assert table.mage("Ben").tendrils == {NEXT: 1, FOURTH: 1}
    assert table.mage("Ada").tendrils == {}


# Water


def test_creep_places_a_tendril_and_moves_any_of_ones_own() -> None:
    table = Table(Ada={"casts": ("creep",), "place": HERE, "tendrils": {FAR: 1}})
    table.cast("creep", HERE, FAR, THIRD)
    assert table.mage("Ada").tendrils == {HERE: 1, THIRD: 1}


def test_deflect_sends_an_attack_next_door_and_clears_tendrils_there() -> None:
    table = Table(
        Ada={"casts": ("fire-ball",), "place": HERE, "tendrils": {NEXT: 1, HERE: 1}},
        Ben={"place": NEXT, "charges": {"deflect": 1}},
    )
    table.cast("fire-ball", NEXT)
    assert table.asked == "Ben: Ben is attacked: strength 2"
    table.answer("deflect:spend", HERE)
    assert table.mage("Ben").on_map
    assert not table.mage("Ada").on_map
    assert table.mage("Ben").kills == 1
    assert [e.strength for e in table.events if isinstance(e, Attacked)] == [2, 1]


def test_a_mage_may_take_the_hit_and_keep_what_would_have_prevented_it() -> None:
    table = Table(
        Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}},
        Ben={"place": NEXT, "charges": {"deflect": 1}},
        Cyd={},
    )
    table.cast("fire-arrow", "take-the-hit")
    assert (table.mage("Ben").destroyed, table.mage("Ben").charges) == (1, {})


def test_spread_moves_each_tendril_once() -> None:
    table = Table(Ada={"casts": ("spread",), "place": HERE, "tendrils": {FAR: 1}})
    table.cast("spread", HERE, HERE, NEXT)
    assert set(table.options) == {FAR, "no"}, "the one that moved does not move again"
    table.answer(FAR, FOURTH)
    assert table.mage("Ada").tendrils == {NEXT: 1, FOURTH: 1}
    assert present(table.contest.turn).acted


def test_whiplash_gives_a_tendril_for_a_defence_or_for_another_tendril() -> None:
    ben = {"place": NEXT, "tendrils": {NEXT: 1, FAR: 1}, "charges": {"whiplash": 1}}
    table = Table(Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}}, Ben=dict(ben))
    table.cast("fire-arrow", f"whiplash:{FAR}")
    assert (table.mage("Ben").on_map, table.mage("Ben").tendrils) == (True, {NEXT: 1})
    table = Table(Ada={"casts": ("delete-all",), "place": NEXT}, Ben=dict(ben))
    table.cast("delete-all", f"whiplash:{FAR}")
    assert (table.mage("Ben").tendrils, table.mage("Ben").spent) == ({NEXT: 1}, 1)


@pytest.mark.parametrize(("spell", "stays"), [("fire-arrow", True), ("fire-ball", False)])
def test_a_coiled_tendril_is_a_shield_of_two(spell: str, stays: bool) -> None:
    table = Table(
        Ada={"casts": (spell,), "place": HERE, "tendrils": {NEXT: 1}},
        Ben={"place": NEXT, "tendrils": {NEXT: 1}, "charges": {"tendril-coil": 1}},
    )
    table.cast(spell)
    assert table.mage("Ben").on_map
    assert bool(table.mage("Ben").tendrils) is stays
    assert table.mage("Ben").charges == {"tendril-coil": 1}


def test_a_coil_needs_the_tendril_here() -> None:
    table = Table(
        Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}},
        Ben={"place": NEXT, "tendrils": {FAR: 1}, "charges": {"tendril-coil": 1}},
    )
    table.cast("fire-arrow")
    assert not table.mage("Ben").on_map


def test_snapback_sends_the_sacrificed_tendril_to_the_attacker() -> None:
    table = Table(
        Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}},
        Ben={"place": NEXT, "tendrils": {FAR: 1}, "charges": {"snapback": 1}},
    )
    table.cast("fire-arrow", f"snapback:{FAR}")
    assert (table.mage("Ben").on_map, table.mage("Ben").tendrils) == (True, {HERE: 1})


def test_teleport_goes_to_a_tendril_and_consumes_it() -> None:
    table = Table(Ada={"casts": ("teleport",), "place": HERE, "tendrils": {FAR: 1, THIRD: 1}})
    table.cast("teleport", FAR)
    assert (table.mage("Ada").place, table.mage("Ada").tendrils) == (FAR, {THIRD: 1})


def test_burst_places_three_and_moves_all() -> None:
    table = Table(Ada={"casts": ("burst",), "place": HERE, "tendrils": {FAR: 1}})
    table.cast("burst", HERE, HERE, HERE, HERE, THIRD, HERE, NEXT, FAR, FOURTH, "no")
    assert table.mage("Ada").tendrils == {HERE: 1, NEXT: 1, THIRD: 1, FOURTH: 1}


def test_diasporate_places_three_around_and_moves_three() -> None:
    around = ground().neighbours(HERE)
    table = Table(Ada={"casts": ("diasporate",), "place": HERE})
    table.cast("diasporate", around[0], around[0], "no", around[0], HERE, around[0], HERE)
    assert table.mage("Ada").tendrils == {HERE: 2}
    assert table.asked == ""
