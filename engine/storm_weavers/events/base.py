"""What all events of Storm Weavers share."""

from __future__ import annotations

from loomtable.engine.kernel.play import Event
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.state import Tale


class TaleEvent(Event, frozen=True, kw_only=True):
    """An event of Storm Weavers."""

    def apply(self, state: Tale) -> Tale:
        """The tale after this event."""
        return state


def sheet_of(state: Tale) -> Sheet:
    assert state.thymin is not None, "an event changed a sheet that does not exist"
    return state.thymin
