"""Several at once: groups that cooperate, a talk to two guards; and what is worn and what is not."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.results import last_result
from loomtable.engine.spellwoven.events.fight import EvasionCounted
from loomtable.engine.spellwoven.turns import due
from tests.short import present, refuses
from tests.systems.spellwoven_table import answer, fight, one, sheet, table


@pytest.mark.parametrize("choice", ["one", "several"])
def test_ruling_cooperation_groups(choice: str) -> None:
    """Initiatives 10, 9, 8 and 6: two pairs, each on the higher of its own."""
    session = table(hero={"ratings": {"quickness": 6}}, cooperation_groups=choice)
    for name, rating in (("Second", 8), ("Third", 7), ("Fourth", 6)):
        given = {"quickness": rating, "senses": 5, "fortitude": 5}
        session.perform("add-player-character", player=name, sheet=sheet(name, ratings=given))
    names = ("Hero", "Foe", "Second", "Third", "Fourth")
    session.perform("begin-conflict", combatants=dict.fromkeys(names, "engaged"))
    rolls = {"Hero": (1, 9, 9), "Foe": (9, 9, 9), "Second": (1, 9, 9), "Third": (1, 9, 9), "Fourth": (10, 10, 10)}
    while session.pending is not None:
        answer(session, rolls[session.pending.by])
    session.perform("cooperate", who=["Second", "Fourth"])
    if choice == "one":
        refuses(session.perform, "some cooperate in this round already", "cooperate", who=["Hero", "Third"])
        return
    refuses(session.perform, "Second cooperates with others in round 1", "cooperate", who=["Second", "Third"])
    session.perform("cooperate", who=["Hero", "Third"])
    assert due(session.state) == ("Second", "Fourth")
    for name in due(session.state):
        session.perform("act", who=name, doing="pulls the rope")
    assert set(due(session.state)) == {"Third", "Hero"}
    while due(session.state):
        session.perform("act", who=due(session.state)[0], doing="lets go")
    before = {name: one(session, name).initiative for name in names}
    session.perform("next-round")
    after = {name: one(session, name).initiative for name in names}
    assert {n: before[n] - after[n] for n in names} == {n: 0 if n == "Foe" else 5 for n in names}


@pytest.mark.parametrize(
    ("choice", "roll", "swayed"),
    [
        ("highest", (1, 9, 9), ()),
        ("highest", (1, 1, 9), ("Foe", "Guard")),
        ("each", (1, 9, 9), ("Foe",)),
        ("each", (9, 9, 9), ()),
        ("each", (1, 1, 9), ("Foe", "Guard")),
    ],
)
def test_ruling_talk_to_several(choice: str, roll: tuple[int, ...], swayed: tuple[str, ...]) -> None:
    """Presence Defences 2 and 3, one roll; nobody who was not moved is asked about."""
    session = table(foe={"presence_defence": 2}, talk_to_several=choice)
    session.perform("add-npc", sheet=sheet("Guard", presence_defence=3))
    fight(session, "Hero")
    with pytest.raises(IllegalAction, match="name everybody you talk to once"):
        session.perform("talk", who="Hero", target="Foe", others=["Foe"], intent="talk-down", skill="charm")
    session.perform("talk", who="Hero", target="Foe", others=["Guard"], intent="talk-down", skill="charm")
    assert session.pending is not None
    assert session.pending.purpose == "Hero talks to Foe and Guard (talk down)"
    answer(session, roll)
    for name in swayed:
        assert session.pending is not None
        assert session.pending.purpose == f"What becomes of {name}?"
        answer(session, "stood-down")
    assert session.pending is None
    assert [name for name in ("Foe", "Guard") if one(session, name).left is not None] == list(swayed)
    assert one(session, "Hero").momentum == (1 if swayed else -1)


@pytest.mark.parametrize("slots", ["on-the-sheet", "as-worn"])
@pytest.mark.parametrize(("field", "penalty"), [("hide", 0), ("soak", 1)])
def test_only_what_is_worn_slows(slots: str, field: str, penalty: int) -> None:
    session = table(foe={field: {"shallow": 3, "deep": 3}, "quickness_defence": 3}, evasion_slots=slots)
    fight(session, "Hero")
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    assert any(isinstance(e, EvasionCounted) for e in session.played[-1].events) is bool(penalty)


def test_dice_of_several_that_were_thrown_at_once_are_shown_while_one_of_them_is_asked_further() -> None:
    session = table(hero={"talents": ["quick-off-the-mark"], "effort": 3}, initiative_rolls="all-at-once")
    session.perform("add-player-character", player="Ben", sheet=sheet("Second"))
    session.perform("begin-conflict", combatants=dict.fromkeys(("Hero", "Second", "Foe"), "engaged"))
    answer(session, (9, 9, 9), (10, 10, 9, 1, 2, 3))
    assert "Quick off the mark" in str(session.pending)
    shown = present(last_result(session, STORYTELLER))
    assert [len(throw.faces) for throw in shown.throws][-1] == 6
