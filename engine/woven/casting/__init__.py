"""Casting: the effects of a spell, in their order, each by the rule that plays it (WO-10, WO-15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.woven.asking import NO
from loomtable.engine.woven.casting import mages, strikes, tendrils
from loomtable.engine.woven.casting.course import Casting
from loomtable.engine.woven.charges import recover_threads_by
from loomtable.engine.woven.effects import (
    AnotherAction,
    Attack,
    CastEffect,
    ClearTendrils,
    Consume,
    Move,
    MoveEveryTendril,
    MoveInto,
    MoveTendril,
    OnRivalTendril,
    PlaceCharge,
    PlaceTendril,
    Push,
    RecoverThreads,
    RemoveCharges,
    RemoveTendrils,
    RemoveThatTendril,
    Teleport,
)
from loomtable.engine.woven.events.weaving import ChargePlaced, SpellCast
from loomtable.engine.woven.patterns import Completed
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest


def cast(play: Play[Contest], who: str, completed: Completed) -> Steps[bool]:
    """Cast the spell of a completed pattern; returns whether another action may follow (WO-10)."""
    mage = play.state.mages[who]
    yield SpellCast(
        who=who,
        spell=completed.spell,
        symbols=completed.symbols,
        threads=completed.threads,
        revealed=completed.spell in mage.hand,
    )
    casting = Casting(play, who, spell_named(completed.spell))
    yield from _run(casting, casting.spell.on_cast)
    return casting.again


def _run(casting: Casting, effects: Iterable[CastEffect]) -> Steps[None]:
    for effect in effects:
        if not casting.contest.winners:
            yield from PLAYED_BY[type(effect)](casting, effect)


def _place_charge(casting: Casting, effect: PlaceCharge) -> Steps[None]:
    """One mana from the pool onto the spell; none without mana (WO-12)."""
    if casting.mage.pool:
        yield ChargePlaced(who=casting.who, spell=casting.spell.key)
    else:
        yield casting.nothing(f"{casting.who} has no mana in the pool for a charge", rule="WO-12")


def _on_rival_tendril(casting: Casting, effect: OnRivalTendril) -> Steps[None]:
    """More, if the mage shares a location with another mage's tendril and likes to."""
    here = casting.mage.place
    rivals = [n for n, mage in casting.contest.mages.items() if n != casting.who and here in mage.tendrils]
    if not rivals:
        yield casting.nothing("no other mage's tendril is here")
        return
    options = tuple(Option(str(n), f"{name}'s") for n, name in enumerate(rivals, start=1))
    question = casting.question("use which mage's tendril here?")
    key = (yield from ask(Choose(question, (*options, Option(NO, "None")), by=casting.who, rule="WO-15"))).key
    if key != NO:
        casting.rival, casting.rival_tendril = rivals[int(key) - 1], here
        yield from _run(casting, effect.then)


def _recover_threads(casting: Casting, effect: RecoverThreads) -> Steps[None]:
    yield from recover_threads_by(casting.play, casting.who, casting.spell.key, effect.count)


def _another_action(casting: Casting, effect: AnotherAction) -> Steps[None]:
    casting.again = True
    yield from ()


PLAYED_BY: Mapping[type[CastEffect], Callable[[Casting, Any], Steps[None]]] = {
    Move: mages.move,
    MoveInto: mages.move_into,
    Push: mages.push,
    Teleport: mages.teleport,
    PlaceTendril: tendrils.place_tendril,
    MoveTendril: tendrils.move_tendril,
    MoveEveryTendril: tendrils.move_every_tendril,
    Attack: strikes.strike,
    Consume: tendrils.consume,
    ClearTendrils: tendrils.clear,
    RemoveTendrils: tendrils.remove_tendrils,
    RemoveThatTendril: tendrils.remove_that_tendril,
    RemoveCharges: strikes.remove_charges,
    PlaceCharge: _place_charge,
    OnRivalTendril: _on_rival_tendril,
    RecoverThreads: _recover_threads,
    AnotherAction: _another_action,
}
"""Which rule plays each effect that can happen at a casting; no effect is without one."""
