"""What can be begun now, in every game: each listed action is taken, and declarations decide who may begin it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from loomtable.engine.kernel.legal import begins
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import PLAYER, STORYTELLER
from loomtable.engine.systems import SYSTEMS
from tests.playing import play_at_random


def moments(system: str, count: int = 8) -> list[Session[Any]]:
    """One session at several moments at which something can be begun."""
    found: list[Session[Any]] = []
    for seed in range(count):
        session: Session[Any] = Session.open(SYSTEMS[system], seed=str(seed))
        play_at_random(session, random.Random(seed), 40)
        while session.pending is not None:
            session.undo()
        found.append(session)
    return found


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_what_is_listed_is_not_refused_and_listing_changes_nothing(system: str) -> None:
    listed = 0
    for session in moments(system):
        before = session.game
        actions = session.system.legal_actions(before, STORYTELLER, each=5)
        assert session.game == before
        for action in actions:
            assert not session.refusal(action.name, **action.args), action
            listed += 1
    assert listed > 20


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_something_can_be_begun_at_the_very_start(system: str) -> None:
    game = SYSTEMS[system].new_game({}, {})
    names = {action.name for action in SYSTEMS[system].legal_actions(game, STORYTELLER, each=1)}
    assert names & {rule.name for rule in SYSTEMS[system].actions.values() if rule.opens}


@pytest.mark.parametrize("system", sorted(key for key, one in SYSTEMS.items() if not one.solo))
def test_a_player_is_listed_only_what_a_player_may_begin_for_the_own_figures(system: str) -> None:
    listed = 0
    for session in moments(system, 12):
        for person in session.system.people(session.game):
            own = session.system.names_of(session.game, person)
            for action in session.system.legal_actions(session.game, person, each=3):
                rule = session.system.actions[action.name]
                assert rule.begun_by == PLAYER and action.args[rule.actor] in own
                listed += 1
    assert listed


def test_where_a_game_thinks_of_its_moves_a_list_of_some_begins_like_the_list_of_all() -> None:
    for session in moments("woven", 4):
        every = session.system.legal_actions(session.game, STORYTELLER)
        for name in {action.name for action in every}:
            of_it = [action for action in every if action.name == name]
            for each in (1, 2):
                some = session.system.legal_actions(session.game, STORYTELLER, each=each)
                assert [action for action in some if action.name == name] == of_it[:each]
            alone = session.system.legal_actions(session.game, STORYTELLER, each=1, only=name)
            assert alone == (of_it[0],)


def test_of_many_ways_one_of_each_action_is_enough_for_a_list() -> None:
    [session] = moments("spellwoven", 1)
    every = session.system.legal_actions(session.game, STORYTELLER)
    first = session.system.legal_actions(session.game, STORYTELLER, each=1)
    assert len(first) == len({action.name for action in first}) < len(every)
    assert {action.name for action in first} == {action.name for action in every}
    assert not begins(session.system, session.game, Action("attack", {"who": "Nobody at all", "target": "Nobody"}))
