"""Challenges: issued with a card or at level 1, negotiated, rolled, and borne."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.action_rules import ASKED, PLAYER, STORYTELLER
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask, ask_once
from loomtable.engine.kernel.readings import DiceReading
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.weave.arguments import ChallengeCard, NpcName, Who, Whom
from loomtable.engine.weave.cards.decks import challenge_card
from loomtable.engine.weave.cards.drawing import can_draw, check_playable, drawn, play_card, refill
from loomtable.engine.weave.cards.mechanics import EffectKind, Moment
from loomtable.engine.weave.cards.occasions import (
    Occasion,
    OfferedPassives,
    felt,
    offers,
    question,
    tick,
    ticked_of,
)
from loomtable.engine.weave.cards.passives import settled, strikes_after, take_effect
from loomtable.engine.weave.challenge.tally import (
    LOWEST_LEVEL,
    ONCE_MORE,
    Tally,
    asked,
    challenge_pool,
    outcome_of,
    roll_pool,
    strike_anew,
    weave_roll,
)
from loomtable.engine.weave.encounter.hurt import OUT, bear, check_able, heal_wounds
from loomtable.engine.weave.encounter.turns import by_today, check_season, check_turn, take_action
from loomtable.engine.weave.events.figures import (
    ActionFailed,
    AutoPassed,
    BoonsUsed,
    ChallengeIssued,
    ChallengeResolved,
)
from loomtable.engine.weave.events.story import CardPlayed, CardsDiscarded
from loomtable.engine.weave.state import Boon, ChallengeOutcome, Npc, Season
from loomtable.engine.weave.story.enticement import (
    Enticement,
    EnticementGiven,
    check_enticement,
    redeemable,
    redeemed,
    tempt,
)
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE

MOST_DICE_BY_WORDS = 6
replace = msgspec.structs.replace


class ChallengeResult(msgspec.Struct, frozen=True):
    """How a Challenge went, and by which dice; ``tally`` is ``None`` where none were rolled."""

    suit: Suit
    level: int
    outcome: ChallengeOutcome
    tally: Tally | None = None

    @property
    def passed(self) -> bool:
        """Whether the Challenge was passed."""
        return self.outcome.passed


def check_words(dice: int, easier: int) -> None:
    """Refuse dice or levels, given for effects that stand in words only, that no effect could give.

    Raises:
        IllegalAction: too many of them.
    """
    if abs(dice) > MOST_DICE_BY_WORDS or not 0 <= easier <= MOST_DICE_BY_WORDS:
        raise IllegalAction(
            f"effects in words give at most {MOST_DICE_BY_WORDS} dice, and make it at most as many levels easier"
        )


def check_card(play: Play[Season], card: ComponentId | None, suit: Suit) -> None:
    """Refuse a Challenge card of another suit, or one that cannot be played (WV-13, WV-17)."""
    if card is None:
        return
    named = challenge_card(card)
    if named.suit is not suit:
        raise IllegalAction(f"{card} is {named.name}, which is no {suit.label} card")
    check_playable(play, card, Kind.CHALLENGE)


def issued(
    play: Play[Season], who: str, suit: Suit, card: ComponentId | None, instead: Suit | None
) -> Steps[tuple[Suit, int]]:
    """Play the card, if there is one, and settle the suit; without a card the level is 1 (WV-17).

    Where nobody leads, the top card of the deck gives the level (ruling ``challenge-level``).
    """
    level = LOWEST_LEVEL
    if card is None and play.ruled("challenge-level") == "top-card":
        card = yield from drawn(play, Kind.CHALLENGE, "Card for the level", by=STORYTELLER, rule="WV-17")
        level = challenge_card(card).level
        yield CardPlayed(card=card)
    elif card is not None:
        level = challenge_card(card).level
        yield from play_card(play, card)
    return (yield from negotiated(who, suit, instead)), level


def negotiated(who: str, suit: Suit, instead: Suit | None) -> Steps[Suit]:
    """The player proposes another suit, the storyteller agrees or not (WV-17)."""
    if instead is None or instead is suit:
        return suit
    answer = yield from ask(
        Choose(
            f"{who} proposes {instead.label} instead of {suit.label}",
            (Option(instead.value, f"Agree to {instead.label}"), Option(suit.value, f"Keep {suit.label}")),
            by=STORYTELLER,
            rule="WV-17",
        )
    )
    return Suit(answer.key)


def may_go_on(play: Play[Season], who: str, enticement: Enticement | None) -> Steps[bool]:
    """Whether the announced action is still rolled for, once an enticement is dealt with (WV-26)."""
    if enticement is None:
        return True
    if not (yield from tempt(play, who, enticement)):
        return False
    card = challenge_card(enticement.card)
    resisted = yield from face(play, who, card.suit, card.level, rule="WV-26")
    goes_on = resisted.passed or play.ruled("enticement-challenge-failed") == "initial-rolled"
    if goes_on and not play.state.figure(who).out:
        return True
    yield ActionFailed(who=who, because=enticement.flaw)
    return False


def face(
    play: Play[Season],
    who: str,
    suit: Suit,
    level: int,
    *,
    dice: int = 0,
    easier: int = 0,
    lucky: bool = False,
    target: str = "",
    rule: str = "WV-17",
) -> Steps[ChallengeResult]:
    """Face a Challenge: what waited for it, cards redeemed, the roll, and what it costs (WV-17, WV-18, WV-27).

    ``dice`` more or fewer and levels ``easier`` come from what people agree on; ``target`` is the one attacked.
    """
    occasion = Occasion(
        Moment.CHALLENGE, who, suit, attacker=who if target else "", target=target, healing=rule == "WV-21"
    )
    with_roll = _ticked_with_roll(play, occasion)
    known = [o for o in offers(play, occasion) if o.certain]
    held = yield from settled(play, occasion, without=with_roll)
    if by_today(play) and play.state.figure(who).out:
        yield ActionFailed(who=who, because=OUT)
        return ChallengeResult(suit, level, ChallengeOutcome.FAIL)
    waited = tuple(b for b in play.state.figure(who).boons if b.fits(suit, target))
    if waited:
        yield BoonsUsed(who=who, suit=suit, used=waited)
    easier += _sum(waited, EffectKind.LOWER_LEVEL) - _sum(waited, EffectKind.RAISE_LEVEL)
    easier -= sum(change.level for change in held)
    unbound = level - easier
    level = yield from redeemed(play, who, suit, max(LOWEST_LEVEL, unbound))
    if level == 0:
        yield ChallengeResolved(
            who=who, suit=suit, level=0, successes=0, strikes=0, outcome=ChallengeOutcome.PASS, rule="WV-27"
        )
        return ChallengeResult(suit, 0, ChallengeOutcome.PASS)
    figure = play.state.figure(who)
    dice += _sum(waited, EffectKind.EXTRA_DICE) - _sum(waited, EffectKind.FEWER_DICE)
    dice += sum(change.dice for change in held)
    ticked: tuple[str, ...] = ()
    lying = None
    while True:
        also = ticked_of(with_roll, ticked)
        if with_roll:
            level = max(LOWEST_LEVEL, unbound + sum(o.change.level for o in also))
        more = sum(o.change.dice for o in also)
        pool = challenge_pool(figure, suit, minimum=play.ruled("minimum-pool"), dice=dice + more)
        yield ChallengeIssued(who=who, suit=suit, level=level, pool=pool, rule=rule)
        purpose = f"{suit.label} Challenge, level {level}"
        if not with_roll:
            break
        roll = weave_roll(play, pool, purpose, by=asked(figure), rule=rule)
        given = yield from ask_once(replace(roll, ticks=question(play, with_roll, occasion), ticked=ticked))
        if isinstance(given, DiceReading):
            lying = given
            break
        ticked = tick(ticked, given.keys)
        if also != (now := ticked_of(with_roll, ticked)):
            yield felt(occasion, [*known, *now])
    yield from take_effect(play, occasion, also, with_roll, ticked)
    rerolls = _sum(waited, EffectKind.REROLL_DICE)
    rerolls += sum(change.rerolls for change in (*held, *(o.change for o in also)))
    tally = yield from roll_pool(
        play, figure, suit, pool, purpose, rule=rule, lucky=lucky, rerolls=rerolls, first=lying
    )
    outcome = outcome_of(tally.successes, level)
    rolled = replace(occasion, at=Moment.ROLLED, failing=not outcome.passed, strikes=tally.strikes)
    after = yield from settled(play, rolled)
    if any(change.again for change in after):
        tally = yield from roll_pool(play, figure, suit, pool, purpose + ONCE_MORE, rule=rule, lucky=lucky)
    for _ in range(min(tally.strikes, sum(change.rerolls for change in after))):
        tally = yield from strike_anew(play, figure, suit, tally, purpose)
    outcome = outcome_of(tally.successes, level)
    epic = outcome in (ChallengeOutcome.EPIC_PASS, ChallengeOutcome.EPIC_FAIL)
    yield ChallengeResolved(
        who=who,
        suit=suit,
        level=level,
        successes=tally.successes,
        strikes=tally.strikes,
        outcome=outcome,
        rule="WV-18" if epic else rule,
    )
    yield from _borne(play, occasion, tally.strikes, outcome)
    return ChallengeResult(suit, level, outcome, tally)


def _ticked_with_roll(play: Play[Season], occasion: Occasion) -> tuple[OfferedPassives, ...]:
    """What people tick while the dice are open. It is asked before where more than the roll hangs on it: an
    effect, which cards are redeemed, or whether there are dice at all."""
    doubtful = tuple(o for o in offers(play, occasion) if not o.certain)
    before = (
        any(o.change.effects for o in doubtful)
        or redeemable(play, occasion.who, occasion.suit)
        or play.ruled("minimum-pool") != "one-die"
    )
    return () if before else doubtful


def _borne(play: Play[Season], occasion: Occasion, strikes: int, outcome: ChallengeOutcome) -> Steps[None]:
    """What a Challenge cost, less what is warded off; then what follows from it (WV-10)."""
    who = occasion.who
    wounds = play.state.figure(who).wounds
    if strikes:
        held = yield from settled(play, replace(occasion, at=Moment.MARKED, strikes=strikes))
        strikes = strikes_after(strikes, held, play.state.figure(who).strikes)
    yield from bear(play, who, strikes, outcome)
    if play.state.figure(who).wounds > wounds:
        yield from settled(play, replace(occasion, at=Moment.WOUNDED))
    for moment in _FOLLOWS[outcome]:
        yield from settled(play, replace(occasion, at=moment))


_FOLLOWS = {
    ChallengeOutcome.EPIC_PASS: (Moment.PASSED, Moment.EPIC_PASS),
    ChallengeOutcome.PASS: (Moment.PASSED,),
    ChallengeOutcome.FAIL: (Moment.FAILED,),
    ChallengeOutcome.EPIC_FAIL: (Moment.FAILED, Moment.EPIC_FAIL),
}


def _sum(boons: tuple[Boon, ...], kind: EffectKind) -> int:
    return sum(b.amount for b in boons if b.do is kind)


@WEAVE.action(
    "challenge",
    *("WV-8", "WV-9", "WV-14", "WV-17", "WV-18", "WV-26", "WV-27"),
    begun_by=ASKED,
    group="Challenges",
    deed="{who}: a {suit} Challenge",
)
def challenge(
    play: Play[Season],
    *,
    who: Who,
    suit: Suit,
    card: ChallengeCard | None = None,
    instead: Suit | None = None,
    enticement: EnticementGiven = None,
    dice: int = 0,
    easier: int = 0,
    reaction: bool = False,
) -> Steps[None]:
    """Set a Challenge: play a card of its suit, or none for level 1.

    ``instead`` is a suit that the player proposes; the storyteller decides. ``enticement`` is a Flaw and a
    Challenge card laid face down. ``dice`` and ``easier`` are for effects in words. In an encounter a
    ``reaction``, such as dodging, costs no action.
    """
    check_words(dice, easier)
    figure = check_able(play, who)
    if isinstance(figure, Npc):
        raise IllegalAction(f"{who} is played by the storyteller (NPC challenge)")
    check_card(play, card, suit)
    check_enticement(play, figure, enticement, card)
    if not reaction:
        yield from take_action(play, who)
    suit, level = yield from issued(play, who, suit, card, instead)
    if (yield from may_go_on(play, who, enticement)):
        yield from face(play, who, suit, level, dice=dice, easier=easier)


@WEAVE.action("npc-challenge", "WV-20", group="Challenges")
def npc_challenge(
    play: Play[Season],
    *,
    npc: NpcName,
    suit: Suit,
    card: ChallengeCard | None = None,
    dice: int = 0,
    easier: int = 0,
) -> Steps[None]:
    """The storyteller takes a Challenge for an NPC or enemy."""
    check_words(dice, easier)
    figure = check_able(play, npc)
    if not isinstance(figure, Npc):
        raise IllegalAction(f"{npc} is a player's character (Challenge)")
    check_card(play, card, suit)
    yield from take_action(play, npc)
    suit, level = yield from issued(play, npc, suit, card, None)
    yield from face(play, npc, suit, level, dice=dice, easier=easier, rule="WV-20")


@WEAVE.action("auto-pass", "WV-19", group="Challenges")
def auto_pass(play: Play[Season], *, who: Who, discards: tuple[ChallengeCard, ...] = ()) -> Steps[None]:
    """Nothing in the hand fits: let a character pass, discard Challenge cards and draw as many.

    A table that keeps its hand to itself names what it discards, and draws as many unseen.
    """
    check_season(play)
    figure = check_able(play, who)
    if not play.state.hand_drawn and play.ruled("undrawn-hand") == "refused":
        raise IllegalAction("the storyteller's hand has not been drawn yet (Draw hand)")
    if len(set(discards)) != len(discards):
        raise IllegalAction("a card can be discarded only once")
    for card in discards:
        challenge_card(card)
        check_playable(play, card, Kind.CHALLENGE)
    if check_turn(play, figure, 1):
        yield from take_action(play, who)
    yield AutoPassed(who=who)
    if discards:
        # Where the pile has run out, its old discards come first: a card just given up is not drawn back at once.
        yield from can_draw(play, Kind.CHALLENGE)
        yield CardsDiscarded(cards=discards, rule="WV-19")
        yield from refill(play)


@WEAVE.action("heal", "WV-21", "WV-26", begun_by=PLAYER, group="Challenges")
def heal(
    play: Play[Season],
    *,
    who: Who,
    healer: Whom | None = None,
    suit: Suit | None = None,
    card: ChallengeCard | None = None,
    enticement: EnticementGiven = None,
    dice: int = 0,
    easier: int = 0,
) -> Steps[None]:
    """Heal a Wound; with a ``suit``, the ``healer`` has to pass a Challenge first.

    The healer is the wounded one unless somebody else is named, and can be enticed as in any Challenge.
    """
    check_season(play)
    check_words(dice, easier)
    hurt = play.state.figure(who)
    if hurt.left:
        raise IllegalAction(f"{who} has left the season")
    if hurt.wounds == 0:
        raise IllegalAction(f"{who} has no Wound to heal")
    if suit is None:
        if card is not None or enticement is not None:
            raise IllegalAction("a Challenge card or an enticement needs the suit of the Challenge")
        if healer is not None:
            yield from take_action(play, healer)
        yield from heal_wounds(play, who, 1)
        return
    check_card(play, card, suit)
    acting = healer or who
    check_enticement(play, play.state.figure(acting), enticement, card)
    yield from take_action(play, acting)
    suit, level = yield from issued(play, acting, suit, card, None)
    if not (yield from may_go_on(play, acting, enticement)):
        return
    faced = yield from face(play, acting, suit, level, dice=dice, easier=easier, rule="WV-21")
    if faced.passed:
        yield from heal_wounds(play, who, 1)
