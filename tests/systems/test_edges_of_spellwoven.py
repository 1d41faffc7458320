"""Spellwoven at the edges of its rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from loomtable.engine.kernel.play import Game, Play
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.spellwoven.acting import attack, talk
from loomtable.engine.spellwoven.armoury import Proximity, ShieldSize
from loomtable.engine.spellwoven.attribute_tests import (
    Leaning,
    best_or_worst,
    outnumbered,
    skill_test,
    successes_of,
)
from loomtable.engine.spellwoven.events.fight import TalkIntent
from loomtable.engine.spellwoven.events.order import CooperationPaid, RoundBegun
from loomtable.engine.spellwoven.healing import first_aid, recuperate, reduced
from loomtable.engine.spellwoven.levels import LEVELS, Levels, Severity, healed, landing, severity_of, stacked
from loomtable.engine.spellwoven.reach import usable
from loomtable.engine.spellwoven.rounds import cooperate
from loomtable.engine.spellwoven.state import Activity, Adventure, Character, Distraction, Shield
from loomtable.engine.spellwoven.strike import evasion_penalty, quickness_defence
from loomtable.engine.spellwoven.turns import can_act, momentum, order_of, settle_ties
from loomtable.engine.spellwoven.wounding import WeaponBlow, deal
from tests.short import present
from tests.systems.edges import Edge, each, edge, holds, played
from tests.systems.spellwoven_table import fight, reading, sheet, table

ENGAGED, NEARBY, DISTANT = Proximity
LAST, LOST = Distraction.ACTS_LAST, Distraction.LOSES_TURN
SHALLOW, DEEP, GRIEVOUS, FELLING, MORTAL = LEVELS
SLOTS, ONE_AND_ONE, TWO_AND_ONE = Levels(3, 3, 2, 1, 1), Levels(1, 1), Levels(2, 1)
FEW = Levels(shallow=1, grievous=1, felling=1, mortal=1)
"""The track of somebody incidental: one slot a level, and no Deep one."""
LOW, EIGHT, HIGH = {"initiative": 3}, {"initiative": 8}, {"initiative": 9}
GROUP = {"cooperating": True, "group": 1}
DAZED = {**HIGH, "distraction": LAST, "distracted_in": 1}
MANY = {"wound_slots": Levels(20), "rulings": {"wound-limit": "on"}}


@cache
def fought(on: bool = True) -> Game[Adventure]:
    """Hero, Friend and Foe, all Engaged in the first round; or before they meet."""
    session = table({"weapons": ["mace", "hunting-bow", "throwing-knife"]})
    session.perform("add-player-character", player="Ben", sheet=sheet("Friend"))
    return (fight(session, "Hero") if on else session).game


def game(hero: Any = None, friend: Any = None, foe: Any = None, on: bool = True, **sheets: Any) -> Game[Adventure]:
    """The same with other values of the combatants, of the Hero's sheet (``own``), the hours and the rulings."""
    begun = fought(on)
    state = begun.state.with_character("Hero", **sheets.pop("own", {}))
    for name, values in {"Hero": hero, "Friend": friend, "Foe": foe}.items():
        state = state.with_combatant(name, **(values or {}))
    rulings = sheets.pop("rulings", {})
    return Game(replace(state, **sheets), {**begun.rulings, **rulings})


def order(hero: Any, friend: Any, foe: Any) -> str:
    """Who acts, in which order."""
    return ", ".join(
        order_of(game({**LOW, "tie": (1,), **hero}, {**LOW, "tie": (2,), **friend}, {"tie": (3,), **foe}).state)
    )


def passes(faces: tuple[int, ...], difficulty: int | None, effort: int = 0, spend: int = 0) -> tuple[bool, int]:
    """Whether the Hero passes a test of 5 outside of conflicts, and the Effort left."""
    answers: list[Reading] = [reading(faces), *([reading(spend)] if effort else [])]
    begun = game(on=False, own={"effort": effort})
    done = played(begun, lambda p: skill_test(p, "Hero", "senses", difficulty, "x", rule="SP-1"), *answers)
    return done[0].successes >= (difficulty or 1), done[1].characters["Hero"].effort


def after_round(initiative: int, *successes: bool, cooperates: bool = False) -> int:
    """The Hero's initiative in the next round."""
    state = game({"initiative": initiative}).state
    for success in successes:
        state = momentum("Hero", success).apply(state)
    state = CooperationPaid(who="Hero").apply(state) if cooperates else state
    return present(RoundBegun(round=2).apply(state).conflict).combatants["Hero"].initiative


