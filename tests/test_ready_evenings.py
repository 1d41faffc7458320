"""Ready evenings: what ships, what a stranger's game gets by itself, and what is refused."""

from __future__ import annotations

import importlib
import random
from pathlib import Path
from typing import Any

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.readings import ChoiceReading, Source, TextReading
from loomtable.engine.kernel.requests import Choose, EnterText, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.ready_evening import (
    READY,
    begun_from_cards,
    begun_ready,
    check_ready_evening,
    opening_scene,
    played_by_people,
    ready_evenings,
)
from loomtable.engine.systems import SYSTEMS
from tests.tiers import thorough

FERRY = Path(__file__).parent.parent / "docs" / "examples" / "last_ferry"


def begun(key: str, seed: str = "tonight") -> Session[Any]:
    return begun_ready(SYSTEMS[key], seed, random.Random(seed))


@pytest.mark.parametrize("key", sorted(SYSTEMS))
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_a_ready_evening_waits_for_its_people(key: str, seed: str) -> None:
    session = begun(key, seed)
    assert session.system.people(session.game) or session.system.solo, "somebody plays"
    assert session.pending is not None or session.system.legal_actions(session.game, "storyteller", each=1)
    scene = opening_scene(session)
    assert scene is not None and scene.scene.endswith((".", "?", '"'))
    assert played_by_people(session) == 0


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_its_steps_are_ordinary_lines_that_can_be_read_again_and_taken_back(key: str) -> None:
    session = begun(key)
    assert {line.who for line in session.lines()[1:]} == {READY}
    again: Session[Any] = Session.resume(SYSTEMS, session.journal)
    assert again.story() == session.story()
    steps = len(session.played)
    for _ in range(steps):
        session.undo(by="the host")
    assert not session.played
    session.redo(by="the host")
    assert len(session.played) == 1


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_nobody_is_nameless(key: str) -> None:
    session = begun(key)
    for figures in session.system.people(session.game).values():
        assert all("Nameless" not in name and not any(map(str.isdigit, name)) for name in figures)


DEALT = {"mnemonic": {"cards": "dealt"}, "weave": {"decks": "dealt"}, "woven": {"decks": "dealt"}}
MORE = [(key, evening.title) for key in sorted(SYSTEMS) for evening in ready_evenings(SYSTEMS[key])[1:]]


@pytest.mark.parametrize(("key", "title"), MORE)
def test_a_further_evening_waits_for_its_people_and_has_a_scene_of_its_own(key: str, title: str) -> None:
    session = begun_ready(SYSTEMS[key], "tonight", random.Random(1), title)
    scene, usual = opening_scene(session), opening_scene(begun(key))
    assert scene is not None and usual is not None
    assert scene.title == title and scene.scene != usual.scene
    assert played_by_people(session) == 0
    people = [figure for figures in session.system.people(session.game).values() for figure in figures]
    assert people and all(figure in scene.scene for figure in people)


@thorough
@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_it_begins_however_a_table_decides_its_rulings(key: str) -> None:
    system = SYSTEMS[key]
    for evening in ready_evenings(system):
        for ruling in system.rulings.values():
            for choice in ruling.choices:
                ruled = {ruling.id: choice.key}
                session = begun_ready(system, "tonight", random.Random(1), evening.title, ruled)
                assert ruling.id in evening.rulings or session.game.rulings[ruling.id] == choice.key


def test_an_evening_that_nobody_wrote_is_refused() -> None:
    with pytest.raises(ContentInvalid, match="Weave has no ready evening 'Nowhere'"):
        begun_ready(SYSTEMS["weave"], "tonight", random.Random(1), "Nowhere")


@pytest.mark.parametrize("ruled", [{}, DEALT], ids=["as usual", "where the computer deals otherwise"])
@pytest.mark.parametrize("key", ["mnemonic", "weave", "woven"])
def test_from_cards_the_first_card_is_asked_for_before_anything_is_left_to_chance(
    key: str, ruled: dict[str, dict[str, str]]
) -> None:
    session = begun_from_cards(SYSTEMS[key], "tonight", random.Random(1), ruled.get(key))
    if isinstance(session.pending, Choose):  # the playset, whose texts the cards bring
        assert "The Salt Road" in [option.label for option in session.pending.options]
        session.answer(ChoiceReading(("the-salt-road",)))
    assert isinstance(session.pending, ShowCard)
    assert opening_scene(session) is None or key != "weave"


def test_a_game_without_cards_says_that_it_does_not_begin_from_them() -> None:
    with pytest.raises(ContentInvalid, match="Spellwoven does not begin from cards"):
        begun_from_cards(SYSTEMS["spellwoven"], "tonight", random.Random(1))


def test_chance_writes_proper_names_and_prefers_what_the_rules_suggest() -> None:
    source = random.Random(1)
    free = random_answer(EnterText("Name", by="Ada", rule="WV-6"), source)
    assert isinstance(free, TextReading) and free.how is Source.RANDOM
    assert free.text.istitle() and len(free.text.split()) == 2
    given = random_answer(EnterText("Name", by="Ada", rule="WV-6", suggestions=("Ilse",)), source)
    assert isinstance(given, TextReading) and given.text == "Ilse"


def test_a_strangers_game_that_declares_nothing_comes_to_its_first_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FERRY))
    ferry = importlib.import_module("last_ferry.rules").FERRY
    assert ready_evenings(ferry) == ()
    session = begun_ready(ferry, "tonight", random.Random(1))
    assert isinstance(session.pending, Roll)
    assert session.state.passengers
    assert opening_scene(session) is None


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("scene: ''", "the text is empty"),
        ("play: []", "nothing is played"),
        ("play: [{do: dance}]", "no action 'dance'"),
        ("play: [{expect: {name: Ilse}}]", "a ready evening only acts and answers"),
        ("play: [{do: create, with: {dexterity_points: 9}}]", "9 of the 4 points"),
        ("ready_evening: chess", "there is no system 'chess'"),
        ("guide: {SW-3 roll: ''}", "the text is empty"),
        ("guide: {SW-3 rolls: Now}", "'SW-3 rolls' is no moment; write an action, or a rule and what it asks"),
    ],
)
def test_a_file_that_does_not_hold_together_is_refused_with_its_line(wrong: str, says: str) -> None:
    fields = {
        "ready_evening": "storm-weavers",
        "title": "T",
        "licence": "L",
        "about": "A",
        "scene": "S",
        "play": "[{do: create, with: {dexterity_points: 2}}]",
    }
    name, _, value = wrong.partition(": ")
    text = "\n".join(f"{key}: {what}" for key, what in {**fields, name: value}.items())
    assert not check_ready_evening("\n".join(f"{key}: {what}" for key, what in fields.items()), "t.yaml")
    troubles = check_ready_evening(text, "t.yaml")
    assert len(troubles) == 1 and says in troubles[0]
