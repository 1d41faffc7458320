"""Tendrils on the map: placed, moved, lost, and saved from being lost (WO-7, WO-12, WO-15)."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.woven.asking import NO, STAY, may_choose_place, place_label
from loomtable.engine.woven.effects import HoldTendrils, Loss, SacrificeGoes, SacrificeTendril, SaveTendril
from loomtable.engine.woven.events.ground import (
    TendrilKept,
    TendrilLost,
    TendrilMoved,
    TendrilPlaced,
    TendrilSacrificed,
)
from loomtable.engine.woven.events.weaving import ChargeLoss, ChargeLost
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.state import Contest, Mage
from loomtable.engine.woven.travel import tendril_places

HERE_TOO = "Leave it here"


def may_place_tendrils(
    play: Play[Contest], who: str, places: Sequence[RegionKey], count: int, spell: str
) -> Steps[RegionKey | None]:
    """Up to ``count`` tendrils from the pool, each in one of ``places``; returns where the last one went (WO-12).

    Nobody is asked without mana in the pool: then none can be placed.
    """
    last: RegionKey | None = None
    for number in range(1, count + 1):
        if not play.state.mages[who].pool:
            break
        which = f", {number} of {count}" if count > 1 else ""
        place = yield from may_choose_place(
            play, who, f"Place a tendril{which}", places, Option(NO, "Place none"), rule="WO-12"
        )
        if place is None:
            break
        yield TendrilPlaced(who=who, at=place, spell=spell, rule="WO-12")
        last = place
    return last


def may_move_tendril(
    play: Play[Contest], owner: str, start: RegionKey, steps: int, spell: str, *, by: str
) -> Steps[RegionKey]:
    """A tendril up to ``steps`` locations; returns where it is then. No terrain or barrier matters (WO-15)."""
    reached = play.state.ground.within(start, steps)
    ends = sorted((p for p in reached if p != start), key=lambda place: (reached[place], place))
    whose = "" if owner == by else f"{owner}'s "
    question = f"Move {whose}tendril from {play.state.ground.region(start).name}"
    end = yield from may_choose_place(play, by, question, ends, Option(STAY, HERE_TOO))
    if end is None:
        return start
    yield TendrilMoved(who=owner, by=by, start=start, end=end, spell=spell, rule="WO-15")
    return end


def clear_tendrils(
    play: Play[Contest], by: str, places: Sequence[RegionKey], spared: RegionKey | None = None
) -> Steps[None]:
    """Every tendril in these locations is removed, but for one of the remover's own at ``spared`` (WO-15)."""
    for place in places:
        for owner in play.state.from_left_of(by):
            count = play.state.mages[owner].tendrils.get(place, 0)
            for _ in range(count - (1 if owner == by and place == spared else 0)):
                yield from lose_tendril(play, owner, place, Loss.REMOVED, by=by)


def lose_tendril(play: Play[Contest], owner: str, place: RegionKey, loss: Loss, *, by: str) -> Steps[None]:
    """A tendril is lost to spent mana, unless its mage is protected or pays to keep it (WO-12, WO-15)."""
    mage = play.state.mages[owner]
    if place not in mage.tendrils:
        return  # sacrificed a moment ago to keep another
    held = _held_by(mage) if loss is Loss.REMOVED and by != owner else ""
    if held:
        yield TendrilKept(who=owner, at=place, spell=held)
        return
    ways = _ways_to_keep(play.state, mage, place, loss)
    if ways:
        name = play.state.ground.region(place).name
        options = (*(option for option, *_ in ways), Option(NO, "Let it go"))
        key = (yield from ask(Choose(f"Keep the tendril in {name}?", options, by=owner, rule="WO-12"))).key
        for option, spell, given in ways:
            if option.key == key:
                if given is None:
                    yield ChargeLost(who=owner, spell=spell, loss=ChargeLoss.SPENT)
                else:
                    yield from sacrifice(play, owner, given, spell, by)
                yield TendrilKept(who=owner, at=place, spell=spell)
                return
    yield TendrilLost(who=owner, at=place, loss=loss, by=by)


def _held_by(mage: Mage) -> str:
    """The charged spell by which others cannot remove this mage's tendrils; empty where there is none."""
    tendrils = sum(mage.tendrils.values())
    return next((s.key for s, _ in mage.standing(HoldTendrils) if tendrils < mage.charges[s.key]), "")


def _ways_to_keep(
    contest: Contest, mage: Mage, place: RegionKey, loss: Loss
) -> list[tuple[Option, str, RegionKey | None]]:
    """How a mage can keep a tendril: the option, the spell, and the tendril to give instead of a charge."""
    ways: list[tuple[Option, str, RegionKey | None]] = []
    for spell in mage.charged():
        if any(isinstance(effect, SaveTendril) and loss in effect.from_ for effect in spell.by_spending):
            ways.append((Option(spell.key, f"Spend a charge of {spell.name}"), spell.key, None))
    for spell, effect in mage.standing(SacrificeTendril):
        if not effect.saves_tendril or loss is not Loss.REMOVED:
            continue
        for other in tendril_places(contest, mage):
            if other != place:
                label = f"{spell.name}: give the tendril in {place_label(contest, other)} instead"
                ways.append((Option(f"{spell.key}:{other}", label), spell.key, other))
    return ways


def sacrifice(play: Play[Contest], who: str, place: RegionKey, spell: str, attacker: str) -> Steps[None]:
    """A mage gives a tendril up, by a charged spell (WO-15)."""
    effect = next(e for s, e in play.state.mages[who].standing(SacrificeTendril) if s.key == spell)
    goes_to = play.state.mages[attacker].place if effect.goes is SacrificeGoes.ATTACKER else ""
    yield TendrilSacrificed(who=who, at=place, spell=spell, to=goes_to or None)
    if play.ruled("sacrifice-charge") == "spent":
        yield ChargeLost(who=who, spell=spell, loss=ChargeLoss.SPENT)
