"""What each spell of Air and of Earth does: cast, charged, and for a charge that is spent (WO-15)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.woven.events.ground import TendrilKept, TendrilMoved
from loomtable.engine.woven.events.weaving import NoEffect
from loomtable.engine.woven.region_map import Terrain
from tests.short import present, refuses
from tests.systems.woven_table import Table, across_river, beside, ground, road

HERE, NEXT, THIRD, FOURTH, FAR = road(5)


# Air


def test_haste_goes_two_locations_and_ignores_what_terrain_costs() -> None:
    plain, hill = beside(Terrain.MOUNTAINS)
    table = Table(Ada={"casts": ("haste",), "place": plain})
    table.cast("haste")
    within = ground().within(plain, 2)
    assert set(table.options) - {"stay"} <= set(within)
    before = table.mage("Ada").pool
    table.answer(hill)
    assert (table.mage("Ada").place, table.mage("Ada").pool) == (hill, before)


def test_a_river_stops_a_spell_that_moves_and_moccasins_cross_it() -> None:
    bank, over = across_river()
    for charges, crosses in (({}, False), ({"water-moccasins": 1}, True)):
        table = Table(Ada={"casts": ("hands-of-flame",), "place": bank, "charges": charges})
        table.cast("hands-of-flame")
        assert (over in table.options) is crosses


def test_push_empties_a_location_and_steps_into_it() -> None:
    table = Table(Ada={"casts": ("push",), "place": HERE}, Ben={"place": NEXT}, Cyd={"place": NEXT})
    table.cast("push", NEXT)
    assert table.asked == "Ada: Push: push Ben where?"
    table.answer(THIRD)
    assert table.asked == "Ada: Push: push Cyd where?"
    table.answer(HERE)
    assert [table.mage(name).place for name in ("Ada", "Ben", "Cyd")] == [NEXT, THIRD, HERE]


def test_push_works_over_a_river_but_the_step_after_it_does_not() -> None:
    bank, over = across_river()
    table = Table(Ada={"casts": ("push",), "place": bank}, Ben={"place": over})
    table.cast("push", over)
    ends = [p for p in table.options if p != bank] if table.asked else []
    if ends:
        table.answer(ends[0])
    assert table.mage("Ada").place == bank
    assert "a river bars the way" in table.story()


def test_plains_walker_goes_over_plains_alone_and_lets_its_mage_act_again() -> None:
    land = ground()
    start = next(
        r.key
        for r in land.regions
        if any(
            land.region(n).terrain is Terrain.PLAINS and not land.river_between(r.key, n)
            for n in land.neighbours(r.key)
        )
    )
    table = Table(Ada={"casts": ("plains-walker",), "place": start})
    table.cast("plains-walker")
    offered = set(table.options) - {"stay"}
    assert offered
    assert {land.region(place).terrain for place in offered} == {Terrain.PLAINS}
    table.answer("stay")
    assert table.contest.turn is not None
    assert (table.contest.turn.mage, table.contest.turn.acted) == ("Ada", True)


def test_moccasins_leave_tendrils_beside_water_and_not_elsewhere() -> None:
    shore, _ = beside(Terrain.WATER)
    table = Table(Ada={"place": shore, "charges": {"water-moccasins": 1}}, Ben={})
    table.do("create-tendril", shore, who="Ada")
    assert table.mage("Ada").tendrils == {shore: 2}
    dry = next(r.key for r in ground().regions if not ground().beside_water(r.key))
    table = Table(Ada={"place": dry, "charges": {"water-moccasins": 1}}, Ben={})
    table.do("create-tendril", who="Ada")
    assert table.asked == ""


def test_quick_drop_leaves_a_tendril_where_its_mage_stops() -> None:
    table = Table(Ada={"casts": ("quick-drop",), "place": HERE})
    table.cast("quick-drop", FOURTH, FOURTH)
    assert (table.mage("Ada").place, table.mage("Ada").tendrils) == (FOURTH, {FOURTH: 1})


def test_shield_pierce_takes_two_charges_of_the_targets_choice() -> None:
    charges = {"protection": 2, "double-shield": 1}
    table = Table(
        Ada={"casts": ("shield-pierce",), "tendrils": {NEXT: 1}, "place": HERE},
        Ben={"place": NEXT, "charges": charges},
    )
    table.cast("shield-pierce")
    assert table.asked == "Ben: Shield Pierce: Ben loses 2 charges"
    table.answer(("1", "2"))
    assert table.mage("Ben").charges == {"double-shield": 1}
    assert table.mage("Ben").spent == 2


def test_shield_pierce_needs_the_target_on_a_tendril() -> None:
    table = Table(
        Ada={"casts": ("shield-pierce",), "tendrils": {THIRD: 1}, "place": HERE},
        Ben={"place": NEXT, "charges": {"protection": 1}},
    )
    assert any(isinstance(event, NoEffect) for event in table.cast("shield-pierce"))
    assert table.mage("Ben").charges == {"protection": 1}


def test_a_recovery_shield_may_be_spent_before_shield_pierce_takes_it() -> None:
    table = Table(
        Ada={"casts": ("shield-pierce",), "tendrils": {NEXT: 1}, "place": HERE},
        Ben={"place": NEXT, "charges": {"recovery-shield": 1}, "threads": 1},
    )
    before = table.mage("Ben").pool
    table.cast("shield-pierce", "yes")
    assert (table.mage("Ben").pool, table.mage("Ben").threads) == (before + 1, ())


def test_remove_tendril_takes_two_from_anywhere_of_a_mage_whose_tendril_is_here() -> None:
    table = Table(
        Ada={"casts": ("remove-tendril",), "place": HERE},
        Ben={"tendrils": {HERE: 1, FAR: 2}},
        Cyd={"tendrils": {NEXT: 1}},
    )
    table.cast("remove-tendril", FAR, FAR)
    assert table.mage("Ben").tendrils == {HERE: 1}
    assert table.mage("Ben").spent == 2
    assert table.mage("Cyd").tendrils == {NEXT: 1}


def test_traceback_leaves_a_tendril_at_the_owner_of_the_one_found() -> None:
    table = Table(Ada={"casts": ("traceback",), "place": HERE}, Ben={"place": FAR, "tendrils": {THIRD: 1}})
    table.cast("traceback", THIRD, "1", FAR)
    assert table.mage("Ada").tendrils == {FAR: 1}
    assert table.mage("Ben").tendrils == {}
    assert present(table.contest.turn).mage == "Ada"


def test_run_and_toss_throws_the_new_tendril_and_no_other() -> None:
    table = Table(Ada={"casts": ("run-and-toss",), "place": HERE, "tendrils": {FAR: 1}}, Ben={})
    table.cast("run-and-toss", NEXT, NEXT, FOURTH)
    assert table.mage("Ada").tendrils == {FAR: 1, FOURTH: 1}


# Earth


@pytest.mark.parametrize(("spell", "held", "left"), [("protection", 1, 0), ("double-shield", 1, 1)])
def test_a_shield_is_dispelled_by_an_attack_of_its_strength(spell: str, held: int, left: int) -> None:
    table = Table(
        Ada={"casts": ("fire-arrow",), "tendrils": {NEXT: 1}, "place": HERE},
        Ben={"place": NEXT, "charges": {spell: held}},
    )
    table.cast("fire-arrow")
    assert table.mage("Ben").on_map
    assert table.mage("Ben").charges.get(spell, 0) == left


def test_recovery_shield_gives_two_threads_back_in_another_mages_turn() -> None:
    table = Table(turn="Ada", Ada={}, Ben={"charges": {"recovery-shield": 1}, "threads": 3})
    spots = table.mage("Ben").threads
    before = table.mage("Ben").pool
    table.do(
        "spend-charge",
        (f"{spots[0][0]}/{spots[0][1]}", f"{spots[2][0]}/{spots[2][1]}"),
        who="Ben",
        spell="recovery-shield",
    )
    after = table.mage("Ben")
    assert (after.pool, after.threads, after.charges) == (before + 2, (spots[1],), {})


@pytest.mark.parametrize("loss", ["removed", "consumed"])
def test_tendril_shield_keeps_a_tendril_from_either_loss(loss: str) -> None:
    if loss == "removed":
        table = Table(
            Ada={"casts": ("delete-all",), "place": HERE},
            Ben={"tendrils": {HERE: 1}, "charges": {"tendril-shield": 1}},
        )
        table.cast("delete-all", "tendril-shield")
        owner = "Ben"
    else:
        table = Table(
            Ada={
                "casts": ("fire-arrow",),
                "place": HERE,
                "tendrils": {NEXT: 1},
                "charges": {"tendril-shield": 1},
            },
            Ben={},
        )
        table.cast("fire-arrow", "tendril-shield")
        owner = "Ada"
    assert sum(table.mage(owner).tendrils.values()) == 1
    assert table.mage(owner).charges == {}


def test_split_places_a_tendril_beside_one_of_ones_own_far_away() -> None:
    table = Table(Ada={"casts": ("split",), "place": HERE, "tendrils": {FAR: 1}})
    table.cast("split", FAR)
    assert table.mage("Ada").tendrils == {FAR: 2}


def test_stone_reflection_halves_an_attack_and_throws_the_whole_back() -> None:
    for strength, spell, survives in ((1, "fire-arrow", True), (2, "fire-ball", False)):
        table = Table(
            Ada={"casts": (spell,), "place": HERE, "tendrils": {NEXT: 1}},
            Ben={"place": NEXT, "charges": {"stone-reflection": 1}},
            Cyd={"place": HERE},
        )
        table.cast(spell)
        assert table.mage("Ben").on_map is survives
        assert not table.mage("Ada").on_map, f"the whole of {strength} came back"
        assert table.mage("Cyd").on_map, "it strikes the attacker alone"
        assert (table.mage("Ben").kills, table.mage("Ada").kills) == (1, 0 if survives else 1)


def test_two_stone_reflections_do_not_throw_an_attack_to_and_fro_for_ever() -> None:
    table = Table(
        Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}, "charges": {"stone-reflection": 1}},
        Ben={"place": NEXT, "charges": {"stone-reflection": 1}},
    )
    table.cast("fire-arrow")
    assert not table.mage("Ada").on_map
    assert table.asked == ""


def test_nudge_moves_one_tendril_of_another_mage_for_each_charge() -> None:
    table = Table(
        Ada={"place": HERE, "tendrils": {HERE: 1}, "charges": {"nudge": 2}},
        Ben={"tendrils": {HERE: 1, NEXT: 1, FAR: 1}},
    )
    table.do("create-tendril", who="Ada")
    assert set(table.options) == {HERE, NEXT, "no"}
    table.answer(NEXT, FOURTH, HERE, "stay")
    assert table.mage("Ben").tendrils == {HERE: 1, FOURTH: 1, FAR: 1}
    assert present(table.contest.turn).mage == "Ben"


def test_nudge_moves_another_tendril_with_the_second_charge() -> None:
    table = Table(
        Ada={"place": HERE, "tendrils": {HERE: 1}, "charges": {"nudge": 2}},
        Ben={"tendrils": {NEXT: 1}},
    )
    table.do("create-tendril", who="Ada")
    table.answer(NEXT, HERE)
    assert table.asked == "", "the only tendril was nudged already"
    both = Table(
        Ada={"place": HERE, "tendrils": {HERE: 1}, "charges": {"nudge": 3}},
        Ben={"tendrils": {HERE: 1, NEXT: 1}},
    )
    both.do("create-tendril", who="Ada")
    both.answer(NEXT, HERE)
    assert set(both.options) == {HERE, "no"}, "of the two that lie together one has been nudged"
    both.answer(HERE, NEXT)
    assert both.asked == ""
    assert both.mage("Ben").tendrils == {HERE: 1, NEXT: 1}


@given(st.lists(st.sampled_from([HERE, NEXT, THIRD]), min_size=1, max_size=4), st.integers(1, 4), st.data())
def test_no_tendril_is_nudged_twice(places: list[str], charges: int, data: st.DataObject) -> None:
    """Whatever is chosen: as many moves as charges and tendrils allow, and each ends two locations off at most."""
    table = Table(
        Ada={"place": HERE, "tendrils": {HERE: 1}, "charges": {"nudge": charges}},
        Ben={"tendrils": {place: places.count(place) for place in set(places)}},
    )
    table.do("create-tendril", who="Ada")
    while table.asked:
        keys = [key for key in table.options if key not in ("no", "stay")]
        table.answer(data.draw(st.sampled_from(keys)))
    moved = [e for e in table.events if isinstance(e, TendrilMoved)]
    assert len(moved) <= min(charges, len(places))
    left = Counter(places)
    for event in moved:  # each starts where a tendril lay from the beginning
        assert left[event.start] > 0
        left[event.start] -= 1


@pytest.mark.parametrize("tendrils", [1, 2])
def test_harden_shell_holds_fewer_tendrils_than_charges(tendrils: int) -> None:
    table = Table(
        Ada={"casts": ("delete-all",), "place": HERE},
        Ben={"tendrils": {HERE: tendrils}, "charges": {"harden-shell": 2}},
    )
    kept = [event for event in table.cast("delete-all") if isinstance(event, TendrilKept)]
    assert len(kept) == 1
    assert table.mage("Ben").tendrils == {HERE: 1}, "the second of two is held, once the first is gone"


def test_harden_shell_does_not_keep_tendrils_from_being_consumed() -> None:
    table = Table(
        Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}, "charges": {"harden-shell": 2}},
        Ben={},
    )
    table.cast("fire-arrow")
    assert table.mage("Ada").tendrils == {}


def test_a_barrier_bars_moves_of_others_around_ones_tendrils() -> None:
    table = Table(
        turn="Ben",
        Ada={"tendrils": {THIRD: 1}, "charges": {"barrier": 1}, "place": FAR},
        Ben={"place": HERE, "casts": ("haste",)},
    )
    refuses(table.do, "a barrier of Ada bars the way", "move", who="Ben", to=NEXT)
    table.cast("haste", who="Ben")
    assert not {NEXT, FOURTH} & set(table.options)
    table = Table(Ada={"tendrils": {THIRD: 1}, "charges": {"barrier": 1}, "place": THIRD}, Ben={})
    table.do("move", who="Ada", to=FOURTH)
    assert table.mage("Ada").place == FOURTH, "nobody is barred by the own barrier"
