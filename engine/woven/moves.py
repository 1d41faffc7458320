"""What a mage could do now: every action with its arguments that can be legal, for ``WOVEN.legal_actions``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from loomtable.engine.kernel.play import Action
from loomtable.engine.woven.charges import charge_to_recover_threads
from loomtable.engine.woven.region_map import RegionKey
from loomtable.engine.woven.state import Contest, Mage
from loomtable.engine.woven.system import WOVEN
from loomtable.engine.woven.travel import tendril_places


def _first_places(contest: Contest, mage: Mage) -> dict[RegionKey, None]:
    """Where a mage may come onto the map, and what is next to it: some tables move on from the edge at once."""
    homes = contest.home_of(mage)
    beside = (place for home in homes if mage.edge is not None for place in contest.ground.neighbours(home))
    return dict.fromkeys((*homes, *beside))


@WOVEN.thinkable
def thinkable_moves(contest: Contest, who: str) -> Iterator[Action]:
    """Actions that could be legal for a mage; those that are not among them never are."""
    if who not in contest.mages or contest.turn is None:
        return
    mage, ground = contest.mages[who], contest.ground

    def action(name: str, **args: Any) -> Action:
        return Action(name, {"who": who, **args})

    for charged in mage.charged():
        if charge_to_recover_threads(mage, charged):
            yield action("spend-charge", spell=charged.key)
    if contest.turn.mage != who:
        return
    yield action("rest")
    for to in ground.neighbours(mage.place) if mage.on_map else _first_places(contest, mage):
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
