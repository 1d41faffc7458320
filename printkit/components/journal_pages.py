"""The journal of a game that is told as one story: empty, or with the story of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loomtable.engine.kernel.play import RulingChanged
from loomtable.engine.kernel.session import Session
from loomtable.printkit.catalogue import Component, RenderOptions
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


def journal(theme: Theme, margin: str, mark: Mark) -> Component:
    """A game's journal, to be declared among what the game prints; ``margin`` is what the marks are called."""

    def pages(options: RenderOptions) -> list[PrintedPage]:
        session = session_of(options, theme)
        entries = story_entries(session, mark) if session else []
        return sheet_pages(options, theme, journal_sheets("Journal", margin, entries))

    return Component(
        name=f"{theme.key}-journal",
        title=f"{theme.title}: journal",
        description=f"Ruled pages by {margin.lower()}, or the story of a session; two sides",
        system=theme.key,
        pieces=pages,
        aliases=("sheets", "journals"),
    )
