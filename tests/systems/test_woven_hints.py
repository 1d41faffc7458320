"""Which spells are in reach: what is hinted is what the engine then offers, and only to their owner."""

from __future__ import annotations

import pytest

from loomtable.engine.woven.hints import spells_in_reach
from loomtable.engine.woven.patterns import castable
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.spells import spell_named, spells
from loomtable.engine.woven.words import spot_in_words
from tests.short import refuses
from tests.systems.woven_table import Table, road

HERE, FAR = road(5)[0], road(5)[-1]


@pytest.mark.parametrize("spell", list(spells())[::5])
def test_a_thread_is_hinted_where_it_makes_the_engine_offer_the_spell_and_nowhere_else(spell: str) -> None:
    def at_table() -> Table:
        return Table(Ada={"casts": (spell,), "place": HERE}, Ben={"place": FAR})

    mage = at_table().mage("Ada")
    offered = set()
    for box in mage.tapestry.free_boxes():
        table = at_table()
        table.do("place-thread", who="Ada", at=list(box))
        if table.asked and spell in table.options:
            offered.add(box)
    assert {way.place[0] for way in castable(mage.tapestry, mage.spells, 1)} == offered
    [said] = spells_in_reach(at_table().contest, "Ada")
    assert any(said.startswith(f"{spell_named(spell).name}: a thread at {spot_in_words(box)}") for box in offered)


def test_no_more_threads_are_hinted_than_the_pool_has_mana() -> None:
    one = Table(Ada={"hand": tuple(spells())[:7], "pool": 1}, Ben={})
    two = Table(Ada={"hand": tuple(spells())[:7], "pool": 2}, Ben={})
    none = Table(Ada={"hand": tuple(spells())[:7], "pool": 0}, Ben={})
    assert not any(": threads at" in said for said in spells_in_reach(one.contest, "Ada"))
    assert any(": threads at" in said for said in spells_in_reach(two.contest, "Ada"))
    assert spells_in_reach(none.contest, "Ada") == ()


def test_hints_are_for_one_mage_and_a_stranger_gets_none() -> None:
    table = Table(Ada={"casts": ("haste",)}, Ben={"casts": ("creep",)})
    assert any("Haste" in said for said in WOVEN.hints(table.through.game, "Ada"))
    assert not any("Haste" in said for said in WOVEN.hints(table.through.game, "Ben"))
    refuses(WOVEN.hints, "Cleo", table.through.game, "Cleo")
