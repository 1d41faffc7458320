"""Adventures: played from paragraph to paragraph, checked before that, and played at random (SW-16, SW-17)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction
from loomtable.engine.kernel.journal import Journal
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.adventure_check import (
    adventure_names,
    check_adventure_text,
    playable_adventure,
)
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.plans import Modifiers
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.state import AdventureEnding, Tale
from loomtable.testing import play_at_random
from tests.short import as_a, raises, refuses
from tests.systems.storm_weavers_small import TEXT, begun, go_on, only, thymin
from tests.tiers import examples

FOLDER = package_file("templates", "storm_weavers", "adventures")
BELL = FOLDER / "the-bell-of-hollow-pass.yaml"


@pytest.mark.parametrize("name", adventure_names())
def test_every_shipped_adventure_holds_together(name: str) -> None:
    assert check_adventure_text((FOLDER / f"{name}.yaml").read_text("utf-8"), name) == []
    assert playable_adventure(name).name == name


def test_what_the_engine_can_is_played_by_a_shipped_adventure() -> None:
    """``docs/adventures.md`` says which one to copy."""
    told = (FOLDER / "the-pay-book.yaml").read_text("utf-8")
    adventure = playable_adventure("the-pay-book")
    paragraphs = adventure.paragraphs.values()
    plans = [p.map_fight for p in paragraphs if p.map_fight is not None]
    enemies = [enemy for plan in plans for enemy in plan.enemies]
    assert {p.test.dice for p in paragraphs if p.test is not None} == {"1d6", "2d6", "3d6"}
    assert any(p.coin is not None and p.coin.side is not None for p in paragraphs)
    assert any(plan.strike_test is not None and plan.strike_test.items for plan in plans)
    assert any(gear.weapon_bonus for gear in adventure.items.values())
    assert any(gear.armour_class for gear in adventure.items.values())
    for field in ("keeps_away", "peaceful", "flees_at", "modifiers", "weapon_bonus"):
        assert any(getattr(enemy, field) not in (0, False, Modifiers()) for enemy in enemies), field
    assert any(enemy.attacks > 1 for enemy in enemies)
    assert told.count("conditions:") == len(plans)


# Play


@pytest.mark.parametrize(
    ("condition", "sheet", "is_open"),
    [
        ("{gold: 50}", {}, True),
        ("{gold: 51}", {}, False),
        ("{item: Axe}", {}, True),
        ("{item: Saw}", {}, False),
        ("{without: Axe}", {}, False),
        ("{without: Saw}", {}, True),
        ("{at_least: {wisdom: 7}}", {}, True),
        ("{at_least: {wisdom: 7, health: 11}}", {"health": 10}, False),
        ("{visited: 1}", {}, True),
        ("{visited: 2}", {}, False),
        ("{unvisited: 1}", {}, False),
        ("{unvisited: 2, gold: 9}", {}, True),
    ],
)
def test_a_choice_is_open_where_its_condition_holds(
    monkeypatch: pytest.MonkeyPatch, condition: str, sheet: dict[str, int], is_open: bool
) -> None:
    text = TEXT.replace("{item: Axe}", condition)
    session = begun(monkeypatch, text, **sheet)
    go_on(session)
    assert [o.key for o in as_a(Choose, session.pending).options] == (["to-2", "to-3"] if is_open else ["to-2"])


def test_choices_to_the_same_paragraph_have_keys_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT.replace("to: 3, if: {item: Axe}", "to: 2, changes: [{attribute: gold, by: -9}]")
    session = begun(monkeypatch, text)
    go_on(session, "to-2-2")
    assert (session.state.paragraph, thymin(session).gold) == (2, 41)


def test_where_no_choice_is_open_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(monkeypatch, only("    choices: [{says: Pay., to: 2, if: {gold: 51}}]\n"))
    before = session.game
    refuses(session.perform, "no choice of paragraph 1 is open to Thymin", "go-on")
    assert session.game == before


def test_a_paragraph_takes_no_more_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = "{attribute: gold, by: -60}, {lose: Saw}, {lose: Axe}"
    given = "{attribute: health, by: 5}, {attribute: wisdom, to: 9}"
    session = begun(monkeypatch, only(f"    changes: [{taken}, {given}]\n    then: 2\n"))
    sheet = thymin(session)
    assert (sheet.gold, sheet.items, sheet.health, sheet.wisdom) == (0, (), 20, 9)


def test_health_gone_leads_to_225_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    falling = only("    choices: [{says: Jump., to: 2, changes: [{attribute: health, by: -20}]}]\n")
    session = begun(monkeypatch, falling)
    go_on(session, "to-2")
    assert (session.state.paragraph, session.state.ending) == (225, AdventureEnding.DEATH)
    assert session.state.visited == (1, 225)
    refuses(session.perform, "Thymin has died; his tale ended at paragraph 225", "go-on")
    session = begun(monkeypatch, only("    changes: [{attribute: health, by: -25}]\n    ending: victory\n"))
    assert (session.state.paragraph, session.state.ending) == (225, AdventureEnding.DEATH)
    session = begun(monkeypatch)
    session.perform("change", attribute="health", by=-20, reason="a curse")
    assert (session.state.paragraph, session.state.ending) == (225, AdventureEnding.DEATH)


def test_after_a_victory_another_adventure_can_begin_with_the_same_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(monkeypatch, only("    changes: [{gain: Bell}]\n    then: 5\n"))
    refuses(session.perform, "the adventure small is not yet at its end", "begin-adventure", adventure="small")
    with pytest.raises(IllegalAction, match="only a paragraph's own fight leads to other paragraphs"):
        enemy = {"name": "Goblin", "dexterity": 6, "health": 3}
        session.perform("fight", enemy=enemy, ends=[{"when": "all-dead", "to": 5}])
    go_on(session)
    refuses(session.perform, "the adventure ended at paragraph 5", "go-on")
    session.perform("begin-adventure", adventure="small")
    assert thymin(session).items == ("Axe", "Bell", "Bell")
    assert (session.state.visited, session.state.ending) == ((1,), None)


def test_the_page_and_the_journey_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(monkeypatch)
    page = session.view("anybody")["page"]
    assert (page["number"], page["text"], page["way_on"]) == (1, "A door.", "choices")
    assert page["choices"] == [
        {"key": "to-2", "says": "Open it.", "to": 2},
        {"key": "to-3", "says": "Break it.", "to": 3},
    ]
    session.perform("note", text='a "red" door')
    go_on(session, "to-3")
    assert session.state.visited == (1, 3)
    assert session.state.notes == {1: ('a "red" door',)}
    assert [(leg.start, leg.end) for leg in session.state.journey] == [(1, 3)]
    refuses(session.perform, "a note is one line", "note", text="one\ntwo")


def test_without_an_adventure_there_is_nothing_to_go_on_or_note() -> None:
    session = Session.open(STORM_WEAVERS, seed="s")
    assert session.view("anybody")["page"] is None
    for action, args, words in (
        ("begin-adventure", {"adventure": BELL.stem}, "there is no Thymin yet"),
        ("note", {"text": "here"}, "there is no map of a journey to write on"),
    ):
        refuses(session.perform, words, action, **args)
    session.perform("create", dexterity_points=2)
    refuses(session.perform, "no adventure is being played; begin one first", "go-on")
    raises(ContentInvalid, "there is no adventure 'moon'", session.perform, "begin-adventure", adventure="moon")


# Random play


def held(session: Session[Tale]) -> None:
    """What must be true of any tale at any moment."""
    tale = session.state
    if tale.thymin is not None:
        assert tale.thymin.health <= 20
        assert tale.thymin.gold >= 0
        assert tale.thymin.health > 0 or (tale.paragraph == 225 and session.pending is None)
    if tale.map_fight is not None:
        ground = combat_map(tale.map_fight.plan.map)
        standing = [tale.map_fight.thymin, *(e.square for e in tale.map_fight.standing.values())]
        assert len(set(standing)) == len(standing)
        assert all(ground.trouble_with(square) == "" for square in standing)
    if tale.adventure:
        assert tale.paragraph in tale.visited
        assert len(set(tale.visited)) == len(tale.visited)
        assert all(one.end == other.start for one, other in zip(tale.journey, tale.journey[1:], strict=False))
    assert tale.fight is None or tale.map_fight is None


@examples(4, 10)
@given(st.integers(0, 2**32))
def test_random_play_keeps_the_rules_of_the_house(seed: int) -> None:
    source = random.Random(seed)
    journal = Journal()
    session = Session.open(STORM_WEAVERS, seed="r", journal=journal)
    for _ in range(120):
        play_at_random(session, source, 1)
        held(session)
    again = Session.resume({STORM_WEAVERS.key: STORM_WEAVERS}, journal)
    assert (again.game, again.pending, again.story()) == (session.game, session.pending, session.story())
    for _ in range(3):
        if session.played:
            session.undo()
            held(session)
