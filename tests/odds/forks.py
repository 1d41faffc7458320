"""Sessions that can be tried out: forked from a journal, and played on with every outcome of the dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.journal import Journal
from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, TextReading, rolled
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.state import Tale
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import Season


def season(rulings: Mapping[str, str] | None = None) -> Session[Season]:
    """A season with one character: Ilse, Core Suit Gales."""
    session = Session.open(WEAVE, seed="odds", rulings=rulings)
    session.perform("new-season", playset="the-salt-road")
    for number in (5, 16, 14):
        session.answer(CardReading(ComponentId.parse(f"S{number}")))
        session.answer(ChoiceReading(("1",)))
    session.answer(TextReading("A season"))
    session.perform("add-character", player="Ada")
    session.answer(ChoiceReading(("gales",)))
    for number in (1, 8, 6, 9):
        session.answer(CardReading(ComponentId.parse(f"S{number}")))
        session.answer(ChoiceReading(("1",)))
    session.answer(TextReading("Ilse"))
    return session


def tale(rulings: Mapping[str, str] | None = None, **changes: int) -> Session[Tale]:
    """Thymin with Dexterity 7 and Wisdom 7, changed by so much."""
    session = Session.open(STORM_WEAVERS, seed="odds", rulings=rulings)
    session.perform("create", dexterity_points=2)
    for attribute, by in changes.items():
        session.perform("change", attribute=attribute, by=by, reason="the odds")
    return session


def fork(session: Session[Any]) -> Session[Any]:
    """The same session again; what is played there is not played here."""
    return Session(session.system, Journal(session.lines()))


def throws(
    die: Die, count: int, faces: Mapping[Face, int] | None = None
) -> Iterator[tuple[tuple[Face, ...], Fraction]]:
    """Every throw of so many dice, each with its chance; ``faces`` may put faces that are alike together."""
    weights = dict.fromkeys(die.faces, 1) if faces is None else dict(faces)
    assert sum(weights.values()) == len(die.faces)
    for lying in combinations_with_replacement(weights, count):
        ways = factorial(count) // prod(factorial(lying.count(face)) for face in set(lying))
        yield lying, Fraction(ways * prod(weights[f] for f in lying), len(die.faces) ** count)


def each_throw(session: Session[Any]) -> Iterator[tuple[Session[Any], tuple[Event, ...], Fraction]]:
    """The open roll answered with every throw in order, each in a fork of its own, with what changed."""
    pending = session.pending
    assert isinstance(pending, Roll)
    for faces in product(pending.die.faces, repeat=pending.count):
        trial = fork(session)
        yield (
            trial,
            trial.answer(rolled(pending.die, *faces)),
            Fraction(1, len(pending.die.faces) ** pending.count),
        )
