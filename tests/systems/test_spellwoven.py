"""Spellwoven at the table: who acts when, what is refused, who sees what, and play at random."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction, LoomtableError
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.transcript import replay
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.turns import due, order_of
from loomtable.engine.systems import SYSTEMS
from loomtable.testing import play_at_random
from tests.short import present, raises
from tests.systems.edges import is_refused, refusals
from tests.systems.spellwoven_table import HIT, MENACE, MISS, answer, fight, one, pass_round, sheet, strike, table
from tests.tiers import examples

TRANSCRIPTS = sorted(package_file("templates", "transcripts").glob("spellwoven-*.yaml"))


def test_the_worked_example_comes_out_otherwise_by_the_rule_text() -> None:
    [path] = [p for p in TRANSCRIPTS if p.stem == "spellwoven-outlaws"]
    text = path.read_text("utf-8").replace("triplet-vs-worked-example: as-in-the-example, ", "")
    raises(LoomtableError, r"characters.Wren.soak_marked.deep is 0, expected 1", replay, text, path.name, SYSTEMS)


# Who acts when


@given(st.lists(st.tuples(st.integers(1, 9), st.permutations([1, 2, 3, 4, 5])), min_size=2, max_size=5))
@settings(max_examples=40, deadline=None)
def test_the_order_is_by_initiative_and_then_by_the_lowest_die(cast: list[tuple[int, list[int]]]) -> None:
    session = Session.open(SPELLWOVEN, seed="s")
    ties = cast[0][1]  # a permutation, so that no second throw is needed
    for n, (prowess, _) in enumerate(cast):
        plain = sheet(f"N{n}", ratings={"prowess": prowess})
        session.perform("add-npc", sheet=plain, side=f"side {n % 2}")
    session.perform("begin-conflict", combatants={f"N{n}": "nearby" for n in range(len(cast))})
    for _ in cast:
        answer(session, (10, 10, 10))
    thrown: dict[str, int] = {}
    while session.pending is not None:
        name = session.pending.by
        thrown[name] = ties[int(name[1])]
        answer(session, (thrown[name],))
    expected = sorted(range(len(cast)), key=lambda n: (-cast[n][0], thrown.get(f"N{n}", 0)))
    assert order_of(session.state) == tuple(f"N{n}" for n in expected)


def test_a_newcomer_to_a_settled_tie_throws_until_the_order_is_clear() -> None:
    session = table()
    session.perform("add-npc", sheet=sheet("Late"))
    session.perform("begin-conflict", combatants={"Hero": "nearby", "Foe": "nearby"})
    answer(session, MISS, MISS, (3,), (7,))
    session.perform("join-conflict", who="Late")
    answer(session, MISS, (3,))
    assert present(session.pending).purpose == "Tie of Hero on 5, roll 2"
    answer(session, (9,), (2,))
    assert order_of(session.state) == ("Late", "Hero", "Foe")
    assert one(session, "Foe").tie == (7,)  # whose place was clear is not asked again
    assert "Late comes into the conflict, Distant." in session.story()


@pytest.mark.parametrize(("chosen", "order"), [("acts-last", ("Second", "Foe")), ("loses-turn", ("Second",))])
def test_a_distraction_of_somebody_who_has_still_to_act(chosen: str, order: tuple[str, ...]) -> None:
    session = table()
    session.perform("add-npc", sheet=sheet("Second"))
    fight(session, "Hero", "Foe")
    session.perform("talk", who="Hero", target="Foe", intent="distract", skill="charm")
    answer(session, HIT, chosen)
    assert order_of(session.state) == order


def test_a_turn_lost_after_having_acted_is_that_of_the_next_round_only() -> None:
    session = fight(table(), "Foe")
    session.perform("act", who="Foe", doing="waits")
    session.perform("talk", who="Hero", target="Foe", intent="delay", skill="charm")
    answer(session, HIT, "loses-turn")
    session.perform("next-round")
    assert order_of(session.state) == ("Hero",)
    pass_round(session)
    assert order_of(session.state) == ("Foe", "Hero")


def test_guard_lasts_until_the_next_own_action() -> None:
    session = fight(table(hero={"talents": ["guarded-stance"]}), "Hero")
    session.perform("use-talent", who="Hero", talent="guarded-stance")
    session.perform("attack", who="Foe", target="Hero", weapon="mace")
    answer(session, (5, 4, 9))
    assert "Foe misses Hero with the Mace." in session.story()
    session.perform("next-round")
    session.perform("act", who="Hero", doing="lowers the staff")
    assert one(session, "Hero").guard == 0
    with pytest.raises(IllegalAction, match="Hero has no action left in round 2"):
        session.perform("use-talent", who="Hero", talent="guarded-stance")
    session.perform("act", who="Foe", doing="waits")
    session.perform("next-round")
    with pytest.raises(IllegalAction, match="Hero has used Guarded stance as often as a conflict allows"):
        session.perform("use-talent", who="Hero", talent="guarded-stance")


def test_ways_to_use_a_weapon_are_named_as_its_skills_are() -> None:
    axe = {"weapons": ["hand-axe", "broadsword"], "ratings": {"one-handed-hack": 5, "one-handed-slash": 5}}
    session = fight(table(axe), "Hero")
    session.perform("attack", who="Hero", target="Foe")
    assert isinstance(session.pending, Choose)
    assert [option.label for option in session.pending.options] == [
        "Hand-axe, one-handed hack",
        "Hand-axe, thrown",
        "Broadsword, one-handed slash",
        "Broadsword, two-handed",
    ]


# Talents


@pytest.mark.parametrize(
    ("talent", "answers", "sentence"),
    [
        ("feint", [MISS, "feint", HIT, MENACE[0]], "Hero uses Feint: 8-9-10 is rolled again."),
        ("press-home", [MISS, "press-home", MENACE[0]], "against One-handed crush 5, +1: 1 success, 1 needed"),
        ("measured-stroke", ["measured-stroke", (9, 9, 9, 5), MENACE[0]], "5-9-9 against One-handed crush 5: 1"),
        ("find-the-gap", [HIT, "find-the-gap", MENACE[2]], "Foe's armour and shield do not help: Find the gap."),
        ("heavy-hand", [HIT, MENACE[2], "heavy-hand"], "Menace, 3 successes: a Grievous wound for Foe."),
        ("twist-the-blade", [HIT, MENACE[0], "twist-the-blade", MENACE[1]], "Menace, 1 success: a Shallow wound"),
    ],
)
def test_talents_in_an_attack(talent: str, answers: list[Any], sentence: str) -> None:
    session = fight(table(hero={"talents": [talent]}, foe={"soak": {"deep": 1}}), "Hero")
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    answer(session, *answers)
    assert session.pending is None
    assert any(sentence in told for told in session.story())
    assert one(session, "Hero").talents_used == {talent: 1}
    pass_round(session)
    session.perform("attack", who="Hero", target="Foe", weapon="mace")
    answer(session, HIT, MENACE[0])  # once used, it is not offered again
    assert session.pending is None


@pytest.mark.parametrize(
    ("talent", "path", "value"), [("battle-cry", "momentum", 3), ("guarded-stance", "guard", 2)]
)
def test_talents_that_are_actions(talent: str, path: str, value: int) -> None:
    session = fight(table(hero={"talents": [talent]}), "Hero")
    session.perform("use-talent", who="Hero", talent=talent)
    assert getattr(one(session, "Hero"), path) == value
    assert one(session, "Hero").acted


# Refusals


@refusals("spellwoven")
def test_a_refusal_says_why_and_changes_nothing(row: dict[str, Any]) -> None:
    session = table()
    session.perform("add-npc", sheet=sheet("Friend"), side="party")
    fight(session, "Hero", "Foe")
    is_refused(session, row)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "Two.Dots"}, "needs a name of at most 40 characters, without a full stop"),
        ({"name": STORYTELLER}, "needs a name"),
        ({"ratings": {"senses": 0}}, "has 0 in senses; a rating is from 1 to 20"),
        ({"ratings": {"One-Handed Slash": 3}}, "which is no skill's key; write one-handed-slash"),
        ({"weapons": ["longsward"]}, "there is no weapon 'longsward'; did you mean longsword?"),
        ({"weapons": [{"name": "Bite", "menace": 3, "uses": []}]}, "the weapon 'Bite' has 0 fighting skills"),
        ({"armour": ["silk"]}, "there is no armour 'silk'; there are"),
        ({"talents": ["faint"]}, "there is no talent 'faint'; did you mean feint?"),
        ({"soak": {"deep": 4}}, "has a soak that is not from 0 to 3"),
        ({"wound_slots": {"shallow": 3, "felling": 1}}, "as only an incidental character may"),
        ({"effort": -1}, "has Effort -1; it is from 0 to 99"),
    ],
)
def test_a_sheet_that_does_not_hold_together_is_refused(changes: dict[str, Any], words: str) -> None:
    session = Session.open(SPELLWOVEN, seed="s")
    with pytest.raises(ContentInvalid) as refused:
        session.perform("add-npc", sheet={**sheet("Foe", **changes)})
    assert words in str(refused.value)
    assert session.state == Adventure()


# Views, sentences, play at random


def test_players_see_their_own_sheets_and_the_storyteller_all() -> None:
    session = table(foe={"soak": {"deep": 1}})
    session.perform("add-player-character", player="Ben", sheet=sheet("Other"))
    assert session.view(STORYTELLER)["characters"]["Foe"]["soak_slots"]["deep"] == 1
    seen = session.view("Ada")["characters"]
    assert seen["Hero"]["wound_slots"]["shallow"] == 3
    for name in ("Foe", "Other"):
        assert not {"wounds", "wound_slots", "soak_slots", "soak_marked", "effort", "ratings"} & set(seen[name])
        assert seen[name]["condition"] == "unhurt"
    fight(session, "Hero")
    strike(session, "Hero", "Foe", MENACE[1])
    assert session.view("Ada")["characters"]["Foe"]["condition"] == "hurt"
    pass_round(session)
    strike(session, "Hero", "Foe", MENACE[4])
    assert session.view("Ben")["characters"]["Foe"]["condition"] == "incapacitated"
    pass_round(session)
    strike(session, "Hero", "Foe", MENACE[5])
    assert session.view("nobody at all")["characters"]["Foe"]["condition"] == "dead"


def sound(session: Session[Adventure]) -> None:
    """What must hold whatever happens."""
    for name, character in session.state.characters.items():
        assert name == character.name
        assert character.effort >= 0
        marks = [(character.wounds, character.wound_slots), (character.soak_marked, character.soak_slots)]
        for marked, slots in marks:
            assert all(0 <= m <= s for m, s in zip(marked.counts, slots.counts, strict=True)), name
        assert max(character.soak_slots.counts) <= 3
        assert character.shield is None or 0 <= character.shield.left <= character.shield.soak
        assert not (character.dead and character.heroic)
    conflict = session.state.conflict
    if conflict is not None:
        assert all(c.initiative >= 0 for c in conflict.combatants.values())
        for name, c in conflict.combatants.items():
            uses = {t.key: t.uses for t in session.state.characters[name].talents}
            assert all(count <= uses[t] for t, count in c.talents_used.items())
        if session.pending is None:
            places = [due(session.state)[0]] if due(session.state) else []
            assert all(not conflict.combatants[n].acted for n in places)


@examples(3, 6)
@given(st.integers(0, 2**32))
def test_play_at_random_keeps_everything_sound(seed: int) -> None:
    session: Session[Adventure] = Session.open(SPELLWOVEN, seed=str(seed))
    source = random.Random(seed)
    for _ in range(12):
        play_at_random(session, source, 10, undo=0.03)
        sound(session)
    again = Session.resume(SYSTEMS, session.journal)
    assert (again.game, again.pending) == (session.game, session.pending)
    told = [sentence for sentence in session.story() if not sentence.startswith("You decide: ")]
    assert all(sentence[-1] in '."' for sentence in told), (
        "a scene that is read out may end with what somebody says"
    )
