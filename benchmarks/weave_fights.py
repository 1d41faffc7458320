"""Fights of Weave played at random, with the laws that must hold: ``python -m benchmarks.weave_fights [STEPS]``.

Arguments at random seldom name a quality that somebody has. Here two characters, an enemy, an NPC and a Boss
meet, with whatever their cards brought, and use all of it; ``random_play`` holds the same laws.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.cards.playset import QualityKind, playset_names
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import Season
from loomtable.engine.weave.suits import Suit
from loomtable.testing import check_session

TURNS = 24
USED_BY = {QualityKind.TALENT: ("use-talent", "talent"), QualityKind.ASSET: ("use-asset", "asset")}


def act(session: Session[Any], source: random.Random, action: str, **arguments: Any) -> None:
    """Begin an action and answer all that it asks; what the engine refuses is passed over."""
    try:
        session.perform(action, **arguments)
    except LoomtableError:
        return
    while session.pending is not None:
        try:
            session.answer(random_answer(session.pending, source))
        except LoomtableError:
            continue


def fight(seed: int) -> Session[Any]:
    """One fight, from the season's first card to its end."""
    source = random.Random(seed)
    session: Session[Season] = Session.open(WEAVE, seed=str(seed))
    names = playset_names()
    act(session, source, "ruling", ruling="decks", choice="dealt")
    act(session, source, "new-season", playset=names[seed % len(names)])
    for player in ("Ada", "Ben"):
        act(session, source, "add-character", player=player)
    act(session, source, "draw-hand")
    for kind in ("enemy", "npc"):
        act(session, source, "play-story", kind=kind)
    act(session, source, "set-place", location=session.state.locations[0].quality.name)
    boss = session.state.foundation[-1].quality.name
    act(session, source, "begin-encounter", against=[boss, *session.state.npcs], combat=True)
    for _ in range(TURNS):
        _turn(session, source)
    act(session, source, "end-encounter", resolution="Night falls.")
    return session


def _turn(session: Session[Season], source: random.Random) -> None:
    met = session.state.encounter
    if met is None:
        return
    who, other = met.acting, source.choice(met.participants)
    owned = session.state.figure(who).qualities
    if owned:
        quality = source.choice(owned)
        action, argument = USED_BY.get(quality.kind, ("passive", "quality"))
        act(session, source, action, who=who, **{argument: quality.quality.name})
    act(session, source, "move", who=who, other=other, closer=source.random() < 0.7)
    act(session, source, "attack", who=who, target=other, suit=source.choice(list(Suit)).value)
    act(session, source, "break-free", who=who)
    act(session, source, "end-turn")


def main(steps: int) -> None:
    """Play until so many steps count, and say what happened how often."""
    counted, fights = 0, 0
    events: Counter[str] = Counter()
    while counted < steps:
        session = fight(fights)
        check_session(session)
        events.update(type(event).__name__ for played in session.played for event in played.events)
        counted, fights = counted + len(session.played), fights + 1
    print(f"{fights} fights, {counted} steps that count; no law broken")
    print(", ".join(f"{count} {name}" for name, count in events.most_common()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
