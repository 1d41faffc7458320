"""Spellwoven after the blow: first aid, recuperation over days, and shields that are mended (SP-18 to SP-20)."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.errors import IllegalAction
from tests.short import refuses
from tests.systems.spellwoven_table import (
    HIT,
    MENACE,
    MISS,
    answer,
    fight,
    one,
    pass_round,
    sheet,
    strike,
    table,
    who,
)


@pytest.mark.parametrize(("chosen", "left"), [("goes-on", 0), ("disrupted", 1)])
def test_a_healer_who_is_wounded_may_be_disrupted(chosen: str, left: int) -> None:
    session = table()
    session.perform("add-player-character", player="Ben", sheet=sheet("Healer"))
    fight(session, "Foe", "Healer")
    strike(session, "Foe", "Hero", MENACE[1])
    pass_round(session)
    session.perform("act", who="Foe", doing="waits")
    session.perform("first-aid", who="Healer", patient="Hero")
    refuses(session.perform, "Foe has no action left", "attack", who="Foe", target="Healer")
    session.undo()
    session.undo()
    session.perform("talk", who="Foe", target="Healer", intent="distract", skill="charm")
    answer(session, MISS)
    session.perform("first-aid", who="Healer", patient="Hero")
    session.perform("ruling", ruling="attack-of-opportunity", choice="on")
    session.perform("opportunity-attack", who="Foe", target="Healer", weapon="mace")
    answer(session, HIT, MENACE[1])
    session.perform("act", who="Hero", doing="holds still")
    session.perform("next-round")
    answer(session, chosen)
    if chosen == "goes-on":
        answer(session, (5, 9, 9))
    else:
        assert "Healer cannot tend Hero: Healer was wounded." in session.story()
    assert who(session, "Hero").wounds.shallow == left
    assert one(session, "Healer").initiative == (7 if chosen == "goes-on" else 6)


def test_a_patient_is_tended_once_a_day() -> None:
    session = fight(table(), "Foe")
    strike(session, "Foe", "Hero", MENACE[3])
    session.perform("end-conflict", outcome="dusk")
    session.perform("first-aid", who="Foe", patient="Hero")
    answer(session, MISS)
    session.perform("pass-time", hours=23)
    with pytest.raises(IllegalAction, match="Hero had first aid in the last 24 hours; again from hour 24"):
        session.perform("first-aid", who="Foe", patient="Hero")
    session.perform("pass-time", hours=1)
    session.perform("first-aid", who="Foe", patient="Hero")
    answer(session, (1, 1, 1))  # six successes, one wound: it gets a single level milder
    assert (who(session, "Hero").wounds.deep, who(session, "Hero").wounds.total) == (1, 1)


@pytest.mark.parametrize(("activity", "days"), [("bed-rest", 3), ("light", 5), ("heavy", 7)])
def test_recuperation_takes_its_days(activity: str, days: int) -> None:
    session = fight(table(), "Foe")
    strike(session, "Foe", "Hero", MENACE[3])
    session.perform("end-conflict", outcome="dusk")
    session.perform("recuperate", who={"Hero": activity}, days=days - 1)
    assert who(session, "Hero").wounds.grievous == 1
    session.perform("recuperate", who={"Hero": activity}, days=1)
    assert (who(session, "Hero").wounds.grievous, who(session, "Hero").wounds.deep) == (0, 1)


def test_a_destroyed_shield_is_not_repaired_and_another_can_be_taken_up() -> None:
    session = fight(table(hero={"shield": "small"}), "Foe")
    strike(session, "Foe", "Hero", MENACE[5], "catch")
    assert who(session, "Hero").wounds.total == 0
    session.perform("end-conflict", outcome="dusk")
    with pytest.raises(IllegalAction, match="the shield of Hero is destroyed, and cannot be repaired"):
        session.perform("repair-shield", who="Hero")
    session.perform("equip", who="Hero", shield="large")
    fight(session, "Foe")
    strike(session, "Foe", "Hero", MENACE[2], "catch")
    session.perform("end-conflict", outcome="dusk")
    session.perform("repair-shield", who="Hero")
    shield = who(session, "Hero").shield
    assert shield is not None
    assert (shield.soak, shield.marked) == (3, 0)
