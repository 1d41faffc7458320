"""Effects that attack mages, and their charges (WO-13, WO-15)."""

from __future__ import annotations

from loomtable.engine.kernel.play import Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.woven.asking import choose_mage, says_yes
from loomtable.engine.woven.casting.course import Casting, choose_all
from loomtable.engine.woven.charges import charge_to_recover_threads, recover_threads_by, spend_charge
from loomtable.engine.woven.combat import SpellBlow, attack
from loomtable.engine.woven.effects import Attack, RemoveCharges, Where
from loomtable.engine.woven.events.weaving import ChargeLoss, ChargeLost
from loomtable.engine.woven.spells import spell_named


def strike(casting: Casting, effect: Attack) -> Steps[None]:
    """An attack on everybody in a location, or in each of several."""
    places = yield from choose_all(casting, effect.where)
    if not places:
        yield casting.nothing(casting.why_none(effect.where))
        return
    if effect.where is Where.EVERY_OWN_TENDRIL and casting.play.ruled("fire-reign") == "each-tendril":
        places = tuple(place for place in places for _ in range(casting.mage.tendrils[place]))
    for place in places:
        if not casting.contest.winners:
            yield from attack(casting.play, SpellBlow(casting.who, casting.spell.key, effect.strength), place)


def remove_charges(casting: Casting, effect: RemoveCharges) -> Steps[None]:
    """Another mage, in a location, loses charges and chooses which."""
    places = casting.places(effect.where)
    targets = [
        name
        for name, mage in casting.contest.mages.items()
        if name != casting.who and mage.on_map and mage.place in places and mage.charges
    ]
    if not targets:
        yield casting.nothing("no other mage with a charge is there")
        return
    target = yield from choose_mage(casting.who, casting.question("whose charges?"), targets)
    yield from _spend_before_it_is_lost(casting, target)
    charges = [key for key, count in casting.contest.mages[target].charges.items() for _ in range(count)]
    lost = charges
    if len(charges) > effect.count:
        lost = yield from _chosen(casting, target, charges, effect.count)
    for key in lost:
        yield ChargeLost(who=target, spell=key, loss=ChargeLoss.REMOVED, rule="WO-15")


def _chosen(casting: Casting, target: str, charges: list[str], count: int) -> Steps[list[str]]:
    options = tuple(Option(str(n), spell_named(key).name) for n, key in enumerate(charges, start=1))
    question = Choose(
        casting.question(f"{target} loses {how_many(count, 'charge', 'charges')}"),
        options,
        count,
        count,
        by=target,
        rule="WO-15",
    )
    return [charges[int(key) - 1] for key in (yield from ask(question)).keys]


def _spend_before_it_is_lost(casting: Casting, target: str) -> Steps[None]:
    """Charges that can be spent at any time can be spent now, before they are taken away (WO-12)."""
    for spell in casting.contest.mages[target].charged():
        while count := charge_to_recover_threads(casting.contest.mages[target], spell):
            question = f"Spend a charge of {spell.name} before charges are taken?"
            yes = f"Spend it, for up to {how_many(count, 'thread', 'threads')}"
            if not (yield from says_yes(target, question, yes, "Keep it", rule="WO-12")):
                break
            yield from spend_charge(target, spell.key)
            yield from recover_threads_by(casting.play, target, spell.key, count)
