"""A journal for each of the games that are told as one story, empty or with the story of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loomtable.engine.kernel.play import RulingChanged
from loomtable.engine.kernel.session import Session
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.storm_weavers.state import Tale
from loomtable.engine.weave.state import Season
from loomtable.engine.woven.state import Contest
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.components.sheet_journal import Entry, journal_sheets
from loomtable.printkit.components.sheet_style import Theme, session_of, sheet_pages
from loomtable.printkit.components.sheet_themes import SPELLWOVEN, STORM_WEAVERS, WEAVE, WOVEN
from loomtable.printkit.sheet.pieces import PrintedPage

Mark = Callable[[Any], str]
"""What stands in the margin beside what happened in a state."""


def _episode(season: Season) -> str:
    return f"{season.episode}.{season.scene}"


def _round(adventure: Adventure) -> str:
    return str(adventure.conflict.round) if adventure.conflict and adventure.conflict.round else "\u2013"


def _paragraph(tale: Tale) -> str:
    return str(tale.paragraph) if tale.paragraph is not None else "\u2013"


def _turn(contest: Contest) -> str:
    return str(contest.round or "\u2013")


def story_entries(session: Session[Any], mark: Mark) -> list[Entry]:
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


def _journal(theme: Theme, margin: str, mark: Mark) -> Component:
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


PRINTED = (
    _journal(WEAVE, "Scene", _episode),
    _journal(SPELLWOVEN, "Round", _round),
    _journal(STORM_WEAVERS, "Paragraph", _paragraph),
    _journal(WOVEN, "Round", _turn),
)
"""What this file prints."""
