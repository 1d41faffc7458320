"""Attacks, and what protects from them (WO-13).

A mage with one protection that works by itself is not asked. One who can choose - between several, or whether to
give something for a protection - is asked, in whoever's turn it is: that is the reaction window of WO-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.woven.asking import choose_place, place_label
from loomtable.engine.woven.bodies import destroy_body
from loomtable.engine.woven.charges import recover_threads_by, spend_charge
from loomtable.engine.woven.effects import (
    Defend,
    Deflect,
    RecoverThreads,
    Reflect,
    SacrificeTendril,
    TendrilDefends,
)
from loomtable.engine.woven.events.ground import Attacked, Protected, Struck, TendrilSacrificed
from loomtable.engine.woven.events.weaving import ChargeLoss, ChargeLost
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.spells import Spell
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tendrils import clear_tendrils, sacrifice
from loomtable.engine.woven.travel import places_seen, tendril_places

TAKE = "take-the-hit"


class SpellBlow(msgspec.Struct, frozen=True):
    """An attack on its way: whose it is, by which spell, how strong."""

    by: str
    spell: str
    strength: int
    sent_on: bool = False
    """Whether it was deflected or reflected; nobody is spared by it then."""
    reflected: bool = False
    """Whether it was sent back already; it is not sent back a second time."""


class Answer(msgspec.Struct, frozen=True):
    """Something that an attacked mage can do about an attack."""

    option: Option
    by_itself: bool
    """Whether it protects without being asked for, so that it cannot be left out."""
    run: Callable[[], Steps[bool]]
    """Does it; returns whether that settles the attack."""


def attack(play: Play[Contest], blow: SpellBlow, place: RegionKey) -> Steps[None]:
    """An attack on every creature in a location, clockwise from the attacker's left (WO-13)."""
    yield Attacked(by=blow.by, spell=blow.spell, at=place, strength=blow.strength)
    for who in play.state.from_left_of(blow.by):
        if who == blow.by and not blow.sent_on and play.ruled("own-attack") == "spares-the-caster":
            continue
        if play.state.mages[who].place == place and not play.state.winners:
            yield from hit(play, who, blow)


def hit(play: Play[Contest], who: str, blow: SpellBlow) -> Steps[None]:
    """One mage is hit, and is protected, chooses a protection, or loses the body (WO-13, WO-14)."""
    settled = False
    while not settled:
        answers = list(_answers(play, who, blow))
        if not any(answer.by_itself for answer in answers):
            answers.append(Answer(Option(TAKE, "Take the hit"), True, lambda: _take(play, who, blow)))
        if len(answers) == 1:
            settled = yield from answers[0].run()
            continue
        question = Choose(
            f"{who} is attacked: strength {blow.strength}",
            tuple(answer.option for answer in answers),
            by=who,
            rule="WO-13",
        )
        key = (yield from ask(question)).key
        settled = yield from next(answer for answer in answers if answer.option.key == key).run()


def _take(play: Play[Contest], who: str, blow: SpellBlow) -> Steps[bool]:
    yield from destroy_body(play, who, by=blow.by)
    return True


def _answers(play: Play[Contest], who: str, blow: SpellBlow) -> Iterator[Answer]:
    """Everything that the charges of an attacked mage allow (WO-12, WO-13)."""
    contest, mage = play.state, play.state.mages[who]
    for spell in mage.charged():
        for effect in spell.while_charged:
            match effect:
                case Defend(strength=strength):
                    label = f"{spell.name}: Defend {strength}{_cost(strength, blow, 'the charge')}"
                    yield Answer(Option(spell.key, label), True, _defends(who, spell, strength, blow))
                case Reflect(divided_by=divided_by) if not blow.reflected:
                    label = f"{spell.name}: take {blow.strength // divided_by}, and the attacker is hit"
                    run = _reflects(play, who, spell, divided_by, blow)
                    yield Answer(Option(f"{spell.key}:reflect", label), True, run)
                case TendrilDefends(strength=strength) if mage.place in mage.tendrils:
                    label = f"{spell.name}: the tendril here defends {strength}{_cost(strength, blow, 'it')}"
                    run = _tendril_defends(who, spell, strength, mage.place, blow)
                    yield Answer(Option(f"{spell.key}:tendril", label), True, run)
                case SacrificeTendril(defend=strength) if strength:
                    for place in tendril_places(contest, mage):
                        label = f"{spell.name}: give the tendril in {place_label(contest, place)}"
                        run = _sacrifices(play, who, place, spell, blow)
                        yield Answer(Option(f"{spell.key}:{place}", label), False, run)
        for spending in spell.by_spending:
            match spending:
                case Deflect():
                    label = f"{spell.name}: spend a charge, the attack goes elsewhere"
                    run = _deflects(play, who, spell, spending, blow)
                    yield Answer(Option(f"{spell.key}:spend", label), False, run)
                case RecoverThreads(count=count) if mage.threads:
                    threads = how_many(count, "thread", "threads")
                    label = f"{spell.name}: spend a charge first, to take back up to {threads}"
                    run = _recovers(play, who, spell, spending)
                    yield Answer(Option(f"{spell.key}:threads", label), False, run)


