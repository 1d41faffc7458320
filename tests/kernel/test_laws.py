"""The laws of any game: ours keep them, and who writes a game that breaks one is told which, and where."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import count, product
from typing import Annotated, Any

import msgspec
import pytest

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.arguments import Names
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Event, Play, Steps, ask
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.rulings import RulingBook
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.system import Looks, Rules, SettingUp, System, Words, no_setup
from loomtable.engine.systems import SYSTEMS
from loomtable.testing import check_game
from tests.short import raises
from tests.tiers import mostly

ADA, BEN = "Ada", "Ben"


@pytest.mark.parametrize(
    ("system", "seed"), mostly(product(sorted(SYSTEMS), range(40)), product(sorted(SYSTEMS), [0]))
)
def test_our_games_keep_the_laws(system: str, seed: int) -> None:
    check_game(SYSTEMS[system], seeds=[seed])


class Heap(msgspec.Struct, frozen=True):
    """Stones that people took."""

    stones: dict[str, int] = {}


class Taken(Event, frozen=True, kw_only=True):
    who: str
    count: int

    def apply(self, state: Heap) -> Heap:
        return Heap({**state.stones, self.who: state.stones.get(self.who, 0) + self.count})


Taker = Annotated[str, Names(lambda seen: (ADA, BEN), acting=True)]
Anybody = Annotated[str, Names(lambda seen: (ADA, BEN))]


def take(play: Play[Heap], *, who: Taker) -> Steps[None]:
    """Take as many stones as you roll."""
    if play.state.stones.get(who, 0) > 20:
        raise IllegalAction(f"{who} can carry no more")
    lying = yield from ask(Roll(Die.D6, 1, "Stones", by=who, rule="ST-1"))
    yield Taken(who=who, count=lying.pips[0], rule="ST-1")


def stones(rule: Callable[..., Steps[None]] = take, *, opens: bool = True, **otherwise: Any) -> System[Heap]:
    given: dict[str, Any] = {
        "view": lambda heap, viewer: to_builtins(heap),
        "tell": lambda event, heap, viewer: f"{event.who} takes {event.count}.",
        "people": lambda heap: {who: (who,) for who in heap.stones},
    } | otherwise
    game: System[Heap] = System(
        "stones",
        "Stones",
        rules=Rules("1", RulingBook({})),
        setting_up=SettingUp(no_setup("Stones", Heap), given["people"]),
        words=Words(given["tell"]),
        looks=Looks(given["view"]),
    )
    game.action("take", "ST-1", begun_by=PLAYER, opens=opens)(rule)
    return game


OUTSIDE = count(1)


def counts_outside(play: Play[Heap], *, who: Taker) -> Steps[None]:
    yield Taken(who=who, count=next(OUTSIDE), rule="ST-1")


def writes_into_the_state(play: Play[Heap], *, who: Taker) -> Steps[None]:
    lying = yield from ask(Roll(Die.D6, 1, "Stones", by=who, rule="ST-1"))
    play.state.stones[who] = 99
    if lying.pips[0] > 3:
        raise IllegalAction("too many")


def says_nothing(play: Play[Heap], *, who: Taker) -> Steps[None]:
    yield from take(play, who=who)
    raise IllegalAction("")


def forgets_who_is_new(play: Play[Heap], *, who: Taker) -> Steps[None]:
    yield from ask(Roll(Die.D6, 1, "Stones", by=who, rule="ST-1"))
    yield Taken(who=who, count=play.state.stones[who], rule="ST-1")


def compares_by_identity(play: Play[Heap], *, who: Taker) -> Steps[None]:
    if play.state.stones and who is not BEN:
        raise IllegalAction("now only Ben takes stones")
    yield from take(play, who=who)


def asks_for_the_type(play: Play[Heap], *, who: Taker) -> Steps[None]:
    if play.state.stones and type(who) is not str:
        raise IllegalAction("people have names")
    yield from take(play, who=who)


def does_not_say_who_acts(play: Play[Heap], *, who: Anybody) -> Steps[None]:
    yield from take(play, who=who)


def test_a_game_that_keeps_the_laws_passes() -> None:
    check_game(stones())


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (stones(counts_outside), r"^Stones, seed 0: line \d+, .*its journal, folded, leads elsewhere"),
        (stones(writes_into_the_state), r"^Stones, seed \d+: "),
        (stones(says_nothing), r"^Stones, seed 0: step \d+: .*the refusal '' is not one line"),
        (stones(forgets_who_is_new), r"^Stones, seed 0: step \d+: .*KeyError: '\w+'$"),
        (stones(compares_by_identity), r"^Stones, seed 0: .*the transcript line \d+: now only Ben takes stones$"),
        (stones(asks_for_the_type), r"^Stones, seed \d+: take who='\w+' can be begun, but is called impossible"),
        (stones(does_not_say_who_acts), r"^Stones, seed \d+: \w+ is offered take who='\w+', which is for none"),
        (stones(tell=lambda *told: ""), r"^Stones, seed 0: line \d+, .*: Stones has no sentence for Taken$"),
        (stones(view=lambda heap, viewer: {"heap": heap}), r"^Stones, seed 0: line \d+, the view of storyteller"),
        (stones(opens=False), r"^Stones: no action with opens=True can begin an evening$"),
    ],
)
def test_a_broken_law_is_named_with_the_game_the_seed_and_the_step(broken: System[Heap], says: str) -> None:
    raises(AssertionError, says, check_game, broken)


def test_it_needs_no_test_framework_and_nothing_above_the_engine() -> None:
    code = "import sys, loomtable.testing; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"pytest", "hypothesis", "numpy"} & set(loaded)
    assert {name.split(".")[1] for name in loaded if name.startswith("loomtable.")} == {"engine", "testing"}
