"""The odds that a table of Spellwoven sees before a roll, held against every throw of the dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.before import odds_before
from loomtable.engine.odds.words import OddsLine
from loomtable.engine.spellwoven.attribute_tests import best_or_worst, successes_of
from loomtable.engine.spellwoven.events.people import RollFaced
from loomtable.engine.systems import SYSTEMS
from tests.playing import again
from tests.systems.spellwoven_table import HIT, answer, fight, table


def moments(name: str) -> list[tuple[RollFaced, int, tuple[OddsLine, ...]]]:
    """Every roll of a transcript: what was faced, how many dice, and the odds that were shown before it."""
    found = []
    for session in again(name):
        asked = session.pending
        last = session.played[-1].events[-1:]
        if isinstance(asked, Roll) and asked.die is Die.D10 and last and isinstance(last[0], RollFaced):
            lines = odds_before(session)
            if lines is not None:
                found.append((last[0], asked.count, lines))
    return found


def throws(faced: RollFaced, dice: int) -> list[int]:
    """The successes of every throw, one by one."""
    counted = []
    for faces in product(range(1, 11), repeat=dice):
        kept = best_or_worst(faces, faced.edge) if dice > 3 else faces
        counted.append(successes_of(kept, faced.rating) + faced.bonus)
    return counted


@pytest.mark.parametrize("name", ["spellwoven-outlaws", "spellwoven-barrow-road"])
def test_every_roll_of_an_evening_has_the_odds_of_its_throws(name: str) -> None:
    shown = moments(name)
    assert len(shown) >= 10
    assert {faced.rule for faced, _, _ in shown} >= {"SP-10", "SP-11"}
    for faced, dice, lines in shown:
        successes = throws(faced, dice)
        for line in lines:
            if line.key == "pass":
                assert faced.difficulty is not None
                assert line.chance == Fraction(sum(s >= faced.difficulty for s in successes), len(successes))
        if faced.difficulty is not None:
            for effort, line in enumerate((o for o in lines if o.key == "pass-effort"), start=1):
                passed = sum(s + effort >= faced.difficulty for s in successes)
                assert line.chance == Fraction(passed, len(successes))
                assert effort <= faced.effort
        else:
            mortal = [line.chance for line in lines if line.key == "severity"][-1]
            assert mortal == Fraction(sum(s >= 5 for s in successes), len(successes))


def test_a_menace_beyond_9_has_odds_in_a_session() -> None:
    ram = {"name": "Gate ram", "menace": 12, "uses": [{"skill": "one-handed-crush"}]}
    session = fight(table(hero={"weapons": [ram]}), "Hero")
    session.perform("attack", who="Hero", target="Foe")
    answer(session, HIT)
    lines = odds_before(session)
    faced = session.played[-1].events[-1]
    assert isinstance(faced, RollFaced) and faced.rating == 12
    assert lines is not None
    successes = throws(faced, 3)
    for place, line in enumerate((one for one in lines if one.key == "severity"), start=1):
        assert line.chance == Fraction(sum(s >= place for s in successes), len(successes))


def test_nothing_is_said_of_rolls_whose_odds_are_not_known() -> None:
    session: Session[Any] = Session.open(SYSTEMS["spellwoven"], seed="s")
    assert odds_before(session) is None
