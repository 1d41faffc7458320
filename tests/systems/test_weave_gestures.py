"""What hands say on the table of Weave: dice thrown again, Assets taken, turns that end, cards that are known."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.gestures import Lying, Offer, ThrownAgain
from loomtable.engine.kernel.gestures import Table as OnTable
from loomtable.engine.kernel.offered import offers
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import rolled
from tests.systems.weave_table import Table, card, pick, weave


def seen(table: Table, *lying: str, beside: str = "", again: ThrownAgain | None = None) -> list[Offer]:
    """What is offered that says something; the last thing that lies there is beside a marker."""
    things = [Lying(ComponentId.parse(short)) for short in lying]
    if beside:
        things[-1] = Lying(things[-1].thing, beside=(ComponentId.parse(beside),))
    return [one for one in offers(table.session, OnTable(tuple(things), thrown_again=again)) if one.says]


def rolling(*faces: str, **rulings: str) -> Table:
    table = Table(rulings)
    table.do("challenge", weave(*faces), who="Odo", suit="stones", open_=True)
    return table


@pytest.mark.parametrize("picked_up", [weave("weave"), rolled(Die.D6, 5)])
def test_a_weave_that_was_thrown_again_is_rolled_again(picked_up: object) -> None:
    table = rolling("weave", "stones", "weave")
    [offer] = [one for one in seen(table, again=ThrownAgain(picked_up, weave("stones"))) if one.legal]  # type: ignore[arg-type]
    assert offer.answers[0].value == 1  # type: ignore[union-attr]
    offer.take(table.session)
    assert table.pending is not None, "one Weave is left, and is asked about"


def test_only_weaves_are_thrown_again() -> None:
    table = rolling("weave", "stones", "flames")
    [offer] = seen(table, again=ThrownAgain(weave("flames"), weave("stones")))
    assert (offer.legal, offer.reason) == (False, "only dice that show Weave are; put the others back")


def test_weaves_left_lying_are_kept_by_a_card() -> None:
    table = rolling("weave", "stones", "flames")
    [offer] = seen(table, AnswerCard.KEEP.id.short)
    offer.take(table.session)
    assert table.pending is None


def test_a_card_in_the_spread_says_nothing_more() -> None:
    table = Table()
    table.do("challenge", weave(*["stones"] * 5), who="Odo", suit="brooks", card="C10")
    assert seen(table, "C10", beside="R1") == []
    assert seen(table, "S8") == [], "a hero's own card lies before them"


def test_the_rules_say_which_card_is_not_in_the_hand() -> None:
    [offer] = seen(Table(hand=True), "C11", beside="R1")
    assert (offer.legal, offer.says) == (False, "Ilse faces Brooks at level 2")
    assert "is not in the storyteller's hand" in offer.reason


def test_one_story_card_of_the_hand_brings_what_people_say() -> None:
    found = seen(Table(hand=True), "S21")
    assert [one.action.args["kind"] for one in found if one.action] == [
        "location",
        "npc",
        "enemy",
        "subplot",
        "asset",
    ]
    assert not any(one.sure for one in found), "it may be the first of several"


def test_an_assets_card_laid_beside_a_marker_is_taken() -> None:
    table = Table(hand=True)
    table.do("play-story", card("S4"), pick("1"), kind="asset", card="S21")
    [asset] = [one.quality.name for one in table.state.elements]
    [offer] = seen(table, "S21", beside="R2")
    assert offer.action == Action("take-asset", {"who": "Odo", "asset": asset})
    assert offer.legal
    assert seen(table, "S21") == [], "beside nobody it only is there"


def test_go_on_ends_the_turn_in_an_encounter() -> None:
    table = Table()
    assert [one.legal for one in seen(table, AnswerCard.GO_ON.id.short)] == [False]
    table.fight("Ilse", "Odo", "Wolf")
    [offer] = [one for one in seen(table, AnswerCard.GO_ON.id.short) if one.legal]
    assert (offer.says, offer.action) == ("Ilse's turn ends", Action("end-turn"))
