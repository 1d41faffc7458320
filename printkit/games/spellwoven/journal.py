"""The journal of Spellwoven, empty or with the story of a session."""

from __future__ import annotations

from loomtable.engine.spellwoven.state import Adventure
from loomtable.printkit.components.journal_pages import journal
from loomtable.printkit.games.spellwoven.theme import THEME


def _round(adventure: Adventure) -> str:
    return str(adventure.conflict.round) if adventure.conflict and adventure.conflict.round else "\u2013"


PRINTED = (journal(THEME, "Round", _round),)
"""What this file prints."""
