"""Characters advance as the table agrees, and the sheet keeps why; encumbrance, also in old journals."""

from __future__ import annotations

import msgspec
import pytest

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.journal import Journal, Opened
from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.strike import evasion_penalty
from loomtable.engine.systems import SYSTEMS
from loomtable.table.screens import screen_of
from tests.systems.spellwoven_table import fight, table, who


def not_advanced(session: Session[Adventure], words: str, **args: str) -> None:
    with pytest.raises(LoomtableError, match=words):
        session.perform("advance", **args)


def test_a_skill_goes_up_by_one_a_new_one_begins_at_one_and_the_sheet_says_why() -> None:
    session = table({"ratings": {"quickness": 4, "senses": 4, "fortitude": 4, "polearms": 19}})
    session.perform("advance", who="Hero", skill="polearms", because="a winter with the gate guard")
    session.perform("advance", who="Hero", skill="locks", because="Sister Amable's patience")
    assert who(session, "Hero").ratings["polearms"] == 20
    assert who(session, "Hero").ratings["locks"] == 1
    not_advanced(session, "no rating is higher", who="Hero", skill="polearms", because="more")
    assert "Hero gets better at Locks (1 now): Sister Amable's patience." in session.story()
    shown = str(screen_of(session, "storyteller"))
    assert "Advanced" in shown and "Polearms 20: a winter with the gate guard." in shown


def test_a_talent_is_learnt_once() -> None:
    session = table()
    session.perform("advance", who="Hero", talent="feint", because="practice")
    assert session.story()[-1].startswith("Hero learns ")
    not_advanced(session, "already", who="Hero", talent="feint", because="practice")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"who": "Foe", "skill": "healing", "because": "x"}, "only the players' characters advance"),
        ({"who": "Hero", "because": "x"}, "either a skill or a talent"),
        ({"who": "Hero", "skill": "healing", "because": " "}, "say in at most"),
        ({"who": "Hero", "skill": "heeling", "because": "x"}, "there is no skill"),
    ],
)
def test_what_is_no_advance_is_refused(args: dict[str, str], words: str) -> None:
    not_advanced(table(), words, **args)


def test_nobody_advances_in_a_fight_or_where_the_table_does_not_play_it() -> None:
    args = {"who": "Hero", "skill": "healing", "because": "x"}
    not_advanced(fight(table(), "Hero"), "conflict", **args)
    not_advanced(table(advancement="off"), "nobody advances at this table", **args)


PILE = ["full-plate", "mail-hauberk", "quilted-tunic"]
"""Nineteen soaks in all, of which a sheet holds at most fifteen."""


def test_the_third_row_of_encumbrance_comes_up_and_an_old_journal_counts_as_it_did() -> None:
    session = table(foe={"armour": PILE}, encumbrance="on")
    assert evasion_penalty(Play(session.game, "s"), "Foe") == 3
    first, *rest = session.lines()
    assert isinstance(first.entry, Opened)
    journal = Journal()
    journal.append(msgspec.structs.replace(first.entry, rules_version="1"))
    for line in rest:
        journal.append(line.entry)
    old = Session.resume(SYSTEMS, journal)
    assert evasion_penalty(Play(old.game, "s"), "Foe") == 2
    old.perform("ruling", ruling="encumbrance-slots", choice="as-worn")
    assert evasion_penalty(Play(old.game, "s"), "Foe") == 3
