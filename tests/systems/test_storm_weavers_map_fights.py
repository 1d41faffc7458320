"""Fights on a map: the order of a round, its ends, refusals. ``tests/odds`` plays each blow by every throw."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.endings import round_ended, verdict
from loomtable.engine.storm_weavers.events.fights import FightEnded
from loomtable.engine.storm_weavers.plans import FightEnd, FightOutcome
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.state import Round
from tests.short import present, refuses
from tests.systems.storm_weavers_yard import choose, events, ghoul, on, roll, thymin, yard


def test_a_round_goes_thymin_then_each_enemy_by_number() -> None:
    session = yard("B3", ghoul("B2"), ghoul("C3"), ghoul("G6"))
    asked: list[str] = []
    for answer in ("stay", "attack-2", 1, 1, 1, 1, 1, 1):
        asked.append(present(session.pending).purpose)
        choose(session, answer) if isinstance(answer, str) else roll(session, answer)
    assert asked == [
        "Thymin's move, round 1",
        "Thymin's attack, round 1",
        "Attack of Thymin on Ghoul 2, round 1",
        "Defence of Ghoul 2, round 1",
        "Attack of Ghoul 1, round 1",
        "Defence of Thymin against Ghoul 1, round 1",
        "Attack of Ghoul 2, round 1",
        "Defence of Thymin against Ghoul 2, round 1",
    ]
    assert on(session).round.number == 2


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_round_is_won_by_injuries_caused_and_none_received(caused: int, received: int) -> None:
    assert round_ended(Round(3, caused, received)).won is (caused > 0 and received == 0)


ALL_DEAD = {"when": "all-dead", "to": 10}


@pytest.mark.parametrize(
    ("end", "faces", "outcome"),
    [
        ({"when": "rounds", "at": 2}, (1, 1, 1, 1), FightOutcome.ROUNDS),
        ({"when": "enemy-health", "at": 28}, (3, 1), FightOutcome.ENEMY_HEALTH),
        ({"when": "enemy-health", "at": 28, "enemy": 1}, (3, 1), FightOutcome.ENEMY_HEALTH),
        ({"when": "thymin-health", "at": 18}, (1, 3), FightOutcome.THYMIN_HEALTH),
        ({"when": "round-won"}, (3, 1, 1, 1), FightOutcome.ROUND_WON),
        ({"when": "round-lost"}, (1, 1, 1, 1), FightOutcome.ROUND_LOST),
    ],
)
def test_every_end_of_a_fight(end: dict[str, Any], faces: tuple[int, ...], outcome: FightOutcome) -> None:
    wolf = [{"attribute": "gold", "by": 7}, {"gain": "Ghoul's ring"}]
    session = yard("B3", ghoul("C3"), ghoul("G6"), ends=[ALL_DEAD, {**end, "to": 77, "changes": wolf}])
    choose(session, "stay", "attack-1")
    roll(session, *faces)
    if outcome is FightOutcome.ROUNDS:
        assert session.state.map_fight is not None
        choose(session, "stay", "hold")
        roll(session, 1, 1)
    assert [e.outcome for e in events(session, FightEnded)] == [outcome]
    assert (session.state.map_fight, session.state.paragraph, session.pending) == (None, 77, None)
    assert (thymin(session).gold, thymin(session).items) == (57, ("Axe", "Ghoul's ring"))


def test_the_first_end_that_holds_counts_and_an_enemy_that_is_not_meant_does_not() -> None:
    ends = (
        FightEnd(FightOutcome.ENEMY_HEALTH, at=3, enemy=2, to=1),
        FightEnd(FightOutcome.ENEMY_HEALTH, at=3, to=2),
    )
    over = verdict(ends, 20, {1: 2, 2: 9})
    assert over is not None
    assert over.end is ends[1]
    assert verdict(ends[:1], 20, {1: 2, 2: 9}) is None
    over = verdict((), 20, {1: 0, 2: -3})
    assert over is not None
    assert (over.outcome, over.end) == (FightOutcome.ALL_DEAD, None)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"enemies": []}, "a fight on a map needs an enemy"),
        ({"enemies": [ghoul("D2")]}, r"Ghoul 1 cannot start there: D2 is taken by an obstacle \(pillar\)"),
        ({"enemies": [ghoul("H2")]}, "H2 is not on the map sluice-yard, which ends at G6"),
        ({"enemies": [ghoul("zwei")]}, "zwei is not on the map"),
        ({"enemies": [ghoul("A1"), ghoul("A1")]}, "Ghoul 2 cannot start at A1: somebody is there already"),
        ({"enemies": [ghoul("B2")]}, "Ghoul 1 cannot start at B2: somebody is there already"),
        ({"enemies": [ghoul("A1")] * 3 + [ghoul("")]}, "somebody is there already"),
        ({"enemies": [ghoul("")] * 4}, "Ghoul 4 has no start square: the map sluice-yard marks none with 4"),
        ({"enemies": [ghoul("A1")], "thymin": "D2"}, "Thymin cannot start there: D2 is taken"),
        ({"enemies": [ghoul("A1", health=0)]}, "Ghoul has no Health to fight with"),
        ({"enemies": [ghoul("A1", name=" ")]}, "an enemy needs a name"),
        ({"enemies": [ghoul("A1")], "speed": -1}, "no Speed and no count of a fight can be below 0"),
        ({"enemies": [ghoul("A1")], "conditions": {"collision": {"pillar": -1}}}, "can be below 0"),
        ({"enemies": [ghoul("A1")], "conditions": {"attacks": 0}}, "everybody has at least one attack"),
        ({"enemies": [ghoul("A1")], "conditions": {"thymin_crosses": ["bog"]}}, "there is no obstacle 'bog'"),
        ({"enemies": [ghoul("A1")], "ends": [{"when": "rounds"}]}, "the end 'rounds' needs 'at'"),
        ({"enemies": [ghoul("A1")], "ends": [{"when": "round-won", "at": 2}]}, "has no 'at'"),
        ({"enemies": [ghoul("A1")], "ends": [{"when": "round-won", "enemy": 1}]}, "is not about one enemy"),
        ({"enemies": [ghoul("A1")], "ends": [{"when": "thymin-dead"}]}, "always leads to paragraph 225"),
        (
            {"enemies": [ghoul("A1")], "ends": [{"when": "enemy-health", "at": 1, "enemy": 2}]},
            "there is no enemy 2",
        ),
    ],
)
def test_refusals_in_words_change_nothing(plan: dict[str, Any], words: str) -> None:
    session = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=3)
    before = session.game
    refuses(session.perform, words, "map-fight", **{"map": "sluice-yard", **plan})
    assert (session.game, session.pending) == (before, None)


def test_an_unknown_map_and_a_second_fight_are_refused() -> None:
    session = yard("B3", ghoul("C3"))
    refuses(session.perform, "has to wait", "fight", enemy={"name": "Goblin", "dexterity": 6, "health": 3})
    fresh = Session.open(STORM_WEAVERS, seed="s")
    refuses(fresh.perform, "there is no Thymin yet", "map-fight", map="sluice-yard", enemies=[ghoul("A1")])
    fresh.perform("create", dexterity_points=3)
    with pytest.raises(ContentInvalid, match="there is no combat map 'moon'"):
        fresh.perform("map-fight", map="moon", enemies=[ghoul("A1")])


def test_the_board_shows_where_everybody_stands() -> None:
    session = yard("B3", ghoul("C3", health=1), ghoul("G6"))
    assert session.view("anybody")["board"] == [".......", "...#...", ".T1#...", "...#...", ".#.....", "......2"]
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)
    assert session.view("anybody")["board"][2] == ".T.#..."
