"""The journal of a game that is told as one story: empty, or with the story of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loomtable.engine.kernel.play import RulingChanged
from loomtable.engine.kernel.session import Session
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.sheet_journal import Entry, journal_sheets
from loomtable.printkit.components.sheet_style import Theme, session_of, sheet_pages
from loomtable.printkit.sheet.pieces import PrintedPage

Mark = Callable[[Any], str]
"""What stands in the margin beside what happened in a state."""


def story_entries(session: Session[object], mark: Mark) -> list[Entry]:
    """Everything that happened, a sentence an event; the margin's mark stands where it changes."""
    entries: list[Entry] = []
    state = session.system.new_game(session.opened.setup, session.opened.rulings).state
    before = ""
    for played in session.played:
        for event in played.events:
            state = state if isinstance(event, RulingChanged) else event.apply(state)
            now = mark(state)
            entries.append(Entry("" if now == before else now, session.system.tell(event, played.game)))
            before = now
    return entries


def game_journal(theme: Theme, margin: str, mark: Mark, options: RenderOptions) -> list[PrintedPage]:
    """The pages of a game's journal; ``margin`` is what the marks are called."""
    session = session_of(options, theme)
    entries = story_entries(session, mark) if session else []
    return sheet_pages(options, theme, journal_sheets("Journal", margin, entries))
