"""The cards that are not in play answer questions and give ideas, and nothing else is drawn otherwise for it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.results import story_for
from loomtable.engine.weave.cards.decks import challenge_deck, name_of, story_deck
from loomtable.engine.weave.cards.playset import QualityKind, playset, playset_names
from loomtable.engine.weave.story.oracle import Likelihood, verdict
from tests.systems.weave_table import Table, card


@pytest.mark.parametrize(
    ("likely", "answers"),
    [
        (Likelihood.EVEN, {"Yes": 12, "Yes, but": 6, "No, but": 6, "No": 12}),
        (Likelihood.LIKELY, {"Yes": 18, "Yes, but": 6, "No, but": 12}),
        (Likelihood.UNLIKELY, {"Yes, but": 12, "No, but": 6, "No": 18}),
    ],
)
def test_the_whole_deck_answers_as_often_yes_as_no_and_leans_as_you_say(
    likely: Likelihood, answers: dict[str, int]
) -> None:
    assert Counter(verdict(challenge, likely) for challenge in challenge_deck()) == answers


def test_a_plain_answer_is_told_with_its_card_and_that_goes_under_the_deck() -> None:
    table = Table()
    table.do("ask-the-cards", card("C1"), question="Is the ferryman in?")
    assert table.story()[-1] == "Is the ferryman in? Yes, says Flames 2."
    assert table.session.state.challenges.pile[-1] == ComponentId.parse("C1")


def test_a_but_brings_a_complication_of_the_season_from_a_story_card() -> None:
    table = Table()
    table.do("ask-the-cards", card("C4"), card("S9"), question="Does the bridge hold?")
    asked, complication = table.story()[-2:]
    assert asked == "Does the bridge hold? Yes, but there is a catch, says Flames 3."
    subplots = playset("the-salt-road").options(9, QualityKind.SUBPLOT)
    assert complication in [f"A complication, from The Key: {one.name}. {one.text}" for one in subplots]


@pytest.mark.parametrize("action", ["a-name", "a-person", "a-complication"])
def test_an_idea_takes_one_press_and_leaves_every_card_where_it_can_be_drawn(action: str) -> None:
    table = Table({"decks": "dealt"}, people=False)
    source = random.Random(1)
    table.session.perform("new-season", playset="the-still-harbour")
    while table.pending is not None:
        table.session.answer(random_answer(table.pending, source))
    table.do("draw-hand")
    before = table.session.state
    table.do(action)
    after = table.session.state
    assert after.hand == before.hand and after.foundation == before.foundation
    assert sorted(after.story.pile) == sorted(before.story.pile)
    assert after.story.pile == (*before.story.pile[1:], before.story.pile[0])
    assert name_of(before.story.pile[0]) in table.story()[-1]


def test_the_same_card_gives_each_of_its_people_in_time() -> None:
    table = Table()
    heard = set()
    for other in ("S2", "S4", "S6", "S7", "S8", "S10", "S11", "S13"):
        for shown in ("S9", other):
            table.do("a-person", card(shown))
        heard.add(table.story()[-2])
    assert len(heard) == len(playset("the-salt-road").options(9, QualityKind.NPC)) > 1


def test_a_name_is_one_that_nobody_has() -> None:
    table = Table()
    first, second = playset("the-salt-road").names[:2]
    table.do("a-name", card("S1"))
    assert table.story()[-1] == f"A name, from The Lantern: {first}."
    table.do("add-npc", npc=first)
    table.do("a-name", card("S1"))
    assert table.story()[-1] == f"A name, from The Lantern: {second}."


def test_only_the_storyteller_hears_of_it_and_nothing_is_asked_of_an_empty_table() -> None:
    table = Table()
    told = story_for(table.session, "Ada", 500)
    table.do("ask-the-cards", card("C1"), question="Is it the Queen?")
    table.do("a-complication", card("S9"))
    assert story_for(table.session, "Ada", 500) == told
    with pytest.raises(IllegalAction, match="yes or no"):
        table.do("ask-the-cards", question=" ")
    with pytest.raises(IllegalAction):
        Table(people=False).do("a-name")


def test_each_playset_has_names_of_its_own_that_nobody_in_it_bears() -> None:
    every = [name for key in playset_names() for name in playset(key).names]
    assert len(every) == len(set(every)) == len(playset_names()) * len(story_deck())
    for key in playset_names():
        world = playset(key)
        borne = {word for one in world.people for word in one.name.split()}
        borne |= {
            word.strip(",")
            for offer in world.cards.values()
            for kind in (QualityKind.NPC, QualityKind.ENEMY, QualityKind.BOSS)
            for quality in offer[kind]
            for word in quality.name.split()
        }
        assert not borne & set(world.names)
