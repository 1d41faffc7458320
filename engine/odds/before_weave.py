"""The odds before a roll in Weave: first rolls of Challenges, Triggers, re-rolls (WV-10, WV-17, WV-22)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from loomtable.engine.kernel.play import Action, Event
from loomtable.engine.kernel.readings import DiceReading, NumberReading, Reading
from loomtable.engine.kernel.requests import EnterNumber, Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.weave import Needed, SoFar, challenge_odds
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.odds.words import OddsLine
from loomtable.engine.odds.words import line as _line
from loomtable.engine.weave.cards.mechanics import EffectKind, MechanicType, Trigger
from loomtable.engine.weave.challenge.tally import outcome_of
from loomtable.engine.weave.events.figures import BoonsUsed, ChallengeIssued, PassivesApplied
from loomtable.engine.weave.state import ChallengeOutcome, Season

ACTIVATING_RULES = ("WV-17", "WV-24")
"""The rules by which a Challenge is faced that can activate a mechanic; enticements and the like cannot."""
CORE_RULE = "WV-22"
_OUTCOMES = {
    ChallengeOutcome.EPIC_FAIL: "epic-fail",
    ChallengeOutcome.FAIL: "just-fail",
    ChallengeOutcome.PASS: "just-pass",
    ChallengeOutcome.EPIC_PASS: "epic-pass",
}


def weave_lines(session: Session[Season], pending: Request) -> tuple[OddsLine, ...] | None:
    """What the open request may bring; ``None`` where not enough is known to say."""
    if pending.rule == CORE_RULE:
        return _core_lines(session, pending)
    issued, after = _since_issued(session)
    if issued is None or pending.rule != issued.rule:
        return None
    mechanic = _mechanic(session, issued.who) if issued.rule in ACTIVATING_RULES else _NO_MECHANIC
    if mechanic is None:
        return None
    if not after:
        if not (isinstance(pending, Roll) and pending.count == issued.pool):
            return None
        return _challenge_lines(session, issued, issued.pool, mechanic=mechanic)
    counted = _so_far(session, issued, after, mechanic.trigger)
    if counted is None or mechanic.again is not Rerolls.WEAVE:
        return None
    last = after[-1][0]
    if isinstance(pending, EnterNumber):
        passed = outcome_of(counted.successes, issued.level).passed
        lines = [replace(_line("pass-now", Fraction(passed)), answer="0")]
        for dice in range(1, pending.high + 1):  # what these bring; others that lie there may still follow
            again = _challenge_lines(session, issued, dice, mechanic=mechanic, so_far=counted)
            lines += [replace(line, answer=str(dice)) for line in again]
        return tuple(lines)
    if isinstance(pending, Roll) and isinstance(last, EnterNumber):
        return _challenge_lines(session, issued, last.high, mechanic=mechanic, so_far=counted)
    return None


def _since_issued(session: Session[Season]) -> tuple[ChallengeIssued | None, list[tuple[Request, Reading]]]:
    """The Challenge that is being rolled, and the requests with their readings since it was issued."""
    after: list[tuple[Request, Reading]] = []
    issued: ChallengeIssued | None = None
    felt: PassivesApplied | None = None
    for played in reversed(session.played):
        if issued is None:
            issued = next((e for e in reversed(played.events) if isinstance(e, ChallengeIssued)), None)
        for event in reversed(played.events):
            if isinstance(event, PassivesApplied):  # the latest says all that applies
                felt = felt or event
                if event is not felt:
                    continue
            if _replaces(event):
                return None, []
        if isinstance(played.step.what, Action):
            break
        if issued is None and played.step.request is not None:
            after.append((played.step.request, played.step.what))
    return issued, after[::-1]


def _replaces(event: Event) -> bool:
    """Whether dice of the first roll may be replaced, which is not reckoned here."""
    if isinstance(event, PassivesApplied):
        return any(passive.change.rerolls for passive in event.applied)
    return isinstance(event, BoonsUsed) and any(boon.do is EffectKind.REROLL_DICE for boon in event.used)


class _Activated(NamedTuple):
    """What a Challenge activates, as far as its odds depend on it (WV-10)."""

    again: Rerolls = Rerolls.WEAVE
    trigger: Trigger | None = None


_NO_MECHANIC = _Activated()


def _mechanic(session: Session[Season], who: str) -> _Activated | None:
    """The mechanic that the action activates; ``None`` where it activates one that is not on the sheet."""
    action = session.last_action
    named = [action.args[kind] for kind in ("asset", "talent", "move") if action.args.get(kind)]
    if not named:
        return _NO_MECHANIC
    figure = session.state.characters.get(who) or session.state.npcs.get(who)
    for scanned in figure.qualities if figure is not None else ():
        mechanic = scanned.quality.mechanic
        if scanned.quality.name == named[0] and mechanic is not None:
            lucky = mechanic.type is MechanicType.LUCKY
            return _Activated(Rerolls.WEAVE_AND_STRIKE if lucky else Rerolls.WEAVE, mechanic.trigger)
    return None


def _needed(mechanic: _Activated, suit: str) -> Needed | None:
    trigger = mechanic.trigger
    return None if trigger is None else Needed(trigger.symbols, same_suit=trigger.suit == suit)


def _so_far(
    session: Session[Season],
    issued: ChallengeIssued,
    after: list[tuple[Request, Reading]],
    trigger: Trigger | None,
) -> SoFar | None:
    """What was counted already; ``None`` once anything but Weave dice was rolled again (WV-10)."""
    successes = strikes = symbols = rolls = 0
    for request, reading in after:
        if request.rule != issued.rule or not isinstance(reading, DiceReading | NumberReading):
            return None
        if isinstance(request, Roll):
            faces = request.check(reading).faces
            rolls += 1
            successes += faces.count(issued.suit.value) + faces.count("weave")
            counts = rolls == 1 or session.game.rulings["strikes-on-rerolls"] == "counted"
            strikes += faces.count("strike") * counts
            symbols += faces.count(trigger.suit.value) if trigger is not None else 0
    return SoFar(successes, strikes, symbols)


def _challenge_lines(
    session: Session[Season],
    issued: ChallengeIssued,
    dice: int,
    *,
    mechanic: _Activated = _NO_MECHANIC,
    so_far: SoFar | None = None,
) -> tuple[OddsLine, ...]:
    character = session.state.characters.get(issued.who)
    trigger = _needed(mechanic, issued.suit)
    odds = challenge_odds(
        dice,
        issued.level,
        rerolls=mechanic.again,
        trigger=trigger,
        track=character.strikes if character is not None else 0,
        so_far=so_far,
        rulings=session.game.rulings,
    )
    lines = [_line("at-least-pass", odds.passed)]
    lines += [replace(_line(key, odds.outcomes[outcome]), part=True) for outcome, key in _OUTCOMES.items()]
    if character is not None and odds.track_full:  # an enemy may have a track of its own length
        lines.append(_line("track-full", odds.track_full))
    if odds.triggered is not None:
        lines.append(_line("triggered", odds.triggered))
    return tuple(lines)


def _core_lines(session: Session[Season], pending: Request) -> tuple[OddsLine, ...] | None:
    """The first roll of a Core Challenge: level 1, no Strikes (WV-22)."""
    if not isinstance(pending, Roll) or ", re-roll " in pending.purpose:
        return None
    who = str(session.last_action.args.get("who", ""))
    mechanic = _mechanic(session, who)
    if mechanic is None:
        return None
    trigger = _needed(mechanic, pending.purpose.split(" ")[0].lower())
    odds = challenge_odds(pending.count, 1, rerolls=mechanic.again, trigger=trigger, rulings=session.game.rulings)
    lines = (_line("pass", odds.passed),)
    return lines if odds.triggered is None else (*lines, _line("triggered", odds.triggered))
