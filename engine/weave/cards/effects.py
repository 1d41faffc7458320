"""The effects that the engine applies: for whom they are, what they change at once, and what stays (WV-10)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import combinations

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, EnterText, Option
from loomtable.engine.weave.cards.drawing import can_draw, drawn
from loomtable.engine.weave.cards.mechanics import (
    BOONS,
    FOR_CHALLENGES,
    MOST_AMOUNT,
    Effect,
    EffectKind,
    Moment,
    RangeBand,
    Span,
    Whom,
)
from loomtable.engine.weave.cards.occasions import Occasion, answered, judged
from loomtable.engine.weave.challenge.tally import asked
from loomtable.engine.weave.encounter.hurt import heal_wounds, mark_strikes
from loomtable.engine.weave.encounter.turns import by_today, near, others
from loomtable.engine.weave.events.encounters import ActionsChanged, BandChanged, LeftEncounter, OrderChanged
from loomtable.engine.weave.events.figures import Answered, BoonGiven, BoonsEnded, StrikesCleared
from loomtable.engine.weave.events.story import CardKept
from loomtable.engine.weave.state import TURN_ACTIONS, Boon, Character, Encounter, Season, pair

MOST_ACTIONS = 2 * TURN_ACTIONS
"""What effects can raise a turn's actions to."""
LONGEST_ANSWER = 200
Names = tuple[str, ...]
Deal = Callable[[Play[Season], str, str, int], Steps[None]]
"""Deals Strikes to one figure by the quality of another: who it is whose quality it is, then to whom."""
TOLD_ALOUD = "Told aloud"


def apply_effects(
    play: Play[Season], who: str, effects: Iterable[Effect], why: str, target: str = "", deal: Deal | None = None
) -> Steps[None]:
    """Apply effects one after the other, each to whom it is for; where there is a choice, somebody is asked.

    ``deal`` is how their Strikes reach somebody; without it they are marked at once (WV-10).
    """
    before: Names = (who,)
    had = {target}
    for effect in effects:
        names = yield from _whom(play, who, effect, why, target, before, had)
        names = tuple(name for name in names if play.state.figure(name).strikes >= effect.marked)
        on = {Whom.ANYONE: "", Whom.SELF: who, Whom.TARGET: target, Whom.SAME: before[0] if before else None}
        for name in names:
            if effect.do in BOONS:
                yield from _give(who, name, effect, why, on[effect.attack] if effect.attack else None)
            elif effect.do is EffectKind.DEAL_STRIKES:
                dealt = deal(play, who, name, effect.amount) if deal else mark_strikes(play, name, effect.amount)
                yield from dealt
            elif effect.do in _AT_ONCE:
                yield from _AT_ONCE[effect.do](play, who, name, effect, why)
        before = names
        had |= {*names}


def _give(who: str, name: str, effect: Effect, because: str, on: str | None) -> Steps[None]:
    """What is for Challenges waits for them; all else ends with the encounter unless it says otherwise."""
    lasts = effect.lasts
    if lasts is None and effect.do not in FOR_CHALLENGES:
        lasts = Span.ENCOUNTER
    firm = effect.lasts is not None and effect.do not in FOR_CHALLENGES
    boon = Boon(
        effect.do, effect.amount, because, effect.suit, effect.challenges, lasts, who, firm, effect.firm, on
    )
    yield BoonGiven(who=name, boon=boon)


# For whom


def candidates(play: Play[Season], who: str, effect: Effect, middle: str = "") -> tuple[str, ...]:
    """Whom an effect could be for: those no farther from its owner, or the ``middle``, than it reaches (WV-25)."""
    even_out = effect.do is EffectKind.HEAL_WOUNDS
    friends = others(play, who, against=False, even_out=even_out)
    foes = others(play, who, against=True, even_out=even_out)
    match effect.to:
        case Whom.SELF_OR_ALLY:
            names: tuple[str, ...] = (who, *friends)
        case Whom.ALLY | Whom.ALLIES:
            names = friends
        case Whom.ANYONE | Whom.EVERYONE | Whom.AROUND:
            names = (who, *friends, *foes)
        case Whom.ENEMY | Whom.ENEMIES | Whom.ENEMIES_AROUND:
            names = foes
        case _:
            return (who,)
    within = effect.within or (RangeBand.MELEE if middle else RangeBand.LONG)
    return tuple(n for n in names if near(play, middle or who, n, within))


