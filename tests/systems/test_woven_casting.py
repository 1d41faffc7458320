"""What all 36 spells share when they are cast (WO-10, WO-12, WO-15)."""

from __future__ import annotations

from typing import get_args

import pytest

from loomtable.engine.woven import effects as fx
from loomtable.engine.woven.casting import PLAYED_BY
from loomtable.engine.woven.events.weaving import NoEffect
from loomtable.engine.woven.spells import spells
from tests.short import present
from tests.systems.woven_table import Table, nearly_woven, road

HERE, NEXT, THIRD, FOURTH, FAR = road(5)


@pytest.mark.parametrize("spell", spells())
def test_every_spell_can_be_cast_and_then_lies_face_up(spell: str) -> None:
    table = Table(Ada={"casts": (spell,), "place": HERE}, Ben={"place": FAR})
    table.cast(spell)
    assert table.mage("Ada").shown == (spell,)
    assert table.mage("Ada").hand == ()


def test_every_effect_that_a_file_can_name_is_played() -> None:
    assert set(PLAYED_BY) == set(get_args(fx.CastEffect))
    used = {type(e) for s in spells().values() for e in (*s.on_cast, *s.while_charged, *s.by_spending)}
    assert set(get_args(fx.StandingEffect)) | set(get_args(fx.SpendEffect)) <= used, "played, and in a spell"


@pytest.mark.parametrize("spell", [s.key for s in spells().values() if s.takes_charges])
def test_no_charge_without_mana(spell: str) -> None:
    table = Table(Ada={"casts": (spell,), "place": HERE, "pool": 1})
    events = table.cast(spell)
    assert table.mage("Ada").charges == {}
    assert "no mana in the pool for a charge" in next(e.why for e in events if isinstance(e, NoEffect))


@pytest.mark.parametrize(
    "spell", ["haste", "push", "quick-drop", "sneak-n-stab", "creep", "teleport", "delete-all"]
)
def test_outside_the_map_a_spell_finds_no_location(spell: str) -> None:
    table = Table(Ada={"casts": (spell,)}, Ben={"place": HERE})
    assert any(isinstance(event, NoEffect) for event in table.cast(spell))
    assert not table.mage("Ada").on_map


def test_a_pattern_may_be_declined_and_several_are_chosen_from() -> None:
    _, (last,) = nearly_woven("haste")
    table = Table(Ada={"casts": ("haste",), "place": HERE})
    table.do("place-thread", "no", who="Ada", at=list(last))
    assert table.mage("Ada").hand == ("haste",)
    assert present(table.contest.turn).acted, "another action may follow"
