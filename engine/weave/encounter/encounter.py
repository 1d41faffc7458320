"""Encounters: the order of turns, two actions a turn, and range bands (WV-23, WV-25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.arguments import USUAL
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask, changed
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.weave.arguments import Who, Whom
from loomtable.engine.weave.cards.effects import MOST_ACTIONS
from loomtable.engine.weave.cards.mechanics import Acts, EffectKind, Given, Moment, Passive, RangeBand
from loomtable.engine.weave.cards.occasions import Occasion, offers
from loomtable.engine.weave.cards.passives import allowed, blocked, settled
from loomtable.engine.weave.challenge.challenge import face, may_go_on
from loomtable.engine.weave.challenge.core import ranked, roll_all
from loomtable.engine.weave.challenge.tally import LOWEST_LEVEL
from loomtable.engine.weave.encounter.hurt import check_able, mark_strikes
from loomtable.engine.weave.encounter.turns import (
    by_today,
    can_act,
    check_season,
    check_turn,
    is_hostile,
    take_action,
    the_encounter,
)
from loomtable.engine.weave.events.encounters import (
    ActionsChanged,
    BandChanged,
    EncounterBegun,
    EncounterEnded,
    JoinedEncounter,
    NobodyActs,
    OrderChanged,
    TurnBegun,
    TurnOrderSet,
)
from loomtable.engine.weave.events.figures import ActionFailed, BoonGiven, BoonsEnded
from loomtable.engine.weave.state import TURN_ACTIONS, Encounter, Npc, Season
from loomtable.engine.weave.story.enticement import EnticementGiven, check_enticed_here, check_enticement
from loomtable.engine.weave.story.scene import meet_boss
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE


@WEAVE.action("begin-encounter", "WV-4", "WV-22", "WV-23", "WV-25", group="Encounters")
def begin_encounter(
    play: Play[Season],
    *,
    who: tuple[Who, ...] = (),
    against: Annotated[tuple[Whom, ...], USUAL] = (),
    starter: Whom | None = None,
    suit: Suit = Suit.GALES,
    combat: Annotated[bool, USUAL] = False,
    band: RangeBand = RangeBand.SHORT,
) -> Steps[None]:
    """Begin an encounter of these characters (or all in the scene) and NPCs.

    The episode's Boss can be named in ``against`` before it has come in: it brings its own sheet (WV-4). Whoever
    started it may take an initial turn; then a Core Challenge in ``suit`` gives the order of turns: of the
    characters, and in ``combat`` of the NPCs as well. Everybody is ``band`` apart at first.
    """
    check_season(play, between=True)
    here = who or play.state.present
    participants = (*here, *against)
    if not here or len(set(participants)) != len(participants):
        raise IllegalAction("an encounter needs characters, each of them once")
    yield from meet_boss(play, against)
    for name in participants:
        if isinstance(check_able(play, name), Npc) == (name in here):
            raise IllegalAction(f"{name} is on the wrong side: “Who” are characters, “Against” are NPCs")
    if starter is not None and starter not in participants:
        raise IllegalAction(f"{starter} takes no part in the encounter")
    met = Encounter(combat, suit, participants, opening_band=band)
    if starter is not None and (yield from _acts_first(starter, here)):
        started = Encounter(combat, suit, participants, starter, opening_band=band)
        yield EncounterBegun(encounter=started, anew=by_today(play))
        yield from begin_turn(play, starter, 0)
        return
    yield EncounterBegun(encounter=met, anew=by_today(play))
    yield from _roll_for_turns(play)


def _acts_first(starter: str, characters: tuple[str, ...]) -> Steps[bool]:
    """Whoever started it may act first; what the storyteller plays simply does (WV-23)."""
    if starter not in characters:
        return True
    options = (Option("first", "Act first"), Option("wait", "Wait for the order of turns"))
    answer = yield from ask(Choose(f"{starter} started it: act first?", options, by=starter, rule="WV-23"))
    return answer.key == "first"


def _roll_for_turns(play: Play[Season]) -> Steps[None]:
    """Characters roll for the order, and in combat NPCs too; the storyteller settles what stays tied (WV-23)."""
    met = the_encounter(play)
    able = [n for n in met.participants if not play.state.figure(n).out]
    rolling = [n for n in able if met.combat or n in play.state.characters]
    held: dict[str, tuple[Passive, ...]] = {}
    for name in rolling:
        held[name] = yield from settled(play, Occasion(Moment.ORDER, name, met.suit))
    rolling = [n for n in rolling if can_act(play.state, n) or not by_today(play)]
    dice = {name: sum(change.dice for change in changes) for name, changes in held.items()}
    standings = yield from roll_all(play, rolling, met.suit, dice=dice)
    order = yield from ranked(standings, rule="WV-23")
    lasting = {n: tuple(c for c in held[n] if Given.FIRST_ROUND not in c.given) for n in order}
    later = yield from _arranged(play, order, lasting)
    passing = {n: tuple(c for c in held[n] if c not in lasting[n]) for n in order}
    first = yield from _arranged(play, later, passing)
    yield TurnOrderSet(order=first, later=later if later != first else ())
    for name in the_encounter(play).participants:
        if not play.state.figure(name).out:
            yield from settled(play, Occasion(Moment.ENCOUNTER, name))
    yield from _next_turn(play)


def _arranged(
    play: Play[Season], order: tuple[str, ...], held: Mapping[str, tuple[Passive, ...]]
) -> Steps[tuple[str, ...]]:
    """The order of turns once those who act last, or not first, are in their places (WV-10, WV-23)."""
    names = list(order)
    for name in order:
        for acts in (change.acts for change in held[name]):
            at = names.index(name)
            others = [n for n in names if n != name]
            foes = [n for n in others if is_hostile(play.state.figure(name)) != is_hostile(play.state.figure(n))]
            match acts:
                case Acts.LAST:
                    at = len(others)
                case Acts.NOT_FIRST:
                    at = max(at, min(1, len(others)))
                case Acts.AFTER_FOE if foes:
                    at = max(at, others.index(foes[0]) + 1)
                case Acts.BEFORE_ONE if others:
                    options = tuple(Option(n, n) for n in others)
                    question = Choose(f"{name} acts just before whom?", options, by=STORYTELLER, rule="WV-23")
                    at = others.index((yield from ask(question)).key)
            others.insert(at, name)
            names = others
    return tuple(names)


def _next_turn(play: Play[Season]) -> Steps[None]:
    """The next one in the order who can act; after the last, a new round begins."""
    met = the_encounter(play)
    place = met.order.index(met.acting) if met.acting in met.order else -1
    round_ = met.round
    if round_ > 0 and met.acting in met.participants:
        yield from _fall_due(play, met.acting)
        yield from settled(play, Occasion(Moment.TURN_END, met.acting))
    ended = False
    for _ in range(2 * len(met.order)):
        place += 1
        if place == len(met.order):
            if round_ > 0 and met.acting and not ended:
                yield from _round_ends(play)
                ended = True
            if met.later:
                yield OrderChanged(order=met.later)
            place, round_ = 0, round_ + 1
        met = the_encounter(play)
        name = met.order[place]
        waits = round_ == 1 and name == met.starter and play.ruled("starter-acts-again") == "no"
        if can_act(play.state, name) and not waits:
            yield from begin_turn(play, name, round_)
            return
    yield NobodyActs()


@WEAVE.afterwards
def turns_go_on(play: Play[Season]) -> Steps[None]:
    """Whoever is out, or has left the encounter, gives up the turn: it is the next one's (WV-9, WV-23)."""
    while (met := play.state.encounter) and met.acting and by_today(play) and not can_act(play.state, met.acting):
        yield from _next_turn(play) if met.round else _roll_for_turns(play)


