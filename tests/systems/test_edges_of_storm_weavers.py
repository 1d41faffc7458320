"""Storm Weavers at the edges of its rules."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Game, Play
from loomtable.engine.kernel.readings import ChoiceReading, rolled
from loomtable.engine.storm_weavers.attacks import Fighter, added_when_hurt, attack, cunning_strike, make_test
from loomtable.engine.storm_weavers.combat_map import CombatMap
from loomtable.engine.storm_weavers.endings import round_ended, verdict
from loomtable.engine.storm_weavers.map_attacks import charge_bonus, enemy_attacks, thymins_attacks
from loomtable.engine.storm_weavers.movement import (
    Ground,
    adjacent,
    destinations,
    lost_when_flanked,
    path_away,
    push_out,
    run_up_of,
    run_ups,
    walked,
    way_to_reach,
)
from loomtable.engine.storm_weavers.paragraphs import change_by, die_if_spent
from loomtable.engine.storm_weavers.plans import Change, Enemy, FightEnd, FightOutcome, Terms
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS, change, create
from loomtable.engine.storm_weavers.sheet import Attribute, CarriedGear, Gear, Sheet
from loomtable.engine.storm_weavers.squares import Direction, square_at
from loomtable.engine.storm_weavers.state import Fight, Round, Tale
from tests.short import present
from tests.systems.edges import Edge, each, edge, holds, played
from tests.systems.storm_weavers_yard import ghoul, yard

#   A B C D E
# 1 . . . . .
# 2 . . . . .
# 3 . . . . .
# 4 . . . . .
# 5 . . . . .
OPEN = Ground(CombatMap("m", "M", 5, 5, {}, "A1", {}))
SHEET = Sheet(dexterity=7, wisdom=7)


def blocked(*taken: str, wall: str = "", crosses: bool = False) -> Ground:
    """The open ground with figures on some squares, and a bench that may be crossed on another."""
    benches = {wall: "bench"} if wall else {}
    kinds = frozenset(["bench"]) if crosses else frozenset[str]()
    return Ground(CombatMap("m", "M", 5, 5, benches, "A1", {}), frozenset(taken), kinds)


def charges(square: str, speed: int, ground: Ground = OPEN, start: str = "C3") -> list[str]:
    """From where a move from C3 can end on a square with a run-up."""
    return [str(direction) for direction in run_ups(ground, start, square, speed)]


def line(*path: str, whole: bool = False) -> str:
    return str(run_up_of("C3", path, whole_move=whole) or "")


def pushed(start: str, ground: Ground = OPEN, squares: int = 2) -> tuple[str, str]:
    """Where a push to the north ends, and what stops it."""
    way = push_out(ground, f"{start[0]}{int(start[1]) + 1}", start, squares)
    return " ".join(way.path), way.stopped_by


def goes(square: str, speed: int, ground: Ground = OPEN) -> bool:
    return square in destinations(ground, "C3", speed)


def away(start: str, target: str, speed: int) -> str:
    return " ".join(path_away(OPEN, start, target, speed))


def comes(start: str, target: str) -> tuple[str, int]:
    """An enemy's way to a square next to its target, and how many are as short."""
    way = present(way_to_reach(OPEN, start, target))
    return " ".join(way.path), way.equally_short


def flanked(*squares: str) -> int:
    return lost_when_flanked(adjacent(OPEN.map, "C3", squares))


def tale(health: int = 20, **rulings: str) -> Game[Tale]:
    state = Tale(thymin=replace(SHEET, health=health), fight=Fight(Enemy("Goblin", 7, 9)))
    given = {ruling.replace("_", "-"): choice for ruling, choice in rulings.items()}
    return Game(state, {**STORM_WEAVERS.rulings.defaults(), **given})


