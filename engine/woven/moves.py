"""What a player may do now: every action with its arguments, for screens and for players who are not people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Action, Game, Play
from loomtable.engine.woven.charges import charge_to_recover_threads
from loomtable.engine.woven.state import Contest, Mage
from loomtable.engine.woven.system import WOVEN
from loomtable.engine.woven.travel import tendril_places


def legal_moves(game: Game[Contest], who: str) -> tuple[Action, ...]:
    """Every action, with its arguments, that a player can begin now; for the eyes of that player alone.

    What follows an action is asked then. Each action is tried on the rules themselves, so that this list and what
    the engine refuses cannot differ.
    """
    contest = game.state
    if who not in contest.mages or contest.turn is None:
        return ()
    play = Play(game, seed="")
    return tuple(action for action in thinkable_moves(contest, contest.mages[who]) if _begins(play, action))


def _begins(play: Play[Contest], action: Action) -> bool:
    """Whether the rules let an action begin; it is taken no further than to its first step."""
    steps = WOVEN.start(play, action)
    try:
        next(steps)
    except IllegalAction:
        return False
    steps.close()
    return True


def thinkable_moves(contest: Contest, mage: Mage) -> Iterator[Action]:
    """Actions that could be legal for a mage; those that are not among them never are."""
    ground = contest.ground

    def action(name: str, **args: Any) -> Action:
        return Action(name, {"who": mage.name, **args})

    for charged in mage.charged():
        if charge_to_recover_threads(mage, charged):
            yield action("spend-charge", spell=charged.key)
    if contest.turn is None or contest.turn.mage != mage.name:
        return
    yield action("rest")
    for to in ground.neighbours(mage.place) if mage.on_map else contest.home_of(mage):
        yield action("move", to=to)
    for spot in mage.tapestry.free_boxes():
        yield action("place-thread", at=list(spot))
    yield action("create-tendril")
    for start in tendril_places(contest, mage):
        yield action("recover", tendril=start)
        for to in ground.neighbours(start):
            yield action("move-tendril", start=start, to=to)
    for charged in mage.charged():
        yield action("recover", charge=charged.key)
    yield action("acquire-card")
    yield action("end-turn")
