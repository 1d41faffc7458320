"""The optional rules of Spellwoven, each off and on (SP-22)."""

from __future__ import annotations

from typing import Any

import pytest

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.requests import Choose, EnterNumber, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.levels import Levels
from loomtable.engine.spellwoven.rulings import RULINGS
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.turns import due
from tests.short import as_a, present, refuses
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

ON_OFF = pytest.mark.parametrize("choice", ["off", "on"])


def asked(session: Session[Adventure]) -> Any:
    return present(session.pending)


def test_all_of_them_are_off_by_default() -> None:
    options = [
        ruling
        for ruling in RULINGS.values()
        if ruling.id != "advancement" and any(c.key == "off" for c in ruling.choices)
    ]
    assert len(options) == 16
    assert {o.default for o in options} == {"off"}


@ON_OFF
def test_an_ambush(choice: str) -> None:
    session = table(ambush=choice)
    session.perform("add-player-character", player="Ben", sheet=sheet("Other"))
    fight(session, "Hero", "Foe")
    wanted = {"ambushers": ["Foe"], "surprised": ["Hero", "Other"], "difficulty": 2}
    if choice == "off":
        refuses(session.perform, "does not play with ambush", "ambush", **wanted)
        return
    session.perform("ambush", **wanted)
    answer(session, (5, 9, 9))  # one success of two: Hero is caught
    answer(session, (4, 5, 9))  # two: Other is not
    assert [o.key for o in asked(session).options] == ["Hero", "none"]
    answer(session, "Hero", "mace/one-handed-crush", HIT, MENACE[3])
    assert who(session, "Hero").wounds.grievous == 1
    assert session.pending is None
    assert not one(session, "Foe").acted
    session.perform("act", who="Hero", doing="turns round")
    refuses(session.perform, "before anybody has acted", "ambush", **wanted)


@ON_OFF
def test_an_attack_of_opportunity_on_somebody_who_disengages(choice: str) -> None:
    session = fight(table(attack_of_opportunity=choice), "Hero")
    session.perform("move", who="Hero", to="nearby")
    if choice == "on":
        assert (asked(session).by, asked(session).at_least) == ("storyteller", 0)
        answer(session, ["Foe"], "mace/one-handed-crush", HIT, MENACE[4])
        assert who(session, "Hero").incapacitated
        assert one(session, "Hero").proximity == "engaged"
    else:
        assert one(session, "Hero").proximity == "nearby"
        with pytest.raises(IllegalAction, match="does not play with attack-of-opportunity"):
            session.perform("opportunity-attack", who="Foe", target="Hero")
    assert session.pending is None


@ON_OFF
def test_blackpowder(choice: str) -> None:
    gear = {"weapons": ["musket"]}
    session = fight(table(hero=gear, foe={"soak": {"deep": 1}}, blackpowder=choice), "Hero")
    if choice == "on":
        refuses(session.perform, r"the Musket is not loaded", "attack", who="Hero", target="Foe")
        session.perform("load", who="Hero")
        assert one(session, "Hero").acted
        pass_round(session)
    else:
        refuses(session.perform, "does not play with blackpowder", "load", who="Hero")
    session.perform("attack", who="Hero", target="Foe")
    answer(session, HIT, (2, 3, 10))
    foe = who(session, "Foe")
    assert (foe.soak_marked.deep, foe.wounds.deep) == (1, 1 if choice == "on" else 0)
    pass_round(session)
    if choice == "on":
        refuses(session.perform, "not loaded", "attack", who="Hero", target="Foe")


@pytest.mark.parametrize(
    ("discretion", "heroic", "options"),
    [
        ("off", "off", None),
        ("on", "off", ["dies", "incapacitated"]),
        ("off", "on", ["heroic", "dies", "incapacitated"]),
        ("on", "on", ["heroic", "dies", "incapacitated"]),
    ],
)
def test_who_decides_about_a_mortal_wound(discretion: str, heroic: str, options: list[str] | None) -> None:
    session = fight(table(death_at_discretion=discretion, heroic_death=heroic), "Foe")
    strike(session, "Foe", "Hero", MENACE[5])
    if options is None:
        assert session.pending is None
        assert who(session, "Hero").dead
        return
    assert [o.key for o in as_a(Choose, session.pending).options] == options
    answer(session, "incapacitated")
    assert (who(session, "Hero").dead, who(session, "Hero").incapacitated) == (False, True)


