"""The odds of a blow in a fight on a map are those of the rule itself, played with every throw of the dice."""

from __future__ import annotations

from fractions import Fraction

import pytest

from loomtable.engine.kernel.journal import Journal
from loomtable.engine.kernel.readings import ChoiceReading, DiceReading, ReadDie
from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.map_strikes import strike_odds
from loomtable.engine.storm_weavers.events.fights import Injured
from loomtable.engine.systems import SYSTEMS
from tests.playing import transcript

EVENINGS = ("storm-weavers-sluice-yard", "storm-weavers-lantern-and-thread", "storm-weavers-frost-on-the-beard")


def attacks() -> list[tuple[str, int]]:
    """Every moment of the evenings at which Thymin is asked whom he attacks on a map: evening and journal line."""
    found = []
    for name in EVENINGS:
        whole = transcript(name)
        for one in whole.played:
            asked = one.pending
            if isinstance(asked, Choose) and any(o.key.startswith("attack-") for o in asked.options):
                found.append((name, one.step.seq))
    return found


@pytest.mark.parametrize(("name", "seq"), attacks())
def test_the_odds_of_a_blow_are_those_of_every_throw(name: str, seq: int) -> None:
    lines = transcript(name).lines()[: seq + 1]
    at = Session(SYSTEMS["storm-weavers"], Journal(lines))
    assert isinstance(at.pending, Choose)
    for option in at.pending.options:
        way, _, number = option.key.rpartition("-")
        if way not in ("attack", "cunning-strike"):
            continue
        hurt = {"Thymin": 0, "enemy": 0}
        for first in range(1, 7):
            for second in range(1, 7):
                tried = Session(at.system, Journal(lines))
                events = list(tried.take(ChoiceReading((option.key,)), by=""))
                throws = [[first], [second]] if way == "attack" else [[first, second]]
                for throw in throws:
                    asked = tried.pending
                    assert isinstance(asked, Roll) and len(throw) == asked.count
                    dice = tuple(ReadDie(asked.die, pips) for pips in throw)
                    events += tried.take(DiceReading(dice), by="")
                blow = next((e for e in events if isinstance(e, Injured)), None)
                if blow is not None:
                    hurt["Thymin" if blow.number == 0 else "enemy"] += 1
        odds = strike_odds(at, int(number), cunning=way == "cunning-strike")
        assert (odds.enemy_hurt, odds.thymin_hurt) == (Fraction(hurt["enemy"], 36), Fraction(hurt["Thymin"], 36))
