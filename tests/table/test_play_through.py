"""Each game played through at the terminal by a person who types only what the screen offers.

The test reads the screen, never the engine; whatever is offered there has to be taken.
"""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.terminal.console import Screen
from loomtable.table.terminal.terminal import Terminal
from tests.table.terminal_person import Person
from tests.tiers import mostly

ENOUGH_TYPED = 60
"""Lines after which a person whose game has no end of its own brings the evening to a close."""
PLAYED = {
    "weave": (("Begin encounter", "Challenge"), ("End encounter", "End scene"), r"The scene ends"),
    "spellwoven": (
        ("Begin conflict", "Attack"),
        ("End conflict", "Surrender"),
        r"The fight is over after round",
    ),
    "storm-weavers": (("Go on",), (), r"The adventure ends"),
    "mnemonic": (("Scene", "Group scene"), ("End mode",), r"The mode is over"),
    "woven": (("Place thread", "Rest", "Acquire card"), (), r"wins:|won|share the victory"),
}
"""What a person likes to do, what brings an evening to a close, and what the screen says then."""
SEEDS = {"weave": 1, "spellwoven": 2, "storm-weavers": 2, "mnemonic": 2, "woven": 1}
"""Where chance plays an evening that every run looks at."""
BEGINS = {"woven": ("? set up", "set up players=Ada,Ben rounds=3")}
"""Lines before the first choice of one's own, as the help on the screen writes them."""


@cache
def played_through(system: str, seed: int, most: int = 400) -> Person:
    """An evening of one game, played once for all who look at its screen."""
    likes, closes, end = PLAYED[system]

    def prefers(offered: list[str]) -> str:
        wanted = (*closes, *likes) if len(person.typed) > ENOUGH_TYPED else likes
        return next((name for name in wanted if any(one.startswith(name) for one in offered)), "")

    person = Person(
        seed, most, prefers=prefers, begins=BEGINS.get(system, ()), enough=lambda s: re.search(end, s) is not None
    )
    Terminal(
        Session.open(SYSTEMS[system], seed="x"),
        Screen(person.console),
        person,
        keep=lambda session: session,
        chance=random.Random(seed),
    ).run()
    return person


@pytest.mark.parametrize(("system", "seed"), mostly(product(PLAYED, (1, 2)), SEEDS.items()))
def test_a_game_is_played_to_its_end_by_what_the_screen_offers(system: str, seed: int) -> None:
    person = played_through(system, seed)
    screen = person.seen.getvalue()
    assert re.search(PLAYED[system][2], screen), f"no end after {len(person.typed)} lines:\n{screen[-3000:]}"
    assert person.refused == []
    assert "Traceback" not in screen and "``" not in screen


FIRST = {
    "weave": r"Roll \d Weave dice",
    "spellwoven": r"Roll 12 d10s",
    "storm-weavers": r"Roll 2 d6s",
    "mnemonic": r"Roll \d d6",
    "woven": r"Ada places a thread|Ada draws tapestry card",
}
"""What a newcomer wants to come to: the first dice, or in a game without any the first step."""
SOONER = {"storm-weavers": ("Take the old stair",), "weave": ("Challenge", "Refuse")}
"""What leads to dice sooner than something else that is offered."""
MOST_TYPED = 12


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("system", FIRST)
def test_a_newcomer_comes_to_the_first_dice_by_what_the_screen_offers(system: str, width: int) -> None:
    likes = (*SOONER.get(system, ()), *PLAYED[system][0])

    def prefers(offered: list[str]) -> str:
        return next((like for like in likes if any(one.startswith(like) for one in offered)), "")

    person = Person(
        3,
        MOST_TYPED,
        prefers=prefers,
        begins=["0"],
        enough=lambda screen: re.search(FIRST[system], screen) is not None,
        width=width,
    )
    session = Session.open(SYSTEMS[system], seed="x", rulings=SYSTEMS[system].rulings.usual())
    Terminal(session, Screen(person.console), person, keep=lambda one: one, chance=random.Random(3)).run()
    screen = person.seen.getvalue()
    assert re.search(FIRST[system], screen), f"not after {person.typed}:\n{screen}"
    assert person.refused == []
    assert all(len(line) <= width for line in screen.splitlines())
    assert not re.search(r"\b[a-z]+(-[a-z]+)*-\d+\b|``|Traceback", screen), "no name that only the program uses"


@pytest.mark.parametrize("system", [name for name in PLAYED if name != "woven"])
def test_dice_that_the_computer_rolls_lie_on_the_screen(system: str) -> None:
    screen = played_through(system, SEEDS[system]).seen.getvalue()
    rolls = re.findall(r"^> :chance\n(.*)\n(.*)\n(.*)$", screen, re.MULTILINE)
    dice = [lines for lines in rolls if "╭" in lines[1]]
    assert dice, "nothing was rolled"
    assert all(
        re.search(r"│ +(\d+|Flames|Brooks|Gales|Stones|Weave|Strike|Heads|Tails) +│", one[2]) for one in dice
    )


def test_the_boxes_and_regions_of_woven_are_called_as_they_are_drawn() -> None:
    screen = played_through("woven", SEEDS["woven"]).seen.getvalue()
    assert re.search(r"^    A   B   C", screen.replace("      A", "    A"), re.MULTILINE), "a tapestry was drawn"
    assert re.search(r"places a thread at [A-Z]\d\.", screen)
    assert not re.search(r"column -?\d+, row", screen), "nobody can find that on the drawing"


def test_a_thread_goes_where_it_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``place-thread A1``, and a move by the number and by the name that stand on the map."""
    typed = iter(["0", "place-thread A1", None])

    class Typist:
        def line(self) -> str | None:
            return next(typed)

    person = Person(1, 0)
    session = Session.open(SYSTEMS["woven"], seed="x")
    terminal = Terminal(session, Screen(person.console), lambda *_: Typist(), keep=lambda one: one)
    terminal.run()
    assert "Ada places a thread at A1." in person.seen.getvalue()
