"""Using Talents, Assets and Signature Moves: activation, Triggers, and the effects the engine applies (WV-10)."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.weave.arguments import AssetName, ChallengeCard, MoveName, TalentName, Who
from loomtable.engine.weave.cards.effects import apply_effects, candidates
from loomtable.engine.weave.cards.mechanics import (
    IN_ENCOUNTERS,
    Effect,
    EffectKind,
    Mechanic,
    MechanicType,
    Moment,
    Span,
    Whom,
)
from loomtable.engine.weave.cards.occasions import Occasion, applied
from loomtable.engine.weave.cards.passive_words import in_brief
from loomtable.engine.weave.cards.passives import allowed
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.weave.challenge.challenge import (
    ChallengeResult,
    check_card,
    check_words,
    face,
    issued,
    may_go_on,
)
from loomtable.engine.weave.challenge.core import core_roll
from loomtable.engine.weave.challenge.tally import LOWEST_LEVEL, asked, outcome_of, trigger_met
from loomtable.engine.weave.encounter.hurt import check_able
from loomtable.engine.weave.encounter.striking import strike_by_quality
from loomtable.engine.weave.encounter.turns import check_season, take_action
from loomtable.engine.weave.events.figures import QualityActivated, QualitySpent
from loomtable.engine.weave.state import Figure, Npc, ScannedQuality, Season
from loomtable.engine.weave.story.enticement import Enticement, EnticementGiven, check_enticement
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE


def owned(figure: Figure, name: str, kind: QualityKind) -> ScannedQuality:
    """A figure's own quality of a kind, by its name.

    Raises:
        IllegalAction: it has none of that name; the message lists what it has.
    """
    mine = [q for q in figure.qualities if q.kind is kind]
    for quality in mine:
        if quality.quality.name == name:
            return quality
    known = ", ".join(q.quality.name for q in mine) or "none"
    raise IllegalAction(f"{figure.name} has no {kind.label} {name!r}; there is {known}")


def usable(play: Play[Season], who: str, name: str, kind: QualityKind) -> tuple[Figure, ScannedQuality, Mechanic]:
    """Whoever uses a quality now, the quality, and its mechanic (WV-10, WV-25).

    Raises:
        IllegalAction: it has no mechanic, is passive, was used and cannot be used again yet, or would do nothing:
            nobody whom it could be for is near enough.
    """
    figure = check_able(play, who)
    scanned = owned(figure, name, kind)
    mechanic, met = scanned.quality.mechanic, play.state.encounter
    if mechanic is None:
        raise IllegalAction(f"{name} has no mechanic")
    if mechanic.type is MechanicType.PASSIVE or mechanic.suit is None:
        raise IllegalAction(f"{name} is passive: it is always on and needs no activation")
    check_unspent(figure, scanned)
    effects = applied(play, mechanic.effects)
    bands = [e.within for e in effects if e.within is not None]
    somebody = any(candidates(play, who, e) for e in effects if e.to is not Whom.SAME)
    if met is not None and who in met.participants and bands and not somebody:
        raise IllegalAction(f"nobody it could be for is within {bands[0].label} of {who}")
    return figure, scanned, mechanic


def check_unspent(figure: Figure, scanned: ScannedQuality) -> None:
    """Refuse a quality that was used.

    Raises:
        IllegalAction: it cannot be used again before its span ends.
    """
    name = scanned.quality.name
    if name in figure.spent:
        raise IllegalAction(f"{name} has been used in this {figure.spent[name]}")


@WEAVE.action("use-talent", "WV-10", "WV-22", "WV-23", begun_by=PLAYER, group="Challenges")
def use_talent(
    play: Play[Season], *, who: Who, talent: TalentName, enticement: EnticementGiven = None
) -> Steps[None]:
    """Activate a Standard or Lucky Talent by a Core Challenge in its suit; its Trigger comes with it."""
    figure, scanned, _ = usable(play, who, talent, QualityKind.TALENT)
    check_enticement(play, figure, enticement)
    if (yield from allowed(play, Occasion(Moment.TALENT, who))) is None:
        return
    yield from take_action(play, who)
    if (yield from may_go_on(play, who, enticement)):
        yield from _by_core_challenge(play, who, scanned)


@WEAVE.action("use-asset", "WV-10", "WV-17", "WV-23", begun_by=PLAYER, group="Challenges")
def use_asset(
    play: Play[Season],
    *,
    who: Who,
    asset: AssetName,
    card: ChallengeCard | None = None,
    enticement: EnticementGiven = None,
    dice: int = 0,
    easier: int = 0,
) -> Steps[None]:
    """Use an Asset by a Challenge in its suit, with a card from the hand or at level 1."""
    check_words(dice, easier)
    figure, scanned, mechanic = usable(play, who, asset, QualityKind.ASSET)
    check_card(play, card, _suit(mechanic))
    check_enticement(play, figure, enticement, card)
    if (yield from allowed(play, Occasion(Moment.ASSET, who))) is None:
        return
    yield from take_action(play, who)
    yield from _by_challenge(play, who, scanned, card, enticement, dice, easier)


@WEAVE.action("signature-move", "WV-10", "WV-12", begun_by=PLAYER, group="Challenges")
def signature_move(
    play: Play[Season],
    *,
    who: Who,
    move: MoveName,
    card: ChallengeCard | None = None,
    enticement: EnticementGiven = None,
) -> Steps[None]:
    """Make a Signature Move, once in an episode; the ruling says by which kind of Challenge."""
    figure, scanned, mechanic = usable(play, who, move, QualityKind.SIGNATURE_MOVE)
    moves = [q.quality.name for q in figure.qualities if q.kind is QualityKind.SIGNATURE_MOVE]
    made = [m for m in moves if m in figure.spent]
    if made and play.ruled("two-signature-moves") == "one-in-all":
        raise IllegalAction(f"{made[0]} has been used, and only one Signature Move is made in an episode")
    by_core = play.ruled("signature-move-activation") == "core-challenge"
    if by_core and card is not None:
        raise IllegalAction("a Signature Move is activated by a Core Challenge, without a card")
    check_card(play, card, _suit(mechanic))
    check_enticement(play, figure, enticement, card)
    yield from take_action(play, who)
    if by_core:
        goes_on = yield from may_go_on(play, who, enticement)
        made_it = goes_on and (yield from _by_core_challenge(play, who, scanned))
    else:
        made_it = yield from _by_challenge(play, who, scanned, card, enticement, 0, 0)
    if made_it or play.ruled("signature-move-failed") == "used-up":
        yield QualitySpent(who=who, quality=move, span=Span.EPISODE, rule="WV-12")


def _suit(mechanic: Mechanic) -> Suit:
    assert mechanic.suit is not None, "only passive mechanics have no suit"
    return mechanic.suit


def _by_core_challenge(play: Play[Season], who: str, scanned: ScannedQuality) -> Steps[bool]:
    mechanic = scanned.quality.mechanic
    assert mechanic is not None
    suit = _suit(mechanic)
    tally = yield from core_roll(play, who, suit, lucky=mechanic.type is MechanicType.LUCKY)
    faced = ChallengeResult(suit, LOWEST_LEVEL, outcome_of(tally.successes, LOWEST_LEVEL), tally)
    if faced.passed:
        yield from take_effect(play, who, scanned, faced)
    return faced.passed


def _by_challenge(
    play: Play[Season],
    who: str,
    scanned: ScannedQuality,
    card: ComponentId | None,
    enticement: Enticement | None,
    dice: int,
    easier: int,
) -> Steps[bool]:
    mechanic = scanned.quality.mechanic
    assert mechanic is not None
    suit, level = yield from issued(play, who, _suit(mechanic), card, None)
    if not (yield from may_go_on(play, who, enticement)):
        return False
    lucky = mechanic.type is MechanicType.LUCKY
    faced = yield from face(play, who, suit, level, dice=dice, easier=easier, lucky=lucky)
    if faced.passed:
        yield from take_effect(play, who, scanned, faced)
    return faced.passed


def is_triggered(play: Play[Season], mechanic: Mechanic, faced: ChallengeResult) -> bool:
    """Whether the roll that activated a mechanic also met its Trigger (WV-10)."""
    if mechanic.trigger is None or faced.tally is None:
        return False
    paid_by = play.ruled("trigger-pass-symbols")
    return trigger_met(faced.tally, mechanic.trigger, faced.suit, faced.level, paid_by)


def take_effect(
    play: Play[Season], who: str, scanned: ScannedQuality, faced: ChallengeResult, *, target: str = ""
) -> Steps[None]:
    """A passed Challenge applies the mechanic, and its Trigger where that is met (WV-10).

    In an attack ``target`` is the one attacked, whose Strikes the attack itself deals.
    """
    mechanic, name = scanned.quality.mechanic, scanned.quality.name
    assert mechanic is not None
    triggered = is_triggered(play, mechanic, faced) and _trigger_of(name) not in play.state.figure(who).spent
    yield QualityActivated(who=who, quality=name, triggered=triggered, says=_in_words(play, mechanic, triggered))
    if mechanic.once is not None:
        yield QualitySpent(who=who, quality=name, span=mechanic.once)
    if triggered and mechanic.trigger is not None and mechanic.trigger.once is not None:
        yield QualitySpent(who=who, quality=_trigger_of(name), span=mechanic.trigger.once)
    chosen = yield from _chosen(play, who, name, mechanic, triggered)
    effects = [effect for effect in chosen if not (target and _hits_target(effect))]
    yield from apply_effects(play, who, effects, name, target=target, deal=strike_by_quality)


def _trigger_of(quality: str) -> str:
    """The name under which a Trigger that comes once in a span is remembered."""
    return f"the Trigger of {quality}"


def effects_of(play: Play[Season], mechanic: Mechanic, triggered: bool) -> tuple[Effect, ...]:
    """What the engine applies of a mechanic."""
    trigger = mechanic.trigger if triggered else None
    more = applied(play, trigger.effects) if trigger is not None else ()
    if trigger is not None and trigger.instead and more:
        return more
    own = applied(play, mechanic.effects)
    return (*(effect for effect in own if not (trigger is not None and effect.lifted)), *more)


def _chosen(
    play: Play[Season], who: str, name: str, mechanic: Mechanic, triggered: bool
) -> Steps[tuple[Effect, ...]]:
    """The effects of a mechanic; one of its own where it brings either."""
    own, effects = applied(play, mechanic.effects), effects_of(play, mechanic, triggered)
    both = triggered and mechanic.trigger is not None and mechanic.trigger.instead
    if not mechanic.either or len(own) < 2 or both:
        return effects
    options = tuple(Option(str(n), in_brief(e.do, e.amount)) for n, e in enumerate(own, start=1))
    by = STORYTELLER if own[0].led else asked(play.state.figure(who))
    chosen = yield from ask(Choose(f"{name}: which of these?", options, by=by, rule="WV-10"))
    return (own[int(chosen.key) - 1], *effects[len(own) :])


def _in_words(play: Play[Season], mechanic: Mechanic, triggered: bool) -> str:
    """The words of a mechanic and its Trigger, unless every clause of them is seen to."""
    met = [mechanic, mechanic.trigger] if triggered else [mechanic]
    told = [part for part in met if part and not (part.whole and applied(play, part.effects) == part.effects)]
    return " ".join(part.says.strip() for part in told)


def strikes_to_target(play: Play[Season], mechanic: Mechanic, triggered: bool) -> int:
    """The Strikes that an Asset adds to an attack (WV-24)."""
    return sum(e.amount for e in effects_of(play, mechanic, triggered) if _hits_target(e))


def _hits_target(effect: Effect) -> bool:
    return effect.do is EffectKind.DEAL_STRIKES and effect.to is Whom.TARGET


@WEAVE.action("effect", "WV-10", group="Challenges")
def effect_by_hand(
    play: Play[Season],
    *,
    who: Who,
    do: EffectKind,
    because: str,
    amount: int = 1,
    suit: Suit | None = None,
    challenges: int = 1,
    lasts: Span | None = None,
) -> Steps[None]:
    """Apply an effect that is only words, to one character or NPC; the table has agreed on it."""
    check_season(play)
    effect = Effect(do, amount, suit=suit, challenges=challenges, lasts=lasts)
    if effect.trouble:
        raise IllegalAction(f"this {effect.trouble}")
    if not because.strip() or len(because) > 80:
        raise IllegalAction("an effect needs a reason of at most 80 characters")
    figure = play.state.figure(who)
    if do is not EffectKind.HEAL_WOUNDS:
        check_able(play, who)
    if do in IN_ENCOUNTERS and (play.state.encounter is None or who not in play.state.encounter.participants):
        raise IllegalAction(f"{do.label} changes an encounter, and {who} takes part in none")
    if do is EffectKind.DRAW_CHALLENGE and isinstance(figure, Npc):
        raise IllegalAction(f"only characters keep cards, and {who} is none")
    yield QualityActivated(who=who, quality=because.strip(), triggered=False)
    yield from apply_effects(play, who, (effect,), because.strip())