def _fall_due(play: Play[Season], who: str) -> Steps[None]:
    """As a turn ends, Strikes that were put off until the next turn are counted down, or marked (WV-10)."""
    for boon in play.state.figure(who).boons:
        if boon.do is EffectKind.STRIKES_LATER:
            yield BoonsEnded(who=who, ended=(boon,))
            if boon.firm:
                yield from mark_strikes(play, who, boon.amount)
            else:
                yield BoonGiven(who=who, boon=changed(boon, firm=True))


def _round_ends(play: Play[Season]) -> Steps[None]:
    """What is always on at the end of a round, for each who still takes part (WV-10)."""
    for name in the_encounter(play).participants:
        if not play.state.figure(name).out:
            yield from settled(play, Occasion(Moment.ROUND_END, name))


def begin_turn(play: Play[Season], who: str, round_: int) -> Steps[None]:
    """A turn of two actions, and those that effects give or take (WV-10, WV-23)."""
    boons = play.state.figure(who).boons
    more = sum(b.amount for b in boons if b.do is EffectKind.GAIN_ACTIONS)
    fewer = sum(b.amount for b in boons if b.do is EffectKind.LOSE_ACTIONS)
    actions = min(max(0, TURN_ACTIONS + more - fewer), MOST_ACTIONS)
    yield TurnBegun(who=who, round=round_, actions=actions)
    held = yield from settled(play, Occasion(Moment.TURN, who))
    by = min(max(0, actions + sum(change.actions for change in held)), MOST_ACTIONS) - actions
    if by:
        yield ActionsChanged(who=who, by=by)


