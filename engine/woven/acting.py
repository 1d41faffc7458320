"""The actions of a turn besides resting: move, tendrils, threads and cards (WO-5 to WO-8)."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.woven.arguments import Box, Place, TendrilPlace, Who
from loomtable.engine.woven.asking import NO, choose_place
from loomtable.engine.woven.casting import cast
from loomtable.engine.woven.events.ground import Entered, Moved, TendrilMoved, TendrilPlaced
from loomtable.engine.woven.events.weaving import ThreadPlaced
from loomtable.engine.woven.patterns import Completed, completed
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.system import WOVEN, acting, on_map, pay
from loomtable.engine.woven.tapestries import CARD_COST, acquire_card
from loomtable.engine.woven.tapestry import Spot
from loomtable.engine.woven.travel import easing_spell, paid_cost, return_trouble, stands_on_the_edge, step_trouble
from loomtable.engine.woven.turns import after_action

TENDRIL_COST = 1
TENDRIL_MOVE_COST = 3


@WOVEN.action("move", "WO-5", begun_by=PLAYER, group="The turn")
def move(play: Play[Contest], *, who: Who, to: Place) -> Steps[None]:
    """Move into an adjacent location, for what its terrain and a river cost; or onto the map, at home."""
    mage = acting(play, who)
    there = play.state.ground.region(to)
    if stands_on_the_edge(play, mage):
        yield from _move_on_from_the_edge(play, who, to)
        return
    if not mage.on_map:
        trouble = return_trouble(play, who, to)
        cost = 0 if play.ruled("astral-plane") == "free" else there.terrain.cost
    else:
        trouble = step_trouble(play, who, mage.place, to, by_spell=False)
        cost = 0 if trouble else paid_cost(play, who, mage.place, to)
    if trouble:
        raise IllegalAction(trouble)
    pay(mage, cost, f"moving into {there.name} ({there.terrain})")
    if mage.on_map:
        yield _moved(play, who, mage.place, to, cost)
    else:
        yield Entered(who=who, at=to, cost=cost)
    yield from after_action(play, who)


def _moved(play: Play[Contest], who: str, start: RegionKey, to: RegionKey, cost: int) -> Moved:
    """A paid move; where a charged spell made it cheaper, by that spell (WO-5, WO-15)."""
    spell = easing_spell(play, who, start, to)
    return Moved(who=who, start=start, end=to, cost=cost, spell=spell, rule="WO-15" if spell else "WO-5")


def _move_on_from_the_edge(play: Play[Contest], who: str, to: RegionKey) -> Steps[None]:
    """The first move of a game of two: from a location of the own edge (WO-2, ruling ``first-move``)."""
    mage, ground = play.state.mages[who], play.state.ground
    starts = {
        start: paid_cost(play, who, start, to)
        for start in play.state.home_of(mage)
        if not return_trouble(play, who, start) and not step_trouble(play, who, start, to, by_spell=False)
    }
    if not starts:
        raise IllegalAction(f"{ground.region(to).name} is not next to a place on {who}'s own edge")
    pay(mage, min(starts.values()), f"moving into {ground.region(to).name} ({ground.region(to).terrain})")
    near = [start for start, cost in starts.items() if cost <= mage.pool]
    start = yield from choose_place(play, who, f"Where on the edge does {who} stand?", near, rule="WO-2")
    yield Entered(who=who, at=start, cost=0, rule="WO-2")
    yield _moved(play, who, start, to, starts[start])
    yield from after_action(play, who)


@WOVEN.action("create-tendril", "WO-7", begun_by=PLAYER, group="The turn")
def create_tendril(play: Play[Contest], *, who: Who) -> Steps[None]:
    """Place a tendril in the location where the mage is, for 1 mana."""
    mage = acting(play, who)
    on_map(mage, "create a tendril")
    extra = 1 if play.ruled("tendril-cost") == "one-more" else 0
    pay(mage, TENDRIL_COST + extra, "creating a tendril")
    yield TendrilPlaced(who=who, at=mage.place, cost=extra)
    yield from after_action(play, who)


@WOVEN.action("move-tendril", "WO-7", begun_by=PLAYER, group="The turn")
def move_tendril(play: Play[Contest], *, who: Who, start: TendrilPlace, to: Place) -> Steps[None]:
    """Move a tendril to a location beside its own, for 3 mana; terrain and barriers do not matter."""
    mage, ground = acting(play, who), play.state.ground
    there = ground.region(start)
    if start not in mage.tendrils:
        raise IllegalAction(f"{who} has no tendril in {there.name}")
    if not ground.adjacent(start, to):
        raise IllegalAction(f"{ground.region(to).name} is not adjacent to {there.name}")
    pay(mage, TENDRIL_MOVE_COST, "moving a tendril")
    yield TendrilMoved(who=who, by=who, start=start, end=to, cost=TENDRIL_MOVE_COST)
    yield from after_action(play, who)


@WOVEN.action("acquire-card", "WO-8", begun_by=PLAYER, group="The turn")
def acquire(play: Play[Contest], *, who: Who) -> Steps[None]:
    """Draw a tapestry card for 3 mana and lay it over a part of the tapestry."""
    pay(acting(play, who), CARD_COST, "a tapestry card")
    yield from acquire_card(play, who)
    yield from after_action(play, who)


@WOVEN.action("place-thread", "WO-6", "WO-10", "WO-11", begun_by=PLAYER, group="The turn")
def place_thread(play: Play[Contest], *, who: Who, at: Box) -> Steps[None]:
    """Place a thread in an empty box, for 1 mana; a spell whose pattern it completes may be cast.

    at is the column and the row. If nothing is cast, another action may follow.
    """
    mage = acting(play, who)
    pay(mage, 1, "a thread")
    mage.tapestry.with_thread(at)
    yield ThreadPlaced(who=who, at=at)
    chosen = yield from _spell_to_cast(play, who, at)
    if chosen is None:
        yield from after_action(play, who, again="WO-6")
        return
    again = yield from cast(play, who, chosen)
    yield from after_action(play, who, again="WO-15" if again else "")


def _spell_to_cast(play: Play[Contest], who: str, at: Spot) -> Steps[Completed | None]:
    """One of the spells whose patterns a new thread completed, or none of them (WO-10)."""
    mage = play.state.mages[who]
    found: dict[str, Completed] = {}
    for pattern in completed(mage.tapestry, mage.spells, at):
        found.setdefault(pattern.spell, pattern)
    if not found:
        return None
    options = [Option(key, spell_named(key).name, spell_named(key).says) for key in found]
    question = Choose("Cast a spell?", (*options, Option(NO, "Cast nothing")), by=who, rule="WO-10")
    return found.get((yield from ask(question)).key)
