"""Random players: they take any action that a system offers, and answer whatever is asked."""

from __future__ import annotations

import random
from typing import Any

from engine.kernel.chance import random_answer
from engine.kernel.errors import LoomtableError
from engine.kernel.session import Session
from engine.storm_weavers.state import Tale
from engine.systems import SYSTEMS
from engine.weave.decks import challenge_deck
from engine.weave.state import Season
from engine.weave.suits import Suit


def some_action(session: Session[Any], source: random.Random) -> tuple[str, dict[str, Any]]:
    """An action that could be meant, legal or not."""
    if source.random() < 0.1:
        ruling = source.choice(list(session.system.rulings.values()))
        return "ruling", {"ruling": ruling.id, "choice": source.choice(ruling.choices).key}
    return (
        _weave(session.state, source) if session.system.key == "weave" else _storm_weavers(session.state, source)
    )


def _storm_weavers(tale: Tale, source: random.Random) -> tuple[str, dict[str, Any]]:
    if tale.thymin is None:
        return "create", {"dexterity_points": source.randint(0, 4)}
    enemy = {"name": "Goblin", "dexterity": source.randint(4, 9), "health": source.randint(1, 8)}
    return source.choice(
        [
            ("fight", {"enemy": enemy}),
            ("test", {"attribute": source.choice(["wisdom", "dexterity", "health"])}),
            ("coin-test", {}),
            ("change", {"attribute": "health", "by": source.randint(-4, 8), "reason": "the road"}),
            ("gain-item", {"item": "Lamp"}),
        ]
    )


def _weave(season: Season, source: random.Random) -> tuple[str, dict[str, Any]]:
    if not season.name:
        return "new-season", {"playset": "the-salt-road"}
    if not season.characters or source.random() < 0.1:
        return "add-character", {"player": source.choice(["Ada", "Ben"])}
    who = source.choice([*season.characters, "Nobody"])
    if source.random() < 0.15:
        return "end-scene", {}
    card = source.choice(challenge_deck())
    arguments: dict[str, Any] = {"who": who, "suit": source.choice(list(Suit)).value}
    if source.random() < 0.7:
        arguments |= {"suit": card.suit.value, "card": card.id.short}
    if source.random() < 0.3:
        arguments["instead"] = source.choice(list(Suit)).value
    return "challenge", arguments


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