def _cost(strength: int, blow: SpellBlow, what: str) -> str:
    """What a protection of this strength loses to the attack, in words."""
    return f", which costs {what}" if blow.strength >= strength else ""


def _defends(who: str, spell: Spell, strength: int, blow: SpellBlow) -> Callable[[], Steps[bool]]:
    def run() -> Steps[bool]:
        yield Protected(who=who, spell=spell.key, strength=blow.strength)
        if blow.strength >= strength:
            yield ChargeLost(who=who, spell=spell.key, loss=ChargeLoss.DISPELLED, rule="WO-13")
        return True

    return run


def _tendril_defends(
    who: str, spell: Spell, strength: int, place: RegionKey, blow: SpellBlow
) -> Callable[[], Steps[bool]]:
    def run() -> Steps[bool]:
        yield Protected(who=who, spell=spell.key, strength=blow.strength)
        if blow.strength >= strength:
            yield TendrilSacrificed(who=who, at=place, spell=spell.key)
        return True

    return run


def _reflects(
    play: Play[Contest], who: str, spell: Spell, divided_by: int, blow: SpellBlow
) -> Callable[[], Steps[bool]]:
    def run() -> Steps[bool]:
        taken = blow.strength // divided_by
        if not taken:
            yield Protected(who=who, spell=spell.key, strength=blow.strength, rule="WO-15")
        if play.ruled("reflection-charge") == "spent":
            yield ChargeLost(who=who, spell=spell.key, loss=ChargeLoss.SPENT)
        back = SpellBlow(_owner(play, who, blow), spell.key, blow.strength, sent_on=True, reflected=True)
        if taken:
            yield from destroy_body(play, who, by=blow.by)
        if play.state.mages[blow.by].on_map and not play.state.winners:
            yield Struck(who=blow.by, by=who, spell=spell.key, strength=blow.strength)
            yield from hit(play, blow.by, back)
        return True

    return run


def _sacrifices(
    play: Play[Contest], who: str, place: RegionKey, spell: Spell, blow: SpellBlow
) -> Callable[[], Steps[bool]]:
    def run() -> Steps[bool]:
        yield from sacrifice(play, who, place, spell.key, blow.by)
        yield Protected(who=who, spell=spell.key, strength=blow.strength)
        return True

    return run


def _deflects(
    play: Play[Contest], who: str, spell: Spell, effect: Deflect, blow: SpellBlow
) -> Callable[[], Steps[bool]]:
    def run() -> Steps[bool]:
        yield from spend_charge(who, spell.key)
        places = places_seen(play.state, play.state.mages[who], effect.to)
        elsewhere = yield from choose_place(play, who, "Deflect the attack into", places)
        yield Protected(who=who, spell=spell.key, strength=blow.strength, rule="WO-15")
        onward = SpellBlow(
            _owner(play, who, blow), spell.key, effect.strength, sent_on=True, reflected=blow.reflected
        )
        yield from attack(play, onward, elsewhere)
        if effect.clears_tendrils and not play.state.winners:
            yield from clear_tendrils(play, who, (elsewhere,))
        return True

    return run


def _recovers(play: Play[Contest], who: str, spell: Spell, effect: RecoverThreads) -> Callable[[], Steps[bool]]:
    def run() -> Steps[bool]:
        yield from spend_charge(who, spell.key)
        yield from recover_threads_by(play, who, spell.key, effect.count)
        return False

    return run


def _owner(play: Play[Contest], deflector: str, blow: SpellBlow) -> str:
    """Whose attack one is that was sent on (ruling ``deflected-by``)."""
    return deflector if play.ruled("deflected-by") == "the-deflector" else blow.by