def test_a_heroic_death_adds_three_to_every_roll_and_comes_at_the_end() -> None:
    session = fight(table(heroic_death="on"), "Foe")
    strike(session, "Foe", "Hero", MENACE[4])
    assert [o.key for o in asked(session).options] == ["heroic", "incapacitated"]
    answer(session, "heroic")
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    answer(session, MISS, MENACE[0])
    assert who(session, "Foe").wounds.grievous == 1
    pass_round(session)
    strike(session, "Foe", "Hero", MENACE[5])
    assert session.pending is None
    assert not who(session, "Hero").dead
    session.perform("end-conflict", outcome="dawn")
    assert who(session, "Hero").dead


@pytest.mark.parametrize("choice", ["off", "on", "with-test"])
def test_intentional_incapacitation(choice: str) -> None:
    session = fight(table(intentional_incapacitation=choice), "Hero")
    strike(session, "Hero", "Foe", MENACE[5])
    if choice != "off":
        assert asked(session).by == "Hero"
        answer(session, "spare")
    if choice == "with-test":
        assert isinstance(session.pending, EnterNumber)
        answer(session, 3)
        assert session.pending.purpose == "Hero pulls the blow"
        answer(session, (5, 5, 4))
    assert session.pending is None
    assert who(session, "Foe").dead is (choice == "off")
    assert who(session, "Foe").wounds == (Levels(mortal=1) if choice == "off" else Levels(felling=1))


def test_a_blow_that_is_not_pulled_well_kills() -> None:
    session = fight(table(intentional_incapacitation="with-test"), "Hero")
    strike(session, "Hero", "Foe", MENACE[5], "spare", 3, (5, 5, 9))
    assert who(session, "Foe").dead
    session = fight(table(intentional_incapacitation="on"), "Hero")
    strike(session, "Hero", "Foe", MENACE[5], "kill")
    assert who(session, "Foe").dead


@ON_OFF
def test_maiming(choice: str) -> None:
    session = fight(table(hero={"ratings": {"fortitude": 1}}, maiming=choice), "Foe")
    strike(session, "Foe", "Hero", MENACE[1])
    assert not who(session, "Hero").maimed
    pass_round(session)
    strike(session, "Foe", "Hero", MENACE[1])
    assert who(session, "Hero").maimed is (choice == "on")
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    assert asked(session).count == (4 if choice == "on" else 3)
    answer(session, (9, 9, 9, 9)[: asked(session).count])
    pass_round(session)
    session.perform("act", who="Foe", doing="waits")
    session.perform("move", who="Hero", to="nearby", test="speed")
    assert asked(session).count == 3  # running is not hindered
    answer(session, MISS)
    session.perform("end-conflict", outcome="dusk")
    session.perform("recuperate", who={"Hero": "bed-rest"}, days=3)
    assert not who(session, "Hero").maimed


@pytest.mark.parametrize(("choice", "dice"), [("off", 3), ("engaged-sides", 4), ("own-attackers", 3)])
def test_outnumbered_where_the_engaged_are_counted(choice: str, dice: int) -> None:
    session = table(outnumbering=choice)
    session.perform("add-npc", sheet=sheet("Second"))
    fight(session, "Hero", Hero="nearby")
    session.perform("move", who="Hero", to="engaged", towards="Foe")
    pass_round(session)
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    assert asked(session).count == dice


def test_two_attackers_outnumber_by_attacks() -> None:
    session = table(outnumbering="own-attackers")
    session.perform("add-npc", sheet=sheet("Second"))
    fight(session, "Foe", "Second")
    for attacker, count in (("Foe", 3), ("Second", 3)):
        session.perform("attack", who=attacker, target="Hero", weapon="mace")
        assert asked(session).count == count
        answer(session, MISS)
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    assert asked(session).count == 4
    assert asked(session).why == "Disadvantage: Hero is outnumbered."


