"""The odds before a roll: what the open request may bring, from the request, the state and the journal.

Only what is known is said. Where a request does not show everything that counts for it, there are no odds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from loomtable.engine.kernel.plain import from_plain
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Chosen, Numbered, Reading, Rolled
from loomtable.engine.kernel.requests import Choose, EnterNumber, Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.before_mnemonic import mnemonic_lines
from loomtable.engine.odds.exact import ZERO, OddsUnknown
from loomtable.engine.odds.fight import CunningStrikes, fight_odds
from loomtable.engine.odds.spellwoven import Edge, wound_odds
from loomtable.engine.odds.spellwoven import test_odds as spellwoven_test_odds
from loomtable.engine.odds.storm_weavers import cunning_strike_odds, exchange_odds, test_odds
from loomtable.engine.odds.weave import Needed, SoFar, challenge_odds, outcome_of
from loomtable.engine.odds.weave_dice import Rerolls
from loomtable.engine.odds.words import OddsLine as OddsLine
from loomtable.engine.odds.words import line as _line
from loomtable.engine.spellwoven.events import RollFaced
from loomtable.engine.spellwoven.levels import Severity
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.storm_weavers.paragraphs import page_of
from loomtable.engine.storm_weavers.plans import FightPlan
from loomtable.engine.storm_weavers.sheet import THYMIN, Attribute
from loomtable.engine.storm_weavers.state import Fight, Tale
from loomtable.engine.weave.happenings import BoonsUsed, ChallengeIssued
from loomtable.engine.weave.mechanics import EffectKind, MechanicType, Trigger
from loomtable.engine.weave.state import Outcome, Season

ACTIVATING_RULES = ("WV-17", "WV-24")
"""The rules by which a Challenge is faced that can activate a mechanic; enticements and the like cannot."""
CORE_RULE = "WV-22"


def odds_before(session: Session[Any]) -> tuple[OddsLine, ...] | None:
    """What the open request may bring; ``None`` where nothing is asked, or not enough is known to say.

    Weave: the first roll of a Challenge or Core Challenge, its Trigger too, and the re-rolls of a Challenge, if
    all dice that may be rolled again always are (WV-10, WV-17, WV-22).
    Spellwoven: every test with a difficulty, and Menace (SP-1, SP-2, SP-11).
    Storm Weavers: tests, Cunning Strikes too (SW-3, SW-11); attacks, defences and the choice between attack and
    Cunning Strike in fights without a map (SW-8, SW-15). Fights on a map have no odds yet.
    Mnemonic: every roll, and the choice of a die in Game Face (MN-3, MN-5 to MN-8, MN-12 to MN-14).

    >>> from loomtable import SYSTEMS, Session, odds_before
    >>> session = Session.open(SYSTEMS["storm-weavers"], seed="a rainy evening")
    >>> _ = session.perform("create", dexterity_points=3)
    >>> _ = session.perform("test", attribute="wisdom")
    >>> [(line.says, str(line.chance)) for line in odds_before(session)]
    [('pass, with 6 or less on the dice', '5/12')]
    """
    reckon = _SYSTEMS.get(session.system.key)
    if reckon is None or session.pending is None or not session.played:
        return None
    try:
        return reckon(session, session.pending)
    except OddsUnknown:  # numbers that no rulebook knows; play goes on without odds
        return None


def _last_action(session: Session[Any]) -> Action:
    return next(p.step.what for p in reversed(session.played) if isinstance(p.step.what, Action))


# Weave


def _weave(session: Session[Season], pending: Request) -> tuple[OddsLine, ...] | None:
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
    counted = _so_far(session, issued, after)
    if counted is None or mechanic.again is not Rerolls.WEAVE:
        return None
    last = after[-1][0]
    if isinstance(pending, EnterNumber):
        passed = outcome_of(counted.successes, issued.level).passed
        lines = _challenge_lines(session, issued, pending.high, so_far=counted)
        return (_line("pass-now", Fraction(passed)), *lines)
    if isinstance(pending, Roll) and isinstance(last, EnterNumber):
        return _challenge_lines(session, issued, last.high, so_far=counted)
    return None


def _since_issued(session: Session[Season]) -> tuple[ChallengeIssued | None, list[tuple[Request, Reading]]]:
    """The Challenge that is being rolled, and the requests with their readings since it was issued."""
    after: list[tuple[Request, Reading]] = []
    issued: ChallengeIssued | None = None
    for played in reversed(session.played):
        if issued is None:
            issued = next((e for e in reversed(played.events) if isinstance(e, ChallengeIssued)), None)
        if any(isinstance(e, BoonsUsed) and _replaces(e) for e in played.events):
            return None, []
        if isinstance(played.step.what, Action):
            break
        if issued is None and played.step.request is not None:
            after.append((played.step.request, played.step.what))
    return issued, after[::-1]


def _replaces(used: BoonsUsed) -> bool:
    """Whether dice of the first roll may be replaced, which is not reckoned here."""
    return any(boon.do is EffectKind.REROLL_DICE for boon in used.used)


class _Activated(NamedTuple):
    """What a Challenge activates, as far as its odds depend on it (WV-10)."""

    again: Rerolls = Rerolls.WEAVE
    trigger: Trigger | None = None


_NO_MECHANIC = _Activated()


def _mechanic(session: Session[Season], who: str) -> _Activated | None:
    """The mechanic that the action activates; ``None`` where it activates one that is not on the sheet."""
    action = _last_action(session)
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
    session: Session[Season], issued: ChallengeIssued, after: list[tuple[Request, Reading]]
) -> SoFar | None:
    """What was counted already; ``None`` once anything but Weave dice was rolled again (WV-10)."""
    successes = strikes = rolls = 0
    for request, reading in after:
        if request.rule != issued.rule or not isinstance(reading, Rolled | Numbered):
            return None
        if isinstance(request, Roll):
            faces = request.check(reading).faces
            rolls += 1
            successes += faces.count(issued.suit.value) + faces.count("weave")
            counts = rolls == 1 or session.game.rulings["strikes-on-rerolls"] == "counted"
            strikes += faces.count("strike") * counts
    return SoFar(successes, strikes)


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
    lines = [_line("pass", odds.passed), _line("epic-pass", odds.outcomes[Outcome.EPIC_PASS])]
    if odds.outcomes[Outcome.EPIC_FAIL]:
        lines.append(_line("epic-fail", odds.outcomes[Outcome.EPIC_FAIL]))
    if character is not None and odds.track_full:  # an enemy may have a track of its own length
        lines.append(_line("track-full", odds.track_full))
    if odds.triggered is not None:
        lines.append(_line("triggered", odds.triggered))
    return tuple(lines)


def _core_lines(session: Session[Season], pending: Request) -> tuple[OddsLine, ...] | None:
    """The first roll of a Core Challenge: level 1, no Strikes (WV-22)."""
    if not isinstance(pending, Roll) or ", re-roll " in pending.purpose:
        return None
    who = str(_last_action(session).args.get("who", ""))
    mechanic = _mechanic(session, who)
    if mechanic is None:
        return None
    trigger = _needed(mechanic, pending.purpose.split(" ")[0].lower())
    odds = challenge_odds(pending.count, 1, rerolls=mechanic.again, trigger=trigger, rulings=session.game.rulings)
    lines = (_line("pass", odds.passed),)
    return lines if odds.triggered is None else (*lines, _line("triggered", odds.triggered))


# Spellwoven


def _spellwoven(session: Session[Adventure], pending: Request) -> tuple[OddsLine, ...] | None:
    """A test (SP-1) or Menace (SP-11) that is about to be rolled, with the Effort that may be spent (SP-2)."""
    last = session.played[-1].events[-1:]
    if not isinstance(pending, Roll) or not last or not isinstance(last[0], RollFaced):
        return None
    faced = last[0]
    if faced.difficulty is None:
        return _menace_lines(faced) if faced.rule == "SP-11" and not faced.bonus and not faced.edge else None
    edge = {1: Edge.ADVANTAGE, -1: Edge.DISADVANTAGE, 0: Edge.NONE}[faced.edge]
    needed = max(0, faced.difficulty - faced.bonus)
    odds = spellwoven_test_odds(faced.rating, needed, effort=faced.effort, edge=edge, rulings=session.game.rulings)
    lines = [_line("pass", odds.passed), _line("hit-triplet", odds.triplet)]
    lines += [_line("pass-effort", e.passed, effort=e.effort) for e in odds.with_effort if e.effort]
    return tuple(lines)


def _menace_lines(faced: RollFaced) -> tuple[OddsLine, ...]:
    odds = wound_odds(faced.rating, effort=faced.effort)
    lines: list[OddsLine] = []
    for effort, reach in enumerate(odds.with_effort):
        key = "severity-effort" if effort else "severity"
        for severity, chance in reach.items():
            if severity is not Severity.GLANCE:  # every blow is at least that
                lines.append(_line(key, chance, severity=severity.label, effort=effort))
    return tuple(lines)


# Storm Weavers


def _storm_weavers(session: Session[Tale], pending: Request) -> tuple[OddsLine, ...] | None:
    if isinstance(pending, Roll) and pending.rule == "SW-3":
        return _test_lines(session, pending)
    fought, plan = session.state.fight, _plan(session)
    if fought is None or plan is None:
        return None
    if isinstance(pending, Roll) and pending.rule == "SW-8":
        return _attack_lines(session, pending, fought, plan)
    if isinstance(pending, Choose) and pending.rule == "SW-11":
        return _choice_lines(session, fought, plan)
    return None


def _plan(session: Session[Tale]) -> FightPlan | None:
    """What is said about the fight that is on: by the action, or by the paragraph where Thymin is."""
    action = _last_action(session)
    if action.name == "fight":
        return from_plain(action.args, FightPlan)
    page = page_of(session.state)
    return page.fight if page is not None else None


def _test_lines(session: Session[Tale], pending: Roll) -> tuple[OddsLine, ...] | None:
    sheet = session.state.thymin
    attribute = next((a for a in Attribute if pending.purpose == f"Test of {a.label}"), None)
    modifier = _test_modifier(session)
    if sheet is None or attribute is None or modifier is None:
        return None
    odds = test_odds(sheet.value(attribute), modifier=modifier, health=sheet.health, rulings=session.game.rulings)
    return (_line("pass-highest", odds.passed, highest=odds.highest),)


def _test_modifier(session: Session[Tale]) -> int | None:
    """What the action, or the paragraph and the items used, add to the dice of a test (SW-3)."""
    if session.state.fight is not None or session.state.map_fight is not None:
        return 0  # a Cunning Strike (SW-11)
    action = _last_action(session)
    if action.name == "test":
        return int(action.args.get("modifier", 0))
    page = page_of(session.state)
    if page is None or page.test is None:
        return None
    used = session.played[-1].step.what
    keys = used.keys if isinstance(used, Chosen) else ()
    return page.test.modifier + sum(page.test.items[key] for key in keys)


def _attack_lines(
    session: Session[Tale], pending: Roll, fought: Fight, plan: FightPlan
) -> tuple[OddsLine, ...] | None:
    defending = pending.purpose.startswith("Defence of ")
    if not defending and not pending.purpose.startswith("Attack of "):
        return None
    by_thymin = (pending.by == THYMIN) != defending
    lying = session.played[-1].step.what
    attack_die = lying.pips[0] if defending and isinstance(lying, Rolled) else None
    if defending and attack_die is None:
        return None
    thymin, enemy = session.state.thymin, fought.enemy
    assert thymin is not None
    odds = exchange_odds(
        thymin,
        enemy,
        by_thymin=by_thymin,
        modifiers=plan.modifiers,
        rulings=session.game.rulings,
        attack_die=attack_die,
    )
    lines = [
        _line("enemy-hurt", 1 - odds.enemy_injuries[0], enemy=enemy.name),
        _line("thymin-hurt", 1 - odds.thymin_injuries[0]),
        _line("nobody-hurt", odds.nobody_hurt),
        _line("enemy-falls", odds.enemy_injuries.at_least(enemy.health), enemy=enemy.name),
        _line("thymin-falls", odds.thymin_injuries.at_least(thymin.health)),
    ]
    if not defending:
        lines += _fight_lines(session, fought, plan, thymin_first=by_thymin)
    return tuple(line for line in lines if line.chance or line.key not in ("enemy-falls", "thymin-falls"))


def _choice_lines(session: Session[Tale], fought: Fight, plan: FightPlan) -> tuple[OddsLine, ...]:
    thymin, rulings = session.state.thymin, session.game.rulings
    assert thymin is not None
    odds = exchange_odds(thymin, fought.enemy, modifiers=plan.modifiers, rulings=rulings)
    return (
        _line("enemy-hurt", 1 - odds.enemy_injuries[0], enemy=fought.enemy.name),
        _line("thymin-hurt", 1 - odds.thymin_injuries[0]),
        _line("cunning-lands", cunning_strike_odds(thymin, rulings=rulings).passed),
        *_fight_lines(session, fought, plan, thymin_first=True, cunning=True),
    )


def _fight_lines(
    session: Session[Tale], fought: Fight, plan: FightPlan, *, thymin_first: bool, cunning: bool = False
) -> list[OddsLine]:
    """The chances to win the fight from here, where nothing but a death ends it."""
    if plan.ends:
        return []
    assert session.state.thymin is not None
    ways = {"win": CunningStrikes.NEVER} | ({"win-cunning": CunningStrikes.ALWAYS} if cunning else {})
    lines: list[OddsLine] = []
    for key, way in ways.items():
        try:
            odds = fight_odds(
                session.state.thymin,
                fought.enemy,
                thymin_first=thymin_first,
                modifiers=plan.modifiers,
                cunning_strikes=way,
                rulings=session.game.rulings,
            )
        except OddsUnknown:  # neither can hurt the other
            lines.append(_line(key, ZERO))
        else:
            lines.append(_line(key, odds.won))
    return lines


_SYSTEMS: Mapping[str, Callable[[Session[Any], Request], tuple[OddsLine, ...] | None]] = {
    "weave": _weave,
    "spellwoven": _spellwoven,
    "storm-weavers": _storm_weavers,
    "mnemonic": mnemonic_lines,
}
