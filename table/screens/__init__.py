"""What lies on the table, game by game, as panels for a page: sheets, tracks, cards, tapestries and maps.

Everything that is shown comes out of ``session.view(viewer)``, so that no screen can show what is hidden from its
viewer. The session itself is asked only what would be legal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

from loomtable.engine.kernel.session import Session
from loomtable.table.screens.panel import Panel

Screen = Callable[[Session[Any], str, Mapping[str, Any]], tuple[Panel, ...]]
"""From a session, a viewer, and what that viewer may see, to the panels."""

_SCREENS = {
    "weave": "loomtable.table.screens.weave",
    "spellwoven": "loomtable.table.screens.spellwoven",
    "storm-weavers": "loomtable.table.screens.storm_weavers",
    "mnemonic": "loomtable.table.screens.mnemonic",
    "woven": "loomtable.table.screens.woven",
}


def screen_of(session: Session[Any], viewer: str) -> tuple[Panel, ...]:
    """The panels that ``viewer`` sees of a session now."""
    module = import_module(_SCREENS[session.system.key])
    return cast(Screen, module.screen)(session, viewer, session.view(viewer))


__all__ = ["Panel", "screen_of"]
