"""One sitting as a page shows it to one viewer: the question, its odds, the camera, the news, the panels."""

from __future__ import annotations

from typing import Any

import msgspec

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import STORYTELLER
from loomtable.engine.odds.before import odds_before
from loomtable.engine.odds.exact import percent
from loomtable.table.hosting.camera import CameraWatch
from loomtable.table.hosting.devices import Device
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.proposals import SeenFace
from loomtable.table.hosting.views import sees_reading
from loomtable.table.pages.art import face_key
from loomtable.table.pages.asked import Asked, FaceShown, asked_of, faces_of
from loomtable.table.screens import Panel, screen_of
from loomtable.vision.verdict import how_sure

NEWS = 6
"""How many sentences of what happened last are shown."""


class Chance(msgspec.Struct, frozen=True):
    """One line of odds: in words, and as a share of a bar 100 wide."""

    says: str
    percent: str
    width: str


class DieSeen(msgspec.Struct, frozen=True):
    """One die of what the camera read, and what it can be instead."""

    place: int
    face: str
    picture: str
    doubt: str
    sure: str
    corrected: bool
    faces: tuple[FaceShown, ...]


class CameraShown(msgspec.Struct, frozen=True):
    """What the camera sees, and what it proposes."""

    on: bool
    name: str
    says: str
    trouble: str
    number: int = 0
    """Which proposal stands; 0 where none does."""
    verdict: str = ""
    reads: str = ""
    """What was read, for people who cannot see the picture."""
    sure: bool = False
    """Whether it can be taken as it is."""
    dice: tuple[DieSeen, ...] = ()
    takes_itself: bool = False


class Shown(msgspec.Struct, frozen=True):
    """Everything on the page of a sitting."""

    title: str
    system: str
    revision: int
    asked: Asked | None
    odds: tuple[Chance, ...]
    camera: CameraShown
    news: tuple[str, ...]
    hints: tuple[str, ...]
    panels: tuple[Panel, ...]


def shown_to(live: LiveSession, device: Device) -> Shown:
    """The sitting as one device may see it, all at one moment."""
    viewer = device.viewer
    with live.held() as session:
        asked = asked_of(session, device)
        return Shown(
            title=session.system.title,
            system=session.system.key,
            revision=live.revision,
            asked=asked,
            odds=odds_of(session) if asked is not None and asked.mine else (),
            camera=camera_shown(live.camera if sees_reading(live, device) else None),
            news=news_of(session) if viewer == STORYTELLER else (),
            hints=hints_for(session, viewer),
            panels=screen_of(session, viewer),
        )


def odds_of(session: Session[Any]) -> tuple[Chance, ...]:
    """The odds before the roll, where they are known."""
    lines = odds_before(session) or ()
    return tuple(Chance(line.says, percent(line.chance), f"{float(line.chance) * 100:.2f}") for line in lines)


def news_of(session: Session[Any]) -> tuple[str, ...]:
    """What happened last, the latest first; for those who may see everything."""
    sentences: list[str] = []
    for played in reversed(session.played):
        sentences += [session.system.tell(event, played.game) for event in reversed(played.events)]
        if len(sentences) >= NEWS:
            break
    return tuple(sentences[:NEWS])


def hints_for(session: Session[Any], viewer: str) -> tuple[str, ...]:
    """What a player could easily overlook; nothing for those who do not play."""
    if viewer == STORYTELLER:
        return ()
    try:
        return session.system.hints(session.game, viewer)
    except LoomtableError:  # nobody of this name plays yet
        return ()


def camera_shown(watch: CameraWatch | None) -> CameraShown:
    """The camera of a sitting as it is now."""
    if watch is None or not (watch.on or watch.proposal is not None):
        return CameraShown(on=False, name="", says="no camera is on", trouble="")
    proposal = watch.proposal
    shown = CameraShown(
        on=watch.on, name=watch.name, says=watch.says, trouble=watch.trouble, takes_itself=watch.takes_itself
    )
    if proposal is None:
        return shown
    return msgspec.structs.replace(
        shown,
        number=proposal.number,
        verdict=proposal.verdict.value,
        reads=proposal.says,
        sure=proposal.answer is not None,
        dice=tuple(_die(seen) for seen in proposal.dice) if isinstance(proposal.request, Roll) else (),
    )


def _die(seen: SeenFace) -> DieSeen:
    return DieSeen(
        place=seen.place,
        face=seen.face.capitalize(),
        picture=face_key(seen.die, seen.face),
        doubt=seen.doubt,
        sure=how_sure(seen.confidence),
        corrected=seen.corrected,
        faces=faces_of(seen.die),
    )