def passes(total: int, health: int = 20, modifier: int = 0, **rulings: str) -> bool:
    """Whether a test of Wisdom 7 is passed."""
    dice = rolled(Die.D6, total // 2, total - total // 2)
    return played(tale(health, **rulings), lambda p: make_test(p, Attribute.WISDOM, modifier), dice)[0]


def blow(attacks: int, defends: int, bonus: int = 0, armour: int = 0, **rulings: str) -> tuple[str, int]:
    """Who is hurt by Thymin's attack with equal Dexterity, and how much."""
    thymin, goblin = Fighter("Thymin", 7, 7, bonus, 0), Fighter("Goblin", 7, 7, 1, armour, 1)
    dice = rolled(Die.D6, attacks), rolled(Die.D6, defends)
    wound, _ = played(tale(20, **rulings), lambda p: attack(p, thymin, goblin, "a", "d"), *dice)
    return (wound.loser.name, wound.injuries) if wound else ("", 0)


def strike(total: int) -> tuple[int, int]:
    """The Health of Thymin and of a Goblin with armour after a Cunning Strike."""
    thymin, goblin = Fighter("Thymin", 7, 7, 2, 2), Fighter("Goblin", 7, 7, 2, 2, 1)
    dice = rolled(Die.D6, total // 2, total - total // 2)
    state = played(tale(), lambda p: cunning_strike(p, thymin, goblin, Terms()), dice)[1]
    return present(state.thymin).health, present(state.fight).enemy.health


def over(
    thymin: int, *enemies: int, at: int = 0, when: str = "", enemy: int = 0, finished: Round | None = None
) -> str:
    """How a fight ends now; empty where it goes on."""
    ends = [FightEnd(FightOutcome(when), at, enemy)] if when else []
    done = verdict(ends, thymin, dict(enumerate(enemies, 1)), round_ended(finished) if finished else None)
    return str(done.outcome) if done else ""


def won(caused: int, received: int) -> bool:
    return round_ended(Round(1, caused, received)).won


def changed(attribute: str, now: int, by: int, below: str = "falls-below") -> int:
    return now + change_by(now, Change(Attribute(attribute), by), below)


def shoved(attacks: int, defends: int, ghoul_health: int = 30, health: int = 20) -> tuple[str, str]:
    """Where Thymin (from C4) and a ghoul (from C3) of the same Dexterity stand after his attack."""
    begun = yard("C4", ghoul("C3", health=ghoul_health)).game
    begun = replace(begun, state=replace(begun.state, thymin=replace(present(begun.state.thymin), health=health)))
    answers = ChoiceReading(("attack-1",)), rolled(Die.D6, attacks), rolled(Die.D6, defends)
    fought = present(played(begun, lambda p: thymins_attacks(p, None), *answers)[1].map_fight)
    return fought.thymin, fought.enemies[1].square


def bitten(ghoul_health: int, *dice: int) -> int:
    """Thymin's Health once a ghoul beside him, which flees at 4, has acted; it rolls for its attack if it does."""
    begun = yard("C4", ghoul("C3", health=ghoul_health, flees_at=4)).game
    answers = [rolled(Die.D6, face) for face in dice]
    return present(played(begun, lambda p: enemy_attacks(p, 1, None), *answers)[1].thymin).health


def charged(run_up: Direction | None, ruling: str = "any-line") -> int:
    """What a run-up that ended on C4 adds to an attack to the north."""
    begun = yard("C4", ghoul("C3"), rulings={"charge-direction": ruling}).game
    return charge_bonus(Play(begun, "s"), run_up, "C4", "C3")


def paid(by: int, attribute: str = "gold") -> int:
    """The crowns, or another number, that are left when a person changes it."""
    what = Attribute(attribute)
    state = played(tale(), lambda p: change(p, attribute=what, reason="x", by=by))[1]
    return present(state.thymin).value(what)


def worn(count: int) -> int:
    """What the loss of one Chainmail of so many takes, where one carried a bonus of 2."""
    mail = CarriedGear(armour_class=2, item="Chainmail")
    sheet = replace(SHEET, items=("Chainmail",) * count, gear=(mail,), armour_class=2)
    return sheet.taken_with("Chainmail", "falls-below").armour_class


def spent(health: int) -> int | None:
    """The paragraph that a Health leads to."""
    return played(tale(health), die_if_spent)[1].paragraph


def made(points: int) -> tuple[int, int]:
    state = played(Game(Tale(), STORM_WEAVERS.rulings.defaults()), lambda p: create(p, dexterity_points=points))[1]
    return present(state.thymin).dexterity, present(state.thymin).wisdom


def brought(weapon_bonus: int, armour_class: int, below: str) -> tuple[int, int]:
    """What gear adds to Weapon Bonus 1 and Armour Class 0."""
    gear = replace(SHEET, weapon_bonus=1).brought_by(Gear(weapon_bonus, armour_class), below)
    return gear.weapon_bonus, gear.armour_class


ONE_HURT: Any = Round(3, 1, 0)
EDGES = (
    edge("SW-12 one straight step is no run-up", [], charges, "C2", 2),
    edge("SW-12 two are", ["north"], charges, "C1", 2),
    edge("SW-12 Speed 1 is never enough", [], charges, "C2", 1),
    edge("SW-12 a step back and forth on the spot", [], charges, "C2", 3),
    edge("SW-12 nor back on the spot itself", [], charges, "C3", 4),
    edge("SW-12 a longer way within Speed", ["east"], charges, "D2", 4, blocked("C4", "D3", "D4", "E2")),
    edge("SW-12 one that is a square too long", [], charges, "D2", 3, blocked("C4", "D3", "D4", "E2")),
    edge("SW-12 not onto somebody", [], charges, "C1", 2, blocked("C1")),
    edge("SW-12 not past somebody", [], charges, "C1", 2, blocked("C2")),
    edge("SW-12 over a bench that may be crossed", ["north"], charges, "C1", 2, blocked(wall="C2", crosses=True)),
    edge("SW-12 a corner", "", line, "C2", "D2"),
    edge("SW-12 the last two in line", "north", line, "D3", "D2", "D1"),
    edge("SW-12 or all of them", "", line, "D3", "D2", "D1", whole=True),
    edge("SW-12 there and back", "", line, "C2", "C3"),
    edge("SW-6 as far as Speed", True, goes, "C1", 2),
    edge("SW-6 one farther", False, goes, "B1", 2),
    edge("SW-6 round a corner", True, goes, "D2", 2),
    edge("SW-6 not onto somebody", False, goes, "C2", 2, blocked("C2")),
    edge("SW-6 not through somebody", False, goes, "C1", 2, blocked("C2")),
    edge("SW-6 across a bench", True, goes, "C1", 2, blocked(wall="C2", crosses=True)),
    edge("SW-6 not to stop on it", False, goes, "C2", 2, blocked(wall="C2", crosses=True)),
    edge("SW-6 no farther than the path", ("C2",), walked, OPEN, ("C2",), 2),
    edge("SW-6 back to where it can stand", ("B3",), walked, blocked(wall="B2"), ("B3", "B2", "B1"), 2),
    edge("SW-7 beside its target it stays", ("", 1), comes, "C2", "C3"),
    edge("SW-7 three ways as short: north first", ("A2 A1", 3), comes, "A3", "B1"),
    edge("SW-7 away, until nothing is farther", "", away, "E5", "A1", 2),
    edge("SW-7 one square is farther", "E5", away, "E4", "A1", 2),
    edge("SW-13 nobody", 0, flanked),
    edge("SW-13 one", 0, flanked, "C2"),
    edge("SW-13 two", 1, flanked, "C2", "C4"),
    edge("SW-13 four", 3, flanked, "C2", "C4", "B3", "D3"),
    edge("SW-13 not across a corner", 0, flanked, "C2", "B2"),
    edge("SW-10 two squares", ("C2 C1", ""), pushed, "C3"),
    edge("SW-10 one, and the edge", ("C1", "the edge of the map"), pushed, "C2"),
    edge("SW-10 on the edge", ("", "the edge of the map"), pushed, "C1"),
    edge("SW-10 somebody on the second", ("C2", "C1"), pushed, "C3", blocked("C1")),
    edge("SW-10 somebody on the third", ("C2 C1", ""), pushed, "C3", blocked("C4")),
    edge("SW-10 a bench", ("", "bench"), pushed, "C3", blocked(wall="C2", crosses=True)),
    edge("SW-10 two injuries", ("C4", "C3"), shoved, 3, 1),
    edge("SW-10 three", ("C4", "C1"), shoved, 4, 1),
    edge("SW-10 three to the attacker", ("C6", "C3"), shoved, 1, 4),
    edge("SW-10 the dead are not pushed", ("C4", "C3"), shoved, 4, 1, 3),
    edge("SW-10 nor Thymin", ("C4", "C3"), shoved, 1, 4, health=3),
    edge("SW-10 with 1 left he is", ("C6", "C3"), shoved, 1, 4, health=4),
    edge("SW-7 at the Health at which it flees", 20, bitten, 4),
    edge("SW-7 one above", 15, bitten, 5, 6, 1),
    edge("SW-12 no run-up", 0, charged, None),
    edge("SW-12 any line", 1, charged, Direction.EAST),
    edge("SW-12 or towards the enemy", 0, charged, Direction.EAST, "towards-the-enemy"),
    edge("SW-12 and it is", 1, charged, Direction.NORTH, "towards-the-enemy"),
    edge("SW-2 all crowns", 0, paid, -50),
    edge("SW-2 one more than there are", "cannot change by -51", paid, -51),
    edge("SW-2 the only Chainmail takes its bonus", -2, worn, 1),
    edge("SW-2 of two alike the plain one goes first", 0, worn, 2),
    edge("SW-3 the attribute exactly", True, passes, 7),
    edge("SW-3 one more", False, passes, 8),
    edge("SW-3 Health 10", True, passes, 7, 10),
    edge("SW-3 Health 9", True, passes, 5, 9),
    edge("SW-3 Health 9, one more", False, passes, 6, 9),
    edge("SW-3 Health 5", 2, added_when_hurt, 5, "plus-4"),
    edge("SW-3 Health 4", 2, added_when_hurt, 4, "plus-2"),
    edge("SW-3 or as below", 4, added_when_hurt, 4, "plus-4"),
    edge("SW-3 or nothing", 0, added_when_hurt, 4, "none"),
    edge("SW-3 Health 3", 4, added_when_hurt, 3, "none"),
    edge("SW-8 a tie", ("", 0), blow, 3, 3, 2),
    edge("SW-8 or Weapon Bonus alone", ("Thymin", 1), blow, 3, 3, 2, tie="defender-wins"),
    edge("SW-8 one more", ("Goblin", 1), blow, 4, 3),
    edge("SW-8 one fewer hurts Thymin", ("Thymin", 2), blow, 3, 4, 5),
    edge("SW-9 armour as thick as the blow", ("", 0), blow, 4, 3, 1, 2),
    edge("SW-9 thicker", ("", 0), blow, 4, 3, 0, 5),
    edge("SW-9 one thinner", ("Goblin", 1), blow, 4, 3, 2, 2),
    edge("SW-11 Wisdom exactly, armour ignored", (20, 6), strike, 7),
    edge("SW-11 one more", (17, 9), strike, 8),
    edge("SW-14 caused and none received", True, won, 1, 0),
    edge("SW-14 both", False, won, 5, 1),
    edge("SW-14 none at all", False, won, 0, 0),
    edge("SW-16 Health 1", "", over, 1, 9),
    edge("SW-16 Health 0", "thymin-dead", over, 0, 9),
    edge("SW-16 below 0", "thymin-dead", over, -2, 9),
    edge("SW-16 both at 0", "thymin-dead", over, 0, 0),
    edge("SW-5 one of two enemies", "", over, 9, 0, 1),
    edge("SW-5 the last, at 0", "all-dead", over, 9, 0, 0),
    edge("SW-5 an enemy at its Health", "enemy-health", over, 9, 4, when="enemy-health", at=4),
    edge("SW-5 one above", "", over, 9, 5, when="enemy-health", at=4),
    edge("SW-5 another enemy", "", over, 9, 4, 5, when="enemy-health", at=4, enemy=2),
    edge("SW-5 Thymin at his", "thymin-health", over, 4, 9, when="thymin-health", at=4),
    edge("SW-5 the third round of three", "rounds", over, 9, 9, when="rounds", at=3, finished=ONE_HURT),
    edge("SW-5 the third of four", "", over, 9, 9, when="rounds", at=4, finished=ONE_HURT),
    edge("SW-5 in the middle of a round", "", over, 9, 9, when="rounds", at=1),
    edge("SW-1 Health up to 20", 20, changed, "health", 19, 3),
    edge("SW-1 at 20", 20, changed, "health", 20, 1),
    edge("SW-1 more is not taken away", 22, changed, "health", 22, 1),
    edge("SW-2 Health may fall below 0", -2, changed, "health", 1, -3),
    edge("SW-2 the last crown", 0, changed, "gold", 5, -5),
    edge("SW-2 one crown too few", 0, changed, "gold", 5, -6),
    edge("SW-2 Weapon Bonus below 0", -1, changed, "weapon_bonus", 1, -2),
    edge("SW-2 or not", 0, changed, "weapon_bonus", 1, -2, below="stops-at-0"),
    edge("SW-2 one that is below stays there", -2, changed, "weapon_bonus", -2, -1, below="stops-at-0"),
    edge("SW-2 gear takes a bonus to 0", (-1, 0), brought, -2, -1, "stops-at-0"),
    edge("SW-2 or below", (-2, -1), brought, -2, -1, "falls-below"),
    edge("SW-16 the tale goes on at 1", None, spent, 1),
    edge("SW-16 and ends at 0", 225, spent, 0),
    edge("SW-1 all four points to Wisdom", (5, 9), made, 0),
    edge("SW-1 all four to Dexterity", (9, 5), made, 4),
    edge("SW-5 column 26", "Z1", square_at, 25, 0),
    edge("SW-5 column 27", "AA1", square_at, 26, 0),
)


@each(*EDGES)
def test_storm_weavers_at_the_edge_of_a_rule(edge: Edge) -> None:
    holds(edge)
