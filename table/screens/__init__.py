"""What lies on the table, game by game, as panels for a page: sheets, tracks, cards, tapestries and maps.

Everything that is shown comes out of ``session.view(viewer)``, so that no screen can show what is hidden from its
viewer. The session itself is asked only what would be legal. A game's screen is registered under its key in the
group ``loomtable.screens``; a game without one is shown by the default screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from loomtable.engine.kernel.plugins import Hook
from loomtable.engine.kernel.serialization import from_json, to_json
from loomtable.engine.kernel.session import Session
from loomtable.table.screens.blocks import parts_of
from loomtable.table.screens.default import default_screen, default_television
from loomtable.table.screens.panel import Panel, Television
from loomtable.table.screens.text import TextDrawing

if TYPE_CHECKING:
    from loomtable.engine.kernel.components import ComponentId
    from loomtable.engine.kernel.gestures import Offer
    from loomtable.printkit.sheet.pieces import Drawing
    from loomtable.table.reading.board import Board, Counters
    from loomtable.table.reading.board_drawing import BoardRead
    from loomtable.vision.pictures import BgrImage
    from loomtable.vision.table_looks import TableLook

V = TypeVar("V")
V_contra = TypeVar("V_contra", contravariant=True)


@dataclass(frozen=True)
class Picture:
    """A drawing and its size in mm."""

    draw: Drawing
    width: float
    height: float


class Panels(Protocol[V_contra]):
    """The panels of a session for a viewer, from what that viewer may see."""

    def __call__(self, session: Session[Any], viewer: str, view: V_contra, /) -> tuple[Panel, ...]: ...


@dataclass(frozen=True)
class GameScreen(Generic[V]):
    """All that the table shows and reads of a game beyond its rules; only the panels are needed."""

    panels: Panels[V]
    television: Callable[[Session[Any], V], Television] | None = None
    view: type[V] | None = None
    """The type of what a viewer may see; plain values as ``session.view`` has them without one."""
    pictures: Mapping[str, Callable[[str], Picture]] = field(default_factory=dict)
    """How ``/art/KIND/NAME.svg`` is drawn: by kind, a function of the name; ``KeyError`` where there is none."""
    board: Callable[[Session[Any]], Board] | None = None
    """The printed map that it is played on now; it raises ``IllegalAction`` where there is none."""
    tapestry: Callable[[Session[Any], BgrImage, str], BoardRead] | None = None
    """Reads one player's tapestry from a picture (``loom board``)."""
    placed: Callable[[Session[Any], TableLook], tuple[Offer | None, tuple[Counters, ...]]] | None = None
    """The card that a hand has placed on a grid, as a step of the game whose ``things`` are that card; and the
    counters there."""
    playing_cards: bool = False
    """Whether an ordinary deck, whose cards bear no code, may be on the table."""
    marked: Callable[[Session[Any]], Mapping[ComponentId, str]] | None = None
    """Whose the printed markers are; the live picture says so."""


SCREENS: Hook[GameScreen[Any] | Panels[Any]] = Hook("loomtable.screens")


def imported_later(name: str) -> Callable[..., Any]:
    """The function ``module:name``, imported when it is first called: for what takes long to import."""
    return lambda *given, **named: resolve_name(name)(*given, **named)


def game_screen(key: str) -> GameScreen[Any]:
    """A game's own, or one that shows the values of its view; a mere function is one with panels alone."""
    found = SCREENS.load(key) or default_screen
    return found if isinstance(found, GameScreen) else GameScreen(found)


def game_screens() -> dict[str, GameScreen[Any]]:
    """Those that are registered, by the games' keys."""
    return {key: game_screen(key) for key in SCREENS.games()}


def screen_of(session: Session[object], viewer: str) -> tuple[Panel, ...]:
    """The panels that ``viewer`` sees of a session now."""
    screen = game_screen(session.system.key)
    return screen.panels(session, viewer, _viewed(screen, session, viewer))


def television_of(session: Session[object], viewer: str) -> Television:
    """What a television shows of a session now, as ``viewer`` may see it."""
    screen = game_screen(session.system.key)
    if screen.television is None:
        return default_television(session, session.view(viewer))
    return screen.television(session, _viewed(screen, session, viewer))


def _viewed(screen: GameScreen[Any], session: Session[object], viewer: str) -> Any:
    view = session.view(viewer)
    # By way of JSON, because the keys of plain values are text, also where the game has numbers.
    return view if screen.view is None else from_json(to_json(view), screen.view)


def drawings_of(session: Session[object], viewer: str) -> Mapping[str, TextDrawing]:
    """What a terminal draws of a session now, as ``viewer`` may see it, by the word that asks for it."""
    panels = screen_of(session, viewer)
    drawn = [part for panel in panels for part in parts_of(panel.blocks) if isinstance(part, TextDrawing)]
    return {drawing.word: drawing for drawing in drawn if drawing.word}
