"""The odds of a crossing, before the dice are rolled."""

from __future__ import annotations

from fractions import Fraction

from last_ferry.state import Bank, CardTurned
from loomtable.game import OddsLine, Request, Roll, Session


def crossing_lines(session: Session[Bank], pending: Request) -> tuple[OddsLine, ...] | None:
    """The chance to reach the far bank; nothing before the card lies there."""
    turned = session.played[-1].events[-1:]
    if not isinstance(pending, Roll) or not turned or not isinstance(turned[0], CardTurned):
        return None
    rolls = [int(one) + int(other) for one in pending.die.faces for other in pending.die.faces]
    good = sum(total >= turned[0].depth for total in rolls)
    return (OddsLine("over", "reaches the far bank", Fraction(good, len(rolls))),)
