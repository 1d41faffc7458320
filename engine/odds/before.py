"""The odds before a roll: what the open request may bring, from the request, the state and the journal.

Only what is known is said. Where a request does not show everything that counts for it, there are no odds. Each
game's odds are registered under its key in the group ``loomtable.odds``.
"""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec
from typing import Any, Protocol

from loomtable.engine.kernel.plugins import Hook
from loomtable.engine.kernel.requests import Request, Roll
from loomtable.engine.kernel.session import S, Session
from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.words import OddsLine


class OddsBefore(Protocol):
    """The odds of one game, from a session and its open request; ``None`` where not enough is known to say."""

    def __call__(self, session: Session[Any], request: Request, /) -> tuple[OddsLine, ...] | None: ...


ODDS: Hook[OddsBefore] = Hook("loomtable.odds")
_SHARES = (Fraction(3, 4), Fraction(1, 2), Fraction(1, 4))
"""Totals are told that are reached about so often."""


def odds_before(session: Session[S]) -> tuple[OddsLine, ...] | None:
    """What the open request may bring; ``None`` where nothing is asked, or not enough is known to say.

    Weave: the first roll of a Challenge or Core Challenge, its Trigger too, and the re-rolls of a Challenge, if
    all dice that may be rolled again always are (WV-10, WV-17, WV-22).
    Spellwoven: every test with a difficulty, and Menace (SP-1, SP-2, SP-11).
    Storm Weavers: tests, Cunning Strikes too (SW-3, SW-11); attacks, defences and the choice between attack and
    Cunning Strike in fights without a map (SW-8, SW-15). Fights on a map have no odds yet.
    Mnemonic: every roll, and the choice of a die in Game Face (MN-3, MN-5 to MN-8, MN-12 to MN-14).
    A game that registers no odds: the total of the dice, where icepool is installed.

    >>> from loomtable import SYSTEMS, Session, odds_before
    >>> session = Session.open(SYSTEMS["storm-weavers"], seed="a rainy evening")
    >>> _ = session.perform("create", dexterity_points=3)
    >>> _ = session.perform("test", attribute="wisdom")
    >>> [(line.says, str(line.chance)) for line in odds_before(session)]
    [('pass, with 6 or less on the dice', '5/12')]
    """
    if session.pending is None or not session.played:
        return None
    key = session.system.key
    lines = ODDS.load(key) if ODDS.entry(key) else total_lines
    try:
        return None if lines is None else lines(session, session.pending)
    except OddsUnknown:  # numbers that no rulebook knows; play goes on without odds
        return None


def total_lines(session: Session[S], pending: Request) -> tuple[OddsLine, ...] | None:
    """Of a game that registers no odds: the chances of some totals, from easy to hard, reckoned by icepool.

    ``None`` where no numbers are rolled, or without icepool.
    """
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
