"""Fights on a map: phases, attacks, pushes, charges, flanking, ends, refusals."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError, ReadingMisfit
from loomtable.engine.kernel.readings import ChoiceReading, rolled
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.endings import round_ended, verdict
from loomtable.engine.storm_weavers.events.fights import (
    Charged,
    Exchanged,
    FightEnded,
    Flanked,
    Moved,
    PushedOut,
    RoundEnded,
)
from loomtable.engine.storm_weavers.plans import FightEnd, FightOutcome
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.state import Round
from tests.short import present, raises, refuses
from tests.systems.storm_weavers_yard import choose, events, ghoul, on, options, roll, roll_together, thymin, yard


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


def test_only_adjacent_enemies_can_be_attacked_and_nobody_has_to() -> None:
    session = yard("B3", ghoul("B2"), ghoul("C4"), ghoul("A2"))
    choose(session, "stay")
    assert options(session) == {"attack-1", "cunning-strike-1", "hold"}
    choose(session, "hold")
    assert present(session.pending).purpose == "Attack of Ghoul 1, round 1"


def test_moves_stop_at_obstacles_and_figures() -> None:
    session = yard("C3", ghoul("C2"))
    assert options(session) == {"stay", "B3", "C4", "A3", "B2", "B4", "C5"}
    before = session.game
    raises(ReadingMisfit, "'D3' is not among the choices", choose, session, "D3")
    assert session.game == before
    jumping = yard(
        "C3", ghoul("C2"), speed=2, conditions={"thymin_crosses": ["trough"], "through_characters": True}
    )
    assert options(jumping) == {"stay", "B3", "C4", "A3", "B2", "B4", "C5", "E3", "C1"}


@pytest.mark.parametrize(("speed", "own", "reached"), [(None, 2, "E6"), (3, 3, "D6"), (0, 0, "G6")])
def test_the_fights_speed_counts_for_everybody(speed: int | None, own: int, reached: str) -> None:
    session = yard("A6", ghoul("G6", still=False), speed=speed)
    assert ("A5" in options(session)) == (own > 0)
    choose(session, "stay")
    assert on(session).enemies[1].square == reached


def test_an_enemy_keeps_its_own_speed_and_thymin_that_of_his_sheet() -> None:
    session = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=3)
    session.perform("change", attribute="speed", to=1, reason="a sprained ankle")
    session.perform("map-fight", map="sluice-yard", thymin="A6", enemies=[ghoul("G6", still=False, speed=4)])
    assert options(session) == {"stay", "A5", "B6"}
    choose(session, "stay")
    assert on(session).enemies[1].square == "C6"


def test_the_path_of_an_enemy_and_its_ties_are_shown() -> None:
    session = yard("C2", ghoul("E2", still=False))
    choose(session, "stay")
    assert [(e.path, e.shortest, e.equally_short) for e in events(session, Moved)] == [(("E1", "D1"), 3, 1)]
    session = yard("D1", ghoul("F3", still=False, speed=1))
    choose(session, "stay")
    [moved] = events(session, Moved)
    assert (moved.path, moved.shortest, moved.equally_short) == (("F2",), 3, 3)
    assert "Ghoul 1 comes to F2." in session.story()


@pytest.mark.parametrize(
    ("start", "square", "charge"),
    [("A3", "C3", 1), ("C1", "C3", 1), ("C2", "C3", 0), ("B2", "C3", 0), ("C3", "stay", 0)],
)
def test_a_charge_is_two_squares_in_a_straight_line(start: str, square: str, charge: int) -> None:
    session = yard(start, ghoul("C4"))
    choose(session, square, "attack-1")
    roll(session, 3, 3)
    assert events(session, Exchanged)[-1].attack == 3 + 8 + charge
    assert len(events(session, Charged)) == charge


def test_a_cunning_strike_is_no_charge() -> None:
    session = yard("A3", ghoul("C4"))
    choose(session, "C3", "cunning-strike-1")
    roll_together(session, 1, 1)
    assert events(session, Charged) == []


@pytest.mark.parametrize(("enemies", "lost"), [(1, 0), (2, 1), (3, 2), (4, 3)])
def test_flanking_lowers_dexterity(enemies: int, lost: int) -> None:
    session = yard("B3", *(ghoul(s) for s in ("B2", "C3", "B4", "A3")[:enemies]))
    choose(session, "stay", "attack-1")
    roll(session, 2, 2, 2, 2)
    attacked, defended = events(session, Exchanged)[:2]
    assert (attacked.attack, defended.defence) == (2 + 8 - lost, 2 + 8 - lost)
    assert {e.lost for e in events(session, Flanked)} == ({lost} if lost else set())
    assert thymin(session).dexterity == 8


def test_diagonal_enemies_and_fallen_ones_flank_nobody() -> None:
    session = yard("B3", ghoul("B2"), ghoul("C3", health=1), ghoul("A2"))
    choose(session, "stay", "attack-2")
    roll(session, 6, 1)  # flanked by two, but one falls
    roll(session, 2, 2)
    assert events(session, Exchanged)[-1].defence == 10


@pytest.mark.parametrize(
    ("thymin_at", "enemy_at", "path", "stopped_by", "lost"),
    [
        ("C5", "D5", ("E5", "F5"), "", 5),
        ("B2", "C2", (), "pillar", 6),
        ("A5", "A4", ("A3", "A2"), "", 5),
        ("F4", "E4", (), "trough", 6),
        ("C1", "B1", ("A1",), "the edge of the map", 6),
        ("D5", "E5", ("F5",), "Ghoul 2", 6),
    ],
)
def test_a_push_out(thymin_at: str, enemy_at: str, path: tuple[str, ...], stopped_by: str, lost: int) -> None:
    session = yard(thymin_at, ghoul(enemy_at), ghoul("G5"))
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)  # 14 against 9
    [push] = events(session, PushedOut)
    assert (push.path, push.stopped_by) == (path, stopped_by)
    assert on(session).enemies[1].health == 30 - lost
    assert on(session).enemies[1].square == (path[-1] if path else enemy_at)
    assert on(session).enemies[2].health == 30


@pytest.mark.parametrize(("defence", "pushes"), [(4, 0), (3, 1)])
def test_two_injuries_push_nobody(defence: int, pushes: int) -> None:
    session = yard("B3", ghoul("C3"))
    choose(session, "stay", "attack-1")
    roll(session, 6, defence)
    assert len(events(session, PushedOut)) == pushes


def test_thymin_is_pushed_from_whoever_hurt_him_and_a_defender_pushes_too() -> None:
    session = yard("B3", ghoul("C3"), ghoul("B4"))
    choose(session, "stay", "attack-1")
    roll(session, 1, 6)  # 9 - 1 (flanked) against 14: thrown west
    assert on(session).thymin == "A3"
    assert thymin(session).health == 20 - 6 - 1  # the map ends
    assert events(session, PushedOut)[0].who == "Thymin"


def test_a_fallen_enemy_is_not_pushed_and_acts_no_more() -> None:
    session = yard("B3", ghoul("B2", health=5, still=False), ghoul("G6"))
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)
    assert events(session, PushedOut) == []
    assert present(session.pending).purpose == "Thymin's move, round 2"
    choose(session, "C4")
    assert on(session).enemies[1].square == "B2"


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_round_is_won_by_injuries_caused_and_none_received(caused: int, received: int) -> None:
    assert round_ended(Round(3, caused, received)).won is (caused > 0 and received == 0)


def test_injuries_of_the_round_are_counted_whoever_attacks() -> None:
    session = yard("B3", ghoul("C3"), ghoul("G6"))
    choose(session, "stay", "attack-1")
    roll(session, 3, 1)  # 2 injuries
    roll(session, 1, 2)  # Thymin wins as the defender: 1 more
    [ended] = events(session, RoundEnded)
    assert (ended.round, ended.caused, ended.received, ended.won) == (1, 3, 0, True)
    choose(session, "stay", "hold")
    roll(session, 2, 1)
    assert events(session, RoundEnded)[-1].won is False


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


def test_all_enemies_dead_and_thymin_dead() -> None:
    session = yard("B3", ghoul("C3", health=1), ends=[ALL_DEAD])
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)
    assert (session.state.map_fight, session.state.paragraph) == (None, 10)
    session = yard(
        "B3", ghoul("C3", weapon_bonus=20), ends=[ALL_DEAD, {"when": "thymin-health", "at": 5, "to": 11}]
    )
    choose(session, "stay", "attack-1")
    roll(session, 1, 6)
    assert (session.state.map_fight, session.state.paragraph) == (None, 225)
    [ended] = events(session, FightEnded)
    assert (ended.outcome, ended.won) == (FightOutcome.THYMIN_DEAD, False)


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


def test_conditions_attacks_pushes_and_collisions() -> None:
    session = yard(
        "B2",
        ghoul("C2"),
        ghoul("B3"),
        conditions={"attacks": 2, "collision": {"pillar": 4}, "cunning_strike": False},
        modifiers={"thymin_attack": 2, "enemy_defence": 1, "enemy_attack": -1, "thymin_defence": 3},
    )
    choose(session, "stay")
    assert options(session) == {"attack-1", "attack-2", "hold"}
    choose(session, "attack-1")
    roll(session, 6, 1)  # 6 + 8 - 1 + 2 against 1 + 8 + 1
    assert on(session).enemies[1].health == 30 - 5 - 4
    assert options(session) == {"attack-2", "hold"}
    choose(session, "attack-2")
    roll(session, 2, 2)
    roll(session, 2, 2)
    attacks = [(e.attack, e.defence) for e in events(session, Exchanged)]
    assert attacks == [(15, 10), (11, 11), (9, 12)]
    still = yard("B2", ghoul("C2"), conditions={"push_squares": 0})
    choose(still, "stay", "attack-1")
    roll(still, 6, 1)
    assert events(still, PushedOut) == []


def test_a_paragraph_can_say_what_the_edge_costs() -> None:
    session = yard("B1", ghoul("A1"), conditions={"collision": {"the edge of the map": 10}})
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)
    assert on(session).enemies[1].health == 30 - 5 - 10


def test_an_enemy_crosses_what_it_may_and_never_stops_there() -> None:
    session = yard("A3", ghoul("F3", still=False), conditions={"enemies_cross": ["trough"]})
    choose(session, "stay")
    assert on(session).enemies[1].square == "E3"
    choose(session, "stay")
    assert on(session).enemies[1].square == "C3"


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


def test_a_die_put_right_in_the_middle_of_a_fight_moves_everybody() -> None:
    session = yard("B3", ghoul("C3"), ghoul("G6", still=False))
    choose(session, "stay", "attack-1")
    roll(session, 4, 1)  # pushed out, so nobody attacks
    line = next(p.step.seq for p in session.played if getattr(p.step.what, "dice", None))
    assert len(events(session, PushedOut)) == 1
    consequences = session.amend(line, rolled(Die.D6, 2))
    assert consequences.dropped == ()
    assert events(session, PushedOut) == []
    assert present(session.pending).purpose == "Attack of Ghoul 1, round 1"
    with pytest.raises(LoomtableError):
        session.answer(ChoiceReading(("stay",)))
