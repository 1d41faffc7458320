"""Turns: what begins and ends them, resting, and what another action may follow (WO-3, WO-4, WO-9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.woven.arguments import Charge, TendrilPlace, Who
from loomtable.engine.woven.asking import NO, choose_mage, may_choose_place, spot_key, spot_label
from loomtable.engine.woven.bodies import all_cities, count_cities, last_round_over
from loomtable.engine.woven.effects import NudgeTendrils, TendrilBesideWater
from loomtable.engine.woven.events.beginning import MayActAgain, Passed, Rested, TurnBegun
from loomtable.engine.woven.events.ground import TendrilRecovered
from loomtable.engine.woven.events.weaving import ChargeRecovered
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.system import WOVEN, acting
from loomtable.engine.woven.tapestry import Spot
from loomtable.engine.woven.tendrils import may_move_tendril, may_place_tendrils


def after_action(play: Play[Contest], who: str, again: str = "") -> Steps[None]:
    """What follows an action: another one by the rule ``again``, or the end of the turn (WO-3)."""
    if play.ruled("moccasins-tendril") == "every-action" or not again:
        yield from _tendrils_beside_water(play, who)
    yield from all_cities(play)
    if play.state.winners:
        return
    if again:
        yield MayActAgain(who=who, rule=again)
    else:
        yield from _end_turn(play, who)


def _tendrils_beside_water(play: Play[Contest], who: str) -> Steps[None]:
    """At the end of an action next to water, tendrils by a charged spell (WO-15)."""
    mage = play.state.mages[who]
    if not mage.on_map or not play.state.ground.beside_water(mage.place):
        return
    for spell, effect in mage.standing(TendrilBesideWater):
        yield from may_place_tendrils(play, who, (mage.place,), effect.count, spell.key)


def _end_turn(play: Play[Contest], who: str) -> Steps[None]:
    """The end of a turn: nudges, cities, and the next mage on the left (WO-3, WO-15)."""
    yield from _nudge(play, who)
    yield from all_cities(play)
    if not play.state.winners:
        yield from count_cities(play, who)
    contest = play.state
    if contest.winners:
        return
    names = list(contest.mages)
    following = contest.from_left_of(who)[0]
    round_over = following == names[0]
    if round_over and contest.last_round is not None and contest.round >= contest.last_round:
        yield from last_round_over(play)
        return
    yield TurnBegun(who=following, round=contest.round + (1 if round_over else 0))


def _nudge(play: Play[Contest], who: str) -> Steps[None]:
    """Other mages' tendrils near one's own may be moved, another one for each charge (WO-15)."""
    for spell, effect in play.state.mages[who].standing(NudgeTendrils):
        nudged: Counter[Tendril] = Counter()
        for _ in range(play.state.mages[who].charges[spell.key]):
            left = tendrils_to_nudge(play.state, who, effect, nudged)
            places = tuple(region.key for region in play.state.ground.regions if region.key in left)
            question = f"{spell.name}: move another mage's tendril"
            place = yield from may_choose_place(play, who, question, places, Option(NO, "Move none"))
            if place is None:
                break
            owner = yield from choose_mage(who, "Whose tendril?", left[place])
            end = yield from may_move_tendril(play, owner, place, effect.steps, spell.key, by=who)
            nudged[owner, end] += 1


Tendril = tuple[str, RegionKey]
"""A mage's tendril, by where it lies; those that lie together are all the same."""


def tendrils_to_nudge(
    contest: Contest, who: str, effect: NudgeTendrils, nudged: Mapping[Tendril, int]
) -> dict[RegionKey, list[str]]:
    """Where tendrils of others lie near enough to one's own, and whose, but for those that were nudged already."""
    near = {place for own in contest.mages[who].tendrils for place in contest.ground.within(own, effect.reach)}
    left: dict[RegionKey, list[str]] = {}
    for name, mage in contest.mages.items():
        for place, count in mage.tendrils.items():
            if name != who and place in near and count > nudged.get((name, place), 0):
                left.setdefault(place, []).append(name)
    return left


@WOVEN.action("rest", "WO-3", "WO-4", begun_by=PLAYER, group="The turn")
def rest(play: Play[Contest], *, who: Who) -> Steps[None]:
    """Rest instead of acting: one thread and all spent mana come back into the pool."""
    mage = acting(play, who)
    if play.state.turn is not None and play.state.turn.acted:
        raise IllegalAction(f"{who} has acted in this turn; resting takes a whole turn")
    thread = yield from _thread_to_recover(play, who, mage.threads)
    yield Rested(who=who, thread=thread, mana=mage.spent)
    yield from _end_turn(play, who)


def _thread_to_recover(play: Play[Contest], who: str, threads: tuple[Spot, ...]) -> Steps[Spot | None]:
    """The thread that comes back with a rest; nobody is asked where there is no choice (WO-4)."""
    options = tuple(Option(spot_key(spot), spot_label(spot)) for spot in threads)
    if play.ruled("rest-thread") == "may" and threads:
        options = (*options, Option(NO, "Leave all where they are"))
    if len(options) <= 1:
        return threads[0] if threads else None
    key = (yield from ask(Choose("Which thread comes back?", options, by=who, rule="WO-4"))).key
    return next((spot for spot in threads if spot_key(spot) == key), None)


@WOVEN.action("end-turn", "WO-3", begun_by=PLAYER, group="The turn")
def end_turn(play: Play[Contest], *, who: Who) -> Steps[None]:
    """Take no further action, where another one may follow; or pass the turn, where the table allows it."""
    acting(play, who)
    idle = play.state.turn is not None and not play.state.turn.acted
    if idle and play.ruled("passing") == "allowed":
        yield Passed(who=who)
    elif idle:
        raise IllegalAction(f"{who} has done nothing in this turn yet; one action, or a rest (Rest)")
    if play.ruled("moccasins-tendril") == "turns-end":
        yield from _tendrils_beside_water(play, who)
    yield from _end_turn(play, who)


@WOVEN.action("recover", "WO-9", begun_by=PLAYER, group="The turn")
def recover(play: Play[Contest], *, who: Who, charge: Charge = "", tendril: TendrilPlace = "") -> Steps[None]:
    """Take a charge off a spell, or a tendril off the map, back into the pool; another action may follow."""
    mage = acting(play, who)
    if bool(charge) == bool(tendril):
        raise IllegalAction("name either the spell of the charge or the location of the tendril")
    if charge:
        known = spell_named(charge)
        if charge not in mage.charges:
            raise IllegalAction(f"{who} has no charge on {known.name}")
        yield ChargeRecovered(who=who, spell=charge)
    else:
        region = play.state.ground.region(tendril)
        if tendril not in mage.tendrils:
            raise IllegalAction(f"{who} has no tendril in {region.name}")
        yield TendrilRecovered(who=who, at=tendril)
    yield from after_action(play, who, again="WO-9")
