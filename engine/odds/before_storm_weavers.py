"""The odds before a roll in Storm Weavers: tests, attacks and defences, and the choice of a Cunning Strike."""

from __future__ import annotations

from loomtable.engine.kernel.readings import ChoiceReading, DiceReading
from loomtable.engine.kernel.requests import Choose, Request, Roll
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.exact import ZERO, OddsUnknown
from loomtable.engine.odds.fight import CunningStrikes, fight_odds
from loomtable.engine.odds.storm_weavers import cunning_strike_odds, exchange_odds, odds_of_test
from loomtable.engine.odds.words import OddsLine
from loomtable.engine.odds.words import line as _line
from loomtable.engine.storm_weavers.paragraphs import page_of
from loomtable.engine.storm_weavers.plans import FightPlan, Terms
from loomtable.engine.storm_weavers.sheet import THYMIN, Attribute
from loomtable.engine.storm_weavers.state import Fight, Tale


def storm_weavers_lines(session: Session[Tale], pending: Request) -> tuple[OddsLine, ...] | None:
    """What the open request may bring; ``None`` where nothing is reckoned, as in fights on a map."""
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
    action = session.last_action
    if action.name == "fight":
        return from_builtins(action.args, FightPlan)
    page = page_of(session.state)
    return page.fight if page is not None else None


def _test_lines(session: Session[Tale], pending: Roll) -> tuple[OddsLine, ...] | None:
    sheet = session.state.thymin
    attribute = next((a for a in Attribute if pending.purpose == f"Test of {a.label}"), None)
    modifier = _test_modifier(session)
    if sheet is None or attribute is None or modifier is None:
        return None
    odds = odds_of_test(
        sheet.value(attribute),
        modifier=modifier,
        health=sheet.health,
        dice=f"{pending.count}{pending.die}",
        rulings=session.game.rulings,
    )
    return (_line("pass-highest", odds.passed, highest=odds.highest),)


def _test_modifier(session: Session[Tale]) -> int | None:
    """What the action, or the paragraph and the items used, add to the dice of a test (SW-3)."""
    action, tale = session.last_action, session.state
    if action.name == "test":
        return int(action.args.get("modifier", 0))
    page = page_of(tale)
    terms: Terms | None = page.test if page is not None else None
    if tale.fight is not None or tale.map_fight is not None:  # a Cunning Strike (SW-11)
        plan = tale.map_fight.plan if tale.map_fight is not None else _plan(session)
        terms = plan.strike_test if plan is not None else None
    if terms is None:
        return None
    used, asked = session.played[-1].step.what, session.played[-1].step.request
    about_items = isinstance(asked, Choose) and asked.rule == "SW-3"
    keys = used.keys if about_items and isinstance(used, ChoiceReading) else ()
    return terms.modifier + sum(terms.items[key] for key in keys)


def _attack_lines(
    session: Session[Tale], pending: Roll, fought: Fight, plan: FightPlan
) -> tuple[OddsLine, ...] | None:
    defending = pending.purpose.startswith("Defence of ")
    if not defending and not pending.purpose.startswith("Attack of "):
        return None
    by_thymin = (pending.by == THYMIN) != defending
    lying = session.played[-1].step.what
    attack_die = lying.pips[0] if defending and isinstance(lying, DiceReading) else None
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
    strike = cunning_strike_odds(thymin, modifier=plan.strike_test.settled(thymin.items), rulings=rulings)
    return (
        _line("enemy-hurt", 1 - odds.enemy_injuries[0], enemy=fought.enemy.name),
        _line("thymin-hurt", 1 - odds.thymin_injuries[0]),
        _line("cunning-lands", strike.passed),
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
                strike_modifier=plan.strike_test.settled(session.state.thymin.items),
                rulings=session.game.rulings,
            )
        except OddsUnknown:  # neither can hurt the other
            lines.append(_line(key, ZERO))
        else:
            lines.append(_line(key, odds.won))
    return lines
