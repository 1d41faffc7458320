"""The journal of Storm Weavers, empty or with the story of a session."""

from __future__ import annotations

from loomtable.engine.storm_weavers.state import Tale
from loomtable.printkit.components.journal_pages import journal
from loomtable.printkit.games.storm_weavers.theme import THEME


def _paragraph(tale: Tale) -> str:
    return str(tale.paragraph) if tale.paragraph is not None else "\u2013"


PRINTED = (journal(THEME, "Paragraph", _paragraph),)
"""What this file prints."""