@WEAVE.action("end-turn", "WV-22", "WV-23", group="Encounters")
def end_turn(play: Play[Season]) -> Steps[None]:
    """End the turn; after the starter's initial turn the order of turns is rolled."""
    met = the_encounter(play)
    if met.round and not any(can_act(play.state, name) for name in met.order):
        raise IllegalAction("nobody in the order can act any more; end the encounter (End encounter)")
    yield from _next_turn(play) if met.round else _roll_for_turns(play)


@WEAVE.action("change-actions", "WV-23", group="Encounters")
def change_actions(play: Play[Season], *, by: int) -> Steps[None]:
    """An effect in words gives actions to whoever is acting, or takes them."""
    met = the_encounter(play)
    if by == 0 or not 0 <= met.actions_left + by <= MOST_ACTIONS:
        raise IllegalAction(f"a turn has 0 to {MOST_ACTIONS} actions left; {met.acting} has {met.actions_left}")
    yield ActionsChanged(who=met.acting, by=by)


@WEAVE.action("change-order", "WV-23", group="Encounters")
def change_order(play: Play[Season], *, order: tuple[Whom, ...]) -> Steps[None]:
    """The storyteller has the final say on the order of turns, and applies effects in words that change it."""
    met = the_encounter(play)
    if sorted(order) != sorted(met.order):
        raise IllegalAction(f"the order is of {', '.join(met.order) or 'nobody yet'}, each of them once")
    yield OrderChanged(order=order)


@WEAVE.action("join-encounter", "WV-4", "WV-23", group="Encounters")
def join_encounter(play: Play[Season], *, who: Who) -> Steps[None]:
    """Somebody comes in late; they act after the others. NPCs outside of combat act between."""
    met = the_encounter(play)
    yield from meet_boss(play, (who,))
    figure = check_able(play, who)
    if who in met.participants:
        raise IllegalAction(f"{who} already takes part in the encounter")
    yield JoinedEncounter(who=who, in_order=met.combat or not isinstance(figure, Npc))


@WEAVE.action("end-encounter", "WV-23", group="Encounters")
def end_encounter(play: Play[Season], *, resolution: str) -> Steps[None]:
    """End the encounter, and say how it was resolved."""
    the_encounter(play)
    if not resolution.strip() or len(resolution) > 200:
        raise IllegalAction("say how it was resolved, in at most 200 characters")
    yield EncounterEnded(resolution=resolution.strip())


