"""What spells do beyond the shipped evenings, in which all 36 are cast: shields, charges, barriers (WO-15)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.requests import Choose
from loomtable.engine.woven.events.ground import TendrilKept, TendrilMoved
from loomtable.engine.woven.events.weaving import NoEffect
from tests.short import as_a, refuses
from tests.systems.woven_table import Table, across_river, ground, road

HERE, NEXT, THIRD, FOURTH, FAR = road(5)
Held = dict[str, int]


def test_a_river_stops_a_spell_that_moves_and_moccasins_cross_it() -> None:
    bank, over = across_river()
    for charges, crosses in (({}, False), ({"water-moccasins": 1}, True)):
        table = Table(Ada={"casts": ("hands-of-flame",), "place": bank, "charges": charges})
        table.cast("hands-of-flame")
        assert (over in table.options) is crosses


def test_push_works_over_a_river_but_the_step_after_it_does_not() -> None:
    bank, over = across_river()
    table = Table(Ada={"casts": ("push",), "place": bank}, Ben={"place": over})
    table.cast("push", over)
    ends = [p for p in table.options if p != bank] if table.asked else []
    if ends:
        table.answer(ends[0])
    assert table.mage("Ada").place == bank
    assert "a river bars the way" in table.story()


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


COIL = {"tendril-coil": 1}


@pytest.mark.parametrize(
    ("spell", "charges", "pressed", "tendrils", "stands", "left", "tendrils_left"),
    [
        ("fire-arrow", {"protection": 1}, (), {}, True, {}, {}),
        ("fire-arrow", {"double-shield": 1}, (), {}, True, {"double-shield": 1}, {}),
        # Deflect would have prevented it; with the body its charges go.
        ("fire-arrow", {"deflect": 1}, ("take-the-hit",), {}, False, {}, {}),
        # A coiled tendril is a shield of two, where the mage is.
        ("fire-arrow", COIL, (), {NEXT: 1}, True, COIL, {NEXT: 1}),
        ("fire-ball", COIL, (), {NEXT: 1}, True, COIL, {}),
        ("fire-arrow", COIL, (), {FAR: 1}, False, {}, {}),
    ],
)
def test_what_meets_an_attack_holds_by_its_strength_and_goes_by_its_rule(
    spell: str,
    charges: Held,
    pressed: tuple[str, ...],
    tendrils: Held,
    stands: bool,
    left: Held,
    tendrils_left: Held,
) -> None:
    table = Table(
        Ada={"casts": (spell,), "tendrils": {NEXT: 1}, "place": HERE},
        Ben={"place": NEXT, "charges": charges, "tendrils": tendrils},
        Cyd={},
    )
    table.cast(spell, *pressed)
    ben = table.mage("Ben")
    assert (ben.on_map, ben.destroyed, ben.charges, ben.tendrils) == (stands, not stands, left, tendrils_left)


def test_recovery_shield_gives_two_threads_back_in_another_mages_turn() -> None:
    table = Table(turn="Ada", Ada={}, Ben={"charges": {"recovery-shield": 1}, "threads": 3})
    spots = table.mage("Ben").threads
    before = table.mage("Ben").pool
    table.do("spend-charge", who="Ben", spell="recovery-shield")
    assert as_a(Choose, table.through.pending).at_most == 2
    table.answer((f"{spots[0][0]}/{spots[0][1]}", f"{spots[2][0]}/{spots[2][1]}"))
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
            Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}, "charges": {"tendril-shield": 1}},
            Ben={},
        )
        table.cast("fire-arrow", "tendril-shield")
        owner = "Ada"
    assert sum(table.mage(owner).tendrils.values()) == 1
    assert table.mage(owner).charges == {}


def test_stone_reflection_halves_an_attack_and_throws_the_whole_back() -> None:
    """The whole comes back, strikes the attacker alone, and is not thrown to and fro by the attacker's own."""
    for spell, survives, own in (("fire-arrow", True, 0), ("fire-ball", False, 0), ("fire-arrow", True, 1)):
        table = Table(
            Ada={"casts": (spell,), "place": HERE, "tendrils": {NEXT: 1}, "charges": {"stone-reflection": own}},
            Ben={"place": NEXT, "charges": {"stone-reflection": 1}},
            Cyd={"place": HERE},
        )
        table.cast(spell)
        assert table.mage("Ben").on_map is survives
        assert (table.mage("Ada").on_map, table.mage("Cyd").on_map, table.asked) == (False, True, "")
        assert (table.mage("Ben").kills, table.mage("Ada").kills) == (1, 0 if survives else 1)


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


def test_whiplash_gives_a_tendril_for_a_defence_or_for_another_tendril() -> None:
    ben = {"place": NEXT, "tendrils": {NEXT: 1, FAR: 1}, "charges": {"whiplash": 1}}
    table = Table(Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}}, Ben=dict(ben))
    table.cast("fire-arrow", f"whiplash:{FAR}")
    assert (table.mage("Ben").on_map, table.mage("Ben").tendrils) == (True, {NEXT: 1})
    table = Table(Ada={"casts": ("delete-all",), "place": NEXT}, Ben=dict(ben))
    table.cast("delete-all", f"whiplash:{FAR}")
    assert (table.mage("Ben").tendrils, table.mage("Ben").spent) == ({NEXT: 1}, 1)


def test_diasporate_places_three_around_and_moves_three() -> None:
    around = ground().neighbours(HERE)
    table = Table(Ada={"casts": ("diasporate",), "place": HERE})
    table.cast("diasporate", around[0], around[0], "no", around[0], HERE, around[0], HERE)
    assert table.mage("Ada").tendrils == {HERE: 2}
    assert table.asked == ""
