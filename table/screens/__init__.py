"""What lies on the table, game by game, as panels for a page: sheets, tracks, cards, tapestries and maps.

Everything that is shown comes out of ``session.view(viewer)``, so that no screen can show what is hidden from its
viewer. The session itself is asked only what would be legal. A game's screen is registered under its key in the
group ``loomtable.screens``; a game without one is shown by the default screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from loomtable.engine.kernel.plugins import SCREENS, loaded
from loomtable.engine.kernel.session import Session
from loomtable.table.screens.default import default_screen
from loomtable.table.screens.panel import Panel
from loomtable.table.screens.television import Television, default_television
from loomtable.table.screens.text import Drawings, TextDrawing

Screen = Callable[[Session[Any], str, Mapping[str, Any]], tuple[Panel, ...]]
"""From a session, a viewer, and what that viewer may see, to the panels."""


def screen_of(session: Session[Any], viewer: str) -> tuple[Panel, ...]:
    """The panels that ``viewer`` sees of a session now."""
    screen: Screen = loaded(SCREENS, session.system.key) or default_screen
    return screen(session, viewer, session.view(viewer))


def television_of(session: Session[Any], viewer: str) -> Television:
    """What a television shows of a session now, as ``viewer`` may see it."""
    own = getattr(loaded(SCREENS, session.system.key), "television", None)
    return (own or default_television)(session, session.view(viewer))


def drawings_of(session: Session[Any], viewer: str) -> Mapping[str, TextDrawing]:
    """What a terminal draws of a session now, as ``viewer`` may see it, by the word that asks for it."""
    own: Drawings | None = getattr(loaded(SCREENS, session.system.key), "drawings", None)
    return own(session, viewer, session.view(viewer)) if own is not None else {}


__all__ = ["Panel", "Television", "TextDrawing", "drawings_of", "screen_of", "television_of"]
