"""Encounters of Weave: turns, actions, range bands, attacks (WV-20, WV-23, WV-24, WV-25)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.weave.cards.mechanics import RangeBand
from loomtable.engine.weave.encounter.combat import combat_level
from loomtable.engine.weave.encounter.turns import check_turn
from loomtable.engine.weave.state import Encounter, Npc
from loomtable.engine.weave.suits import Suit
from tests.short import present, refuses
from tests.systems.weave_table import Table, pick, say, weave

ANCHOR = {"who": "Ilse", "target": "Wolf", "asset": "Boat Anchor on a Chain"}


def met(table: Table) -> Encounter:
    return present(table.state.encounter)


def test_a_third_action_and_somebody_elses_turn_are_refused() -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf", band="short")
    refuses(table.session.perform, "it is Ilse's turn, not Odo's", "move", who="Odo", other="Wolf", closer=True)
    table.do("move", who="Ilse", other="Wolf", closer=True)
    with pytest.raises(IllegalAction, match="Ilse has only one action left"):
        table.session.perform("move", who="Ilse", other="Wolf", closer=False, bands=2)
    table.do("attack", weave("stones", "flames", "flames"), **ANCHOR)
    refuses(table.session.perform, "Ilse has no action left", "challenge", who="Ilse", suit="gales")
    table.do("challenge", weave("gales", *["stones"] * 4), who="Ilse", suit="gales", reaction=True)
    table.do("challenge", weave("gales", "stones", "stones"), who="Odo", suit="gales", reaction=True)


def test_while_the_order_is_being_rolled_it_is_nobodys_turn() -> None:
    table = Table()
    table.do("add-npc", npc="Wolf", enemy=True, track=6)
    table.session.perform("begin-encounter", against=["Wolf"], combat=True, band="melee")
    assert isinstance(table.session.pending, Roll)
    with pytest.raises(IllegalAction, match="it is nobody's turn: the order is still being rolled"):
        check_turn(Play(table.session.game, ""), present(table.state.figure("Ilse")), 1)


def test_effects_in_words_change_actions_and_the_order() -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf")
    table.do("change-actions", by=1)
    assert met(table).actions_left == 3
    refuses(table.session.perform, "a turn has 0 to 4 actions left; Ilse has 3", "change-actions", by=2)
    table.do("change-order", order=["Wolf", "Ilse", "Odo"])
    with pytest.raises(IllegalAction, match="the order is of Wolf, Ilse, Odo, each of them once"):
        table.session.perform("change-order", order=["Wolf", "Ilse"])
    table.do("end-turn")
    assert (met(table).acting, met(table).actions_left) == ("Odo", 2)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 2)), max_size=8), st.sampled_from(list(RangeBand)))
def test_movement_is_one_band_an_action_and_never_leaves_the_bands(
    moves: list[tuple[bool, int]], start: RangeBand
) -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf", band=start.value)
    bands = list(RangeBand)
    place, left = bands.index(start), 2
    for closer, count in moves:
        wanted = place + (-count if closer else count)
        if 0 <= wanted < len(bands) and count <= left:
            table.do("move", who="Ilse", other="Wolf", closer=closer, bands=count)
            place, left = wanted, left - count
        else:
            with pytest.raises(IllegalAction):
                table.session.perform("move", who="Ilse", other="Wolf", closer=closer, bands=count)
        assert met(table).band("Wolf", "Ilse") is bands[place]
        assert met(table).actions_left == left


@pytest.mark.parametrize("attacker", range(6))
@pytest.mark.parametrize("target", range(6))
def test_the_combat_level_is_the_difference_of_the_bonuses_and_at_least_one(attacker: int, target: int) -> None:
    one, other = Npc("A", False, {Suit.STONES: attacker}), Npc("B", True, {Suit.STONES: target})
    assert combat_level(one, other, Suit.STONES) == max(1, target - attacker)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["stones", "weave", "strike", "gales"]), min_size=3, max_size=3), st.integers(0, 4)
)
def test_an_attack_deals_one_strike_and_one_more_for_each_success_beyond_the_level(
    faces: list[str], bonus: int
) -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf", stones=bonus)
    table.session.perform("attack", **ANCHOR)
    table.session.answer(weave(*faces))
    while table.pending is not None:
        question = table.pending.purpose
        table.session.answer(pick() if "whom" in question else say(0))
    level = max(1, bonus)
    successes = faces.count("stones") + faces.count("weave")
    spare = faces.count("stones") - max(0, level - faces.count("weave"))
    dealt = (1 + successes - level + 1) if successes >= level else 0
    assert table.npc("Wolf").strikes == dealt
    assert table.ilse.strikes == faces.count("strike")
    triggered = any("and so does its Trigger" in s for s in table.story())
    assert triggered == (successes >= level and spare >= 2)


@pytest.mark.parametrize(
    ("asset", "band", "words"),
    [
        (
            "Boat Anchor on a Chain",
            "long",
            "Wolf is at Long Range; Boat Anchor on a Chain reaches Melee Range or Sh",
        ),
        (None, "short", "Wolf is at Short Range; a bare hand reaches Melee Range"),
    ],
)
def test_an_attack_out_of_reach_is_refused(asset: str | None, band: str, words: str) -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf", band=band)
    refuses(table.session.perform, words, "attack", who="Ilse", target="Wolf", asset=asset, suit="stones")
    assert met(table).actions_left == 2


def test_an_asset_that_is_no_weapon_is_no_weapon() -> None:
    table = Table()
    table.fight("Odo", "Ilse", "Wolf")
    with pytest.raises(IllegalAction, match="A Slightly Bruised Pear is not used to attack"):
        table.session.perform("attack", who="Odo", target="Wolf", asset="A Slightly Bruised Pear")


def test_the_suit_of_an_attack_is_negotiated() -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf", stones=3, gales=3)
    table.session.perform("attack", **ANCHOR, instead="gales")
    table.session.answer(pick("gales"))
    assert isinstance(table.pending, Roll)
    assert (table.pending.purpose, table.pending.count) == ("Gales Challenge, level 1", 5)


def test_an_accepted_enticement_costs_the_action_and_nothing_else() -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf")
    table.do("attack", pick("accept"), **ANCHOR, enticement={"flaw": "No Face of Your Own", "card": "C25"})
    assert met(table).actions_left == 1
    assert (table.npc("Wolf").strikes, table.ilse.strikes, len(table.ilse.kept)) == (0, 0, 1)


def test_healing_without_a_challenge_costs_the_healers_action() -> None:
    table = Table()
    table.wound("Ilse")
    table.fight("Odo", "Ilse", "Wolf")
    table.do("heal", who="Ilse", healer="Odo")
    assert (met(table).actions_left, table.ilse.wounds) == (1, 0)


def test_an_automatic_pass_costs_an_action() -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf")
    table.do("auto-pass", who="Ilse")
    assert met(table).actions_left == 1
