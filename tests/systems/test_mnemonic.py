"""Mnemonic as it is played: refusals, each with its reason, and a mode to its end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError, ReadingMisfit
from tests.short import as_a, raises, refuses
from tests.systems.edges import is_refused, refusals
from tests.systems.mnemonic_table import ILSE, ODO, Table

# Refusals, each with its reason


@refusals("mnemonic")
def test_what_is_not_legal_is_refused_with_its_reason(row: dict[str, Any]) -> None:
    is_refused(Table(row.get("mode", "")).session, row)


@pytest.mark.parametrize(
    ("said", "skills"),
    [({}, {}), ({}, {**ILSE, "hearts": ["Climb"]}), ({"weak": "spades"}, ILSE), ({"strong": "spades"}, ILSE)],
)
def test_skills_that_fit_no_suits_are_refused_before_anything_is_asked(said: object, skills: object) -> None:
    table = Table("", alone=True)
    made = {"player": "Cleo", "name": "Wren", "skills": skills} | as_a(dict, said)
    refuses(table.session.perform, "is a (weak|strong|standard) suit", "add-character", **made)
    assert table.session.pending is None


def test_a_suit_that_skills_do_not_fit_is_asked_for_again() -> None:
    table = Table("", alone=True)
    table.session.perform("add-character", player="Cleo", name="Wren", skills=ODO)
    refuses(table.answer, "skill", "hearts")
    table.answer("spades")
    refuses(table.answer, "skill", "clubs")
    table.answer("hearts")
    skills = {skill.name for skill in table.state.characters["Wren"].skills}
    assert skills == {called for names in ODO.values() for called in names}


def test_a_card_cannot_be_turned_twice() -> None:
    table = Table("free-play")
    table.scene("Ilse", "5H", "use-climb", (6, 2), "none")
    refuses(table.session.perform, "the 5 of Hearts is open already", "scene", who="Ilse", card="5H")
    table.session.perform("scene", who="Ilse")
    raises(ReadingMisfit, "5H is not one of the poker cards that can be shown now", table.answer, "5H")


def test_into_the_grey_ends_when_the_last_card_is_played() -> None:
    table = Table("into-the-grey", cards="dealt", no_usable_skill="passes")
    source = random.Random(4)
    assert table.state.cards is not None
    assert [hand.count for hand in table.state.cards.hands.values()] == [27, 27]
    for _ in range(2000):
        if table.state.sitting is None:
            break
        try:
            if table.session.pending is not None:
                table.session.answer(random_answer(table.session.pending, source))
            elif table.state.due:
                who = table.state.due[0]
                hand = table.state.cards.hands[who].cards if table.state.cards else ()
                table.session.perform("scene", who=who, card=hand[0].short if hand else None)
            else:
                table.session.perform("next-round")
        except LoomtableError:
            continue
    assert table.state.sitting is None
    assert table.state.scenes == 54
    assert table.session.story()[-1] == "The mode is over: no cards are left."


# Modes to their end
