"""What hands say on the tables of Mnemonic, Storm Weavers, Spellwoven and Woven, where a picture adds nothing."""

from __future__ import annotations

import random
from typing import Any

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.gestures import Lying, Offer, Stood, Thrown
from loomtable.engine.kernel.gestures import Table as OnTable
from loomtable.engine.kernel.offered import offers, rolls_ahead
from loomtable.engine.kernel.readings import ChoiceReading, rolled
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.spellwoven.turns import due
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from tests.systems.mnemonic_table import Table
from tests.table.wolds import contest


def seen(table: Table, *laid: str) -> list[Offer]:
    return list(offers(table.session, OnTable(tuple(Lying(ComponentId.parse(short)) for short in laid))))


def test_a_card_that_is_turned_is_the_next_persons_scene() -> None:
    table = Table()
    [offer] = seen(table, "7H")
    assert (offer.says, offer.legal) == ("A scene of Ilse's", True)
    offer.take(table.session)
    assert table.asked == "Hearts for Ilse"
    assert [one.legal for one in seen(table, "8H")] == [False], "she is still playing it"
    [two] = seen(Table(), "7H", "8H")
    assert two.reason == "turn one at a time"


def test_go_on_begins_the_next_round_and_not_before() -> None:
    table = Table(alone=True)
    [early] = seen(table, AnswerCard.GO_ON.id.short)
    assert early.reason == "this round is not over; still to come: Ilse"


def test_go_on_rests_where_nothing_was_done_and_ends_the_turn_where_something_was() -> None:
    def said(session: Session[Any]) -> list[str]:
        found = offers(session, OnTable((Lying(AnswerCard.GO_ON.id),)))
        return [one.says for one in found if one.legal]

    assert said(contest(passing="allowed")) == ["Ada rests", "Ada's turn ends"], "people are asked"
    session = contest()
    assert said(session) == ["Ada rests"]
    session.perform("place-thread", who="Ada", at=session.state.mage("Ada").tapestry.free_boxes()[0])
    if session.pending is not None:  # what the thread completes
        session.answer(ChoiceReading(("no",)))
    assert said(session) == ["Ada's turn ends"]


def test_the_card_go_on_reads_on() -> None:
    session = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=3)
    session.perform("begin-adventure", adventure="the-light-on-karrow-head")
    [offer] = offers(session, OnTable((Lying(AnswerCard.GO_ON.id),)))
    assert offer.legal, offer.reason
    assert offers(session, OnTable(figures=(Stood("Thymin", "C3"),))) == (), "no map is on the table"


def test_a_die_thrown_beside_an_enemy_attacks_it() -> None:
    session = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=3)
    foes = [{"name": "Ghoul", "dexterity": 8, "health": 9, "square": at, "still": True} for at in ("C1", "C3")]
    session.perform("map-fight", map="sluice-yard", thymin="C2", enemies=foes)
    session.answer(ChoiceReading(("stay",)))
    assert {(roll.die, roll.count) for roll in rolls_ahead(session)} >= {(Die.D6, 1)}
    die = rolled(Die.D6, 4)
    [beside] = offers(session, OnTable(thrown=Thrown(die, {"Thymin": 20, "Ghoul 2": 30, "Ghoul 1": 60})))
    assert (beside.says, beside.legal) == ("Thymin attacks Ghoul 2: 4", True)
    between = Thrown(die, {"Ghoul 1": 40, "Ghoul 2": 50})
    assert len(offers(session, OnTable(thrown=between))) == 2, "the table is asked"
    assert len(offers(session, OnTable(thrown=Thrown(die)))) == 2, "a tray does not say whom"
    [unclear] = offers(session, OnTable(thrown=Thrown(None, {"Ghoul 2": 1})))
    assert (len(unclear.answers), unclear.sure) == (1, False), "the attack alone, if somebody agrees"
    beside.take(session)
    assert session.pending is not None
    assert session.pending.purpose.startswith("Defence of Ghoul 2")


def test_d10_thrown_at_an_opponent_attack_and_elsewhere_the_table_is_asked() -> None:
    session = Session.open(SPELLWOVEN, seed="hands 1")
    session.perform("add-player-character", player="Ada", ready="hedda-marl", called="Hedda")
    session.perform("add-incidental-npc", ready="outlaw", called="Ewan")
    session.perform("begin-conflict", combatants={"Hedda": "nearby", "Ewan": "nearby"})
    chance = random.Random(1)
    while session.pending is not None:
        session.answer(random_answer(session.pending, chance))
    [acting] = due(session.state)
    assert (acting, {(roll.die, roll.count) for roll in rolls_ahead(session)}) == ("Hedda", {(Die.D10, 3)})
    dice = rolled(Die.D10, 5, 4, 10)
    thrown = offers(session, OnTable(thrown=Thrown(dice, {"Ewan": 2.0})))
    [attack] = [one for one in thrown if one.legal]
    assert (attack.says, attack.sure) == ("Hedda attacks Ewan with the Throwing knife: 5, 4, 10", True)
    assert any("Move" in one.reason for one in thrown), "the quarterstaff does not reach"
    for afar in ({"Ewan": 9.0}, {}):
        assert not any(one.sure for one in offers(session, OnTable(thrown=Thrown(dice, afar))) if one.legal)
    attack.take(session)
    session.undo()
    session.undo()
    session.perform("attack", who="Hedda", target="Ewan")
    assert offers(session, OnTable(thrown=Thrown(dice, {"Ewan": 2.0}))) == (), "a roll that is asked for is read"
