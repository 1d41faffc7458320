"""Combat: attacks, their Challenge Level, and the Strikes they deal (WV-24)."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.arguments import USUAL
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.weave.arguments import AssetName, Who, Whom
from loomtable.engine.weave.cards.mechanics import EffectKind, MechanicType, Moment, RangeBand
from loomtable.engine.weave.cards.occasions import Occasion, offers
from loomtable.engine.weave.cards.passives import allowed, check_allowed
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.weave.cards.qualities import (
    check_unspent,
    is_triggered,
    owned,
    strikes_to_target,
    take_effect,
)
from loomtable.engine.weave.challenge.challenge import ChallengeResult, check_words, face, may_go_on, negotiated
from loomtable.engine.weave.challenge.tally import LOWEST_LEVEL
from loomtable.engine.weave.encounter.hurt import check_able
from loomtable.engine.weave.encounter.striking import boons, no_peace_for, peace_ends, pricked, struck
from loomtable.engine.weave.encounter.turns import by_today, check_turn, take_action, the_encounter
from loomtable.engine.weave.events.figures import ActionFailed, BoonsEnded
from loomtable.engine.weave.state import Figure, Npc, ScannedQuality, Season
from loomtable.engine.weave.story.enticement import EnticementGiven, check_enticement
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE


def combat_level(attacker: Figure, target: Figure, suit: Suit) -> int:
    """The target's dice bonus less the attacker's, at least 1 (WV-24)."""
    return max(LOWEST_LEVEL, target.dice_bonus(suit) - attacker.dice_bonus(suit))


@WEAVE.action("attack", "WV-17", "WV-24", "WV-25", begun_by=PLAYER, group="Encounters")
def attack(
    play: Play[Season],
    *,
    who: Who,
    target: Whom,
    asset: Annotated[AssetName | None, USUAL] = None,
    suit: Annotated[Suit | None, USUAL] = None,
    instead: Suit | None = None,
    enticement: EnticementGiven = None,
    dice: int = 0,
    easier: int = 0,
) -> Steps[None]:
    """Attack somebody within reach, with an Asset or bare hands; no card is played.

    The storyteller says the ``suit`` (that of the Asset unless another is named), the player may negotiate.
    """
    met = the_encounter(play)
    if not met.combat:
        raise IllegalAction("this encounter is no combat")
    check_words(dice, easier)
    attacker, attacked = check_able(play, who), check_able(play, target)
    if who == target or target not in met.participants or who not in met.participants:
        raise IllegalAction(f"{who} and {target} do not both take part in the encounter")
    weapon = owned(attacker, asset, QualityKind.ASSET) if asset is not None else None
    if weapon is not None:
        check_unspent(attacker, weapon)
    occasion = Occasion(Moment.ATTACK, who, attacker=who, target=target)
    elsewhere = [(o.change.band, o.certain and by_today(play)) for o in offers(play, occasion) if o.change.band]
    band = next((band for band, certain in elsewhere if certain), met.band(who, target))
    if (far := _out_of_reach(play, weapon, who, target, band)) and all(certain for _, certain in elsewhere):
        raise IllegalAction(far)
    if because := no_peace_for(play, who, target):
        raise IllegalAction(because)
    check_allowed(play, occasion)
    suit = suit or (weapon.quality.mechanic.suit if weapon and weapon.quality.mechanic else None)
    if suit is None:
        raise IllegalAction("say the suit of this attack")
    check_enticement(play, attacker, enticement)
    check_turn(play, attacker, 1)
    held = yield from allowed(play, occasion)
    if held is None or (weapon and (yield from allowed(play, Occasion(Moment.ASSET, who))) is None):
        return
    band = next((always.change.band for always in held if always.change.band is not None), met.band(who, target))
    far = _out_of_reach(play, weapon, who, target, band)
    if by_today(play) or not far:
        yield from take_action(play, who)
    if far:
        yield ActionFailed(who=who, because=far)
        return
    suit = yield from negotiated(who, suit, instead)
    if not (yield from may_go_on(play, who, enticement)):
        return
    level = combat_level(play.state.figure(who), attacked, suit)
    if mirrors := [passive.owner for passive in held if passive.change.mirrors]:
        level = LOWEST_LEVEL
        dice += attacked.dice_bonus(suit) - attacker.dice_bonus(suit) if who in mirrors else 0
    mechanic = weapon.quality.mechanic if weapon else None
    lucky = mechanic is not None and mechanic.type is MechanicType.LUCKY
    faced = yield from face(
        play, who, suit, level, dice=dice, easier=easier, lucky=lucky, target=target, rule="WV-24"
    )
    if not faced.passed and faced.tally is None:  # out before the roll
        return
    yield from peace_ends(play, who, target)
    stored = tuple(b for b in boons(play, who, EffectKind.MORE_STRIKES) if b.meets(target))
    if stored and (faced.passed or play.ruled("missed-attack") == "used-up"):
        yield BoonsEnded(who=who, ended=stored)
    if faced.passed:
        yield from _land(play, who, target, weapon, faced, sum(b.amount for b in stored))
    yield from pricked(play, who, target)


def _out_of_reach(
    play: Play[Season], weapon: ScannedQuality | None, who: str, target: str, band: RangeBand
) -> str:
    """Why an attack does not reach as far as ``band``; empty where it does (WV-24, WV-25).

    Raises:
        IllegalAction: it is no attack at all.
    """
    mechanic = weapon.quality.mechanic if weapon else None
    reach: tuple[RangeBand, ...]
    if weapon is None:
        if play.ruled("attack-without-asset") == "refused":
            raise IllegalAction("an attack needs an Asset (ruling attack-without-asset)")
        attacker = play.state.figure(who)
        reach = attacker.reach if isinstance(attacker, Npc) else (RangeBand.MELEE,)
        name = "a bare hand" if reach == (RangeBand.MELEE,) else who
    else:
        reach = mechanic.reach if mechanic else ()
        name = weapon.quality.name
        if not reach:
            raise IllegalAction(f"{name} is not used to attack (Use asset)")
    bands = " or ".join(b.label for b in reach)
    return "" if band in reach else f"{target} is at {band.label}; {name} reaches {bands}"


def _land(
    play: Play[Season], who: str, target: str, weapon: ScannedQuality | None, faced: ChallengeResult, more: int
) -> Steps[None]:
    """One Strike, one more for each success beyond the level, and what the Asset and what waited for it add."""
    successes = faced.tally.successes if faced.tally else 0
    strikes = 1 + max(0, successes - faced.level)
    mechanic = weapon.quality.mechanic if weapon else None
    if mechanic is not None:
        strikes += strikes_to_target(play, mechanic, is_triggered(play, mechanic, faced))
    armed, strikes = weapon is not None, strikes + more
    blow = Occasion(Moment.STRUCK, target, faced.suit, attacker=who, target=target, strikes=strikes, asset=armed)
    yield from struck(play, blow, rule="WV-24")
    if weapon is not None:
        yield from take_effect(play, who, weapon, faced, target=target)
