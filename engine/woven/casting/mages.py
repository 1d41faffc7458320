"""Effects that move mages: moves, pushes, teleports (WO-15)."""

from __future__ import annotations

from loomtable.engine.kernel.play import Steps
from loomtable.engine.kernel.requests import Option
from loomtable.engine.woven.asking import STAY, choose_place, may_choose_place
from loomtable.engine.woven.casting.course import Casting, choose_one
from loomtable.engine.woven.effects import Move, MoveInto, Push, Teleport, Where
from loomtable.engine.woven.events.ground import Moved, Pushed, Teleported
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.travel import step_trouble, teleport_trouble, within_steps


def move(casting: Casting, effect: Move) -> Steps[None]:
    """Up to so many steps; barriers stop the mage, terrain costs nothing."""
    if not casting.mage.on_map:
        yield casting.nothing(casting.why_none(Where.HERE))
        return
    start = casting.mage.place
    ends = within_steps(casting.play, casting.who, effect.steps, only=effect.only)
    if not ends:
        yield casting.nothing("every way is barred")
        return
    stay = Option(STAY, f"Stay in {casting.contest.ground.region(start).name}")
    end = yield from may_choose_place(casting.play, casting.who, casting.question("move where?"), ends, stay)
    if end is not None:
        yield Moved(who=casting.who, start=start, end=end, spell=casting.spell.key, rule="WO-15")


def move_into(casting: Casting, effect: MoveInto) -> Steps[None]:
    """Into that place, where nothing bars the way."""
    end = yield from choose_one(casting, effect.where)
    start = casting.mage.place
    if end is None or not casting.mage.on_map:
        yield casting.nothing(casting.why_none(Where.HERE if not casting.mage.on_map else effect.where))
        return
    trouble = step_trouble(casting.play, casting.who, start, end, by_spell=True)
    if trouble:
        yield casting.nothing(trouble)
        return
    yield Moved(who=casting.who, start=start, end=end, spell=casting.spell.key, rule="WO-15")


def push(casting: Casting, effect: Push) -> Steps[None]:
    """Every other mage out of a location; the caster chooses where each one goes."""
    place = yield from choose_one(casting, effect.where)
    if place is None:
        yield casting.nothing(casting.why_none(effect.where))
        return
    for other in casting.contest.from_left_of(casting.who):
        if other == casting.who or casting.contest.mages[other].place != place:
            continue
        ends = _pushed_to(casting, other, place)
        question = casting.question(f"push {other} where?")
        end = (yield from choose_place(casting.play, casting.who, question, ends)) if ends else place
        yield Pushed(who=other, by=casting.who, start=place, end=end)


def _pushed_to(casting: Casting, other: str, place: RegionKey) -> list[RegionKey]:
    """Where a mage can be pushed from a location (rulings ``push-destination`` and ``push-barriers``)."""
    play = casting.play
    over_barriers = play.ruled("push-barriers") == "ignored"
    away = play.ruled("push-destination") == "away"
    return [
        end
        for end in casting.contest.ground.neighbours(place)
        if not (away and end == casting.mage.place)
        and (over_barriers or not step_trouble(play, other, place, end, by_spell=True))
    ]


def teleport(casting: Casting, effect: Teleport) -> Steps[None]:
    """To a location at once, whatever lies between."""
    if not casting.mage.on_map:
        yield casting.nothing(casting.why_none(Where.HERE))
        return
    places = casting.places(effect.to)
    open_places = [p for p in places if not teleport_trouble(casting.play, casting.who, p)]
    if not open_places:
        yield casting.nothing("every way is barred" if places else casting.why_none(effect.to))
        return
    end = yield from choose_place(casting.play, casting.who, casting.question("which location?"), open_places)
    casting.place = end
    if effect.to is Where.OWN_TENDRIL:
        casting.tendril = end
    yield Teleported(who=casting.who, start=casting.mage.place, end=end, spell=casting.spell.key)
