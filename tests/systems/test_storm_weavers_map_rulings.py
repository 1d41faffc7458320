"""Every ruling about fights on a map, both ways."""

from __future__ import annotations

import pytest

from loomtable.engine.storm_weavers.events.fights import Charged, Exchanged, Waited
from tests.systems.storm_weavers_yard import choose, events, ghoul, on, options, roll, roll_together, thymin, yard


@pytest.mark.parametrize(
    ("start", "speed", "ghouls", "ruling", "move", "target", "charge"),
    [
        ("A3", 2, ["C4"], "charge-direction: any-line", "C3", 1, 1),
        ("A3", 2, ["C4"], "charge-direction: towards-the-enemy", "C3", 1, 0),
        ("C1", 2, ["C4"], "charge-direction: any-line", "C3", 1, 1),
        ("C1", 2, ["C4"], "charge-direction: towards-the-enemy", "C3", 1, 1),
        # Where the direction counts, both run-ups are offered.
        ("E2", 9, ["F5", "E6"], "charge-direction: towards-the-enemy", "E5", 1, 1),
        ("E2", 9, ["F5", "E6"], "charge-direction: towards-the-enemy", "E5", 2, 0),
        ("E2", 9, ["F5", "E6"], "charge-direction: towards-the-enemy", "E5-south", 2, 1),
        ("B1", 3, ["C4"], "charge-run-up: last-two", "C3", 1, 1),
        ("B1", 3, ["C4"], "charge-run-up: whole-move", "C3", 1, 0),
    ],
)
def test_ruling_charge_direction_and_run_up(
    start: str, speed: int, ghouls: list[str], ruling: str, move: str, target: int, charge: int
) -> None:
    session = yard(start, *map(ghoul, ghouls), speed=speed, rulings=dict([ruling.split(": ")]))
    choose(session, move, f"attack-{target}")
    roll(session, 3, 3)
    assert len(events(session, Charged)) == charge


@pytest.mark.parametrize(("choice", "charge"), [("enemies-too", 1), ("only-thymin", 0)])
def test_ruling_enemy_charge(choice: str, charge: int) -> None:
    session = yard("C3", ghoul("C6", still=False), rulings={"enemy-charge": choice})
    choose(session, "stay")
    roll(session, 3, 3)
    assert events(session, Exchanged)[-1].attack == 3 + 8 + charge


@pytest.mark.parametrize(
    ("choice", "faces", "attacks"),
    [
        ("until-pushed", (3, 3), (12, 12)),  # 3 + 8 and the charge, twice
        ("first-attack", (3, 3), (12, 11)),
        ("until-pushed", (1, 6), (10, 11)),  # 10 against 14: thrown back from C3, no charge is left
    ],
)
def test_ruling_charge_several_attacks(choice: str, faces: tuple[int, int], attacks: tuple[int, int]) -> None:
    session = yard(
        "A3",
        ghoul("C2"),
        ghoul("C4"),
        rulings={"charge-several-attacks": choice, "flanked-defence": "only-defence"},
        conditions={"attacks": 2, "push_squares": 0} if faces == (3, 3) else {"attacks": 2},
    )
    choose(session, "C3", "attack-1")
    roll(session, *faces)
    if faces == (1, 6):  # pushed south, into the ghoul in C4: he stays, and still stands beside it
        assert on(session).thymin == "C3"
    choose(session, "attack-2")
    roll(session, 3, 3)
    assert tuple(e.attack for e in events(session, Exchanged)[:2]) == attacks


@pytest.mark.parametrize(("choice", "attack"), [("attack-and-defence", 9), ("only-defence", 10)])
def test_ruling_flanked_defence(choice: str, attack: int) -> None:
    session = yard("B3", ghoul("B2"), ghoul("C3"), rulings={"flanked-defence": choice})
    choose(session, "stay", "attack-1")
    roll(session, 2, 2, 2, 2)
    attacked, defended = events(session, Exchanged)[:2]
    assert (attacked.attack, defended.defence) == (attack, 9)


@pytest.mark.parametrize(("choice", "lost"), [("edge-is-an-obstacle", 6), ("edge-only-stops", 5)])
def test_ruling_push_off_map(choice: str, lost: int) -> None:
    session = yard("B1", ghoul("A1"), rulings={"push-off-map": choice})
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)
    assert (on(session).enemies[1].square, on(session).enemies[1].health) == ("A1", 30 - lost)


@pytest.mark.parametrize(("choice", "square", "thymins"), [("like-any-other", "E5", "A6"), ("never", "C5", "C6")])
def test_ruling_cunning_strike_pushes(choice: str, square: str, thymins: str) -> None:
    session = yard("A5", ghoul("A4", armour_class=9), rulings={"cunning-strike-pushes": choice})
    choose(session, "stay", "cunning-strike-1")
    roll_together(session, 1, 2)
    assert on(session).enemies[1].health == 27
    assert on(session).enemies[1].square == ("A2" if choice == "like-any-other" else "A4")
    failing = yard("C6", ghoul("D6"), rulings={"cunning-strike-pushes": choice})
    choose(failing, "stay", "cunning-strike-1")
    roll_together(failing, 6, 6)
    assert (on(failing).thymin, thymin(failing).health) == (thymins, 17)


@pytest.mark.parametrize(("choice", "square", "waits"), [("as-near-as-it-can", "E1", 0), ("stays", "D1", 1)])
def test_ruling_enemy_path_blocked(choice: str, square: str, waits: int) -> None:
    # In the corner G1 Thymin has two neighbours, and both are taken.
    session = yard(
        "G1", ghoul("F1"), ghoul("G2"), ghoul("D1", still=False), rulings={"enemy-path-blocked": choice}
    )
    choose(session, "stay", "hold")
    roll(session, 1, 1, 1, 1)
    assert on(session).enemies[3].square == square
    assert len(events(session, Waited)) == waits


@pytest.mark.parametrize(("choice", "can_pass"), [("taken-off", True), ("stay-in-the-way", False)])
def test_ruling_fallen_enemies(choice: str, can_pass: bool) -> None:
    session = yard("B3", ghoul("B2", health=1), ghoul("G6"), rulings={"fallen-enemies": choice})
    choose(session, "stay", "attack-1")
    roll(session, 6, 1)
    assert ("B2" in options(session)) is can_pass
