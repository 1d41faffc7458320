"""What one viewer sees of a season."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.weave.state import STRIKE_TRACK, Boon, Character, Encounter, EpisodePlan, ScannedQuality


class CharacterTracks(msgspec.Struct, frozen=True):
    """What everybody sees of a character."""

    player: str
    strikes: int
    wounds: int
    left: bool


class NpcView(msgspec.Struct, frozen=True):
    """Somebody whom the storyteller plays; only the storyteller sees tracks, qualities and boons."""

    name: str
    enemy: bool
    beaten: bool
    strikes: int | None = None
    wounds: int | None = None
    track: int = STRIKE_TRACK
    qualities: tuple[ScannedQuality, ...] = ()
    boons: tuple[Boon, ...] = ()


class SeasonView(msgspec.Struct, frozen=True):
    """A season; a card that the viewer may not see is ``face down``."""

    name: str
    playset: str
    episode: int
    scene: int
    foundation: tuple[ScannedQuality | str, ...]
    elements: tuple[ScannedQuality, ...]
    place: str
    plan: EpisodePlan | None
    players: dict[str, bool]
    characters: dict[str, Character]
    """Sheets of the viewer; of all, for the storyteller."""
    tracks: dict[str, CharacterTracks]
    npcs: dict[str, NpcView]
    encounter: Encounter | None
    spread: tuple[ComponentId, ...]
    hand: tuple[str, ...]
    face_down: str | None
