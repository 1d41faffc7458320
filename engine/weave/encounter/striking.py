"""The Strikes of an attack, whether by an Asset, bare hands or a Talent, on their way to its target (WV-24)."""

from __future__ import annotations

from msgspec.structs import replace

from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.weave.cards.mechanics import MOST_AMOUNT, EffectKind, Moment, RangeBand
from loomtable.engine.weave.cards.occasions import Occasion
from loomtable.engine.weave.cards.passives import attempted, blocked, settled, strikes_after
from loomtable.engine.weave.encounter.hurt import mark_strikes
from loomtable.engine.weave.encounter.turns import is_hostile
from loomtable.engine.weave.events.figures import ActionFailed, BoonsEnded
from loomtable.engine.weave.state import Boon, Season


def strike_by_quality(play: Play[Season], who: str, target: str, strikes: int) -> Steps[None]:
    """Strikes that a Talent or another quality deals: an attack on an enemy, by the ruling ``talent-strikes``."""
    apart = is_hostile(play.state.figure(who)) != is_hostile(play.state.figure(target))
    if not apart or play.ruled("talent-strikes") == "no-attack":
        yield from mark_strikes(play, target, strikes)
        return
    if because := no_peace_for(play, who, target):
        yield ActionFailed(who=who, because=because)
    elif (yield from attempted(play, Occasion(Moment.ATTACK, who, attacker=who, target=target))) is not None:
        yield from peace_ends(play, who, target)
        yield from struck(play, Occasion(Moment.STRUCK, target, attacker=who, target=target, strikes=strikes))
        yield from pricked(play, who, target)


def no_peace_for(play: Play[Season], who: str, target: str) -> str:
    """Why something keeps an attack from being made; empty where nothing does (WV-10)."""
    if because := blocked(play, who, EffectKind.CALM):
        return f"{who} does not attack now: {because}"
    if because := blocked(play, target, EffectKind.SAFE):
        return f"{target} cannot be attacked now: {because}"
    apart = [b for b in boons(play, who, EffectKind.SPARE) if b.by == target]
    apart += [b for b in boons(play, target, EffectKind.SPARE) if b.by == who and b.amount > 1]
    return f"{who} does not attack {target} now: {apart[0].because}" if apart else ""


def peace_ends(play: Play[Season], who: str, target: str) -> Steps[None]:
    """Whoever attacks is no longer safe; whoever is attacked no longer calm, nor spares the attacker (WV-10)."""
    for name, kind in ((who, EffectKind.SAFE), (target, EffectKind.CALM), (target, EffectKind.SPARE)):
        ended = boons(play, name, kind)
        if ended := tuple(b for b in ended if not b.unbroken and (kind is not EffectKind.SPARE or b.by == who)):
            yield BoonsEnded(who=name, ended=ended)


def struck(play: Play[Season], blow: Occasion, *, rule: str = "WV-10") -> Steps[None]:
    """Mark the Strikes of a blow that passive qualities and wards leave; then what follows from them (WV-10)."""
    target = play.state.figure(blow.target)
    strikes = strikes_after(blow.strikes, (yield from settled(play, blow)), target.strikes)
    strikes = yield from _warded(play, blow.target, strikes)
    yield from mark_strikes(play, blow.target, strikes, rule=rule)
    if play.state.figure(blow.target).wounds > target.wounds:
        yield from settled(play, replace(blow, at=Moment.WOUNDED))
    if strikes:
        yield from settled(play, replace(blow, at=Moment.TAKEN, strikes=strikes))


def _warded(play: Play[Season], target: str, strikes: int) -> Steps[int]:
    """What wards leave of an attack's Strikes; one that does not last is used up by it (WV-10)."""
    wards = boons(play, target, EffectKind.WARD)
    if used := tuple(b for b in wards if not b.firm):
        yield BoonsEnded(who=target, ended=used)
    return 0 if MOST_AMOUNT in (b.amount for b in wards) else max(0, strikes - sum(b.amount for b in wards))


def pricked(play: Play[Season], who: str, target: str) -> Steps[None]:
    """Whoever attacks at Melee Range is hurt by what the other has put up (WV-10)."""
    met, thorns = play.state.encounter, boons(play, target, EffectKind.THORNS)
    if thorns and met is not None and met.band(who, target) is RangeBand.MELEE:
        yield from mark_strikes(play, who, sum(b.amount for b in thorns))


def boons(play: Play[Season], who: str, kind: EffectKind) -> tuple[Boon, ...]:
    """What stays with a figure, of one kind."""
    return tuple(b for b in play.state.figure(who).boons if b.do is kind)
