"""What can be begun now is searched right, however a rule looks at its arguments; all games: ``test_laws.py``."""

from __future__ import annotations

import random
from enum import Enum
from itertools import product
from typing import Annotated, Any

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.arguments import Names, fields_in
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.legal import Search, why_not
from loomtable.engine.kernel.play import Action, Play, Steps, ask
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, TextReading
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.rulings import RulingBook
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import Looks, Rules, SettingUp, System, Words, no_setup
from loomtable.engine.systems import SYSTEMS
from loomtable.testing import play_at_random


class Sort(Enum):
    """Compared by identity, as enumerations are."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


Somebody = Annotated[str, Names(lambda seen: ("Ada", "Ben", "Cleo"))]
TOY: System[Any] = System(
    "toy",
    "Toy",
    rules=Rules("1", RulingBook({})),
    setting_up=SettingUp(begin=no_setup("Toy", dict)),
    words=Words(tell=lambda event, state: ""),
    looks=Looks(view=lambda state, viewer: {}),
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


@TOY.action("within")
def within(play: Play[Any], *, who: Somebody, sort: Sort, more: Sort) -> Steps[None]:
    refuse(who == "Ada")
    refuse(all(sort is not one for one in (Sort.GREEN, Sort.BLUE)))
    try:
        refuse(who != "Cleo")
    except IllegalAction:
        if more is not Sort.RED:
            raise
    yield from asked()


def test_rules_are_searched_right_however_they_look_at_their_arguments() -> None:
    game = TOY.new_game({}, {})
    able = TOY.candidates(game, STORYTELLER)
    for rule in TOY.begun_by(game, STORYTELLER):
        listed = [action for action in TOY.legal_actions(game, STORYTELLER) if action.name == rule.name]
        values = {f.encode_name: able.of(f.type) for f in fields_in(rule.arguments)}
        every = [Action(rule.name, dict(zip(values, one, strict=True))) for one in product(*values.values())]
        legal = [action for action in every if not why_not(TOY.start, game, action)]
        assert legal and sorted(map(repr, listed)) == sorted(map(repr, legal)), rule.name


def test_where_a_number_decides_or_a_search_is_cut_short_nothing_is_called_impossible() -> None:
    game = TOY.new_game({}, {})
    able = TOY.candidates(game, STORYTELLER, numbers=(0,))
    assert not Search(game, TOY.actions["joined"], able).refusal()
    assert not list(Search(game, TOY.actions["choice-below"], able, most=2))
    assert not Search(game, TOY.actions["choice-below"], able, most=2).refusal()
    assert Search(game, TOY.actions["choice-below"], able, {"who": "Ada"}).refusal() == "not so"


def test_of_many_ways_one_of_each_action_is_enough_for_a_list() -> None:
    session: Session[Any] = Session.open(SYSTEMS["spellwoven"], seed="0")
    play_at_random(session, random.Random(0), 40)
    while session.pending is not None:
        session.undo()
    every = session.system.legal_actions(session.game, STORYTELLER)
    first = session.system.legal_actions(session.game, STORYTELLER, each=1)
    assert len(first) == len({action.name for action in first}) < len(every)
    assert {action.name for action in first} == {action.name for action in every}
    assert why_not(
        session.system.start, session.game, Action("attack", {"who": "Nobody at all", "target": "Nobody"})
    )


def test_numbers_among_a_few_are_offered_as_a_form_writes_them() -> None:
    session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    possible = session.system.possible_values(session.game, STORYTELLER, "create")
    assert possible.values == {"dexterity_points": ["0", "1", "2", "3", "4"]}


def test_a_name_that_stands_for_any_is_one_that_nobody_has() -> None:
    session = Session.open(SYSTEMS["weave"], seed="s")
    first = [f"S{n}" for n in (1, 2, 3)]
    session.perform("new-season", playset="the-salt-road")
    for short in first:
        session.answer(CardReading(ComponentId.parse(short)))
        session.answer(ChoiceReading(("1",)))
    session.answer(TextReading("A season"))
    for name in ("somebody", "somebody 1", "somebody 2"):
        session.perform("add-npc", npc=name)
    assert not session.system.refusals(session.game, STORYTELLER)["add-npc"]