def together(hero: int, friend: int) -> tuple[bool, bool]:
    begun = game({"initiative": hero}, {"initiative": friend})
    after = present(played(begun, lambda p: cooperate(p, who=("Hero", "Friend")))[1].conflict).combatants
    return after["Hero"].cooperating, after["Friend"].cooperating


def many(way: str, friend: str = "engaged", attackers: tuple[str, ...] = ()) -> bool:
    """Whether the Hero is outnumbered once Friend has come over to the Foe."""
    begun = game({"attacked_by": attackers}, {"proximity": friend}, rulings={"outnumbering": way})
    side = begun.state.characters["Foe"].side
    return outnumbered(Play(replace(begun, state=begun.state.with_character("Friend", side=side)), "s"), "Hero")


def evasion(slots: Levels, **rulings: str) -> tuple[int, int]:
    """What armour takes from Quickness Defence, and what is left of 1."""
    play = Play(game(own={"own_soak": slots}, rulings=rulings), "s")
    return evasion_penalty(play, "Hero"), quickness_defence(play, "Hero")


def struck(severity: Severity, *answers: Any, rulings: Any = None, pierces: bool = False, **own: Any) -> Character:
    """The Hero after a blow."""
    begun = game(own={"wound_slots": SLOTS, **own}, rulings=rulings or {})
    blow = WeaponBlow(severity, pierces=pierces)
    return played(begun, lambda p: deal(p, "Hero", blow), *map(reading, answers))[1].characters["Hero"]


def wounds(severity: Severity, *answers: Any, **own: Any) -> tuple[int, ...]:
    return struck(severity, *answers, **own).wounds.counts


def fate(severity: Severity, **own: Any) -> str:
    hero = struck(severity, **own)
    return "dead" if hero.dead else "down" if hero.incapacitated else "maimed" if hero.maimed else "up"


def shield(left: int, *answers: str) -> tuple[int, tuple[int, ...]]:
    """What is left of the Hero's shield after a Deep blow, and the wounds."""
    hero = struck(DEEP, *answers, shield=Shield(ShieldSize.LARGE, 3, 3 - left))
    return present(hero.shield).left, hero.wounds.counts


