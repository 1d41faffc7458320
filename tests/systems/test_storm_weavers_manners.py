"""Enemies that do not simply come and strike, modifiers for one of them, collisions with figures."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.storm_weavers.adventure import Paragraph
from loomtable.engine.storm_weavers.events.fights import Exchanged, Moved, Roused
from loomtable.printkit.games.storm_weavers.adventure_words import passages_of
from tests.short import present
from tests.systems.storm_weavers_yard import choose, events, ghoul, on, roll, roll_together, thymin, yard


def test_who_keeps_away_goes_where_the_way_to_thymin_is_longest() -> None:
    session = yard("A1", ghoul("C1", still=False, keeps_away=True))
    choose(session, "stay")
    [moved] = events(session, Moved)
    assert (moved.path, moved.away) == (("D1", "E1"), True)
    assert "Ghoul 1 comes to E1, away from Thymin." in session.story()


def test_cornered_it_stays_and_strikes_back() -> None:
    session = yard("F1", ghoul("G1", still=False, keeps_away=True, speed=0))
    choose(session, "stay", "hold")
    assert present(session.pending).purpose == "Attack of Ghoul 1, round 1"


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


@pytest.mark.parametrize(("flees_at", "square", "attacks"), [(25, "B1", 1), (24, "B2", 2)])
def test_who_is_hurt_enough_flees_and_attacks_no_more(flees_at: int, square: str, attacks: int) -> None:
    session = yard("B3", ghoul("B2", still=False, flees_at=flees_at, speed=1), conditions={"push_squares": 0})
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)
    if attacks == 2:
        roll(session, 1, 1)
    assert on(session).enemies[1].health == 25
    assert on(session).enemies[1].square == square
    assert len(events(session, Exchanged)) == attacks


def test_an_enemy_of_two_attacks_strikes_twice_unless_the_first_parts_them() -> None:
    session = yard("B3", ghoul("B2", attacks=2))
    choose(session, "stay", "hold")
    roll(session, 1, 1)
    assert present(session.pending).purpose == "Attack of Ghoul 1, round 1, attack 2"
    roll(session, 6, 1)
    assert (thymin(session).health, on(session).thymin, on(session).round.number) == (
        14,
        "B4",
        2,
    )  # the pillar in B5 costs 1 more
    parted = yard("C3", ghoul("C2", attacks=2))
    choose(parted, "stay", "hold")
    roll(parted, 6, 1)
    assert (on(parted).thymin, on(parted).round.number) == ("C5", 2)


def test_a_charge_of_an_enemy_of_two_attacks_is_over_when_it_is_pushed() -> None:
    # From C6 it runs to C4 and charges; beaten by 4 it is pushed against the second ghoul, and stays.
    session = yard("C3", ghoul("C6", still=False, attacks=2), ghoul("C5"), conditions={"through_characters": True})
    choose(session, "stay")
    roll(session, 1, 6)
    roll(session, 3, 3)
    assert [e.attack for e in events(session, Exchanged)] == [1 + 8 + 1, 3 + 8]


def test_modifiers_of_one_enemy_count_for_it_alone() -> None:
    session = yard(
        "B2",
        ghoul("C2", modifiers={"thymin_attack": -2, "enemy_attack": 3}),
        ghoul("B3"),
        conditions={"attacks": 2, "push_squares": 0},
        modifiers={"enemy_defence": 1},
        rulings={"flanked-defence": "only-defence"},
    )
    choose(session, "stay", "attack-1")
    roll(session, 4, 1)
    choose(session, "attack-2")
    roll(session, 4, 1)
    roll(session, 2, 2)
    roll(session, 2, 2)
    assert [(e.attack, e.defence) for e in events(session, Exchanged)] == [(10, 10), (12, 10), (13, 9), (10, 9)]


@pytest.mark.parametrize(("collision", "lost"), [({"character": 3}, 3), ({"character": 0}, 0), ({}, 1)])
def test_a_paragraph_can_say_what_another_figure_costs(collision: dict[str, int], lost: int) -> None:
    session = yard("C3", ghoul("C4"), ghoul("C5"), conditions={"collision": collision})
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)
    assert on(session).enemies[1].health == 30 - 5 - lost
    assert on(session).enemies[2].health == 30


@pytest.mark.parametrize(
    ("enemy", "words"),
    [
        ({"keeps_away": True}, "cannot both stay where it is and keep away"),
        ({"attacks": 0}, "everybody has at least one attack"),
        ({"flees_at": -1}, "can be below 0"),
    ],
)
def test_manners_that_cannot_be_are_refused(enemy: dict[str, int], words: str) -> None:
    with pytest.raises(IllegalAction, match=words):
        yard("C3", ghoul("C4", **enemy))


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
