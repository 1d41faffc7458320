"""Fights in the sluice yard for the tests: how to begin one, answer in it and look at it."""

from __future__ import annotations

from typing import Any, TypeVar

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.readings import ChoiceReading, rolled
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.state import MapFight, Tale
from tests.short import as_a, present

E = TypeVar("E", bound=Event)

#   A B C D E F G      The sluice yard: o is a pillar, ~ a trough.
# 1 . . . . . . .
# 2 . . . o . . .
# 3 . . . ~ . . .
# 4 . . . ~ . . .
# 5 . o . . . . .
# 6 . . . . . . .


def ghoul(square: str, **more: Any) -> dict[str, Any]:
    """A ghoul that stays where it is, unless told otherwise."""
    return {"name": "Ghoul", "dexterity": 8, "health": 30, "square": square, "still": True, **more}


def yard(
    thymin: str, *enemies: dict[str, Any], rulings: dict[str, str] | None = None, **more: Any
) -> Session[Tale]:
    """A fight in the sluice yard with Thymin (Dexterity 8, Wisdom 6) at a square."""
    session = Session.open(STORM_WEAVERS, seed="s", rulings=rulings)
    session.perform("create", dexterity_points=3)
    session.perform("map-fight", map="sluice-yard", thymin=thymin, enemies=list(enemies), **more)
    return session


def choose(session: Session[Tale], *keys: str) -> None:
    for key in keys:
        session.answer(ChoiceReading((key,)))


def roll(session: Session[Tale], *faces: int) -> None:
    """One die after the other."""
    for face in faces:
        session.answer(rolled(Die.D6, face))


def roll_together(session: Session[Tale], *faces: int) -> None:
    """All dice at once."""
    session.answer(rolled(Die.D6, *faces))


def events(session: Session[Tale], sort: type[E]) -> list[E]:
    return [e for played in session.played for e in played.events if isinstance(e, sort)]


def options(session: Session[Tale]) -> set[str]:
    return {o.key for o in as_a(Choose, session.pending).options}


def thymin(session: Session[Tale]) -> Sheet:
    return present(session.state.thymin)


def on(session: Session[Tale]) -> MapFight:
    return present(session.state.map_fight)
