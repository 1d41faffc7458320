"""Encounters from files: read strictly, opened and closed in play, fair to a starting company."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.encounters import encounter_names, installed_encounter, parse_encounter
from loomtable.engine.spellwoven.lookup import stands
from loomtable.engine.spellwoven.people import characters, incidentals, npcs
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.spellwoven.state import Adventure, Ending
from loomtable.testing.players.spellwoven import after_conflict, encountered
from tests.short import present, refuses
from tests.systems.spellwoven_table import answer

HERON = "three-chairs-at-the-heron"
TEXT = package_file("templates", "spellwoven", "encounters", f"{HERON}.yaml").read_text("utf-8")


def company() -> Session[Adventure]:
    """A session with Wat and Joss, and the encounter at the Heron open."""
    session = Session.open(SPELLWOVEN, seed="s")
    session.perform("add-player-character", player="Dan", ready="wat-finch", called="Wat")
    session.perform("add-player-character", player="Ben", ready="joss-greave", called="Joss")
    session.perform("open-encounter", encounter=HERON)
    return session


def test_a_dozen_foes_say_how_they_fight_and_what_they_want() -> None:
    foes = npcs() | incidentals()
    assert len(foes) == 12
    texts = [words for foe in foes.values() for words in (foe.manner, foe.wants)]
    assert all(words.endswith(".") and len(words) <= 160 for words in texts)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", encounter_names())
def test_everybody_in_an_encounter_comes_in_and_stands_where_it_says(name: str) -> None:
    session = Session.open(SPELLWOVEN, seed="s")
    for ready in characters():
        session.perform("add-player-character", player=ready, ready=ready)
    session.perform("open-encounter", encounter=name)
    file = installed_encounter(name)
    assert session.state.encounter == file.opened()
    assert len(session.state.characters) == len(characters()) + len(file.people)
    session.perform("begin-conflict")
    assert session.state.conflict is not None
    for who, combatant in session.state.conflict.combatants.items():
        hero = session.state.characters[who].is_player_character
        assert combatant.proximity == (file.heroes if hero else file.opened().proximities[who])
    assert file.opening.strip() in " ".join(session.story())


@pytest.mark.parametrize("ending", Ending)
def test_what_follows_is_told_and_gained(ending: Ending) -> None:
    session = company()
    file = installed_encounter(HERON)
    before = {name: c.effort for name, c in session.state.characters.items()}
    session.perform("close-encounter", ending=ending)
    assert session.state.encounter is None
    gained = file.reward.effort if ending in file.reward.after else 0
    for name, character in session.state.characters.items():
        assert character.effort - before[name] == (gained if character.is_player_character else 0)
    told = " ".join(session.story())
    assert file.endings[ending].strip() in told
    assert (file.reward.says.strip() in told) == bool(gained)


def test_players_see_the_opening_and_not_what_the_others_want() -> None:
    session = company()
    assert set(session.view("Dan")["encounter"]) == {"key", "title", "opening"}
    assert session.view(STORYTELLER)["encounter"]["wants"] == installed_encounter(HERON).wants


def test_what_cannot_be_is_refused_with_the_reason() -> None:
    session = company()
    with pytest.raises(IllegalAction, match="Three Chairs at the Heron is open; close it first"):
        session.perform("open-encounter", encounter="the-open-barrow")
    session.perform("begin-conflict", combatants={"Wat": "nearby", "Nell Quick": "nearby"})
    answer(session, (1, 2, 3), "none", 0, (9, 9, 9))
    refuses(session.perform, "has to wait until the conflict is over", "close-encounter", ending="win")
    session.perform("end-conflict", outcome="everybody sits down again")
    session.perform("close-encounter", ending="talk")
    refuses(session.perform, "no encounter is open", "close-encounter", ending="talk")
    refuses(session.perform, "no encounter is open", "begin-conflict")
    refuses(session.perform, "Corvin Ash is in this adventure already", "open-encounter", encounter=HERON)
    with pytest.raises(ContentInvalid, match="there is no encounter 'the-closed-barrow'; installed: the-boar"):
        session.perform("open-encounter", encounter="the-closed-barrow")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("ready: hired-duellist", "ready: hired-duelist", "did you mean hired-duellist?"),
        ("  - ready: hired-duellist\n", "  - incidental: true\n", "either one that is ready, or a sheet"),
        ("called: Nell Quick", "called: Big Ewan", "'Big Ewan' is there twice"),
        ("called: Nell Quick", "called: Nell Quick\n    side: party", "is on the heroes' side"),
        ("called: Nell Quick", "called: Nell Quick\n    incidental: true", "is ready, and knows itself"),
        ("    at: nearby", "    at: near", "'near' is not one of "),
        ("  flee: >-", "  fly: >-", "'fly' is no ending; there are talk, flee, win, lose"),
        ("effort: 1", "effort: 7", "from 0 to 3 Effort, not 7"),
        ("after: [talk, win]", "after: []", "say after which endings"),
        ("  says: >-\n    Half", "  sais: >-\n    Half", "no field `sais`"),
        ("heroes: engaged\n", "heroes: engaged\nrulings: {blackpowder: wet}\n", "has no choice 'wet'"),
        ("heroes: engaged\n", "heroes: engaged\nrulings: {powder: on}\n", "there is no ruling 'powder'"),
        ("opening: >-\n", f"opening: >-\n  {'Rain. ' * 60}\n", "at most 600 fit"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(ContentInvalid) as refused:
        parse_encounter(TEXT.replace(old, new, 1), "heron.yaml")
    assert words in str(refused.value)
    line = TEXT[: TEXT.index(old)].count("\n") + 1
    named = int(str(refused.value).split(" line ")[1].split(":")[0])
    # A field is named by its own line, somebody who is there by the line in which their entry begins.
    assert -9 <= named - line <= 4, f"line {named} is named, the mistake is in {line}"


@pytest.mark.parametrize("name", encounter_names())
def test_a_starting_company_can_fight_an_encounter(name: str) -> None:
    """A few fights each, by the plainest players there are; the docs have the figures of many."""
    fought = [after_conflict(*encountered(name, {}), str(seed)) for seed in range(4)]
    heroes = [[n for n, c in one.characters.items() if c.is_player_character] for one in fought]
    assert any(stands(one, name) for one, names in zip(fought, heroes, strict=True) for name in names)
    assert all(present(one.conflict).round > 2 for one in fought), "over before anybody could talk"
