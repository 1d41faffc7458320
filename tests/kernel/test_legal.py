"""What can be begun now, in every game: each listed action is taken, and declarations decide who may begin it."""

from __future__ import annotations

import random
from enum import Enum
from itertools import product
from math import prod
from typing import Annotated, Any

import pytest

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER, ActionRule
from loomtable.engine.kernel.arguments import Names, fields_in
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.legal import Candidates, Search, begins
from loomtable.engine.kernel.play import Action, Play, Steps, ask
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.rulings import RulingBook
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import System, no_setup
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.systems import SYSTEMS
from tests.playing import NUMBERS, WORDS, filled_at_random, play_at_random
from tests.tiers import mostly


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


def in_play(system: str, seed: int) -> Session[Any]:
    """A game at a moment at which something can be begun; every other one began as a ready evening."""
    source = random.Random(seed)
    fresh: Session[Any] = Session.open(SYSTEMS[system], seed=str(seed))
    session = begun_ready(SYSTEMS[system], str(seed), source) if seed % 2 else fresh
    play_at_random(session, source, source.randint(5, 60))
    while session.pending is not None:
        session.undo()
    return session


def fillings(rule: ActionRule, able: Candidates, source: random.Random) -> list[Action]:
    """All ways to fill what is needed, and one other argument besides, where they are few; and some at random."""
    fields = {f.encode_name: f for f in fields_in(rule.arguments)}
    needed = [name for name, f in fields.items() if f.required]
    found = [Action(rule.name, filled_at_random(able, rule.arguments, source)) for _ in range(40)]
    for added in ([], *([name] for name in fields if name not in needed)):
        values = {name: able.of(fields[name].type) for name in (*needed, *added)}
        if prod(map(len, values.values())) <= 2000:
            found += [Action(rule.name, dict(zip(values, one, strict=True))) for one in product(*values.values())]
    return found


in_every_game = pytest.mark.parametrize(
    ("system", "seed"), mostly(product(sorted(SYSTEMS), range(40)), product(sorted(SYSTEMS), range(2, 6)))
)


@in_every_game
def test_what_is_called_impossible_cannot_be_begun_in_any_way(system: str, seed: int) -> None:
    session, source = in_play(system, seed), random.Random(seed)
    tried = 0
    for viewer in (STORYTELLER, *list(session.system.people(session.game))[:1]):
        able = session.system.candidates(session.game, viewer, words=WORDS, numbers=NUMBERS)
        for name, why in session.system.refusals(session.game, viewer).items():
            for action in fillings(session.system.actions[name], able, source) if why else ():
                assert not begins(session.system.start, session.game, action), (action, why)
                tried += 1
    assert tried > 20


@in_every_game
def test_a_form_offers_every_value_with_which_an_action_can_begin(system: str, seed: int) -> None:
    session, source = in_play(system, seed), random.Random(seed)
    able = session.system.candidates(session.game, STORYTELLER)
    begun = 0
    for rule in session.system.begun_by(STORYTELLER):
        possible = session.system.possible_values(session.game, STORYTELLER, rule.name)
        ways = [one for one in fillings(rule, able, source) if begins(session.system.start, session.game, one)]
        for name in possible.keys() & {name for one in ways for name in one.args}:
            given = [one.args[name] for one in ways if name in one.args]
            legal = {value for one in given for value in (one if isinstance(one, list) else [one])}
            assert legal <= set(possible[name]), (rule.name, name)
        begun += len(ways)
    assert begun or not session.system.legal_actions(session.game, STORYTELLER, each=1)


class Sort(Enum):
    """Compared by identity, as enumerations are."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


Somebody = Annotated[str, Names(lambda seen: ("Ada", "Ben", "Cleo"))]
TOY: System[Any] = System(
    "toy",
    "Toy",
    rules_version="1",
    rulings=RulingBook(()),
    begin=no_setup("Toy", dict),
    view=lambda state, viewer: {},
    tell=lambda event, state: "",
)


def refuse(wrong: bool) -> None:
    if wrong:
        raise IllegalAction("not so")


def asked() -> Steps[None]:
    yield from ask(Roll(Die.D6, 1, "A roll", by="Ada", rule=""))


@TOY.action("choice-below")
def choice_below(play: Play[Any], *, who: Somebody, sort: Sort) -> Steps[None]:
    refuse(who == "Ada")
    refuse(sort is not Sort.BLUE)
    yield from asked()


@TOY.action("choice-of-the-last-round")
def choice_of_the_last_round(play: Play[Any], *, who: Somebody, sort: Sort, sure: bool) -> Steps[None]:
    good = True
    for _ in range(2):
        if not good:
            raise IllegalAction("not so")
        good = who != "Ben" and sort is Sort.GREEN and sure is True
    yield from asked()


@TOY.action("joined")
def joined(play: Play[Any], *, whom: tuple[Somebody, ...], by: int) -> Steps[None]:
    refuse(", ".join(whom) != "Ada, Cleo" or abs(by) + 1 < 2)
    yield from asked()


@TOY.action("left-out")
def left_out(play: Play[Any], *, sort: Sort, who: Somebody | None = None, other: Somebody = "") -> Steps[None]:
    refuse(who is None)
    refuse(sort is not Sort.GREEN or {who, other} != {"Ben", "Cleo"})
    yield from asked()


def test_rules_are_searched_right_however_they_look_at_their_arguments() -> None:
    game = TOY.new_game({}, {})
    able = TOY.candidates(game, STORYTELLER)
    for rule in TOY.begun_by(STORYTELLER):
        listed = TOY.legal_actions(game, STORYTELLER, only=rule.name)
        values = {f.encode_name: able.of(f.type) for f in fields_in(rule.arguments)}
        every = [Action(rule.name, dict(zip(values, one, strict=True))) for one in product(*values.values())]
        legal = [action for action in every if begins(TOY.start, game, action)]
        assert legal and sorted(map(repr, listed)) == sorted(map(repr, legal)), rule.name


def test_where_a_number_decides_or_a_search_is_cut_short_nothing_is_called_impossible() -> None:
    game = TOY.new_game({}, {})
    able = TOY.candidates(game, STORYTELLER, numbers=(0,))
    assert not Search(game, TOY.actions["joined"], able).refusal()
    assert not list(Search(game, TOY.actions["choice-below"], able, most=2))
    assert not Search(game, TOY.actions["choice-below"], able, most=2).refusal()
    assert Search(game, TOY.actions["choice-below"], able, {"who": "Ada"}).refusal() == "not so"


def test_of_many_ways_one_of_each_action_is_enough_for_a_list() -> None:
    [session] = moments("spellwoven", 1)
    every = session.system.legal_actions(session.game, STORYTELLER)
    first = session.system.legal_actions(session.game, STORYTELLER, each=1)
    assert len(first) == len({action.name for action in first}) < len(every)
    assert {action.name for action in first} == {action.name for action in every}
    assert not begins(
        session.system.start, session.game, Action("attack", {"who": "Nobody at all", "target": "Nobody"})
    )
