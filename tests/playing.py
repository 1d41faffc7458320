"""Random players: they take any action that a system offers, and answer whatever is asked."""

from __future__ import annotations

import random
from typing import Any

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.turns import due
from loomtable.engine.systems import SYSTEMS
from tests.mnemonic_playing import mnemonic_action
from tests.storm_weavers_playing import storm_weavers_action
from tests.weave_playing import weave_action
from tests.woven_playing import woven_action


def some_action(session: Session[Any], source: random.Random) -> tuple[str, dict[str, Any]]:
    """An action that could be meant, legal or not."""
    if source.random() < 0.1:
        ruling = source.choice(list(session.system.rulings.values()))
        return "ruling", {"ruling": ruling.id, "choice": source.choice(ruling.choices).key}
    return _PLAYERS[session.system.key](session.state, source)


def _spellwoven(adventure: Adventure, source: random.Random) -> tuple[str, dict[str, Any]]:
    cast = [
        ("add-player-character", {"player": "Ada", "ready": "hedda-marl", "called": "Hedda"}),
        ("add-player-character", {"player": "Ben", "ready": "joss-greave", "called": "Joss"}),
        ("add-player-character", {"player": "Ada", "ready": "sister-amable", "called": "Amable"}),
        ("add-npc", {"ready": "sworn-blade", "called": "Blade"}),
        ("add-incidental-npc", {"ready": "outlaw-archer", "called": "Archer"}),
        ("add-incidental-npc", {"ready": "musketeer", "called": "Musketeer"}),
    ]
    missing = [c for c in cast if c[1]["called"] not in adventure.characters]
    if missing and (len(missing) > 2 or source.random() < 0.2):
        return missing[0]
    names = list(adventure.characters)
    if adventure.conflict is None:
        proximities = {n: source.choice(["engaged", "engaged", "nearby", "distant"]) for n in names}
        alive = {n: p for n, p in proximities.items() if not adventure.characters[n].dead}
        who, other = source.choice(names), source.choice(names)
        peace: list[tuple[str, dict[str, Any]]] = [
            ("begin-conflict", {"combatants": alive}),
            ("begin-conflict", {"combatants": alive}),
            ("recuperate", {"who": {who: source.choice(["bed-rest", "light"])}, "days": source.randint(1, 9)}),
            ("pass-time", {"hours": source.randint(1, 30)}),
            ("first-aid", {"who": "Amable", "patient": other}),
            ("equip", {"who": who, "weapons": ["hand-axe"], "armour": ["full-plate"], "shield": "large"}),
            ("mend-armour", {"who": who}),
            ("repair-shield", {"who": who}),
            ("change-effort", {"who": who, "by": source.randint(-2, 5), "reason": "a song"}),
            ("test", {"who": who, "skill": "senses", "situation": source.choice(["even", "advantage"])}),
            ("opposed-test", {"who": who, "skill": "senses", "opposer": other, "opposing_skill": "prowess"}),
        ]
        return source.choice(peace)
    waiting = due(adventure)
    if not waiting and source.random() < 0.8:
        return "next-round", {}
    who = source.choice(waiting) if waiting and source.random() < 0.95 else source.choice(names)
    others = [n for n in names if adventure.characters[n].side != adventure.characters[who].side]
    target = source.choice(others if others and source.random() < 0.8 else names)
    if source.random() < 0.5:
        return "attack", {"who": who, "target": target}
    if source.random() < 0.3:
        return "act", {"who": who, "doing": "shouts", "skill": source.choice(["", "senses"])}
    turn: list[tuple[str, dict[str, Any]]] = [
        ("move", {"who": who, "to": source.choice(["engaged", "nearby"]), "towards": target}),
        ("move", {"who": who, "to": source.choice(["nearby", "distant"]), "test": "speed"}),
        ("talk", {"who": who, "target": target, "intent": source.choice(["distract", "delay"]), "skill": "charm"}),
        ("use-talent", {"who": who, "talent": source.choice(["guarded-stance", "battle-cry", "second-wind"])}),
        ("first-aid", {"who": "Amable", "patient": source.choice(names)}),
        ("load", {"who": who}),
        ("cooperate", {"who": ["Hedda", "Joss"]}),
        ("ambush", {"ambushers": [who], "surprised": [target]}),
        ("opportunity-attack", {"who": who, "target": target}),
        ("join-conflict", {"who": target, "proximity": "nearby"}),
        ("flee" if source.random() < 0.3 else "surrender", {"who": source.choice([who, "Archer"])}),
        ("morale", {"who": [target], "because": "a horn in the woods"}),
        ("end-conflict", {"outcome": "a truce" if source.random() < 0.2 else ""}),
    ]
    return source.choice(turn)


_PLAYERS = {
    "weave": weave_action,
    "storm-weavers": storm_weavers_action,
    "spellwoven": _spellwoven,
    "mnemonic": mnemonic_action,
    "woven": woven_action,
}


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