@ON_OFF
def test_an_over_swing(choice: str) -> None:
    session = fight(table(hero={"weapons": ["battle-axe", "mace"]}, over_swing=choice), "Hero")
    session.perform("attack", who="Hero", target="Foe", weapon="battle-axe")
    answer(session, MISS)
    assert one(session, "Hero").open_to_attack is (choice == "on")
    session.perform("attack", who="Foe", target="Hero", weapon="mace")
    assert asked(session).count == (4 if choice == "on" else 3)
    answer(session, (9, 9, 9, 9)[: asked(session).count])
    assert not one(session, "Hero").open_to_attack
    pass_round(session)
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    answer(session, MISS)
    assert not one(session, "Hero").open_to_attack  # a mace is not very heavy


@ON_OFF
def test_ranged_actions_first(choice: str) -> None:
    session = table(ranged_first=choice)
    session.perform("begin-conflict", combatants={"Hero": "engaged", "Foe": "nearby"})
    answer(session, (1, 1, 1), (9, 9, 9))
    if choice == "off":
        assert due(session.state) == ("Hero",)
        return
    assert as_a(Choose, session.pending).by == "Ada"
    answer(session, [], ["Foe"])
    assert due(session.state) == ("Foe",)
    refuses(session.perform, "Foe cannot attack Hero: the Mace", "attack", who="Foe", target="Hero", weapon="mace")
    session.perform("attack", who="Foe", target="Hero", weapon="hunting-bow")
    answer(session, MISS)
    with pytest.raises(IllegalAction, match="Hero declared no ranged attack for this round"):
        session.perform("attack", who="Hero", target="Foe", weapon="hunting-bow")


@pytest.mark.parametrize(
    ("first", "second", "answers", "shield", "wounds"),
    [
        ("off", "off", ["catch"], 1, Levels()),
        ("on", "off", ["catch"], 1, Levels(shallow=1)),
        ("off", "on", ["catch", 1, (5, 9, 9)], 0, Levels()),
        ("off", "on", ["catch", 2, (5, 9, 9)], 0, Levels(deep=1)),
        ("on", "on", ["catch", 1, (5, 9, 9)], 0, Levels(shallow=1)),
        ("on", "on", ["let-through"], 0, Levels(deep=1)),
    ],
)
def test_shields_and_arrows(first: str, second: str, answers: list[Any], shield: int, wounds: Levels) -> None:
    session = fight(
        table(hero={"shield": "medium"}, shields_and_arrows_1=first, shields_and_arrows_2=second), "Foe"
    )
    strike(session, "Foe", "Hero", (2, 3, 10), *answers, weapon="hunting-bow")
    assert session.pending is None
    hero = who(session, "Hero")
    assert (present(hero.shield).marked, hero.wounds) == (shield, wounds)


@pytest.mark.parametrize(("choice", "size", "dice"), [("off", "large", 3), ("on", "large", 4), ("on", "small", 3)])
def test_a_shield_in_the_way(choice: str, size: str, dice: int) -> None:
    session = fight(table(hero={"shield": size}, shield_in_the_way=choice), "Foe")
    strike(session, "Foe", "Hero", MENACE[2], "catch")
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    assert asked(session).count == dice
    answer(session, (9, 9, 9, 9)[:dice])
    assert not one(session, "Hero").hampered


@ON_OFF
def test_situational_modifiers(choice: str) -> None:
    session = fight(table(situational_modifiers=choice), "Hero")
    wanted = {"who": "Hero", "target": "Foe", "weapon": "mace", "situation": "disadvantage"}
    if choice == "off":
        refuses(session.perform, "does not play with situational-modifiers", "attack", **wanted)
    else:
        session.perform("attack", **wanted)
        assert isinstance(session.pending, Roll)
        assert (session.pending.count, session.pending.why) == (4, "Disadvantage: the situation.")


@ON_OFF
def test_the_wound_limit(choice: str) -> None:
    slots = {**dict.fromkeys(("shallow", "deep", "grievous"), 12), "felling": 1}
    session = fight(table(hero={"wound_slots": slots}, wound_limit=choice), "Foe")
    for _ in range(11):
        strike(session, "Foe", "Hero", MENACE[1])
        pass_round(session)
    assert not who(session, "Hero").incapacitated
    strike(session, "Foe", "Hero", MENACE[1])
    assert who(session, "Hero").wounds.total == 12
    assert who(session, "Hero").incapacitated is (choice == "on")
    session.perform("end-conflict", outcome="dusk")
    session.perform("first-aid", who="Foe", patient="Hero")
    answer(session, (5, 9, 9))
    assert not who(session, "Hero").incapacitated
