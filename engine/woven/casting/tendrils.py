"""Effects that place, move and take away tendrils (WO-12, WO-15)."""

from __future__ import annotations

from loomtable.engine.kernel.play import Steps
from loomtable.engine.kernel.requests import Option
from loomtable.engine.woven.asking import NO, STAY, choose_mage, choose_place, may_choose_place
from loomtable.engine.woven.casting.course import Casting, choose_all, choose_tendril
from loomtable.engine.woven.effects import (
    ClearTendrils,
    Consume,
    Loss,
    MoveEveryTendril,
    MoveTendril,
    PlaceTendril,
    RemoveTendrils,
    RemoveThatTendril,
    Where,
    Which,
)
from loomtable.engine.woven.events.ground import TendrilMoved
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.tendrils import clear_tendrils, lose_tendril, may_move_tendril, may_place_tendrils
from loomtable.engine.woven.travel import tendril_places


def place_tendril(casting: Casting, effect: PlaceTendril) -> Steps[None]:
    """Up to so many tendrils from the pool."""
    casting.placed = None
    places = casting.places(effect.where)
    if not places:
        yield casting.nothing(casting.why_none(effect.where))
        return
    if not casting.mage.pool:
        yield casting.nothing(f"{casting.who} has no mana in the pool for a tendril", rule="WO-12")
        return
    casting.placed = yield from may_place_tendrils(
        casting.play, casting.who, places, effect.count, casting.spell.key
    )


def move_tendril(casting: Casting, effect: MoveTendril) -> Steps[None]:
    """One of the caster's tendrils, or several different ones, up to so many steps."""
    if effect.which in (Which.NEW, Which.THAT):
        start = casting.placed if effect.which is Which.NEW else casting.tendril
        if start in casting.mage.tendrils:
            yield from _move_or_sweep(casting, start, effect)
        return
    if not casting.mage.tendrils:
        yield casting.nothing(casting.why_none(Where.OWN_TENDRIL))
        return
    if effect.sweeps:
        chosen = yield from choose_tendril(casting)
        assert chosen is not None
        yield from _move_or_sweep(casting, chosen, effect)
        return
    yield from _move_different(casting, effect.count, effect.steps)


def _move_or_sweep(casting: Casting, start: RegionKey, effect: MoveTendril) -> Steps[None]:
    if effect.sweeps:
        casting.tendril = yield from _sweep(casting, start, effect.steps)
    else:
        casting.tendril = yield from may_move_tendril(
            casting.play, casting.who, start, effect.steps, casting.spell.key, by=casting.who
        )


def move_every_tendril(casting: Casting, effect: MoveEveryTendril) -> Steps[None]:
    """Each of the caster's tendrils, up to so many steps."""
    if not casting.mage.tendrils:
        yield casting.nothing(casting.why_none(Where.OWN_TENDRIL))
        return
    yield from _move_different(casting, sum(casting.mage.tendrils.values()), effect.steps)


def _move_different(casting: Casting, count: int, steps: int) -> Steps[None]:
    """Up to ``count`` different tendrils, one after another, in the order that the caster likes."""
    waiting = dict(casting.mage.tendrils)
    for number in range(1, count + 1):
        places = [place for place in tendril_places(casting.contest, casting.mage) if waiting.get(place)]
        if not places:
            return
        which = f" ({number} of {count})" if count > 1 else ""
        start: RegionKey | None = places[0]
        if count > 1 or len(places) > 1:
            question = casting.question(f"move which tendril?{which}")
            stop = Option(NO, "Move none" if number == 1 else "Move no more")
            start = yield from may_choose_place(casting.play, casting.who, question, places, stop)
        if start is None:
            return
        waiting[start] -= 1
        casting.tendril = yield from may_move_tendril(
            casting.play, casting.who, start, steps, casting.spell.key, by=casting.who
        )


def _sweep(casting: Casting, start: RegionKey, steps: int) -> Steps[RegionKey]:
    """A tendril goes step by step, and all others where it starts and where it comes are removed."""
    place = start
    yield from clear_tendrils(casting.play, casting.who, (place,), spared=place)
    for number in range(1, steps + 1):
        if place not in casting.mage.tendrils:
            break  # given up in the meantime, to keep another
        ends = casting.contest.ground.neighbours(place)
        question = casting.question(f"sweep on? ({number} of {steps})")
        end = yield from may_choose_place(casting.play, casting.who, question, ends, Option(STAY, "Stop here"))
        if end is None:
            break
        yield TendrilMoved(
            who=casting.who, by=casting.who, start=place, end=end, spell=casting.spell.key, rule="WO-15"
        )
        place = end
        yield from clear_tendrils(casting.play, casting.who, (place,), spared=place)
    return place


def consume(casting: Casting, effect: Consume) -> Steps[None]:
    """Tendrils of the caster's own are used up."""
    casting_tendrils = casting.mage.tendrils
    if effect.which is Which.ALL_BUT_ONE:
        if not casting_tendrils:
            return
        places = tendril_places(casting.contest, casting.mage)
        question = casting.question("which tendril stays?")
        kept = yield from choose_place(casting.play, casting.who, question, places)
        lost = [p for p in places for _ in range(casting_tendrils[p] - (1 if p == kept else 0))]
    else:
        lost = yield from _consumed(casting, effect.which)
    for place in lost:
        yield from lose_tendril(casting.play, casting.who, place, Loss.CONSUMED, by=casting.who)


def _consumed(casting: Casting, which: Which) -> Steps[list[RegionKey]]:
    """That tendril, the new one, or one that the caster chooses; nothing where it is gone already."""
    place = {Which.THAT: casting.tendril, Which.NEW: casting.placed}.get(which)
    if which is Which.ANY:
        place = yield from choose_tendril(casting)
    return [] if place is None or place not in casting.mage.tendrils else [place]


def clear(casting: Casting, effect: ClearTendrils) -> Steps[None]:
    """All tendrils in these locations, everybody's."""
    places = yield from choose_all(casting, effect.where)
    if not places:
        yield casting.nothing(casting.why_none(effect.where))
        return
    if not any(place in mage.tendrils for mage in casting.contest.mages.values() for place in places):
        yield casting.nothing("there is no tendril to remove")
        return
    yield from clear_tendrils(casting.play, casting.who, places, spared=casting.tendril)


def remove_tendrils(casting: Casting, effect: RemoveTendrils) -> Steps[None]:
    """Tendrils of one other mage, anywhere, if that mage has one in ``where``."""
    places = casting.places(effect.where)
    rivals = [
        name
        for name, mage in casting.contest.mages.items()
        if name != casting.who and any(place in mage.tendrils for place in places)
    ]
    if not rivals:
        yield casting.nothing("no other mage has a tendril there" if places else casting.why_none(effect.where))
        return
    rival = yield from choose_mage(casting.who, casting.question("whose tendrils?"), rivals)
    for number in range(1, effect.count + 1):
        question = casting.question(f"remove a tendril of {rival} ({number} of {effect.count})")
        left = tendril_places(casting.contest, casting.contest.mages[rival])
        place = yield from may_choose_place(
            casting.play, casting.who, question, left, Option(NO, "Remove no more")
        )
        if place is None:
            return
        yield from lose_tendril(casting.play, rival, place, Loss.REMOVED, by=casting.who)


def remove_that_tendril(casting: Casting, effect: RemoveThatTendril) -> Steps[None]:
    """The other mage's tendril that an effect found."""
    if casting.rival is not None and casting.rival_tendril is not None:
        yield from lose_tendril(casting.play, casting.rival, casting.rival_tendril, Loss.REMOVED, by=casting.who)
