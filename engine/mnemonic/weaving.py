"""Weavings, and universal truths in their place (MN-4, MN-5, MN-8, MN-11, MN-15)."""

from __future__ import annotations

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.requests import Choose, Option, Roll
from loomtable.engine.mnemonic.almanac import WeavingBand, band_of, key_of, weaving_dice
from loomtable.engine.mnemonic.events.people import ComplicationRemoved, SuitInjured
from loomtable.engine.mnemonic.events.scenes import DieGiven, TruthCalled, WeavingPerformed
from loomtable.engine.mnemonic.people import choose_suit
from loomtable.engine.mnemonic.state import Chronicle
from loomtable.engine.mnemonic.system import active

NONE, REPAIR, GIVE, TRUTH = "none", "remove-complication", "give-a-die", "ask-for-"
INJURING = (WeavingBand.BEND, WeavingBand.TEAR)
"""The bands after which the suit that was used is injured (MN-5)."""


def others(play: Play[Chronicle], who: str) -> tuple[str, ...]:
    """Everybody else who is played."""
    return tuple(name for name in play.state.active if name != who)


def truths(play: Play[Chronicle], who: str) -> dict[str, tuple[str, str]]:
    """The universal truths that ``who`` can ask for, by option: whose, and which skill (MN-8)."""
    if play.ruled("universal-truth") == "off":
        return {}
    found: dict[str, tuple[str, str]] = {}
    anyway = play.ruled("truth-when-locked") == "allowed"
    for keeper in others(play, who):
        sheet = active(play, keeper)
        for skill in sheet.skills:
            if skill.truth and (anyway or not sheet.locked(skill)):
                found[f"{TRUTH}{key_of(keeper)}.{key_of(skill.name)}"] = (keeper, skill.name)
    return found


def offer_weaving(play: Play[Chronicle], who: str, skill: str, *, complicated: bool) -> Steps[None]:
    """After the roll, a weaving: it removes the complication, or gives another player a die (MN-11)."""
    sheet = active(play, who)
    suit = sheet.skill(skill).suit
    asked_for = truths(play, who) if complicated or _truth_after_a_clean_use(play) else {}
    options = tuple(_options(play, who, skill, complicated)) + tuple(
        Option(key, f"Ask {keeper} for {truth}", "A universal truth.")
        for key, (keeper, truth) in asked_for.items()
    )
    if not options:
        return
    offered = (Option(NONE, "No weaving"), *options)
    chosen = yield from ask(Choose(f"A weaving for {who} after {skill}", offered, by=sheet.player, rule="MN-11"))
    if chosen.key == NONE:
        return
    if chosen.key in asked_for:
        yield from _call_truth(play, who, skill, suit, *asked_for[chosen.key], complicated=complicated)
        return
    yield from _weave(play, who, skill, suit, gives=chosen.key == GIVE, complicated=complicated)


def _truth_after_a_clean_use(play: Play[Chronicle]) -> bool:
    """Whether a truth can be asked for although nothing is complicated (MN-8)."""
    weaves = play.ruled("weaving-after-a-clean-use") == "allowed"
    return weaves and play.ruled("truth-after-a-clean-use") == "allowed"


def _options(play: Play[Chronicle], who: str, skill: str, complicated: bool) -> list[Option]:
    alone = not others(play, who)
    if alone and play.ruled("weaving-alone") == "impossible":
        return []
    options: list[Option] = []
    if complicated:
        options.append(Option(REPAIR, f"Remove the complication of {skill}", "On 1 or 6 the suit is injured."))
    if not alone and (complicated or play.ruled("weaving-after-a-clean-use") == "allowed"):
        options.append(Option(GIVE, "Give another player one die on their next roll", "The same risk."))
    return options


def _weave(
    play: Play[Chronicle], who: str, skill: str, suit: CardSuit, *, gives: bool, complicated: bool
) -> Steps[None]:
    """Another player chooses a weaving die and rolls it (MN-5)."""
    to = ""
    if gives:
        to = yield from _one_of(others(play, who), "Who gets the die", by=active(play, who).player, rule="MN-11")
    weavers = others(play, who) or (who,)
    weaver = yield from _one_of(weavers, f"Who weaves for {who}", by=active(play, who).player, rule="MN-5")
    by = active(play, weaver).player
    dice = tuple(Option(key, die.name, die.says) for key, die in weaving_dice().items())
    chosen = yield from ask(Choose(f"Weaving die for {who}", dice, by=by, rule="MN-15"))
    die = weaving_dice()[chosen.key]
    lying = yield from ask(Roll(Die.D6, 1, f"Weaving with {die.name} for {who}", by=by, rule="MN-5"))
    band = band_of(lying.pips[0])
    yield WeavingPerformed(who=who, weaver=weaver, die=die.key, face=lying.pips[0], band=band)
    if gives:
        yield DieGiven(who=who, to=to)
    if complicated and (not gives or play.ruled("gift-or-repair") == "both"):
        yield ComplicationRemoved(who=who, skill=skill)
    if band in INJURING:
        yield from injure(play, who, suit, rule="MN-5")


def _call_truth(
    play: Play[Chronicle], who: str, skill: str, suit: CardSuit, keeper: str, truth: str, *, complicated: bool
) -> Steps[None]:
    """Ask for a universal truth: 1 is no help and an injury, 6 is help and an injury (MN-8)."""
    by = active(play, keeper).player
    lying = yield from ask(Roll(Die.D6, 1, f"{truth} of {keeper} for {who}", by=by, rule="MN-8"))
    face = lying.pips[0]
    yield TruthCalled(who=who, keeper=keeper, skill=truth, face=face)
    if complicated and (face > 1 or play.ruled("truth-unavailable") == "removed"):
        yield ComplicationRemoved(who=who, skill=skill)
    if band_of(face) in INJURING:
        whole = tuple(s for s in CardSuit if s not in active(play, who).injured)
        if play.ruled("truth-injury") == "chosen" and whole:
            player = active(play, who).player
            suit = yield from choose_suit(play, f"Injured suit of {who}", whole, by=player, rule="MN-8")
        yield from injure(play, who, suit, rule="MN-8")


def injure(play: Play[Chronicle], who: str, suit: CardSuit, *, rule: str) -> Steps[None]:
    """Injure a suit, if it is not injured already (MN-2)."""
    if suit not in active(play, who).injured:
        yield SuitInjured(who=who, suit=suit, rule=rule)


def _one_of(names: tuple[str, ...], purpose: str, *, by: str, rule: str) -> Steps[str]:
    """One of several characters; not asked where there is only one."""
    if len(names) == 1:
        return names[0]
    keys = {key_of(name): name for name in names}
    options = tuple(Option(key, name) for key, name in keys.items())
    chosen = yield from ask(Choose(purpose, options, by=by, rule=rule))
    return keys[chosen.key]
