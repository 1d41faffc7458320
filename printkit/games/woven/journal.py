"""The journal of Woven, empty or with the story of a session."""

from __future__ import annotations

from loomtable.engine.woven.state import Contest
from loomtable.printkit.components.journal_pages import journal
from loomtable.printkit.games.woven.theme import THEME


def _turn(contest: Contest) -> str:
    return str(contest.round or "\u2013")


PRINTED = (journal(THEME, "Round", _turn),)
"""What this file prints."""
