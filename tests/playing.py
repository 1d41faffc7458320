"""One random player for every game: it takes any action that a system declares, and answers whatever is asked."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.legal import begins
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import STORYTELLER
from loomtable.engine.systems import SYSTEMS

WORDS = ("Ada", "Ben", "Cleo", "Dov")
NUMBERS = (1, 2, 0, 3, 4, 6, 9, -1)
TRIES = 12


def some_action(session: Session[Any], source: random.Random) -> tuple[str, dict[str, Any]]:
    """An action that could be meant: mostly a legal one, where one is found."""
    if source.random() < 0.1:
        ruling = source.choice(list(session.system.rulings.values()))
        return "ruling", {"ruling": ruling.id, "choice": source.choice(ruling.choices).key}
    system, game = session.system, session.game
    if source.random() < 0.4:  # what was done least so far, for arguments at random seldom fit it
        done = Counter(p.step.what.name for p in session.played if isinstance(p.step.what, Action))
        legal = system.legal_actions(game, STORYTELLER, each=8)
        names = sorted(dict.fromkeys(a.name for a in legal), key=lambda name: (done[name], source.random()))
        if names:
            chosen = source.choice([action for action in legal if action.name == names[0]])
            return chosen.name, chosen.args
    able = system.candidates(game, STORYTELLER, words=WORDS, numbers=NUMBERS)
    rules = system.begun_by(STORYTELLER)
    for _ in range(1 if source.random() < 0.15 else TRIES):
        action = able.action_at_random(source.choice(rules), source)
        if begins(system, game, action):
            break
    return action.name, action.args


def play_at_random(session: Session[Any], source: random.Random, steps: int, *, undo: float = 0.0) -> None:
    """Play ``steps`` steps; what the engine refuses is passed over, what it raises otherwise is a defect."""
    for _ in range(steps):
        try:
            if source.random() < undo:
                session.undo()
            elif session.pending is not None:
                session.answer(random_answer(session.pending, source))
            else:
                name, args = some_action(session, source)
                session.perform(name, **args)
        except LoomtableError:
            continue


def random_session(system: str, seed: int, steps: int, *, undo: float = 0.0) -> Session[Any]:
    """A session that was played at random."""
    session: Session[Any] = Session.open(SYSTEMS[system], seed=str(seed))
    play_at_random(session, random.Random(seed), steps, undo=undo)
    return session