def _whom(
    play: Play[Season], who: str, effect: Effect, because: str, target: str, before: Names, had: Collection[str]
) -> Steps[Names]:
    """``before`` are those whom the effect before it was for, ``had`` all whom one was for, and the ``target``."""
    match effect.to:
        case Whom.SELF | Whom.EVERYONE:
            return candidates(play, who, effect)
        case Whom.TARGET:
            return (target,) if target else ()
        case Whom.SAME:
            return tuple(n for n in before if effect.within is None or near(play, who, n, effect.within))
        case Whom.AROUND | Whom.ENEMIES_AROUND:
            middle = target or "".join(before[:1])
            if not middle or play.state.encounter is None:
                return ()
            return tuple(n for n in candidates(play, who, effect, middle) if n != middle)
    names = tuple(name for name in candidates(play, who, effect) if not (effect.other and name in had))
    if not names:
        return ()
    low, high = (0, len(names)) if effect.to.many else (1, 1)
    options = tuple(Option(name, name) for name in names)
    purpose = f"{because}: for whom? ({effect.do.label})"
    by = _chooser(play, who, effect)
    chosen = yield from ask(Choose(purpose, options, low, high, obvious=True, by=by, rule="WV-10"))
    return chosen.keys


def _chooser(play: Play[Season], who: str, effect: Effect) -> str:
    return STORYTELLER if effect.led else asked(play.state.figure(who))


# At once


