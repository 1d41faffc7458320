"""What all events of Spellwoven share."""

from __future__ import annotations

from loomtable.engine.kernel.play import Event
from loomtable.engine.spellwoven.state import Adventure


class AdventureEvent(Event, frozen=True, kw_only=True):
    """An event of Spellwoven."""

    def apply(self, state: Adventure) -> Adventure:
        """The adventure after this event."""
        return state


class CharacterEvent(AdventureEvent, frozen=True, kw_only=True):
    """An event that happens to one character."""

    who: str
