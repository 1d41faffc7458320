"""One session as a page shows it to one viewer: the question, its odds, the camera, the news, the panels."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.before import odds_before
from loomtable.engine.ready_evening import ReadyEvening, content_notes, guidance, opening_scene, played_by_people
from loomtable.table.choices.asked import Asked, asked_of
from loomtable.table.choices.odds import Odds, odds_of
from loomtable.table.choices.taking import CameraShown, HandsShown, camera_shown, hands_shown
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.live_session import LiveSession, unchanged_since
from loomtable.table.hosting.rights import may_take_back, names_of
from loomtable.table.hosting.views import sees_reading
from loomtable.table.screens import screen_of
from loomtable.table.screens.panel import Panel

NEWS = 6
"""How many sentences of what happened last are shown."""


class Shown(msgspec.Struct, frozen=True):
    """Everything on the page of a session."""

    title: str
    system: str
    episodes: bool
    """Whether the game has episodes, and so a page of its season."""
    revision: int
    question: int
    """The revision since which this is asked; by it a page knows the same question again, whatever is ticked."""
    asked: Asked | None
    odds: Odds
    camera: CameraShown
    hands: HandsShown
    news: tuple[str, ...]
    hints: tuple[str, ...]
    panels: tuple[Panel, ...]
    sheets: dict[str, str]
    """Whose sheets are among the panels, and where."""
    scene: ReadyEvening | None = None
    """The opening scene, where the session was begun with one."""
    notes: str = ""
    """What people may want to know of it before they play."""
    guide: str = ""
    """What a guided evening explains at this moment."""
    can_take_back: bool = False
    """Whether the last thing that happened are dice that this device answered with, not left to chance, or is in
    its own draft."""
    can_undo: bool = False
    can_redo: bool = False
    drafts: tuple[str, ...] = ()
    """The players who are busy with something of their own while the others play on."""
    asks_again: bool = False
    """Whether the own draft is asked again what was answered already."""
    begun: bool = False
    """Whether people have played on from it."""


def shown_to(live: LiveSession, device: Device) -> Shown:
    """The session as one device may see it, all at one moment."""
    viewer = device.viewer
    with live.held(device.person) as session:
        asked = asked_of(session, device)
        part = asked.whose if asked is not None and device.role is Role.PLAYER else ()
        panels = screen_of(session, viewer)
        sheets = {panel.whose: panel.anchor for panel in panels if panel.whose}
        own = _own_sheets(session, device, sheets)
        scene = opening_scene(session)
        reads = sees_reading(live, device)
        return Shown(
            title=session.system.title,
            system=session.system.key,
            episodes=session.system.presentation.episodes,
            revision=live.revision,
            question=unchanged_since(live.lines(), part, device.person) - _ticks(session),
            asked=asked,
            odds=odds_of(odds_before(session) or ()) if asked is not None and asked.mine else Odds(),
            camera=camera_shown(live.watch if reads else None),
            hands=hands_shown(live.watch, in_full=device.role is Role.HOST or session.system.solo, reads=reads),
            news=news_of(session) if viewer == STORYTELLER else (),
            hints=hints_for(session, viewer),
            panels=tuple(replace(panel, mine=panel.whose in own) for panel in panels),
            sheets=sheets,
            scene=scene,
            notes=content_notes(session.system, scene) if scene is not None else "",
            guide=guidance(session),
            can_take_back=device.person in live.drafts or may_take_back(session.lines()[-1], device),
            can_undo=session.can_undo,
            can_redo=session.can_redo,
            drafts=live.drafts,
            asks_again=device.person in live.drafts and live.asks_again(device.person),
            begun=played_by_people(session) > 0,
        )


def _ticks(session: Session[object]) -> int:
    """How often something was ticked or unticked for the roll that is open."""
    before = [None, *(played.pending for played in session.played)]
    count = 0
    while isinstance(before[-1 - count], Roll) and isinstance(session.played[-1 - count].step.what, ChoiceReading):
        if not isinstance(before[-2 - count], Roll):
            break
        count += 1
    return count


def _own_sheets(session: Session[object], device: Device, sheets: Iterable[str]) -> frozenset[str]:
    """Whose sheets are the own ones of whoever looks: a player's; where one plays alone, all there are."""
    if session.system.solo:
        return frozenset(sheets)
    return names_of(session, device.person) if device.role is Role.PLAYER else frozenset()


def news_of(session: Session[object]) -> tuple[str, ...]:
    """What happened last, the latest first; for those who may see everything."""
    sentences: list[str] = []
    for played in reversed(session.played):
        sentences += [session.system.tell(event, played.game) for event in reversed(played.events)]
        if len(sentences) >= NEWS:
            break
    return tuple(sentences[:NEWS])


def hints_for(session: Session[object], viewer: str) -> tuple[str, ...]:
    """What a player could easily overlook; nothing for those who do not play."""
    if viewer == STORYTELLER:
        return ()
    try:
        return session.system.hints(session.game, viewer)
    except LoomtableError:  # nobody of this name plays yet
        return ()