def _heal(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    yield from heal_wounds(play, name, effect.amount)


def _clear(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    strikes = play.state.figure(name).strikes
    if strikes:
        yield StrikesCleared(who=name, strikes=min(strikes, effect.amount))


def _draw(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    if isinstance(play.state.figure(name), Character):
        for _ in range(effect.amount):
            yield from draw_to_keep(play, name, rule="WV-10")


def draw_to_keep(play: Play[Season], who: str, *, rule: str) -> Steps[None]:
    """Draw the top Challenge card and keep it, to redeem it later; an exhausted deck gives none (WV-16)."""
    if (yield from can_draw(play, Kind.CHALLENGE)):
        purpose = f"Challenge card for {who} to keep"
        card = yield from drawn(play, Kind.CHALLENGE, purpose, by=who, rule=rule)
        yield CardKept(who=who, card=card, rule=rule)


def _act_now(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """More actions in the turn that is being played, for whoever plays it."""
    met = play.state.encounter
    if met is not None and met.acting == name:
        more = min(effect.amount, MOST_ACTIONS - met.actions_left)
        if more > 0:
            yield ActionsChanged(who=name, by=more)


def _take_boon(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """Choose so many of what stays with a figure, and take it away."""
    boons = play.state.figure(name).boons
    options = tuple(Option(str(n), f"{b.do.label}: {b.because}") for n, b in enumerate(boons, start=1))
    if not options:
        return
    most = min(effect.amount, len(options))
    question = Choose(f"{because}: what is taken from {name}?", options, most, most, by=STORYTELLER, rule="WV-10")
    chosen = yield from ask(question)
    yield BoonsEnded(who=name, ended=tuple(boons[int(key) - 1] for key in chosen.keys))


def _answer(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """The storyteller answers so many questions, in writing or aloud."""
    for _ in range(effect.amount):
        question = EnterText(
            f"{because}: the storyteller answers", LONGEST_ANSWER, (TOLD_ALOUD,), by=STORYTELLER, rule="WV-10"
        )
        answer = yield from ask(question)
        yield Answered(who=name, quality=because, words=answer.text.strip())


def _leave(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    met = play.state.encounter
    if met is not None and name in met.participants:
        yield LeftEncounter(who=name)


def _change_turn(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """Act before or after somebody whose turn is still to come, in this round."""
    met = play.state.encounter
    if met is None or change_turn_refusal(play, name):
        return
    waiting = tuple(n for n in met.order[_acting_at(met) + 1 :] if n != name)
    places = (f"{word} {other}" for other in waiting for word in ("before", "after"))
    options = tuple(Option(place, place[0].upper() + place[1:]) for place in places)
    if not options:
        return
    by = asked(play.state.figure(name))
    chosen = (yield from ask(Choose(f"{because}: when does {name} act?", options, by=by, rule="WV-23"))).key
    word, _, other = chosen.partition(" ")
    order = [n for n in met.order if n != name]
    order.insert(order.index(other) + (word == "after"), name)
    yield OrderChanged(order=tuple(order), later=met.later or met.order)


def change_turn_refusal(play: Play[Season], who: str) -> str:
    """Why somebody cannot take their turn at another time; empty where they can (WV-23)."""
    met = play.state.encounter
    waits = met is not None and who in met.order and met.order.index(who) > _acting_at(met)
    return "" if waits else f"the turn of {who} is not still to come in this round"


def _acting_at(met: Encounter) -> int:
    return met.order.index(met.acting) if met.acting in met.order else -1


# Range bands


def _other_there(play: Play[Season], who: str, name: str, effect: Effect, question: str) -> Steps[str]:
    """Whom a change of place is about: the one named or, for the owner alone, the one they choose; or nobody."""
    met = play.state.encounter
    if met is None or who not in met.participants or name not in met.participants or len(met.participants) == 1:
        return ""
    if name != who:
        return name
    around = tuple(Option(other, other) for other in met.participants if other != who)
    by = _chooser(play, who, effect)
    return (yield from ask(Choose(f"{who} {question}", around, obvious=True, by=by, rule="WV-25"))).key


def _push_or_pull(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """So many bands farther from the owner, or nearer, as far as there are any."""
    bands = effect.amount if effect.do is EffectKind.PUSH else -effect.amount
    other = yield from _other_there(play, who, name, effect, "is moved: from whom?")
    met = play.state.encounter
    if met is None or not other or not (yield from _may_be_moved(play, who, name)):
        return
    order = list(RangeBand)
    now = met.band(who, other)
    then = order[min(max(order.index(now) + bands, 0), len(order) - 1)]
    if then is not now:
        yield BandChanged(who=who, other=other, band=then)


def _move(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """Change the distance between two figures of an encounter by up to so many bands, as the owner likes."""
    other = yield from _other_there(play, who, name, effect, "moves: nearer to or farther from whom?")
    met = play.state.encounter
    if met is None or not other or not (yield from _may_be_moved(play, who, name)):
        return
    now = met.band(who, other)
    bands = [b for b in RangeBand if now.steps_to(b) <= effect.amount]
    if (end := effect.towards) is not None:
        bands = [b for b in bands if b.steps_to(end) <= now.steps_to(end)]
    reachable = tuple(Option(b.value, b.label) for b in bands)
    by = _chooser(play, who, effect)
    question = Choose(f"Range band between {who} and {other}", reachable, by=by, rule="WV-25")
    chosen = yield from ask(question)
    if RangeBand(chosen.key) is not now:
        yield BandChanged(who=who, other=other, band=RangeBand(chosen.key))


def _exchange(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """The owner and another change places: each is then as far from everybody else as the other was."""
    other = yield from _other_there(play, who, name, effect, "changes places: with whom?")
    met = play.state.encounter
    if met is None or not other or not (yield from _may_be_moved(play, who, other)):
        return
    for third in met.participants:
        mine, theirs = met.band(who, third), met.band(other, third)
        if third not in (who, other) and mine is not theirs:
            yield BandChanged(who=who, other=third, band=theirs)
            yield BandChanged(who=other, other=third, band=mine)


def _let_move(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """Whoever it is for moves by itself, nearer to or farther from one figure."""
    yield from _move(play, name, name, effect, because)


def _set_bands(play: Play[Season], who: str, name: str, effect: Effect, because: str) -> Steps[None]:
    """Set the distances of so many pairs, 10 for all, as the owner likes."""
    met = play.state.encounter
    if met is None:
        return
    pairs = {pair(one, other): (one, other) for one, other in combinations(met.participants, 2)}
    options = tuple(
        Option(f"{key}: {band}", f"{key}: {band.label}")
        for key, two in pairs.items()
        for band in RangeBand
        if band is not met.band(*two)
    )
    most = len(pairs) if effect.amount == MOST_AMOUNT else min(effect.amount, len(pairs))
    by = _chooser(play, who, effect)
    chosen = yield from ask(Choose(f"{because}: which distances are set?", options, 0, most, by=by, rule="WV-25"))
    for key, _, band in (option.rpartition(": ") for option in chosen.keys):
        kept = False
        for name in pairs[key] if by_today(play) else ():
            kept = kept or not (yield from _may_be_moved(play, who, name))
        if not kept:
            yield BandChanged(who=pairs[key][0], other=pairs[key][1], band=RangeBand(band))


def _may_be_moved(play: Play[Season], who: str, name: str) -> Steps[bool]:
    """Whether nothing keeps an effect of ``who`` from moving somebody (WV-10)."""
    if who != name and any(b.do is EffectKind.ROOTED for b in play.state.figure(name).boons):
        return False
    occasion = Occasion(Moment.SHIFTED, name, attacker=who)
    held, asked_about, ticked = yield from answered(play, occasion)
    yield from judged(occasion, asked_about, ticked)
    return not any(passive.change.forbids for passive in held)


_AT_ONCE: dict[EffectKind, Callable[[Play[Season], str, str, Effect, str], Steps[None]]] = {
    EffectKind.HEAL_WOUNDS: _heal,
    EffectKind.CLEAR_STRIKES: _clear,
    EffectKind.DRAW_CHALLENGE: _draw,
    EffectKind.ACT_NOW: _act_now,
    EffectKind.TAKE_BOON: _take_boon,
    EffectKind.ANSWER: _answer,
    EffectKind.LEAVE: _leave,
    EffectKind.PUSH: _push_or_pull,
    EffectKind.PULL: _push_or_pull,
    EffectKind.MOVE_BANDS: _move,
    EffectKind.EXCHANGE_PLACES: _exchange,
    EffectKind.LET_MOVE: _let_move,
    EffectKind.SET_BANDS: _set_bands,
    EffectKind.CHANGE_TURN: _change_turn,
}
"""What each kind does that does not stay with a figure."""
