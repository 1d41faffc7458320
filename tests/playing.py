"""One random player for every game: it takes any action that a system declares, and answers whatever is asked."""

from __future__ import annotations

import os
import random
import typing
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.arguments import fields_in, without_none
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.journal import MemoryJournal
from loomtable.engine.kernel.legal import Candidates, begins
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS

WORDS = ("Ada", "Ben", "Cleo", "Dov")
NUMBERS = (1, 2, 0, 3, 4, 6, 9, -1)
TRIES = 12
STEPS = 60
EVENINGS = 2**32 if os.environ.get("HYPOTHESIS_PROFILE") == "explore" else 10
"""So many different evenings of each game: to play one takes far longer than to hold a law against it."""


def some_action(session: Session[Any], source: random.Random) -> Action:
    """An action that could be meant: mostly a legal one, where one is found."""
    if source.random() < 0.1:
        ruling = source.choice(list(session.system.rulings.values()))
        return Action("ruling", {"ruling": ruling.id, "choice": source.choice(ruling.choices).key})
    system, game = session.system, session.game
    if source.random() < 0.4:  # what was done least so far, for arguments at random seldom fit it
        done = Counter(p.step.what.name for p in session.played if isinstance(p.step.what, Action))
        legal = system.legal_actions(game, STORYTELLER, each=8)
        names = sorted(dict.fromkeys(a.name for a in legal), key=lambda name: (done[name], source.random()))
        if names:
            return source.choice([action for action in legal if action.name == names[0]])
    able = system.candidates(game, STORYTELLER, words=WORDS, numbers=NUMBERS)
    rules = system.begun_by(STORYTELLER)
    for _ in range(1 if source.random() < 0.15 else TRIES):
        rule = source.choice(rules)
        action = Action(rule.name, filled_at_random(able, rule.arguments, source))
        if begins(system.start, game, action):
            break
    return action


def some_step(session: Session[Any], source: random.Random) -> Action | Reading:
    """An answer to what is asked, or an action where nothing is."""
    return some_action(session, source) if session.pending is None else random_answer(session.pending, source)


def filled_at_random(able: Candidates, shape: type[msgspec.Struct], source: random.Random) -> dict[str, Any]:
    """Arguments that could be meant, legal or not; of those that can be left out about a third."""
    return {
        f.encode_name: _at_random(able, f.type, source)
        for f in fields_in(shape)
        if f.required or source.random() < 0.3
    }


def _at_random(able: Candidates, shape: Any, source: random.Random) -> Any:
    """One of the values that an argument of this type can have."""
    bare, _ = without_none(shape)
    origin, inside = typing.get_origin(bare), typing.get_args(bare)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return filled_at_random(able, bare, source)
    if origin in (tuple, list):
        each = able.of(inside[0]) or [_at_random(able, inside[0], source)]
        return source.sample(each, source.randint(1, len(each)))
    if origin is dict:
        keys = able.of(inside[0])
        return {key: _at_random(able, inside[1], source) for key in source.sample(keys, len(keys))}
    return source.choice(able.of(shape) or [None])


def play_at_random(session: Session[Any], source: random.Random, steps: int, *, undo: float = 0.0) -> None:
    """Play ``steps`` steps; what the engine refuses is passed over, what it raises otherwise is a defect."""
    for _ in range(steps):
        try:
            if source.random() < undo:
                session.undo()
            else:
                session.take(some_step(session, source))
        except LoomtableError:
            continue


def play_checked(
    session: Session[Any], source: random.Random, steps: int, check: Callable[[Session[Any]], None]
) -> None:
    """Play ``steps`` steps, and ``check`` after each; a refusal is a sentence and changes nothing."""
    for _ in range(steps):
        before = session.game
        try:
            session.take(some_step(session, source))
        except LoomtableError as refused:
            assert session.game == before, "a refusal changes nothing"
            assert str(refused)
            assert "\n" not in str(refused)
        check(session)


def random_session(system: str, seed: int, steps: int, *, undo: float = 0.0) -> Session[Any]:
    """A session that was played at random."""
    session: Session[Any] = Session.open(SYSTEMS[system], seed=str(seed))
    play_at_random(session, random.Random(seed), steps, undo=undo)
    return session


@cache
def live_evening(system: str, seed: int) -> Session[Any]:
    """A session of this game that was played at random, with undos; it is shared: look, do not touch."""
    return random_session(system, seed, STEPS, undo=0.1)


def evening(system: str, seed: int) -> Session[Any]:
    """The same session taken up from its journal, to do with as one likes."""
    return Session.resume(SYSTEMS, MemoryJournal(live_evening(system, seed).lines()))
