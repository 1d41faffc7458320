"""Mnemonic as it is played: refusals, each with its reason, and a mode to its end."""

from __future__ import annotations

import random

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, ReadingMisfit
from tests.short import as_a, raises, refuses
from tests.systems.mnemonic_table import ILSE, ODO, Table

# Refusals, each with its reason


@pytest.mark.parametrize(
    ("mode", "action", "args", "words"),
    [
        ("", "scene", {"who": "Ilse"}, "needs a play mode; begin one first (Begin mode)"),
        ("", "scene", {"who": "Ilze"}, "there is no character 'Ilze'; there are Ilse, Odo"),
        ("", "end-mode", {}, "no play mode is on"),
        ("", "add-character", {"player": "Ada", "name": "Wren"}, "Ada plays Ilse already"),
        ("", "add-character", {"player": "Cleo", "name": "ilse"}, "Ilse is already in this chronicle"),
        ("", "add-character", {"player": "group", "name": "Wren"}, "'group' is none"),
        ("", "add-character", {"player": "Cleo", "name": "W. H."}, "has a full stop"),
        ("", "add-character", {"player": "Cleo", "name": "Wren", "concept": "duellist"}, "no concept 'duellist'"),
        (
            "",
            "add-character",
            {"player": "Cleo", "name": "Wren", "strong": "hearts", "weak": "hearts"},
            "cannot be the strong suit and the weak one",
        ),
        (
            "",
            "add-character",
            {
                "player": "Cleo",
                "name": "W",
                "strong": "hearts",
                "weak": "clubs",
                "skills": {**ILSE, "clubs": ["X"]},
            },
            "Clubs is a weak suit: 0 skills, not 1",
        ),
        (
            "",
            "add-character",
            {
                "player": "Cleo",
                "name": "W",
                "strong": "hearts",
                "weak": "clubs",
                "skills": {**ILSE, "hearts": ["Climb", "climb"]},
            },
            "'climb' stands twice",
        ),
        ("", "define-suits", {"hearts": "x" * 61}, "at most 60 characters"),
        ("", "define-suits", {"hearts": "The Mind"}, "two suits cannot stand for the same"),
        ("", "note", {"who": "Ilse", "text": " "}, "1 to 300 characters"),
        ("", "mark-truth", {"who": "Ilse", "skill": "climb"}, "universal truths are not played"),
        ("", "learn", {"who": "Ilse"}, "a skill is learned in a scene"),
        ("", "begin-mode", {"mode": "free-play", "who": "Ilse"}, "only Laid to Rest names somebody"),
        ("", "begin-mode", {"mode": "laid-to-rest", "who": "Nobody"}, "there is no character 'Nobody'"),
        ("", "game-face", {"who": "Ilse", "other": "Ilse"}, "cannot keep a straight face"),
        ("", "game-face", {"who": "Ilse", "other": "Odo", "about": "x" * 121}, "at most 120 characters"),
        ("deck-burner", "scene", {"who": "Odo"}, "it is Ilse's turn, not Odo's"),
        ("deck-burner", "scene", {"who": "Ilse", "card": "S7"}, "S7 is not a card of the deck; write it like 7H"),
        ("deck-burner", "begin-mode", {"mode": "free-play"}, "Deck Burner is on; end it first (End mode)"),
        ("deck-burner", "next-round", {}, "this round is not over; still to come: Ilse, Odo"),
        ("deck-burner", "group-scene", {}, "a group scene comes after the round"),
        ("deck-burner", "introduce", {"who": "Ilse"}, "an introduction does not belong to Deck Burner"),
        ("free-play", "group-scene", {}, "nothing is complicated"),
        ("free-play", "add-character", {"player": "Cleo", "name": "Wren"}, "make characters between play modes"),
        ("first-gathering", "scene", {"who": "Ilse"}, "does not belong to First Gathering"),
        ("first-gathering", "meet", {"who": "Ilse", "other": "Odo"}, "everybody is introduced first"),
        ("laid-to-rest", "lay-to-rest", {}, "everybody tells a memory first; still to come: Ilse, Odo"),
    ],
)
def test_what_is_not_legal_is_refused_with_its_reason(
    mode: str, action: str, args: dict[str, object], words: str
) -> None:
    table = Table(mode)
    before = table.session.game
    with pytest.raises(IllegalAction) as refused:
        table.session.perform(action, **args)
    assert words in str(refused.value)
    assert table.session.game == before


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
