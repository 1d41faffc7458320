"""Enemies that do not simply come and strike. The odds play every manner by every throw (``tests/odds``)."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.storm_weavers.adventure import Paragraph
from loomtable.engine.storm_weavers.events.fights import Roused
from loomtable.printkit.games.storm_weavers.adventure_words import passages_of
from tests.short import present, refuses
from tests.systems.storm_weavers_yard import choose, events, ghoul, on, roll, roll_together, yard


@pytest.mark.parametrize("strike", ["attack-1", "cunning-strike-1"])
def test_a_peaceful_enemy_does_nothing_until_it_is_attacked(strike: str) -> None:
    session = yard("B3", ghoul("B2", still=False, peaceful=True), conditions={"push_squares": 0})
    choose(session, "stay", "hold")
    assert on(session).round.number == 2
    choose(session, "stay", strike)
    if strike == "attack-1":
        roll(session, 3, 3)
    else:
        roll_together(session, 6, 6)
    assert len(events(session, Roused)) == 1
    assert present(session.pending).purpose == "Attack of Ghoul 1, round 2"
    roll(session, 1, 1)
    choose(session, "A4")
    assert on(session).enemies[1].square == "B4"  # and comes after him


@pytest.mark.parametrize(
    ("enemy", "words"),
    [
        ({"keeps_away": True}, "cannot both stay where it is and keep away"),
        ({"attacks": 0}, "everybody has at least one attack"),
        ({"flees_at": -1}, "can be below 0"),
    ],
)
def test_manners_that_cannot_be_are_refused(enemy: dict[str, int], words: str) -> None:
    refuses(yard, words, "C3", ghoul("C4", **enemy))


def test_the_booklet_says_the_manner_of_each_enemy() -> None:
    enemies = [
        {"name": "Archer", "dexterity": 7, "health": 5, "keeps_away": True, "modifiers": {"thymin_attack": -1}},
        {"name": "Bear", "dexterity": 7, "health": 9, "peaceful": True, "attacks": 2, "flees_at": 3},
    ]
    fight = {
        "map": "sluice-yard",
        "enemies": enemies,
        "conditions": {"collision": {"character": 2}},
        "ends": [{"when": "all-dead", "to": 5}],
    }
    page = from_builtins({"text": "Here.", "map_fight": fight}, Paragraph)
    said = [" ".join(words for words, _ in passage.runs) for passage in passages_of(page)]
    assert said[2:5] == [
        "1 Archer, F2: Dexterity 7, keeps as far from you as it can, \u22121 to your Attack. Health 5:",
        "2 Bear, F4: Dexterity 7, does nothing until you attack it, keeps away and attacks no more at Health 3 or "
        "less, attacks two times. Health 9:",
        "Pushed against another figure: 2 Health, not 1.",
    ]
