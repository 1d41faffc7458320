"""The odds of a game that registers none: what its dice add up to, held against counting every roll."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.requests import Choose, Option, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.before import total_lines
from loomtable.engine.systems import SYSTEMS

pytest.importorskip("icepool", reason="icepool, which reckons these, is not installed")


@pytest.mark.parametrize(("die", "count"), [(Die.D6, 1), (Die.D6, 2), (Die.D6, 4), (Die.D10, 3), (Die.D8, 2)])
def test_totals_are_those_of_every_possible_roll(die: Die, count: int) -> None:
    session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    lines = total_lines(session, Roll(die=die, count=count, purpose="A test", by="Ada", rule="X-1"))
    assert lines
    every = [sum(map(int, faces)) for faces in product(die.faces, repeat=count)]
    for line in lines:
        least = int(line.key.removeprefix("total-"))
        assert line.says == f"{least} or more in all"
        assert line.chance == Fraction(sum(total >= least for total in every), len(every))
    assert [line.chance for line in lines] == sorted((line.chance for line in lines), reverse=True)


def test_symbols_and_choices_have_no_totals() -> None:
    session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    symbols = Roll(die=Die.WEAVE, count=3, purpose="A test", by="Ada", rule="X-1")
    assert total_lines(session, symbols) is None
    choice = Choose("Which?", (Option("a", "A"), Option("b", "B")), by="Ada", rule="X-1")
    assert total_lines(session, choice) is None