def soaked(worn: int, used: int, **more: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The soak that is marked and the wounds after a Deep blow at armour with Deep soak."""
    hero = struck(DEEP, soak_slots=Levels(deep=worn, grievous=3), soak_marked=Levels(deep=used), **more)
    return hero.soak_marked.counts, hero.wounds.counts


def tended(hours: int, *faces: int, wounds: Levels = TWO_AND_ONE) -> tuple[int, ...]:
    """The wounds of the Hero, who had first aid at hour 0, once Friend tends them."""
    begun = game(on=False, own={"wounds": wounds, "treated_at": 0}, hours=hours)
    state = played(begun, lambda p: first_aid(p, who="Friend", patient="Hero"), reading(faces))[1]
    return state.characters["Hero"].wounds.counts


def rested(days: int, activity: Activity, wounds: Levels = ONE_AND_ONE, **own: Any) -> tuple[int, ...]:
    begun = game(on=False, own={"wounds": wounds, **own})
    state = played(begun, lambda p: recuperate(p, who={"Hero": activity}, days=days))[1]
    return state.characters["Hero"].wounds.counts


def spoken(*faces: int, acted: bool = False) -> tuple[str | None, int]:
    """What a talk that is to distract a Foe of Presence Defence 1 brings, and in which round it counts."""
    answers = [reading(faces), *([reading("acts-last")] if min(faces) <= 5 else [])]
    intent = TalkIntent.DISTRACT
    begun = game(HIGH, LOW, {"acted": acted})
    state = played(begun, lambda p: talk(p, who="Hero", target="Foe", intent=intent, skill="charm"), *answers)[1]
    foe = present(state.conflict).combatants["Foe"]
    return foe.distraction, foe.distracted_in


def hits(*faces: int, guard: int = 0) -> bool:
    """Whether an attack hits a Foe of Quickness Defence 1, by the momentum that it brings."""
    begun, glance = game(HIGH, LOW, {"guard": guard}), [reading((10, 10, 9))]
    answers = [reading(faces), *(glance if min(faces) <= 5 - 5 * guard else [])]
    state = played(begun, lambda p: attack(p, who="Hero", target="Foe", weapon="mace"), *answers)[1]
    return present(state.conflict).combatants["Hero"].momentum > 0


def reaches(weapon: str, hero: Proximity, foe: Proximity) -> bool:
    play = Play(game({"proximity": hero}, foe={"proximity": foe}), "s")
    return bool(usable(play, "Hero", "Foe", weapon))


def maimed(wounds: Levels) -> bool:
    """Whether somebody maimed still is after a success of first aid."""
    begun = game(on=False, own={"wounds": wounds, "maimed": True})
    state = played(begun, lambda p: first_aid(p, who="Friend", patient="Hero"), reading((5, 6, 6)))[1]
    return state.characters["Hero"].maimed


def share(days: int, wounds: Levels) -> int:
    """What days in bed leave over of the next recuperation, of 105."""
    begun = game(on=False, own={"wounds": wounds})
    state = played(begun, lambda p: recuperate(p, who={"Hero": Activity.BED_REST}, days=days))[1]
    return state.characters["Hero"].rested


def joins(*dice: int) -> str:
    """The order once the Foe has come to a tie that Hero (3) and Friend (5) have settled."""
    rulings = {"initiative-rolls": "one-by-one"}
    begun = game({**HIGH, "tie": (3,)}, {**HIGH, "tie": (5,)}, {**HIGH, "tie": ()}, rulings=rulings)
    return ", ".join(order_of(played(begun, settle_ties, *(reading((die,)) for die in dice))[1]))


def acts(until: int, hours: int) -> bool:
    return can_act(game(own={"resting_until": until}, hours=hours).state, "Hero")


def eased(wounds: Levels, *chosen: Severity) -> Levels:
    """The wounds of the Hero after these got milder, where a wound does not flow past a full level."""
    hero = game(own={"wounds": wounds, "wound_slots": SLOTS}).state.characters["Hero"]
    return reduced(hero, chosen, flows=False)


def net(favours: int, hinders: int, stacking: str) -> int:
    return Leaning(("x",) * favours, ("y",) * hinders).net(stacking)


EDGES = (
    edge("SP-1 at the rating, one above it, and a 1", 3, successes_of, (5, 6, 1), 5),
    edge("SP-1 three 1s at rating 1", 6, successes_of, (1, 1, 1), 1),
    edge("SP-1 a 1 counts at rating 0", 2, successes_of, (1, 2, 3), 0),
    edge("SP-1 as many as the difficulty", (True, 0), passes, (5, 5, 6), 2),
    edge("SP-1 one fewer", (False, 0), passes, (5, 6, 6), 2),
    edge("SP-1 no success where no difficulty is set", (False, 0), passes, (6, 6, 6), None),
    edge("SP-2 the last Effort", (True, 0), passes, (6, 6, 6), 2, 2, 2),
    edge("SP-2 one short", (False, 1), passes, (6, 6, 6), 2, 2, 1),
    edge("SP-23 the best three", (1, 2, 3), best_or_worst, (4, 3, 1, 2), 1),
    edge("SP-23 the worst three", (2, 3, 4), best_or_worst, (4, 3, 1, 2), -1),
    edge("SP-23 two against one cancel", 0, net, 2, 1, "cancel"),
    edge("SP-23 or the majority counts", 1, net, 2, 1, "majority"),
    edge("SP-23 but once", -1, net, 0, 3, "majority"),
    edge("SP-23 one each", 0, net, 1, 1, "majority"),
    edge("SP-6 the highest first", "Foe, Hero, Friend", order, {"initiative": 5}, LOW, HIGH),
    edge("SP-3 in a tie the lowest die", "Hero, Friend, Foe", order, HIGH, HIGH, HIGH),
    edge("SP-3 a second die decides", "Friend, Hero, Foe", order, {"tie": (2, 5)}, {"tie": (2, 4)}, LOW),
    edge("SP-22 who shoots acts first", "Hero, Foe, Friend", order, {**LOW, "shoots": True}, LOW, HIGH),
    edge("SP-8 who is distracted acts last", "Friend, Foe, Hero", order, DAZED, LOW, LOW),
    edge("SP-8 not before that round", "Hero, Friend, Foe", order, {**DAZED, "distracted_in": 2}, LOW, LOW),
    edge("SP-8 nor after it", "Hero, Friend, Foe", order, {**DAZED, "distracted_in": 0}, LOW, LOW),
    edge("SP-8 distracted and shooting: last", "Friend, Foe, Hero", order, {**DAZED, "shoots": True}, LOW, LOW),
    edge("SP-8 two: the shooter first", "Foe, Friend, Hero", order, DAZED, {**DAZED, **LOW, "shoots": True}, LOW),
    edge("SP-8 a lost turn is not put off", "Hero, Friend, Foe", order, {**DAZED, "distraction": LOST}, LOW, LOW),
    edge("SP-3 a newcomer rolls alone", "Hero, Foe, Friend", joins, 4),
    edge("SP-3 and with whom it ties", "Foe, Hero, Friend", joins, 3, 9, 8),
    edge("SP-5 together on the highest", "Hero, Friend, Foe", order, {**HIGH, **GROUP}, GROUP, EIGHT),
    edge("SP-5 of their own group", "Hero, Foe, Friend", order, {**HIGH, **GROUP}, {**GROUP, "group": 2}, EIGHT),
    edge("SP-4 a success", 4, after_round, 3, True),
    edge("SP-4 a failure at 1", 0, after_round, 1, False),
    edge("SP-4 a failure at 0", 0, after_round, 0, False),
    edge("SP-5 cooperation at 5", 0, after_round, 5, cooperates=True),
    edge("SP-5 and a failure", 0, after_round, 5, False, cooperates=True),
    edge("SP-5 and a success", 1, after_round, 5, True, cooperates=True),
    edge("SP-5 both at 5", (True, True), together, 5, 5),
    edge("SP-5 one at 4", "initiative 4; cooperation needs 5", together, 4, 9),
    edge("SP-8 as many successes as Presence Defence", (LAST, 1), spoken, 5, 6, 6),
    edge("SP-8 none", (None, 0), spoken, 6, 6, 6),
    edge("SP-8 who has acted is distracted in the next round", (LAST, 2), spoken, 5, 6, 6, acted=True),
    edge("SP-10 as many successes as Quickness Defence", True, hits, 5, 6, 6),
    edge("SP-10 none", False, hits, 6, 6, 6),
    edge("SP-9 one fewer than with a guard", False, hits, 5, 6, 6, guard=1),
    edge("SP-10 hand-to-hand, both Engaged", True, reaches, "mace", ENGAGED, ENGAGED),
    edge("SP-10 one Nearby", "hand-to-hand", reaches, "mace", ENGAGED, NEARBY),
    edge("SP-10 or the other", "hand-to-hand", reaches, "mace", NEARBY, ENGAGED),
    edge("SP-10 as far as a bow reaches", True, reaches, "hunting-bow", DISTANT, ENGAGED),
    edge(
        "SP-10 one step beyond a throwing knife", "reaches no farther", reaches, "throwing-knife", DISTANT, ENGAGED
    ),
    edge("SP-10 as far as it reaches", True, reaches, "throwing-knife", NEARBY, NEARBY),
    edge("SP-22 maimed while a wound is left", True, maimed, Levels(2)),
    edge("SP-22 fully healed", False, maimed, Levels(1)),
    edge("SP-22 one against one, and one Nearby", False, many, "engaged-sides", "nearby"),
    edge("SP-22 one against two", True, many, "engaged-sides"),
    edge("SP-22 one attacker", False, many, "own-attackers", attackers=("Foe",)),
    edge("SP-22 two attackers", True, many, "own-attackers", attackers=("Foe", "Fiend")),
    edge("SP-16 four slots", (0, 1), evasion, Levels(3, 1)),
    edge("SP-16 five slots", (1, 0), evasion, Levels(3, 2)),
    edge("SP-16 nine slots", (1, 0), evasion, Levels(3, 3, 3)),
    edge("SP-16 ten slots, and never below 0", (2, 0), evasion, Levels(3, 3, 3, 1)),
    edge("SP-22 encumbrance of five slots", (0, 1), evasion, Levels(3, 2), encumbrance="on"),
    edge("SP-22 of six", (1, 0), evasion, Levels(3, 3), encumbrance="on"),
    edge("SP-11 no success", "glance", severity_of, 0),
    edge("SP-11 one", "shallow", severity_of, 1),
    edge("SP-11 five", "mortal", severity_of, 5),
    edge("SP-11 nine", "mortal", severity_of, 9),
    edge("SP-12 the last free slot", SHALLOW, landing, SLOTS, Levels(2), SHALLOW),
    edge("SP-12 a full level", DEEP, landing, SLOTS, Levels(3), SHALLOW),
    edge("SP-12 two full levels", GRIEVOUS, landing, SLOTS, Levels(3, 3), SHALLOW),
    edge("SP-12 nothing is free", None, landing, SLOTS, SLOTS, SHALLOW),
    edge("SP-12 never downward", None, landing, SLOTS, Levels(mortal=1), MORTAL),
    edge("SP-14 a level that is missing", GRIEVOUS, landing, FEW, Levels(), DEEP),
    edge("SP-15 pieces stack to three", Levels(3, 3, 1), stacked, Levels(2, 1), Levels(2, 2, 1)),
    edge("SP-13 Felling", "down", fate, FELLING),
    edge("SP-13 a second one is Mortal where there is one slot", "dead", fate, FELLING, wounds=Levels(felling=1)),
    edge("SP-13 Grievous", "up", fate, GRIEVOUS),
    edge("SP-12 Grievous that flows to Felling", "down", fate, GRIEVOUS, wounds=Levels(grievous=2)),
    edge("SP-13 Mortal kills", "dead", fate, MORTAL),
    edge("SP-11 a Glance is nothing", (0, 0, 0, 0, 0), wounds, Severity.GLANCE),
    edge("SP-22 the eleventh wound", "up", fate, SHALLOW, wounds=Levels(10), **MANY),
    edge("SP-22 the twelfth", "down", fate, SHALLOW, wounds=Levels(11), **MANY),
    edge("SP-22 as many wounds as Fortitude", "up", fate, SHALLOW, wounds=Levels(2, 2), rulings={"maiming": "on"}),
    edge("SP-22 one more", "maimed", fate, SHALLOW, wounds=Levels(2, 3), rulings={"maiming": "on"}),
    edge("SP-15 the last soak", ((0, 2, 0, 0, 0), (0, 0, 0, 0, 0)), soaked, 2, 1),
    edge("SP-15 soak never overflows", ((0, 2, 0, 0, 0), (0, 1, 0, 0, 0)), soaked, 2, 2),
    edge("SP-17 a triplet goes past it", ((0, 0, 0, 0, 0), (0, 1, 0, 0, 0)), soaked, 2, 0, pierces=True),
    edge("SP-15 nor what overflows", ((0, 2, 0, 0, 0), (0, 3, 1, 0, 0)), soaked, 2, 2, wounds=Levels(deep=3)),
    edge("SP-18 the last of a shield", (0, (0, 0, 0, 0, 0)), shield, 1, "catch"),
    edge("SP-18 let through", (1, (0, 1, 0, 0, 0)), shield, 1, "let-through"),
    edge("SP-18 one that is destroyed is not asked about", (0, (0, 1, 0, 0, 0)), shield, 0),
    edge("SP-19 after 23 hours", "in the last 24 hours", tended, 23),
    edge("SP-19 after 24", (2, 0, 0, 0, 0), tended, 24, 5, 6, 6, wounds=Levels(3)),
    edge("SP-19 no success", (2, 1, 0, 0, 0), tended, 24, 6, 6, 6),
    edge("SP-19 as many as there are wounds", (1, 0, 0, 0, 0), tended, 24, 5, 5, 5),
    edge("SP-19 more than there are", (0, 0, 0, 0, 0), tended, 24, 1, 1, 1, wounds=Levels(1)),
    edge("SP-19 none to tend", "has no wounds", tended, 24, wounds=Levels()),
    edge("SP-19 the mildest first", Levels(3, 2), eased, Levels(3, 3), DEEP, SHALLOW),
    edge("SP-19 a full level below", Levels(3, 1), healed, SLOTS, Levels(3, 1), DEEP, flows=False),
    edge("SP-19 or it flows away", Levels(3), healed, SLOTS, Levels(3, 1), DEEP, flows=True),
    edge("SP-19 past a missing level", Levels(1), healed, FEW, Levels(grievous=1), GRIEVOUS, flows=False),
    edge("SP-20 two days in bed", (1, 1, 0, 0, 0), rested, 2, Activity.BED_REST),
    edge("SP-20 three", (1, 0, 0, 0, 0), rested, 3, Activity.BED_REST),
    edge("SP-20 four of light activity", (1, 1, 0, 0, 0), rested, 4, Activity.LIGHT),
    edge("SP-20 five", (1, 0, 0, 0, 0), rested, 5, Activity.LIGHT),
    edge("SP-20 six of heavy", (1, 1, 0, 0, 0), rested, 6, Activity.HEAVY),
    edge("SP-20 seven", (1, 0, 0, 0, 0), rested, 7, Activity.HEAVY),
    edge("SP-20 a day more counts for the next", 35, share, 4, Levels(1, 1)),
    edge("SP-20 unless nothing is left to heal", 0, share, 4, Levels(1)),
    edge("SP-20 no day", "1 to 366 days", rested, 0, Activity.HEAVY),
    edge("SP-20 366 days", (0, 0, 0, 0, 0), rested, 366, Activity.HEAVY),
    edge("SP-20 one too many", "1 to 366 days", rested, 367, Activity.HEAVY),
    edge("SP-19 an hour of rest, not over", False, acts, 5, 4),
    edge("SP-19 over", True, acts, 5, 5),
)


@each(*EDGES)
def test_spellwoven_at_the_edge_of_a_rule(edge: Edge) -> None:
    holds(edge)
