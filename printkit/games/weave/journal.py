"""The journal of Weave, empty or with the story of a session."""

from __future__ import annotations

from loomtable.engine.weave.state import Season
from loomtable.printkit.components.journal_pages import journal
from loomtable.printkit.games.weave.theme import THEME


def _episode(season: Season) -> str:
    return f"{season.episode}.{season.scene}"


PRINTED = (journal(THEME, "Scene", _episode),)
"""What this file prints."""
