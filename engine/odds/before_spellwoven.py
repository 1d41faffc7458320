"""The odds before a roll in Spellwoven: every test with a difficulty, and Menace."""

from __future__ import annotations

from loomtable.engine.kernel.requests import Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.spellwoven import Edge, odds_of_test, wound_odds
from loomtable.engine.odds.words import OddsLine
from loomtable.engine.odds.words import line as _line
from loomtable.engine.spellwoven.events.people import RollFaced
from loomtable.engine.spellwoven.levels import Severity
from loomtable.engine.spellwoven.state import Adventure


def spellwoven_lines(session: Session[Adventure], pending: Request) -> tuple[OddsLine, ...] | None:
    """A test (SP-1) or Menace (SP-11) that is about to be rolled, with the Effort that may be spent (SP-2)."""
    last = session.played[-1].events[-1:]
    if not isinstance(pending, Roll) or not last or not isinstance(last[0], RollFaced):
        return None
    faced = last[0]
    if faced.difficulty is None:
        return _menace_lines(faced) if faced.rule == "SP-11" and not faced.bonus and not faced.edge else None
    edge = {1: Edge.ADVANTAGE, -1: Edge.DISADVANTAGE, 0: Edge.NONE}[faced.edge]
    needed = max(0, faced.difficulty - faced.bonus)
    odds = odds_of_test(faced.rating, needed, effort=faced.effort, edge=edge, rulings=session.game.rulings)
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