@WEAVE.action("move", "WV-25", "WV-26", begun_by=PLAYER, group="Encounters")
def move(
    play: Play[Season],
    *,
    who: Who,
    other: Whom,
    closer: bool,
    bands: int = 1,
    enticement: EnticementGiven = None,
) -> Steps[None]:
    """Move closer to somebody or farther off: one range band an action, two take two actions."""
    met = the_encounter(play)
    figure = check_able(play, who)
    if enticement is not None:
        check_enticed_here(play)
        check_enticement(play, figure, enticement)
    if because := blocked(play, who, EffectKind.HOLD):
        raise IllegalAction(f"{who} is held fast: {because} (Break free)")
    if who == other or other not in met.participants:
        raise IllegalAction(f"{other} takes no part in the encounter that {who} could move by")
    if not 1 <= bands <= TURN_ACTIONS:
        raise IllegalAction(f"a turn's movement is one or two range bands, not {bands}")
    now, towards = met.band(who, other), -bands if closer else bands
    if now.moved(towards) is None:
        way = "nearer to" if closer else "farther from"
        raise IllegalAction(f"{who} is at {now.label} and cannot go so much {way} {other}")
    occasion = Occasion(Moment.MOVE, who, bands=bands)
    found = offers(play, occasion)
    counts = check_turn(play, figure, max(0, bands + sum(min(0, passive.change.actions) for passive in found)))
    moved = met.moved + bands if counts else bands
    for passive in found:
        if passive.certain and 0 < passive.change.bands < moved:
            most = how_many(passive.change.bands, "range band", "range bands")
            raise IllegalAction(f"{passive.quality.name}: nobody moves more than {most} in a turn")
    held = yield from allowed(play, occasion)
    if held is None:
        return
    if slow := [passive.quality.name for passive in held if 0 < passive.change.bands < moved]:
        yield ActionFailed(who=who, because=slow[0])
        return
    actions = max(0, bands + sum(passive.change.actions for passive in held))
    if counts and the_encounter(play).actions_left < actions:
        yield ActionFailed(who=who, because=f"the move takes {how_many(actions, 'action', 'actions')} here")
        return
    if actions:
        yield from take_action(play, who, actions)
    if not (yield from may_go_on(play, who, enticement)):
        return
    for passive in held:
        if passive.change.needs is not None:
            faced = yield from face(play, who, passive.change.needs, LOWEST_LEVEL)
            if not faced.passed or play.state.figure(who).out:
                yield ActionFailed(who=who, because=passive.quality.name)
                return
    if by_today(play):  # what holds may have moved them
        now = the_encounter(play).band(who, other)
    yield BandChanged(who=who, other=other, band=now.moved(towards) or now, moved=bands if counts else 0)
    after = yield from settled(play, Occasion(Moment.MOVED, who, bands=bands))
    if any(change.forbids for change in after):
        yield BandChanged(who=who, other=other, band=now)


@WEAVE.action("break-free", "WV-10", "WV-25", begun_by=PLAYER, group="Encounters")
def break_free(play: Play[Season], *, who: Who) -> Steps[None]:
    """Spend an action to break what holds one fast, and bear what that costs."""
    the_encounter(play)
    figure = check_able(play, who)
    broken = tuple(b for b in figure.boons if b.do is EffectKind.HOLD and not b.firm)
    if not broken:
        because = blocked(play, who, EffectKind.HOLD)
        raise IllegalAction(f"no action breaks this hold: {because}" if because else f"nothing holds {who} fast")
    yield from take_action(play, who)
    barbs = tuple(b for b in figure.boons if b.do is EffectKind.BARBS)
    yield BoonsEnded(who=who, ended=(*broken, *barbs))
    yield from mark_strikes(play, who, sum(b.amount for b in barbs))


@WEAVE.action("set-band", "WV-25", group="Encounters")
def set_band(play: Play[Season], *, who: Who, other: Whom, band: RangeBand) -> Steps[None]:
    """The storyteller says how far two figures are from each other."""
    met = the_encounter(play)
    if who == other or who not in met.participants or other not in met.participants:
        raise IllegalAction(f"{who} and {other} do not both take part in the encounter")
    yield BandChanged(who=who, other=other, band=band)
