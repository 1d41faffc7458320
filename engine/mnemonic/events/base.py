"""What all events of Mnemonic share."""

from __future__ import annotations

from loomtable.engine.kernel.play import Event
from loomtable.engine.mnemonic.state import Chronicle


class ChronicleEvent(Event, frozen=True, kw_only=True):
    """An event of Mnemonic."""

    def apply(self, state: Chronicle) -> Chronicle:
        """The chronicle after this event."""
        return state


class CharacterEvent(ChronicleEvent, frozen=True, kw_only=True):
    """An event that happens to one character."""

    who: str
