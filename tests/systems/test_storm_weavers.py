"""Storm Weavers without a map: tests, coins, attacks, and every ruling both ways."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import ChoiceReading, rolled
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.sheet import Attribute, Sheet
from loomtable.engine.storm_weavers.state import Tale
from tests.short import present, refuses
from tests.systems.edges import is_refused, refusals

GOBLIN = {"name": "Goblin", "dexterity": 10, "health": 10}


def tale(*, dexterity_points: int = 3, health: int = 20, **rulings: str) -> Session[Tale]:
    named = {k.replace("_", "-"): v for k, v in rulings.items()}
    session = Session.open(STORM_WEAVERS, seed="s", rulings=named)
    session.perform("create", dexterity_points=dexterity_points)
    if health != 20:
        session.perform("change", attribute="health", by=health - 20, reason="the road")
    return session


def thymin(session: Session[Tale]) -> Sheet:
    return present(session.state.thymin)


def exchange(session: Session[Tale], attack: int, defence: int) -> None:
    if not isinstance(session.pending, Roll):
        session.answer(ChoiceReading(("attack",)))
    session.answer(rolled(Die.D6, attack))
    session.answer(rolled(Die.D6, defence))


@given(st.integers(0, 4))
def test_the_sheet_of_a_new_thymin(points: int) -> None:
    sheet = thymin(tale(dexterity_points=points))
    assert (sheet.dexterity, sheet.wisdom) == (5 + points, 5 + 4 - points)
    assert (sheet.speed, sheet.weapon_bonus, sheet.armour_class, sheet.health, sheet.gold) == (2, 0, 0, 20, 50)


@given(
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(1, 20),
    st.integers(-3, 3),
    st.sampled_from(["plus-2", "plus-4", "none"]),
)
def test_a_test_against_the_rule_by_hand(one: int, other: int, health: int, modifier: int, exactly_4: str) -> None:
    session = tale(health=health, health_exactly_4=exactly_4)
    session.perform("test", attribute="dexterity", modifier=modifier)
    session.answer(rolled(Die.D6, one, other))
    hurt = (
        {"plus-2": 2, "plus-4": 4, "none": 0}[exactly_4]
        if health == 4
        else 4
        if health < 4
        else 2
        if health < 10
        else 0
    )
    passed = one + other + modifier + hurt <= 8
    assert session.story()[-1].endswith("passed." if passed else "failed.")


@given(
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["no-winner", "defender-wins"]),
)
def test_injuries_against_the_formula(attack: int, defence: int, bonus: int, armour: int, tie: str) -> None:
    session = tale(tie=tie)
    session.perform("fight", enemy={**GOBLIN, "health": 30, "weapon_bonus": bonus, "armour_class": armour})
    exchange(session, attack, defence)
    difference = (attack + 8) - (defence + 10)
    assert session.state.fight is not None
    if difference > 0:
        assert session.state.fight.enemy.health == 30 - max(0, difference - armour)
    elif difference < 0 or tie == "defender-wins":
        assert thymin(session).health == 20 - max(0, -difference + bonus)
    else:
        assert (thymin(session).health, session.state.fight.enemy.health) == (20, 30)
    assert not any("loses 0" in told for told in session.story())


def test_health_never_rises_above_twenty_and_death_is_paragraph_225() -> None:
    session = tale(health=15)
    session.perform("change", attribute="health", by=9, reason="a feast")
    assert thymin(session).health == 20
    session.perform("change", attribute="health", by=1, reason="another")
    assert session.story()[-1] == "Thymin's Health stays as it is (another)."
    session.perform("change", attribute="health", by=-20, reason="the ice breaks")
    assert session.state.paragraph == 225
    refuses(session.perform, "Thymin has died", "fight", enemy=GOBLIN)


@pytest.mark.parametrize(
    ("end", "choice", "exchanges"),
    [
        ({"when": "rounds", "at": 2}, "both-attacks", 4),
        ({"when": "rounds", "at": 2}, "each-attack", 2),
        ({"when": "round-won"}, "both-attacks", 2),
        ({"when": "round-won"}, "each-attack", 1),
        ({"when": "enemy-health", "at": 29}, "both-attacks", 1),
        ({"when": "enemy-health", "at": 26}, "both-attacks", 3),
    ],
)
def test_ends_without_a_map_and_what_a_round_is(end: dict[str, Any], choice: str, exchanges: int) -> None:
    """Thymin wins each of his attacks by 2; nobody wins the Goblin's."""
    session = tale(round_without_map=choice)
    session.perform(
        "fight", enemy={**GOBLIN, "health": 30}, ends=[{"when": "all-dead", "to": 1}, {**end, "to": 7}]
    )
    count = 0
    while session.state.fight is not None:
        exchange(session, *((5, 1) if count % 2 == 0 else (1, 3)))
        count += 1
    assert (count, session.state.paragraph) == (exchanges, 7)


@pytest.mark.parametrize("attribute", ["weapon_bonus", "armour_class"])
@pytest.mark.parametrize("choice", ["falls-below", "stops-at-0"])
def test_ruling_below_zero(attribute: str, choice: str) -> None:
    session = tale(below_zero=choice)
    lost = {"attribute": attribute, "by": -1, "reason": "a loose strap"}
    if choice == "stops-at-0":
        refuses(session.perform, "is 0 and cannot change by -1", "change", **lost)
        return
    session.perform("change", **lost)
    assert thymin(session).value(Attribute(attribute)) == -1
    session.perform("fight", enemy={**GOBLIN, "health": 30})
    exchange(session, 6, 1) if attribute == "weapon_bonus" else exchange(session, 1, 1)
    # 14 against 11 hurts by 3 less 1; 9 against 11 hurts by 2 and 1 more.
    hurt = (present(session.state.fight).enemy.health, thymin(session).health)
    assert hurt == ((28, 20) if attribute == "weapon_bonus" else (30, 17))


@refusals("storm-weavers")
def test_refusals(row: dict[str, Any]) -> None:
    is_refused(tale(), row)
