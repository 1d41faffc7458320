"""The odds of a game that registers none: what its dice add up to, reckoned by icepool if it is installed."""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec

from loomtable.engine.kernel.requests import Request, Roll
from loomtable.engine.kernel.session import S, Session
from loomtable.engine.odds.words import OddsLine

_SHARES = (Fraction(3, 4), Fraction(1, 2), Fraction(1, 4))
"""Totals are told that are reached about so often."""


def total_lines(session: Session[S], pending: Request) -> tuple[OddsLine, ...] | None:
    """The chances of some totals, from easy to hard; ``None`` where no numbers are rolled, or without icepool."""
    if not isinstance(pending, Roll) or not all(isinstance(face, int) for face in pending.die.faces):
        return None
    if find_spec("icepool") is None:
        return None
    import icepool

    total = pending.count @ icepool.Die(list(pending.die.faces))
    told = {max(n for n in total.outcomes() if total.probability(">=", n) >= share) for share in _SHARES}
    return tuple(
        OddsLine(f"total-{n}", f"{n} or more in all", total.probability(">=", n))
        for n in sorted(told)
        if n > total.min_outcome()
    )
