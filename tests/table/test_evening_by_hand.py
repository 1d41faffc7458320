"""Virtual hands at a real table: frames as a phone sends them, and a journal held against what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, Source, TextReading, rolled
from loomtable.engine.kernel.requests import Choose, EnterText, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.proposals import Taking
from loomtable.testing import EveningByHand, VirtualTable
from tests.short import raises
from tests.tiers import thorough
from tests.vision.needed import needs_networks

pytestmark = needs_networks


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> Iterator[EveningByHand]:
    """Thymin is about to test his Wisdom, on a machine so busy that each frame comes late and is read late."""
    monkeypatch.setattr("loomtable.table.hosting.uploads.FRAME_WAITS", 0.0)
    monkeypatch.setattr("loomtable.table.hosting.sources.QUIET_AFTER", 0.0)
    session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    session.perform("create", dexterity_points=2)
    session.perform("test", attribute="wisdom")
    with EveningByHand.of(session, pace=5.0, patience=4.0) as one:
        yield one


def test_thrown_dice_are_taken_as_they_lie_and_nothing_else_is(evening: EveningByHand) -> None:
    assert evening.throw("2d6", [3, 5]) == "taken"
    assert evening.take_away("d6 1", "d6 2") == "taken", "nothing was meant, and nothing was taken"
    evening.check()
    [*_, answered] = evening.state.played
    assert {die.how for die in answered.step.what.dice} == {Source.CAMERA}
    assert (evening.touches, evening.played[0].meant, evening.played[0].took) == (0, ("roll 3 5",), ("roll 3 5",))
    assert 0 < evening.played[0].seconds < 60 and evening.frames > 15


def test_what_was_not_meant_is_told_with_what_the_journal_has(evening: EveningByHand) -> None:
    assert evening.throw("2d6", [6, 1], means=[rolled(Die.D6, 6, 6)]) == "wrong"
    assert evening.throw("2d6", [2, 2]) == "missed", "nobody asked"
    says = r"wrong: throw 2d6: 6, 1; meant roll 6 6; the journal has roll 1 6.*\n.*missed: throw 2d6: 2, 2"
    raises(AssertionError, re.compile(says), evening.check)  # type: ignore[arg-type]


@thorough
def test_a_table_that_asks_first_is_told_from_one_that_sees_nothing(evening: EveningByHand) -> None:
    evening.let_hands_lead(Taking.ASK)
    assert evening.throw("2d6", [4, 4]) == "asked"
    assert "meant roll 4 4; the journal has nothing" in str(evening.played[0])
    evening.touch()
    assert [*evening.state.played][-1].step.what.faces == (4, 4) and evening.touches == 1


@thorough
def test_cards_that_are_shown_set_up_a_season() -> None:
    """Three Story cards, with choices and a name between them, which hands cannot give."""
    session = Session.open(SYSTEMS["weave"], seed="s", rulings={"decks": "physical"})
    session.perform("new-season")
    with EveningByHand.of(session, table=VirtualTable(seed=4), pace=5.0) as evening:
        for x in (-140, -60, 20):
            while not isinstance(asked := evening.state.pending, ShowCard):
                assert isinstance(asked, Choose | EnterText)
                evening.touch(
                    ChoiceReading((asked.options[0].key,)) if isinstance(asked, Choose) else TextReading("A")
                )
            card = ComponentId(asked.kind, asked.among[x % len(asked.among)])
            assert evening.lay(str(card), at=(x, -20), means=[CardReading(card)]) == "taken"
        evening.check()
        shown = [one.step.what for one in evening.state.played if isinstance(one.step.what, CardReading)]
        assert [str(one.card) for one in shown] == list(evening.table.lying)
