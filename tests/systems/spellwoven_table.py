"""A small table for the tests of Spellwoven: sheets in a line, fights that begin in a line, answers in a row."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import ChoiceReading, NumberReading, Reading, rolled
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.spellwoven.state import Adventure, Character, Combatant
from loomtable.engine.spellwoven.turns import due
from tests.short import present

SLOTS = {"shallow": 3, "deep": 3, "grievous": 2, "felling": 1, "mortal": 1}
HIT, MISS = (1, 1, 9), (8, 9, 10)
"""Four successes and none, against any rating from 1 to 7."""


def sheet(name: str, /, **changes: Any) -> dict[str, Any]:
    """Somebody with 5 in everything that the rules ask for, a mace (Menace 5) and a hunting bow (Menace 4)."""
    skills = ("quickness", "senses", "fortitude", "prowess", "healing", "charm", "speed", "guile")
    fighting = ("one-handed-crush", "bows", "two-handed", "firearms", "thrown")
    plain: dict[str, Any] = {
        "name": name,
        "ratings": {**dict.fromkeys((*skills, *fighting), 5), **changes.pop("ratings", {})},
        "quickness_defence": 1,
        "presence_defence": 1,
        "wound_slots": SLOTS,
        "weapons": ["mace", "hunting-bow"],
    }
    return {**plain, **changes}


def table(
    hero: dict[str, Any] | None = None, foe: dict[str, Any] | None = None, **rulings: str
) -> Session[Adventure]:
    """A session with Hero (a player character) and Foe, and the rulings given."""
    session = Session.open(SPELLWOVEN, seed="s", rulings={k.replace("_", "-"): v for k, v in rulings.items()})
    session.perform("add-player-character", player="Ada", sheet=sheet("Hero", **(hero or {})))
    session.perform("add-npc", sheet=sheet("Foe", **(foe or {})))
    return session


def reading(given: tuple[int, ...] | int | str | list[str]) -> Reading:
    """Dice for a tuple, a number for a number, a choice for a key or a list of keys."""
    if isinstance(given, tuple):
        return rolled(Die.D10, *given)
    if isinstance(given, int):
        return NumberReading(given)
    return ChoiceReading((given,) if isinstance(given, str) else tuple(given))


def answer(session: Session[Adventure], *given: tuple[int, ...] | int | str | list[str]) -> None:
    """Answer what is asked, one after the other."""
    for one in given:
        session.answer(reading(one))


def fight(session: Session[Adventure], *first: str, **proximities: str) -> Session[Adventure]:
    """Begin a conflict, everybody Engaged unless said otherwise; who is named first acts first."""
    names = list(session.state.characters)
    order = [*first, *(n for n in names if n not in first)]
    session.perform("begin-conflict", combatants={n: proximities.get(n, "engaged") for n in names})
    for _ in names:
        assert session.pending is not None
        ahead = order.index(session.pending.by) == 0
        answer(session, (1, 1, 1) if ahead else (2, 9, 9) if order.index(session.pending.by) == 1 else (9, 9, 9))
        if session.pending is not None and "Effort" in session.pending.purpose:
            answer(session, 0)
    return session


def who(session: Session[Adventure], name: str) -> Character:
    """The character as it is now."""
    return session.state.characters[name]


def one(session: Session[Adventure], name: str) -> Combatant:
    """The combatant as it is now."""
    return present(session.state.conflict).combatants[name]


def strike(session: Session[Adventure], attacker: str, target: str, *menace: Any, weapon: str = "mace") -> None:
    """An attack that hits, with the answers that follow on it."""
    session.perform("attack", who=attacker, target=target, weapon=weapon)
    answer(session, HIT, *menace)


MENACE = {0: (10, 10, 9), 1: (2, 10, 9), 2: (2, 3, 10), 3: (2, 3, 4), 4: (1, 2, 3), 5: (1, 1, 2)}
"""Dice that count so many successes against a Menace of 4 or 5."""


def wound(
    session: Session[Adventure], attacker: str, target: str, successes: int, *more: Any, weapon: str = "mace"
) -> None:
    """An attack that hits and inflicts a wound of so many successes, out of any order."""
    strike(session, attacker, target, MENACE[successes], *more, weapon=weapon)


def pass_round(session: Session[Adventure]) -> None:
    """Everybody who has still to act does nothing, and the next round begins."""
    while due(session.state):
        session.perform("act", who=due(session.state)[0], doing="waits")
    session.perform("next-round")
